"""Spark with two executor processes beside two plain processes, on the same Parquet files: graphs a second, processor time, memory, and
whether rows are the same.

Run with the environment of `make test-spark`, in which a wheel of the release build is installed:
`bench/peers/spark.py NCI1.parquet NCI1.bytes.parquet --graphs 1000000`, with two files of `allpaths convert`, one with `--graph-columns bytes`.
Each plain process reads, embeds and drops its rows, and nothing leaves it. Spark reads, embeds in its Python workers, takes the vectors back
into the executors, as rows of Spark, and drops them there. Start and one file as a rehearsal aside, in a new session for each line.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import threading
import time
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import allpaths as ap

SETTINGS = {"max_length": 5, "encoding": "sequence", "n_features": 2**18}


def tile(source, folder, graphs, parts):
    """Write so many graphs into parts, the source over and over, with ids of their own."""
    table = pq.read_table(source)
    table = table.select(
        [
            name
            for name in ("source", "target", "vertex_labels", "graph_bytes")
            if name in table.column_names
        ]
    )
    size, first = graphs // parts, 0
    for part in range(parts):
        rows = pa.concat_tables([table] * (size // table.num_rows + 2)).slice(
            first % table.num_rows, size
        )
        ids = pa.array(range(first, first + size), pa.int64())
        pq.write_table(
            rows.combine_chunks().add_column(0, "id", ids),
            folder / f"{part:03}.parquet",
            row_group_size=10_000,
        )
        first += size


def checksum(batch, names):
    """A number that does not depend on the order of rows: the sum of checksums of each row's id, indices and values."""
    vectors = batch[names]
    total = 0
    indices, values = vectors.field("indices"), vectors.field("values")
    for i, number in enumerate(batch["id"].to_pylist()):
        total += zlib.crc32(
            repr((number, indices[i].as_py(), values[i].as_py())).encode()
        )
    return total


def plain(paths, barrier, results):
    """One process: reads, embeds, drops."""
    for batch in pq.ParquetFile(paths[0]).iter_batches(100):
        ap.embed_batch(batch, **SETTINGS, on_error="mark", n_jobs=1)
        break
    barrier.wait()
    start, before, rows = time.perf_counter(), time.process_time(), 0
    for path in paths:
        for batch in pq.ParquetFile(path).iter_batches(10_000):
            rows += ap.embed_batch(
                batch, **SETTINGS, on_error="mark", n_jobs=1
            ).num_rows
    results.put((rows, time.perf_counter() - start, time.process_time() - before))


def two_processes(paths):
    """Give graphs a second of two processes, by the clock of the slower, and microseconds of the processor for each."""
    results, barrier = multiprocessing.Queue(), multiprocessing.Barrier(2)
    workers = [
        multiprocessing.Process(target=plain, args=(paths[i::2], barrier, results))
        for i in range(2)
    ]
    for worker in workers:
        worker.start()
    found = [results.get() for _ in workers]
    for worker in workers:
        worker.join()
    rows = sum(rows for rows, _, _ in found)
    return (
        rows / max(seconds for _, seconds, _ in found),
        1e6 * sum(processor for _, _, processor in found) / rows,
    )


KINDS = (("executor", b"CoarseGrainedExecutorBackend"), ("worker", b"pyspark.daemon"))


def processes():
    """Give what kind each process of Spark is, its resident memory in bytes and its processor time in seconds."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
            kind = next((kind for kind, mark in KINDS if mark in words), None)
            if kind is None:
                continue
            pages = int((folder / "statm").read_text().split()[1])
            # Of workers those that have ended count, too: they are children.
            ticks = (folder / "stat").read_text().rsplit(")", 1)[1].split()[11:15]
        except (OSError, IndexError):
            continue
        own = [int(tick) for tick in ticks[: 4 if kind == "worker" else 2]]
        yield (
            kind,
            pages * os.sysconf("SC_PAGE_SIZE"),
            sum(own) / os.sysconf("SC_CLK_TCK"),
        )


def processor():
    """Give the processor time that each kind of process has taken, in seconds."""
    total = dict.fromkeys((kind for kind, _ in KINDS), 0.0)
    for kind, _, seconds in processes():
        total[kind] += seconds
    return total


class Memory(threading.Thread):
    """The most resident memory of any executor process and of its Python workers, in bytes."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most = {}
        self.done = threading.Event()

    def run(self):
        while not self.done.wait(0.5):
            for kind, resident, _ in processes():
                self.most[kind] = max(self.most.get(kind, 0), resident)


def session(java):
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.files.maxPartitionBytes", "4m")
        .config("spark.executor.extraJavaOptions", java)
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def measured(folder, graphs, check, passes, keep, java):
    """Embed all rows in a new session, so many times: graphs a second and processor time of each kind for each time, memory, and a few rows as their number and checksum."""
    from allpaths.spark import AllPathsCyclesFeatures

    def drop(frame):
        frame.write.format("noop").mode("overwrite").save()

    spark = session(java)
    features = AllPathsCyclesFeatures(
        maxLength=5, encoding="sequence", numFeatures=2**18, keepGraphs=keep
    )
    paths = sorted(str(path) for path in folder.glob("*.parquet"))
    drop(features.transform(spark.read.parquet(paths[0])))
    (memory := Memory()).start()
    frame = features.transform(spark.read.parquet(*paths))
    found_passes = []
    for _ in range(passes):
        before, start = processor(), time.perf_counter()
        drop(frame)
        rate = graphs / (time.perf_counter() - start)
        after = processor().items()
        taken = {kind: 1e6 * (now - before[kind]) / graphs for kind, now in after}
        found_passes.append((rate, taken))
    memory.done.set()
    few = features.transform(spark.read.parquet(*paths).filter(f"id < {check}"))
    few = few.select("id", "features").collect()
    found = 0
    for row in few:
        vector = (row.features.indices.tolist(), row.features.values.tolist())
        found += zlib.crc32(repr((row.id, *vector)).encode())
    spark.stop()
    return found_passes, memory.most, (len(few), found)


def expected(paths, check):
    """What one process makes of the first rows, as their number and checksum."""
    total = seen = 0
    for path in paths:
        for batch in pq.ParquetFile(path).iter_batches(10_000):
            batch = batch.slice(0, max(0, min(batch.num_rows, check - seen)))
            if batch.num_rows:
                embedded = ap.embed_batch(batch, **SETTINGS, on_error="mark")
                total += checksum(embedded, "features")
                seen += batch.num_rows
    return seen, total


TUNED = "-XX:+UseParallelGC -Darrow.enable_unsafe_memory_access=true -Darrow.enable_null_check_for_get=false"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lists", type=Path)
    parser.add_argument("bytes", type=Path)
    parser.add_argument("--graphs", type=int, default=1_000_000)
    parser.add_argument("--parts", type=int, default=20)
    parser.add_argument(
        "--passes",
        type=int,
        default=3,
        help="how often each session embeds all rows: Java compiles what runs often",
    )
    parser.add_argument(
        "--check",
        type=int,
        default=20_000,
        help="how many rows to compare by checksums",
    )
    options = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as name:
        folders = {"lists": Path(name) / "lists", "bytes": Path(name) / "bytes"}
        for form, folder in folders.items():
            folder.mkdir()
            tile(getattr(options, form), folder, options.graphs, options.parts)
        paths = {
            form: sorted(folder.glob("*.parquet")) for form, folder in folders.items()
        }

        def plain_line(form):
            rate, taken = two_processes(paths[form])
            print(
                f"two processes, {form}: {rate:,.0f} graphs a second, {taken:.1f} microseconds of the processor each",
                flush=True,
            )
            return rate, taken

        before = {form: plain_line(form) for form in paths}
        lines = []
        for form, keep, java in (
            ("lists", True, ""),
            ("lists", False, ""),
            ("lists", False, TUNED),
            ("bytes", True, TUNED),
            ("bytes", False, ""),
            ("bytes", False, TUNED),
        ):
            passes, memory, few = measured(
                folders[form],
                options.graphs,
                options.check,
                options.passes,
                keep,
                java,
            )
            same = few == expected(paths[form], options.check)
            what = f"Spark, {form}{', graphs kept' if keep else ''}{', Java options' if java else ''}"
            sizes = ", ".join(
                f"{kind} {size / 1e6:.0f} MB" for kind, size in memory.items()
            )
            print(
                f"{what}: at most {sizes}; {few[0]} rows {'the same' if same else 'DIFFERENT'}",
                flush=True,
            )
            for number, (rate, taken) in enumerate(passes, 1):
                whole = sum(taken.values())
                parts = ", ".join(f"{kind} {one:.1f}" for kind, one in taken.items())
                print(
                    f"  time {number}: {rate:,.0f} graphs a second, {whole:.1f} microseconds of the processor each ({parts})",
                    flush=True,
                )
                lines.append((f"{what}, time {number}", rate, whole))
        after = {form: plain_line(form) for form in paths}
        for what, rate, taken in lines:
            shares = (
                f"{200 * rate / (before[form][0] + after[form][0]):.0f} % of the rate and "
                f"{50 * (before[form][1] + after[form][1]) / taken:.0f} % by processor time of two processes on {form}"
                for form in paths
            )
            print(f"{what}: {'; '.join(shares)}")


if __name__ == "__main__":
    main()

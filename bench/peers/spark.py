"""Spark with two executor processes beside two plain processes, on the same Parquet files: graphs a second, memory, and whether rows are the same.

Run with the environment of `make test-spark`, in which a wheel of the release build is installed: `bench/peers/spark.py NCI1.parquet --graphs 1000000`.
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
    table = pq.read_table(source).select(["source", "target", "vertex_labels"])
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
        ap.embed_batch(batch, **SETTINGS, on_error="mark", keep_columns=True, n_jobs=1)
        break
    barrier.wait()
    start, rows = time.perf_counter(), 0
    for path in paths:
        for batch in pq.ParquetFile(path).iter_batches(10_000):
            rows += ap.embed_batch(
                batch, **SETTINGS, on_error="mark", keep_columns=True, n_jobs=1
            ).num_rows
    results.put((rows, time.perf_counter() - start))


def two_processes(paths):
    """Give graphs a second of two processes, by the clock of the slower."""
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
    return sum(rows for rows, _ in found) / max(seconds for _, seconds in found)


class Memory(threading.Thread):
    """The most resident memory of any executor process and of its Python workers, in bytes."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most = {}

    def run(self):
        while True:
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    words = (folder / "cmdline").read_bytes()
                    resident = int(
                        (folder / "statm").read_text().split()[1]
                    ) * os.sysconf("SC_PAGE_SIZE")
                except (OSError, IndexError, ValueError):
                    continue
                for kind, mark in (
                    ("executor", b"CoarseGrainedExecutorBackend"),
                    ("worker", b"pyspark.daemon"),
                ):
                    if mark in words:
                        self.most[kind] = max(self.most.get(kind, 0), resident)
            time.sleep(0.2)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--graphs", type=int, default=1_000_000)
    parser.add_argument("--parts", type=int, default=20)
    parser.add_argument(
        "--check",
        type=int,
        default=20_000,
        help="how many rows to compare by checksums",
    )
    options = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tile(options.source, folder, options.graphs, options.parts)
        paths = sorted(folder.glob("*.parquet"))
        before = two_processes(paths)

        from pyspark.sql import SparkSession

        from allpaths.spark import AllPathsCyclesFeatures

        spark = (
            SparkSession.builder.master("local-cluster[2,1,1024]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.files.maxPartitionBytes", "4m")
            .getOrCreate()
        )
        spark.sparkContext.setLogLevel("ERROR")
        features = AllPathsCyclesFeatures(
            maxLength=5, encoding="sequence", numFeatures=2**18
        )
        features.transform(spark.read.parquet(str(paths[0]))).write.format("noop").mode(
            "overwrite"
        ).save()
        Memory.start(memory := Memory())
        frame = features.transform(spark.read.parquet(name))
        start = time.perf_counter()
        frame.write.format("noop").mode("overwrite").save()
        rate = options.graphs / (time.perf_counter() - start)
        few = (
            features.transform(spark.read.parquet(name).filter(f"id < {options.check}"))
            .select("id", "features")
            .collect()
        )
        found = sum(
            zlib.crc32(
                repr(
                    (
                        row.id,
                        row.features.indices.tolist(),
                        row.features.values.tolist(),
                    )
                ).encode()
            )
            for row in few
        )
        spark.stop()
        after = two_processes(paths)
        expected = seen = 0
        for path in paths:
            for batch in pq.ParquetFile(path).iter_batches(10_000):
                batch = batch.slice(
                    0, max(0, min(batch.num_rows, options.check - seen))
                )
                if batch.num_rows:
                    expected += checksum(
                        ap.embed_batch(batch, **SETTINGS, on_error="mark"), "features"
                    )
                    seen += batch.num_rows
        print(f"graphs               {options.graphs}")
        print(
            f"two processes        {before:,.0f} and {after:,.0f} graphs a second, before and after"
        )
        print(
            f"Spark                {rate:,.0f} graphs a second: {200 * rate / (before + after):.0f} %"
        )
        print(
            f"most memory          {', '.join(f'{kind} {size / 1e6:.0f} MB' for kind, size in sorted(memory.most.items()))}"
        )
        print(
            f"{len(few)} rows compared     {'the same' if (len(few), found) == (seen, expected) else 'DIFFERENT'}"
        )


if __name__ == "__main__":
    main()

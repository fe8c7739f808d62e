import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import allpaths as ap

os.environ["PYSPARK_PYTHON"] = sys.executable


def ring(n, labels="C"):
    """A ring as a row of the table of graphs."""
    return {
        "source": list(range(n)),
        "target": [(v + 1) % n for v in range(n)],
        "vertex_labels": [labels[v % len(labels)] for v in range(n)],
    }


def chain(n, labels="CO"):
    return {"source": list(range(n - 1)), "target": list(range(1, n)), "vertex_labels": [labels[v % len(labels)] for v in range(n)]}


@pytest.fixture(scope="session")
def spark():
    """A cluster of two real executor processes with a core each."""
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.default.parallelism", "2")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "64")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def rows():
    """Rings and chains with classes, as rows; no two are alike."""
    graphs = [graph for n in range(3, 103) for graph in (ring(n, "CCO"), chain(n))]
    return [{"id": i, "y": float(i % 2), **graph} for i, graph in enumerate(graphs)]


@pytest.fixture(scope="session")
def table(rows):
    lists = pa.list_(pa.int32())
    schema = {"id": pa.int64(), "y": pa.float64(), "source": lists, "target": lists, "vertex_labels": pa.list_(pa.string())}
    return pa.Table.from_pylist(rows, pa.schema(schema))


@pytest.fixture(scope="session")
def frame(spark, table, tmp_path_factory):
    path = tmp_path_factory.mktemp("graphs") / "graphs.parquet"
    pq.write_table(table, path)
    return spark.read.parquet(str(path)).repartition(5).cache()


@pytest.fixture(scope="session")
def bytes_frame(spark, rows, tmp_path_factory):
    """The same graphs in one column, as the package writes them, with the ids and classes of the others."""
    path = tmp_path_factory.mktemp("bytes") / "graphs.parquet"
    edges = [list(zip(row["source"], row["target"], strict=True)) for row in rows]
    graphs = [ap.Graph(pairs, vertex_labels=row["vertex_labels"]) for pairs, row in zip(edges, rows, strict=True)]
    ap.datasets.save(path, graphs, [i % 2 for i in range(len(rows))], names=[str(row["id"]) for row in rows], graph_columns="bytes")
    return spark.read.parquet(str(path)).selectExpr("cast(id as long) id", "graph_bytes", "cast(y as double) y").repartition(5).cache()


@pytest.fixture(scope="session")
def expected(table):
    """What one process makes of the same rows, by id."""

    def embed(**parameters):
        batch = ap.embed_batch(table.combine_chunks().to_batches()[0], on_error="mark", **parameters)
        return {row["id"]: row for row in batch.to_pylist()}

    return embed

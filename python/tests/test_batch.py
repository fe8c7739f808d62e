"""Record batches in and out."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import allpaths as ap


@pytest.fixture(scope="module")
def batch(molecules):
    graphs = molecules.graphs
    return pa.RecordBatch.from_pydict(
        {
            "name": ["ethanol", "acetaldehyde", "benzene", "pyridine"],
            "source": [graph.edges[:, 0].tolist() for graph in graphs],
            "class": molecules.y,
            "target": [graph.edges[:, 1].tolist() for graph in graphs],
            "vertex_labels": [graph.vertex_labels for graph in graphs],
            "edge_labels": [graph.edge_labels for graph in graphs],
        }
    )


def counts(batch):
    """What each row counts, by id."""
    rows = zip(batch["ids"].to_pylist(), batch["counts"].to_pylist(), strict=True)
    return [dict(zip(ids, counts, strict=True)) for ids, counts in rows]


def fitted_counts(graphs, **parameters):
    features = ap.AllPathsCycles(**parameters)
    matrix = features.fit_transform(graphs).toarray()
    ids = features.feature_ids_.tolist()
    return [{i: count for i, count in zip(ids, row, strict=True) if count} for row in matrix.tolist()]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"max_length": 5, "edge_labels": True},
        {"encoding": "composition", "max_length": 4, "cycles": "merged", "vertices": False},
        {"profile": "triangle:2"},
    ],
)
def test_ids_and_counts_are_those_of_a_fit(parameters, batch, molecules):
    assert counts(ap.embed_batch(batch, **parameters)) == fitted_counts(molecules.graphs, **parameters)


def test_graphs_as_bytes_are_the_same_graphs(batch, molecules, tmp_path):
    path = tmp_path / "bytes.parquet"
    ap.datasets.save(path, molecules.graphs, molecules.y, graph_columns="bytes")
    given = pq.read_table(path).to_batches()[0]
    assert given.schema.names == ["graph_bytes", "y"]
    found = ap.embed_batch(given, edge_labels=True)
    assert found.schema.names == ["y", "ids", "counts", "outcome"]
    assert counts(found) == counts(ap.embed_batch(batch, edge_labels=True))
    assert ap.embed_batch(given, keep_columns=True)["graph_bytes"] == given["graph_bytes"]


def test_power_codes_of_given_labels(batch, molecules):
    features = ap.AllPathsCycles(3, encoding="power").fit(molecules.graphs)
    given = ap.embed_batch(batch, 3, encoding="power", keep_labels=features.labels_)
    assert counts(given) == fitted_counts(molecules.graphs, max_length=3, encoding="power")
    with pytest.raises(ValueError, match="needs keep_labels"):
        ap.embed_batch(batch, 3, encoding="power")


def test_other_columns_are_handed_on(batch):
    features = ap.embed_batch(batch)
    assert features.schema.names == ["name", "class", "ids", "counts", "outcome"]
    assert features["name"].to_pylist() == batch["name"].to_pylist()
    assert features["outcome"].to_pylist() == ["complete"] * 4
    assert features.schema.field("ids").type == pa.list_(pa.field("item", pa.uint64(), nullable=False))
    # Handed on as they are: the same memory.
    assert features["class"].buffers()[1].address == batch["class"].buffers()[1].address


@pytest.mark.parametrize(
    "kinds",
    [
        {"source": pa.list_(pa.int32()), "target": pa.list_(pa.uint8())},
        {"source": pa.large_list(pa.int64()), "vertex_labels": pa.large_list(pa.large_string())},
        {"vertex_labels": pa.list_(pa.dictionary(pa.int8(), pa.string()))},
    ],
)
def test_columns_of_other_widths(kinds, batch):
    columns = {name: batch[name].cast(kinds.get(name, batch[name].type)) for name in batch.schema.names}
    assert counts(ap.embed_batch(pa.RecordBatch.from_pydict(columns))) == counts(ap.embed_batch(batch))


def test_labels_may_be_numbers():
    columns = {"source": [[0]], "target": [[1]], "vertex_labels": pa.array([[6, 8]], pa.list_(pa.int16()))}
    numbers = counts(ap.embed_batch(pa.RecordBatch.from_pydict(columns)))
    assert numbers == fitted_counts([ap.Graph([(0, 1)], [6, 8])])


def test_parts_of_a_batch_and_graphs_without_edges(batch):
    assert counts(ap.embed_batch(batch.slice(1, 2))) == counts(ap.embed_batch(batch))[1:3]
    assert ap.embed_batch(batch.slice(0, 0)).num_rows == 0
    lists = pa.list_(pa.int64())
    alone = {
        "source": pa.array([[], []], lists),
        "target": pa.array([[], []], lists),
        "vertex_labels": pa.array([["C"], []], pa.list_(pa.string())),
    }
    assert [list(row.values()) for row in counts(ap.embed_batch(pa.RecordBatch.from_pydict(alone)))] == [[1], []]


def test_direction():
    columns = pa.RecordBatch.from_pydict({"source": [[0, 1]], "target": [[1, 0]], "vertex_labels": [["a", "b"]]})
    directed = ap.Graph([(0, 1), (1, 0)], ["a", "b"], directed=True)
    assert counts(ap.embed_batch(columns, directed=True)) == fitted_counts([directed])
    assert counts(ap.embed_batch(columns)) == fitted_counts([ap.Graph([(0, 1)], ["a", "b"])])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": None}, 'no column "source"'),
        ({"source": [0, 1, 2, 3]}, 'column "source" must hold lists'),
        ({"source": [[0], [], [], []]}, 'row 0: 1 values in "source" and 2 in "target"'),
        ({"target": [[0, 7], [0, 1], [], []]}, "row 0: an edge with vertex 7: there are 3 vertices"),
        ({"target": [[0, -1], [0, 1], [], []]}, "row 0: an edge with vertex -1"),
        ({"source": [None, [], [], []]}, 'row 0: column "source" is null'),
        ({"vertex_labels": [["C", None, "O"], [], [], []]}, 'row 0: a null in column "vertex_labels"'),
    ],
)
def test_what_is_wrong_with_a_batch(change, message, batch):
    columns = {name: batch[name] for name in batch.schema.names} | change
    columns = {name: column for name, column in columns.items() if column is not None}
    with pytest.raises(ValueError, match=message):
        ap.embed_batch(pa.RecordBatch.from_pydict(columns))


def test_threads_change_no_byte(batch):
    assert ap.embed_batch(batch, n_jobs=3).equals(ap.embed_batch(batch))


def test_a_missing_package_is_named():
    script = "import sys; sys.modules['pyarrow'] = None; import allpaths as ap; ap.embed_batch(None)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "embed_batch needs pyarrow: pip install pyarrow" in ended.stderr


def test_ids_fit_together_over_batches(batch):
    """What one machine calls a feature, another does, too."""
    apart = [row for i in range(4) for row in counts(ap.embed_batch(batch.slice(i, 1)))]
    assert apart == counts(ap.embed_batch(batch))
    assert np.intersect1d(*(list(row) for row in apart[2:4])).size > 0


def vectors(batch):
    """What each row of sparse vectors counts, by column."""
    rows = batch["features"].to_pylist()
    assert all(row["type"] == 0 and row["indices"] == sorted(set(row["indices"])) for row in rows)
    return [dict(zip(row["indices"], row["values"], strict=True)) for row in rows]


def test_hashed_columns_are_the_top_bits_of_ids(batch):
    hashed = ap.embed_batch(batch, n_features=2**8)
    expected = []
    for row in counts(ap.embed_batch(batch)):
        columns = {}
        for number, count in row.items():
            columns[number >> 56] = columns.get(number >> 56, 0) + count
        expected.append(columns)
    assert vectors(hashed) == expected
    assert {row["size"] for row in hashed["features"].to_pylist()} == {256}
    with pytest.raises(ValueError, match="n_features must be a power of two, got 100"):
        ap.embed_batch(batch, n_features=100)


def test_a_vocabulary_gives_columns_to_its_ids(batch):
    by_id = counts(ap.embed_batch(batch))
    vocabulary = sorted({number for row in by_id for number in row})[::2]
    place = {number: i for i, number in enumerate(vocabulary)}
    expected = [{place[number]: count for number, count in row.items() if number in place} for row in by_id]
    assert vectors(ap.embed_batch(batch, vocabulary=vocabulary)) == expected
    with pytest.raises(ValueError, match="give one"):
        ap.embed_batch(batch, vocabulary=vocabulary, n_features=2)


def test_rows_that_hold_no_graph_can_be_marked(batch):
    columns = {name: batch[name] for name in batch.schema.names}
    columns["target"] = [[1, 2], [0, 9], *batch["target"].to_pylist()[2:]]
    marked = ap.embed_batch(pa.RecordBatch.from_pydict(columns), on_error="mark", keep_columns=True)
    assert marked["outcome"].to_pylist() == ["ok", "invalid", "ok", "ok"]
    assert marked["reason"].to_pylist() == [None, "an edge with vertex 9: there are 3 vertices, numbered from 0", None, None]
    assert counts(marked)[1] == {}
    assert marked.schema.names[:6] == batch.schema.names


def test_the_table_of_the_program_is_read(batch, run, tmp_path, root):
    path = tmp_path / "molecules.parquet"
    run("convert", root / "examples" / "molecules", "-o", path)
    table = pq.read_table(path)
    assert table.schema.names == ["source", "target", "vertex_labels", "edge_labels", "y"]
    assert counts(ap.embed_batch(table.combine_chunks().to_batches()[0])) == counts(ap.embed_batch(batch))
    read = ap.datasets.load(path)
    assert [graph.vertex_labels for graph in read.graphs] == batch["vertex_labels"].to_pylist()
    assert read.y.tolist() == batch["class"].to_pylist()

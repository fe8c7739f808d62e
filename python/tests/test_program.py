"""What Python gives is what the program writes."""

import json

import numpy as np
import pytest
from scipy import sparse

import allpaths as ap


@pytest.mark.parametrize(
    ("parameters", "arguments"),
    [
        ({}, []),
        ({"max_length": 5, "edge_labels": True}, ["--max-length", "5", "--edge-labels"]),
        ({"max_length": 4, "encoding": "composition", "cycles": "merged"}, ["-l", "4", "--encoding", "composition", "--cycles", "merged"]),
        ({"profile": "triangle:3", "vertices": False}, ["--profile", "triangle:3", "--vertices", "off"]),
        (
            {"max_length": 3, "encoding": "power", "labels": 4, "min_graphs": 3},
            ["-l", "3", "--encoding", "power", "--labels", "4", "--min-graphs", "3"],
        ),
        (
            {"max_length": 3, "encoding": "power", "convention": "rooted", "cycles": "merged", "vertices": False, "all_bins": True},
            ["-l", "3", "--preset", "paper"],
        ),
    ],
)
def test_features(parameters, arguments, mutag, data, run, tmp_path):
    run("embed", data / "datasets" / "MUTAG", *arguments, "-o", tmp_path / "features.npz")
    expected = sparse.load_npz(tmp_path / "features.npz")
    columns = json.loads((tmp_path / "features.json").read_text())
    features = ap.AllPathsCycles(**parameters)
    found = features.fit_transform(mutag.graphs)
    np.testing.assert_array_equal(found.toarray(), expected.toarray())
    assert list(features.get_feature_names_out()) == [feature["name"] for feature in columns["features"]]
    assert [str(number) for number in features.feature_ids_] == [feature["id"] for feature in columns["features"]]


@pytest.mark.parametrize(
    ("kernel", "arguments"),
    [
        (ap.AllPathsCyclesKernel(7), ["--kernel", "apc", "-l", "7"]),
        (ap.AllPathsCyclesKernel(profile="triangle:3", by_cell=True), ["--profile", "triangle:3", "--by-cell"]),
        (
            ap.AllPathsCyclesKernel(4, counts="log", compare="cosine", rbf_distance=1),
            ["-l", "4", "--counts", "log", "--compare", "cosine", "--rbf-distance", "1"],
        ),
        (ap.AllPathsCyclesKernel(4, cycles="off"), ["--kernel", "all-paths", "-l", "4"]),
        (ap.ShortestPath(normalize=True), ["--kernel", "shortest-path", "--normalize"]),
        (ap.Graphlet(k=4), ["--kernel", "graphlet", "--graphlet-sizes", "3-4"]),
        (ap.WeisfeilerLehman(3, edge_labels=True), ["--kernel", "wl", "--rounds", "3", "--edge-labels"]),
        (ap.WeisfeilerLehmanOptimalAssignment(), ["--kernel", "wl-oa"]),
        (ap.RandomWalk(normalize=True), ["--kernel", "random-walk", "--normalize"]),
        (ap.RandomWalk(max_length=3, weights=[1, 0.5, 0, 2]), ["--kernel", "random-walk", "-l", "3", "--weights", "1,0.5,0,2"]),
        (ap.BacktracklessWalk(), ["--kernel", "backtrackless-walk"]),
        (ap.EdgePaths(), ["--kernel", "edge-paths"]),
        (
            ap.NeighborhoodSubgraphPairwiseDistance(2, 3, edge_labels=True),
            ["--kernel", "nspdk", "--radius", "2", "--distance", "3", "--edge-labels"],
        ),
        (ap.TreePattern(), ["--kernel", "tree-pattern"]),
        (ap.CyclicPattern(), ["--kernel", "cyclic-pattern"]),
        (ap.ConnectedSubgraphs(), ["--kernel", "connected-subgraphs"]),
        (ap.VertexHistogram(), ["--kernel", "vertex-histogram"]),
        (ap.EdgeHistogram(), ["--kernel", "edge-histogram"]),
    ],
    ids=repr,
)
def test_gram_matrices(kernel, arguments, mutag, data, run, tmp_path):
    run("gram", data / "datasets" / "MUTAG", *arguments, "-o", tmp_path / "gram.npy")
    np.testing.assert_array_equal(kernel.fit_transform(mutag.graphs), np.load(tmp_path / "gram.npy"))


def test_every_kernel_of_the_program_has_a_class(run):
    listed = [line for line in run("kernels").splitlines() if line and not line.startswith(" ")]
    known = {"all-paths"}  # AllPathsCyclesKernel(cycles="off")
    for name in ap.__all__:
        estimator = getattr(ap, name)
        if hasattr(estimator, "_substructures"):
            known.add(estimator()._substructures()["kernel"])
    assert set(listed) <= known


def test_counts(root, run):
    caffeine = root / "examples" / "caffeine.gml"
    printed = json.loads(run("count", caffeine, "--max-length", "9", "--format", "json"))
    graph = ap.datasets.load(caffeine).graphs[0]
    assert ap.count_paths(graph, 9) == [int(count) for count in printed["paths"]]
    assert ap.count_cycles(graph, 9) == [int(count) for count in printed["cycles"]]


def test_classes(mutag, data):
    listed = (data / "datasets" / "MUTAG" / "MUTAG_graph_labels.txt").read_text().split()
    assert mutag.y.tolist() == [int(label) for label in listed]
    assert len(mutag.graphs) == 188


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        ap.datasets.load_tu(tmp_path / "nowhere")
    (tmp_path / "broken.gml").write_text("graph [ node [ id zero ] ]")
    with pytest.raises(ValueError, match=r"broken.gml:1: "):
        ap.datasets.load(tmp_path / "broken.gml")


@pytest.mark.parametrize("name", ["x.parquet", "x.arrow", "x.sdf", "x.smi.gz"])
def test_what_is_saved_is_loaded(name, tmp_path, run):
    graphs = ap.from_smiles(["CCO", "C[N+](C)(C)C", "c1cc[nH]c1"])
    path = tmp_path / name
    if name == "x.smi.gz":
        with pytest.warns(UserWarning, match=r"x\.smi\.gz: loses classes: no room in SMILES"):
            ap.datasets.save(path, graphs, [1, 0, 1], names=["a", "b", "c"])
    else:
        ap.datasets.save(path, graphs, [1, 0, 1], names=["a", "b", "c"])
    loaded = ap.datasets.load(path)
    assert [graph.vertex_labels for graph in loaded.graphs] == [graph.vertex_labels for graph in graphs]
    assert [graph.edge_labels for graph in loaded.graphs] == [graph.edge_labels for graph in graphs]
    assert loaded.names == ["a", "b", "c"]
    printed = json.loads(run("count", path, "--max-length", "3", "--format", "json", "--per-graph"))
    assert [row["vertices"] for row in printed["per_graph"]] == [len(graph.vertex_labels) for graph in graphs]
    if name == "x.parquet":
        assert loaded.y.tolist() == [1, 0, 1]
        ap.datasets.save(tmp_path / "again.parquet", loaded)
        assert (tmp_path / "again.parquet").read_bytes() == path.read_bytes()
        ap.datasets.save(tmp_path / "bytes.parquet", loaded, graph_columns="bytes")
        run("convert", path, "-o", tmp_path / "converted.parquet", "--graph-columns", "bytes")
        assert (tmp_path / "converted.parquet").read_bytes() == (tmp_path / "bytes.parquet").read_bytes()
        again = ap.datasets.load(tmp_path / "bytes.parquet")
        assert [graph.vertex_labels for graph in again.graphs] == [graph.vertex_labels for graph in graphs]
        with pytest.raises(ValueError, match="graph_columns must be"):
            ap.datasets.save(tmp_path / "other.parquet", loaded, graph_columns="other")


def test_what_cannot_be_saved(tmp_path):
    graphs = ap.from_smiles(["CC", "C"])
    with pytest.raises(ValueError, match="3 classes given for 2 graphs"):
        ap.datasets.save(tmp_path / "x.parquet", graphs, [1, 2, 3])
    with pytest.raises(ValueError, match="1 names given for 2 graphs"):
        ap.datasets.save(tmp_path / "x.parquet", graphs, names=["a"])
    with pytest.raises(TypeError, match=r"y\[0\] must be a whole number"):
        ap.datasets.save(tmp_path / "x.parquet", graphs, ["a", "b"])
    with pytest.raises(ValueError, match="holds one"):
        ap.datasets.save(tmp_path / "x.gml", graphs)
    with pytest.raises(ValueError, match="ending of the name"):
        ap.datasets.save(tmp_path / "x", graphs)
    with pytest.raises(OSError, match="nowhere"):
        ap.datasets.save(tmp_path / "nowhere" / "x.parquet", graphs)


def test_datasets_by_name(data, monkeypatch, tmp_path):
    monkeypatch.setenv("ALLPATHS_DATA", str(data))
    monkeypatch.setenv("ALLPATHS_CACHE", str(tmp_path))
    assert len(ap.datasets.fetch_tu("MUTAG").graphs) == 188
    with pytest.raises(ValueError, match="MUTAGG"):
        ap.datasets.fetch_tu("MUTAGG")
    monkeypatch.setenv("ALLPATHS_DATA", str(tmp_path))
    monkeypatch.setenv("ALLPATHS_SITE", "http://127.0.0.1:9")  # nobody answers there
    with pytest.raises(OSError, match="MUTAG"):
        ap.datasets.fetch_tu("MUTAG")

"""Every kind of graph gives the same features for the same graph; what is no graph is told."""

import enum
import pickle
from types import SimpleNamespace

import grakel
import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import rustworkx
from conftest import random_graph
from rdkit import Chem
from scipy import sparse

import allpaths as ap

# O=C-C-C=C with a ring of three:  O=C-C-C
#                                     \|//
#                                      C
LABELS = ["O", "C", "C", "C", "C"]
EDGES = [(0, 1), (1, 2), (2, 3), (1, 4), (2, 4), (3, 4)]
BONDS = ["=", "-", "-", "-", "-", "="]
WEIGHTS = [2.0, 1.0, 1.0, 1.0, 1.0, 2.0]
BOTH_WAYS = EDGES + [(v, u) for u, v in EDGES]


def kinds():
    """The same graph as each package has it."""
    yield "ours", ap.Graph(EDGES, LABELS, BONDS, WEIGHTS)

    graph = nx.Graph()
    graph.add_nodes_from((v, {"label": label}) for v, label in enumerate(LABELS))
    graph.add_edges_from((u, v, {"label": bond, "weight": w}) for (u, v), bond, w in zip(EDGES, BONDS, WEIGHTS, strict=True))
    yield "networkx", graph
    yield "networkx, names", nx.relabel_nodes(graph, dict(enumerate("edcba")))
    yield "networkx, parallel edges", nx.MultiGraph(graph)
    yield "networkx, a view", nx.subgraph_view(graph)

    yield "igraph", igraph.Graph(5, EDGES, vertex_attrs={"label": LABELS}, edge_attrs={"label": BONDS, "weight": WEIGHTS})

    graph = rustworkx.PyGraph()
    graph.add_node("to be removed")
    graph.add_nodes_from([{"label": label} for label in LABELS])
    graph.remove_node(0)
    bonds = [{"label": bond, "weight": w} for bond, w in zip(BONDS, WEIGHTS, strict=True)]
    graph.add_edges_from([(u + 1, v + 1, bond) for (u, v), bond in zip(EDGES, bonds, strict=True)])
    yield "rustworkx, dictionaries", graph

    by_vertex = dict(enumerate(LABELS))
    by_edge = dict(zip(EDGES, BONDS, strict=True)) | {(v, u): b for (u, v), b in zip(EDGES, BONDS, strict=True)}
    by_weight = {edge: 2.0 if bond == "=" else 1.0 for edge, bond in by_edge.items()}
    yield "GraKeL, a set of edges", [set(BOTH_WAYS), by_vertex, by_edge]
    yield "GraKeL, edges with weights", (by_weight, by_vertex, by_edge)
    rows = {u: {v: by_weight[u, v] for v in range(5) if (u, v) in by_weight} for u in range(5)}
    yield "GraKeL, rows with weights", [rows, by_vertex, by_edge]
    matrix = np.zeros((5, 5))
    for (u, v), weight in by_weight.items():
        matrix[u, v] = weight
    yield "GraKeL, a matrix", [matrix, by_vertex, by_edge]
    yield "GraKeL, a matrix in lists", [matrix.tolist(), by_vertex, by_edge]
    yield "GraKeL, its own class", grakel.Graph(by_weight, by_vertex, by_edge)
    yield "edges in a list", ([(u, v, w) for (u, v), w in zip(EDGES, WEIGHTS, strict=True)], LABELS, by_edge)
    named = [("edcba"[u], "edcba"[v], w) for (u, v), w in zip(EDGES, WEIGHTS, strict=True)]
    names = {("edcba"[u], "edcba"[v]): bond for (u, v), bond in zip(EDGES, BONDS, strict=True)}
    yield "edges between names", (named, dict(zip("edcba", LABELS, strict=True)), names)

    yield "SciPy, csr_array", (sparse.csr_array(matrix), LABELS, by_edge)
    yield "SciPy, coo_matrix", (sparse.coo_matrix(matrix), np.array(LABELS), by_edge)

    frame = pd.DataFrame(EDGES, columns=["source", "target"]).assign(label=BONDS, weight=WEIGHTS)
    yield "pandas", (frame, pd.Series(LABELS))
    yield "pandas, labels apart", (frame.drop(columns="label"), by_vertex, BONDS)

    # Bonds are numbers there, and the only 1 of two columns says which.
    bonds = np.eye(2)[["-=".index(bond) for bond in BONDS + BONDS]]
    fields = {"label": LABELS, "edge_attr": bonds, "weight": np.array(WEIGHTS + WEIGHTS)}
    yield "PyTorch Geometric", SimpleNamespace(edge_index=np.array(BOTH_WAYS).T, num_nodes=5, is_undirected=lambda: True, **fields)

    class Custom:
        def __allpaths__(self):
            return ap.Graph(EDGES, LABELS, BONDS, WEIGHTS)

    yield "a class of one's own", Custom()


@pytest.mark.parametrize(("kind", "graph"), list(kinds()), ids=lambda value: value if isinstance(value, str) else "")
def test_the_same_features(kind, graph):
    bonds = ["-=".index(bond) for bond in BONDS] if kind == "PyTorch Geometric" else BONDS
    reference = ap.Graph(EDGES, LABELS, bonds, WEIGHTS)
    features = ap.AllPathsCycles(5, edge_labels=True).fit([reference])
    assert features.transform([graph]).toarray().tolist() == features.transform([reference]).toarray().tolist()
    assert features.n_unseen_ == 0
    if kind != "GraKeL, a set of edges":
        lengths = ap.ShortestPath(weight="weight").fit_transform([reference, graph])
        assert np.ptp(lengths) == 0


@pytest.mark.parametrize("graph", [np.array(EDGES), np.array(EDGES, dtype=np.int32), np.array(EDGES, dtype=np.uint8)])
def test_arrays_without_labels(graph):
    assert ap.as_graph(graph) == ap.Graph(EDGES)


def test_arrays_with_labels():
    codes = np.array([1, 0, 0, 0, 0])
    graph = ap.as_graph((np.array(EDGES), codes, np.array([2, 1, 1, 1, 1, 2])))
    assert graph.vertex_labels == ["1", "0", "0", "0", "0"]
    assert graph.edge_labels == ["2", "1", "1", "1", "1", "2"]
    assert ap.as_graph((np.zeros((0, 2), dtype=int), ["C"])).order == 1
    assert ap.as_graph((np.zeros((0, 2), dtype=int), [])).order == 0


def test_rdkit():
    graph = ap.as_graph(Chem.MolFromSmiles("CC=O"))
    assert (graph.vertex_labels, graph.edge_labels) == (["C", "C", "O"], ["-", "="])
    names = ap.AllPathsCycles(6, edge_labels=True).fit([Chem.MolFromSmiles("c1ccncc1C#N")]).get_feature_names_out()
    assert "cycle:C:C:C:C:C:N:" in names
    assert "path:C-C#N" in names


def test_rdkit_gives_what_the_file_holds(molecules):
    """Ethanol and acetaldehyde, from a file and by their formulas."""
    given = [Chem.MolFromSmiles(smiles) for smiles in ["CCO", "CC=O"]]
    features = ap.AllPathsCycles(6, edge_labels=True).fit(molecules.graphs)
    assert features.transform(given).toarray().tolist() == features.transform(molecules.graphs[:2]).toarray().tolist()


def test_what_rustworkx_carries_is_a_label():
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(["C", "O"])
    graph.add_edge(0, 1, "=")
    graph = ap.as_graph(graph)
    assert (graph.vertex_labels, graph.edge_labels, graph.directed) == (["C", "O"], ["="], True)


def test_fields_of_pytorch_geometric():
    edges = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])
    one_hot = SimpleNamespace(edge_index=edges, num_nodes=3, x=np.eye(3)[[2, 0, 0]], edge_attr=None)
    assert ap.as_graph(one_hot) == ap.Graph([(0, 1), (1, 2)], [2, 0, 0])
    assert ap.as_graph(SimpleNamespace(edge_index=edges, num_nodes=3, x=np.array([[7.0], [8.0], [7.0]]))).vertex_labels == ["7", "8", "7"]
    assert ap.as_graph(SimpleNamespace(edge_index=edges, num_nodes=4)).order == 4
    directed = SimpleNamespace(edge_index=edges[:, :1], num_nodes=2, is_undirected=lambda: False)
    assert ap.as_graph(directed).directed
    with pytest.raises(ValueError, match="holds no labels"):
        ap.as_graph(SimpleNamespace(edge_index=edges, num_nodes=3, x=np.full((3, 2), 0.5)))


class Element(enum.Enum):
    CARBON = 6
    OXYGEN = 8


@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        (["C", "O"], ["C", "O"]),
        ([6, 8], ["6", "8"]),
        ([-1, 2**70], ["-1", str(2**70)]),
        (np.array([6, 8]), ["6", "8"]),
        (np.array([6, 8], dtype=np.uint16), ["6", "8"]),
        (np.array(["C", "O"]), ["C", "O"]),
        ([True, False], ["True", "False"]),
        ([1.5, np.float32(2.0)], ["1.5", "2.0"]),
        ([("C", 1), ("O", ("x", 2))], ["(C,1)", "(O,(x,2))"]),
        ([frozenset("ba"), frozenset()], ["{a,b}", "{}"]),
        ([Element.CARBON, Element.OXYGEN], ["CARBON", "OXYGEN"]),
    ],
)
def test_labels_of_any_kind(labels, texts):
    assert ap.Graph([(0, 1)], labels).vertex_labels == texts
    by_vertex = dict(enumerate(labels.tolist() if isinstance(labels, np.ndarray) else labels))
    assert ap.as_graph(([(0, 1)], by_vertex)).vertex_labels == texts


@pytest.mark.parametrize("label", [None, object(), ["C"], {"C": 1}])
def test_labels_without_a_stable_text(label):
    with pytest.raises(TypeError, match="a label"):
        ap.Graph([(0, 1)], ["C", label])


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ("C-C-O", "str is no graph"),
        (3, "int is no graph"),
        (None, "NoneType is no graph"),
        (([(0, 1)], ["C"], ["-"], 4), "got 4 parts"),
        (([(0, 1)], {0: "C"}), "vertex 1 of an edge has no label"),
        (([(0, 1)], ["C", "O"], {(1, 2): "-"}), "has no label"),
        (([(0, 1, 2, 3)],), "a tuple of two vertices"),
        ((np.array([[0, 1]]), ["C"]), "the graph has 1 vertices"),
        (np.array([[0, -1]]), "numbered from 0"),
        (np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]]), "not symmetric"),
        (np.zeros((2, 3)), "must be square"),
        (pd.DataFrame({"from": [0], "target": [1]}), "source is missing"),
        (nx.Graph([(0, 1, {"label": "-"}), (1, 2)]), "edge 1 has no attribute 'label', others have"),
        (SimpleNamespace(edge_index=np.zeros((3, 2)), num_nodes=1), "edge_index must have 2 rows"),
    ],
)
def test_what_is_no_graph(graph, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ap.as_graph(graph)


def test_a_direction_may_be_given_or_taken():
    arcs = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert ap.as_graph(arcs, directed=True).directed
    assert ap.as_graph(arcs, directed=False) == ap.Graph([(0, 1), (1, 2)])
    path = nx.DiGraph([(1, 0), (1, 2)])
    assert ap.as_graph(path).directed
    assert ap.count_paths(path, 2, directed=False) == [3, 2, 1]
    assert ap.count_paths(path.to_undirected(), 2, directed=True) == [3, 4, 2]
    assert ap.as_graph([(0, 1)], directed=True).directed


def test_vertices_without_edges():
    assert ap.as_graph({0: [1], 1: [0], 2: []}).order == 3
    assert ap.as_graph([set(), {0: "C"}]).order == 1
    assert ap.as_graph(nx.empty_graph(4)).order == 4
    assert ap.as_graph([]).order == 0


def test_graphs_are_what_they_were_made_of():
    graph = ap.Graph([(0, 1), (1, 2)], ["a", "b", "c"], weights=[0.5, 2.0], names="xyz", directed=True)
    assert (graph.order, graph.size, graph.directed, graph.edge_labels) == (3, 2, True, None)
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.weights.tolist() == [0.5, 2.0]
    assert graph.names == ["x", "y", "z"]
    assert repr(graph) == "<allpaths.Graph: 3 vertices, 2 edges, directed>"


def test_pickles_hold_everything(molecules, root):
    graphs = [
        *molecules.graphs,
        ap.Graph(),
        ap.Graph([(0, 1)], ["ä", ""], ["="], [-1.5], names=["u", "v"], directed=True),
        *ap.datasets.load(root / "examples" / "feuds.graphml").graphs,
    ]
    assert pickle.loads(pickle.dumps(graphs)) == graphs


def test_conversion_changes_nothing():
    graph = random_graph(3)
    before = pickle.dumps(graph)
    ap.as_graph(graph)
    assert pickle.dumps(graph) == before


def test_bad_graphs_among_good_ones():
    graphs = [nx.path_graph(2), "nonsense", nx.path_graph(3)]
    features = ap.AllPathsCycles(1)
    with pytest.raises(TypeError) as raised:
        features.fit(graphs)
    assert raised.value.__notes__ == ["in graph 1"]
    skipped = features.set_params(on_error="skip").fit_transform(graphs)
    assert skipped.toarray().tolist() == [[2, 1], [3, 2]]
    assert features.errors_ == {1: "TypeError: str is no graph that can be read: see the table in help(allpaths.as_graph)"}
    emptied = features.set_params(on_error="empty").fit_transform(graphs)
    assert emptied.toarray().tolist() == [[2, 1], [0, 0], [3, 2]]
    with pytest.raises(ValueError, match="on_error must be one of"):
        features.set_params(on_error="ignore").fit(graphs)


@pytest.mark.parametrize("X", [ap.Graph(), nx.path_graph(3), sparse.csr_array((3, 3)), 7, "C-C", pd.DataFrame()])
def test_one_graph_is_not_many(X):
    with pytest.raises(TypeError, match="X must be an iterable of graphs"):
        ap.AllPathsCycles().fit(X)

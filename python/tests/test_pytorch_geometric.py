"""Graphs of PyTorch Geometric itself, where it is installed.

With PyTorch it is larger than all else together, so no list of requirements names it; elsewhere objects that have its fields take its place
(``test_convert.py``).
"""

import pytest

import allpaths as ap

torch = pytest.importorskip("torch")
data = pytest.importorskip("torch_geometric.data")
loader = pytest.importorskip("torch_geometric.loader")

EDGES = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])  # 0 - 1 - 2, both ways


def test_labels_are_the_ones_of_each_row():
    """One column of many says which label a vertex has, and which an edge."""
    vertices, edges = torch.eye(3)[[2, 0, 0]], torch.eye(2)[[1, 1, 0, 0]]
    graph = data.Data(x=vertices, edge_index=EDGES, edge_attr=edges)
    assert ap.as_graph(graph) == ap.Graph([(0, 1), (1, 2)], [2, 0, 0], [1, 0])


def test_vertices_without_edges_and_labels():
    graph = ap.as_graph(data.Data(edge_index=EDGES, num_nodes=4))
    assert (graph.order, graph.size, graph.directed) == (4, 2, False)


def test_one_way_is_directed():
    graph = ap.as_graph(data.Data(edge_index=EDGES[:, :1], num_nodes=2))
    assert graph.directed


def test_what_holds_no_labels_is_told():
    graph = data.Data(x=torch.full((3, 2), 0.5), edge_index=EDGES)
    with pytest.raises(ValueError, match="holds no labels"):
        ap.as_graph(graph)


def test_a_list_and_a_batch_taken_apart_give_the_same_features():
    graphs = [data.Data(x=torch.eye(3)[labels], edge_index=EDGES) for labels in ([0, 1, 2], [2, 2, 2], [1, 0, 1])]
    batch = next(iter(loader.DataLoader(graphs, batch_size=3)))
    features = ap.AllPathsCycles(2).fit(graphs)
    assert features.transform(batch.to_data_list()).toarray().tolist() == features.transform(graphs).toarray().tolist()
    assert sorted(features.get_feature_names_out()) == sorted(
        ["vertex:0", "vertex:1", "vertex:2", "path:0-1", "path:1-2", "path:2-2", "path:0-1-2", "path:2-2-2", "path:1-0-1"]
    )

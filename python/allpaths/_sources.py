"""Graphs as other packages have them, one function for each. None imports the package: whoever has such a graph has done that."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ._native import Graph


class Options(NamedTuple):
    """What a graph may leave open."""

    node_label: str | None = "label"
    edge_label: str | None = "label"
    weight: str | None = None
    directed: bool | None = None
    # Whether vertices get the names they have there.
    named: bool = False

    @property
    def is_directed(self) -> bool:
        """Whether edges have a direction, where the graph does not say."""
        return bool(self.directed)


Source = Callable[[Any, Options], Graph]


def networkx(graph: Any, options: Options) -> Graph:
    """Read a graph of networkx. Of parallel edges the first counts."""
    directed = graph.is_directed() if options.directed is None else options.directed
    if directed != graph.is_directed():
        graph = graph.to_directed(as_view=True) if directed else graph.to_undirected(as_view=True)
    return Graph._from_networkx(
        graph.nodes(data=True),
        graph.adjacency(),
        options.node_label,
        options.edge_label,
        options.weight,
        directed,
        graph.is_multigraph(),
        options.named,
    )


def igraph(graph: Any, options: Options) -> Graph:
    """Read a graph of igraph."""

    def values(of: Any, name: str | None) -> list[Any] | None:
        return of[name] if name is not None and name in of.attributes() else None

    return Graph(
        graph.get_edgelist(),
        values(graph.vs, options.node_label),
        values(graph.es, options.edge_label),
        values(graph.es, options.weight),
        order=graph.vcount(),
        names=values(graph.vs, "name") if options.named else None,
        directed=graph.is_directed() if options.directed is None else options.directed,
    )


def rustworkx(graph: Any, options: Options) -> Graph:
    """Read a graph of rustworkx, where nodes and edges carry anything."""
    numbers = list(graph.node_indices())
    places = {number: place for place, number in enumerate(numbers)}
    edges = list(graph.weighted_edge_list())
    has_direction = type(graph).__name__ == "PyDiGraph"
    return Graph(
        [(places[u], places[v]) for u, v, _ in edges],
        _carried(graph.nodes(), options.node_label, "node"),
        _carried([carried for _, _, carried in edges], options.edge_label, "edge"),
        _carried([carried for _, _, carried in edges], options.weight, "edge"),
        order=len(numbers),
        names=numbers if options.named else None,
        directed=has_direction if options.directed is None else options.directed,
    )


def _carried(values: Sequence[Any], name: str | None, what: str) -> list[Any] | None:
    """Give what all carry under a name, or themselves if they are no dictionaries; None if nothing is there."""
    if name is None:
        return None
    values = [value.get(name) if isinstance(value, Mapping) else value for value in values]
    lacking = values.count(None)
    if 0 < lacking < len(values):
        raise ValueError(f"{what} {values.index(None)} has no attribute {name!r}, others have")
    return values if lacking == 0 else None


def molecule(mol: Any, options: Options) -> Graph:
    """Read a molecule of RDKit: atoms by symbol, bonds by kind."""
    bonds = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), str(bond.GetBondType())) for bond in mol.GetBonds()]
    signs = {"SINGLE": "-", "DOUBLE": "=", "TRIPLE": "#", "AROMATIC": ":"}
    return Graph(
        [(u, v) for u, v, _ in bonds],
        None if options.node_label is None else [atom.GetSymbol() for atom in mol.GetAtoms()],
        None if options.edge_label is None else [signs.get(kind, kind.lower()) for _, _, kind in bonds],
        order=mol.GetNumAtoms(),
        directed=options.is_directed,
    )


def geometric(data: Any, options: Options) -> Graph:
    """Read a graph of PyTorch Geometric, or anything with the same fields."""
    import numpy as np

    def field(*names: str | None) -> Any:
        found = (getattr(data, name, None) for name in names if name is not None)
        return next((np.asarray(value) for value in found if value is not None), None)

    ends = np.asarray(data.edge_index, dtype=np.int64)
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise ValueError(f"edge_index must have 2 rows, got the shape {ends.shape}")
    directed = options.directed
    if directed is None:
        directed = hasattr(data, "is_undirected") and not data.is_undirected()
    weights = None if options.weight is None else field(options.weight)
    # Vertices and edges share one name space here.
    edge_label = None if options.edge_label == options.node_label else options.edge_label
    return Graph(
        np.ascontiguousarray(ends.T),
        None if options.node_label is None else _categories(field(options.node_label, "x"), "x"),
        None if options.edge_label is None else _categories(field(edge_label, "edge_attr"), "edge_attr"),
        None if weights is None else weights.ravel().astype(float).tolist(),
        order=int(data.num_nodes),
        directed=directed,
    )


def _categories(values: Any, name: str) -> Any:
    """Give the labels that numbers stand for: one number each, or the place of the only 1."""
    import numpy as np

    if values is None:
        return None
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim == 1:
        if values.dtype.kind == "f" and (values == np.round(values)).all():
            values = values.astype(np.int64)
        return values
    if values.ndim == 2 and np.isin(values, (0, 1)).all() and (values.sum(axis=1) == 1).all():
        return values.argmax(axis=1)
    raise ValueError(f"{name} of the shape {values.shape} holds no labels: it must have one column, or one 1 in each row")


def matrix(adjacency: Any, options: Options) -> Graph:
    """Read an adjacency matrix."""
    return _matrix(adjacency, None, None, options)


def array(values: Any, options: Options) -> Graph:
    """Read an array: edges in rows, or an adjacency matrix."""
    return _array(values, None, None, options)


def frame(edges: Any, options: Options) -> Graph:
    """Read a table of edges."""
    return _frame(edges, None, None, options)


def tuples(edges: Any, options: Options) -> Graph:
    """Read edges in a set or dictionary."""
    return _tuples(edges, None, None, options)


def grakel(graph: Any, options: Options) -> Graph:
    """Read a graph of GraKeL."""
    edges = graph.get_edge_dictionary()
    vertex_labels = graph.get_labels(purpose="dictionary", label_type="vertex", return_none=True)
    edge_labels = graph.get_labels(purpose="dictionary", label_type="edge", return_none=True)
    return _tuples(edges, vertex_labels, edge_labels, options)


def composite(parts: Sequence[Any], options: Options) -> Graph:
    """Read a structure with labels beside it, or edges in a list."""
    if not parts or _is_edge(parts[0]):
        return _tuples(parts, None, None, options)
    if len(parts) > 3:
        raise TypeError(f"a graph in a {type(parts).__name__} is (edges, vertex labels, edge labels), got {len(parts)} parts")
    structure, vertex_labels, edge_labels = (*parts, None, None)[:3]
    if options.node_label is None:
        vertex_labels = None
    if options.edge_label is None:
        edge_labels = None
    reader = _reader(type(structure))
    if reader is not None:
        return reader(structure, vertex_labels, edge_labels, options)
    if isinstance(structure, list | tuple | set | frozenset | dict):
        if isinstance(structure, list) and structure and isinstance(structure[0], list):
            import numpy as np

            return _matrix(np.asarray(structure), vertex_labels, edge_labels, options)
        return _tuples(structure, vertex_labels, edge_labels, options)
    return unknown(structure, options)


@functools.cache
def _reader(kind: Any) -> Callable[..., Graph] | None:
    """Find what reads a structure that has labels beside it."""
    return {"numpy": _array, "scipy": _matrix, "pandas": _frame}.get(kind.__module__.partition(".")[0])


def unknown(graph: Any, options: Options) -> Graph:
    """Read something by its fields, or say that it is no graph."""
    if hasattr(graph, "edge_index"):
        return geometric(graph, options)
    raise TypeError(f"{type(graph).__name__} is no graph that can be read: see the table in help(allpaths.as_graph)")


def _is_edge(part: Any) -> bool:
    """Whether something is an edge, and not a list of such."""
    return isinstance(part, tuple) and len(part) in (2, 3) and not any(isinstance(end, list | set | dict) for end in part)


def _by_vertex(labels: Any) -> dict[Any, Any] | None:
    """Give labels by vertex: as they are in a dictionary, by number in a sequence."""
    if labels is None or isinstance(labels, dict):
        return labels
    if isinstance(labels, Mapping):
        return dict(labels)
    return labels.to_dict() if hasattr(labels, "to_dict") else dict(enumerate(labels))


def _in_order(labels: Any, order: int | None = None) -> Any:
    """Give labels in the order of vertices that are numbered."""
    if not isinstance(labels, Mapping):
        return labels
    order = len(labels) if order is None else order
    missing = next((v for v in range(order) if v not in labels), None)
    if missing is not None:
        raise ValueError(f"vertex {missing} has no label, others have")
    return [labels[v] for v in range(order)]


def _matrix(adjacency: Any, vertex_labels: Any, edge_labels: Any, options: Options) -> Graph:
    import numpy as np
    from scipy import sparse

    entries = sparse.coo_array(adjacency)
    if entries.shape[0] != entries.shape[1]:
        raise ValueError(f"an adjacency matrix must be square, got {entries.shape[0]} x {entries.shape[1]}")
    entries.sum_duplicates()
    entries.eliminate_zeros()
    if options.directed is None and (entries != entries.T).nnz:
        raise ValueError("the adjacency matrix is not symmetric: use as_graph(..., directed=True), or False if one side is enough")
    u, v, weights = entries.row, entries.col, entries.data
    if options.directed is None:
        once = u <= v
        u, v, weights = u[once], v[once], weights[once]
    edges = np.column_stack([u, v]).astype(np.int64)
    order = entries.shape[0]
    return Graph(
        edges,
        _in_order(vertex_labels, order),
        _by_edge(map(tuple, edges.tolist()), edge_labels, options),
        None if options.weight is None else weights.astype(float).tolist(),
        order=order,
        directed=options.is_directed,
    )


def _by_edge(edges: Iterable[tuple[Any, ...]], labels: Any, options: Options) -> Any:
    """Give labels of edges in their order."""
    if not isinstance(labels, Mapping):
        return labels
    found = []
    for u, v in edges:
        if (u, v) not in labels and (options.is_directed or (v, u) not in labels):
            raise ValueError(f"edge {(u, v)} has no label")
        found.append(labels[u, v] if (u, v) in labels else labels[v, u])
    return found


def _array(values: Any, vertex_labels: Any, edge_labels: Any, options: Options) -> Graph:
    # Two columns of whole numbers are edges, even if there are two rows.
    if values.ndim != 2 or values.shape[1] != 2 or values.dtype.kind not in "iu":
        if values.size == 0 and values.ndim <= 2 and vertex_labels is not None:
            values = values.reshape(0, 2).astype("int64")
        else:
            return _matrix(values, vertex_labels, edge_labels, options)
    if values.dtype.kind != "i" or values.dtype.itemsize < 4:
        values = values.astype("int64")
    if isinstance(edge_labels, Mapping):
        edge_labels = _by_edge(values.tolist(), edge_labels, options)
    return Graph(values, _in_order(vertex_labels), edge_labels, directed=options.is_directed)


def _frame(edges: Any, vertex_labels: Any, edge_labels: Any, options: Options) -> Graph:
    missing = [column for column in ("source", "target") if column not in edges.columns]
    if missing:
        raise ValueError(f"a frame of edges has columns source and target, here {' and '.join(missing)} is missing")
    ends: list[tuple[Any, ...]] = list(zip(edges["source"], edges["target"], strict=True))
    if edge_labels is None and options.edge_label in edges.columns:
        edge_labels = edges[options.edge_label]
    if edge_labels is not None and not isinstance(edge_labels, Mapping):
        edge_labels = dict(zip(reversed(ends), reversed(list(edge_labels)), strict=True))
    if options.weight in edges.columns:
        ends = [(*edge, w) for edge, w in zip(ends, edges[options.weight], strict=True)]
    return _tuples(ends, vertex_labels, edge_labels, options)


def _tuples(edges: Any, vertex_labels: Any, edge_labels: Any, options: Options) -> Graph:
    lone = None
    if isinstance(edges, Mapping):
        if all(isinstance(key, tuple) and len(key) == 2 for key in edges):
            edges = edges if options.weight is None else [(u, v, w) for (u, v), w in edges.items()]
        else:
            lone = list(edges)
            edges = [edge for u, row in edges.items() for edge in _row(u, row)]
    if edge_labels is not None and not isinstance(edge_labels, Mapping):
        edge_labels = dict(zip(edges, edge_labels, strict=True))
    vertex_labels = _by_vertex(vertex_labels)
    edge_labels = edge_labels or None
    weighted = options.weight is not None
    return Graph._from_tuples(edges, lone, vertex_labels, edge_labels, weighted, options.is_directed, options.named)


def _row(u: Any, row: Any) -> Iterable[tuple[Any, ...]]:
    return ((u, v, w) for v, w in row.items()) if isinstance(row, Mapping) else ((u, v) for v in row)


BY_PACKAGE: dict[str, Source] = {
    "grakel": grakel,
    "igraph": igraph,
    "networkx": networkx,
    "numpy": array,
    "pandas": frame,
    "rdkit": molecule,
    "rustworkx": rustworkx,
    "scipy": matrix,
    "torch_geometric": geometric,
}
BY_TYPE: dict[type, Source] = {dict: tuples, frozenset: tuples, list: composite, set: tuples, tuple: composite}
# What is one graph even though it can be gone through.
ONE = (geometric, grakel, igraph, matrix, molecule, networkx, rustworkx)

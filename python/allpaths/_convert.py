"""Graphs of all kinds as ours."""

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from . import _sources
from ._checks import choice
from ._native import Graph
from ._sources import Options, Source


def as_graph(
    graph: Any,
    *,
    node_label: str | None = "label",
    edge_label: str | None = "label",
    weight: str | None = None,
    directed: bool | None = None,
) -> Graph:
    """Make a graph of ours of whatever a graph is in other packages.

    ================================  ==================================================================================
    given                             read as
    ================================  ==================================================================================
    :class:`Graph`                    it is one
    networkx, igraph                  labels and weights are the attributes named below
    rustworkx                         the same of what nodes and edges carry, if those are dictionaries; else that is the label
    RDKit ``Mol``                     atoms by their symbols, bonds by ``-``, ``=``, ``#`` and ``:``
    PyTorch Geometric ``Data``        labels from the fields named below, else from ``x`` and ``edge_attr``: one column of
                                      numbers, or columns of which one is 1
    SciPy sparse, square NumPy array  an adjacency matrix; entries that are not 0 are edges
    NumPy array of two columns        an edge in each row, vertices numbered from 0
    pandas ``DataFrame``              an edge in each row, in the columns ``source`` and ``target``
    edges in a set, list or dict      tuples of two vertices, perhaps with a weight; ``{edge: weight}``; ``{vertex: neighbours}``
    (one of these, vertex labels)     labels by vertex, in a dictionary or in order
    (..., vertex labels, edge labels) labels by edge, in a dictionary or in order: what GraKeL takes
    anything with ``__allpaths__``    what that method returns, once more
    ================================  ==================================================================================

    Parameters
    ----------
    graph
        A graph.
    node_label
        The attribute that holds the labels of vertices. If no vertex has it, they have no labels; if some lack it, that is an error.
    edge_label
        The attribute that holds the labels of edges.
    weight
        The attribute that holds the weights of edges. None: edges have no weights. Where weights have no name (matrices, tuples), any
        name asks for them.
    directed
        Whether edges have a direction. None: as the graph says. Lists of edges say nothing and are taken as undirected: one listed
        from both ends is one edge. A matrix must be symmetric then.

    Returns
    -------
    Graph
        The same graph.

    Raises
    ------
    TypeError
        If it is no graph, or a label has no stable text.
    ValueError
        If it contradicts itself.

    Examples
    --------
    >>> as_graph([("a", "b"), ("b", "c")])
    <allpaths.Graph: 3 vertices, 2 edges, undirected>
    >>> as_graph(({(0, 1), (1, 0)}, {0: "C", 1: "O"})).vertex_labels
    ['C', 'O']
    >>> class Ring:
    ...     def __init__(self, order):
    ...         self.order = order
    ...
    ...     def __allpaths__(self):
    ...         return [(v, (v + 1) % self.order) for v in range(self.order)]
    >>> as_graph(Ring(5))
    <allpaths.Graph: 5 vertices, 5 edges, undirected>
    """
    return convert(graph, Options(node_label, edge_label, weight, directed))


def convert(graph: Any, options: Options) -> Graph:
    """Make a graph of ours of anything."""
    return graph if type(graph) is Graph else _source(type(graph))(graph, options)


@functools.cache
def _source(kind: type) -> Source:
    """Find what reads graphs of a type. Packages are told by name, so that none has to be imported for that."""
    if hasattr(kind, "__allpaths__"):
        return lambda graph, options: convert(graph.__allpaths__(), options)
    for ancestor in kind.__mro__:
        source = _sources.BY_PACKAGE.get(ancestor.__module__.partition(".")[0])
        if source is not None:
            return source
        if ancestor in _sources.BY_TYPE:
            return _sources.BY_TYPE[ancestor]
    return _sources.unknown


def convert_all(graphs: Any, options: Options, on_error: str) -> tuple[list[Graph], dict[int, str]]:
    """Make graphs of ours of many, and say which could not be: their numbers, with reasons."""
    choice("on_error", on_error, ("raise", "skip", "empty"))
    converted: list[Graph] = []
    errors: dict[int, str] = {}
    for number, graph in enumerate(_many(graphs)):
        try:
            converted.append(convert(graph, options))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            if on_error == "raise":
                error.add_note(f"in graph {number}")
                raise
            errors[number] = f"{type(error).__name__}: {error}"
            if on_error == "empty":
                converted.append(Graph())
    return converted, errors


def _many(graphs: Any) -> Iterable[Any]:
    """Check that there are many graphs, and not one."""
    if isinstance(graphs, Graph | str | bytes | dict) or hasattr(graphs, "edge_index") or hasattr(graphs, "columns"):
        raise TypeError(f"X must be an iterable of graphs, got one {type(graphs).__name__}: put it into a list")
    if isinstance(graphs, Iterator):
        graphs = list(graphs)
        if not graphs:
            raise ValueError("X is an iterator without graphs: one that was gone through is empty, so give a list")
    if not isinstance(graphs, Iterable) or _source(type(graphs)) in _sources.ONE:
        raise TypeError(f"X must be an iterable of graphs, got {type(graphs).__name__}: put graphs into a list")
    return graphs

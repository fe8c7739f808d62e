"""Exact counts of simple paths and simple cycles in graphs, and graph kernels built on them.

A path repeats no vertex, a cycle repeats none but its ends, and every number is exact however large.

>>> import allpaths as ap
>>> square = ap.Graph([(0, 1), (1, 2), (2, 3), (3, 0)], vertex_labels=["C", "C", "C", "O"])
>>> ap.count_cycles(square, max_length=4)
[0, 0, 0, 0, 1]
>>> ap.count_paths(square, max_length=3, source=0, target=1)
[0, 1, 0, 1]

Estimators follow scikit-learn. :class:`AllPathsCycles` turns graphs into a sparse matrix of named counts, the kernels compare graphs:

>>> features = ap.AllPathsCycles(max_length=2).fit([square])
>>> list(features.get_feature_names_out())
['vertex:C', 'vertex:O', 'path:C-C', 'path:C-O', 'path:C-C-C', 'path:C-C-O', 'path:C-O-C']
>>> ap.WeisfeilerLehman(n_iter=1).fit_transform([square, square]).tolist()
[[16.0, 16.0], [16.0, 16.0]]

Graphs go in as they are: :class:`Graph`, networkx, igraph, rustworkx, SciPy matrices, NumPy arrays, pandas frames, PyTorch Geometric,
RDKit molecules, GraKeL's iterables; :func:`as_graph` says how each is read.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._native import Graph

if TYPE_CHECKING:
    from . import datasets
    from ._arrow import embed_batch
    from ._classifier import GraphClassifier
    from ._convert import as_graph
    from ._count import count_cycles, count_paths
    from ._estimate import Estimate, estimate_cycles, estimate_paths
    from ._explain import Explanation, explain
    from ._features import AllPathsCycles
    from ._kernels import (
        AllPathsCyclesKernel,
        EdgeHistogram,
        Graphlet,
        ShortestPath,
        VertexHistogram,
        WeisfeilerLehman,
        WeisfeilerLehmanOptimalAssignment,
    )
    from ._molecules import from_smiles, similar
    from ._nystroem import Nystroem
    from ._related import (
        BacktracklessWalk,
        ConnectedSubgraphs,
        CyclicPattern,
        EdgePaths,
        NeighborhoodSubgraphPairwiseDistance,
        RandomWalk,
        TreePattern,
    )

# Where names are that are imported when they are first used: scikit-learn alone takes longer than all the rest.
_PLACES = {
    "AllPathsCycles": "_features",
    "AllPathsCyclesKernel": "_kernels",
    "BacktracklessWalk": "_related",
    "ConnectedSubgraphs": "_related",
    "CyclicPattern": "_related",
    "EdgeHistogram": "_kernels",
    "EdgePaths": "_related",
    "Estimate": "_estimate",
    "Explanation": "_explain",
    "GraphClassifier": "_classifier",
    "Graphlet": "_kernels",
    "NeighborhoodSubgraphPairwiseDistance": "_related",
    "Nystroem": "_nystroem",
    "RandomWalk": "_related",
    "ShortestPath": "_kernels",
    "TreePattern": "_related",
    "VertexHistogram": "_kernels",
    "WeisfeilerLehman": "_kernels",
    "WeisfeilerLehmanOptimalAssignment": "_kernels",
    "as_graph": "_convert",
    "count_cycles": "_count",
    "count_paths": "_count",
    "datasets": None,
    "embed_batch": "_arrow",
    "estimate_cycles": "_estimate",
    "estimate_paths": "_estimate",
    "explain": "_explain",
    "from_smiles": "_molecules",
    "similar": "_molecules",
}

__all__ = [
    "AllPathsCycles",
    "AllPathsCyclesKernel",
    "BacktracklessWalk",
    "ConnectedSubgraphs",
    "CyclicPattern",
    "EdgeHistogram",
    "EdgePaths",
    "Estimate",
    "Explanation",
    "Graph",
    "GraphClassifier",
    "Graphlet",
    "NeighborhoodSubgraphPairwiseDistance",
    "Nystroem",
    "RandomWalk",
    "ShortestPath",
    "TreePattern",
    "VertexHistogram",
    "WeisfeilerLehman",
    "WeisfeilerLehmanOptimalAssignment",
    "as_graph",
    "count_cycles",
    "count_paths",
    "datasets",
    "embed_batch",
    "estimate_cycles",
    "estimate_paths",
    "explain",
    "from_smiles",
    "similar",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = _PLACES[name]
    value = import_module(f".{name}", __name__) if place is None else getattr(import_module(f".{place}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""The kernels of the related work: walks, trails, neighbourhoods, trees, cycles and subgraphs."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any

from ._checks import choice, flag, optional, positive, whole
from ._features import parameters
from ._kernels import Kernel, _documented
from ._settings import label_choice

SOLVERS = ("conjugate-gradients", "fixed-point")
TREE_WEIGHTS = ("branching", "size")


def _weights(weights: Any) -> list[float]:
    """Give weights as the library takes them."""
    return [] if weights is None else [float(weight) for weight in weights]


def _edge_labels(estimator: Any) -> str:
    return "used" if flag("edge_labels", estimator.edge_labels) else "ignored"


@_documented
@parameters
class RandomWalk(Kernel):
    """The random walk kernel: pairs of walks that read the same labels.

    Parameters
    ----------
    lamda : float, default=None
        What a pair of walks weighs for each step. None: 0.01, or 1 where lengths are bounded. For walks of all lengths it must be below
        one over the square of the spectral radius of every graph.
    max_length : int, default=None
        The longest walks; None: walks of all lengths.
    weights : sequence of float, default=None
        What pairs of walks of each length weigh, from length 0, where lengths are bounded; None: powers of ``lamda``.
    solver : {"conjugate-gradients", "fixed-point"}, default="conjugate-gradients"
        How walks of all lengths are summed up.
    labels : int or "all", default="all"
        How many labels to tell apart: the commonest, and all others as one. With 1, labels have no say.
    <common>

    References
    ----------
    Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, 2003.

    Examples
    --------
    >>> import allpaths as ap
    >>> edge = ap.Graph([(0, 1)])
    >>> triangle = ap.Graph([(0, 1), (1, 2), (2, 0)])
    >>> ap.RandomWalk(lamda=0.1).fit_transform([edge, triangle]).round(3)
    array([[ 4.444,  7.5  ],
           [ 7.5  , 15.   ]])
    """

    _: KW_ONLY
    lamda: float | None = None
    max_length: int | None = None
    weights: Sequence[float] | None = None
    solver: str = "conjugate-gradients"
    labels: int | str = "all"

    def _substructures(self) -> dict[str, Any]:
        lamda = optional(positive, "lamda", self.lamda)
        default = 0.01 if self.max_length is None else 1.0
        return {
            "kernel": "random-walk",
            "lambda": default if lamda is None else lamda,
            "max_length": optional(whole, "max_length", self.max_length, 0, 1000),
            "weights": _weights(self.weights),
            "solver": choice("solver", self.solver, SOLVERS),
            "labels": label_choice(self.labels) or "all",
        }


@_documented
@parameters
class BacktracklessWalk(Kernel):
    """The kernel of walks that never turn straight back, in either graph, by the labels they read.

    Parameters
    ----------
    max_length : int, default=6
        The longest walks.
    weights : sequence of float, default=None
        What pairs of walks of each length weigh, from length 0; None: each 1.
    labels : int or "all", default="all"
        How many labels to tell apart: the commonest, and all others as one. With 1, labels have no say.
    edge_labels : bool, default=False
        Whether the labels of edges have a say.
    <common>

    References
    ----------
    Aziz, Wilson and Hancock, Backtrackless walks on a graph, 2013.

    Examples
    --------
    >>> import allpaths as ap
    >>> path = ap.Graph([(0, 1), (1, 2)])  # 3 walks without steps, 4 of one, 2 of two
    >>> ap.BacktracklessWalk(max_length=3).fit_transform([path])
    array([[29.]])
    """

    max_length: int = 6
    _: KW_ONLY
    weights: Sequence[float] | None = None
    labels: int | str = "all"
    edge_labels: bool = False

    def _substructures(self) -> dict[str, Any]:
        return {
            "kernel": "backtrackless-walk",
            "max_length": whole("max_length", self.max_length, 0, 1000),
            "weights": _weights(self.weights),
            "labels": label_choice(self.labels) or "all",
            "edge_labels": _edge_labels(self),
        }


@_documented
@parameters
class EdgePaths(Kernel):
    """The kernel of edge paths: walks that use no edge twice, by the labels they read, each undirected one once.

    Parameters
    ----------
    max_length : int, default=6
        The longest walks.
    labels : int or "all", default="all"
        How many labels to tell apart: the commonest, and all others as one. With 1, labels have no say.
    edge_labels : bool, default=False
        Whether the labels of edges have a say.
    <common>

    References
    ----------
    Borgwardt and Kriegel, Shortest-path kernels on graphs, 2005.

    Examples
    --------
    >>> import allpaths as ap
    >>> triangle = ap.Graph([(0, 1), (1, 2), (2, 0)])  # 3 of each length to 3: closed ones from each vertex
    >>> ap.EdgePaths(max_length=4).fit_transform([triangle])
    array([[36.]])
    """

    max_length: int = 6
    _: KW_ONLY
    labels: int | str = "all"
    edge_labels: bool = False

    def _substructures(self) -> dict[str, Any]:
        return {
            "kernel": "edge-paths",
            "max_length": whole("max_length", self.max_length, 0),
            "labels": label_choice(self.labels) or "all",
            "edge_labels": _edge_labels(self),
        }


@_documented
@parameters
class NeighborhoodSubgraphPairwiseDistance(Kernel):
    """The neighbourhood subgraph pairwise distance kernel: ordered pairs of neighbourhoods by distance.

    Each radius and each distance is compared apart, by cosine, and the average is taken.

    Parameters
    ----------
    r : int, default=3
        The largest radius of neighbourhoods.
    d : int, default=4
        The largest distance between two.
    labels : int or "all", default="all"
        How many labels to tell apart: the commonest, and all others as one. With 1, labels have no say.
    edge_labels : bool, default=False
        Whether the labels of edges have a say.
    <common>

    References
    ----------
    Costa and De Grave, Fast neighborhood subgraph pairwise distance kernel, 2010.

    Examples
    --------
    >>> import allpaths as ap
    >>> path = ap.Graph([(0, 1), (1, 2)])
    >>> triangle = ap.Graph([(0, 1), (1, 2), (2, 0)])
    >>> ap.NeighborhoodSubgraphPairwiseDistance(r=1, d=0).fit_transform([path, triangle])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """

    r: int = 3
    d: int = 4
    _: KW_ONLY
    labels: int | str = "all"
    edge_labels: bool = False

    def _substructures(self) -> dict[str, Any]:
        return {
            "kernel": "nspdk",
            "radius": whole("r", self.r, 0, 1000),
            "distance": whole("d", self.d, 0, 1000),
            "labels": label_choice(self.labels) or "all",
            "edge_labels": _edge_labels(self),
        }

    def _comparison(self) -> dict[str, Any]:
        return {"compare": "cosine", "by_cell": True}


@_documented
@parameters
class TreePattern(Kernel):
    """The tree pattern kernel: pairs of trees of one height that can be laid into both graphs.

    Parameters
    ----------
    height : int, default=3
        The number of edges between the root and each leaf.
    lamda : float, default=0.1
        The base of the weights.
    tree_weights : {"branching", "size"}, default="branching"
        Whether ``lamda`` counts leaves less one, or vertices less levels.
    tottering : bool, default=True
        Whether trees may turn straight back.
    labels : int or "all", default="all"
        How many labels to tell apart: the commonest, and all others as one. With 1, labels have no say.
    <common>

    References
    ----------
    Mahé and Vert, Graph kernels based on tree patterns for molecules, 2009.

    Examples
    --------
    >>> import allpaths as ap
    >>> path = ap.Graph([(0, 1), (1, 2)])
    >>> ap.TreePattern(height=1, lamda=0.5).fit_transform([path])
    array([[17.]])
    """

    height: int = 3
    _: KW_ONLY
    lamda: float = 0.1
    tree_weights: str = "branching"
    tottering: bool = True
    labels: int | str = "all"

    def _substructures(self) -> dict[str, Any]:
        return {
            "kernel": "tree-pattern",
            "height": whole("height", self.height, 0, 999),
            "lambda": positive("lamda", self.lamda),
            "tree_weights": choice("tree_weights", self.tree_weights, TREE_WEIGHTS),
            "tottering": "allowed" if flag("tottering", self.tottering) else "excluded",
            "labels": label_choice(self.labels) or "all",
        }


@_documented
@parameters
class CyclicPattern(Kernel):
    """The cyclic pattern kernel: how many cycles and trees of bridges, told apart by their labels, both graphs have.

    Parameters
    ----------
    max_length : int, default=8
        The longest cycles.
    labels : int or "all", default="all"
        How many labels to tell apart: the commonest, and all others as one. With 1, labels have no say.
    edge_labels : bool, default=False
        Whether the labels of edges have a say.
    <common>

    References
    ----------
    Horváth, Gärtner and Wrobel, Cyclic pattern kernels for predictive graph mining, 2004.

    Examples
    --------
    >>> import allpaths as ap
    >>> tailed = ap.Graph([(0, 1), (1, 2), (2, 0), (2, 3)])
    >>> triangle = ap.Graph([(0, 1), (1, 2), (2, 0)])
    >>> ap.CyclicPattern().fit_transform([tailed, triangle])
    array([[2., 1.],
           [1., 1.]])
    """

    max_length: int = 8
    _: KW_ONLY
    labels: int | str = "all"
    edge_labels: bool = False

    def _substructures(self) -> dict[str, Any]:
        return {
            "kernel": "cyclic-pattern",
            "max_length": whole("max_length", self.max_length, 0),
            "labels": label_choice(self.labels) or "all",
            "edge_labels": _edge_labels(self),
        }

    def _comparison(self) -> dict[str, Any]:
        return {"compare": "linear", "counts": "binary"}


@_documented
@parameters
class ConnectedSubgraphs(Kernel):
    """The kernel of connected subgraphs, induced or not, by isomorphism class.

    Parameters
    ----------
    k : int, default=4
        The most vertices of a subgraph, 5 at most.
    weights : sequence of float, default=None
        What pairs of subgraphs weigh by their number of vertices, from 1; None: each 1.
    labels : int or "all", default="all"
        How many labels to tell apart: the commonest, and all others as one. With 1, labels have no say.
    <common>

    References
    ----------
    Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, 2003.

    Examples
    --------
    >>> import allpaths as ap
    >>> path = ap.Graph([(0, 1), (1, 2)])
    >>> triangle = ap.Graph([(0, 1), (1, 2), (2, 0)])
    >>> ap.ConnectedSubgraphs(k=3).fit_transform([path, triangle])
    array([[14., 18.],
           [18., 28.]])
    """

    k: int = 4
    _: KW_ONLY
    weights: Sequence[float] | None = None
    labels: int | str = "all"

    def _substructures(self) -> dict[str, Any]:
        return {
            "kernel": "connected-subgraphs",
            "max_size": whole("k", self.k, 1, 5),
            "weights": _weights(self.weights),
            "labels": label_choice(self.labels) or "all",
        }

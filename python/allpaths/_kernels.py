"""Kernels between graphs: one class for each, and what all have in common."""

import json
from dataclasses import KW_ONLY
from typing import Any, ClassVar, Self

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._checks import choice, flag, optional, positive, threads, whole
from ._features import GraphEstimator, parameters
from ._settings import embedding_settings, label_choice

COMPARISONS = ("linear", "cosine", "rbf", "intersection", "minmax")
COUNTS = ("raw", "log", "binary", "share")


@parameters
class Kernel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, GraphEstimator):
    """A kernel between graphs as a transformer: graphs become rows of a Gram matrix, with a column for each fitted graph.

    A kernel of its own says what it counts (``_substructures``), and how the counts are compared (``_comparison``) if that is not
    the sum of products.
    """

    _: KW_ONLY
    normalize: bool = False

    def _substructures(self) -> dict[str, Any]:
        """Check parameters, and give what is counted as the library takes it."""
        raise NotImplementedError

    def _comparison(self) -> dict[str, Any]:
        """Check parameters, and give how counts are compared as the library takes it."""
        return {"compare": "linear"}

    def _settings(self) -> str:
        """Check parameters, and give all as the library takes it."""
        comparison = self._comparison() | {"normalized": flag("normalize", self.normalize), "threads": threads(self.n_jobs)}
        return json.dumps(self._substructures() | {"comparison": comparison})

    def fit(self, X: Any, y: Any = None) -> Self:
        """Count in graphs, which new ones will be compared with.

        Parameters
        ----------
        X : iterable of graphs
            Of any kind that :func:`as_graph` reads.
        y : ignored
            There for scikit-learn.

        Returns
        -------
        self
        """
        self._kernel = _native.Kernel.fit(self._settings(), self._training_graphs(X), self._progress())
        self._n_features_out = self._kernel.rows
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Compare graphs with each other.

        Parameters
        ----------
        X : iterable of graphs
            Of any kind that :func:`as_graph` reads.
        y : ignored
            There for scikit-learn.

        Returns
        -------
        ndarray of float64, n x n
            The kernel of all pairs of graphs.
        """
        return self.fit(X)._kernel.gram(self._progress())

    def transform(self, X: Any) -> Any:
        """Compare graphs with the fitted ones.

        Parameters
        ----------
        X : iterable of graphs
            Of any kind that :func:`as_graph` reads.

        Returns
        -------
        ndarray of float64, n_new x n_fitted
            A row for each of these graphs, a column for each that was fitted.
        """
        check_is_fitted(self)
        return self._kernel.against(self._graphs(X), self._progress())

    @property
    def outcomes_(self) -> list[str]:
        """How counting ended for each of the fitted graphs."""
        check_is_fitted(self)
        return self._kernel.outcomes

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_kernel")


# The end of every kernel's documentation.
_COMMON = """normalize : bool, default=False
        Whether to divide by the root of what both graphs are to themselves, so that each is 1 to itself.
    node_label, edge_label : str, default="label"
        The attributes that hold labels, where graphs have attributes: see :func:`as_graph`.
    on_error : {"raise", "skip", "empty"}, default="raise"
        What becomes of something that is no graph: an error, no row, or an empty graph. Reasons are in ``errors_``.
    n_jobs : int, default=None
        The number of threads; None is 1, -1 all processors. It changes no number.
    verbose : bool, default=False
        Whether to show progress.

    Attributes
    ----------
    outcomes_ : list of str
        How counting ended for each of the fitted graphs.
    errors_ : dict of int to str
        Which of the things given in the last call were no graphs, and why."""


def _documented(kernel: type) -> type:
    kernel.__doc__ = (kernel.__doc__ or "").replace("<common>", _COMMON)
    return kernel


@_documented
@parameters
class AllPathsCyclesKernel(Kernel):
    """The all-paths-and-cycles kernel: labelled simple paths and cycles, compared.

    Parameters
    ----------
    max_length, encoding, profile, labels, edge_labels, cycles, vertices, convention, min_graphs, engine, budget, time_limit
        What is counted, as in :class:`AllPathsCycles`.
    compare : {"minmax", "intersection", "linear", "cosine", "rbf"}, default="minmax"
        How the counts of two graphs become one number: the sum of the smaller over the sum of the larger ones, the sum of the smaller
        ones, the sum of products, its cosine, or a Gaussian of the distance of standardised counts.
    counts : {"raw", "log", "binary", "share"}, default="raw"
        What becomes of counts first: nothing, ln(1 + x), 1 for whatever is there, or their share in the graph's sum.
    by_cell : bool, default=False
        Whether to compare the features of each length and refinement apart, and take the average: no length drowns another.
    scale : float, default=None
        The scale of ``compare="rbf"``; None is the median distance of the fitted graphs.
    rbf_distance : float, default=None
        Take exp(-g d^2 / m) in the end, with g this number, d the distance that the comparison induces, and m the median of d^2
        over pairs of fitted graphs.
    <common>

    References
    ----------
    Giscard and Wilson, The all-paths and cycles graph kernel, 2017.

    Examples
    --------
    >>> import allpaths as ap
    >>> path = ap.Graph([(0, 1), (1, 2)])
    >>> triangle = ap.Graph([(0, 1), (1, 2), (2, 0)])
    >>> ap.AllPathsCyclesKernel(max_length=3).fit_transform([path, triangle])
    array([[1. , 0.6],
           [0.6, 1. ]])
    """

    max_length: int = 6
    _: KW_ONLY
    compare: str = "minmax"
    counts: str = "raw"
    by_cell: bool = False
    scale: float | None = None
    rbf_distance: float | None = None
    encoding: str = "sequence"
    profile: str | None = None
    labels: int | str | None = None
    edge_labels: bool = False
    cycles: str = "separate"
    vertices: bool = True
    convention: str = "distinct"
    min_graphs: int = 1
    engine: str = "auto"
    budget: int | None = None
    time_limit: float | None = None

    def _substructures(self) -> dict[str, Any]:
        return {"kernel": "apc", **embedding_settings(self)}

    def _comparison(self) -> dict[str, Any]:
        return {
            "compare": choice("compare", self.compare, COMPARISONS),
            "counts": choice("counts", self.counts, COUNTS),
            "by_cell": flag("by_cell", self.by_cell),
            "scale": optional(positive, "scale", self.scale),
            "rbf_distance": optional(positive, "rbf_distance", self.rbf_distance),
        }


@_documented
@parameters
class ShortestPath(Kernel):
    """The shortest-path kernel: ordered pairs of vertices by both labels and their distance.

    Parameters
    ----------
    with_labels : bool, default=True
        Whether labels are told apart.
    weight : str, default=None
        The attribute that holds the lengths of edges, see :func:`as_graph`; None: each edge has length 1.
    <common>

    References
    ----------
    Borgwardt and Kriegel, Shortest-path kernels on graphs, 2005.

    Examples
    --------
    >>> import allpaths as ap
    >>> path = ap.Graph([(0, 1), (1, 2)])  # 4 ordered pairs at distance 1, 2 at distance 2
    >>> ap.ShortestPath().fit_transform([path])
    array([[20.]])
    """

    _: KW_ONLY
    with_labels: bool = True
    weight: str | None = None

    def _substructures(self) -> dict[str, Any]:
        labels = "all" if flag("with_labels", self.with_labels) else {"commonest": 1}
        return {"kernel": "shortest-path", "labels": labels, "lengths": "edges" if self.weight is None else "weights"}


@_documented
@parameters
class WeisfeilerLehman(Kernel):
    """The Weisfeiler-Lehman subtree kernel: vertices by labels that are refined round by round.

    Parameters
    ----------
    n_iter : int, default=5
        The number of rounds. Plain labels count, too.
    labels : int or "all", default="all"
        How many plain labels to tell apart: the commonest, and all others as one.
    edge_labels : bool, default=False
        Whether the labels of edges have a say.
    <common>

    References
    ----------
    Shervashidze et al., Weisfeiler-Lehman graph kernels, 2011.

    Examples
    --------
    >>> import allpaths as ap
    >>> path = ap.Graph([(0, 1), (1, 2)])
    >>> triangle = ap.Graph([(0, 1), (1, 2), (2, 0)])
    >>> ap.WeisfeilerLehman(n_iter=1).fit_transform([path, triangle])
    array([[14., 12.],
           [12., 18.]])
    """

    _name = "wl"

    n_iter: int = 5
    _: KW_ONLY
    labels: int | str = "all"
    edge_labels: bool = False

    def _substructures(self) -> dict[str, Any]:
        return {
            "kernel": self._name,
            "rounds": whole("n_iter", self.n_iter, 0, 1000),
            "labels": label_choice(self.labels) or "all",
            "edge_labels": "used" if flag("edge_labels", self.edge_labels) else "ignored",
        }


@_documented
class WeisfeilerLehmanOptimalAssignment(WeisfeilerLehman):
    """The Weisfeiler-Lehman optimal assignment kernel: the best way to assign the vertices of one graph to those of the other.

    Two vertices are worth the number of rounds in which their labels agree.

    Parameters
    ----------
    n_iter : int, default=5
        The number of rounds. Plain labels count, too.
    labels : int or "all", default="all"
        How many plain labels to tell apart: the commonest, and all others as one.
    edge_labels : bool, default=False
        Whether the labels of edges have a say.
    <common>

    References
    ----------
    Kriege, Giscard and Wilson, On valid optimal assignment kernels and applications to graph classification, 2016.

    Examples
    --------
    >>> import allpaths as ap
    >>> path = ap.Graph([(0, 1), (1, 2)])
    >>> triangle = ap.Graph([(0, 1), (1, 2), (2, 0)])
    >>> ap.WeisfeilerLehmanOptimalAssignment(n_iter=1).fit_transform([path, triangle])
    array([[6., 4.],
           [4., 6.]])
    """

    _name = "wl-oa"

    def _comparison(self) -> dict[str, Any]:
        return {"compare": "intersection"}


@_documented
@parameters
class Graphlet(Kernel):
    """The graphlet kernel: induced subgraphs of 3 to ``k`` vertices by isomorphism class, as shares of all.

    Parameters
    ----------
    k : int, default=5
        The most vertices of a graphlet: 3, 4 or 5.
    connected : bool, default=True
        Whether graphlets hang together; with False all count.
    with_labels : bool, default=False
        Whether the labels of vertices are told apart.
    n_samples : int, default=None
        Look at so many random sets of vertices of each size; None: at all.
    random_state : int, default=0
        Where random numbers begin.
    <common>

    References
    ----------
    Shervashidze et al., Efficient graphlet kernels for large graph comparison, 2009.

    Examples
    --------
    >>> import allpaths as ap
    >>> path = ap.Graph([(0, 1), (1, 2)])
    >>> triangle = ap.Graph([(0, 1), (1, 2), (2, 0)])
    >>> ap.Graphlet(k=3).fit_transform([path, triangle])
    array([[1., 0.],
           [0., 1.]])
    """

    k: int = 5
    _: KW_ONLY
    connected: bool = True
    with_labels: bool = False
    n_samples: int | None = None
    random_state: int = 0

    def _substructures(self) -> dict[str, Any]:
        samples = optional(whole, "n_samples", self.n_samples, 1)
        seed = whole("random_state", self.random_state, 0, 2**64 - 1)
        return {
            "kernel": "graphlet",
            "smallest": 3,
            "largest": whole("k", self.k, 3, 5),
            "graphlets": "connected" if flag("connected", self.connected) else "all",
            "labels": "all" if flag("with_labels", self.with_labels) else {"commonest": 1},
            "sampling": None if samples is None else {"samples": {"number": samples}, "seed": seed},
        }

    def _comparison(self) -> dict[str, Any]:
        return {"compare": "linear", "counts": "share"}


@parameters
class _Histogram(Kernel):
    """A kernel without settings of its own."""

    _name: ClassVar[str]

    def _substructures(self) -> dict[str, Any]:
        return {"kernel": self._name}


@_documented
class VertexHistogram(_Histogram):
    """The vertex histogram kernel: vertices by label, products summed.

    Parameters
    ----------
    <common>

    References
    ----------
    Sugiyama and Borgwardt, Halting in random walk kernels, 2015.

    Examples
    --------
    >>> import allpaths as ap
    >>> ap.VertexHistogram().fit_transform([ap.Graph(vertex_labels=["C", "C", "O"]), ap.Graph(vertex_labels=["C"])])
    array([[5., 2.],
           [2., 1.]])
    """

    _name = "vertex-histogram"


@_documented
class EdgeHistogram(_Histogram):
    """The edge histogram kernel: edges by their own labels, whatever they join, products summed.

    Parameters
    ----------
    <common>

    References
    ----------
    Sugiyama and Borgwardt, Halting in random walk kernels, 2015.

    Examples
    --------
    >>> import allpaths as ap
    >>> dioxide = ap.Graph([(0, 1), (1, 2)], edge_labels=["=", "="])
    >>> ap.EdgeHistogram().fit_transform([dioxide])
    array([[4.]])
    """

    _name = "edge-histogram"

    def _uses_edge_labels(self) -> bool:
        return True

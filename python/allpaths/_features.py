"""Graphs as rows of named counts."""

import json
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self, TypeVar, dataclass_transform

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._checks import flag, optional, progress, threads, whole
from ._convert import convert_all
from ._native import Graph
from ._settings import feature_settings
from ._sources import Options

Estimator = TypeVar("Estimator", bound=type)


@dataclass_transform(eq_default=False)
def parameters(estimator: Estimator) -> Estimator:
    """Make the fields of a class its parameters, as scikit-learn wants them: kept as they are, and checked when it is fitted."""
    return dataclass(eq=False, repr=False)(estimator)


@parameters
class GraphEstimator(BaseEstimator):
    """What all estimators that take graphs have in common."""

    _: KW_ONLY
    node_label: str | None = "label"
    edge_label: str | None = "label"
    on_error: str = "raise"
    n_jobs: int | None = None
    verbose: bool = False

    def _graphs(self, X: Any) -> list[Graph]:
        """Read graphs, and note which could not be read."""
        # Labels that have no say need not be read.
        edge_label = self.edge_label if self._uses_edge_labels() else None
        options = Options(self.node_label, edge_label, getattr(self, "weight", None))
        graphs, self.errors_ = convert_all(X, options, self.on_error)
        return graphs

    def _uses_edge_labels(self) -> bool:
        return getattr(self, "edge_labels", False)

    def _training_graphs(self, X: Any) -> list[Graph]:
        graphs = self._graphs(X)
        if not graphs:
            raise ValueError(f"X has no graphs: {type(self).__name__} has nothing to learn from")
        return graphs

    def _progress(self) -> Any:
        return progress(self.verbose, type(self).__name__)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


@parameters
class AllPathsCycles(TransformerMixin, GraphEstimator):
    """Count labelled simple paths and cycles of graphs: exact features with names.

    Each feature is a kind (vertex, path, cycle), a length and a label; its value is how many of those a graph has. Every path and every
    cycle counts once. Graphs without labels have one label, ``*``, on all vertices.

    Parameters
    ----------
    max_length : int, default=6
        The longest path or cycle, in edges.
    encoding : {"sequence", "composition", "power", "exact"}, default="sequence"
        What paths and cycles are called: all labels in order; both ends and how often each label is between; both ends and the sum of the
        codes 0, 1, 2, ... of the labels between; the same as ``"composition"``, decoded from real numbers. The last two are those of
        Giscard and Wilson.
    profile : str, default=None
        The longest length for each number of refinement rounds, in place of ``max_length``: ``"0:7,1:3"``, or ``"triangle:4"`` for all
        rounds and lengths that sum to 4 at most.
    labels : int or "all", default=None
        How many labels to tell apart: the commonest, and all others as one. None is 3 for ``"power"`` and ``"exact"``, all otherwise.
    edge_labels : bool, default=False
        Whether the labels of edges are part of the names.
    cycles : {"separate", "merged", "off"}, default="separate"
        Where cycles are counted: as features of their own, with the paths from each of their vertices, or not at all.
    paths : bool, default=True
        Whether paths are counted.
    vertices : bool, default=True
        Whether vertices are counted by label.
    convention : {"distinct", "rooted"}, default="distinct"
        What counts as one; ``"rooted"`` is the paper's: a path from each end, a cycle from each vertex and in each direction.
    all_bins : bool, default=False
        With ``encoding="power"``: a column for each feature that there can be, whether a graph has it or not, as in the paper.
    min_graphs : int, default=1
        Features that fewer graphs have get no column.
    hash_bits : int, default=None
        Learn no columns: so many of the highest bits of a feature's id are its column.
    engine : str, default="auto"
        How to count: ``"auto"``, ``"depth-first"``, ``"sieve"``, ``"quotient"`` or ``"frontier"``. The sieve knows ``"power"`` and
        ``"exact"`` alone; quotients, for graphs with many paths, ``"power"`` and ``"composition"``; the frontier engine, for long
        paths in graphs without directions that are nowhere wide, ``"power"``.
    budget : int, default=None
        The most steps that a graph may take. Its row then holds the lengths that were finished.
    time_limit : float, default=None
        The most seconds for a call. Graphs that are left then have empty rows.
    sparse_output : bool, default=True
        Whether the matrix is sparse. pandas and polars output need a dense one.
    node_label, edge_label : str, default="label"
        The attributes that hold labels, where graphs have attributes: see :func:`as_graph`.
    on_error : {"raise", "skip", "empty"}, default="raise"
        What becomes of something that is no graph: an error, no row, or an empty row. Reasons are in ``errors_``.
    n_jobs : int, default=None
        The number of threads; None is 1, -1 all processors. It changes no number.
    verbose : bool, default=False
        Whether to show progress.

    Attributes
    ----------
    feature_ids_ : ndarray of uint64
        An id for each column that depends on nothing but its name.
    feature_lengths_ : ndarray of int
        How long the paths or cycles of each column are.
    labels_ : list of str or None
        The labels that keep their names, the commonest first; None if all do.
    outcomes_ : list of str
        How counting ended for each graph of the last call: ``"complete"``, ``"budget"``, ``"time"`` or ``"undecided"``.
    n_unseen_ : int
        How many features of the graphs of the last call have no column; one of several graphs counts once for each.
    errors_ : dict of int to str
        Which of the things given in the last call were no graphs, and why.

    Examples
    --------
    >>> import allpaths as ap
    >>> ethanol = ap.Graph([(0, 1), (1, 2)], vertex_labels=["C", "C", "O"])
    >>> ring = ap.Graph([(0, 1), (1, 2), (2, 0)], vertex_labels=["C", "C", "O"])
    >>> features = ap.AllPathsCycles(max_length=3)
    >>> features.fit_transform([ethanol, ring]).toarray()
    array([[2, 1, 1, 1, 1, 0, 0],
           [2, 1, 1, 2, 2, 1, 1]])
    >>> features.get_feature_names_out()[-1]
    'cycle:C-C-O-'

    The columns stay what they are when other graphs come:

    >>> features.transform([ap.Graph([(0, 1)], vertex_labels=["C", "N"])]).toarray()
    array([[1, 0, 0, 0, 0, 0, 0]])
    >>> features.n_unseen_
    2
    """

    max_length: int = 6
    _: KW_ONLY
    encoding: str = "sequence"
    profile: str | None = None
    labels: int | str | None = None
    edge_labels: bool = False
    cycles: str = "separate"
    paths: bool = True
    vertices: bool = True
    convention: str = "distinct"
    all_bins: bool = False
    min_graphs: int = 1
    hash_bits: int | None = None
    engine: str = "auto"
    budget: int | None = None
    time_limit: float | None = None
    sparse_output: bool = True

    def _settings(self) -> str:
        all_bins = flag("all_bins", self.all_bins)
        if all_bins and self.encoding != "power":
            raise ValueError(f"all_bins needs encoding='power', got encoding={self.encoding!r}")
        hash_bits = optional(whole, "hash_bits", self.hash_bits, 1, 31)
        return json.dumps(feature_settings(self) | {"all_bins": all_bins, "hash_bits": hash_bits})

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the columns from graphs.

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
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn the columns from graphs, and count in those.

        Parameters
        ----------
        X : iterable of graphs
            Of any kind that :func:`as_graph` reads.
        y : ignored
            There for scikit-learn.

        Returns
        -------
        csr_array of int64
            A row for each graph, a column for each feature; an ndarray with ``sparse_output=False``.
        """
        settings = self._settings()
        graphs = self._training_graphs(X)
        self._embedding, rows = _native.Embedding.fit(settings, graphs, self._progress())
        return self._matrix(rows)

    def transform(self, X: Any) -> Any:
        """Count in graphs what has a column.

        Parameters
        ----------
        X : iterable of graphs
            Of any kind that :func:`as_graph` reads.

        Returns
        -------
        csr_array of int64
            A row for each graph, a column for each feature; an ndarray with ``sparse_output=False``.
        """
        check_is_fitted(self)
        return self._matrix(self._embedding.transform(self._graphs(X), threads(self.n_jobs), self._progress()))

    def _matrix(self, rows: Any) -> Any:
        indptr, indices, counts, self.outcomes_, self.n_unseen_ = rows
        matrix = sparse.csr_array((counts, indices, indptr), shape=(len(indptr) - 1, self._embedding.columns))
        matrix.has_canonical_format = True
        return matrix if flag("sparse_output", self.sparse_output) else matrix.toarray()

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Give the names of the columns.

        Parameters
        ----------
        input_features : ignored
            There for scikit-learn.

        Returns
        -------
        ndarray of str objects
            A name for each column: ``vertex:C``, ``path:C-C=O``, ``cycle:C-C-O-``.
        """
        check_is_fitted(self)
        if self.hash_bits is not None:
            return np.array([f"hash{column}" for column in range(self._embedding.columns)], dtype=object)
        return np.array(self._embedding.names(), dtype=object)

    @property
    def feature_ids_(self) -> np.ndarray:
        """An id for each column."""
        check_is_fitted(self)
        return self._embedding.ids()

    @property
    def feature_lengths_(self) -> np.ndarray:
        """A length for each column."""
        check_is_fitted(self)
        return self._embedding.lengths()

    @property
    def labels_(self) -> list[str] | None:
        """The labels that keep their names."""
        check_is_fitted(self)
        return self._embedding.labels()

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_embedding")

"""Classes of graphs."""

import json
from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _native
from ._checks import optional, positive, threads, whole
from ._features import GraphEstimator, parameters
from ._kernels import Kernel


@parameters
class GraphClassifier(ClassifierMixin, GraphEstimator):
    """Learn the classes of graphs by a support vector machine, on the kernel that is best for them.

    By default the kernel and the C of the machine are chosen as the program does: by cross-validation inside the graphs that are learnt
    from. So cross-validation around this is nested, and its numbers are honest. Where no kernel is given, and several C
    are as good as the best, the mean of their machines decides.

    Parameters
    ----------
    kernel : Kernel, default=None
        A kernel of this package, such as :class:`AllPathsCyclesKernel`. None: the best of those that the program takes by default.
    C : float or sequence of float, default=None
        What an error costs, or several to choose from. None: what the program takes by default.
    cv : int, default=5
        The number of folds by which is chosen.
    probability : bool, default=False
        Whether to learn probabilities, too, from five more machines for each that decides.
    random_state : int, default=1
        Where the random numbers of the folds begin.
    node_label, edge_label : str, default="label"
        The attributes that hold labels, where graphs have attributes: see :func:`as_graph`.
    weight : str, default=None
        The attribute that holds weights, for kernels that see them.
    on_error : {"raise", "empty"}, default="raise"
        What becomes of something that is no graph: an error, or an empty graph. Reasons are in ``errors_``.
    n_jobs : int, default=None
        The number of threads; None is 1, -1 all processors. It changes no prediction.
    verbose : bool, default=False
        Whether to show progress.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    kernel_ : dict
        The settings of the kernel that was taken, as the program writes them.
    C_ : float
        The C that was right most often.
    support_ : ndarray of int
        The numbers of the graphs that the machine leans on.
    errors_ : dict of int to str
        Which of the things given in the last call were no graphs, and why.

    Examples
    --------
    >>> import allpaths as ap
    >>> import networkx as nx
    >>> graphs = [graph(order) for order in range(5, 15) for graph in (nx.cycle_graph, nx.path_graph)]
    >>> model = ap.GraphClassifier().fit(graphs, ["ring", "chain"] * 10)
    >>> model.predict([nx.cycle_graph(16), nx.path_graph(16)]).tolist()
    ['ring', 'chain']
    """

    kernel: Kernel | None = None
    _: KW_ONLY
    C: float | Sequence[float] | None = None
    cv: int = 5
    probability: bool = False
    random_state: int = 1
    weight: str | None = None

    def _uses_edge_labels(self) -> bool:
        return self.kernel is not None and self.kernel._uses_edge_labels()

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the classes of graphs.

        Parameters
        ----------
        X : iterable of graphs
            Of any kind that :func:`as_graph` reads.
        y : sequence
            The class of each graph.

        Returns
        -------
        self
        """
        if self.kernel is not None and not isinstance(self.kernel, Kernel):
            raise TypeError(f"kernel must be a kernel of this package, got {self.kernel!r}")
        if self.on_error == "skip":
            raise ValueError("on_error must be 'raise' or 'empty': what is skipped would have no class")
        several = self.C if self.C is None or isinstance(self.C, Sequence | np.ndarray) else [self.C]
        cs = optional(lambda name, values: [positive(name, value) for value in values], "C", several)
        folds, seed = whole("cv", self.cv, 2), whole("random_state", self.random_state, 0, 2**64 - 1)
        kernel = None if self.kernel is None else self.kernel._settings()
        graphs = self._training_graphs(X)
        y = column_or_1d(y)
        check_classification_targets(y)
        if len(y) != len(graphs):
            raise ValueError(f"y has {len(y)} classes for {len(graphs)} graphs")
        self.classes_, numbers = np.unique(y, return_inverse=True)
        self._classifier = _native.Classifier.fit(
            graphs, numbers.tolist(), kernel, cs, folds, seed, bool(self.probability), threads(self.n_jobs), self._progress()
        )
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the classes of graphs.

        Parameters
        ----------
        X : iterable of graphs
            Of any kind that :func:`as_graph` reads.

        Returns
        -------
        ndarray
            A class for each graph.
        """
        check_is_fitted(self)
        return self.classes_[self._classifier.predict(self._graphs(X), self._progress())]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict the probabilities of classes.

        Parameters
        ----------
        X : iterable of graphs
            Of any kind that :func:`as_graph` reads.

        Returns
        -------
        ndarray
            A row for each graph, a column for each of ``classes_``.
        """
        check_is_fitted(self)
        found = self._classifier.probabilities(self._graphs(X), self._progress())
        if found is None:
            raise AttributeError("no probabilities were learnt: fit with probability=True")
        return found

    @property
    def kernel_(self) -> dict[str, Any]:
        """The settings of the kernel that was taken."""
        check_is_fitted(self)
        return json.loads(self._classifier.kernel)

    @property
    def C_(self) -> float:  # noqa: N802
        """The C that was right most often; the default decides by the mean of machines with this and others that were as good."""
        check_is_fitted(self)
        return self._classifier.c

    @property
    def support_(self) -> np.ndarray:
        """The numbers of the graphs that the machine leans on."""
        check_is_fitted(self)
        return np.array(self._classifier.support())

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_classifier")

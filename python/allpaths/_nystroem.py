"""Kernels without a matrix of all pairs: graphs as coordinates, by their kernel with a few of them."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._checks import choice, whole
from ._kernels import AllPathsCyclesKernel, Kernel

SAMPLINGS = ("uniform", "kmeans++", "leverage")


class Nystroem(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Approximate a kernel by its values with some graphs, the landmarks.

    Graphs become rows of real coordinates whose products are nearly the kernel: exactly, where one of the two is a landmark. A linear
    machine on top is nearly one with the kernel, and time and memory grow with the number of graphs, not with its square.

    Parameters
    ----------
    kernel : a kernel of this package, default=None
        What is approximated, with its parameters; None is ``AllPathsCyclesKernel()``. What it has to learn, it learns from the landmarks.
    n_components : int, default=512
        The number of landmarks; all graphs, if they are fewer.
    sampling : {"uniform", "kmeans++", "leverage"}, default="uniform"
        Which graphs become landmarks: each as likely as the others; each by its squared distance from the nearest landmark so far; each by
        its ridge leverage score. The last two choose among four times as many graphs as there are landmarks.
    random_state : int, default=1
        The seed of all draws.

    Attributes
    ----------
    component_indices_ : ndarray of int
        Which of the fitted graphs are landmarks.
    approximation_error_ : float
        Which share of the sum of all k(x, x) the coordinates of the graphs of the last call lose.

    Examples
    --------
    >>> import allpaths as ap
    >>> rings = [ap.Graph([(v, (v + 1) % n) for v in range(n)]) for n in range(3, 30)]
    >>> nystroem = ap.Nystroem(ap.AllPathsCyclesKernel(max_length=3), n_components=10).fit(rings)
    >>> nystroem.transform(rings).shape[0]
    27
    """

    def __init__(
        self,
        kernel: Kernel | None = None,
        *,
        n_components: int = 512,
        sampling: str = "uniform",
        random_state: int = 1,
    ) -> None:
        self.kernel = kernel
        self.n_components = n_components
        self.sampling = sampling
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose landmarks among graphs.

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
        kernel = AllPathsCyclesKernel() if self.kernel is None else self.kernel
        if not isinstance(kernel, Kernel):
            raise TypeError(f"kernel must be a kernel of allpaths, got {self.kernel!r}")
        kernel = clone(kernel)
        settings, graphs = kernel._settings(), kernel._training_graphs(X)
        self.kernel_ = kernel
        self._nystroem = _native.Nystroem.fit(
            settings,
            graphs,
            whole("n_components", self.n_components, 1),
            choice("sampling", self.sampling, SAMPLINGS),
            whole("random_state", self.random_state, 0, 2**64 - 1),
            kernel._progress(),
        )
        self.component_indices_ = self._nystroem.landmarks
        self._n_features_out = self._nystroem.rank
        return self

    def transform(self, X: Any) -> "np.ndarray":
        """Give graphs their coordinates.

        Parameters
        ----------
        X : iterable of graphs
            Of any kind that :func:`as_graph` reads.

        Returns
        -------
        ndarray of float64
            A row for each graph.
        """
        check_is_fitted(self)
        rows, self.approximation_error_ = self._nystroem.transform(self.kernel_._graphs(X), self.kernel_._progress())
        return rows

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_nystroem")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags

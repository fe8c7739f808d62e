"""What the compiled module offers to the package around it."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Classifier",
    "Embedding",
    "Graph",
    "Kernel",
    "Nystroem",
    "check_engine",
    "count",
    "count_between",
    "count_by_vertex",
    "embed_batch",
    "estimate",
    "explain",
    "fetch",
    "nearest",
    "read",
    "read_smiles",
    "write",
]

_Progress = Callable[[float], object] | None
# Where rows begin, columns, counts, how each row ended, and how many features had no column.
_Rows = tuple[NDArray[Any], NDArray[Any], NDArray[np.int64], list[str], int]
# Paths and cycles by length, as far as they were asked for and finished, and how it ended.
_Found = tuple[list[int] | None, list[int] | None, str]
# An estimate, its interval, its samples, and the count where there is one.
_Number = tuple[float, float, float, int, int | None]

@final
class Graph:
    def __new__(
        cls,
        edges: Any = None,
        vertex_labels: Iterable[Any] | None = None,
        edge_labels: Iterable[Any] | None = None,
        weights: Sequence[float] | None = None,
        *,
        order: int | None = None,
        names: Iterable[Any] | None = None,
        directed: bool = False,
    ) -> Graph: ...
    @staticmethod
    def _from_networkx(
        nodes: Any,
        rows: Any,
        node_label: str | None,
        edge_label: str | None,
        weight: str | None,
        directed: bool,
        multigraph: bool,
        named: bool,
    ) -> Graph: ...
    @staticmethod
    def _from_tuples(
        edges: Any,
        lone: Any,
        vertex_labels: dict[Any, Any] | None,
        edge_labels: dict[Any, Any] | None,
        weighted: bool,
        directed: bool,
        named: bool,
    ) -> Graph: ...
    @staticmethod
    def _from_parts(
        edges: Any,
        vertex_labels: list[str] | None,
        edge_labels: list[str] | None,
        weights: list[float] | None,
        order: int,
        names: list[str] | None,
        directed: bool,
        vertex_attributes: list[Any],
        edge_attributes: list[Any],
    ) -> Graph: ...
    @property
    def order(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def directed(self) -> bool: ...
    @property
    def edges(self) -> NDArray[np.int64]: ...
    @property
    def vertex_labels(self) -> list[str] | None: ...
    @property
    def edge_labels(self) -> list[str] | None: ...
    @property
    def weights(self) -> NDArray[np.float64] | None: ...
    @property
    def names(self) -> list[str] | None: ...
    def vertex(self, name: str) -> int | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Classifier:
    @staticmethod
    def fit(
        graphs: Iterable[Graph],
        classes: Sequence[int],
        kernel: str | None,
        cs: Sequence[float] | None,
        folds: int,
        seed: int,
        probabilities: bool,
        threads: int,
        progress: _Progress = None,
    ) -> Classifier: ...
    def predict(self, graphs: Iterable[Graph], progress: _Progress = None) -> NDArray[np.int64]: ...
    def probabilities(self, graphs: Iterable[Graph], progress: _Progress = None) -> NDArray[np.float64] | None: ...
    @property
    def c(self) -> float: ...
    @property
    def kernel(self) -> str: ...
    def support(self) -> list[int]: ...
    @staticmethod
    def from_bytes(data: bytes) -> Classifier: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Embedding:
    @staticmethod
    def fit(text: str, graphs: Iterable[Graph], progress: _Progress = None) -> tuple[Embedding, _Rows]: ...
    def transform(self, graphs: Iterable[Graph], threads: int, progress: _Progress = None) -> _Rows: ...
    @property
    def columns(self) -> int: ...
    def names(self) -> list[str]: ...
    def ids(self) -> NDArray[np.uint64]: ...
    def lengths(self) -> NDArray[np.int64]: ...
    def labels(self) -> list[str] | None: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Embedding: ...  # noqa: A002
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Kernel:
    @staticmethod
    def fit(text: str, graphs: Iterable[Graph], progress: _Progress = None) -> Kernel: ...
    def gram(self, progress: _Progress = None) -> NDArray[np.float64]: ...
    def against(self, graphs: Iterable[Graph], progress: _Progress = None) -> NDArray[np.float64]: ...
    @property
    def rows(self) -> int: ...
    @property
    def outcomes(self) -> list[str]: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Kernel: ...  # noqa: A002
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Nystroem:
    @staticmethod
    def fit(text: str, graphs: Iterable[Graph], landmarks: int, sampling: str, seed: int, progress: _Progress = None) -> Nystroem: ...
    def transform(self, graphs: Iterable[Graph], progress: _Progress = None) -> tuple[NDArray[np.float64], float]: ...
    @property
    def landmarks(self) -> NDArray[np.int64]: ...
    @property
    def rank(self) -> int: ...
    @staticmethod
    def from_bytes(bytes: bytes, landmarks: list[int]) -> Nystroem: ...  # noqa: A002
    def __reduce__(self) -> tuple[Any, ...]: ...

def check_engine(name: str) -> None: ...
def count(graph: Graph, text: str, rooted: bool, progress: _Progress = None) -> _Found: ...
def count_between(graph: Graph, text: str, source: int, target: int, progress: _Progress = None) -> _Found: ...
def count_by_vertex(graph: Graph, text: str, rooted: bool, progress: _Progress = None) -> list[_Found]: ...
def embed_batch(
    batch: Any,
    text: str,
    labels: list[str] | None,
    directed: bool,
    vocabulary: NDArray[np.uint64] | None = None,
    marks: bool = False,
    keeps_all: bool = False,
    progress: _Progress = None,
) -> Any: ...
def estimate(graph: Graph, text: str, progress: _Progress = None) -> list[_Number | None]: ...
def explain(model: bytes, graphs: Iterable[Graph], name: str, top: int, threads: int, progress: _Progress = None) -> tuple[str, str]: ...
def fetch(name: str, progress: _Progress = None) -> Path: ...
def nearest(
    queries: Iterable[Graph],
    library: Iterable[Graph],
    text: str,
    measure: str,
    top: int,
    progress: _Progress = None,
) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]: ...
def read(path: Path, text: str) -> tuple[str, list[Graph], NDArray[np.int64] | None, list[str], list[str] | None]: ...
def read_smiles(smiles: str, text: str) -> tuple[list[Graph], list[str]]: ...
def write(path: Path, graphs: Iterable[Graph], classes: list[int] | None, names: list[str] | None, text: str) -> list[str]: ...

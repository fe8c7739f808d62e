"""Record batches of graphs in, record batches of features out."""

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from . import _native
from ._checks import flag, progress
from ._settings import feature_settings

if TYPE_CHECKING:
    import pyarrow as pa


def embed_batch(
    batch: "pa.RecordBatch",
    max_length: int = 6,
    *,
    encoding: str = "sequence",
    profile: str | None = None,
    keep_labels: Sequence[str] | None = None,
    edge_labels: bool = False,
    cycles: str = "separate",
    paths: bool = True,
    vertices: bool = True,
    convention: str = "distinct",
    directed: bool = False,
    engine: str = "auto",
    budget: int | None = None,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> "pa.RecordBatch":
    """Count labelled simple paths and cycles in the graphs of a record batch, by the ids of features.

    Nothing is learnt: an id is made of a feature's name alone, so that batches may be embedded anywhere and put together later. This is
    what a cluster engine calls, on each batch apart.

    Parameters
    ----------
    batch : pyarrow.RecordBatch, or anything with ``__arrow_c_array__``
        A graph in each row. The columns ``sources`` and ``targets`` are lists of whole numbers, the ends of edges; ``labels`` a list of
        strings or numbers, with a label for each vertex; ``edge_labels``, if it is there, a list with a label for each edge. All other
        columns are handed on.
    max_length, encoding, profile, edge_labels, cycles, paths, vertices, convention, engine, budget, time_limit, n_jobs, verbose
        As in :class:`AllPathsCycles`.
    keep_labels : sequence of str
        The labels that keep their names, the commonest first; all others are one. None: all keep them. ``encoding="power"`` and
        ``"exact"`` need it: their names depend on the labels there are.
    directed : bool, default=False
        Whether edges lead from their source to their target alone.

    Returns
    -------
    pyarrow.RecordBatch
        A row for each graph: all other columns of ``batch``, then ``ids`` and ``counts``, lists of the same length, and ``outcome``:
        ``"complete"``, ``"budget"``, ``"time"`` or ``"undecided"``.

    Examples
    --------
    >>> import allpaths as ap
    >>> import pyarrow as pa
    >>> graphs = {"name": ["CO2", "HCN"], "labels": [["O", "C", "O"], ["H", "C", "N"]]}
    >>> graphs |= {"sources": [[0, 1], [0, 1]], "targets": [[1, 2], [1, 2]]}
    >>> features = ap.embed_batch(pa.RecordBatch.from_pydict(graphs), max_length=2)
    >>> features.schema.names
    ['name', 'ids', 'counts', 'outcome']
    >>> features["counts"].to_pylist()
    [[1, 2, 2, 1], [1, 1, 1, 1, 1, 1]]
    """
    try:
        import pyarrow as pa  # noqa: F401
    except ModuleNotFoundError:
        raise ModuleNotFoundError("embed_batch needs pyarrow: pip install pyarrow") from None
    if keep_labels is None and encoding in ("power", "exact"):
        raise ValueError(f"encoding={encoding!r} needs keep_labels: its names depend on which labels there are")
    parameters = SimpleNamespace(
        max_length=max_length,
        encoding=encoding,
        profile=profile,
        labels=None,
        edge_labels=edge_labels,
        cycles=cycles,
        paths=paths,
        vertices=vertices,
        convention=convention,
        min_graphs=1,
        engine=engine,
        budget=budget,
        time_limit=time_limit,
        n_jobs=n_jobs,
    )
    labels = None if keep_labels is None else [str(label) for label in keep_labels]
    settings: dict[str, Any] = feature_settings(parameters)
    return _native.embed_batch(batch, json.dumps(settings), labels, flag("directed", directed), progress(verbose, "embed_batch"))

"""Record batches of graphs in, record batches of features out."""

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._checks import choice, flag, progress, whole
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
    n_features: int | None = None,
    vocabulary: Any = None,
    on_error: str = "raise",
    keep_columns: bool = False,
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
        A graph in each row, as in the Parquet files of ``allpaths convert``. The columns ``source`` and ``target`` are lists of whole
        numbers, the ends of edges; ``vertex_labels`` and ``edge_labels``, if they are there, lists of strings or whole numbers;
        ``vertices`` the number of vertices of graphs without labels. Or ``graph_bytes`` has it all,
        as bytes. All other columns are handed on.
    max_length, encoding, profile, edge_labels, cycles, paths, vertices, convention, engine, budget, time_limit, n_jobs, verbose
        As in :class:`AllPathsCycles`.
    keep_labels : sequence of str
        The labels that keep their names, the commonest first; all others are one. None: all keep them. ``encoding="power"`` and
        ``"exact"`` need it: their names depend on the labels there are.
    directed : bool, default=False
        Whether edges lead from their source to their target alone.
    n_features : int, default=None
        The number of hashed columns, a power of two: instead of ``ids`` and ``counts`` there is then a column ``features`` of sparse
        vectors as Spark keeps them, structs of ``type`` (0), ``size``, ``indices`` and ``values``. The program's ``--hash-bits`` names the
        same columns.
    vocabulary : array of uint64, default=None
        Ids of features, ascending, which get a column each, in sparse vectors as above; all others are left out.
    on_error : {"raise", "mark"}, default="raise"
        What becomes of a row that holds no graph: an error, or an empty row whose ``outcome`` is ``"invalid"``. Rows with marks say
        ``"ok"`` where counting is complete, and have one more column, ``reason``.
    keep_columns : bool, default=False
        Whether the columns that say what the graphs are are handed on, too.

    Returns
    -------
    pyarrow.RecordBatch
        A row for each graph: all other columns of ``batch``, then ``ids`` and ``counts``, lists of the same length, or ``features``, and
        ``outcome``: ``"complete"``, ``"budget"``, ``"time"`` or ``"undecided"``.

    Raises
    ------
    ValueError
        If a column is missing or holds something else, or a row holds no graph; the message names the column or the row.

    Examples
    --------
    >>> import allpaths as ap
    >>> import pyarrow as pa
    >>> graphs = {"name": ["CO2", "HCN"], "vertex_labels": [["O", "C", "O"], ["H", "C", "N"]]}
    >>> graphs |= {"source": [[0, 1], [0, 1]], "target": [[1, 2], [1, 2]]}
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
    if n_features is not None and vocabulary is not None:
        raise ValueError("n_features and vocabulary are two ways to say which columns there are: give one")
    if n_features is not None:
        settings["hash_bits"] = hash_bits("n_features", n_features)
    return _native.embed_batch(
        batch,
        json.dumps(settings),
        labels,
        flag("directed", directed),
        None if vocabulary is None else np.ascontiguousarray(vocabulary, dtype=np.uint64),
        choice("on_error", on_error, ("raise", "mark")) == "mark",
        flag("keep_columns", keep_columns),
        progress(verbose, "embed_batch"),
    )


def hash_bits(name: str, value: Any) -> int:
    """Give the number of bits that so many hashed columns take."""
    number = whole(name, value, 2, 2**30)
    if number & (number - 1):
        raise ValueError(f"{name} must be a power of two, got {number}")
    return number.bit_length() - 1

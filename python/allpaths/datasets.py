"""Graphs from files, and into files."""

import json
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._checks import choice, whole
from ._convert import convert_all
from ._native import Graph, fetch, read, write
from ._sources import Options

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Dataset", "fetch_tu", "load", "load_tu", "save"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Graphs of a file or folder.

    Attributes
    ----------
    name : str
        What the dataset is called.
    graphs : list of Graph
        The graphs, in the order of the file.
    y : ndarray of int64 or None
        The class of each graph, if there are classes.
    notes : list of str
        What the reader had to decide: edges merged, columns not read.
    names : list of str or None
        What each graph is called, if the file says so.
    """

    name: str
    graphs: list[Graph] = field(repr=False)
    y: "np.ndarray | None" = field(repr=False)
    notes: list[str]
    names: list[str] | None = field(default=None, repr=False)


def load(path: str | os.PathLike[str], *, directed: bool | None = None) -> Dataset:
    """Read a file or folder, telling its format by content and name.

    TU folders, edge lists, CSV, GML, GraphML, DIMACS, Matrix Market, graph6, sparse6, node-link JSON, Parquet, Arrow, SMILES and
    SDF, packed by gzip or not.

    Parameters
    ----------
    path
        A file or folder.
    directed
        Whether edges have a direction; None: as the file says, and not if it says nothing.

    Returns
    -------
    Dataset
        Its graphs.

    Raises
    ------
    OSError
        If it cannot be read.
    ValueError
        If it does not keep to its format; the message names file and line.
    """
    return Dataset(*read(Path(path), json.dumps({"directed": directed})))


def save(
    path: str | os.PathLike[str],
    graphs: Any,
    y: Sequence[int] | None = None,
    *,
    names: Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002
    graph_columns: str = "lists",
) -> None:
    """Write graphs to a file, in the format that the ending of its name tells.

    Parquet (``.parquet``) and Arrow (``.arrow``) are tables with a graph in each row, which :func:`embed_batch`, Spark and
    ``allpaths embed`` read. GraphML, TU (``.zip``), SMILES, SDF and every other format of :func:`load` are written as well. A warning says
    what a format has no room for.

    Parameters
    ----------
    path
        The file to write; one that is there is replaced. A name that ends in ``.gz`` is packed.
    graphs
        A :class:`Dataset`, or graphs of any kind that :func:`as_graph` reads.
    y
        The class of each graph; by default those of the dataset.
    names
        What each graph is called; by default as in the dataset.
    format
        The format, such as ``"tu"`` or ``"parquet"``, where the name does not tell it.
    graph_columns : {"lists", "bytes"}, default="lists"
        How Parquet and Arrow files say what a graph is: in lists, which other programs can read, or in one value, ``graph_bytes``, which
        Spark hands on faster.

    Raises
    ------
    OSError
        If it cannot be written.
    ValueError
        If there are more or fewer classes or names than graphs, or the format holds one graph and there are more.

    Examples
    --------
    >>> import allpaths as ap
    >>> ap.datasets.save("small.parquet", ap.from_smiles(["CCO", "CC=O"]), y=[0, 1])  # doctest: +SKIP
    """
    if isinstance(graphs, Dataset):
        y = graphs.y if y is None else y
        names = graphs.names if names is None else names
        graphs = graphs.graphs
    choice("graph_columns", graph_columns, ("lists", "bytes"))
    known, _ = convert_all(graphs, Options(), "raise")
    classes = None if y is None else [whole(f"y[{place}]", value, -(2**63), 2**63 - 1) for place, value in enumerate(y)]
    called = None if names is None else [str(name) for name in names]
    for note in write(Path(path), known, classes, called, json.dumps({"format": format, "graph_columns": graph_columns})):
        warnings.warn(f"{os.fspath(path)}: {note}", stacklevel=2)


def load_tu(folder: str | os.PathLike[str], *, directed: bool | None = None) -> Dataset:
    """Read a dataset of the TU Dortmund collection.

    Parameters
    ----------
    folder
        A folder, or the zip archive that it came in.
    directed
        Whether edges have a direction; by default they have none.

    Returns
    -------
    Dataset
        Its graphs and their classes.

    Raises
    ------
    OSError
        If it cannot be read.
    ValueError
        If it does not keep to the format; the message names file and line.
    """
    return Dataset(*read(Path(folder), json.dumps({"format": "tu", "directed": directed})))


def fetch_tu(name: str, *, directed: bool | None = None) -> Dataset:
    """Read a dataset of the TU Dortmund collection by its name.

    It is taken from the folder ``datasets`` in the one that the environment variable ``ALLPATHS_DATA`` names, or from the cache of
    ``allpaths``, or fetched into that cache once.

    Parameters
    ----------
    name
        What the collection calls it, such as ``"MUTAG"``.
    directed
        Whether edges have a direction; by default they have none.

    Returns
    -------
    Dataset
        Its graphs and their classes.

    Raises
    ------
    OSError
        If it is not here and cannot be fetched; the message says where to put it by hand.
    ValueError
        If no dataset has this name.
    """
    return load_tu(fetch(name), directed=directed)

"""Graphs from files."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ._native import Graph, fetch, read

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Dataset", "fetch_tu", "load", "load_tu"]


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
    """

    name: str
    graphs: list[Graph] = field(repr=False)
    y: "np.ndarray | None" = field(repr=False)
    notes: list[str]


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

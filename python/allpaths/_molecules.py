"""Molecules from SMILES, and the most similar graphs of a library."""

import json
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

from ._checks import choice, flag, threads, whole
from ._convert import convert_all
from ._native import Graph, nearest, read_smiles
from ._settings import profile_of
from ._sources import Options

if TYPE_CHECKING:
    import numpy as np

MEASURES = ("minmax", "intersection", "cosine")


@overload
def from_smiles(smiles: str, *, labels: str = ..., hydrogens: str = ..., on_error: str = ...) -> Graph: ...
@overload
def from_smiles(smiles: Iterable[str], *, labels: str = ..., hydrogens: str = ..., on_error: str = ...) -> list[Graph]: ...
def from_smiles(
    smiles: str | Iterable[str],
    *,
    labels: str = "atom",
    hydrogens: str = "implicit",
    on_error: str = "raise",
) -> Graph | list[Graph]:
    """Read molecules from SMILES.

    Bonds are called by their signs, ``-``, ``=``, ``#`` and ``:`` for aromatic ones; rings and aromaticity are found out, however
    a molecule is drawn.

    Parameters
    ----------
    smiles
        A SMILES, or several.
    labels
        What atoms are called: ``"atom"`` (with charge, hydrogens and whether it is aromatic), ``"element"``, as :func:`as_graph` calls
        those of RDKit, or a list such as ``"element,charge"`` of ``charge``, ``hydrogens``, ``aromatic``, ``isotope`` and ``ring``.
    hydrogens
        ``"implicit"``, or ``"explicit"``: all hydrogens are vertices.
    on_error
        What to do with a SMILES that cannot be read: ``"raise"``, ``"skip"`` it, or ``"empty"``: a graph without vertices stands in its
        place. A warning says why.

    Returns
    -------
    Graph or list of Graph
        A graph for each SMILES.

    Raises
    ------
    ValueError
        If a SMILES cannot be read; the message says which, and at which character.

    Examples
    --------
    >>> import allpaths as ap
    >>> ap.from_smiles("c1cc[nH]c1").vertex_labels
    ['cH', 'cH', 'cH', 'nH', 'cH']
    >>> ap.from_smiles(["CCO", "CC=O"])[1].edge_labels
    ['-', '=']
    """
    if not isinstance(labels, str):
        raise TypeError(f"labels must be a text such as 'atom' or 'element,charge', got {labels!r}")
    settings = {
        "atom_labels": labels,
        "hydrogens": choice("hydrogens", hydrogens, ("implicit", "explicit")),
        "on_error": {"raise": "fail"}.get(choice("on_error", on_error, ("raise", "skip", "empty")), on_error),
    }
    if isinstance(smiles, str) and on_error == "skip":
        raise ValueError("on_error='skip' leaves nothing of a single SMILES: take 'empty', or give a list")
    lines = [smiles] if isinstance(smiles, str) else list(smiles)
    for place, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"SMILES {place} must be a text, got {line!r}")
        if not line.strip() or "\n" in line or "\r" in line:
            raise ValueError(f"SMILES {place} must be one line that is not empty, got {line!r}")
    if not lines:
        return []
    graphs, notes = read_smiles("\n".join(lines), json.dumps(settings))
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return graphs[0] if isinstance(smiles, str) else graphs


def similar(
    queries: Any,
    library: Any,
    *,
    top: int = 10,
    measure: str = "minmax",
    max_length: int = 6,
    edge_labels: bool = False,
    n_jobs: int | None = None,
) -> "list[tuple[np.ndarray, np.ndarray]]":
    """Find the graphs of a library that are most similar to others.

    Graphs are compared by their counts of labelled paths and cycles. Every answer is exact; of equally similar graphs those that come first
    in the library come first.

    Parameters
    ----------
    queries
        Graphs to look for, of any kind that :func:`as_graph` reads.
    library
        Graphs to look among.
    top
        How many to find for each.
    measure
        ``"minmax"``, the sum of the smaller counts over that of the larger ones, known as Tanimoto's coefficient; ``"intersection"``, the
        sum of the smaller ones; or ``"cosine"``.
    max_length
        The longest paths and cycles.
    edge_labels
        Whether the labels of edges have a say.
    n_jobs
        The number of threads that count paths; None is 1, -1 all processors.

    Returns
    -------
    list of (ndarray, ndarray)
        For each query, the places of the nearest graphs in the library and their scores, the best first.

    Examples
    --------
    >>> import allpaths as ap
    >>> library = ap.from_smiles(["CCO", "CCN", "c1ccccc1"])
    >>> places, scores = ap.similar(ap.from_smiles(["CCCO"]), library, top=2)[0]
    >>> places.tolist(), scores.tolist()
    ([0, 1], [0.45454545454545453, 0.23076923076923078])
    """
    settings = {
        "profile": profile_of(max_length, None),
        "edge_labels": "used" if flag("edge_labels", edge_labels) else "ignored",
        "threads": threads(n_jobs),
    }
    name = choice("measure", measure, MEASURES)
    count = whole("top", top, 0)
    wanted, known = (convert_all(graphs, Options(), "raise")[0] for graphs in (queries, library))
    return nearest(wanted, known, json.dumps(settings), name, count)

"""Counts of paths and cycles."""

import json
from typing import Any, Literal

from ._checks import choice, limits, progress, threads, whole
from ._checks import engine as check_engine
from ._convert import convert
from ._labels import text
from ._native import Graph, count, count_between, count_by_vertex
from ._settings import CONVENTIONS
from ._sources import Options


def count_paths(
    graph: Any,
    max_length: int,
    *,
    source: Any = None,
    target: Any = None,
    by: Literal["vertex"] | None = None,
    directed: bool | None = None,
    convention: str = "distinct",
    engine: str = "auto",
    budget: int | None = None,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> list[Any]:
    """Count the simple paths of a graph by length.

    A path repeats no vertex. Its length is its number of edges; one without edges is a vertex. A path of an undirected graph counts once,
    whichever way it is read.

    Parameters
    ----------
    graph
        A graph of any kind that :func:`as_graph` reads.
    max_length
        The longest length.
    source, target
        Two vertices: only paths from one to the other count. Vertices are called as in the graph that was given.
    by
        ``"vertex"``: counts for each vertex apart, of the paths that start there.
    directed
        Whether edges have a direction; None: as the graph says.
    convention
        ``"distinct"``, or ``"rooted"``: an undirected path counts once from each of its ends.
    engine
        How to count: ``"auto"``, ``"depth-first"``, ``"sieve"`` (the algorithm of Giscard and Wilson) or another that the program knows.
        All give the same numbers.
    budget
        The most steps that a length may take.
    time_limit
        The most seconds.
    n_jobs
        The number of threads; None is 1, -1 all processors.
    verbose
        Whether to show progress.

    Returns
    -------
    list of int
        How many paths there are of length 0, 1, ..., ``max_length``, exactly. None for lengths that a limit left uncounted. With
        ``by="vertex"``, such a list for each vertex.

    Examples
    --------
    >>> import allpaths as ap
    >>> import networkx as nx
    >>> ap.count_paths(nx.path_graph(4), max_length=4)
    [4, 3, 2, 1, 0]
    >>> ap.count_paths(nx.Graph(["ab", "bc", "ca"]), max_length=2, source="a", target="b")
    [0, 1, 1]
    >>> ap.count_paths(nx.complete_graph(30), max_length=29, budget=10**6)[:5]
    [30, 435, 12180, 328860, 8550360]
    """
    job = _Job("Paths", graph, max_length, by, directed, convention, engine, budget, time_limit, n_jobs, verbose)
    if (source is None) != (target is None):
        raise ValueError("source and target go together: give both or none")
    if source is None:
        return job.run(0)
    if by is not None:
        raise ValueError("paths between source and target belong to no vertex: leave out by")
    if convention == "rooted":
        raise ValueError("paths between source and target start at source: leave out convention")
    start, end = _vertex(job.graph, "source", source), _vertex(job.graph, "target", target)
    return job.padded(count_between(job.graph, job.settings, start, end, job.progress)[0])


def count_cycles(
    graph: Any,
    max_length: int,
    *,
    by: Literal["vertex"] | None = None,
    directed: bool | None = None,
    convention: str = "distinct",
    engine: str = "auto",
    budget: int | None = None,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> list[Any]:
    """Count the simple cycles of a graph by length.

    A cycle repeats no vertex but its ends and counts once, wherever it starts. In an undirected graph it has at least three edges and
    counts once for both directions; a directed one may have two. A self-loop is a cycle of length 1.

    Parameters
    ----------
    graph
        A graph of any kind that :func:`as_graph` reads.
    max_length
        The longest length.
    by
        ``"vertex"``: counts for each vertex apart, of the cycles through it.
    directed, engine, budget, time_limit, n_jobs, verbose
        As in :func:`count_paths`.
    convention
        ``"distinct"``, or ``"rooted"``: a cycle counts once for each vertex it can start at and each direction, and an undirected edge to
        and fro is a cycle of length 2.

    Returns
    -------
    list of int
        How many cycles there are of length 0, 1, ..., ``max_length``, exactly. None for lengths that a limit left uncounted. With
        ``by="vertex"``, such a list for each vertex.

    Examples
    --------
    >>> import allpaths as ap
    >>> import networkx as nx
    >>> ap.count_cycles(nx.karate_club_graph(), max_length=6)
    [0, 0, 0, 45, 154, 374, 969]
    >>> ap.count_cycles(nx.DiGraph([(0, 1), (1, 0)]), max_length=2)
    [0, 0, 1]
    """
    return _Job("Cycles", graph, max_length, by, directed, convention, engine, budget, time_limit, n_jobs, verbose).run(1)


class _Job:
    """A count with all that was asked for."""

    def __init__(
        self,
        subject: str,
        graph: Any,
        max_length: int,
        by: str | None,
        directed: bool | None,
        convention: str,
        engine: str,
        budget: int | None,
        time_limit: float | None,
        n_jobs: int | None,
        verbose: bool,
    ) -> None:
        self.max_length = whole("max_length", max_length, 0)
        if by not in (None, "vertex"):
            raise ValueError(f"by must be None or 'vertex', got {by!r}")
        self.by = by
        self.rooted = choice("convention", convention, CONVENTIONS) == "rooted"
        self.settings = json.dumps(
            {
                "max_length": self.max_length,
                "engine": check_engine(engine),
                "subject": subject.lower(),
                "limits": limits(budget, time_limit),
                "threads": threads(n_jobs),
            }
        )
        self.graph = convert(graph, Options(None, None, None, directed, named=True))
        self.progress = progress(verbose, subject)

    def run(self, kind: Literal[0, 1]) -> list[Any]:
        """Count paths (0) or cycles (1)."""
        if self.by is None:
            return self.padded(count(self.graph, self.settings, self.rooted, self.progress)[kind])
        return [self.padded(found[kind]) for found in count_by_vertex(self.graph, self.settings, self.rooted, self.progress)]

    def padded(self, counts: list[int] | None) -> list[int | None]:
        """Give counts of all lengths, with None for those that were not finished."""
        assert counts is not None, "what was asked for was counted"
        return [*counts, *[None] * (self.max_length + 1 - len(counts))]


def _vertex(graph: Graph, name: str, vertex: Any) -> int:
    number = graph.vertex(text(vertex))
    if number is None:
        raise ValueError(f"{name} {vertex!r} is not in the graph")
    return number

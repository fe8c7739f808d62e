"""Estimates of numbers of paths and cycles, where counting would take too long."""

import json
from typing import Any, NamedTuple

from ._checks import limits, positive, progress, share, threads, whole
from ._convert import convert
from ._native import estimate
from ._sources import Options


class Estimate(NamedTuple):
    """About how many paths or cycles of a length there are: an estimate from samples, no count unless `exact` says so."""

    value: float
    """The estimate."""
    low: float
    """The lower end of the confidence interval."""
    high: float
    """The upper end; infinite where nothing was found and nothing bounds what there may be."""
    samples: int
    """How many samples it comes from: 0 for what was counted."""
    exact: int | None
    """The number itself, where it was counted."""


def estimate_paths(
    graph: Any,
    max_length: int,
    *,
    error: float = 0.01,
    confidence: float = 0.95,
    seed: int = 0,
    exact_seconds: float = 1.0,
    max_samples: int = 10_000_000,
    directed: bool | None = None,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> list[Estimate | None]:
    """Estimate how many simple paths a graph has, by length.

    What is a path is as in :func:`count_paths`. Lengths that are expected to take no longer than ``exact_seconds`` are counted. For the
    others random samples are drawn, and what is returned is no count but an estimate, with an interval that holds the true number as
    often as ``confidence`` says.

    Parameters
    ----------
    graph
        A graph of any kind that :func:`as_graph` reads.
    max_length
        The longest length.
    error
        Half the width of an interval at most, as a share of the number.
    confidence
        How often, over all seeds, an interval is to hold the true number.
    seed
        The seed of the samples. The same seed gives the same numbers, for any number of threads.
    exact_seconds
        How many seconds a length may be expected to take, on one processor, to be counted; 0 to sample all that is longer than 2.
    max_samples
        The most samples for one number. Its interval may then be wider than ``error`` says.
    directed
        Whether edges have a direction; None: as the graph says.
    time_limit
        The most seconds. Intervals may then be wider, too.
    n_jobs
        The number of threads; None is 1, -1 all processors.
    verbose
        Whether to show progress.

    Returns
    -------
    list of Estimate
        For length 0, 1, ..., ``max_length`` the estimate, its interval, the number of samples, and the count where it was counted. None
        for lengths of which the time limit left no samples.

    Examples
    --------
    >>> import allpaths as ap
    >>> import networkx as nx
    >>> estimates = ap.estimate_paths(nx.complete_graph(40), max_length=6, exact_seconds=0, seed=1)
    >>> estimates[2]
    Estimate(value=29640.0, low=29640.0, high=29640.0, samples=0, exact=29640)
    >>> estimates[6].exact is None and estimates[6].samples > 0
    True
    >>> truth = ap.count_paths(nx.complete_graph(40), max_length=6)[6]
    >>> estimates[6].low <= truth <= estimates[6].high
    True
    """
    return _estimates(
        "Paths", graph, max_length, error, confidence, seed, exact_seconds, max_samples, directed, time_limit, n_jobs, verbose
    )


def estimate_cycles(
    graph: Any,
    max_length: int,
    *,
    error: float = 0.01,
    confidence: float = 0.95,
    seed: int = 0,
    exact_seconds: float = 1.0,
    max_samples: int = 10_000_000,
    directed: bool | None = None,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> list[Estimate | None]:
    """Estimate how many simple cycles a graph has, by length.

    What is a cycle is as in :func:`count_cycles`, and what is an estimate as in :func:`estimate_paths`.

    Parameters
    ----------
    graph
        A graph of any kind that :func:`as_graph` reads.
    max_length
        The longest length.
    error, confidence, seed, exact_seconds, max_samples, directed, time_limit, n_jobs, verbose
        As in :func:`estimate_paths`.

    Returns
    -------
    list of Estimate
        As :func:`estimate_paths` returns.

    Examples
    --------
    >>> import allpaths as ap
    >>> import networkx as nx
    >>> cycles = ap.estimate_cycles(nx.karate_club_graph(), max_length=6, exact_seconds=0, seed=1)
    >>> cycles[6].exact is None and cycles[6].low <= 969 <= cycles[6].high
    True
    """
    return _estimates(
        "Cycles", graph, max_length, error, confidence, seed, exact_seconds, max_samples, directed, time_limit, n_jobs, verbose
    )


def _estimates(
    subject: str,
    graph: Any,
    max_length: int,
    error: float,
    confidence: float,
    seed: int,
    exact_seconds: float,
    max_samples: int,
    directed: bool | None,
    time_limit: float | None,
    n_jobs: int | None,
    verbose: bool,
) -> list[Estimate | None]:
    settings = {
        "max_length": whole("max_length", max_length, 0),
        "subject": subject.lower(),
        "error": share("error", error),
        "confidence": share("confidence", confidence),
        "seed": whole("seed", seed, 0, 2**64 - 1),
        "exact_seconds": 0.0 if exact_seconds == 0 else positive("exact_seconds", exact_seconds),
        "max_samples": whole("max_samples", max_samples, 1, 2**63),
        "time": limits(None, time_limit)["time"],
        "threads": threads(n_jobs),
    }
    converted = convert(graph, Options(None, None, None, directed))
    found = estimate(converted, json.dumps(settings), progress(verbose, subject))
    return [number and Estimate(*number) for number in found]

"""Estimates hold the truth, say what they are, and are the same for the same seed."""

import networkx as nx
import pytest

import allpaths as ap


def test_intervals_hold_the_truth():
    graph = nx.gnm_random_graph(40, 200, seed=3)
    for estimates, counts in [
        (ap.estimate_paths(graph, 6, exact_seconds=0, confidence=0.9999), ap.count_paths(graph, 6)),
        (ap.estimate_cycles(graph, 6, exact_seconds=0, confidence=0.9999), ap.count_cycles(graph, 6)),
    ]:
        assert [estimate.exact for estimate in estimates] == [*counts[:3], *[None] * 4]
        for estimate, count in zip(estimates, counts, strict=True):
            assert estimate.low <= count <= estimate.high
            assert estimate.low <= estimate.value <= estimate.high
        assert all(estimate.samples > 0 and estimate.low < estimate.high for estimate in estimates[3:])
        assert all(estimate.high - estimate.value <= 0.0101 * estimate.value for estimate in estimates[3:])


def test_what_is_short_is_counted():
    graph = nx.karate_club_graph()
    assert [estimate.exact for estimate in ap.estimate_cycles(graph, 6)] == ap.count_cycles(graph, 6)
    arcs = nx.DiGraph([(0, 1), (1, 2), (2, 0), (1, 0)])
    assert [estimate.exact for estimate in ap.estimate_paths(arcs, 2)] == ap.count_paths(arcs, 2)


def test_large_counts_keep_all_digits():
    (*_, longest) = ap.estimate_paths(nx.complete_graph(60), 9)
    assert longest.exact == ap.count_paths(nx.complete_graph(60), 9)[9] > 2**53


def test_seeds_and_threads():
    graph = nx.gnm_random_graph(40, 200, seed=3)

    def estimate(seed, n_jobs):
        return ap.estimate_paths(graph, 5, exact_seconds=0, seed=seed, n_jobs=n_jobs)

    assert estimate(1, 1) == estimate(1, 2)
    assert estimate(1, 1) != estimate(2, 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"error": 0}, "error must be above 0 and below 1"),
        ({"confidence": 1.0}, "confidence must be above 0 and below 1"),
        ({"seed": -1}, "seed must be"),
        ({"max_samples": 0}, "max_samples must be"),
        ({"exact_seconds": -1}, "exact_seconds must be above 0"),
    ],
)
def test_what_makes_no_sense_is_named(settings, message):
    with pytest.raises(ValueError, match=message):
        ap.estimate_paths(nx.path_graph(4), 3, **settings)

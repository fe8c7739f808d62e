"""Counts equal those of enumeration, and end when they are told to."""

import collections
import math
import os
import signal
import subprocess
import sys
import time

import networkx as nx
import pytest
from conftest import random_graph

import allpaths as ap


def enumerated_paths(graph, length):
    """How many paths have so many edges, by listing them."""
    if length == 0:
        return graph.order()
    pairs = ((u, v) for u in graph for v in graph if u != v)
    paths = sum(1 for u, v in pairs for path in nx.all_simple_paths(graph, u, v, cutoff=length) if len(path) == length + 1)
    return paths if graph.is_directed() else paths // 2


def enumerated_cycles(graph, lengths):
    found = collections.Counter(len(cycle) for cycle in nx.simple_cycles(graph))
    return [found[length] for length in range(lengths + 1)]


@pytest.mark.parametrize("directed", [False, True])
def test_networkx_lists_as_many(directed):
    for seed in range(100):
        graph = random_graph(seed, directed, labelled=False)
        assert ap.count_cycles(graph, 9) == enumerated_cycles(graph, 9), seed
        assert ap.count_paths(graph, 4) == [enumerated_paths(graph, length) for length in range(5)], seed


def test_between_two_vertices_that_have_names():
    graph = nx.Graph(["ab", "bc", "ca", "cd"])
    assert ap.count_paths(graph, 3, source="a", target="d") == [0, 0, 1, 1]
    assert ap.count_paths([("a", "b"), ("b", "c")], 2, source="c", target="a") == [0, 0, 1]
    with pytest.raises(ValueError, match="source 'x' is not in the graph"):
        ap.count_paths(graph, 3, source="x", target="d")
    with pytest.raises(ValueError, match="give both or none"):
        ap.count_paths(graph, 3, source="a")


def test_by_vertex():
    triangle_with_tail = [(0, 1), (1, 2), (2, 0), (2, 3)]
    assert ap.count_cycles(triangle_with_tail, 3, by="vertex") == [[0, 0, 0, 1]] * 3 + [[0, 0, 0, 0]]
    assert ap.count_paths(triangle_with_tail, 1, by="vertex") == [[1, 2], [1, 2], [1, 3], [1, 1]]


def test_rooted_counts_each_start_and_direction():
    triangle = nx.cycle_graph(3)
    assert ap.count_cycles(triangle, 3, convention="rooted") == [0, 0, 6, 6]
    assert ap.count_paths(triangle, 2, convention="rooted") == [3, 6, 6]


@pytest.mark.parametrize("engine", ["auto", "depth-first", "sieve"])
def test_engines_agree(engine):
    assert ap.count_cycles(nx.petersen_graph(), 9, engine=engine) == [0, 0, 0, 0, 0, 12, 10, 0, 15, 20]


def test_large_numbers_are_exact():
    # Of a complete graph, n! / (n - k - 1)! / 2 paths have length k.
    order, longest = 60, 6
    paths = ap.count_paths(nx.complete_graph(order), longest)
    assert paths == [order, *(math.perm(order, length + 1) // 2 for length in range(1, longest + 1))]


def test_integers_past_64_bits():
    paths = ap.count_paths(nx.complete_graph(700), 6, engine="quotient")
    assert paths[6] == math.perm(700, 7) // 2 > 2**64


def test_a_budget_leaves_lengths_uncounted():
    counts = ap.count_paths(nx.complete_graph(30), 29, budget=10**5)
    assert counts[:3] == [30, 435, 12180]
    assert counts[-1] is None
    assert len(counts) == 30


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_length": -1}, "max_length must be at least 0"),
        ({"max_length": "3"}, "max_length must be a whole number"),
        ({"engine": "fast"}, "engine: .*depth-first"),
        ({"convention": "both"}, "convention must be one of"),
        ({"n_jobs": 0}, "n_jobs must not be 0"),
        ({"budget": -1}, "budget must be at least 0"),
        ({"time_limit": 0}, "time_limit must be above 0"),
        ({"by": "pair"}, "by must be"),
    ],
)
def test_messages_name_the_parameter(parameters, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ap.count_cycles(nx.path_graph(3), **({"max_length": 3} | parameters))


@pytest.mark.parametrize(
    "job",
    [
        "ap.count_paths(nx.complete_graph(60), 50, engine='depth-first')",
        "ap.count_cycles(nx.complete_graph(60), 50, engine='depth-first', n_jobs=2)",
        "ap.AllPathsCycles(50).fit([nx.complete_graph(60)])",
        "ap.AllPathsCyclesKernel(50).fit([nx.complete_graph(60)])",
    ],
)
def test_ctrl_c_ends_a_long_job(job):
    # Whoever runs tests in the background may have them ignore Ctrl-C.
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{listen}; import allpaths as ap, networkx as nx; ap.AllPathsCycles; print('begun', flush=True); {job}"
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    assert process.poll() is None, "the job takes longer than a test may"
    os.kill(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=30)  # not the age of the universe
    assert "KeyboardInterrupt" in told


def test_an_error_of_a_handler_comes_through():
    script = """
import signal, allpaths as ap, networkx as nx
def ring(*_): raise RuntimeError("time is up")
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.3)
ap.count_paths(nx.complete_graph(60), 50, engine='depth-first')
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert "RuntimeError: time is up" in ended.stderr


def test_progress_is_shown(capfd):
    ap.count_paths(nx.complete_graph(14), 12, verbose=True, budget=10**8)
    assert capfd.readouterr().err.startswith("\r[Paths]")
    ap.count_paths(nx.complete_graph(14), 4)
    assert capfd.readouterr().err == ""

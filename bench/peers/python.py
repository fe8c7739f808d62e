"""The Python package beside GraKeL and beside the program, each line measured in one run.

What runs on one thread is measured in seconds of the processor, which other programs on the machine do not lengthen much.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import grakel
import networkx as nx
import numpy as np

import allpaths as ap

warnings.filterwarnings("ignore")


def seconds(work, times, clock=time.process_time):
    """Give the least time of several, and what came out last."""
    least = float("inf")
    for _ in range(times):
        start = clock()
        result = work()
        least = min(least, clock() - start)
    return least, result


def of_children():
    """Give the seconds of the processor that programs took which were started here."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def beside_grakel(graphs, times):
    """GraKeL and ours on what GraKeL takes, conversion included."""
    given = []
    for graph in graphs:
        edges = dict(zip(map(tuple, graph.edges.tolist()), graph.edge_labels or [0] * graph.size, strict=True))
        edges |= {(v, u): label for (u, v), label in edges.items()}
        given.append([set(edges), dict(enumerate(map(int, graph.vertex_labels))), edges])
    for name, ours, theirs in [
        ("WeisfeilerLehman(n_iter=5)", lambda: ap.WeisfeilerLehman(n_iter=5), lambda: grakel.WeisfeilerLehman(n_iter=5)),
        ("ShortestPath()", ap.ShortestPath, grakel.ShortestPath),
    ]:
        us, our_gram = seconds(lambda: ours().fit_transform(given), times)
        them, their_gram = seconds(lambda: theirs().fit_transform(given), 1)
        same = np.array_equal(our_gram, their_gram)
        print(f"{name}: GraKeL {them:.2f} s, ours {us:.3f} s, {them / us:.1f} x, same numbers: {same}")


def networkx_rate(graphs, times):
    """Graphs of networkx to features, conversion included, on one thread."""
    given = []
    for graph in graphs:
        other = nx.Graph()
        other.add_nodes_from((v, {"label": label}) for v, label in enumerate(graph.vertex_labels))
        other.add_edges_from((u, v, {"label": label}) for (u, v), label in zip(graph.edges.tolist(), graph.edge_labels or "-" * graph.size))
        given.append(other)
    convert, _ = seconds(lambda: [ap.as_graph(graph) for graph in given], times)
    print(f"networkx: conversion alone {len(given) / convert:,.0f} graphs/s")
    for length in (3, 6):
        took, _ = seconds(lambda: ap.AllPathsCycles(length).fit_transform(given), times)
        print(f"networkx to sequences of length {length}: {len(given) / took:,.0f} graphs/s")


def arrays_beside_the_program(folder, graphs, program, times):
    """Arrays to features, beside the program on its files: reading, embedding, and writing the matrix."""
    given = [(graph.edges, np.array([int(label) for label in graph.vertex_labels])) for graph in graphs]
    for length in (3, 7):
        ours, _ = seconds(lambda length=length: ap.AllPathsCycles(length).fit_transform(given), times)
        with tempfile.TemporaryDirectory() as scratch:
            command = [program, "embed", folder, "-l", str(length), "--threads", "1", "--format", "json", "-o", f"{scratch}/x.npz"]

            def run(command=command):
                return json.loads(subprocess.check_output(command, stderr=subprocess.DEVNULL))["seconds"]

            whole, parts = seconds(run, times, of_children)
        unwritten = whole * (parts["read"] + parts["embed"]) / sum(parts.values())
        print(
            f"arrays, length {length}: ours {ours * 1e3:.0f} ms; the program {whole * 1e3:.0f} ms ({ours / whole:.2f} x), "
            f"without writing about {unwritten * 1e3:.0f} ms ({ours / unwritten:.2f} x)"
        )


def two_threads(graphs, times):
    """What a second thread is worth."""
    for name, work in [
        ("AllPathsCycles(9)", lambda n_jobs: ap.AllPathsCycles(9, n_jobs=n_jobs).fit_transform(graphs)),
        ("AllPathsCyclesKernel(7)", lambda n_jobs: ap.AllPathsCyclesKernel(7, n_jobs=n_jobs).fit_transform(graphs)),
    ]:
        one, two = (seconds(lambda jobs=n_jobs: work(jobs), times, time.perf_counter)[0] for n_jobs in (1, 2))
        print(f"{name}: one thread {one:.3f} s, two {two:.3f} s: {one / two:.2f} x")


def importing():
    """How much longer the interpreter takes to start."""

    def start(code):
        return seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True), 1, of_children)[0]

    with_it = statistics.median(start("import allpaths") for _ in range(15))
    without = statistics.median(start("pass") for _ in range(15))
    print(f"import allpaths: {(with_it - without) * 1e3:.0f} ms beside {without * 1e3:.0f} ms for the interpreter, of the processor")


def interrupting():
    """How long a count goes on after Ctrl-C."""
    import _thread
    import threading

    told = []

    def interrupt():
        time.sleep(1)
        told.append(time.perf_counter())
        _thread.interrupt_main()

    threading.Thread(target=interrupt).start()
    try:
        ap.count_paths(nx.gnp_random_graph(60, 0.5, seed=1), 50)
    except KeyboardInterrupt:
        print(f"Ctrl-C: back after {(time.perf_counter() - told[0]) * 1e3:.0f} ms")


parser = argparse.ArgumentParser()
parser.add_argument("--program", default="target/release/allpaths")
parser.add_argument("--times", type=int, default=5)
arguments = parser.parse_args()
folder = Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets" / "NCI1"
graphs = ap.datasets.load_tu(folder).graphs
importing()
interrupting()
networkx_rate(graphs, arguments.times)
arrays_beside_the_program(folder, graphs, arguments.program, arguments.times)
two_threads(graphs, arguments.times)
beside_grakel(graphs, arguments.times)

"""Gram matrices by allpaths and by GraKeL, in one run on one thread.

Both have the graphs in memory when the clock starts, and the whole matrix when it stops. Each job is run several times and the fastest run counts. GraKeL's
graphlets have one size for each matrix, so the times of its three are added up. It gets graphs as its own loader of datasets gives them, sets of edges; where a
line says so, as dictionaries of neighbours, which it takes in faster.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

from grakel.kernels import (  # noqa: E402 (after the number of threads)
    GraphletSampling,
    NeighborhoodSubgraphPairwiseDistance,
    RandomWalkLabeled,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
    WeisfeilerLehmanOptimalAssignment,
)

PROGRAM = Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "release" / "allpaths"
DATA = Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets"


def read(name: str) -> list[tuple[set, dict, dict]]:
    """The graphs as (arcs, labels, one label for all arcs)."""
    lines = lambda part: (DATA / name / f"{name}_{part}.txt").read_text().splitlines()
    graph_of = [int(line) - 1 for line in lines("graph_indicator")]
    graphs = [(set(), {}, {}) for _ in range(max(graph_of) + 1)]
    for v, (graph, label) in enumerate(zip(graph_of, lines("node_labels"), strict=True)):
        graphs[graph][1][v] = int(label)
    for line in lines("A"):
        u, v = (int(end) - 1 for end in line.split(","))
        graphs[graph_of[u]][0].add((u, v))
        graphs[graph_of[u]][2][u, v] = 0
    return graphs


def as_neighbours(graphs: list) -> list[tuple[dict, dict, dict]]:
    """The same graphs as (neighbours with weights, labels, one label for all arcs)."""
    given = []
    for arcs, labels, arc_labels in graphs:
        neighbours = {v: {} for v in labels}
        for u, v in arcs:
            neighbours[u][v] = 1.0
        given.append((neighbours, labels, arc_labels))
    return given


def ours(dataset: str, arguments: str) -> float:
    """The seconds of our fastest run, without reading and writing."""
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "gram", DATA / dataset, "-o", f"{folder}/gram.npy", "--threads", "1", "--format", "json"]
        runs = [json.loads(subprocess.check_output([*command, *arguments.split()], stderr=subprocess.DEVNULL)) for _ in range(5)]
    return min(run["seconds"]["embed"] + run["seconds"]["gram"] for run in runs)


def theirs(graphs: list, kernels: list, times: int) -> float:
    """The seconds that GraKeL takes for all of these kernels, each in its fastest run."""
    total = 0.0
    for kernel, settings in kernels:
        runs = []
        for _ in range(times):
            start = time.perf_counter()
            kernel(**settings).fit_transform(graphs)
            runs.append(time.perf_counter() - start)
        total += min(runs)
    return total


SUBTREES = (WeisfeilerLehman, {"n_iter": 5, "base_graph_kernel": VertexHistogram})
JOBS = [
    ("Weisfeiler-Lehman, 5 rounds", "NCI1", "--kernel wl --rounds 5", [SUBTREES], 3),
    ("the same, dictionaries of neighbours", "NCI1", "--kernel wl --rounds 5", [SUBTREES], 3),
    ("shortest paths", "NCI1", "--kernel shortest-path", [(ShortestPath, {})], 2),
    ("optimal assignment, 5 rounds", "ENZYMES", "--kernel wl-oa --rounds 5", [(WeisfeilerLehmanOptimalAssignment, {"n_iter": 5})], 2),
    ("optimal assignment, 7 rounds", "NCI1", "--kernel wl-oa --rounds 7", [], 0),
    ("connected graphlets of 3 to 5 vertices", "ENZYMES", "--kernel graphlet", [(GraphletSampling, {"k": k}) for k in (3, 4, 5)], 1),
    ("random walks of all lengths", "MUTAG", "--kernel random-walk --lambda 0.1", [(RandomWalkLabeled, {})], 1),
    ("nspdk, radius 3, distance 4", "MUTAG", "--kernel nspdk", [(NeighborhoodSubgraphPairwiseDistance, {})], 2),
    ("nspdk, radius 3, distance 4", "PTC_MR", "--kernel nspdk", [(NeighborhoodSubgraphPairwiseDistance, {})], 2),
    ("paths and cycles as sequences to length 7, minmax", "NCI1", "--kernel apc --encoding sequence -l 7 --compare minmax", [], 0),
    ("triangle:4 by cell, minmax", "NCI1", "--kernel apc --profile triangle:4 --compare minmax --by-cell", [], 0),
]


def main() -> None:
    if not DATA.is_dir():
        raise SystemExit(f"no {DATA}: set ALLPATHS_DATA")
    data = {name: read(name) for name in ("NCI1", "ENZYMES", "MUTAG", "PTC_MR")}
    print(f"{'one thread, Gram matrix included':60}  {'allpaths':>9}  {'GraKeL':>9}  {'times ours':>10}")
    for name, dataset, arguments, kernels, times in JOBS:
        graphs = as_neighbours(data[dataset]) if "dictionaries" in name else data[dataset]
        seconds, peer = ours(dataset, arguments), theirs(graphs, kernels, times)
        # Before and after the peer, so that neither has the quieter machine.
        seconds = min(seconds, ours(dataset, arguments))
        beside = f"  {peer:7.2f} s  {peer / seconds:10.0f}" if kernels else ""
        print(f"{f'{name}, {dataset}':60}  {seconds:7.3f} s{beside}", flush=True)


if __name__ == "__main__":
    main()

"""Counts all simple paths of MUTAG to a length with allpaths and with its peers, in one run on one thread.

Each job is run several times and the fastest run counts. All must find the same numbers.
"""

import json
import os
import subprocess
import time
from pathlib import Path

import igraph
import networkx
import rustworkx

DATA = Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets" / "MUTAG"
LENGTH = 6


def read() -> list[tuple[int, list[tuple[int, int]]]]:
    """The graphs as (number of vertices, edges)."""
    graph_of = [int(line) for line in (DATA / "MUTAG_graph_indicator.txt").read_text().split()]
    first, orders = {}, {}
    for vertex, graph in enumerate(graph_of):
        first.setdefault(graph, vertex)
        orders[graph] = orders.get(graph, 0) + 1
    edges = {graph: [] for graph in orders}
    for line in (DATA / "MUTAG_A.txt").read_text().splitlines():
        u, v = (int(end) - 1 for end in line.split(","))
        if u < v:
            edges[graph_of[u]].append((u - first[graph_of[u]], v - first[graph_of[v]]))
    return [(orders[graph], edges[graph]) for graph in sorted(orders)]


def with_igraph(graphs: list[igraph.Graph]) -> int:
    """Every path from every vertex, so each path twice."""
    return sum(len(g.get_all_simple_paths(v, maxlen=LENGTH)) for g in graphs for v in range(g.vcount())) // 2


def with_rustworkx(graphs: list[rustworkx.PyGraph]) -> int:
    """All pairs at once. Its cutoff counts vertices."""
    total = 0
    for graph in graphs:
        pairs = rustworkx.all_pairs_all_simple_paths(graph, cutoff=LENGTH + 1)
        total += sum(len(paths) for source in pairs.values() for paths in source.values())
    return total // 2


def with_networkx(graphs: list[networkx.Graph]) -> int:
    """From every vertex to all others."""
    total = 0
    for graph in graphs:
        for v in graph:
            others = [w for w in graph if w != v]
            total += sum(1 for _ in networkx.all_simple_paths(graph, v, others, cutoff=LENGTH))
    return total // 2


def with_allpaths(times: int) -> tuple[int, float]:
    """Paths and cycles, all in one process; it times each run itself, without reading, as the peers are timed."""
    command = ["target/release/allpaths", "count", *[DATA] * times, "--max-length", str(LENGTH), "--threads", "1"]
    lines = subprocess.check_output([*command, "--format", "json"], text=True).splitlines()
    answers = [json.loads(line) for line in lines]
    return sum(int(n) for n in answers[0]["paths"][1:]), min(answer["seconds"]["count"] for answer in answers)


def fastest(job, graphs, times: int) -> tuple[int, float]:
    """What the job finds, and the seconds of its fastest run."""
    runs = []
    for _ in range(times):
        start = time.perf_counter()
        found = job(graphs)
        runs.append(time.perf_counter() - start)
    return found, min(runs)


def main() -> None:
    if not DATA.is_dir():
        raise SystemExit(f"no {DATA}: set ALLPATHS_DATA")
    graphs = read()
    for_rustworkx = [rustworkx.PyGraph() for _ in graphs]
    for graph, (n, edges) in zip(for_rustworkx, graphs):
        graph.add_nodes_from(range(n))
        graph.add_edges_from_no_data(edges)
    peers = {
        f"rustworkx {rustworkx.__version__}": (with_rustworkx, for_rustworkx, 5),
        f"igraph {igraph.__version__}": (with_igraph, [igraph.Graph(n=n, edges=edges) for n, edges in graphs], 5),
        f"networkx {networkx.__version__}": (with_networkx, [networkx.Graph(edges) for _, edges in graphs], 2),
    }
    found, ours = with_allpaths(200)
    print(f"MUTAG, all simple paths of 1 to {LENGTH} edges: {found} (allpaths counts the cycles, too)")
    print(f"{'':18}  {'ms':>8}  {'times ours':>10}")
    print(f"{'allpaths':18}  {ours * 1000:8.2f}  {1:10}")
    for name, peer in peers.items():
        count, seconds = fastest(*peer)
        assert count == found, f"{name} finds {count}"
        print(f"{name:18}  {seconds * 1000:8.2f}  {seconds / ours:10.0f}")


if __name__ == "__main__":
    main()

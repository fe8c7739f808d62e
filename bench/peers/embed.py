"""Labelled paths of molecules with allpaths and with its peers, in one run on one thread.

RDKit lists the paths of 1 to 7 bonds of NCI1's molecules; graphkit-learn computes its path kernel (with tries) on some of MUTAG's. Each
job is run several times and the fastest run counts. RDKit lists rings among its paths, so it finds some more than we count as such.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import networkx
from gklearn.kernels.path_up_to_h import PathUpToH
from rdkit import Chem
from rdkit.Chem.rdmolops import FindAllPathsOfLengthN

DATA = Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets"
LENGTH = 7
SOME = 40


def read(name: str) -> list[tuple[list[str], list[tuple[int, int]]]]:
    """The graphs as (labels, edges)."""
    prefix = DATA / name / name
    lines = lambda part: Path(f"{prefix}_{part}.txt").read_text().splitlines()
    graph_of = [int(line) - 1 for line in lines("graph_indicator")]
    graphs, first = [([], []) for _ in range(max(graph_of) + 1)], {}
    for vertex, (graph, label) in enumerate(zip(graph_of, lines("node_labels"), strict=True)):
        first.setdefault(graph, vertex)
        graphs[graph][0].append(label.strip())
    for line in lines("A"):
        u, v = (int(end) - 1 for end in line.split(","))
        if u < v:
            graph = graph_of[u]
            graphs[graph][1].append((u - first[graph], v - first[graph]))
    return graphs


def molecule(labels: list[str], edges: list[tuple[int, int]]) -> Chem.Mol:
    """The graph as RDKit has it. Elements do not matter to its list of paths."""
    editable = Chem.RWMol()
    for _ in labels:
        editable.AddAtom(Chem.Atom(6))
    for u, v in edges:
        editable.AddBond(u, v, Chem.BondType.SINGLE)
    return editable.GetMol()


def fastest(job, times: int) -> tuple[object, float]:
    """What a job gives, and the seconds of its fastest run."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        result = job()
        best = min(best, time.perf_counter() - start)
    return result, best


def embed(dataset: Path, *arguments: str) -> float:
    """The seconds that embedding takes, without reading and writing, as the peers are timed; the fastest of five runs."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["target/release/allpaths", "embed", dataset, "-o", f"{folder}/features.npz", "--threads", "1", *arguments]
        runs = [json.loads(subprocess.check_output([*command, "--format", "json"])) for _ in range(5)]
    return min(run["seconds"]["embed"] for run in runs)


def paths_of(dataset: Path) -> int:
    """The paths of 1 to 7 edges, counted by us."""
    command = ["target/release/allpaths", "count", dataset, "--max-length", str(LENGTH), "--paths-only", "--format", "json"]
    return sum(map(int, json.loads(subprocess.check_output(command))["paths"][1:]))


def main() -> None:
    if not DATA.is_dir():
        raise SystemExit(f"no {DATA}: set ALLPATHS_DATA")
    molecules = [molecule(*graph) for graph in read("NCI1")]

    def rdkit() -> int:
        return sum(len(FindAllPathsOfLengthN(mol, n, useBonds=True)) for mol in molecules for n in range(1, LENGTH + 1))

    ours = embed(DATA / "NCI1", "--max-length", str(LENGTH))
    found, theirs = fastest(rdkit, 3)
    expected = paths_of(DATA / "NCI1")
    print(f"NCI1, paths to length {LENGTH}: allpaths embed {ours * 1e3:.1f} ms (fit, names and cycles included)")
    print(f"  RDKit FindAllPathsOfLengthN {theirs * 1e3:.0f} ms, {theirs / ours:.0f} x; {found} paths, ours {expected}")

    graphs = []
    for labels, edges in read("MUTAG")[:SOME]:
        graph = networkx.Graph()
        graph.add_nodes_from((v, {"atom": label}) for v, label in enumerate(labels))
        graph.add_edges_from((u, v, {"bond": "0"}) for u, v in edges)
        graphs.append(graph)
    with tempfile.TemporaryDirectory() as folder:
        some = Path(folder) / "SOME"
        write_tu(some, read("MUTAG")[:SOME])
        ours = embed(some, "--max-length", "4")

    def graphkit():
        kernel = PathUpToH(
            node_labels=["atom"], edge_labels=[], depth=4, k_func="MinMax", compute_method="trie", ds_infos={"directed": False}
        )
        return kernel.compute(graphs, parallel=None, n_jobs=1, verbose=0)

    _, theirs = fastest(graphkit, 2)
    print(f"MUTAG, {SOME} graphs, paths to length 4: allpaths embed {ours * 1e3:.2f} ms")
    print(f"  graphkit-learn PathUpToH, trie, its Gram matrix included {theirs * 1e3:.0f} ms, {theirs / ours:.0f} x")


def write_tu(folder: Path, graphs) -> None:
    """Graphs as a TU folder."""
    folder.mkdir()
    before, files = 0, {"A": [], "graph_indicator": [], "node_labels": [], "graph_labels": []}
    for number, (labels, edges) in enumerate(graphs, 1):
        files["A"] += [f"{before + u + 1}, {before + v + 1}" for u, v in edges]
        files["graph_indicator"] += [str(number)] * len(labels)
        files["node_labels"] += labels
        files["graph_labels"].append("0")
        before += len(labels)
    for part, lines in files.items():
        (folder / f"{folder.name}_{part}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

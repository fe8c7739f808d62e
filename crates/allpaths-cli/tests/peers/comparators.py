"""The kernels that the paper compares with, by allpaths and by GraKeL with scikit-learn, on the same folds: accuracies within two points."""

import csv
import json
import os
import subprocess
import tempfile
from pathlib import Path

from grakel.kernels import ShortestPath, VertexHistogram, WeisfeilerLehman, WeisfeilerLehmanOptimalAssignment
from sklearn.svm import SVC

PROGRAM = Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "debug" / "allpaths"
DATA = Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets"

KERNELS = [
    ("--kernel shortest-path --normalize --c 10", lambda: ShortestPath(normalize=True), 10),
    ("--kernel wl --rounds 2 --c 0.01", lambda: WeisfeilerLehman(n_iter=2, base_graph_kernel=VertexHistogram), 0.01),
    ("--kernel wl-oa --rounds 2 --c 1", lambda: WeisfeilerLehmanOptimalAssignment(n_iter=2), 1),
]


def read(name: str) -> list[tuple[dict, dict]]:
    """The graphs as (neighbours with weights, labels)."""
    lines = lambda part: (DATA / name / f"{name}_{part}.txt").read_text().splitlines()
    graph_of = [int(line) - 1 for line in lines("graph_indicator")]
    graphs = [({}, {}) for _ in range(max(graph_of) + 1)]
    for v, (graph, label) in enumerate(zip(graph_of, lines("node_labels"), strict=True)):
        graphs[graph][0][v], graphs[graph][1][v] = {}, int(label)
    for line in lines("A"):
        u, v = (int(end) - 1 for end in line.split(","))
        graphs[graph_of[u]][0][u][v] = 1.0
    return graphs


def main() -> None:
    checked = 0
    for name in ("MUTAG", "PTC_MR"):
        if not (DATA / name).is_dir():
            print(f"skipped {name}: not in {DATA}: set ALLPATHS_DATA")
            continue
        graphs = read(name)
        for arguments, kernel, cost in KERNELS:
            with tempfile.TemporaryDirectory() as folder:
                command = [PROGRAM, "evaluate", DATA / name, *arguments.split(), "--format", "json"]
                ours = json.loads(subprocess.check_output([*command, "--predictions", f"{folder}/p.csv"]))
                rows = list(csv.DictReader(open(f"{folder}/p.csv")))
            fold_of = [int(row["fold"]) for row in rows]
            classes = [int(row["class"]) for row in rows]
            gram = kernel().fit_transform(graphs)
            right = 0
            for fold in range(10):
                train = [i for i, other in enumerate(fold_of) if other != fold]
                test = [i for i, other in enumerate(fold_of) if other == fold]
                machine = SVC(kernel="precomputed", C=cost).fit(gram[train][:, train], [classes[i] for i in train])
                right += sum(machine.predict(gram[test][:, train]) == [classes[i] for i in test])
            theirs = 100 * right / len(classes)
            assert abs(ours["accuracy_mean"] - theirs) <= 2, (name, arguments, ours["accuracy_mean"], theirs)
            assert sum(row["class"] == row["predicted"] for row in rows) == round(ours["accuracy_mean"] * len(rows) / 100)
            checked += 1
            print(f"{name} {arguments}: {ours['accuracy_mean']:.2f}, GraKeL and scikit-learn {theirs:.2f}")
    print(f"comparators: {checked} accuracies within two points on the same folds")


if __name__ == "__main__":
    main()

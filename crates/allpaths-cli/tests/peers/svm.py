"""Checks that `allpaths train` and `allpaths predict` find the machines that scikit-learn's SVC (LIBSVM) finds on the Gram matrices of `allpaths gram`, and that the area under
the curve that `allpaths evaluate` tells is scikit-learn's.

Datasets of $ALLPATHS_DATA are cut in two TU folders, one to learn from and one to predict: so both see the same split. Those that are not there
are skipped.

Run from the root of the project, after a build: `make test-peers`.
"""

import csv
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
PROGRAM = os.environ.get("ALLPATHS", TARGET / "debug" / "allpaths")
DATA = Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets"
KERNEL = ("--kernel", "wl", "--rounds", "3", "--compare", "minmax")


def allpaths(*arguments):
    """What a run prints."""
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def split(source, folder, name, keep):
    """Writes the graphs of a TU folder whose numbers, from 0, are to be kept as another TU folder; tells their classes."""
    lines = lambda part: (source / f"{source.name}_{part}.txt").read_text().splitlines()
    graph_of = [int(line) - 1 for line in lines("graph_indicator")]
    kept = [vertex for vertex, graph in enumerate(graph_of) if keep(graph)]
    graphs = sorted({graph_of[vertex] for vertex in kept})
    vertex_number = {vertex: number for number, vertex in enumerate(kept, 1)}
    graph_number = {graph: number for number, graph in enumerate(graphs, 1)}
    edges = [[int(end) - 1 for end in line.split(",")] for line in lines("A")]
    classes, labels = lines("graph_labels"), lines("node_labels")
    out = folder / name
    out.mkdir()
    for part, rows in {
        "A": [f"{vertex_number[u]}, {vertex_number[v]}" for u, v in edges if u in vertex_number],
        "graph_indicator": [graph_number[graph_of[vertex]] for vertex in kept],
        "graph_labels": [classes[graph] for graph in graphs],
        "node_labels": [labels[vertex] for vertex in kept],
    }.items():
        (out / f"{name}_{part}.txt").write_text("".join(f"{row}\n" for row in rows))
    return out, numpy.array([int(classes[graph]) for graph in graphs])


def check(folder, source, c, *weights):
    """One machine of ours and one of theirs for each pair of classes, by decision values and by class."""
    folder = folder / f"{source.name}-{c}{''.join(weights)}"
    folder.mkdir()
    known, classes = split(source, folder, "known", lambda graph: graph % 3 != 0)
    asked, answers = split(source, folder, "asked", lambda graph: graph % 3 == 0)
    both, _ = split(source, folder, "both", lambda graph: True)
    model, matrix = folder / "a.model", folder / "gram.npy"
    codes = ("--output-codes", "one-vs-one", "--decoding", "votes")
    allpaths("train", known, *KERNEL, "--c", c, *codes, *weights, "-o", model)
    report = json.loads(allpaths("predict", model, asked, "--format", "json"))
    allpaths("gram", both, *KERNEL, "-o", matrix)
    gram = numpy.load(matrix)
    learnt = numpy.array([graph for graph in range(len(gram)) if graph % 3 != 0])
    new = numpy.array([graph for graph in range(len(gram)) if graph % 3 == 0])
    svc = SVC(kernel="precomputed", C=c, class_weight="balanced" if weights else None, decision_function_shape="ovo")
    svc.fit(gram[numpy.ix_(learnt, learnt)], classes)
    theirs = svc.decision_function(gram[numpy.ix_(new, learnt)]).reshape(len(new), -1)
    ours = numpy.array([one["decision_values"] for one in report["predictions"]])
    if len(svc.classes_) == 2:
        theirs = -theirs  # positive for the second class there, for the first here
    # Both are as far from the optimum as their tolerance of 0.001 lets them.
    far = numpy.abs(ours - theirs).max() / max(1, numpy.abs(theirs).max())
    assert far < 5e-3, f"{source.name}, C = {c}: decision values differ by {far}"
    found = numpy.array([one["class"] for one in report["predictions"]])
    peers = svc.predict(gram[numpy.ix_(new, learnt)])
    accuracies = [100 * (predicted == answers).mean() for predicted in (found, peers)]
    # Classes may differ where a value is 0 as far as one can tell, and nowhere else.
    clear = numpy.abs(theirs).min(axis=1) > 1e-2
    assert (found == peers)[clear].all() and (found == peers).mean() > 0.98, f"{source.name}, C = {c}"
    assert abs(report["accuracy"] - accuracies[0]) < 1e-9
    print(f"{source.name} C = {c}{' balanced' if weights else ''}: {theirs.size} decision values differ by up to {far:.1e}, "
          f"accuracy {accuracies[0]:.1f} and {accuracies[1]:.1f}")


def check_area(folder, source, *options):
    """The mean over repeats of areas under the curve, folds weighed by their pairs of one graph from each class."""
    predictions = folder / "predictions.csv"
    report = json.loads(allpaths("evaluate", source, *KERNEL, "--repeats", 2, *options, "--predictions", predictions, "--format", "json"))
    with open(predictions, newline="") as file:
        rows = list(csv.DictReader(file))
    if len(report["confusion"]["classes"]) != 2:
        assert report["roc_auc"] is None and all(row["decision_value"] == "" for row in rows), source.name
        return
    smaller = str(report["confusion"]["classes"][0])
    areas = []
    for repeat in range(2):
        folds = [[row for row in rows if (row["repeat"], row["fold"]) == (str(repeat), str(fold))] for fold in range(10)]
        is_smaller = [[row["class"] == smaller for row in fold] for fold in folds]
        values = [[float(row["decision_value"]) for row in fold] for fold in folds]
        pairs = [sum(fold) * (len(fold) - sum(fold)) for fold in is_smaller]
        areas.append(numpy.average([roc_auc_score(*fold) for fold in zip(is_smaller, values)], weights=pairs))
    assert abs(report["roc_auc"] - numpy.mean(areas)) < 1e-12, (source.name, report["roc_auc"], areas)
    print(f"{source.name} {' '.join(map(str, options))}: area under the curve {report['roc_auc']:.4f}, as scikit-learn's")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        sources = [DATA / name for name in ("MUTAG", "PTC_MR", "ENZYMES") if (DATA / name).exists()]
        if not sources:
            print(f"skipped: no datasets in {DATA}")
        for source in sources:
            for c in (0.1, 1, 100):
                check(folder, source, c)
            check(folder, source, 1, "--class-weights", "balanced")
            check_area(folder, source, "--c", 1)
            check_area(folder, source, "--c", "0.1,10", "--nested")
            check_area(folder, source, "--c", 10, "--approximate", "nystroem:50")


main()

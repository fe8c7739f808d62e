"""Which molecules cross the blood-brain barrier: our default kernel beside counts of ECFP4, with support vector machines on the same folds.

    python bench/peers/blood_brain.py [repeats]

Ours is `allpaths evaluate --nested`, with atoms and bonds called in several ways. ECFP4 counts are unfolded and compared by minmax, too, by scikit-learn's SVC on the folds that
ours wrote, with the same C to choose from, by the best C alone and by a mean of machines as ours has it. Both choose by the accuracy of five folds inside the training folds. Areas under the curve are shares of pairs of the same
fold, as ours are. Only molecules that RDKit accepts are taken.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import scipy.sparse
from rdkit import Chem, RDLogger
from rdkit.Chem import rdFingerprintGenerator
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
PROGRAM = os.environ.get("ALLPATHS", TARGET / "release" / "allpaths")
DATA = pathlib.Path(os.environ.get("ALLPATHS_DATA", "../shared"), "molecules/BBBP.csv")
LABELS = {
    "elements": ["--atom-label", "element"],
    "elements and bonds": ["--atom-label", "element", "--edge-labels"],
    "atoms": ["--atom-label", "atom"],
    "atoms and bonds": ["--atom-label", "atom", "--edge-labels"],
}
CS = (1, 10, 100)


def ours(table, repeats, folder, *options):
    """The accuracy and the area under the curve of each repeat, and the folds of all."""
    predictions = folder / "predictions.csv"
    reading = ["--smiles-column", "smiles", "--target", "y", *options]
    more = ["--nested", "--repeats", str(repeats), "--predictions", predictions, "--format", "json"]
    run = subprocess.run([PROGRAM, "evaluate", table, *reading, *more], check=True, capture_output=True)
    said = json.loads(run.stdout)
    with open(predictions, newline="") as file:
        rows = [(int(row["fold"]), int(row["class"]), float(row["decision_value"])) for row in csv.DictReader(file)]
    folds, y, values = (np.array(column).reshape(repeats, -1) for column in zip(*rows))
    # Positive for class 0.
    areas = [area(*repeat) for repeat in zip(y, -values, folds)]
    assert abs(np.mean(areas) - said["roc_auc"]) < 1e-9
    return np.array([said["per_repeat"], areas]).T, folds


def area(y, values, folds):
    """Of one repeat: folds weigh as many pairs as they have."""
    found = [(np.sum(y[here] == 0) * np.sum(y[here] == 1), roc_auc_score(y[here], values[here])) for here in (folds == fold for fold in np.unique(folds))]
    pairs, areas = zip(*found)
    return np.average(areas, weights=pairs)


def ecfp(mols):
    """The sum of minima is a product of indicators: a count of n is there at 1, 2, ... n."""
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2)
    places = {}
    entries = []
    for row, mol in enumerate(mols):
        for bit, count in generator.GetSparseCountFingerprint(mol).GetNonzeroElements().items():
            entries += [(row, places.setdefault((bit, at), len(places))) for at in range(count)]
    rows, columns = zip(*entries)
    ones = scipy.sparse.csr_matrix((np.ones(len(rows)), (rows, columns)))
    common = (ones @ ones.T).toarray()
    sizes = common.diagonal()
    return common / (sizes[:, None] + sizes - common)


def decided(gram, c, y, train, test):
    machine = SVC(C=c, kernel="precomputed").fit(gram[np.ix_(train, train)], y[train])
    return machine.decision_function(gram[np.ix_(test, train)])


def nested(gram, y, folds):
    """The accuracy and the area under the curve of each repeat: with the best C alone, and with the mean of all machines that cannot be told from it, as ours has it."""
    found = []
    for repeat, fold_of in enumerate(folds):
        alone, together = np.zeros(len(y)), np.zeros(len(y))
        for fold in range(fold_of.max() + 1):
            train, test = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
            inner = StratifiedKFold(5, shuffle=True, random_state=repeat).split(train, y[train])
            inner = [(train[a], train[b]) for a, b in inner]
            right = {c: np.concatenate([(decided(gram, c, y, a, b) > 0) == y[b] for a, b in inner]) for c in CS}
            best = max(CS, key=lambda c: right[c].sum())
            values = {c: decided(gram, c, y, train, test) for c in CS if alike(right[best], right[c])}
            alone[test], together[test] = values[best], np.mean(list(values.values()), axis=0)
        found.append([(100 * np.mean((values > 0) == y), area(y, values, fold_of)) for values in (alone, together)])
    return np.array(found).transpose(1, 0, 2)


def alike(first, second):
    """McNemar's test, within two standard errors."""
    a, b = np.sum(first & ~second), np.sum(second & ~first)
    return int(a - b) ** 2 <= 4 * (a + b)


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    RDLogger.DisableLog("rdApp.*")
    with open(DATA, newline="") as file:
        rows = [(row, Chem.MolFromSmiles(row["smiles"])) for row in csv.DictReader(file)]
    rows, mols = zip(*[(row, mol) for row, mol in rows if mol is not None])
    y = np.array([int(row["BBBP"]) for row in rows])
    print(f"{len(y)} molecules that RDKit accepts, {100 * np.mean(y):.1f} % of class 1, {repeats} times ten folds")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        table = folder / "x.csv"
        table.write_text("y,smiles\n" + "".join(f"{row['BBBP']},{row['smiles']}\n" for row in rows))
        found = {}
        for name, options in LABELS.items():
            found[name], folds = ours(table, repeats, folder, *options)
    alone, together = nested(ecfp(mols), y, folds)
    for name, theirs in [("the best C alone", alone), ("a mean of machines", together)]:
        print("ECFP4 counts, {:18} accuracy {:.2f}   AUC {:.4f}".format(name, *theirs.mean(0)))
        for name, repeats in found.items():
            more = repeats - theirs
            errors = more.std(0, ddof=1) / np.sqrt(len(more))
            print("  ours, {:22} accuracy {:.2f}   AUC {:.4f}".format(name, *repeats.mean(0)), end="")
            print("   more by {:+.2f} +- {:.2f} and {:+.4f} +- {:.4f}".format(*(number for pair in zip(more.mean(0), errors) for number in pair)))


if __name__ == "__main__":
    main()

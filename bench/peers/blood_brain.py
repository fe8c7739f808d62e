"""Which molecules cross the blood-brain barrier: our kernels beside counts of ECFP4, with the same machine on the same folds.

    python bench/peers/blood_brain.py

The machine is scikit-learn's SVC on Gram matrices. Of each side, kernel and C are chosen inside the training folds by the area under the
curve of five folds; what is reported is of the ten outer folds. Ours is the menu of the default kernel: two kernels of all paths and
cycles and of Weisfeiler-Lehman, by minmax. ECFP4 counts are unfolded, and compared by minmax, too.
"""

import csv
import os
import pathlib
import subprocess
import tempfile

import numpy as np
import scipy.sparse
from rdkit import Chem, RDLogger
from rdkit.Chem import rdFingerprintGenerator
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

PROGRAM = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"), "release/allpaths")
DATA = pathlib.Path(os.environ.get("ALLPATHS_DATA", "../shared"), "molecules/BBBP.csv")
MENU = (
    ["--kernel", "apc", "--profile", "0:5,1:2,2:0", "--by-cell", "--compare", "minmax"],
    ["--kernel", "wl", "--rounds", "5", "--compare", "minmax"],
)
CS = (1, 10, 100)


def ours(rows, *options):
    with tempfile.TemporaryDirectory() as folder:
        table, gram = pathlib.Path(folder, "x.csv"), pathlib.Path(folder, "k.npy")
        table.write_text("y,smiles\n" + "".join(f"{row['BBBP']},{row['smiles']}\n" for row in rows))
        reading = ["--smiles-column", "smiles", "--target", "y"]
        subprocess.run([PROGRAM, "gram", table, *reading, *options, "-o", gram], check=True, capture_output=True)
        return np.load(gram)


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


def scores(gram, c, y, train, test):
    machine = SVC(C=c, kernel="precomputed").fit(gram[np.ix_(train, train)], y[train])
    decided = machine.decision_function(gram[np.ix_(test, train)])
    return np.mean((decided > 0) == y[test]), roc_auc_score(y[test], decided)


def nested(grams, y):
    found = []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=1).split(y, y):
        inner = list(StratifiedKFold(5, shuffle=True, random_state=1).split(train, y[train]))
        mean = lambda gram, c: np.mean([scores(gram, c, y, train[a], train[b])[1] for a, b in inner])
        gram, c = max(((gram, c) for gram in grams for c in CS), key=lambda setting: mean(*setting))
        found.append(scores(gram, c, y, train, test))
    (accuracy, area), (spread, area_spread) = np.mean(found, 0), np.std(found, 0)
    return f"accuracy {100 * accuracy:5.1f} +- {100 * spread:3.1f}   AUC {area:.3f} +- {area_spread:.3f}"


def main():
    RDLogger.DisableLog("rdApp.*")
    with open(DATA, newline="") as file:
        rows = [(row, Chem.MolFromSmiles(row["smiles"])) for row in csv.DictReader(file)]
    rows = [(row, mol) for row, mol in rows if mol is not None]
    table, mols = zip(*rows)
    y = np.array([int(row["BBBP"]) for row in table])
    print(f"{len(y)} molecules that RDKit accepts, {100 * np.mean(y):.1f} % of class 1")
    print("ECFP4 counts                    ", nested([ecfp(mols)], y), flush=True)
    for name, options in (
        ("ours, elements", []),
        ("ours, elements and bonds", ["--edge-labels"]),
        ("ours, atoms and bonds", ["--edge-labels", "--atom-label", "atom"]),
    ):
        print(f"{name:32}", nested([ours(table, *kernel, *options) for kernel in MENU], y), flush=True)


if __name__ == "__main__":
    main()

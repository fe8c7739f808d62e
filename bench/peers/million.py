"""A million different molecules, and the nearest of them: searched through the index, and by comparing all.

    python bench/peers/million.py FOLDER

Molecules are those of $ALLPATHS_DATA/molecules that are in one piece and begin with a plain atom, with small groups in front: every linker with every head, in this order. What cannot be
read is left out, and what has the same counts of paths and cycles to length 6 as one before: rows that differ are of different molecules. The first million is written to
FOLDER/million.smi, if that is not there yet, and indexed. Each search is asked for the best ten, which is what is timed, and then for all there are, which no bound can make shorter: the first
ten of those are the answer of a full scan.
"""

import csv
import hashlib
import itertools
import json
import os
import pathlib
import subprocess
import sys

import numpy as np

TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
PROGRAM = os.environ.get("ALLPATHS", TARGET / "release" / "allpaths")
DATA = pathlib.Path(os.environ.get("ALLPATHS_DATA", "../shared"), "molecules")
HEADS = ["C", "F", "Cl", "Br", "O", "N", "S", "CC", "C#C", "N#C", "C1CC1", "c1ccccc1", "c1ccncc1", "c1ccsc1", "O=C1CCCN1"]
LINKERS = ["", "C", "CC", "CO", "CN", "C(=O)", "C(=O)N", "C(=O)O", "CS", "C(C)", "C(F)", "CCC", "COC", "C(C)(C)", "C=C"]
COUNT = 1_000_000
QUERIES = {
    "aspirin": "CC(=O)Oc1ccccc1C(=O)O",
    "nicotine": "CN1CCCC1c1cccnc1",
    "ibuprofen": "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
    "caffeine": "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
}
LENGTH = ["--max-length", "6"]


def rows(molecules, folder):
    """A digest of each molecule's row, or nothing for what is no molecule."""
    lines, features = folder / "part.smi", folder / "part.npz"
    lines.write_text("".join(f"{smiles}\n" for smiles in molecules))
    settings = [*LENGTH, "--hash-bits", "30", "--on-error", "empty", "--threads", "1"]
    subprocess.run([PROGRAM, "embed", lines, *settings, "-o", features], check=True, capture_output=True)
    with np.load(features) as arrays:
        starts, columns, counts = (arrays[name] for name in ("indptr", "indices", "data"))
    for start, end in itertools.pairwise(starts):
        row = columns[start:end].tobytes() + counts[start:end].tobytes()
        yield hashlib.blake2b(row, digest_size=16).digest() if row else None
    lines.unlink()
    features.unlink()


def write(path):
    lines = (DATA / "nci_first_5K.smi").read_text().splitlines()
    with open(DATA / "BBBP.csv", newline="") as file:
        known = [line.split()[0] for line in lines if line.strip()] + [row["smiles"] for row in csv.DictReader(file)]
    parts = [smiles for smiles in known if "." not in smiles and smiles[0] in "CcNnOoS"]
    seen = set()
    partial = path.with_suffix(".partial")
    with open(partial, "w") as out:
        for linker, head in itertools.product(LINKERS, HEADS):
            if len(seen) == COUNT:
                break
            made = [head + linker + smiles for smiles in parts]
            for smiles, row in zip(made, rows(made, path.parent)):
                if row is not None and row not in seen and len(seen) < COUNT:
                    seen.add(row)
                    out.write(f"{smiles}\n")
    assert len(seen) == COUNT, len(seen)
    partial.rename(path)


def run(*arguments):
    ended = subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in ended.stdout.splitlines()]


def main():
    folder = pathlib.Path(sys.argv[1])
    molecules, index = folder / "million.smi", folder / "million.apx"
    if not molecules.exists():
        write(molecules)
    if not index.exists():
        subprocess.run([PROGRAM, "index", molecules, *LENGTH, "-o", index, "--threads", "1"], check=True)
    print(f"{sum(1 for _ in open(molecules)):,} molecules, {index.stat().st_size / 1e6:.0f} MB")
    for measure in ("minmax", "intersection", "cosine"):
        for name, smiles in QUERIES.items():
            ask = ["similar", "--query", smiles, "--in", index, "--measure", measure, "--threads", "1", "--format", "json"]
            several = [run(*ask, "--top", "10")[0] for _ in range(5)]
            scanned = run(*ask, "--top", str(COUNT))[0]
            assert scanned["compared"] == COUNT
            assert all(found["hits"] == scanned["hits"][:10] for found in several), (measure, name)
            seconds = [found["seconds"]["search"] for found in several]
            loads = [found["seconds"]["load"] for found in several]
            print(
                f"{measure:12} {name:9} compared {several[0]['compared']:7,}   search {min(seconds):.3f} to {max(seconds):.3f} s"
                f"   load {min(loads):.3f} to {max(loads):.3f} s   all compared {scanned['seconds']['search']:.2f} s, the same ten"
            )


if __name__ == "__main__":
    main()

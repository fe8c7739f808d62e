"""Molecules beside RDKit: reading SMILES, and counting their paths, in processor seconds of one thread.

    python bench/peers/molecules.py

Ours is the program with one thread, from a file of SMILES to a file of features, so that starting it, reading and writing are included.
RDKit reads the same SMILES and makes its unfolded fingerprint of counts, with paths of 1 to 7 bonds, branched ones as is its default, and
without. Processor seconds do not depend on what else the machine does; where they are given for both, both were
measured in this run.
"""

import os
import pathlib
import resource
import subprocess
import tempfile
import time

from rdkit import Chem, RDLogger
from rdkit.Chem import rdFingerprintGenerator

PROGRAM = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"), "release/allpaths")
DATA = pathlib.Path(os.environ.get("ALLPATHS_DATA", "../shared"), "molecules/nci_first_5K.smi")
TIMES = 20


def program(*arguments):
    """Processor seconds of a run of ours."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rdkit(smiles, generator):
    start = time.process_time()
    for text in smiles:
        mol = Chem.MolFromSmiles(text)
        if mol is not None and generator is not None:
            generator.GetSparseCountFingerprint(mol)
    return time.process_time() - start


def main():
    RDLogger.DisableLog("rdApp.*")
    lines = [line for line in DATA.read_text().splitlines() if line.strip()]
    smiles = [line.split()[0] for line in lines]
    with tempfile.TemporaryDirectory() as folder:
        many, one = pathlib.Path(folder, "many.smi"), pathlib.Path(folder, "one.smi")
        many.write_text("\n".join(lines * TIMES))
        one.write_text("C\n")
        # Elements, as the fingerprint has them.
        options = ["--on-error", "skip", "--threads", "1", "--atom-label", "element"]
        output = pathlib.Path(folder, "x.parquet")

        def ours(*rest):
            least = min(program("embed", many, *rest, *options, "-o", output) for _ in range(3))
            return (least - program("embed", one, *rest, *options, "-o", output)) / len(lines) / TIMES * 1e6

        print(f"{len(lines)} molecules, processor microseconds for each")
        read = rdkit(smiles, None) / len(smiles) * 1e6
        mine = ours("-l", "0")
        print(f"read, RDKit                             {read:8.1f}")
        print(f"read, ours, with counting atoms         {mine:8.1f}   {read / mine:6.1f} x, {1e6 / mine:,.0f} a second")
        for branched in (True, False):
            generator = rdFingerprintGenerator.GetRDKitFPGenerator(minPath=1, maxPath=7, branchedPaths=branched)
            theirs = rdkit(smiles, generator) / len(smiles) * 1e6
            print(f"RDKit, length 7, {'branched' if branched else 'paths'}               {theirs:8.1f}")
            for labels in ([], ["--edge-labels"]):
                mine = ours("-l", "7", *labels)
                print(f"  ours, sequence {' '.join(labels):15}        {mine:8.1f}   {theirs / mine:6.1f} x")


if __name__ == "__main__":
    main()

"""Molecules as RDKit reads them: the same atoms, bonds, charges, hydrogens and rings, and nearly the same aromatic ones.

    python molecules.py --program target/debug/allpaths

Every molecule of $ALLPATHS_DATA/molecules that RDKit accepts is compared, atom by atom and bond by bond. We are asked
to convert a file to GraphML, with labels that tell all we know of an atom. RDKit draws some groups anew when it reads them, such as
nitro groups with five bonds and metals: there its molecule from before that is what we compare with. Aromatic flags may
differ in one molecule of a hundred, since the models of aromaticity do in detail.

Then files are converted to SDF and to SMILES, and RDKit reads the same molecules from those as from the original.
"""

import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from rdkit import Chem, RDLogger

LABELS = "element,charge,hydrogens,aromatic,isotope,ring"
LABEL = re.compile(r"(\d*)([A-Z][a-z]?|\*|[a-z]{1,2})(?:H(\d*))?(?:([+-])(\d*))?(_ring)?$")
SPACE = "{http://graphml.graphdrawing.org/xmlns}"
SIGNS = {"SINGLE": "-", "DOUBLE": "=", "TRIPLE": "#", "QUADRUPLE": "$", "AROMATIC": ":"}


def ours(program, path, *options):
    """The molecules of a file: atoms as tuples, bonds as dictionaries from pairs of atoms to signs."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "x.graphml")
        command = [program, "convert", path, "-o", output, "--atom-label", LABELS, "--on-error", "empty", *options]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        root = xml.parse(output).getroot()
        keys = {key.get("id") for key in root.iter(SPACE + "key") if key.get("attr.name") == "label"}

        def value(element):
            return next(data.text for data in element.iter(SPACE + "data") if data.get("key") in keys)

        for graph in root.iter(SPACE + "graph"):
            names = [node.get("id") for node in graph.iter(SPACE + "node")]
            places = {name: place for place, name in enumerate(names)}
            atoms = [read(value(node)) for node in graph.iter(SPACE + "node")]
            ends = ((edge, places[edge.get("source")], places[edge.get("target")]) for edge in graph.iter(SPACE + "edge"))
            yield atoms, {(min(u, v), max(u, v)): value(edge) for edge, u, v in ends}


def read(label):
    """What a label tells: isotope, element, hydrogens, charge, aromatic, in a ring."""
    isotope, symbol, hydrogens, sign, size, ring = LABEL.match(label).groups()
    count = 0 if hydrogens is None else int(hydrogens or 1)
    charge = 0 if sign is None else int(sign + (size or "1"))
    return int(isotope or 0), symbol.capitalize(), count, charge, symbol.islower(), ring is not None


def theirs(mol):
    atoms = [
        (atom.GetIsotope(), atom.GetSymbol(), atom.GetTotalNumHs(), atom.GetFormalCharge(), atom.GetIsAromatic(), atom.IsInRing())
        for atom in mol.GetAtoms()
    ]
    return atoms, bonds_of(mol)


def bonds_of(mol):
    bonds = {}
    for bond in mol.GetBonds():
        u, v = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        bonds[min(u, v), max(u, v)] = SIGNS.get(str(bond.GetBondType()), str(bond.GetBondType()))
    return bonds


def as_written(mol, text):
    """A molecule with the charges and bonds that were written, where RDKit drew it anew; None where it did not."""
    raw = Chem.MolFromSmiles(text, sanitize=False)
    if raw is None or raw.GetNumAtoms() != mol.GetNumAtoms():
        return None
    atoms, bonds = theirs(mol)
    charges = [atom.GetFormalCharge() for atom in raw.GetAtoms()]
    raw_bonds = bonds_of(raw)
    drawn = {ends: sign if sign == ":" else raw_bonds[ends] for ends, sign in bonds.items()}
    return [atom[:3] + (charge,) + atom[4:] for atom, charge in zip(atoms, charges)], drawn


def is_same(one, other):
    """Whether molecules are the same, aromatic flags aside: then a bond may be drawn in two ways."""
    (atoms, bonds), (their_atoms, their_bonds) = one, other
    if [atom[:4] + atom[5:] for atom in atoms] != [atom[:4] + atom[5:] for atom in their_atoms]:
        return False
    if bonds.keys() != their_bonds.keys():
        return False
    return all(sign == their_bonds[ends] or ":" in (sign, their_bonds[ends]) for ends, sign in bonds.items())


def compare(name, found, expected, verbose):
    """Compare the molecules of a file, and count those with other aromatic flags."""
    found = list(found)
    assert len(found) == len(expected), f"{name}: {len(found)} molecules, {len(expected)} expected"
    accepted = different = redrawn = 0
    wrong = []
    for number, (one, (text, mol)) in enumerate(zip(found, expected)):
        if mol is None:
            continue
        accepted += 1
        other = theirs(mol)
        if not is_same(one, other):
            anew = as_written(mol, text)
            if anew is not None and is_same(one, anew):
                redrawn += 1
                continue
        if not is_same(one, other):
            wrong.append((number, text))
            if verbose:
                print(f"{name} {number} {text}\n  {one}\n  {other}")
        elif one != other:
            different += 1
            if verbose:
                print(f"{name} {number} {text}: aromatic flags differ")
    share = 1 - different / accepted
    print(f"{name}: {accepted} molecules, {redrawn} drawn anew by RDKit, {len(wrong)} not the same, aromatic flags alike in {100 * share:.2f} %")
    return wrong, share


def canonical(mol):
    """A molecule as text, without what our graphs have no place for."""
    if mol is None:
        return None
    mol = Chem.Mol(mol)
    Chem.RemoveStereochemistry(mol)
    for atom in mol.GetAtoms():
        atom.SetAtomMapNum(0)
    return Chem.MolToSmiles(mol)


def written(program, path, expected, verbose, *options):
    """Compare what RDKit reads from files that we wrote with what it reads from the original; the number of those that differ."""
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("x.sdf", "x.smi"):
            output = pathlib.Path(folder, name)
            subprocess.run([program, "convert", path, "-o", output, "--on-error", "skip", *options], check=True, stderr=subprocess.DEVNULL)
            supplier = Chem.SDMolSupplier if name == "x.sdf" else lambda path: Chem.SmilesMolSupplier(path, titleLine=False)
            found = [canonical(mol) for mol in supplier(str(output))]
            assert len(found) == len(expected), f"{path.name} as {name}: {len(found)} molecules, {len(expected)} expected"
            for one, (text, mol) in zip(found, expected):
                if mol is not None and one != canonical(mol):
                    differ += 1
                    if verbose:
                        print(f"{path.name} as {name}: {text}\n  {one}\n  {canonical(mol)}")
    print(f"{path.name}: as SDF and as SMILES of ours, {differ} differ")
    return differ


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    folder = pathlib.Path(os.environ.get("ALLPATHS_DATA", "../shared"), "molecules")
    if not folder.is_dir():
        print(f"{folder} is missing: molecules are not compared")
        return
    RDLogger.DisableLog("rdApp.*")
    files = []
    with open(folder / "BBBP.csv", newline="") as file:
        rows = [(row["smiles"], Chem.MolFromSmiles(row["smiles"])) for row in csv.DictReader(file)]
    files.append((folder / "BBBP.csv", ["--smiles-column", "smiles"], rows))
    lines = (folder / "nci_first_5K.smi").read_text().splitlines()
    smiles = [line.split()[0] for line in lines if line.strip()]
    files.append((folder / "nci_first_5K.smi", [], [(text, Chem.MolFromSmiles(text)) for text in smiles]))
    records = [(str(i), mol) for i, mol in enumerate(Chem.SDMolSupplier(str(folder / "bzr.sdf")))]
    files.append((folder / "bzr.sdf", [], records))
    failed = False
    for path, options, expected in files:
        wrong, share = compare(path.name, ours(arguments.program, path, *options), expected, arguments.verbose)
        failed |= bool(wrong) or share < 0.99
        failed |= written(arguments.program, path, expected, arguments.verbose, *options) > 0
    sys.exit(failed)


if __name__ == "__main__":
    main()

//! What is written is read again as the same molecule.

use allpaths::Dataset;
use allpaths::dataset::molecule::{Atom, Bond};
use allpaths::dataset::{Molecule, OnError, Writer};
use proptest::prelude::*;

use crate::{data, knowing};

/// What must be the same in two molecules, whatever the order of their atoms.
fn content(molecule: &Molecule) -> (Vec<String>, Vec<String>) {
    let tell = |atom: &Atom| {
        let Atom { element, charge, isotope, hydrogens, class, is_aromatic, is_in_ring, .. } = atom;
        format!("{isotope}{}{hydrogens}{charge:+}:{class} {is_aromatic} {is_in_ring}", element.symbol())
    };
    let atoms: Vec<String> = molecule.atoms().iter().map(tell).collect();
    let bond = |bond: &Bond| {
        let mut ends = [&atoms[bond.ends.0 as usize], &atoms[bond.ends.1 as usize]];
        ends.sort();
        format!("{ends:?} {} {}", bond.sign(), bond.is_in_ring)
    };
    let mut bonds: Vec<String> = molecule.bonds().iter().map(bond).collect();
    let mut atoms = atoms.clone();
    atoms.sort();
    bonds.sort();
    (atoms, bonds)
}

/// Writes and reads again, and expects the same molecule and then the same text.
pub(crate) fn comes_back(smiles: &str) {
    let molecule = Molecule::from_smiles(smiles).unwrap();
    let written = molecule.to_smiles();
    let again = Molecule::from_smiles(&written).unwrap_or_else(|error| panic!("{smiles}: {error}"));
    assert_eq!(content(&again), content(&molecule), "{smiles} as {written}");
    assert_eq!(again.to_smiles(), written, "{smiles}");
}

#[test]
fn real_molecules_come_back() {
    let Some(folder) = data() else { return };
    let mut count = 0;
    let lines = std::fs::read_to_string(folder.join("nci_first_5K.smi")).unwrap();
    let table = std::fs::read_to_string(folder.join("BBBP.csv")).unwrap();
    let smiles = lines.lines().map(|line| line.split('\t').next().unwrap());
    for smiles in smiles.chain(table.lines().skip(1).map(|line| line.split(',').nth(1).unwrap())) {
        if Molecule::from_smiles(smiles).is_ok() {
            comes_back(smiles);
            count += 1;
        }
    }
    assert!(count > 7000, "{count}");
    let data = Dataset::read(folder.join("bzr.sdf")).unwrap();
    assert_eq!((data.graphs().len(), data.notes()), (163, vec![]));
}

/// Writes molecules as SDF and as SMILES, and expects the same ones when they are read, in SDF in the same order. Gives back the SDF.
fn is_written_and_read(data: &Dataset) -> String {
    let tell = |graph: &allpaths::Graph| {
        let name = |labels: Option<&allpaths::graph::Labels>, i: usize| labels.unwrap().name(i).to_owned();
        let atoms: Vec<String> = (0..graph.order()).map(|v| name(graph.vertex_labels(), v)).collect();
        let bond = |(i, ends): (usize, _)| (ends, name(graph.edge_labels(), i));
        (atoms, graph.edges().enumerate().map(bond).collect::<Vec<_>>())
    };
    let (sdf, lost) = Writer::new().bytes(data, "x.sdf").unwrap();
    let read = knowing().read_bytes("x.sdf", sdf.clone()).unwrap();
    let sdf = String::from_utf8(sdf).unwrap();
    assert!(lost.iter().all(|note| note.contains("hydrogens are filled in")), "{lost:?}");
    assert_eq!(read.graphs().len(), data.graphs().len());
    for (one, other) in data.graphs().iter().zip(read.graphs()) {
        assert_eq!(tell(one), tell(other), "{sdf}");
    }
    assert_eq!(read.names(), data.names());
    let (smiles, _) = Writer::new().bytes(data, "x.smi").unwrap();
    let read = knowing().read_bytes("x.smi", smiles).unwrap();
    let of = |graph: &allpaths::Graph| content(&Molecule::from_graph(graph).unwrap());
    assert!(read.graphs().iter().map(of).eq(data.graphs().iter().map(of)), "{sdf}");
    sdf
}

#[test]
fn what_is_written_is_read() {
    let lines = "CC(=O)[O-] acetate\n[13CH3][CH2]\n[Na+].[Cl-]\n[nH]1cccc1 pyrrole\n[Fe+2]\n[NH4+]\nC[N+](C)(C)C\n[2H]O\n[C]\n*C\nO=S(=O)(O)O\n[SiH3]C\n[PH5]\n[OH3+]";
    let sdf = is_written_and_read(&knowing().read_bytes("x.smi", lines).unwrap());
    let record = sdf.split_inclusive("$$$$\n").next().unwrap();
    let expected = "acetate
  allpaths          2D

  4  3  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    0.0000    0.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
    0.0000    0.0000    0.0000 O   0  0  0  0  0  1  0  0  0  0  0  0
  1  2  1  0
  2  3  2  0
  2  4  1  0
M  CHG  1   4  -1
M  END
$$$$
";
    assert_eq!(record, expected);
    // Too many atoms for three digits.
    let long =
        is_written_and_read(&knowing().read_bytes("x.smi", format!("{}[O-]", "C".repeat(1200))).unwrap());
    assert!(
        long.contains("M  V30 COUNTS 1201 1200 0 0 0\n")
            && long.contains(" O 0.0000 0.0000 0.0000 0 CHG=-1 VAL=1\n")
    );
    if let Some(folder) = data() {
        let all = knowing().on_error(OnError::Skip);
        is_written_and_read(&all.read(folder.join("nci_first_5K.smi")).unwrap());
        let all = all.smiles_column("smiles");
        is_written_and_read(&all.read(folder.join("BBBP.csv")).unwrap());
    }
}

/// Pieces of SMILES, in any order.
fn scraps() -> impl Strategy<Value = String> {
    let pieces = "C c N n O o S s [nH] [N+] [O-] [13C] [C@@H] [H] * ( ) ( ) = # : - / . 1 2 1 2 3 %10 Cl Br [Fe+2] [se] c1ccccc1 C1CC1 (=O) [ ] é";
    let piece = prop::sample::select(pieces.split(' ').collect::<Vec<_>>());
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// SMILES that can be read, more or less: chains with rings closed at random.
fn likely() -> impl Strategy<Value = String> {
    let atoms =
        prop::sample::select(vec!["C", "C", "C", "N", "O", "c", "c", "c", "n", "o", "[nH]", "[N+]", "S"]);
    let bond = prop::sample::select(vec!["", "", "", "", "=", "-"]);
    let ring = prop::sample::select(vec!["", "", "1", "2", "3"]);
    prop::collection::vec((atoms, bond, ring), 1..24).prop_map(|pieces| {
        let mut words: Vec<&str> = Vec::new();
        for (atom, bond, ring) in &pieces {
            words.extend([if words.is_empty() { "" } else { *bond }, *atom, *ring]);
        }
        for ring in ["1", "2", "3"] {
            if pieces.iter().filter(|piece| piece.2 == ring).count() % 2 == 1 {
                words.extend(["C", ring]);
            }
        }
        words.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_read_comes_back(smiles in prop_oneof![scraps(), likely()]) {
        if Molecule::from_smiles(&smiles).is_ok() {
            comes_back(&smiles);
            // Methane, so that a label says what hydrogens atoms have, and one without says that there are none.
            is_written_and_read(&knowing().read_bytes("x.smi", smiles + "\nC").unwrap());
        }
    }
}

//! SMILES, alone and in lines.

use std::path::Path;

use allpaths::dataset::{AtomLabels, Hydrogens, Molecule, OnError, Reader};
use allpaths::{AllPathsCycles, Dataset, embed::EdgeLabels};
use serde::Deserialize;

use crate::read;
use crate::round_trips::comes_back;

#[derive(Deserialize)]
struct Table {
    malformed: Vec<(String, usize, String)>,
    known: Vec<(String, String, Vec<u8>)>,
}

fn table() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/molecules/smiles.toml");
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn malformed_smiles_are_refused_where_they_are_wrong() {
    let table = table();
    assert!(table.malformed.len() >= 100);
    for (smiles, place, reason) in table.malformed {
        let message =
            Molecule::from_smiles(&smiles).map_or_else(|error| error.to_string(), |found| found.to_smiles());
        assert!(message.starts_with(&reason), "{smiles}: {message}");
        assert!(message.ends_with(&format!(", at character {place} of {smiles:?}")), "{smiles}: {message}");
    }
}

#[test]
fn known_molecules() {
    for (smiles, written, hydrogens) in table().known {
        let molecule = Molecule::from_smiles(&smiles).unwrap();
        assert_eq!(molecule.to_smiles(), written, "{smiles}");
        let found: Vec<u8> = molecule.atoms().iter().map(|atom| atom.hydrogens).collect();
        assert_eq!(found, hydrogens, "{smiles}");
        comes_back(&smiles);
    }
    // Aromatic atoms with a double bond between them that is not: found by fuzzing.
    comes_back("*c2ccc1cccc2cc1");
    // An atom of any kind in the ring that has to do without a double bond: found by fuzzing.
    comes_back("*c1ccc2ccccc/*ccc12");
}

#[test]
fn lines_have_names_and_blank_ones_are_none() {
    let data = read("x.smi", "\u{feff}CCO ethanol, absolute\r\n\nC\n  c1ccccc1\tbenzene\n\n").unwrap();
    assert_eq!(data.names(), Some(["ethanol, absolute", "", "benzene"].map(String::from).as_slice()));
    assert_eq!(data.graphs().iter().map(allpaths::Graph::order).collect::<Vec<_>>(), [3, 1, 6]);
    assert_eq!(data.classes(), None);
    assert_eq!(data.pick([2]).names(), Some(["benzene".to_owned()].as_slice()));
    assert_eq!(read("x.smi", "").unwrap().notes(), ["no graph in the file"]);
    assert_eq!(
        read("x.smi", "CC\nC(\n").unwrap_err(),
        "x.smi:2: expected ) to end the branch, found the end, at character 2 of \"C(\""
    );
}

#[test]
fn packed_and_in_batches_it_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let pair = |i: usize| {
        format!("{}O n{i}\n{}\n", "C".repeat(i % 7 + 1), if i.is_multiple_of(9) { "C(" } else { "[NH4+]" })
    };
    let lines = (1..50).map(pair).collect::<Vec<_>>().concat();
    let plain = folder.path().join("x.smi");
    std::fs::write(&plain, &lines).unwrap();
    let reader = Reader::new().on_error(OnError::Empty).atom_labels(AtomLabels::atom());
    let whole = reader.read(&plain).unwrap();
    assert_eq!(whole.notes().len(), 5);
    for size in [1, 7, 1000] {
        let batches: Vec<Dataset> =
            reader.clone().batch_size(size).stream(&plain).unwrap().map(Result::unwrap).collect();
        let graphs: Vec<_> = batches.iter().flat_map(|batch| batch.graphs().to_vec()).collect();
        assert_eq!(graphs, whole.graphs());
        let notes: Vec<_> = batches.iter().flat_map(Dataset::notes).collect();
        assert_eq!(notes, whole.notes());
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, lines.as_bytes()).unwrap();
    let gz = folder.path().join("x.smi.gz");
    std::fs::write(&gz, packed.finish().unwrap()).unwrap();
    assert_eq!(reader.read(&gz).unwrap().graphs(), whole.graphs());
    assert_eq!(reader.stream(&gz).unwrap().next().unwrap().unwrap().graphs(), whole.graphs());
}

#[test]
fn features_read_as_smiles_do() {
    let data = Reader::new().read_bytes("x.smi", "CC(=O)c1cc[nH]c1").unwrap();
    let features = AllPathsCycles::up_to(5).edge_labels(EdgeLabels::Used).embed(&data).unwrap();
    for name in ["vertex:CH3", "path:C=O", "path:CH3-C=O", "path:C-c:cH:nH", "cycle:c:cH:cH:nH:cH:"] {
        assert_eq!(features.count(0, name), Some(1), "{name}");
    }
}

#[test]
fn hydrogens_may_be_vertices() {
    for smiles in ["C", "[CH4]", "[H]C([H])([H])[H]", "[H]C"] {
        let read = |hydrogens| Reader::new().hydrogens(hydrogens).read_bytes("x.smi", smiles).unwrap();
        assert_eq!(read(Hydrogens::Implicit).graphs()[0].order(), 1, "{smiles}");
        assert_eq!(read(Hydrogens::Explicit).graphs()[0].order(), 5, "{smiles}");
        assert_eq!(read(Hydrogens::Explicit).graphs()[0].size(), 4, "{smiles}");
    }
}

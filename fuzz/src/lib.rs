//! What every target asks: bytes in, no panic, and what is read can be written and read again to the same graphs.

#[path = "../../crates/allpaths/tests/same/mod.rs"]
mod same;

use allpaths::dataset::{Molecule, OnError, Reader};

/// Reads bytes as a file of that name, and writes and reads again what is in it, in that format and in one that holds
/// nearly everything. The input of the target decides what a caller might.
///
/// # Panics
///
/// When something changed on the way that no note mentions.
pub fn check(name: &str, bytes: &[u8], input: &[u8]) {
    let reader = Reader::new().max_input(1 << 16);
    let reader = match input.last().map(|byte| byte % 4) {
        Some(2) => reader.directed(true),
        Some(3) => reader.directed(false),
        _ => reader,
    };
    let Ok(data) = reader.read_bytes(name, bytes) else { return };
    for name in [name, "x.graphml"] {
        if let Err(difference) = same::there_and_back(&data, name) {
            panic!("{difference}");
        }
    }
}

/// Reads bytes as a file of molecules, faulty ones left empty, and writes their graphs in a format that holds them.
///
/// # Panics
///
/// As [`check`].
pub fn check_molecules(name: &str, bytes: &[u8]) {
    let reader = Reader::new().max_input(1 << 16).on_error(OnError::Empty);
    let Ok(data) = reader.read_bytes(name, bytes) else { return };
    if let Err(difference) = same::there_and_back(&data, "x.graphml") {
        panic!("{difference}");
    }
}

/// Reads bytes as a file of SMILES, and each line as a molecule, which is written and read again.
///
/// # Panics
///
/// When a molecule that was written cannot be read, or then reads otherwise.
pub fn check_smiles(bytes: &[u8]) {
    check_molecules("x.smi", bytes);
    for smiles in String::from_utf8_lossy(bytes).lines() {
        let Ok(molecule) = Molecule::from_smiles(smiles) else { continue };
        // Only 99 rings can be open at one place.
        if molecule.bonds().len() > molecule.atoms().len() + 90 {
            continue;
        }
        let written = molecule.to_smiles();
        let again = Molecule::from_smiles(&written).unwrap_or_else(|error| panic!("{smiles:?} as {written:?}: {error}"));
        assert_eq!(again.to_smiles(), written, "{smiles:?}");
        assert_eq!(again.bonds().len(), molecule.bonds().len(), "{smiles:?}");
    }
}

//! SMILES and SDF: what is read, what is refused and where, and that what is written is read again as the same molecule.

mod molfiles;
mod round_trips;
mod smiles;
mod tables;

use std::path::{Path, PathBuf};

use allpaths::Dataset;
use allpaths::dataset::Reader;

fn data() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("ALLPATHS_DATA").map_or(root, PathBuf::from).join("molecules");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("{} is missing: real molecules are not read", folder.display());
    None
}

fn read(name: &str, content: &str) -> Result<Dataset, String> {
    Reader::new().read_bytes(name, content).map_err(|error| error.to_string())
}

/// A reader that tells all that is known of atoms.
fn knowing() -> Reader {
    Reader::new().atom_labels("element,charge,hydrogens,aromatic,isotope,ring".parse().unwrap())
}

//! Reads graphs in one format and writes them in another: `convert INPUT -o OUTPUT`.

use std::process::ExitCode;

use allpaths::Result;
use allpaths::dataset::{Reader, Writer};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, flag, output] = arguments.as_slice() else {
        eprintln!("usage: convert INPUT -o OUTPUT");
        return ExitCode::from(2);
    };
    assert_eq!(flag, "-o");
    match convert(input, output) {
        Ok(notes) => {
            for note in notes {
                eprintln!("note: {note}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn convert(input: &str, output: &str) -> Result<Vec<String>> {
    let data = Reader::new().read(input)?;
    let mut notes = data.notes();
    notes.extend(Writer::new().write(&data, output)?);
    Ok(notes)
}

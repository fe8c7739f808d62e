//! What every target asks: bytes in, no panic, and what is read can be written and read again to the same graphs.

#[path = "../../crates/allpaths/tests/same/mod.rs"]
mod same;

use allpaths::dataset::Reader;

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

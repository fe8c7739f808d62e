#![no_main]

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const PARTS: [&str; 8] = [
    "A",
    "graph_indicator",
    "graph_labels",
    "node_labels",
    "edge_labels",
    "node_attributes",
    "edge_attributes",
    "graph_attributes",
];

// The files of a dataset stand one after the other, with a bar between them; one that is empty is missing.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (part, content) in PARTS.iter().zip(bytes.split(|&byte| byte == b'|')) {
        if !content.is_empty() {
            archive.start_file(format!("DS_{part}.txt"), SimpleFileOptions::default()).expect("a name");
            archive.write_all(content).expect("room in memory");
        }
    }
    let archive = archive.finish().expect("room in memory").into_inner();
    allpaths_fuzz::check("DS.zip", &archive, bytes);
});

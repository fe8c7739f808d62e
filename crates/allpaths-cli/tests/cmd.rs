//! Transcripts in the documentation are what the program prints.

use std::path::Path;

#[test]
fn transcripts() {
    // Commands name files as seen from the root of the project.
    std::env::set_current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    // What they write goes where git does not look.
    std::fs::create_dir_all("target/transcripts").unwrap();
    // Parts of an earlier run would be gone on with; there may be none.
    let _ = std::fs::remove_dir_all("target/transcripts/out");
    trycmd::TestCases::new()
        // No datasets here, and no network.
        .env("ALLPATHS_DATA", "target/transcripts/none")
        .env("ALLPATHS_CACHE", "target/transcripts/none")
        .env("ALLPATHS_SITE", "http://127.0.0.1:1")
        .case("README.md")
        .case("crates/allpaths-cli/tests/cmd/*.md");
}

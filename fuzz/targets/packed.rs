#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Told by its first bytes: gzip of any format, an archive, or neither.
    for name in ["x.zip", "x.edges.gz"] {
        allpaths_fuzz::check(name, bytes, bytes);
    }
});

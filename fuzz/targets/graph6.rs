#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // One reader, two writers.
    for name in ["x.g6", "x.s6"] {
        allpaths_fuzz::check(name, bytes, bytes);
    }
});

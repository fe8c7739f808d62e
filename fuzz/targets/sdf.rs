#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| allpaths_fuzz::check_molecules("x.sdf", bytes));

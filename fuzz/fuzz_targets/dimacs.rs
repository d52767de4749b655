//! `cargo +nightly fuzz run dimacs`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sundry_testing::bytes::run("dimacs", bytes);
});

//! `cargo +nightly fuzz run uvl`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sundry_testing::bytes::run("uvl", bytes);
});

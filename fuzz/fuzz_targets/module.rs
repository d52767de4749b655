//! `cargo +nightly fuzz run module`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sundry_testing::bytes::run("module", bytes);
});

//! `cargo +nightly fuzz run script`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sundry_testing::bytes::run("script", bytes);
});

//! `cargo +nightly fuzz run responses`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sundry_testing::bytes::run("responses", bytes);
});

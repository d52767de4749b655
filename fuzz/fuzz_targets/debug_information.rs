//! `cargo +nightly fuzz run debug-information`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sundry_testing::bytes::run("debug-information", bytes);
});

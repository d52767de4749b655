//! `cargo +nightly fuzz run pict`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sundry_testing::bytes::run("pict", bytes);
});

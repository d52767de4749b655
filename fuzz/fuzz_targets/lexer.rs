//! `cargo +nightly fuzz run lexer`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sundry_testing::bytes::run("lexer", bytes);
});

//! Messages of clang and the linker whose cause is a limit of WebAssembly in Debian, with what can be done.

/// Words that occur in messages, and the remedy for their cause.
const CAUSES: &[(&[&str], &str)] = &[
    (
        &["__cxa_throw", "__cxa_allocate_exception", "with exceptions disabled"],
        "C++ has no exceptions here: the library is built without them; let errors be values, or leave these files out",
    ),
    (
        &["setjmp.h", "longjmp"],
        "there is no setjmp here: wasi-libc has none; let functions return errors, or leave these files out",
    ),
    (&["_WASI_EMULATED_SIGNAL"], "signals are emulated: add -D_WASI_EMULATED_SIGNAL -lwasi-emulated-signal"),
    (
        &["_WASI_EMULATED_PROCESS_CLOCKS"],
        "clocks of processes are emulated: add -D_WASI_EMULATED_PROCESS_CLOCKS -lwasi-emulated-process-clocks",
    ),
    (&["_WASI_EMULATED_MMAN"], "mmap is emulated: add -D_WASI_EMULATED_MMAN -lwasi-emulated-mman"),
    (&["_WASI_EMULATED_GETPID"], "getpid is emulated: add -D_WASI_EMULATED_GETPID -lwasi-emulated-getpid"),
    (
        &["symbol exported via --export not found"],
        "--export names functions as the linker does: not static ones, and those of C++ by their mangled names; --export-all keeps all",
    ),
    (
        &["undefined symbol: main", "undefined symbol: __main_void"],
        "the program has no main; --export NAME makes a library, of which sundry explore --function NAME explores a function",
    ),
];

/// The remedy for the first cause that these messages have.
pub fn explain(messages: &str) -> Option<&'static str> {
    let has = |words: &&(&[&str], &str)| words.0.iter().any(|word| messages.contains(word));
    CAUSES.iter().find(has).map(|(_, remedy)| *remedy)
}

#[cfg(test)]
mod tests {
    use super::explain;

    #[test]
    fn limits_are_explained_and_other_errors_are_not() {
        for (message, word) in [
            ("wasm-ld-19: error: /tmp/e.o: undefined symbol: __cxa_throw", "exceptions"),
            ("e.cpp:2:25: error: cannot use 'try' with exceptions disabled", "exceptions"),
            ("s.c:1:10: fatal error: 'setjmp.h' file not found", "setjmp"),
            (
                "#error \"to enable emulation of signals, use -D_WASI_EMULATED_SIGNAL\"",
                "-lwasi-emulated-signal",
            ),
        ] {
            assert!(explain(message).is_some_and(|help| help.contains(word)), "{message}");
        }
        assert_eq!(explain("a.c:1:1: error: unknown type name 'foo'"), None);
    }
}

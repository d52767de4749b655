//! Edges have the same numbers in every run, count exactly, and survive SIGKILL, for gcc and clang.

mod common;

use std::path::Path;
use std::process::Command;

use common::{begin, compile, compile_runtime, has, prepared, programs, run, succeed};
use sundry_counters::{Counter, CounterError, CounterProvider, Edges, FileCounters, open, runtime};
use tempfile::tempdir;

const COMPILERS: [(&str, &str); 2] =
    [("gcc", "-fsanitize-coverage=trace-pc"), ("clang", "-fsanitize-coverage=trace-pc-guard")];

fn all(files: &[FileCounters]) -> impl Iterator<Item = &Counter> {
    files.iter().flat_map(|file| &file.lines)
}

#[test]
fn edges_count_exactly() {
    if !has("edges_count_exactly", &["gcc", "clang"]) {
        return;
    }
    for (compiler, option) in COMPILERS {
        let folder = tempdir().expect("a folder");
        compile_runtime(folder.path(), compiler, "edges.c", runtime::EDGES);
        let program =
            compile(folder.path(), compiler, &[option, "-O0"], &["shapes.c", "other.c"], &["edges.o"]);
        let provider = open("edges", None).expect("a provider");
        let counters = folder.path().join("counters");
        let many = run(&*provider, &program, &counters, "300");
        assert_eq!(run(&*provider, &program, &counters, "300"), many, "numbers do not depend on addresses");
        let one = run(&*provider, &program, &counters, "1");
        assert!(all(&one).count() > 10 && all(&one).count() < all(&many).count(), "{compiler}");
        assert!(all(&many).filter(|edge| edge.count == 300).count() >= 5, "each round, calls of functions");
        assert!(many.iter().all(|file| file.lines.is_sorted_by_key(|edge| edge.line)));
        assert_eq!(provider.prepare(&counters).expect("a folder").farewell, None);
        assert!(matches!(provider.take(&counters, ""), Err(CounterError::Missing)), "nothing has run");
    }
}

#[test]
fn edges_survive_a_kill() {
    if !has("edges_survive_a_kill", &["gcc", "clang"]) {
        return;
    }
    for (compiler, option) in COMPILERS {
        let folder = tempdir().expect("a folder");
        compile_runtime(folder.path(), compiler, "edges.c", runtime::EDGES);
        let program = compile(folder.path(), compiler, &[option], &["endless.c"], &["edges.o"]);
        let counters = folder.path().join("counters");
        let preparation = Edges.prepare(&counters).expect("the folder is prepared");
        let mut child = begin(&mut prepared(&program, &preparation));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        let taken = Edges.take(&counters, "").expect("there are counters");
        assert!(all(&taken).any(|edge| edge.count > 1000), "{compiler}: {taken:?}");
    }
}

#[test]
fn edges_of_shared_libraries_have_their_own_numbers() {
    if !has("edges_of_shared_libraries_have_their_own_numbers", &["gcc", "clang"]) {
        return;
    }
    for (compiler, option) in COMPILERS {
        let folder = tempdir().expect("a folder");
        compile_runtime(folder.path(), compiler, "edges.c", runtime::EDGES);
        let library = programs().join("library.c");
        let options = [option, "-shared", "-fPIC", "-o", "liblibrary.so"];
        succeed(Command::new(compiler).current_dir(folder.path()).args(options).arg(library));
        let link = ["edges.o", "-rdynamic", "-L.", "-llibrary", "-Wl,-rpath,$ORIGIN"];
        let program = compile(folder.path(), compiler, &[option], &["caller.c"], &link);
        let counters = folder.path().join("counters");
        let taken = run(&Edges, &program, &counters, "7");
        assert_eq!(run(&Edges, &program, &counters, "7"), taken);
        assert!(all(&taken).any(|edge| edge.count == 70), "{compiler}: the loop of the library: {taken:?}");
        assert!(all(&taken).any(|edge| edge.count == 3), "{compiler}: odd numbers: {taken:?}");
    }
}

#[test]
fn threads_and_forks_are_counted() {
    if !has("threads_and_forks_are_counted", &["gcc", "clang"]) {
        return;
    }
    for (compiler, option) in COMPILERS {
        let folder = tempdir().expect("a folder");
        compile_runtime(folder.path(), compiler, "edges.c", runtime::EDGES);
        let program = compile(folder.path(), compiler, &[option], &["processes.c"], &["edges.o", "-pthread"]);
        let taken = run(&Edges, &program, &folder.path().join("counters"), "");
        // Two threads may lose counts to each other; a forked process loses none.
        assert!(
            all(&taken).any(|edge| edge.count > 10_000 && edge.count <= 100_000),
            "{compiler}: {taken:?}"
        );
        assert!(all(&taken).any(|edge| edge.count == 4_444), "{compiler}: {taken:?}");
    }
}

#[test]
fn files_that_no_runtime_has_written_are_errors() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("edges");
    let take = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a file");
        Edges.take(folder.path(), "")
    };
    assert!(take(b"").is_err());
    assert!(take(&[7; 64]).is_err());
    let file = |used: u64| [&b"sndryedg"[..], &used.to_le_bytes(), &[0; 16], &[1; 40]].concat();
    assert!(take(&file(u64::MAX)).expect_err("too many").to_string().contains("more than"));
    assert_eq!(take(&file(1000)).expect("what there is").len(), 1);
    assert!(matches!(Edges.take(Path::new("/nonexistent"), ""), Err(CounterError::Missing)));
}

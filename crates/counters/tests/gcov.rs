//! Counts of lines are those of gcov, for C and C++, and survive a limit.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{begin, compile, compile_runtime, count, has, prepared, programs, run, signal, succeed};
use sundry_counters::{CounterError, CounterProvider, FileCounters, Gcov, OpenError, open, runtime};
use tempfile::tempdir;

type Counts = BTreeMap<(String, u32), u64>;

/// The counts of gcov on the files of a run. Instances of a template have lines of their own there.
fn gcov(build: &Path, counters: &Path) -> Counts {
    let mut counts = Counts::new();
    for data in below(counters, "gcda") {
        fs::copy(&data, build.join(data.file_name().expect("a name"))).expect("the file is copied");
    }
    for data in below(build, "gcda") {
        let output =
            succeed(Command::new("gcov").current_dir(build).args(["--json-format", "--stdout"]).arg(&data));
        for line in String::from_utf8(output.stdout).expect("text").lines() {
            let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
            for file in object["files"].as_array().expect("files") {
                let name =
                    fs::canonicalize(build.join(file["file"].as_str().expect("a name"))).expect("a file");
                for line in file["lines"].as_array().expect("lines") {
                    let number = line["line_number"].as_u64().expect("a number") as u32;
                    let key = (name.to_string_lossy().into_owned(), number);
                    *counts.entry(key).or_default() += line["count"].as_u64().expect("a count");
                }
            }
        }
        fs::remove_file(&data).expect("the copy is removed");
    }
    counts.retain(|_, count| *count > 0);
    counts
}

fn below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

fn named(provider: &dyn CounterProvider, files: &[FileCounters]) -> Counts {
    let mut counts = Counts::new();
    for file in files {
        let name = fs::canonicalize(provider.file_name(file.file).expect("a name")).expect("a file");
        for counter in &file.lines {
            counts.insert((name.to_string_lossy().into_owned(), counter.line), counter.count);
        }
    }
    counts
}

fn agrees_with_gcov(compiler: &str, options: &[&str], sources: &[&str]) {
    let folder = tempdir().expect("a folder");
    let (build, counters) = (folder.path().join("build"), folder.path().join("counters"));
    fs::create_dir(&build).expect("a folder");
    let program = compile(&build, compiler, options, sources, &[]);
    let provider = Gcov::open(&build).expect("the build is read");
    for argument in ["0", "1", "9", "40"] {
        let preparation = provider.prepare(&counters).expect("the folder is prepared");
        succeed(prepared(&program, &preparation).arg(argument));
        let expected = gcov(&build, &counters);
        let taken = provider.take(&counters, "").expect("there are counters");
        let found = named(&provider, &taken);
        assert!(expected.len() > 5, "{expected:?}");
        let agrees = |key: &&(String, u32)| {
            let (gcov, ours) = (expected.get(key), found.get(key));
            // Optimised functions of the library share lines, whose executions gcov may lose: see src/gcov/program.rs.
            gcov == ours || (ours > gcov && !Path::new(&key.0).starts_with(programs()))
        };
        let different = expected.keys().chain(found.keys()).filter(|key| !agrees(key));
        let different: Vec<_> = different.map(|key| (key, expected.get(key), found.get(key))).collect();
        assert!(different.is_empty(), "{options:?} {argument}: (line, gcov, ours) {different:#?}");
        assert!(below(&counters, "gcda").is_empty());
    }
}

#[test]
fn counts_of_c_are_those_of_gcov() {
    if has("counts_of_c_are_those_of_gcov", &["gcc", "gcov"]) {
        for level in ["-O0", "-O2"] {
            agrees_with_gcov("gcc", &["--coverage", level], &["shapes.c", "other.c"]);
        }
    }
}

#[test]
fn counts_of_cpp_are_those_of_gcov() {
    if has("counts_of_cpp_are_those_of_gcov", &["g++", "gcov"]) {
        for level in ["-O0", "-O2"] {
            agrees_with_gcov("g++", &["--coverage", level], &["classes.cc", "far.cc"]);
        }
    }
}

#[test]
fn a_program_that_is_stopped_delivers_its_counters() {
    if !has("a_program_that_is_stopped_delivers_its_counters", &["gcc", "gcov"]) {
        return;
    }
    let folder = tempdir().expect("a folder");
    compile_runtime(folder.path(), "gcc", "flush.c", runtime::FLUSH);
    let link = ["flush.o", "-pthread", "-Wl,-u,__gcov_dump"];
    let program = compile(folder.path(), "gcc", &["--coverage", "-O0"], &["endless.c"], &link);
    let provider = open("gcov", Some(folder.path())).expect("the build is read");
    let counters = folder.path().join("counters");
    let preparation = provider.prepare(&counters).expect("the folder is prepared");

    let mut child = begin(&mut prepared(&program, &preparation));
    signal(&child, preparation.farewell.expect("a signal"));
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(128 + preparation.farewell.expect("a signal")));
    let taken = provider.take(&counters, "").expect("there are counters");
    // The program counts on while its counters are written, one function after the other: no equal counts.
    for line in [6, 15] {
        let turns = count(&*provider, &taken, "endless.c", line);
        assert!(turns > 1000, "line {line}: {turns}");
    }
    assert_eq!(count(&*provider, &taken, "endless.c", 12), 1);

    // A killed program leaves nothing, and without the variable the runtime does nothing.
    let mut child = begin(&mut prepared(&program, &preparation));
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    assert!(matches!(provider.take(&counters, ""), Err(CounterError::Missing)));
    let mut child = begin(prepared(&program, &preparation).env_remove("SUNDRY_FLUSH_ON_SIGNAL"));
    signal(&child, preparation.farewell.expect("a signal"));
    assert_eq!(child.wait().expect("it ends").code(), None);
}

#[test]
fn runs_do_not_add_up_and_builds_may_move() {
    if !has("runs_do_not_add_up_and_builds_may_move", &["gcc"]) {
        return;
    }
    let folder = tempdir().expect("a folder");
    let (build, counters) = (folder.path().join("build"), folder.path().join("counters"));
    fs::create_dir(&build).expect("a folder");
    compile(&build, "gcc", &["--coverage"], &["shapes.c", "other.c"], &[]);
    let moved = folder.path().join("moved");
    fs::rename(&build, &moved).expect("the build moves");
    let provider = Gcov::open(&moved).expect("the build is read");
    let program = moved.join("program");
    for _ in 0..2 {
        let taken = run(&provider, &program, &counters, "5");
        assert_eq!(count(&provider, &taken, "shapes.c", 57), 5);
    }
    // Counters of a run that was given up are removed before the next one.
    let preparation = provider.prepare(&counters).expect("the folder is prepared");
    succeed(prepared(&program, &preparation).arg("5"));
    let taken = run(&provider, &program, &counters, "3");
    assert_eq!(count(&provider, &taken, "shapes.c", 57), 3);
}

#[test]
fn mistakes_have_messages() {
    let folder = tempdir().expect("a folder");
    let message = |result: Result<std::sync::Arc<dyn CounterProvider>, OpenError>| {
        result.expect_err("an error").to_string()
    };
    let text = message(open("gcov", Some(folder.path())));
    assert!(text.contains("no .gcno files below") && text.contains("--coverage"), "{text}");
    assert!(message(open("gcov", None)).contains("gcov=PATH"));
    assert!(message(open("gcov", Some(&folder.path().join("absent")))).contains("absent: "));
    assert!(message(open("perf", None)).contains("'perf'"));
    let notes = folder.path().join("a.gcno");
    fs::write(&notes, b"oncg*804").expect("a file");
    assert!(message(open("gcov", Some(folder.path()))).contains("'408*' is not supported"));
    fs::write(&notes, b"text").expect("a file");
    assert!(message(open("gcov", Some(folder.path()))).contains("no file of GCC's coverage"));
}

#[test]
fn counters_of_another_build_are_refused() {
    if !has("counters_of_another_build_are_refused", &["gcc"]) {
        return;
    }
    let folder = tempdir().expect("a folder");
    let compile = |name: &str, source: &str| {
        let build = folder.path().join(name);
        fs::create_dir(&build).expect("a folder");
        fs::write(build.join("a.c"), source).expect("a source");
        succeed(Command::new("gcc").current_dir(&build).args(["--coverage", "a.c", "-o", "program"]));
        build
    };
    let old = compile("old", "int main(void) { return 0; }");
    std::thread::sleep(std::time::Duration::from_millis(5));
    let new = compile("new", "int main(int argc, char **argv) { return argc > 2 && argv; }");
    let counters = folder.path().join("counters");
    let provider = Gcov::open(&old).expect("the build is read");
    let preparation = provider.prepare(&counters).expect("the folder is prepared");
    succeed(&mut prepared(&new.join("program"), &preparation));
    let error = provider.take(&counters, "").expect_err("another build").to_string();
    assert!(error.contains("another build"), "{error}");
    // The refused files are gone, so the next run is not disturbed.
    run(&provider, &old.join("program"), &counters, "");
}

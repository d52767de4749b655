//! Counters of clang are those that llvm-profdata shows, survive a limit, and damaged profiles do no harm.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Numbers, begin, compile, compile_runtime, has, only, prepared, run, signal, succeed};
use sundry_counters::{CounterError, CounterProvider, FileCounters, Llvm, open, runtime};
use tempfile::tempdir;

/// The executed counters of all functions: numbers and counts, without names.
type Functions = Vec<Vec<(u32, u64)>>;

/// The counters that llvm-profdata shows of a profile.
fn shown(profile: &Path) -> Functions {
    let output =
        succeed(Command::new("llvm-profdata").args(["show", "--all-functions", "--counts"]).arg(profile));
    let mut functions = Functions::new();
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        if let Some(count) = line.trim().strip_prefix("Function count: ") {
            functions.push(vec![(0, count.parse().expect("a count"))]);
        } else if let Some(counts) = line.trim().strip_prefix("Block counts: [") {
            let counts = counts.trim_end_matches(']').split(", ").filter(|count| !count.is_empty());
            let function = functions.last_mut().expect("a function");
            function.extend((1..).zip(counts.map(|count| count.parse::<u64>().expect("a count"))));
        }
    }
    functions.iter_mut().for_each(|function| function.retain(|(_, count)| *count != 0));
    functions.retain(|function| !function.is_empty());
    functions.sort_unstable();
    functions
}

fn plain(files: &[FileCounters]) -> Functions {
    let lines =
        |file: &FileCounters| file.lines.iter().map(|counter| (counter.line, counter.count)).collect();
    let mut functions: Functions = files.iter().map(lines).collect();
    functions.sort_unstable();
    functions
}

#[test]
fn counts_are_those_of_profdata() {
    if !has("counts_are_those_of_profdata", &["clang", "clang++", "llvm-profdata"]) {
        return;
    }
    let programs = [("clang", ["shapes.c", "other.c"]), ("clang++", ["classes.cc", "far.cc"])];
    for (compiler, sources) in programs {
        for options in
            [&["-fprofile-instr-generate", "-O1"][..], &["-fprofile-instr-generate", "-fcoverage-mapping"]]
        {
            let folder = tempdir().expect("a folder");
            let program = compile(folder.path(), compiler, options, &sources, &[]);
            let provider = open("llvm", None).expect("a provider");
            let counters = folder.path().join("counters");
            for argument in ["3", "40"] {
                let preparation = provider.prepare(&counters).expect("the folder is prepared");
                succeed(prepared(&program, &preparation).arg(argument));
                let expected = shown(&only(&counters, "profraw"));
                let taken = provider.take(&counters, "").expect("there are counters");
                assert!(expected.len() >= 5, "{expected:?}");
                assert_eq!(plain(&taken), expected, "{compiler} {options:?} {argument}");
                let again = run(&*provider, &program, &counters, argument);
                assert_eq!(again, taken, "numbers are the same in all runs");
            }
        }
    }
}

#[test]
fn a_stopped_program_writes_its_profile() {
    if !has("a_stopped_program_writes_its_profile", &["clang"]) {
        return;
    }
    let folder = tempdir().expect("a folder");
    compile_runtime(folder.path(), "clang", "flush.c", runtime::FLUSH);
    let program = compile(
        folder.path(),
        "clang",
        &["-fprofile-instr-generate"],
        &["endless.c"],
        &["flush.o", "-pthread"],
    );
    let provider = Llvm::default();
    let counters = folder.path().join("counters");
    let preparation = provider.prepare(&counters).expect("the folder is prepared");
    let mut child = begin(&mut prepared(&program, &preparation));
    signal(&child, preparation.farewell.expect("a signal"));
    child.wait().expect("it ends");
    let taken = provider.take(&counters, "").expect("there are counters");
    assert!(taken.iter().flat_map(|file| &file.lines).any(|counter| counter.count > 1000), "{taken:?}");
    let mut child = begin(&mut prepared(&program, &preparation));
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    assert!(matches!(provider.take(&counters, ""), Err(CounterError::Missing)));
}

#[test]
fn damaged_profiles_do_no_harm() {
    if !has("damaged_profiles_do_no_harm", &["clang"]) {
        return;
    }
    let folder = tempdir().expect("a folder");
    let program =
        compile(folder.path(), "clang", &["-fprofile-instr-generate"], &["shapes.c", "other.c"], &[]);
    let provider = Llvm::default();
    let counters = folder.path().join("counters");
    let preparation = provider.prepare(&counters).expect("the folder is prepared");
    succeed(&mut prepared(&program, &preparation));
    let profile = only(&counters, "profraw");
    let good = fs::read(&profile).expect("a profile");
    let mut numbers = Numbers(1);
    let mut refused = 0;
    for _ in 0..3000 {
        fs::write(&profile, numbers.mutate(&good)).expect("a file");
        refused += usize::from(provider.take(&counters, "").is_err());
    }
    assert!(refused > 100, "{refused}");
    let refuse = |bytes: &[u8], word: &str| {
        fs::write(&profile, bytes).expect("a file");
        let error = provider.take(&counters, "").expect_err("an error").to_string();
        assert!(error.contains(word), "{error}");
    };
    refuse(b"text", "no raw profile");
    refuse(&[&good[..8], &[99, 0, 0, 0, 0, 0, 0, 0], &good[16..]].concat(), "version 99");
    refuse(&good[..200], "cut off");
}

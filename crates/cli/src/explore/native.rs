//! Results for other programs: a script that runs a native build on all tests, and a report in the format of JUnit.

use std::fmt::Write as _;
use std::path::Path;

use sundry_report::untrusted::html;

use super::files::test_name;
use super::record::{ErrorRecord, ExploreRecord};
use crate::failure::Failure;
use crate::output::OutputFolder;

/// A script that gives each test to a native build, as standard input, arguments and files.
const SCRIPT: &str = r#"#!/bin/sh
# Runs a program with the input of every test and error in this folder, and prints its exit status.
# usage: run.sh [--minimal] COMMAND [ARGUMENT...]
# With --minimal, only the tests in minimal.txt are run, which cover as much as all of them.
# Symbolic arguments of a test come before those of the command line. Files are in the current folder of the run.
here=$(cd "$(dirname "$0")" && pwd)
list() { cd "$here" && ls -d tests/*/ errors/*/ 2>/dev/null; }
if [ "$1" = --minimal ]; then
    list() { cat "$here/minimal.txt"; }
    shift
fi
[ $# -gt 0 ] || { sed -n '2,5s/^# //p' "$0"; exit 2; }
case $1 in */*) command=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;; *) command=$1 ;; esac
shift
list | while read -r name; do
    name=${name%/}
    test=$here/$name
    [ -f "$test/test.json" ] || continue
    place=$(mktemp -d) || exit 1
    [ -d "$test/files" ] && cp -R "$test/files/." "$place"
    (
        cd "$place" || exit 1
        number=0
        while [ -f "$test/arg$((number + 1))" ]; do number=$((number + 1)); done
        while [ $number -gt 0 ]; do
            set -- "$(tr -d '\000' <"$test/arg$number")" "$@"
            number=$((number - 1))
        done
        if [ -f "$test/stdin" ]; then
            "$command" "$@" <"$test/stdin" >/dev/null 2>&1
        else
            "$command" "$@" </dev/null >/dev/null 2>&1
        fi
    )
    printf '%s %s\n' $? "$name"
    rm -rf "$place"
done
"#;

fn stack(error: &ErrorRecord) -> String {
    let mut text = String::new();
    for frame in &error.stack {
        let place = match (&frame.file, frame.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => format!("code offset {:#x}", frame.offset),
        };
        let _ = writeln!(text, "in {} at {place}", frame.function);
    }
    text
}

/// The errors as failed test cases, and one case for the exploration itself.
fn junit(record: &ExploreRecord) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let module = html(&record.module);
    let _ = writeln!(
        text,
        "<testsuite name=\"sundry explore {module}\" tests=\"{}\" failures=\"{}\" time=\"{:.3}\">",
        record.errors.len() + 1,
        record.errors.len(),
        record.seconds
    );
    let _ = writeln!(text, "  <testcase classname=\"{module}\" name=\"exploration\"/>");
    for (number, error) in record.errors.iter().enumerate() {
        let _ = writeln!(
            text,
            "  <testcase classname=\"{module}\" name=\"error {}: {}\">",
            number + 1,
            error.kind
        );
        let message = html(&error.message);
        let _ = writeln!(text, "    <failure message=\"{message}\">{}</failure>", html(&stack(error)));
        text.push_str("  </testcase>\n");
    }
    text.push_str("</testsuite>\n");
    text
}

/// Writes the script, the list of tests that are enough, and the report.
///
/// # Errors
/// A file cannot be written.
pub fn write(output: &OutputFolder, record: &ExploreRecord) -> Result<(), Failure> {
    // The arguments of a function are nothing that a script could give a program.
    if record.function.is_none() {
        output.file(Path::new("run.sh"))?.replace(SCRIPT.as_bytes())?;
    }
    let names = record.minimal_tests.iter().map(|&number| format!("{}\n", test_name(number).display()));
    output.file(Path::new("minimal.txt"))?.replace(names.collect::<String>().as_bytes())?;
    output.file(Path::new("junit.xml"))?.replace(junit(record).as_bytes())
}

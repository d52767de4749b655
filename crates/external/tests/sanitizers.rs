//! Solvers that were built with sanitizers: their reports are crashes, by kind and stack.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use sundry_external::{Circumstances, Fault, Inquiry, Limits, Profiles, Respondent, Solver};

/// A solver that reads memory behind the end of a block, adds beyond the largest integer, fails an assertion, or leaks, as the name of
/// a constant in its script says.
const SOURCE: &str = r#"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int behind_the_end(int size) {
    char *block = malloc(size);
    int found = block[size];
    free(block);
    return found;
}

static int sum(int left, int right) { return left + right; }

static void *forgotten(void) { return malloc(10); }

int main(int count, char **words) {
    FILE *script = fopen(words[count - 1], "r");
    static char text[1000];
    fread(text, 1, sizeof text - 1, script);
    puts("sat");
    fflush(stdout);
    switch (strstr(text, "fault-")[6]) {
    case 'a': return behind_the_end(8);
    case 'b': return behind_the_end(4000);
    case 'c': printf("; %d\n", sum(INT_MAX, 1)); break;
    case 'd': printf("; %d\n", sum(7, INT_MAX)); break;
    case 'e': abort();
    case 'f': forgotten(); break;
    }
    return 0;
}
"#;

/// Builds the solver with sanitizers; false where that is impossible.
fn build(folder: &Path) -> bool {
    let (source, program) = (folder.join("solver.c"), folder.join("solver"));
    fs::write(&source, SOURCE).unwrap();
    let mut command = Command::new("gcc");
    command.args(["-g", "-O0", "-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-o"]);
    command.arg(program).arg(source).status().is_ok_and(|status| status.success())
}

#[test]
fn reports_of_a_build_are_grouped_by_kind_and_stack() {
    let folder = tempfile::tempdir().unwrap();
    if !build(folder.path()) {
        eprintln!(
            "SKIPPED reports_of_a_build_are_grouped_by_kind_and_stack: gcc with sanitizers is missing (tools/test installs it)"
        );
        return;
    }
    let command = folder.path().join("solver").display().to_string();
    let solver = Solver::new(&command, &Profiles::built_in()).expect("a command");
    let fault = |name: &str| {
        let text = format!("(declare-const fault-{name} Bool)(assert fault-{name})(check-sat)");
        let inquiry = Inquiry::parse(&text).expect("a script");
        let place = tempfile::tempdir().unwrap();
        let (limits, interrupted) = (Limits::default(), Arc::default());
        let circumstances = Circumstances::new(place.path(), &limits, &interrupted);
        solver.ask(&inquiry, circumstances).expect("it runs").fault
    };
    let crash = |signature: &str| Some(Fault::Crash(signature.to_string()));
    let behind = "AddressSanitizer: heap-buffer-overflow in behind_the_end, called by main";
    assert_eq!(fault("a"), crash(behind));
    assert_eq!(fault("b"), crash(behind), "the size does not matter");
    let overflow = "UndefinedBehaviorSanitizer: signed integer overflow: N + N cannot be represented in type 'int' in sum, called by main";
    assert_eq!(fault("c"), crash(overflow));
    assert_eq!(fault("d"), crash(overflow), "the numbers do not matter");
    assert_eq!(fault("e"), crash("AddressSanitizer: ABRT in main"));
    assert_eq!(fault("f"), None, "a leak is no fault");
    assert_eq!(fault("g"), None);
}

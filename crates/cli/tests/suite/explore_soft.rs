//! Exploring programs with floats in software.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use sundry_testing::skipped::skip;

use crate::common::Place;
use crate::explore::has_compiler;

/// A program with an array that a converted float may index beyond its end.
const PROGRAM: &str = "\
#include <math.h>
#include <stdlib.h>
#include <sundry.h>
int main(void) {
    double x = 0;
    sundry_symbolic(&x, sizeof x, \"x\");
    volatile int *numbers = calloc(4, sizeof *numbers);
    if (sqrt(x) * x > 2 && x < 1.6)
        exit(77);
    if (x >= 2 && x < 9)
        numbers[(int)(x / 2)] = 1;
    free((int *)numbers);
}
";

#[test]
fn errors_are_the_same_and_are_replayed() {
    if !has_compiler("floats in software") {
        return;
    }
    let place = Place::with(&[("program.c", PROGRAM)]);
    place.run(&["cc", "program.c", "-q", "-o", "program.wasm"]).expect(0);
    let explore = |floats: &str| {
        let arguments =
            ["explore", "program.wasm", "--bad-exit", "77", "--json", "--floats", floats, "-o", floats];
        let run = place.run(&arguments).expect(1);
        serde_json::from_str::<Value>(&run.out).expect("JSON")
    };
    let [circuit, soft] = ["circuit", "soft"].map(explore);
    assert_eq!(soft["questions_with_floats"], 0);
    assert_eq!(soft["diverged"], 0);
    // Branches of the library make more tests, but neither other directions nor other lines.
    assert!(soft["paths"].as_u64() > circuit["paths"].as_u64());
    assert_eq!(soft["lines"], circuit["lines"]);
    assert_eq!(soft["directions"], circuit["directions"]);
    let errors = |record: &Value| {
        let errors = record["errors"].as_array().expect("a list").iter();
        let frame = |error: &Value| (error["kind"].to_string(), error["stack"][0]["line"].to_string());
        let mut errors: Vec<(String, String)> = errors.map(frame).collect();
        errors.sort();
        errors
    };
    assert_eq!(errors(&soft), errors(&circuit));
    assert_eq!(errors(&soft).len(), 2);
    for error in soft["errors"].as_array().expect("a list") {
        let folder = error["folder"].as_str().expect("text");
        let replay =
            place.run(&["explore", "program.wasm", "--bad-exit", "77", "--replay", folder]).expect(1);
        let message = error["message"].as_str().expect("text");
        assert!(replay.out.starts_with(message), "{}", replay.out);
        assert!(place.read(&format!("{folder}/test.json")).contains("\"has_soft_floats\": true"));
    }
}

#[test]
fn the_library_is_what_its_source_compiles_to() {
    let version = Command::new("clang-19").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    match version {
        // Another compiler makes other code, whose functions the tests of the library compare with the processor.
        Ok(version) if version.contains("version 19.1.7") => {}
        _ => return skip("the software float library", "there is no clang 19.1.7"),
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wasm/soft");
    let place = Place::with(&[]);
    let output = place.path("soft.wasm");
    let status = Command::new(folder.join("build.sh")).arg(&output).status().expect("a shell");
    assert!(status.success());
    let kept = fs::read(folder.join("soft.wasm")).expect("the library");
    assert!(fs::read(output).expect("a module") == kept, "crates/wasm/soft/build.sh makes another library");
}

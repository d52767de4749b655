//! Exploring single functions.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sundry_testing::skipped::skip;

use crate::common::Place;

const SOURCE: &str = r#"
#include <stdlib.h>
#include <string.h>

enum kind { LEAF, FORK = 5 };
struct node { int value; enum kind kind; struct node *next; char *name; unsigned low : 3, high : 5; };
struct pair { int a, b; };
struct wrapped { double x; };

int parse_number(const char *text, int n) {
    int value = 0;
    for (int i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return value;
        value = value * 10 + text[i] - '0';
        if (value > 40)
            return 100 / (value - 42);
    }
    return value;
}
int fork_of_two(const struct node *list) {
    if (list && list->kind == FORK && list->next && !list->next->next && list->low == 2 && list->high == 9)
        abort();
    return 0;
}
int compare(struct pair p, struct wrapped w, signed char c, _Bool b) {
    if (p.a == 3 && p.b == -4 && w.x == 2.5 && c == -100 && b)
        abort();
    return 0;
}
struct pair swap(struct pair *from) {
    struct pair swapped = { from[1].b, from[0].a };
    return swapped;
}
void release(struct node *node) {
    free(node->name);
    free(node);
    node->value = 1;
}
int call(int (*f)(int), int x) { return f ? f(x) : x / (x - 8); }
static int started;
__attribute__((constructor)) static void start(void) { started = 1; }
int is_started(unsigned char c) { return started ? c : 1 / started; }
int nothing(void) { return started; }
"#;

/// The module of the source, or nothing if there is no compiler.
fn compiled(test: &str, options: &[&str]) -> Option<Place> {
    for needed in ["/usr/bin/clang-19", "/usr/bin/wasm-ld-19", "/usr/lib/wasm32-wasi/libc.a"] {
        if !Path::new(needed).exists() {
            skip(test, format_args!("there is no {needed}"));
            return None;
        }
    }
    let place = Place::with(&[("lib.c", SOURCE)]);
    place.run(&[&["cc", "lib.c", "-q", "-o", "lib.wasm"], options].concat()).expect(0);
    Some(place)
}

#[test]
fn errors_show_the_call_and_are_replayed() {
    let Some(place) = compiled("calls in words", &["--export", "parse_number"]) else { return };
    let options = ["explore", "lib.wasm", "--function", "parse_number", "--never-null", "-o", "out"];
    let run = place.run(&options).expect(1);
    assert!(run.out.contains("(all paths)") && run.out.contains(", 1 error\n"), "{}", run.out);
    let call = run.out.lines().nth(1).expect("a call").trim().to_string();
    assert!(call.starts_with("parse_number(text = \"42"), "{call}");
    assert!(run.out.contains("in parse_number at"), "{}", run.out);
    let folder = "out/errors/01-division-by-zero";
    let text = fs::read(place.path(folder).join("parameters/text")).expect("a file");
    assert_eq!(text.len(), 8);
    let replay = place.run(&["explore", "lib.wasm", "--replay", folder]).expect(1);
    assert!(replay.out.starts_with(&format!("{call}\ninteger division by zero")), "{}", replay.out);
    let record: Value = serde_json::from_str(&place.read("out/record.json")).expect("JSON");
    assert_eq!(record["function"], "parse_number");
    assert_eq!(record["errors"][0]["call"], call.as_str());
    assert!(place.read("out/coverage.info").contains("lib.c"));
    assert!(!place.path("out/run.sh").exists());
}

#[test]
fn arguments_follow_the_types_of_the_source() {
    let Some(place) = compiled("types of arguments", &["--export-all"]) else { return };
    for (options, code, expected) in [
        (&["--function", "parse_number"][..], 1, "parse_number(text = null, n = "),
        (
            &["--function", "fork_of_two"],
            1,
            "fork_of_two(list = &{kind = FORK, next = &{next = null, name = \"\"}, name = \"\", low = 2, high = 9})",
        ),
        (&["--function", "compare"], 1, "compare(p = {a = 3, b = -4}, w = 2.5, c = -100, b = true)"),
        (&["--function", "swap", "--never-null"], 1, "access beyond a block of the heap"),
        (&["--function", "swap", "--never-null", "--object", "from=16"], 0, "(all paths)"),
        (&["--function", "release", "--never-null", "--pointer-depth", "1"], 1, "that was freed"),
        (&["--function", "call"], 1, "call(f = null, x = 8)"),
        (&["--function", "is_started"], 0, "(all paths)"),
    ] {
        let run = place.run(&[&["explore", "lib.wasm"], options].concat()).expect(code);
        assert!(run.out.contains(expected), "{options:?}: {}", run.out);
    }
}

/// Loops over arrays whose indices do not depend on the input, and whose ends do. Those of the second part are right.
const LOOPS: &str = r#"
#include <string.h>
static volatile int table[8], after[8] = { 1 };
struct big { int parts[12]; };
__attribute__((noinline)) static void turn(char *text) {
    for (int i = 0; i < 16; i++)
        text[i] ^= 1;
}
__attribute__((noinline)) static int sum(struct big big) {
    int sum = 0;
    for (int i = 0; i < 12; i++)
        sum += big.parts[i];
    return sum;
}
int frame(unsigned char n) {
    char buffer[16];
    for (int i = 0; i < (n & 63); i++)
        buffer[i] = (char)(i * 3);
    turn(buffer);
    return buffer[0];
}
int steps(unsigned char n) {
    volatile int values[10];
    for (int i = 0; i < (n & 15); i++)
        values[i] = i * i;
    return values[3];
}
int fixed(unsigned char n) {
    for (int i = 0; i < (n & 15); i++)
        table[i] = n;
    return after[0];
}

int whole(unsigned char n) {
    volatile int values[16];
    for (int i = 0; i < (n & 15); i++)
        values[i] = i * i;
    return values[3];
}
int fixed_whole(unsigned char n) {
    for (int i = 0; i < (n & 7); i++)
        table[i] = n;
    return after[0];
}
int copies(unsigned char n) {
    char buffer[16];
    int total = 0;
    {
        struct big big;
        for (int i = 0; i < 12; i++)
            big.parts[i] = n + i;
        total = sum(big);
    }
    for (int k = 0; k < 6; k++)
        total += (int[]){ n, n + 1, n + 2, n + 3, n + 4, n * total }[k];
    memset(buffer, total, 16);
    turn(buffer);
    return buffer[n & 15];
}
"#;

#[test]
fn loops_that_run_beyond_arrays_are_found_and_others_are_not() {
    let Some(place) = compiled("loops over arrays", &["--export-all"]) else { return };
    place.write("loops.c", LOOPS);
    for level in ["-O1", "-O2"] {
        place.run(&["cc", "loops.c", "-q", "-o", "loops.wasm", "--export-all", level]).expect(0);
        for (function, code) in
            [("frame", 1), ("steps", 1), ("fixed", 1), ("whole", 0), ("fixed_whole", 0), ("copies", 0)]
        {
            let run = place.run(&["explore", "loops.wasm", "--function", function]).expect(code);
            let expected = "access beyond an object in the stack or in static memory";
            assert_eq!(run.out.contains(expected), code == 1, "{level} {function}: {}", run.out);
        }
    }
}

#[test]
fn functions_that_cannot_be_called_are_refused() {
    let Some(place) = compiled("wrong functions", &["--export-all"]) else { return };
    for (options, expected) in [
        (&["--function", "parse_numbr"][..], "no function `parse_numbr`; it has `parse_number`"),
        (&["--function", "nothing"], "`nothing` has no arguments, so nothing is symbolic"),
        (&["--function", "swap", "--object", "form=16"], "there is `from`"),
        (&["--function", "swap", "--object", "from"], "expected NAME=BYTES"),
        (&["--function", "swap", "--object", "from=0"], "between 1 and"),
        (&["--function", "fork_of_two", "--pointer-depth", "9999"], "lead to too many objects"),
        (&["--never-null"], "--never-null has no effect without --function"),
        (&["--function", "swap", "--native", "true"], "--native has no effect with --function"),
    ] {
        let run = place.run(&[&["explore", "lib.wasm"], options].concat()).expect(2);
        assert!(run.err.contains(expected), "{options:?}: {}", run.err);
    }
    let run = place.run(&["explore", "lib.wasm"]).expect(2);
    assert!(run.err.contains("--function NAME explores one of its functions"), "{}", run.err);
}

#[test]
fn without_debug_information_arguments_are_numbers() {
    let text = r#"(module (import "env" "outside" (func $outside)) (memory 1) (func $inner (param i32 i64)
        (if (i32.eq (local.get 0) (i32.const 77)) (then (drop (i64.div_u (i64.const 1) (local.get 1))))))
        (func (export "f") (param i32) (drop (i32.load (local.get 0)))) (func (export "v") (param v128)))"#;
    let place = Place::with(&[]);
    let bytes = wast::parser::parse::<wast::Wat<'_>>(&wast::parser::ParseBuffer::new(text).expect("text"))
        .expect("a module")
        .encode()
        .expect("a module");
    fs::write(place.path("plain.wasm"), bytes).expect("written");
    let run = place.run(&["explore", "plain.wasm", "--function", "inner"]).expect(1);
    assert!(run.out.contains("inner(parameter1 = 77, parameter2 = 0)"), "{}", run.out);
    assert!(run.err.contains("does not say the parameters of this function"), "{}", run.err);
    let options = ["explore", "plain.wasm", "--function", "f", "--object", "parameter1=4"];
    let run = place.run(&options).expect(1);
    assert!(run.out.contains("f(parameter1 = null)") && run.out.contains(", 1 error\n"), "{}", run.out);
    for (function, expected) in
        [("$outside", "no function"), ("outside", "is imported"), ("v", "a vector or a reference")]
    {
        let run = place.run(&["explore", "plain.wasm", "--function", function]).expect(2);
        assert!(run.err.contains(expected), "{}", run.err);
    }
}

#[test]
fn the_main_function_of_a_program_does_not_run() {
    let place = Place::with(&[]);
    let labels = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/explore/labels.wasm");
    fs::copy(labels, place.path("labels.wasm")).expect("copied");
    let run = place
        .run(&["explore", "labels.wasm", "--function", "strlen", "--never-null", "--elements", "4"])
        .expect(0);
    assert!(run.out.contains("(all paths)"), "{}", run.out);
}

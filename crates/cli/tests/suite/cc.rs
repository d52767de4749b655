//! Compiling to WebAssembly, where a compiler for it is installed.

use std::fs;
use std::path::Path;

use sundry_testing::skipped::skip;

use crate::common::Place;

/// Whether the packages are there; a test without them is skipped.
fn has_compiler(test: &str, files: &[&str]) -> bool {
    let mut needed = vec!["/usr/bin/clang-19", "/usr/bin/wasm-ld-19", "/usr/lib/wasm32-wasi/libc.a"];
    needed.extend(files);
    match needed.into_iter().find(|file| !Path::new(file).exists()) {
        Some(missing) => {
            skip(test, format_args!("there is no {missing}"));
            false
        }
        None => true,
    }
}

const PROGRAM: &str = "\
#include <stdio.h>
#include <math.h>
#include <sundry.h>
int main(void) {
    int value = 0;
    sundry_symbolic(&value, sizeof value, \"value\");
    sundry_assume(value > 0);
    sundry_assert(value != 7);
    printf(\"%d %g\\n\", value, sqrt(value));
}
";

#[test]
fn a_program_becomes_a_module_with_lines() {
    if !has_compiler("compiling C", &[]) {
        return;
    }
    let place = Place::with(&[("my program.c", PROGRAM)]);
    let run = place.run(&["cc", "my program.c", "-Wall", "-Werror", "-std=c11", "-DX=1", "-lm"]).expect(0);
    assert!(run.err.contains("clang-19 '--target=wasm32-wasi' '--sysroot="), "{}", run.err);
    assert!(
        run.err.contains(" '-std=c11' '-DX=1' ") && run.err.contains("'my program.c' -lm"),
        "{}",
        run.err
    );
    assert!(run.err.contains("a.wasm: "), "{}", run.err);
    assert_eq!(run.out, "");
    let module = fs::read(place.path("a.wasm")).expect("a module");
    for word in [&b"assert_fail"[..], b"symbolic", b".debug_line", b"my program.c"] {
        assert!(module.windows(word.len()).any(|window| window == word), "{}", String::from_utf8_lossy(word));
    }
    // The private folder of a run leaves no trace: the same source makes the same module.
    place.run(&["cc", "my program.c", "-std=c11", "-DX=1", "-o", "again.wasm"]).expect(0);
    assert_eq!(fs::read(place.path("again.wasm")).expect("a module"), module);
    let quiet = place.run(&["cc", "my program.c", "-q", "-o", "b.wasm"]).expect(0);
    assert_eq!(quiet.err, "");
}

#[test]
fn drivers_for_klee_compile_as_they_are() {
    if !has_compiler("drivers for KLEE", &[]) {
        return;
    }
    let driver = "\
#include <klee/klee.h>
int main(void) {
    char text[4];
    klee_make_symbolic(text, sizeof text, \"text\");
    klee_assume(text[3] == 0);
    klee_prefer_cex(text, text[0] >= 'a');
    int n = klee_range(0, 10, \"n\") + klee_int(\"m\") + klee_get_value_i32(n) + (int)klee_is_symbolic(n);
    klee_open_merge();
    klee_close_merge();
    klee_warning(\"nothing\");
    klee_print_expr(\"n\", n);
    if (n == 3) klee_report_error(__FILE__, __LINE__, \"three\", \"user.err\");
    if (n == 4) klee_silent_exit(0);
    if (n == 5) klee_abort();
    klee_assert(text[0] != 'x');
    return 0;
}
";
    let place = Place::with(&[("driver.c", driver), ("driver.cpp", driver)]);
    place.run(&["cc", "driver.c", "-o", "c.wasm"]).expect(0);
    if has_compiler("drivers for KLEE in C++", &["/usr/lib/wasm32-wasi/libc++.a"]) {
        place.run(&["cc", "driver.cpp", "-o", "cpp.wasm"]).expect(0);
    }
}

#[test]
fn c_and_c_plus_plus_go_together() {
    if !has_compiler("compiling C++", &["/usr/lib/wasm32-wasi/libc++.a"]) {
        return;
    }
    let main = "\
#include <string>
#include <vector>
extern \"C\" int twice(int);
int main(int count, char **words) {
    std::vector<std::string> all(words, words + count);
    return twice(static_cast<int>(all.size()));
}
";
    let place = Place::with(&[("main.cpp", main), ("twice.c", "int twice(int x) { return 2 * x; }\n")]);
    place.run(&["cc", "main.cpp", "twice.c", "-o", "main.wasm"]).expect(0);
    assert!(fs::read(place.path("main.wasm")).expect("a module").starts_with(b"\0asm"));
}

#[test]
fn errors_of_the_source_are_shown_and_leave_the_output_alone() {
    if !has_compiler("errors of clang", &[]) {
        return;
    }
    let place = Place::with(&[
        ("wrong.c", "int main(void) { return x; }\n"),
        ("jump.c", "#include <setjmp.h>\nint main(void) { return 0; }\n"),
        ("a.wasm", "kept"),
    ]);
    let run = place.run(&["cc", "wrong.c", "-q"]).expect(2);
    assert!(run.err.contains("wrong.c:1:25: error:") && run.err.contains("has failed"), "{}", run.err);
    assert_eq!(place.read("a.wasm"), "kept");
    let run = place.run(&["cc", "jump.c"]).expect(2);
    assert!(run.err.contains("help: there is no setjmp here"), "{}", run.err);
}

#[test]
fn without_a_compiler_the_packages_are_named() {
    let place = Place::with(&[("a.c", "int main(void) { return 0; }\n")]);
    let mut command = place.command(&["cc", "a.c"]);
    let output = command.env("PATH", place.path("empty")).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8(output.stderr).expect("text");
    assert!(
        err.contains("help: apt-get install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32"),
        "{err}"
    );
}

#[test]
fn errors_are_replayed_in_the_world_that_they_came_from() {
    if !has_compiler("replaying errors", &[]) {
        return;
    }
    let program = "\
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char *copy = malloc(8);
    if (!copy || argc != 3) return 1;
    copy[0] = argv[1][0];
    int is_bad = copy[0] == 'x' && !strcmp(argv[2], \"fixed\") && getenv(\"MODE\");
    free(copy);
    assert(!is_bad);
    return 0;
}
";
    let place = Place::with(&[("world.c", program)]);
    place.run(&["cc", "world.c", "-o", "world.wasm"]).expect(0);
    // A native program that fails in the same way.
    place.write(
        "native.sh",
        "[ \"$MODE\" = 1 ] && [ \"$1\" = x ] && [ \"$2\" = fixed ] && kill -ABRT $$\nexit 0\n",
    );
    let native = place.script("native.sh");
    let explore =
        ["explore", "world.wasm", "--arg", "4", "--env", "MODE=1", "--native", &native, "-o", "out"];
    let run = place.run(&[&explore[..], &["--", "fixed"]].concat()).expect(1);
    assert!(run.out.contains("confirmed by the native build"), "{}", run.out);
    assert!(run.out.contains("(all paths)") && run.out.contains(", 1 error\n"), "{}", run.out);
    assert!(run.out.contains("smallest input 1 byte)"), "{}", run.out);
    assert!(run.out.contains("standard error: Assertion failed: !is_bad"), "{}", run.out);
    let command = run.out.lines().find_map(|line| line.trim().strip_prefix("replay: sundry "));
    let words: Vec<&str> = command.expect("the command for a replay").split(' ').collect();
    let replayed = place.run(&words).expect(1);
    assert!(replayed.out.contains("unreachable code was reached after"), "{}", replayed.out);
    // Scripts give the argument to native programs as it is in its file.
    assert_eq!(fs::read(place.path("out/errors/01-abort/arg1")).expect("the argument"), b"x");
    // Without the environment, there is no error.
    let other = [&words[..], &["--env", "OTHER=1"]].concat();
    place.run(&other).expect(0);
}

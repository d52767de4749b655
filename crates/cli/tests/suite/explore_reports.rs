//! What reports of explorations say of small C programs: errors that are none, errors that are several, lines and counts, and replays.

use crate::common::Place;
use crate::explore::has_compiler;

/// The place with a program of this source, compiled with a level of optimisation.
pub fn compiled(source: &str, level: &str) -> Place {
    let place = Place::with(&[("program.c", source)]);
    place.run(&["cc", "program.c", "-q", "-O", level, "-o", "program.wasm"]).expect(0);
    place
}

/// Programs without an error, with the level of optimisation and the bytes of standard input.
const RIGHT: [(&str, &str, &str, &str); 8] = [
    (
        "the block stays where it cannot become larger",
        "1",
        "1",
        "#include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            char *block = malloc(8);
            if (!block) return 1;
            if (getchar() == 'r') {
                char *larger = realloc(block, 0x80000000u);
                if (!larger) { block[0] = 'b'; free(block); return 2; }
                block = larger;
            }
            free(block);
            return 0;
        }",
    ),
    (
        "addresses in front of an array may be in another one",
        "1",
        "2",
        "#include <stdio.h>
        static int names[64], count[10];
        __attribute__((noinline)) static void add(int *counters, int digit) { counters[digit - '0']++; }
        int main(void) {
            unsigned char digits[2];
            if (fread(digits, 1, 2, stdin) != 2) return 1;
            if (digits[0] < '0' || digits[0] > '9' || digits[1] < '0' || digits[1] > '9') return 4;
            add(names + 48, digits[1]);
            add(count, digits[0]);
            return count[3] == 1 && names[55] == 1 ? 2 : 0;
        }",
    ),
    (
        "the end of an array is the start of the next",
        "0",
        "1",
        "#include <stdio.h>
        static char first[16], second[16], third[16];
        __attribute__((noinline)) static int at(const char *place, int index) { return place[index]; }
        int main(void) {
            unsigned char index;
            if (fread(&index, 1, 1, stdin) != 1 || index > 7) return 1;
            first[15 - index] = 1;
            int sum = at(second + 8, index) + at(first + 16, -(int)index - 1);
            return sum + at(third + 16, -(int)index - 1) + at(second + 16, -(int)index - 1);
        }",
    ),
    (
        "loops go backwards from the end of an array",
        "1",
        "1",
        "#include <stdio.h>
        __attribute__((noinline)) static void reverse(const char *from, char *to, int length) {
            while (length--) *to++ = *--from;
        }
        int main(void) {
            static char first[8] = \"abcdefg\", second[8] = \"ABCDEFG\";
            unsigned char length;
            if (fread(&length, 1, 1, stdin) != 1 || length > 4) return 2;
            char one[8], other[8];
            reverse(second + 4, other, length);
            reverse(first + 8, one, length);
            first[0] = second[0] = length;
            return length > 1 && one[1] != 'g' ? 99 : 0;
        }",
    ),
    (
        "posix_memalign makes a block",
        "0",
        "1",
        "#include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            char *first = malloc(8);
            void *second = 0;
            if (getchar() == 'x') {
                if (posix_memalign(&second, 64, 100)) return 1;
                ((char *)second)[99] = 1;
                free(second);
            }
            free(first);
            return 0;
        }",
    ),
    (
        "memory from sbrk belongs to the program",
        "0",
        "1",
        "#include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        int main(void) {
            char *block = malloc(8);
            if (getchar() == 'x') {
                char *more = sbrk(65536);
                if (more == (char *)-1) return 1;
                more[65535] = 1;
            }
            free(block);
            return 0;
        }",
    ),
    (
        "what a local leads to is no leak at an exit",
        "1",
        "5",
        "#include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            char *text = malloc(16);
            int length = fread(text, 1, 16, stdin);
            if (length < 4) { fprintf(stderr, \"too short\\n\"); exit(2); }
            printf(\"%d %s\\n\", length, text[0] == 'x' ? \"x\" : \"y\");
            free(text);
            return 0;
        }",
    ),
    (
        "a buffer may be shorter than what is asked for",
        "1",
        "8",
        "#include <stdlib.h>
        #include <unistd.h>
        int main(void) {
            char *line = malloc(16);
            int length = read(0, line, 24);
            int is_long = length > 6;
            free(line);
            return is_long;
        }",
    ),
];

#[test]
fn right_programs_have_no_errors() {
    if !has_compiler("right programs") {
        return;
    }
    for (name, level, stdin, source) in RIGHT {
        let run = compiled(source, level).run(&["explore", "program.wasm", "--stdin", stdin]);
        assert!(run.code == 0 && run.out.contains("(all paths)"), "{name}: {}{}", run.out, run.err);
    }
}

#[test]
fn the_byte_before_the_first_block_is_outside() {
    if !has_compiler("the first block") {
        return;
    }
    let place = compiled(
        "#include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            char *volatile block = malloc(8);
            if (getchar() == 'u') block[-1] = 1;
            free(block);
            return 0;
        }",
        "1",
    );
    let run = place.run(&["explore", "program.wasm", "--stdin", "1"]).expect(1);
    assert!(run.out.contains("beyond a block of the heap") && run.out.contains("program.c:5"), "{}", run.out);
}

#[test]
fn reads_end_within_their_buffers() {
    if !has_compiler("buffers of reads") {
        return;
    }
    let programs = [
        "#include <unistd.h>
        int main(void) { char line[16], more[64] = {0}; long length = read(0, line, 24); return length > 20 ? more[length] : line[0] & 1; }",
        "#include <stdio.h>
        static char line[16];
        char pad[64];
        int main(void) { size_t length = fread(line, 1, 24, stdin); return length > 20 ? 1 : pad[line[0] & 7]; }",
    ];
    for source in programs {
        let run = compiled(source, "1")
            .run(&["explore", "program.wasm", "--stdin", "24", "-t", "60", "-o", "out"])
            .expect(1);
        assert!(run.out.contains("beyond an object in the stack or in static memory"), "{}", run.out);
        // As long as there is room, a longer request is none.
        let run = compiled(source, "1").run(&["explore", "program.wasm", "--stdin", "16", "-t", "60"]);
        assert!(run.code != 1, "{}", run.out);
    }
}

#[test]
fn loops_without_an_end_are_errors_of_their_own() {
    if !has_compiler("loops without an end") {
        return;
    }
    let place = compiled(
        "#include <stdio.h>
        __attribute__((noinline)) static int step(int at) { volatile int next = at; return next; }
        __attribute__((noinline)) static int up(int by) { volatile int at = 0; for (;;) at += step(by); return at; }
        __attribute__((noinline)) static int down(int by) { volatile int at = 0; for (;;) at -= step(by); return at; }
        __attribute__((noinline)) static int go(int to) {
            if (to == 'a') return up(to);
            if (to == 'b') return down(to);
            return 0;
        }
        int main(void) { return go(getchar()); }",
        "1",
    );
    let arguments = ["explore", "program.wasm", "--stdin", "1", "--steps", "100000", "-o", "out"];
    let run = place.run(&arguments).expect(1);
    assert!(
        run.out.contains("2 errors") && run.out.contains("in up at") && run.out.contains("in down at"),
        "{}",
        run.out
    );
    // The budget belongs to the test.
    place.run(&["explore", "program.wasm", "--replay", "out/errors/01-no-end"]).expect(1);
}

#[test]
fn a_replay_knows_which_exits_are_bad() {
    if !has_compiler("bad exits") {
        return;
    }
    let place = compiled("#include <stdio.h>\nint main(void) { return getchar() == 'x' ? -1 : 0; }", "1");
    let run =
        place.run(&["explore", "program.wasm", "--stdin", "1", "--bad-exit", "255", "-o", "out"]).expect(1);
    assert!(run.out.contains("exit status 255"), "{}", run.out);
    place.run(&["explore", "program.wasm", "--replay", "out/errors/01-bad-exit"]).expect(1);
    // A status that is no error makes no difference between paths.
    let any = compiled(
        "#include <stdio.h>\nint main(void) { int byte = getchar(); return byte < 0 ? 1 : byte & 127; }",
        "1",
    );
    let run = any.run(&["explore", "program.wasm", "--stdin", "1"]).expect(0);
    assert!(run.out.contains(" 3 paths (all paths)"), "{}", run.out);
    let run = place.run(&["explore", "program.wasm", "--bad-exit", "256"]).expect(2);
    assert!(run.err.contains("256 is not in 0..=255"), "{}", run.err);
}

#[test]
fn files_have_the_names_that_programs_give_them() {
    if !has_compiler("names of files") {
        return;
    }
    let place = compiled(
        "#include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            FILE *one = fopen(\"/a/x\", \"r\"), *other = fopen(\"b/../b//x\", \"r\");
            if (!one || !other) return 10;
            if (fgetc(one) == 'p' && fgetc(other) == 'q') abort();
            return 0;
        }",
        "1",
    );
    let run = place
        .run(&["explore", "program.wasm", "--file", "./a/x=1", "--file", "b/x=1", "-o", "out"])
        .expect(1);
    assert!(run.out.contains("unreachable code"), "{}", run.out);
    let error = &place.names("out/errors")[0];
    let contents = ["a/x", "b/x"].map(|name| place.read(&format!("out/errors/{error}/files/{name}")));
    assert_eq!(contents, ["p", "q"]);
    let run = place.run(&["explore", "program.wasm", "--file", "../x=1"]).expect(2);
    assert!(run.err.contains("is no file below the folder of the program"), "{}", run.err);
}

/// The number of tests that executed a line, after the tracefile.
fn counts(place: &Place, folder: &str) -> Vec<String> {
    let tracefile = place.read(&format!("{folder}/coverage.info"));
    tracefile.lines().filter_map(|line| line.strip_prefix("DA:")).map(str::to_string).collect()
}

#[test]
fn lines_count_the_tests_that_executed_them() {
    if !has_compiler("counts of lines") {
        return;
    }
    let source = "#include <stdio.h>
int main(void) {
    int first = getchar();
    int second = getchar();
    if (first == 'x')
        puts(\"x\");
    if (second == 'y')
        puts(\"y\");
    puts(\"end\");
    return 0;
}
";
    for level in ["0", "1"] {
        let place = compiled(source, level);
        std::fs::write(place.path("zz"), "zz").expect("a file");
        place.run(&["explore", "program.wasm", "--stdin", "zz", "--max-paths", "1", "-o", "one"]);
        let one = counts(&place, "one");
        assert!(one.contains(&"6,0".to_string()) && one.contains(&"8,0".to_string()), "{level}: {one:?}");
        assert!(one.contains(&"9,1".to_string()), "{level}: {one:?}");

        place.run(&["explore", "program.wasm", "--stdin", "2", "--tests", "all", "-o", "all"]).expect(0);
        let inputs: Vec<Vec<u8>> = place
            .names("all/tests")
            .iter()
            .map(|name| std::fs::read(place.path(&format!("all/tests/{name}/stdin"))).expect("an input"))
            .collect();
        let number = |holds: fn(&Vec<u8>) -> bool| inputs.iter().filter(|input| holds(input)).count();
        let expected = [
            (6, number(|input| input.first() == Some(&b'x'))),
            (7, inputs.len()),
            (8, number(|input| input.get(1) == Some(&b'y'))),
            (9, inputs.len()),
        ];
        let all = counts(&place, "all");
        for (line, count) in expected {
            assert!(all.contains(&format!("{line},{count}")), "{level}: {all:?} and {expected:?}");
        }
    }
}

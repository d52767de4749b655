//! Errors of small C programs that need knowledge of objects, constants and files.

use std::ops::Range;

use crate::common::Place;
use crate::explore::has_compiler;
use crate::explore_reports::compiled;

/// Explores a program that ends with status 7 for some input, and with one of the others where something went wrong: 7 is the only error.
fn explore_to_status_7(place: &Place, symbolic: &[&str], others: Range<u32>) {
    let statuses: Vec<String> = [7].into_iter().chain(others).map(|status| status.to_string()).collect();
    let bad: Vec<&str> = statuses.iter().flat_map(|status| ["--bad-exit", status]).collect();
    let run = place.run(&[&["explore", "program.wasm", "-o", "out"], symbolic, &bad].concat()).expect(1);
    assert!(run.out.contains("error 1: exit status 7 (") && run.out.contains(" 1 error"), "{}", run.out);
}

/// A program that reads a file finds the bytes that it has written there, with what they depend on.
#[test]
fn files_that_a_program_makes_keep_their_bytes() {
    if !has_compiler("files of programs") {
        return;
    }
    let source = r#"#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char written[4] = {0}, back[8] = {0}, cut[8] = {0};
    if (fread(written, 1, 4, stdin) != 4) return 0;
    FILE *file = fopen("folder/made", "w");
    fwrite(written, 1, 2, file);
    fclose(file);
    file = fopen("folder/made", "a");
    fwrite(written + 2, 1, 2, file);
    fclose(file);
    if (rename("folder/made", "final") || fopen("folder/made", "r")) return 10;
    struct stat status;
    if (stat("final", &status) || status.st_size != 4) return 11;
    file = fopen("final", "r+");
    fseek(file, -1, SEEK_END);
    int last = fgetc(file);
    rewind(file);
    if (fread(back, 1, 8, file) != 4) return 12;
    if (ftruncate(fileno(file), 2)) return 13;
    fseek(file, 6, SEEK_SET);
    fputc('z', file);
    rewind(file);
    if (fread(cut, 1, 8, file) != 7 || cut[2] || cut[5] || cut[6] != 'z') return 14;
    fclose(file);
    int found = 0;
    DIR *folder = opendir("/");
    for (struct dirent *entry; (entry = readdir(folder));)
        found += !strcmp(entry->d_name, "final");
    closedir(folder);
    if (found != 1 || fopen("final", "wx")) return 15;
    if (unlink("final") || fopen("final", "r") || !unlink("final")) return 16;
    file = fopen("given", "w");
    fclose(file);
    if (unlink("given") || fopen("given", "r")) return 17;
    fclose(fopen("rights", "w"));
    int reader = open("rights", O_RDONLY), writer = open("rights", O_WRONLY);
    if (write(writer, "x", 1) != 1 || read(writer, cut + 7, 1) != -1) return 18;
    if (write(reader, "x", 1) != -1 || !ftruncate(reader, 0) || read(reader, cut + 7, 1) != 1) return 19;
    return !memcmp(back, "abcd", 4) && last == 'd' && cut[1] == 'b' ? 7 : 1;
}
"#;
    let place = compiled(source, "1");
    explore_to_status_7(&place, &["--stdin", "4", "--file", "given=2"], 10..20);
    let input = std::fs::read(place.path("out/errors/01-bad-exit/stdin")).expect("an input");
    assert_eq!(input, b"abcd");
}

/// A file of the input that the program changes has its bytes and their terms; descriptors see it change, and it can be renamed.
#[test]
fn files_of_the_input_can_be_changed() {
    if !has_compiler("changed files") {
        return;
    }
    let source = r#"#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char bytes[8] = {0};
    int before = open("list", O_RDONLY), both = open("list", O_RDWR);
    struct stat status;
    if (fstat(both, &status) || status.st_size != 3) return 0;
    if (pwrite(both, "=", 1, 1) != 1 || write(before, "x", 1) != -1) return 10;
    FILE *end = fopen("list", "a");
    fputc('!', end);
    fclose(end);
    if (read(before, bytes, 8) != 4 || bytes[1] != '=' || bytes[3] != '!') return 11;
    if (rename("list", "old") || fopen("list", "r") || rename("old", "list")) return 12;
    close(open("list", O_WRONLY | O_TRUNC));
    if (lseek(before, 0, SEEK_SET) || read(before, bytes + 4, 4) != 0 || read(both, bytes + 4, 4) != 0) return 13;
    int log = open("log", O_RDONLY);
    if (read(log, bytes + 4, 1) != 1) return 0;
    close(open("log", O_WRONLY | O_TRUNC));
    if (read(log, bytes + 5, 1) != 0) return 14;
    if (rename("other", "log") || open("other", O_RDONLY) != -1 || stat("log", &status) || status.st_size > 2) return 15;
    return bytes[0] == 'k' && bytes[2] == 'v' ? 7 : 0;
}
"#;
    let place = compiled(source, "1");
    explore_to_status_7(&place, &["--file", "list=3", "--file", "log=2", "--file", "other=2"], 10..16);
    let input = std::fs::read(place.path("out/errors/01-bad-exit/files/list")).expect("an input");
    assert!(input.len() == 3 && input[0] == b'k' && input[2] == b'v', "{input:?}");
}

/// The input of an overflow in a frame is as short as that of other errors, although plain runs do not see such an overflow.
#[test]
fn inputs_of_overflows_are_short() {
    if !has_compiler("inputs of overflows") {
        return;
    }
    let source = r#"#include <stdio.h>
#include <string.h>
int main(void) {
    char line[64], name[8];
    line[fread(line, 1, 63, stdin)] = 0;
    char *end = strchr(line, '=');
    int length = 0;
    for (char *next = line; end && next < end; next++)
        if (*next != ' ')
            name[length++] = *next;
    return name[0];
}
"#;
    let place = compiled(source, "0");
    place.write("seed", "a b c d e f g h i j k = some value and more");
    place.run(&["explore", "program.wasm", "--stdin", "seed", "--max-paths", "20", "-o", "out"]).expect(1);
    let input = std::fs::read_to_string(place.path("out/errors/01-object-overflow/stdin")).expect("an input");
    assert!(input.len() <= 10 && input.ends_with('='), "{input:?}");
}

/// Natively, constants are in memory that cannot be written.
#[test]
fn writes_to_constants_are_errors() {
    if !has_compiler("writes to constants") {
        return;
    }
    let source = r#"#include <stdio.h>
#include <string.h>
static const char table[4] = "abc";
static char copy[4] = "abc";
int main(void) {
    char *text = "literal";
    switch (getchar()) {
    case 's': text[0] = 'L'; break;
    case 'm': memset(text, 'x', 3); break;
    case 'c': memcpy((char *)table, "xyz", 3); break;
    default: memcpy(copy, table, 3); copy[0] = 'x';
    }
    return text[1] + copy[1];
}
"#;
    // Optimisation removes such writes.
    let place = compiled(source, "0");
    let run = place.run(&["explore", "program.wasm", "--stdin", "2", "-o", "out"]).expect(1);
    let folders = place.names("out/errors");
    assert!(folders.len() == 3, "{}", run.out);
    assert_eq!(run.out.matches("a write to constant data").count(), folders.len(), "{}", run.out);
    for folder in folders {
        let again = place.run(&["explore", "program.wasm", "--replay", &format!("out/errors/{folder}")]);
        assert!(again.out.contains("a write to constant data"), "{}", again.out);
    }
}

/// An index without bounds leaves a block of the heap in one way, wherever it leads to.
#[test]
fn a_wild_index_of_a_block_is_one_error() {
    if !has_compiler("wild indices") {
        return;
    }
    let source = r#"#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int index;
    if (fread(&index, 4, 1, stdin) != 1) return 1;
    char *block = malloc(10);
    block[index] = 1;
    free(block);
    return 0;
}
"#;
    let place = compiled(source, "0");
    let run = place.run(&["explore", "program.wasm", "--stdin", "4", "-o", "out"]).expect(1);
    assert_eq!(place.names("out/errors"), ["01-heap-overflow"], "{}", run.out);
    let tests: u32 =
        run.out.lines().find_map(|line| line.split_once(" tests, ")?.0.parse().ok()).expect("a sum");
    assert!(tests < 20 && run.out.contains("(all paths)"), "{}", run.out);
    let again = place.run(&["explore", "program.wasm", "--replay", "out/errors/01-heap-overflow"]).expect(1);
    assert!(again.out.contains("access beyond a block of the heap"), "{}", again.out);
}

/// A place that writes beyond whatever it is given has one error, with the kind that came first, whose input and folder stay those of that kind.
#[test]
fn stray_accesses_at_one_place_are_one_error() {
    if !has_compiler("stray accesses") {
        return;
    }
    let source = r#"#include <stdio.h>
#include <stdlib.h>
static const char table[8] = "constant";
int main(void) {
    unsigned char input[2];
    if (fread(input, 1, 2, stdin) != 2) return 1;
    char *block = malloc(10);
    char *start = input[0] == 'c' ? (char *)table : input[0] == 'w' ? (char *)0x7ffffff0 : block;
    start[input[1]] = 1;
    free(block);
    return 0;
}
"#;
    let place = compiled(source, "0");
    let run = place.run(&["explore", "program.wasm", "--stdin", "2", "-o", "out"]).expect(1);
    let folders = place.names("out/errors");
    assert_eq!(folders.len(), 1, "{}", run.out);
    let read = |name: &str| std::fs::read(place.path(&format!("out/errors/{}/{name}", folders[0])));
    let kind = match read("stdin").expect("an input")[0] {
        b'c' => "constant-write",
        b'w' => "out-of-memory-bounds",
        _ => "heap-overflow",
    };
    assert_eq!(folders[0], format!("01-{kind}"), "{}", run.out);
    place.run(&["explore", "program.wasm", "--replay", &format!("out/errors/{}", folders[0])]).expect(1);
}

/// `memset` computes its last byte from the one in front of the array.
#[test]
fn overflows_by_memset_are_found() {
    if !has_compiler("overflows by memset") {
        return;
    }
    let source = r#"#include <stdio.h>
#include <string.h>
static char array[16], next[16];
int main(void) {
    unsigned char length;
    if (fread(&length, 1, 1, stdin) != 1) return 1;
    memset(array, 1, length % 18);
    return next[0] ? 7 : array[3];
}
"#;
    for level in ["0", "1"] {
        let place = compiled(source, level);
        let run = place.run(&["explore", "program.wasm", "--stdin", "1", "-o", "out"]).expect(1);
        assert_eq!(place.names("out/errors"), ["01-object-overflow"], "{}", run.out);
        assert!(run.out.contains("in main at") && run.out.contains("program.c:7"), "{}", run.out);
    }
}

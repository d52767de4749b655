//! Files that explorations leave and take up again.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use sundry_testing::oracle::{Answer, Oracle};

use crate::common::{Place, start, wait_for};
use crate::explore::{has_compiler, place_with_labels};

#[test]
fn questions_are_formulas_with_the_answers_of_solvers() {
    let place = place_with_labels();
    place.run(&["explore", "labels.wasm", "--stdin", "4", "--queries", "asked"]).expect(1);
    let names = place.names("asked");
    assert!(names.len() > 20, "{names:?}");
    for name in &names {
        let text = place.read(&format!("asked/{name}"));
        let status = name.rsplit(['-', '.']).nth(1).expect("a status");
        assert!(text.contains(&format!("(set-info :status {status})\n")), "{text}");
        assert!(text.contains("declare-fun |stdin[") || text.contains("declare-fun stdin.length"), "{text}");
        let run = place.run(&["solve", &format!("asked/{name}")]);
        assert_eq!(run.out.lines().next(), Some(status), "{name}: {}{}", run.out, run.err);
        let answers = Oracle::Z3.run(&text, Duration::from_secs(60));
        let expected = if status == "sat" { Answer::Sat } else { Answer::Unsat };
        assert_eq!((answers.answers, answers.other), (vec![expected], vec![]), "{name}");
    }
    let partial = names.iter().any(|name| {
        fs::read_to_string(place.path("asked").join(name))
            .is_ok_and(|text| text.contains("; partial solution: "))
    });
    assert!(partial);
    let run = place.run(&["explore", "labels.wasm", "--stdin", "4", "--queries", "asked"]).expect(2);
    assert!(run.err.contains("asked has formulas already"), "{}", run.err);
}

/// A program that gives memory names which formulas cannot have, or which are those of other sources.
const STRANGE_NAMES: &str = "\
#include <sundry.h>
#include <unistd.h>

int main(void) {
    unsigned char first, second, third, byte;
    sundry_symbolic(&first, 1, \"a|b\\n(check-sat)\");
    sundry_symbolic(&second, 1, \"stdin\");
    sundry_symbolic(&third, 1, \"~1\");
    return read(0, &byte, 1) == 1 && first > second && second > third && third > byte ? 3 : 0;
}
";

#[test]
fn questions_are_formulas_whatever_names_a_program_gives() {
    if !has_compiler("names of memory") {
        return;
    }
    let place = Place::with(&[("program.c", STRANGE_NAMES)]);
    place.run(&["cc", "program.c", "-q", "-o", "program.wasm"]).expect(0);
    let arguments =
        ["explore", "program.wasm", "--stdin", "2", "--bad-exit", "3", "-o", "out", "--queries", "asked"];
    place.run(&arguments).expect(1);
    for name in place.names("asked") {
        let run = place.run(&["solve", &format!("asked/{name}")]);
        assert_eq!(run.out.lines().next(), name.rsplit(['-', '.']).nth(1), "{name}: {}{}", run.out, run.err);
    }
    place
        .run(&["explore", "program.wasm", "--bad-exit", "3", "--replay", "out/errors/01-bad-exit"])
        .expect(1);
}

/// The inputs of the tests in the folder of an exploration.
fn inputs(place: &Place, folder: &str) -> BTreeSet<Vec<u8>> {
    let read = |name: &String| fs::read(place.path(folder).join(name).join("stdin")).expect("an input");
    place.names(folder).iter().map(read).collect()
}

#[test]
fn corpora_go_to_fuzzers_and_come_from_them() {
    let place = place_with_labels();
    place.write("shared/main/queue/id:000000,time:0,orig:a", "\u{2}Q\u{1}\"");
    place.write("shared/main/queue/.state/deterministic_done/id:000000", "no input");
    place.write("shared/main/fuzzer_stats", "no input");
    let explore = |more: &[&str]| {
        let arguments = [&["explore", "labels.wasm", "--stdin", "4", "--json"], more].concat();
        serde_json::from_str::<Value>(&place.run(&arguments).expect(1).out).expect("JSON")
    };
    explore(&["--seeds", "shared", "--afl", "shared", "-o", "out"]);
    let queue = place.names("shared/sundry/queue");
    assert!(queue.iter().enumerate().all(|(number, name)| name.starts_with(&format!("id:{number:06},src:"))));
    assert!(queue[0].ends_with(",op:seed") && queue.iter().any(|name| name.ends_with(",op:solution")));
    let queued: BTreeSet<Vec<u8>> = queue
        .iter()
        .map(|name| fs::read(place.path("shared/sundry/queue").join(name)).expect("read"))
        .collect();
    assert_eq!(queued, inputs(&place, "out/tests").into_iter().filter(|input| !input.is_empty()).collect());
    assert!(queued.contains("\u{2}Q\u{1}\"".as_bytes()), "the seed brought something new");
    // Nothing is added twice.
    explore(&["--seeds", "out", "--afl", "shared"]);
    assert_eq!(place.names("shared/sundry/queue"), queue);
    // All forms of a corpus have the same inputs; the tests of the exploration have an empty one besides.
    for (number, folder) in ["shared/sundry", "shared/sundry/queue", "out", "out/tests"].iter().enumerate() {
        let (most, output) = ((queue.len() + 3).to_string(), format!("from{number}"));
        explore(&["--seeds", folder, "--max-paths", &most, "--tests", "all", "-o", &output]);
        assert!(inputs(&place, &format!("{output}/tests")).is_superset(&queued), "{folder}");
    }
}

#[test]
fn what_fuzzers_find_meanwhile_is_taken_up() {
    let place = place_with_labels();
    place.write("shared/main/queue/id:000000,time:0,orig:a", "\u{2}Q\u{1}\"");
    place.write("shared/main/queue/id:000001,src:000000", "too long");
    place.write("shared/main/queue/README.txt", "no");
    let arguments =
        ["explore", "labels.wasm", "--stdin", "4", "--afl", "shared", "-o", "out", "--max-paths", "2"];
    let run = place.run(&arguments).expect(1);
    assert!(
        run.err.contains("1 input of other instances left out, longer than stdin; give more room"),
        "{}",
        run.err
    );
    let names = place.names("shared/sundry/queue");
    assert_eq!(names.iter().filter(|name| name.ends_with(",op:imported")).count(), 1, "{names:?}");
}

#[test]
fn texts_beside_crashes_of_fuzzers_are_no_inputs() {
    let place = place_with_labels();
    place.write("crashes/id:000000,sig:06", "\u{2}Q\u{1}\"");
    place.write("crashes/README.txt", "a text that would need more room than there is");
    place.run(&["explore", "labels.wasm", "--stdin", "4", "--seeds", "crashes", "-o", "out"]).expect(1);
    assert!(inputs(&place, "out/tests").iter().all(|input| input.len() <= 4));
}

#[test]
fn corpora_of_fuzzers_need_one_source() {
    let place = place_with_labels();
    place.write("empty/README", "");
    fs::remove_file(place.path("empty/README")).expect("removed");
    place.write("seeds/a", "a");
    for (arguments, expected) in [
        (&["--stdin", "4", "--arg", "2", "--afl", "shared"][..], "--afl needs exactly one source of input"),
        (
            &["--arg", "2", "--seeds", "seeds"],
            "files in --seeds are for standard input, or for the only file",
        ),
        (&["--stdin", "2", "--seeds", "empty"], "there are no inputs in the folder"),
        (&["--stdin", "2", "--seeds", "missing"], "missing"),
    ] {
        let run = place.run(&[&["explore", "labels.wasm"], arguments].concat()).expect(2);
        assert!(run.err.contains(expected), "{}", run.err);
    }
}

#[test]
fn a_minimal_set_covers_as_much_as_all_tests() {
    let place = place_with_labels();
    place.run(&["explore", "labels.wasm", "--stdin", "6", "-o", "out"]).expect(1);
    let record: Value = serde_json::from_str(&place.read("out/record.json")).expect("JSON");
    let minimal = record["minimal_tests"].as_array().expect("a list");
    let listed = place.read("out/minimal.txt");
    assert_eq!(listed.lines().count(), minimal.len());
    assert!(minimal.len() < place.names("out/tests").len(), "{listed}");
    // The tests of the list alone, as seeds of a run that asks nothing, cover the same.
    for (number, name) in listed.lines().enumerate() {
        place.write(
            &format!("seeds/{number}"),
            fs::read(place.path("out").join(name).join("stdin")).expect("read"),
        );
    }
    let most = (minimal.len() + 1).to_string();
    let run = place.run(&[
        "explore",
        "labels.wasm",
        "--stdin",
        "6",
        "--seeds",
        "seeds",
        "--max-paths",
        &most,
        "--json",
    ]);
    let again: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(again["directions"], record["directions"]);
    let script = |arguments: &[&str]| {
        let command =
            Command::new("sh").arg("out/run.sh").args(arguments).current_dir(place.path(".")).output();
        String::from_utf8(command.expect("a shell").stdout).expect("text")
    };
    let statuses: String = listed.lines().map(|name| format!("0 {name}\n")).collect();
    assert_eq!(script(&["--minimal", "true"]), statuses);
    let all = place.names("out/tests").len() + place.names("out/errors").len();
    assert_eq!(script(&["true"]).lines().count(), all);
}

#[test]
fn curves_end_with_the_counters_of_the_record() {
    let place = place_with_labels();
    place.run(&["explore", "labels.wasm", "--stdin", "6", "-o", "out"]).expect(1);
    let record: Value = serde_json::from_str(&place.read("out/record.json")).expect("JSON");
    let curve = record["curve"].as_array().expect("a list");
    let last = curve.last().expect("a point");
    for name in ["tests", "paths", "directions", "open_branches", "questions", "partial_solutions"] {
        assert_eq!(last[name], record[name], "{name}");
    }
    assert_eq!(last["errors"], 2);
    let page = place.read("out/curves.html");
    assert!(page.contains("<svg") && page.contains("Questions to the solver"), "{page}");
}

#[test]
fn an_exploration_goes_on_after_limits_and_kills() {
    let place = place_with_labels();
    let arguments =
        |output| ["explore", "labels.wasm", "--stdin", "6", "--tests", "all", "--json", "-o", output];
    let whole: Value = serde_json::from_str(&place.run(&arguments("whole")).expect(1).out).expect("JSON");
    let resume = |more: &[&str]| {
        let run = place.run(&[&arguments("parts")[..], &["--resume"], more].concat());
        serde_json::from_str::<Value>(&run.out).expect("JSON")
    };
    let mut child = start(&place, &arguments("parts"));
    wait_for("a test", || place.path("parts/tests/000005/test.json").exists());
    // Where it has ended meanwhile, all is there already.
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!(resume(&["--max-paths", "60"])["end"], "paths");
    let mut journal = place.read("parts/journal");
    journal.push_str("12ab s 0=");
    place.write("parts/journal", &journal);
    let resumed = resume(&[]);
    for name in ["paths", "tests", "directions", "is_complete", "diverged", "open_branches"] {
        assert_eq!(resumed[name], whole[name], "{name}");
    }
    assert_eq!(place.names("parts/tests"), place.names("whole/tests"));
    assert_eq!(place.names("parts/errors"), place.names("whole/errors"));
    // Nothing is left to be asked.
    let journal = place.read("parts/journal");
    assert!(!journal.contains("12ab s 0="));
    assert_eq!(resume(&[])["questions"], resumed["questions"]);
    assert_eq!(place.read("parts/journal"), journal);
}

#[test]
fn an_exploration_is_not_mixed_with_another() {
    let place = place_with_labels();
    let explore =
        |more: &[&str]| place.run(&[&["explore", "labels.wasm", "-o", "out", "--stdin"], more].concat());
    explore(&["3"]).expect(0);
    let run = explore(&["3"]).expect(2);
    assert!(run.err.contains("out has the results of an earlier exploration"), "{}", run.err);
    assert!(run.err.contains("--resume"), "{}", run.err);
    let run = explore(&["4", "--resume"]).expect(2);
    assert!(run.err.contains("another module or with other options"), "{}", run.err);
    explore(&["3", "--resume", "--max-paths", "2"]).expect(3);
    let journal = place.read("out/journal");
    let header = journal.lines().next().expect("a line");
    // A variable that there is not, which only costs the answer, and a line that says nothing.
    let (branch, _) = journal.lines().nth(1).and_then(|line| line.split_once(' ')).expect("an answer");
    place.write("out/journal", format!("{header}\n{branch} s0 ffffffff=1\n"));
    explore(&["3", "--resume"]).expect(0);
    place.write("out/journal", format!("{header}\nnothing\n{branch} i0\n"));
    let run = explore(&["3", "--resume"]).expect(2);
    assert!(run.err.contains("out/journal:2: the line is no answer"), "{}", run.err);
}

/// A program that looks at the clock twice and asks for four random bytes.
const CLOCK_AND_RANDOMNESS: &str = "\
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    unsigned char key[4];
    if (getentropy(key, sizeof key) == 0 && key[0] == 'k' && key[3] == 0x80) abort();
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (now.tv_nsec == 123456789) return 3;
    return time(NULL) == 1234567890 ? 4 : 0;
}
";

#[test]
fn the_clock_and_randomness_are_fixed_or_symbolic() {
    if !has_compiler("the clock and randomness") {
        return;
    }
    let place = Place::with(&[("program.c", CLOCK_AND_RANDOMNESS)]);
    place.run(&["cc", "program.c", "-q", "-o", "program.wasm"]).expect(0);
    let explore = |more: &[&str]| {
        let arguments = ["explore", "program.wasm", "--bad-exit", "3", "--bad-exit", "4", "--json"];
        let run = place.run(&[&arguments, more].concat());
        let record: Value = serde_json::from_str(&run.out).expect("JSON");
        let kinds =
            record["errors"].as_array().expect("a list").iter().map(|error| error["message"].to_string());
        (
            kinds.collect::<BTreeSet<String>>().into_iter().collect::<Vec<String>>().join(" "),
            record["end"].to_string(),
        )
    };
    let outcome = |errors: &str, end: &str| (errors.to_string(), format!("{end:?}"));
    assert_eq!(explore(&[]), outcome("", "complete"));
    let (abort, exits) = ("\"unreachable code was reached\"", "\"exit status 3\" \"exit status 4\"");
    assert_eq!(explore(&["--symbolic-random", "-o", "random"]), outcome(abort, "complete"));
    assert_eq!(explore(&["--symbolic-clock", "-o", "clock"]), outcome(exits, "complete"));
    // Where not all looks and bytes are symbolic, some paths stay unknown, and the end says so.
    assert_eq!(explore(&["--symbolic-clock=1"]), outcome("\"exit status 3\"", "exhausted"));
    assert_eq!(explore(&["--symbolic-random=2"]), outcome("", "exhausted"));
    let key = fs::read(place.path("random/errors/01-abort/random")).expect("bytes");
    assert_eq!((key.len(), key[0], key[3]), (64, b'k', 0x80));
    let replay = |folder: &str| {
        place
            .run(&["explore", "program.wasm", "--replay", folder, "--bad-exit", "3", "--bad-exit", "4"])
            .expect(1)
            .out
    };
    assert!(replay("random/errors/01-abort").starts_with("unreachable code"));
    let ends = ["clock/errors/01-bad-exit", "clock/errors/02-bad-exit"].map(replay);
    assert!(ends.iter().any(|end| end.starts_with("exit status 3")), "{ends:?}");
    assert!(ends.iter().any(|end| end.starts_with("exit status 4")), "{ends:?}");
}

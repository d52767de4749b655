//! What people and programs read when something is wrong, and the help of all jobs, word by word.
//!
//! The expected texts are files in `snapshots/`. After a change that is meant, `INSTA_UPDATE=always cargo test -p sundry-cli
//! messages` writes them anew, and their difference is reviewed with that of the code. The other tests check when an error
//! arises and what else has to hold then; these check only how it reads.

use crate::common::{Place, SMALL, UNSATISFIABLE};

/// A folder with inputs that are wrong, each in one way.
fn inputs() -> Place {
    Place::with(&[
        ("f.smt2", SMALL),
        ("wrong.smt2", "(declare-const x (_ BitVec 8))\n(assert (= x #x012))\n"),
        ("unknown.smt2", "(declare-const long Bool)\n(assert lang)\n"),
        ("open.smt2", "(declare-const x (_ BitVec 8))\n(assert (= x #x0"),
        ("strings.smt2", "(declare-const x String)\n(assert (= x \"a\"))\n"),
        ("wide.smt2", "(declare-const x (_ BitVec 1048577))\n"),
        (
            "huge.smt2",
            "(declare-const x (_ BitVec 300000))\n(declare-const y (_ BitVec 300000))\n\
             (assert (= (bvudiv x y) (bvurem y x)))\n",
        ),
        ("function.smt2", "(declare-fun f ((_ BitVec 2)) Bool)\n(assert (f #b00))\n"),
        ("none.smt2", UNSATISFIABLE),
        ("empty.smt2", "; nothing\n"),
        ("broken.smt2.gz", "\u{1f}"),
        ("model.txt", "((define-fun p () Bool true) (define-fun x () (_ BitVec 4) #x4))\n"),
        ("part.txt", "((define-fun p () Bool false))\n"),
        ("predicates.smt2", "(define-fun low () Bool (bvult y #x3))\n"),
        ("phone.uvl", "features\n\tPhone\n\t\tmandatory\n\t\t\tScreen\nconstraints\n\tScrean\n"),
        ("cut.cnf", "p cnf 2 1\n1 x 0\n"),
        ("text.txt", "some words\n"),
    ])
}

/// What the program writes to standard error for each of these command lines, with its exit code.
fn errors(place: &Place, lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let run = place.run(&words);
        text.push_str(&format!("$ sundry {line}\n{}[exit code {}]\n\n", run.err, run.code));
    }
    text.replace(&*place.path("").to_string_lossy(), "FOLDER/")
}

/// Compares a text with the file of that name.
fn check(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn of_the_command_line() {
    let lines = &[
        "sampel f.smt2",
        "sample",
        "sample f.smt2 --nonsense",
        "sample f.smt2 --max-solution 3",
        "sample f.smt2 -r 2",
        "sample f.smt2 -n 0",
        "sample f.smt2 -t -1",
        "sample f.smt2 --format xml",
        "sample f.smt2 --memory much",
        "sample f.smt2 --strategy uniform --tolerance 0",
        "sample f.smt2 --strategy uniform --resume",
        "sample f.smt2 --strategy guided",
        "sample f.smt2 --strategy all --obligations claims",
        "sample f.smt2 --strategy all --resume",
        "sample f.smt2 --strategy all --project p,q",
        "sample f.smt2 --strength 2 --fill",
        "sample f.smt2 --candidates 3",
        "sample f.smt2 --resume",
        "sample f.smt2 none.smt2 --resume",
        "sample f.smt2 - --record runs.jsonl",
        "sample f.smt2 none.smt2 --strategy smtsampler",
        "sample f.smt2 -o .",
        "sample f.smt2 -o missing/models",
        "sample f.smt2 -o f.smt2",
        "sample f.smt2 -o same --record same",
        "sample . -o f.smt2",
        "coverage f.smt2",
        "coverage - -",
        "coverage f.smt2 model.txt --seed 1",
        "convert phone.uvl -o phone.uvl",
        "convert f.smt2",
        "reduce f.smt2",
        "reduce f.smt2 --check z3 --slow z3",
        "reduce f.smt2 --slow z3 --fast z3 --factor 1",
        "reduce f.smt2 --check ./no-such-command",
        "cc",
        "cc missing.c",
        "cc . -o m.wasm",
        "cc text.txt -o text.txt",
        "cc text.txt -std=c/11",
        "cc text.txt --clang no-such-program",
        "fuzz f.smt2",
        "fuzz missing --solver z3",
        "solve f.smt2 --seed -1",
        "completions nonsense",
        "man nonsense",
    ];
    check("errors_of_the_command_line", &errors(&inputs(), lines));
}

#[test]
fn of_inputs() {
    let lines = &[
        "sample missing.smt2",
        "sample wrong.smt2",
        "sample unknown.smt2",
        "sample open.smt2",
        "sample strings.smt2",
        "sample wide.smt2",
        "sample huge.smt2",
        "sample empty.smt2",
        "sample text.txt",
        "sample phone.uvl",
        "sample cut.cnf",
        "sample f.smt2 --predicates predicates.smt2",
        "sample function.smt2 --strategy all --project f",
        "sample function.smt2 --strength 2",
        "sample . -n 1 -t 60 -j 1 --quiet",
        "coverage f.smt2 model.txt",
        "coverage f.smt2 part.txt --strict",
        "coverage f.smt2 empty.smt2",
        "convert text.txt",
        "reduce wrong.smt2 --check true",
        "solve missing.smt2",
    ];
    check("errors_of_inputs", &errors(&inputs(), lines));
}

#[test]
fn in_json() {
    let lines = &[
        "sample missing.smt2 --json",
        "sample wrong.smt2 --json",
        "sample strings.smt2 --json",
        "sample huge.smt2 --json",
        "sample f.smt2 --json -r 2",
        "sample f.smt2 --json --nonsense",
        "sample f.smt2 --json --message-format text -n 0",
        "sample f.smt2 --message-format json --resume",
        "sample . -n 1 -t 60 -j 1 --quiet --json",
        "coverage f.smt2 model.txt --json",
        "coverage f.smt2 empty.smt2 --json",
        "convert text.txt --message-format json",
        "reduce wrong.smt2 --check true --message-format json",
        "fuzz missing --solver z3 --message-format=json",
        "solve missing.smt2 --message-format json",
        "completions nonsense --message-format json",
        "man nonsense --message-format json",
    ];
    check("errors_in_json", &errors(&inputs(), lines));
}

#[test]
fn help_of_every_job() {
    let place = Place::new();
    for job in [
        "sample",
        "coverage",
        "convert",
        "solve",
        "fuzz",
        "merge",
        "reduce",
        "explore",
        "cc",
        "completions",
        "man",
    ] {
        let run = place.run(&[job, "--help"]).expect(0);
        check(&format!("help_of_{job}"), &run.out);
    }
    check("help", &place.run(&["--help"]).expect(0).out);
}

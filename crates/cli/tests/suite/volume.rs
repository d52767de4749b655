//! Sampling at volume: many solutions, written as they are found.

use std::collections::BTreeSet;

use crate::common::{Place, SMALL, UNSATISFIABLE, example};

/// 2^24 solutions or so.
const WIDE: &str = "\
(set-logic QF_ABV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(declare-fun f (Bool) (_ BitVec 8))
(assert (distinct x y))
(assert (= z (bvadd x y)))
(assert (bvult (select m x) (select m y)))
(assert (= (f true) (select m z)))
(check-sat)
";

const PREDICATES: &str = "\
(define-fun low () Bool (bvult x #x10))
(define-fun odd () Bool (= ((_ extract 0 0) y) #b1))
(define-fun zero () Bool (= (select m z) #x00))
";

#[test]
fn as_many_as_asked_for_and_all_different() {
    let folder = Place::with(&[("f.smt2", WIDE)]);
    let arguments = ["sample", "f.smt2", "--strategy", "smtsampler", "-n", "1000", "--format", "csv"];
    let run = folder.run(&arguments).expect(0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((lines.len(), lines[0]), (1001, "x,y,z,m,f"));
    assert_eq!(lines[1..].iter().collect::<BTreeSet<_>>().len(), 1000);
    assert!(run.err.starts_with("f.smt2: 1,000 solutions in "), "{}", run.err);
    assert!(run.err.ends_with(" s, all different\n"), "{}", run.err);
    assert_eq!(folder.run(&arguments).expect(0).out, run.out, "the same seed gives the same solutions");
    let other = folder.run(&[&arguments[..], &["--seed", "1"]].concat()).expect(0);
    assert_ne!(other.out, run.out);
}

#[test]
fn solutions_go_to_a_file_and_satisfy_the_formula() {
    let folder = Place::with(&[("f.smt2", WIDE), ("p.smt2", PREDICATES)]);
    for strategy in ["smtsampler", "guided", "classes-hard", "classes-soft"] {
        let predicates: &[&str] = if strategy == "smtsampler" { &[] } else { &["--predicates", "p.smt2"] };
        let arguments =
            ["sample", "f.smt2", "-n", "100", "-o", "m.txt", "--record", "r.json", "--strategy", strategy];
        let run = folder.run(&[&arguments[..], predicates].concat()).expect(0);
        assert_eq!(run.out, "");
        let record: serde_json::Value = serde_json::from_str(&folder.read("r.json")).expect("JSON");
        assert_eq!((&record["solutions"], &record["rejected"]), (&100.into(), &0.into()), "{record}");
        assert_eq!(record["stopped_by"], "max-solutions");
        let measured = ["coverage", "f.smt2", "m.txt", "--strict", "--json", "--predicates", "p.smt2"];
        let measured = folder.run(&measured).expect(0);
        let measured: serde_json::Value = serde_json::from_str(&measured.out).expect("JSON");
        assert_eq!(measured["models"].as_array().map(Vec::len), Some(100));
        if strategy != "smtsampler" {
            assert_eq!(measured["predicates"]["classes"].as_array().map(Vec::len), Some(8), "{strategy}");
        }
    }
}

#[test]
fn guidance_may_stop_at_each_step() {
    let folder = Place::with(&[("f.smt2", WIDE), ("p.smt2", PREDICATES)]);
    for (guidance, name) in
        [("neighbours", "guided-neighbours"), ("classes", "guided-classes"), ("bases", "guided")]
    {
        let arguments =
            ["sample", "f.smt2", "-n", "20", "--json", "--strategy", "guided", "--predicates", "p.smt2"];
        let run = folder.run(&[&arguments[..], &["--guidance", guidance]].concat()).expect(0);
        let record: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!((&record["strategy"], &record["solutions"]), (&name.into(), &20.into()));
    }
}

#[test]
fn predicates_can_be_made_and_kept() {
    let folder = Place::with(&[("f.smt2", WIDE)]);
    for source in ["--random-predicates", "--internal-predicates"] {
        let arguments = ["sample", "f.smt2", "-n", "200", "--strategy", "guided", "-o"];
        let made = [&arguments[..], &["a.txt", source, "20", "--save-predicates", "p.smt2"]].concat();
        folder.run(&made).expect(0);
        assert_eq!(folder.read("p.smt2").lines().count(), 20, "{source}");
        folder.run(&[&arguments[..], &["b.txt", "--predicates", "p.smt2"]].concat()).expect(0);
        let measure = ["coverage", "f.smt2", "a.txt", "--json", "--predicates", "p.smt2", "--decide"];
        let measured: serde_json::Value =
            serde_json::from_str(&folder.run(&measure).expect(0).out).expect("JSON");
        assert!(measured["predicates"]["classes"].as_array().map_or(0, Vec::len) > 50, "{source}");
        if source == "--internal-predicates" {
            let all = measured["predicates"]["predicates"].as_array().expect("predicates");
            assert!(all.iter().all(|one| one["can_hold"] == true && one["can_fail"] == true));
        }
    }
}

#[test]
fn time_ends_a_run_and_lines_are_whole() {
    let folder = Place::with(&[("f.smt2", WIDE)]);
    let arguments = ["sample", "f.smt2", "--strategy", "smtsampler", "-t", "2", "-o", "m.csv", "-f", "csv"];
    let run = folder.run(&arguments).expect(0);
    assert!(run.err.ends_with("all different; stopped by --timeout\n"), "{}", run.err);
    let text = folder.read("m.csv");
    assert!(
        text.ends_with('\n') && text.lines().all(|line| line.starts_with("x,y") || line.starts_with("#x"))
    );
    let run = folder.run(&[&arguments[..], &["-n", "1000000000"]].concat()).expect(3);
    assert!(run.err.ends_with("stopped by --timeout\n"), "{}", run.err);
    // Fewer than are asked for, and all of them, by themselves.
    let folder = Place::with(&[("f.smt2", SMALL)]);
    let all = folder.run(&["sample", "f.smt2", "--strategy", "all", "-f", "csv"]).expect(0);
    let all: BTreeSet<&str> = all.out.lines().skip(1).collect();
    let run = folder.run(&["sample", "f.smt2", "--strategy", "smtsampler", "-f", "csv"]).expect(0);
    // Whatever x is, p follows, and nothing is said of the 8 other bits.
    assert!(run.err.starts_with("f.smt2: all 4,096 solutions in "), "{}", run.err);
    assert_eq!(all.len(), 4096);
    assert_eq!(run.out.lines().skip(1).collect::<BTreeSet<_>>().len(), all.len());
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Place::with(&[("f.smt2", WIDE), ("u.smt2", UNSATISFIABLE), ("p.smt2", PREDICATES)]);
    for (arguments, words) in [
        (
            &["f.smt2", "--strategy", "guided"][..],
            "error: the strategy guided needs predicates, and none are given\n",
        ),
        (
            &["f.smt2", "--strategy", "cover", "--predicates", "p.smt2"],
            "error: --predicates has no effect with the strategy cover: it is an option of guided, classes-hard, ",
        ),
        (
            &["f.smt2", "--strategy", "smtsampler", "--guidance", "bases"],
            "error: --guidance has no effect with the strategy smtsampler: it is an option of guided\n  = help: add --strategy guided, or leave --guidance out\n",
        ),
        (
            &["f.smt2", "--strategy", "uniform", "-o", "x", "--resume"],
            "error: --resume cannot be used with the strategy uniform",
        ),
        (
            &["f.smt2", "--strategy", "uniform", "--tolerance", "0"],
            "error: invalid value '0' for '--tolerance",
        ),
        (&["f.smt2", "--strategy", "all", "--project", "q"], "error: f.smt2: there is no constant 'q'"),
        (
            &["f.smt2", "--strategy", "all", "--project", "x", "-o", "x", "--resume"],
            "error: --resume cannot be used with --project",
        ),
        (
            &[".", "--strategy", "smtsampler"],
            "error: no limit given: the first of these formulas would run forever\n",
        ),
        (
            &["f.smt2", "--strategy", "smtsampler", "--resume"],
            "error: --resume with the strategy smtsampler ",
        ),
        (
            &["f.smt2", "-", "--strategy", "smtsampler", "-n", "1"],
            "error: standard input (-) cannot be one of several formulas\n",
        ),
        (
            &[".", "--strategy", "guided", "--predicates", "-", "-n", "1"],
            "error: predicates for several formulas cannot come from standard input (-)",
        ),
        (
            &[".", "--strategy", "guided", "--random-predicates", "2", "--save-predicates", "q", "-n", "1"],
            "error: --save-predicates works with one formula only",
        ),
        (
            &["f.smt2", "--strategy", "smtsampler", "--obligations", "o"],
            "error: --obligations has no effect with the strategy smtsampler",
        ),
        (
            &["f.smt2", "--strategy", "smtsampler", "-o", "f.smt2"],
            "error: the output f.smt2 is the formula itself\n",
        ),
        (
            &["f.smt2", "--predicates", "p.smt2", "-o", "p.smt2"],
            "error: the output p.smt2 is the file of predicates itself\n",
        ),
        (
            &["f.smt2", "u.smt2", "--predicates", "p.smt2", "-t", "1", "--summary", "p.smt2"],
            "error: the output p.smt2 is the file of predicates itself\n",
        ),
        (&["missing.smt2", "--strategy", "smtsampler"], "error: cannot read missing.smt2"),
    ] {
        let run = folder.run(&[&["sample"], arguments].concat()).expect(2);
        assert!(run.err.starts_with(words), "{}", run.err);
        assert_eq!(run.out, "");
    }
    let run = folder.run(&["sample", "u.smt2", "--strategy", "smtsampler"]).expect(1);
    assert!(run.err.ends_with("unsatisfiable: there is no solution\n"), "{}", run.err);
    let nested = "(declare-const a (Array (_ BitVec 2) (Array (_ BitVec 2) Bool)))
        (assert (select (select a #b00) #b01))";
    folder.write("nested.smt2", nested);
    folder.run(&["sample", "nested.smt2", "--strategy", "smtsampler", "-n", "1"]).expect(0);
    let run = folder.run(&["sample", "nested.smt2", "--strategy", "uniform", "-n", "1"]).expect(2);
    assert!(run.err.contains("arrays of arrays"), "{}", run.err);
}

#[test]
fn a_reader_that_leaves_ends_the_run() {
    let folder = Place::new();
    let formula = example("options.smt2");
    let sundry = env!("CARGO_BIN_EXE_sundry");
    let script =
        format!("'{sundry}' sample '{formula}' --strategy smtsampler --timeout 60 -f csv | head -n 3");
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path("."))
        .output()
        .expect("a shell");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 3);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.starts_with("error: the reader of standard output closed it"), "{message}");
}

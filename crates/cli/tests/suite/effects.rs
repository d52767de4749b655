//! Options that would do nothing where they stand are refused, with what they need.

use crate::common::{Place, SMALL};

#[test]
fn an_option_has_an_effect_or_is_refused() {
    let place =
        Place::with(&[("f.smt2", SMALL), ("set/a.smt2", SMALL), ("p.smt2", "(define-fun low () Bool p)")]);
    place.run(&["sample", "f.smt2", "-o", "models"]).expect(0);
    for (arguments, message, help) in [
        (
            &["coverage", "f.smt2", "models", "--seed", "1"][..],
            "--seed has no effect without --decide",
            "add --decide, or leave --seed out",
        ),
        (
            &["coverage", "f.smt2", "models", "-j", "2"],
            "--threads has no effect without --decide",
            "add --decide",
        ),
        (
            &["solve", "f.smt2", "--floats", "circuit", "--float-strategy", "swarm"],
            "--float-strategy has no effect with --floats circuit",
            "use --floats both",
        ),
        (
            &["solve", "f.smt2", "--partial-points", "accepted"],
            "--partial-points has no effect without --partial",
            "add --partial FILE",
        ),
        (
            &["sample", "set", "-f", "csv"],
            "--format has no effect for several formulas without -o",
            "add -o FOLDER",
        ),
        (
            &["sample", "f.smt2", "-f", "csv", "--json", "--message-format", "text"],
            "--format has no effect with --json and without -o",
            "leave --json out",
        ),
        (
            &["sample", "f.smt2", "--strategy", "all", "-r", "1"],
            "--target has no effect with this strategy",
            "use --max-solutions",
        ),
        (
            &["sample", "f.smt2", "--strategy", "uniform", "-r", "0.5"],
            "--target has no effect with this strategy",
            "--timeout",
        ),
        (
            &["sample", "f.smt2", "--strength", "2", "--over", "values", "--predicates", "p.smt2"],
            "--predicates has no effect with --over values",
            "use --over predicates",
        ),
        (
            &["sample", "f.smt2", "--strength", "2", "--save-predicates", "q"],
            "--save-predicates has no effect where there are no predicates",
            "--random-predicates N",
        ),
        (
            &["sample", "f.smt2", "--candidates", "3"],
            "--candidates has no effect with the strategy cover",
            "add --strategy pan",
        ),
        (
            &["sample", "f.smt2", "--strategy", "pan", "--effort", "low"],
            "--effort has no effect with the strategy pan",
            "add --strategy cover",
        ),
        (
            &["sample", "f.smt2", "--strategy", "all", "--quick"],
            "--quick has no effect with the strategy all",
            "add --strategy uniform",
        ),
        (
            &["fuzz", "f.smt2", "--solver", "z3", "--no-mutation", "--strategy", "pst"],
            "--strategy has no effect with --no-mutation",
            "leave --no-mutation out",
        ),
        (
            &["fuzz", "f.smt2", "--solver", "z3", "--no-mutation", "--changes", "2"],
            "--changes has no effect with --no-mutation",
            "leave",
        ),
        (
            &["stress", "--target", "a", "--reference", "b", "--variant", "stringfuzz", "--mutations", "2"],
            "--mutations has no effect with this variant",
            "use another --variant",
        ),
        (
            &["stress", "--target", "a", "--reference", "b", "--keep-first-coverage"],
            "--keep-first-coverage has no effect without --counters",
            "add --counters KIND",
        ),
        (
            &"stress --target a --reference b --counters edges --variant no-coverage --coverage-rules listing"
                .split(' ')
                .collect::<Vec<_>>(),
            "--coverage-rules has no effect with this variant",
            "use another --variant",
        ),
        (
            &["stress", "--target", "a", "--reference", "b", "--target-units", "9"],
            "--target-units has no effect without --measure resource",
            "add --measure resource",
        ),
        (
            &["stress", "--target", "a", "--reference", "b", "--confirm", "0", "--release", "c"],
            "--release has no effect with --confirm 0",
            "leave --confirm 0 out",
        ),
    ] {
        let run = place.run(arguments).expect(2);
        assert!(run.err.starts_with(&format!("error: {message}")), "{}", run.err);
        let told = run.err.split("= help: ").nth(1).expect("help");
        assert!(told.contains(help), "{}", run.err);
        assert_eq!(run.out, "");
    }
    assert_eq!(place.names("."), ["f.smt2", "models", "p.smt2", "set"]);
}

/// What is said by default is not refused, and what has an effect works.
#[test]
fn options_that_do_something_are_taken() {
    let place =
        Place::with(&[("f.smt2", SMALL), ("set/a.smt2", SMALL), ("p.smt2", "(define-fun low () Bool p)")]);
    for arguments in [
        &["sample", "f.smt2", "-f", "csv", "--json", "-o", "rows"][..],
        &["sample", "set", "-f", "csv", "-o", "out"],
        &["sample", "f.smt2", "--strategy", "pan", "-r", "0.5", "--candidates", "3"],
        &["coverage", "f.smt2", "rows", "-t", "60"],
        &["coverage", "f.smt2", "rows", "--decide", "--seed", "1", "-j", "1", "-t", "60"],
        &[
            "sample",
            "f.smt2",
            "--strength",
            "2",
            "--over",
            "values",
            "--predicates",
            "p.smt2",
            "--save-predicates",
            "q",
        ],
    ] {
        place.run(arguments).expect(0);
    }
}

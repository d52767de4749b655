//! What can be said of all solutions: every one of them, all pairs of values, and draws that are all equally likely.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{Place, UNSATISFIABLE, example};

/// 8 solutions, 4 of them with the same `p` and `q`.
const OPTIONS: &str = "\
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(declare-const n (_ BitVec 2))
(assert (or p q))
(assert (= r (and p q)))
(assert (=> r (not (= n #b11))))
(assert (=> (not r) (bvult n #b10)))
(check-sat)
";

/// The rows of a table with as many columns as there are symbols.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

#[test]
fn every_solution_is_written_once() {
    let folder = Place::with(&[("f.smt2", OPTIONS), ("u.smt2", UNSATISFIABLE)]);
    let run = folder.run(&["sample", "f.smt2", "--strategy", "all", "-f", "csv"]).expect(0);
    assert!(run.err.starts_with("f.smt2: all 7 solutions in "), "{}", run.err);
    let all: BTreeSet<Vec<&str>> = rows(&run.out).into_iter().collect();
    assert_eq!((all.len(), run.out.lines().count()), (7, 8));
    // The same by guessing until nothing new is found.
    let found = folder.run(&["sample", "f.smt2", "--strategy", "smtsampler", "-f", "csv"]).expect(0);
    assert_eq!(rows(&found.out).into_iter().collect::<BTreeSet<_>>(), all);

    let arguments =
        ["sample", "f.smt2", "--strategy", "all", "--project", "p,|q|", "-f", "csv", "--record", "r"];
    let run = folder.run(&arguments).expect(0);
    assert!(run.err.starts_with("f.smt2: all 3 solutions that differ in the named constants"), "{}", run.err);
    let projected: BTreeSet<&[&str]> = all.iter().map(|row| &row[..2]).collect();
    let found = rows(&run.out);
    assert_eq!(found.iter().map(|row| &row[..2]).collect::<BTreeSet<_>>(), projected);
    assert!(found.iter().all(|row| all.contains(row)));
    assert!(folder.read("r").contains("\"stopped_by\": \"complete\""));

    let run = folder.run(&["sample", "f.smt2", "--strategy", "all", "-n", "2", "-f", "csv"]).expect(0);
    assert_eq!((run.out.lines().count(), run.err.contains("all 2")), (3, false));
    folder.run(&["sample", "u.smt2", "--strategy", "all"]).expect(1);
}

#[test]
fn enumeration_goes_on_where_it_was_cut() {
    let folder = Place::new();
    let formula = example("editor.smt2");
    let all = ["sample", &formula, "--strategy", "all", "-f", "csv", "-o", "a.csv"];
    folder.run(&[&all[..], &["-n", "100"]].concat()).expect(0);
    let run = folder.run(&[&all[..], &["--resume"]].concat()).expect(0);
    assert!(run.err.contains(": all 252 solutions, 152 of them new in "), "{}", run.err);
    let text = folder.read("a.csv");
    assert_eq!(rows(&text).into_iter().collect::<BTreeSet<_>>().len(), 252);
    assert_eq!(text.lines().count(), 253);
}

#[test]
fn arrays_are_listed_up_to_constants_only() {
    let text =
        "(declare-const a (Array (_ BitVec 2) Bool)) (declare-const i (_ BitVec 2)) (assert (select a i))";
    let folder = Place::with(&[("f.smt2", text)]);
    let run = folder.run(&["sample", "f.smt2", "--strategy", "all"]).expect(2);
    assert!(run.err.starts_with("error: f.smt2: the values of a cannot be listed"), "{}", run.err);
    let run = folder.run(&["sample", "f.smt2", "--strategy", "all", "--project", "i", "-f", "csv"]).expect(0);
    assert_eq!(run.out.lines().count(), 5);
}

/// All choices of so many columns with the values in them.
fn tuples(rows: &[Vec<&str>], strength: usize) -> BTreeSet<Vec<String>> {
    let mut all = BTreeSet::new();
    for row in rows {
        let items: Vec<String> =
            row.iter().enumerate().map(|(column, value)| format!("{column}={value}")).collect();
        let mut chosen: Vec<(usize, Vec<String>)> = vec![(0, Vec::new())];
        for _ in 0..strength {
            chosen = chosen
                .iter()
                .flat_map(|(first, some)| {
                    (*first..items.len()).map(|next| (next + 1, [&some[..], &items[next..=next]].concat()))
                })
                .collect();
        }
        all.extend(chosen.into_iter().map(|(_, tuple)| tuple));
    }
    all
}

#[test]
fn all_pairs_and_all_triples_are_shown() {
    let folder = Place::new();
    let formula = example("editor.smt2");
    let all = folder.run(&["sample", &formula, "--strategy", "all", "-f", "csv"]).expect(0);
    let all = rows(&all.out);
    let mut sizes = Vec::new();
    for strength in ["1", "2", "3"] {
        let arguments = ["sample", &formula, "--strength", strength, "-f", "csv", "--record", "r"];
        let run = folder.run(&arguments).expect(0);
        let expected = tuples(&all, strength.parse().expect("a number"));
        assert_eq!(tuples(&rows(&run.out), strength.parse().expect("a number")), expected, "{strength}");
        let record: serde_json::Value = serde_json::from_str(&folder.read("r")).expect("JSON");
        assert_eq!((&record["covered"], &record["open"]), (&expected.len().into(), &0.into()));
        let what = ["values", "pairs", "triples"][sizes.len()];
        assert!(run.err.contains(&format!(" valid {what} of 9 factors (")), "{}", run.err);
        sizes.push(run.out.lines().count() - 1);
        assert_eq!(folder.run(&arguments).expect(0).out, run.out, "not repeatable");
    }
    assert!(sizes.is_sorted() && sizes[2] < 100, "{sizes:?}");
    // What is short of that is a good choice.
    let run = folder.run(&["sample", &formula, "--strength", "2", "-n", "3", "-f", "csv"]).expect(0);
    assert!(
        run.err.contains("3 solutions with ") && run.err.contains(" of the pairs of 9 factors; stopped by")
    );
    let share = tuples(&rows(&run.out), 2).len() * 100 / tuples(&all, 2).len();
    assert!(share > 45, "{share} %");
    // It can go on, and to the end.
    let arguments = ["sample", &formula, "--strength", "2", "--fill", "-n", "100", "-f", "csv"];
    let run = folder.run(&arguments).expect(0);
    assert_eq!(rows(&run.out).into_iter().collect::<BTreeSet<_>>().len(), 100);
    let arguments =
        ["sample", &formula, "--strength", "2", "--fill", "-n", "1000", "-o", "m.csv", "-f", "csv"];
    let run = folder.run(&arguments).expect(0);
    assert!(run.err.contains(": all 252 solutions with all "), "{}", run.err);
    assert_eq!(rows(&folder.read("m.csv")).into_iter().collect::<BTreeSet<_>>().len(), 252);
}

#[test]
fn a_list_that_goes_on_depends_on_the_seed_behind_the_pairs() {
    let folder = Place::new();
    let formula = example("editor.smt2");
    let list = |seed: &str, threads: &str| {
        let arguments =
            ["sample", &formula, "--strength", "3", "--fill", "-n", "1000", "-f", "csv", "--seed", seed];
        folder.run(&[&arguments[..], &["-j", threads]].concat()).expect(0).out
    };
    let lists = ["1", "2", "3"].map(|seed| list(seed, "1"));
    assert_eq!(list("1", "2"), lists[0], "not repeatable");
    let sorted = |text: &str| text.lines().map(str::to_string).collect::<BTreeSet<_>>();
    let pairs = |text: &str, lines: usize| {
        let beginning: Vec<&str> = text.lines().take(lines).collect();
        tuples(&rows(&beginning.join("\n")), 2).len()
    };
    let all = pairs(&lists[0], usize::MAX);
    let needed = (2..).find(|&lines| pairs(&lists[0], lines) == all).expect("the list has all pairs");
    for other in &lists[1..] {
        assert_eq!(sorted(other), sorted(&lists[0]), "not the same solutions");
        assert_ne!(*other, lists[0], "the seed makes no difference");
        assert!(other.lines().take(needed).eq(lists[0].lines().take(needed)), "pairs come first");
    }
}

#[test]
fn predicates_and_bits_can_be_combined() {
    let predicates = "(define-fun many () Bool (bvugt n #b01)) (define-fun both () Bool r) (define-fun n0 () Bool (= n #b00))";
    let folder = Place::with(&[("f.smt2", OPTIONS), ("p.smt2", predicates)]);
    let arguments = ["sample", "f.smt2", "--strategy", "t-wise", "--predicates", "p.smt2"];
    let run = folder.run(&[&arguments[..], &["-o", "m.txt"]].concat()).expect(0);
    assert!(run.err.contains(" valid pairs of 3 predicates"), "{}", run.err);
    let measured = folder.run(&["coverage", "f.smt2", "m.txt", "--predicates", "p.smt2", "--json"]).expect(0);
    let measured: serde_json::Value = serde_json::from_str(&measured.out).expect("JSON");
    assert_eq!(measured["predicates"]["both_ways"], 3);
    let run = folder.run(&["sample", "f.smt2", "--strength", "2", "--over", "bits"]).expect(0);
    assert!(run.err.contains(" valid pairs of ") && run.err.contains(" bits"), "{}", run.err);
}

#[test]
fn what_is_too_hard_is_neither_covered_nor_impossible() {
    // 13000027 * 15500011, which are primes.
    let formula = "(declare-const a (_ BitVec 48)) (declare-const b (_ BitVec 48))
        (assert (and (bvult #x000000000001 a) (bvult a #x000001000000)))
        (assert (and (bvult #x000000000001 b) (bvult b #x000001000000)))";
    let predicates = "(define-fun product () Bool (= (bvmul a b) #xb7438163e889))
        (define-fun less () Bool (bvult a b))";
    let folder = Place::with(&[("f.smt2", formula), ("p.smt2", predicates)]);
    let arguments = ["sample", "f.smt2", "--strength", "1", "--over", "predicates", "--predicates", "p.smt2"];
    let run = folder.run(&[&arguments[..], &["--record", "r"]].concat()).expect(3);
    let words =
        "f.smt2: 2 solutions with 75.00 % of the values of 2 predicates; the solver gave up on 1 value, in ";
    assert!(run.err.starts_with(words), "{}", run.err);
    let record: serde_json::Value = serde_json::from_str(&folder.read("r")).expect("JSON");
    assert_eq!((&record["open"], &record["impossible"]), (&1.into(), &0.into()), "{record}");
    assert_eq!(record["stopped_by"], "complete");
}

#[test]
fn what_makes_combinations_impossible_can_be_asked_of_any_solver() {
    // The second has more solutions than are listed.
    let wide = format!("(declare-const w (_ BitVec 16)) {OPTIONS}");
    let folder =
        Place::with(&[("set/f.smt2", OPTIONS), ("set/u.smt2", UNSATISFIABLE), ("set/w.smt2", wide.as_str())]);
    folder.run(&["sample", "set", "--strength", "2", "--obligations", "claims"]).expect(1);
    for script in ["f/further.smt2", "u/unsatisfiable.smt2", "w/impossible.smt2"] {
        assert_eq!(folder.run(&["solve", &format!("claims/{script}")]).expect(0).out, "unsat\n", "{script}");
    }
}

#[test]
fn combinations_of_several_formulas_make_a_table() {
    let folder =
        Place::with(&[("set/f.smt2", OPTIONS), ("set/u.smt2", UNSATISFIABLE), ("set/w.smt2", "(assert x)")]);
    let arguments =
        ["sample", "set", "--strength", "2", "-o", "out", "--summary", "s.csv", "--record", "r.jsonl"];
    let run = folder.run(&arguments).expect(2);
    assert!(run.out.contains("3 formulas: 1 complete, 1 unsatisfiable, 1 failed"), "{}", run.out);
    let summary = folder.read("s.csv");
    assert_eq!((summary.lines().count(), folder.read("r.jsonl").lines().count()), (4, 3));
    assert!(summary.starts_with("formula,strategy,seed,strength,factors,tuples,"), "{summary}");
    assert!(folder.read("out/f.models.smt2").contains("define-fun n "));
}

#[test]
fn what_makes_no_combinations_is_refused() {
    let folder = Place::with(&[("f.smt2", OPTIONS), ("e.smt2", "(assert true)")]);
    for (arguments, words) in [
        (&["f.smt2", "--strength", "4"][..], "error: invalid value '4' for '--strength"),
        (&["f.smt2", "--fill"], "error: --fill has no effect with the strategy cover"),
        (&["f.smt2", "--strength", "2", "--fill"], "error: --fill continues up to --max-solutions"),
        (&["f.smt2", "--strength", "2", "-r", "0.5"], "error: --target has no effect with this strategy"),
        (&["f.smt2", "--over", "predicates"], "error: the strategy t-wise needs predicates"),
        (&["f.smt2", "--strength", "2", "--resume"], "error: --resume continues a batch"),
    ] {
        let run = folder.run(&[&["sample"], arguments].concat()).expect(2);
        assert!(run.err.starts_with(words), "{}", run.err);
    }
    let run = folder.run(&["sample", "e.smt2", "--strength", "2"]).expect(2);
    assert!(run.err.contains("the formula has nothing whose values could be combined"), "{}", run.err);
}

#[test]
fn draws_say_that_functions_and_arrays_are_not_drawn() {
    let formula = "(declare-fun f ((_ BitVec 1)) (_ BitVec 2))(declare-const b Bool)\n\
        (assert (bvult (f #b0) (f #b1)))\n";
    let folder = Place::with(&[("f.smt2", formula)]);
    let run = folder.run(&["sample", "f.smt2", "--strategy", "uniform", "-n", "4"]).expect(0);
    let words = "exactly uniform of 2 values of the Boolean and bit-vector constants (others are not drawn";
    assert!(run.err.contains(words), "{}", run.err);
}

#[test]
fn draws_are_independent_and_each_solution_comes() {
    let folder = Place::with(&[("f.smt2", OPTIONS), ("u.smt2", UNSATISFIABLE)]);
    let arguments = ["sample", "f.smt2", "--strategy", "uniform", "-n", "700", "-f", "csv", "--record", "r"];
    let run = folder.run(&arguments).expect(0);
    assert!(
        run.err.contains(": 700 draws in ") && run.err.contains("exactly uniform of 7 solutions"),
        "{}",
        run.err
    );
    let mut counts: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
    for row in rows(&run.out) {
        *counts.entry(row).or_default() += 1;
    }
    // With 100 on average, less than 60 or more than 140 has a probability of less than 10^-4.
    assert!(counts.len() == 7 && counts.values().all(|count| (60..140).contains(count)), "{counts:?}");
    let record: serde_json::Value = serde_json::from_str(&folder.read("r")).expect("JSON");
    assert_eq!(record["uniform"]["exact"], true);
    let quick = folder.run(&["sample", "f.smt2", "--strategy", "uniform", "--quick", "-n", "50"]).expect(0);
    assert!(
        quick.err.contains(": 50 draws in ") && quick.err.contains("with no uniformity guarantee"),
        "{}",
        quick.err
    );
    folder.run(&["sample", "u.smt2", "--strategy", "uniform"]).expect(1);
}

/// The sort has one element, or there is no solution; `p` and `n` may be anything.
const ONE_ELEMENT: &str = "\
(declare-sort U 0)
(declare-const x U)
(declare-const p Bool)
(declare-const n (_ BitVec 1))
(define-fun everywhere ((e (_ BitVec 1))) (Array U (_ BitVec 1)) ((as const (Array U (_ BitVec 1))) e))
(assert (= (store (everywhere #b0) x #b1) (everywhere #b1)))
(assert (or p (= n #b0)))
(check-sat)
";

/// Every strategy decides formulas in which it matters how many elements a sort has, and comes to an end without limits.
#[test]
fn sorts_of_few_elements_are_no_obstacle() {
    let folder = Place::with(&[("f.smt2", ONE_ELEMENT), ("p.smt2", "(define-fun q () Bool (= n #b1))")]);
    let predicates = ["--predicates", "p.smt2", "-n", "1"];
    let strategies: [(&str, &[&str]); 10] = [
        ("cover", &[]),
        ("pan", &[]),
        ("t-wise", &[]),
        ("all", &["--project", "p,n"]),
        ("smtsampler", &["-n", "3"]),
        ("uniform", &["-n", "3"]),
        ("guided", &predicates),
        ("classes-hard", &predicates),
        ("classes-soft", &predicates),
        ("cover", &["--obligations", "claims"]),
    ];
    for (strategy, options) in strategies {
        let run = folder.run(&[&["sample", "f.smt2", "--strategy", strategy], options].concat()).expect(0);
        let models = run.out.matches("(define-fun x ").count();
        assert_eq!(run.out.matches("(forall ((x U)) (= x (as @U!0 U)))").count(), models, "{}", run.out);
        assert!(models > 0 && !run.err.contains("stopped by"), "{strategy}: {}", run.err);
        if ["cover", "pan", "all", "smtsampler", "t-wise"].contains(&strategy) {
            let different: BTreeSet<&str> = run.out.split("(\n").filter(|model| !model.is_empty()).collect();
            assert_eq!(different.len(), models, "{strategy}: {}", run.out);
        }
    }
    let run = folder.run(&["solve", "f.smt2"]).expect(0);
    assert_eq!(run.out, "sat\n");
    // What was written is read back with the universe, also where a run goes on.
    folder.run(&["sample", "f.smt2", "-o", "m.smt2"]).expect(0);
    let run = folder.run(&["coverage", "f.smt2", "m.smt2"]).expect(0);
    assert!(!run.err.contains("not a model") && !run.out.contains("wrong"), "{}{}", run.out, run.err);
    let more = ["sample", "f.smt2", "--strategy", "smtsampler", "-o", "v.smt2"];
    folder.run(&[&more[..], &["-n", "1"]].concat()).expect(0);
    folder.run(&[&more[..], &["-n", "3", "--resume"]].concat()).expect(0);
    assert_eq!(folder.read("v.smt2").matches("(forall ((x U))").count(), 3);
    // With a second element there is no solution.
    let two = ONE_ELEMENT.replace("(check-sat)", "(declare-const y U) (assert (distinct x y)) (check-sat)");
    folder.write("g.smt2", two);
    for (strategy, options) in strategies {
        folder.run(&[&["sample", "g.smt2", "--strategy", strategy], options].concat()).expect(1);
    }
    assert_eq!(folder.run(&["solve", "g.smt2"]).expect(0).out, "unsat\n");
}

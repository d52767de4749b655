//! `sundry solve`: a solver on the command line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::{HARD, Place, SMALL, UNSATISFIABLE, example};

/// The lines of the answers to a script.
fn answers(script: &str, code: i32) -> Vec<String> {
    let run = Place::new().run_with_input(&["solve"], script).expect(code);
    run.out.lines().map(str::to_string).collect()
}

#[test]
fn files_and_standard_input_are_answered() {
    let place = Place::with(&[("small.smt2", SMALL), ("unsat.smt2", UNSATISFIABLE)]);
    assert_eq!(place.run(&["solve", "small.smt2"]).expect(0).out, "sat\n");
    assert_eq!(place.run(&["solve", "unsat.smt2"]).expect(0).out, "unsat\n");
    assert_eq!(place.run_with_input(&["solve"], SMALL).expect(0).out, "sat\n");
    assert_eq!(place.run_with_input(&["solve", "-"], UNSATISFIABLE).expect(0).out, "unsat\n");
    assert_eq!(place.run(&["solve", &example("unsatisfiable.smt2")]).expect(0).out, "unsat\n");
}

#[test]
fn equations_that_define_one_another_in_a_circle_lose_nothing() {
    let script = "(declare-const x Int) (declare-const y Int) (declare-const z Int) (declare-const w Int)
        (assert (= x y)) (assert (= (+ z x 2) 3)) (assert (= (ite (= y 2) (+ w w) 6) z)) (check-sat)";
    assert_eq!(answers(script, 0), ["sat"]);
}

#[test]
fn models_and_values_are_in_standard_syntax() {
    let script = "(set-logic QF_AUFBV)\n(declare-const x (_ BitVec 4))\n(declare-const p Bool)\n\
        (declare-fun f ((_ BitVec 4)) Bool)\n(declare-const a (Array (_ BitVec 4) (_ BitVec 8)))\n\
        (assert (= x #xa))\n(assert (not p))\n(assert (f x))\n(assert (= (select a x) #x07))\n(check-sat)\n";
    let lines = answers(&format!("{script}(get-value (x p (f x) (select a #xa) (bvadd x #x1)))\n"), 0);
    assert_eq!(
        lines.join(""),
        "sat((x #xa) (p false) ((f x) true) ((select a #xa) #x07) ((bvadd x #x1) #xb))"
    );
    // The model, put in place of the declarations, satisfies the assertions.
    let model = answers(&format!("{script}(get-model)\n"), 0);
    assert_eq!(model[0], "sat");
    let place = Place::with(&[("formula.smt2", script), ("model.smt2", &model[1..].join("\n"))]);
    let measured = place.run(&["coverage", "formula.smt2", "model.smt2", "--strict", "--json"]).expect(0);
    assert!(measured.out.contains("\"satisfies\": true"), "{}", measured.out);
}

#[test]
fn levels_assumptions_and_cores() {
    let lines = answers(
        "(set-option :produce-unsat-cores true)\n(declare-const p Bool)\n(declare-const q Bool)\n\
         (assert (! (=> p q) :named link))\n(check-sat-assuming (p (not q)))\n(get-unsat-assumptions)\n\
         (push 1)\n(assert (! p :named left))\n(assert (! (not q) :named right))\n(assert (! (or p q) :named idle))\n\
         (check-sat)\n(get-unsat-core)\n(pop 1)\n(check-sat)\n(reset)\n(declare-const p (_ BitVec 2))\n\
         (check-sat)\n(echo \"done\")\n(exit)\n(check-sat)\n",
        0,
    );
    assert_eq!(lines.join(""), "unsat(p (not q))unsat(link left right)satsat\"done\"");
}

#[test]
fn a_script_goes_on_after_an_error() {
    let run = Place::new()
        .run_with_input(
            &["solve"],
            "(declare-const x (_ BitVec 4))\n(assert (= x #xff))\n(get-model)\n(declare-const r String)\n\
             (minimize x)\n(assert (= x #xf))\n(check-sat)\n(get-unsat-core)\n",
        )
        .expect(2);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 6, "{lines:?}");
    for (line, position) in [(0, "2:"), (1, "3:"), (2, "4:"), (5, "8:")] {
        assert!(lines[line].starts_with("(error \"") && lines[line].contains(position), "{lines:?}");
    }
    assert_eq!(lines[3..5], ["unsupported", "sat"]);
}

#[test]
fn success_is_printed_on_request() {
    let lines =
        answers("(set-option :print-success true)\n(set-logic QF_BV)\n(assert true)\n(check-sat)\n", 0);
    assert_eq!(lines, ["success", "success", "success", "sat"]);
}

#[test]
fn a_limit_is_told_as_unknown() {
    let script =
        format!("{HARD}(get-info :reason-unknown)\n").replace("(check-sat)", "(assert found)\n(check-sat)");
    let place = Place::with(&[("hard.smt2", &script)]);
    let run = place.run(&["solve", "hard.smt2", "--timeout", "0.2"]).expect(3);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "unknown");
    assert!(lines[1].starts_with("(:reason-unknown"), "{lines:?}");
}

#[test]
fn a_conversation_is_answered_command_by_command() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sundry"))
        .arg("solve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    for (command, answer) in [
        ("(declare-const x (_ BitVec 8))\n(assert (bvult x #x02))\n(check-sat)\n", "sat\n"),
        ("(assert (bvugt x #x00))\n(check-sat)\n", "sat\n"),
        ("(get-value (x))\n", "((x #x01))\n"),
        ("(assert (= x #x00))\n(check-sat)\n", "unsat\n"),
    ] {
        input.write_all(command.as_bytes()).expect("the program reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("the program answers");
        assert_eq!(line, answer, "to {command}");
    }
    drop(input);
    assert!(child.wait().expect("the program ends").success());
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let place = Place::with(&[("broken.smt2", "(check-sat")]);
    assert!(place.run(&["solve", "missing.smt2"]).expect(2).err.contains("missing.smt2"));
    assert!(place.run(&["solve", "broken.smt2"]).expect(2).out.starts_with("(error \""));
}

#[test]
fn named_truth_values_are_told() {
    let script = "(declare-const p Bool)\n(declare-const x (_ BitVec 4))\n\
        (assert (! (= p (! (= (! x :named |a word|) #x3) :named is-three)) :named whole))\n(assert (not p))\n\
        (get-assignment)\n(check-sat)\n(get-assignment)\n(push 1)\n(assert (! (bvult x #x2) :named less))\n\
        (check-sat)\n(get-assignment)\n(pop 1)\n(check-sat)\n(get-assignment)\n\
        (set-option :produce-assignments false)\n(get-assignment)\n";
    let lines = answers(script, 2);
    let told = "((is-three false) (whole true)";
    assert!(lines[0].contains("nothing was checked"), "{lines:?}");
    let rest = lines[1..lines.len() - 1].join("");
    assert_eq!(rest, format!("sat{told})sat{told} (less true))sat{told})"));
    assert!(lines[lines.len() - 1].contains(":produce-assignments true"), "{lines:?}");
}

#[test]
fn answers_and_messages_go_where_the_script_wants_them() {
    let place = Place::new();
    let script = "(set-option :regular-output-channel \"answers\")\n(declare-const p Bool)\n(check-sat)\n\
        (get-option :regular-output-channel)\n(set-option :diagnostic-output-channel \"messages\")\n\
        (set-option :verbosity 1)\n(check-sat)\n(minimize p)\n(set-option :regular-output-channel \"missing/file\")\n\
        (set-option :regular-output-channel \"stdout\")\n(echo \"here\")\n(set-option :regular-output-channel \"stderr\")\n\
        (echo \"there\")\n(reset)\n(check-sat)\n";
    let run = place.run_with_input(&["solve"], script).expect(2);
    assert_eq!(run.out, "\"here\"\nsat\n");
    assert_eq!(run.err, "\"there\"\n");
    let kept = place.read("answers");
    let lines: Vec<&str> = kept.lines().collect();
    assert_eq!(lines[..4], ["sat", "\"answers\"", "sat", "unsupported"]);
    assert!(lines[4].contains("cannot write missing/file"), "{lines:?}");
    let messages = place.read("messages");
    assert!(messages.lines().all(|line| line.starts_with("; ")), "{messages}");
    assert!(messages.contains("sat in ") && messages.contains("note: the command 'minimize'"), "{messages}");
    // What is there stays.
    place
        .run_with_input(&["solve"], "(set-option :regular-output-channel \"answers\")\n(check-sat)\n")
        .expect(0);
    assert_eq!(place.read("answers"), format!("{kept}sat\n"));
}

/// Messages on standard output are comments, and there are none unless the script asks for them: programs take each
/// line for an answer.
#[test]
fn messages_among_answers_are_comments_on_request() {
    let script = |verbosity: u32| {
        format!(
            "(set-option :diagnostic-output-channel \"stdout\")\n(set-option :verbosity {verbosity})\n\
             (declare-const p Bool)\n(check-sat)\n(minimize p)\n"
        )
    };
    let run = Place::new().run_with_input(&["solve"], script(0)).expect(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("sat\nunsupported\n", ""));
    let run = Place::new().run_with_input(&["solve"], script(1)).expect(0);
    let (comments, answers): (Vec<&str>, Vec<&str>) =
        run.out.lines().partition(|line| line.starts_with("; "));
    assert_eq!((answers, run.err.as_str()), (vec!["sat", "unsupported"], ""));
    assert!(comments.iter().any(|line| line.contains("<stdin>:4:1: sat in ")), "{comments:?}");
}

/// The partial solutions of each check are different, and satisfy the assertions that they are said to satisfy.
#[test]
fn partial_solutions_are_written_with_what_they_satisfy() {
    let declarations = "(declare-const a (Array (_ BitVec 4) (_ BitVec 4)))\n\
                        (declare-const x (_ BitVec 4))\n(declare-const y (_ BitVec 4))\n";
    let assertions = [
        "(assert (distinct (select a x) (select a y)))",
        "(assert (= (select (store a x y) y) x))",
        "(assert (bvult (select a (bvadd x y)) (select a (bvsub x y))))",
    ];
    let script = format!("{declarations}{}\n(check-sat)\n(reset)\n(check-sat)\n", assertions.join("\n"));
    let place = Place::with(&[("f.smt2", &script)]);
    let run = place.run(&["solve", "f.smt2", "--partial", "partial.jsonl"]).expect(0);
    assert_eq!(run.out, "sat\nsat\n");
    let text = place.read("partial.jsonl");
    let partials: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(!partials.is_empty());
    let mut models = Vec::new();
    for partial in &partials {
        assert_eq!((&partial["assertions"], &partial["check"]), (&3.into(), &1.into()));
        let model = partial["model"].as_str().expect("text");
        assert!(!models.contains(&model), "{model}");
        models.push(model);
        // The definitions of the model, in place of the declarations.
        let definitions =
            model.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).expect("a list");
        let satisfied = partial["satisfied"].as_array().expect("numbers");
        for (number, assertion) in assertions.iter().enumerate() {
            let script = format!("{}\n{assertion}\n(check-sat)\n", definitions.trim());
            let answer = Place::new().run_with_input(&["solve"], &*script).expect(0).out;
            let expected = if satisfied.contains(&number.into()) { "sat\n" } else { "unsat\n" };
            assert_eq!(answer, expected, "{assertion} under {model}");
        }
    }
    place.run(&["solve", "f.smt2", "--partial", "partial.jsonl", "--partial-limit", "1"]).expect(0);
    assert_eq!(place.read("partial.jsonl").lines().count(), 1);
    place.run(&["solve", "f.smt2", "--partial", "no/such/folder"]).expect(2);
    let same = place.run(&["solve", "f.smt2", "--partial", "f.smt2"]).expect(2);
    assert!(same.err.contains("is the script itself") && place.read("f.smt2") == script, "{}", same.err);
}

/// A formula over floats whose circuits keep a SAT solver busy for long, with a solution that the search finds at once.
const FLOATS: &str = "(declare-const x Float64) (declare-const y Float64) (declare-const z Float64)
(define-fun n ((v Real)) Float64 ((_ to_fp 11 53) RNE v))
(define-fun circle ((s Float64) (t Float64)) Float64 (fp.add RNE (fp.mul RNE s s) (fp.mul RNE t t)))
(assert (fp.lt (n 999.5) (circle x y) (n 1000.5)))
(assert (fp.lt (n 899.5) (circle y z) (n 900.5)))
(assert (fp.lt (n 16.9) (fp.div RNE (circle x z) (fp.mul RNE y z)) (n 17.1)))
(check-sat)
";

/// Circuits, the search and its strategies differ in time, and in nothing else.
#[test]
fn floats_are_searched() {
    let script = format!("{FLOATS}(get-info :all-statistics)\n(get-model)\n");
    let place = Place::with(&[("f.smt2", &script)]);
    for arguments in [
        &[][..],
        &["--floats", "search"],
        &["--floats", "search", "--float-strategy", "annealing"],
        &["--floats", "search", "--float-strategy", "swarm"],
    ] {
        let run = place.run(&[&["solve", "f.smt2"], arguments].concat()).expect(0);
        assert!(
            run.out.starts_with("sat\n") && run.out.contains(":evaluations"),
            "{arguments:?}: {}",
            run.out
        );
        let again = place.run(&[&["solve", "f.smt2"], arguments].concat()).expect(0);
        assert_eq!(run.out, again.out, "equal seeds, equal models");
    }
    let text = FLOATS.replace("16.9", "160.0");
    let place = Place::with(&[("f.smt2", &text)]);
    let run = place.run(&["solve", "f.smt2", "--floats", "search", "--timeout", "0.3"]).expect(3);
    assert_eq!(run.out, "unknown\n");
    let text = "(declare-const x Float16) (assert (fp.lt x (fp.neg (fp.abs x)))) (check-sat) (get-info :all-statistics)";
    let place = Place::with(&[("f.smt2", text)]);
    let run = place.run(&["solve", "f.smt2", "--floats", "circuit"]).expect(0);
    assert!(run.out.starts_with("unsat\n") && !run.out.contains(":evaluations"), "{}", run.out);
}

/// Points of the search are partial solutions: local minima, or each point that it goes on from.
#[test]
fn points_of_the_search_are_partial_solutions() {
    let place = Place::with(&[("f.smt2", FLOATS)]);
    for points in ["minima", "accepted"] {
        let arguments = ["solve", "f.smt2", "--partial", "partial.jsonl", "--partial-points", points];
        place.run(&arguments).expect(0);
        let text = place.read("partial.jsonl");
        let partials: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(!partials.is_empty(), "{points}");
        for partial in partials {
            assert_eq!(partial["origin"], "optimisation");
            assert!(partial["satisfied"].as_array().expect("numbers").len() < 3, "{partial}");
        }
    }
}

/// The lines of a file of partial solutions.
fn partials(place: &Place, name: &str) -> Vec<Value> {
    place.read(name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The example of the paper on partial solutions: its search passes points of two other paths, and ends at the third.
#[test]
fn a_search_for_numbers_shows_its_points() {
    let place = Place::new();
    let run = place.run(&["solve", &example("branches.smt2"), "--partial", "steps.jsonl"]).expect(0);
    let model = |x: u32, y: u32| format!("(\n  (define-fun x () Int {x})\n  (define-fun y () Int {y})\n)\n");
    assert_eq!(run.out, format!("sat\n{}", model(1, 1)));
    let steps = partials(&place, "steps.jsonl");
    let met: Vec<(&Value, &Value, &Value)> =
        steps.iter().map(|step| (&step["origin"], &step["satisfied"], &step["model"])).collect();
    let pivot = Value::from("pivot");
    // x + y >= 2 fails at first, then 2y - x >= 1.
    let expected = [(json!([2]), model(0, 0).into()), (json!([0, 2]), model(2, 0).into())];
    assert_eq!(met, [0, 1].map(|step| (&pivot, &expected[step].0, &expected[step].1)));
}

/// Classes of congruent terms: f(f(f(a))) = a and f(f(f(f(f(a))))) = a, and f(a) differs from a, which cannot be.
#[test]
fn a_search_for_functions_shows_congruent_classes() {
    let script = "(declare-sort U 0)\n(declare-fun f (U) U)\n(declare-const a U)\n(declare-const b U)\n\
                  (assert (= (f (f (f a))) a))\n(assert (= (f (f (f (f (f a))))) a))\n(assert (distinct (f a) b))\n\
                  (assert (= a b))\n(check-sat)\n";
    let place = Place::with(&[("f.smt2", script)]);
    assert_eq!(place.run(&["solve", "f.smt2", "--partial", "steps.jsonl"]).expect(0).out, "unsat\n");
    let steps = partials(&place, "steps.jsonl");
    let of = |origin: &str| steps.iter().filter(|step| step["origin"] == origin).count();
    assert!(of("refuted") > 0 && of("congruence") > 0, "{steps:?}");
    assert!(steps.iter().all(|step| step["satisfied"].as_array().expect("numbers").len() < 4), "{steps:?}");
}

/// A product takes conflicts and restarts, and what the SAT solver tried last satisfies some of the assertions.
#[test]
fn a_search_of_the_sat_solver_shows_what_it_tried_last() {
    let script = "(declare-const x (_ BitVec 28))\n(declare-const y (_ BitVec 28))\n\
                  (assert (= (bvmul x y) (_ bv66983033 28)))\n(assert (bvult x (_ bv8192 28)))\n(assert (bvult y x))\n\
                  (assert (bvugt y (_ bv1 28)))\n(check-sat)\n";
    let place = Place::with(&[("f.smt2", script)]);
    let run = |most: &str| {
        let run =
            place.run(&["solve", "f.smt2", "--partial", "steps.jsonl", "--partial-limit", most]).expect(0);
        (run.out, partials(&place, "steps.jsonl"))
    };
    let (answer, steps) = run("1000");
    assert_eq!(answer, place.run(&["solve", "f.smt2"]).expect(0).out);
    let restarts = steps.iter().filter(|step| step["origin"] == "restart").count();
    assert!(restarts > 1, "{steps:?}");
    let (_, fewer) = run("2");
    assert_eq!(fewer[..], steps[..2]);
}

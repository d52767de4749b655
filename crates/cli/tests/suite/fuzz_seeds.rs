//! The seeds themselves in `sundry fuzz`.
#![cfg(unix)]

use sundry_testing::oracle::Oracle;
use sundry_testing::skipped::shared_folder;

use crate::common::{Place, right};
use crate::fuzz::{SEED, bugs, faulty, fuzz};

#[test]
fn the_seeds_alone_are_judged_on_request() {
    let place = Place::with(&[("seeds/sat.smt2", SEED), ("seeds/none.smt2", "(assert")]);
    let solver = faulty(&place);
    let run = place.run(&["fuzz", "seeds", "--no-mutation", "--solver", &solver, "--reference", &right()]);
    let run = run.expect(1);
    assert!(
        run.err.contains("0 mutants") && run.err.contains("1 seed that cannot be read left out"),
        "{}",
        run.err
    );
}

#[test]
fn all_that_a_seed_asks_is_judged() {
    // Satisfiable first, then not.
    let script =
        "(declare-const x (_ BitVec 4)) (assert (bvult #x2 x)) (push 1) (assert (bvult x #x5)) (check-sat)
        (pop 1) (assert (bvult x #x3)) (check-sat)";
    let place = Place::with(&[("seeds/levels.smt2", script)]);
    let right = right();
    place.write(
        "faulty.sh",
        format!("if grep -q '(pop' \"$1\"; then echo sat; echo sat; else exec {right} \"$1\"; fi\n"),
    );
    let faulty = place.script("faulty.sh");
    let run = fuzz(&place, &["--solver", &faulty, "--reference", &right, "--no-mutation"]).expect(1);
    assert!(run.err.contains("sat instead of unsat"), "{}", run.err);
    let [bug] = &bugs(&place)[..] else { panic!("{}", run.err) };
    assert_eq!((&bug["in_seed"], &bug["confirmed"]), (&true.into(), &true.into()));
    let folder = bug["folder"].as_str().expect("a name");
    let reduced = place.read(&format!("findings/{folder}/reduced.smt2"));
    assert!(reduced.contains("(pop 1)"), "{reduced}");
}

#[test]
fn seeds_are_judged_in_the_folder_of_a_campaign_too() {
    let place = Place::with(&[("seeds/sat.smt2", SEED)]);
    fuzz(&place, &["--solver", &right(), "--mutants", "3"]).expect(0);
    let run = fuzz(&place, &["--solver", &right(), "--no-mutation"]).expect(0);
    assert!(run.err.contains("no defect found"), "{}", run.err);
    let none = fuzz(&place, &["--solver", &right(), "--no-mutation", "--replay", "3"]).expect(2);
    assert!(none.err.contains("there is no mutant 3"), "{}", none.err);
}

/// Seeds of the theories that Sundry solves, and z3 as a reference; without them there is nothing to do.
#[test]
fn our_own_solver_has_no_defects() {
    let Some(seeds) = shared_folder("our_own_solver_has_no_defects", "seeds") else { return };
    let logics = ["QF_BV", "QF_ABV"].map(|logic| seeds.join(logic));
    let place = Place::new();
    let (solver, reference) = (right(), Oracle::Z3.program().display().to_string());
    let mut arguments = vec!["fuzz", "--solver", &solver, "--reference", &reference];
    arguments.extend(["--mutants", "6", "--strategy", "all"]);
    let logics = logics.map(|logic| logic.display().to_string());
    arguments.extend(logics.iter().map(String::as_str));
    let run = place.run(&arguments).expect(0);
    assert!(run.err.contains("no defect found"), "{}", run.err);
}

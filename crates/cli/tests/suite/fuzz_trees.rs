//! `sundry fuzz` on seeds with theories that Sundry does not know, and the page of a campaign.
#![cfg(unix)]

use crate::common::{Place, right};
use crate::fuzz::{bugs, fuzz};

const SETS: &str = "\
(set-logic ALL)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (set.subset (set.union a b) b))
(assert (not (= a b)))
(check-sat)
";

/// Seeds of sets, one that the solver under test does not decide, and one that is none.
fn seeds() -> Place {
    let cardinality = SETS.replace("(not (= a b))", "(= (set.card a) 2)");
    Place::with(&[
        ("seeds/sets.smt2", SETS),
        ("seeds/cardinality.smt2", &cardinality),
        ("seeds/none.smt2", "(assert"),
    ])
}

/// A command that answers scripts about sets like this, in the words of a shell, and others right.
fn knowing_sets(place: &Place, name: &str, answer: &str) -> String {
    let text = format!("if grep -q 'set\\.' \"$1\"; then {answer}; else exec {} \"$1\"; fi\n", right());
    place.write(name, text);
    place.script(name)
}

/// A solver that is wrong about differences, and does not know cardinalities.
fn faulty(place: &Place) -> String {
    let answer = "if grep -q set.card \"$1\"; then echo unknown; elif grep -q set.minus \"$1\"; then echo unsat; else echo sat; fi";
    knowing_sets(place, "faulty.sh", answer)
}

#[test]
fn solvers_are_compared_on_theories_that_sundry_does_not_know() {
    let place = seeds();
    let (solver, reference) = (faulty(&place), knowing_sets(&place, "right.sh", "echo sat"));
    let both = ["--solver", &*solver, "--reference", &reference, "--mutants", "40"];
    let run = fuzz(&place, &[&both[..], &["--trace", "asked"]].concat()).expect(1);
    assert!(run.err.contains("2 seeds with something that Sundry does not know"), "{}", run.err);
    let found = bugs(&place);
    let [bug] = &found[..] else { panic!("{}", run.err) };
    assert_eq!((&bug["defect"], &bug["confirmed"]), (&"unsat instead of sat".into(), &true.into()));
    let folder = bug["folder"].as_str().expect("a name");
    // The fake is content with a word.
    assert_eq!(place.read(&format!("findings/{folder}/reduced.smt2")), "(assert set.minus)\n(check-sat)\n");
    let issue = place.read(&format!("findings/{folder}/issue.md"));
    assert!(issue.contains("(assert set.minus)") && issue.contains("`unsat` instead of `sat`"), "{issue}");
    assert!(!issue.contains(&place.path("").display().to_string()), "{issue}");
    let place_of_mutant = format!("seeds/sets.smt2:{}", bug["mutant"]);
    let replayed = fuzz(&place, &[&both[..], &["--replay", &place_of_mutant]].concat()).expect(0);
    assert_eq!(replayed.out, place.read(&format!("findings/{folder}/formula.smt2")));
    let (script, answers) = (place.read("asked/000001.smt2"), place.read("asked/000001.txt"));
    assert!(script.contains("(set.subset (set.union a b) b)"), "{script}");
    assert!(
        answers.contains(&format!("== {solver}\n")) && answers.contains(&format!("== {reference}\n")),
        "{answers}"
    );
}

/// What crashes a solver while it reads is made small only as far as another solver takes it.
#[test]
fn a_crash_is_reduced_to_what_another_solver_takes() {
    let crash = |place: &Place| {
        knowing_sets(place, "crash.sh", "grep -q set.union \"$1\" && kill -SEGV $$; echo sat")
    };
    let reduced = |picky: bool| {
        let place = Place::with(&[("seeds/sets.smt2", SETS)]);
        let answer = match picky {
            true => {
                "if grep -q 'set.subset (set.union a b)' \"$1\"; then echo sat; else echo '(error \"no term\")'; fi"
            }
            false => "echo sat",
        };
        let (solver, reference) = (crash(&place), knowing_sets(&place, "reference.sh", answer));
        let run = fuzz(&place, &["--solver", &solver, "--reference", &reference, "--no-mutation"]).expect(1);
        let [bug] = &bugs(&place)[..] else { panic!("{}", run.err) };
        let folder = bug["folder"].as_str().expect("a name");
        place.read(&format!("findings/{folder}/reduced.smt2"))
    };
    assert_eq!(reduced(false), "(assert set.union)\n(check-sat)\n");
    assert_eq!(reduced(true), "(assert (set.subset (set.union a b)))\n(check-sat)\n");
}

#[test]
fn a_seed_of_an_unknown_theory_on_which_a_solver_is_slow_is_reduced() {
    let place = Place::with(&[("seeds/sets.smt2", SETS)]);
    let slow = knowing_sets(&place, "slow.sh", "while grep -q set.union \"$1\"; do :; done; echo sat");
    let fast = knowing_sets(&place, "fast.sh", "echo sat");
    let solvers = ["--solver", &*slow, "--reference", &fast, "--release", &slow, "--release", &fast];
    // A quarter of the time for reducing goes into slow seeds, and each script takes all the time of the slow solver.
    let limits = ["--solver-timeout", "0.5", "--no-mutation", "--reduction-timeout", "240"];
    let run = fuzz(&place, &[&solvers[..], &limits].concat()).expect(0);
    assert!(
        run.err.contains("1 where another solver took a tenth of the time; 1 script kept"),
        "{}",
        run.err
    );
    let list: serde_json::Value = serde_json::from_str(&place.read("findings/slow/slow.json")).expect("JSON");
    let entry = list["scripts"].as_object().and_then(|all| all.values().next()).expect("one script");
    let reduced = place.read(&format!("findings/slow/{}", entry["reduced"].as_str().expect("a file")));
    assert_eq!(reduced, "(assert set.union)\n(check-sat)\n");
    assert_eq!(entry["releases"], serde_json::json!([[&slow, "slow"], [&fast, "fast"]]));
}

#[test]
fn the_page_of_a_campaign_shows_its_course() {
    let place = seeds();
    let (solver, reference) = (faulty(&place), knowing_sets(&place, "right.sh", "echo sat"));
    let both = ["--solver", &*solver, "--reference", &reference];
    fuzz(&place, &[&both[..], &["--mutants", "20"]].concat()).expect(1);
    let page = place.read("findings/index.html");
    assert_eq!(page.matches("<svg").count(), 3, "{page}");
    for text in [
        "<th>command</th><td>sundry fuzz",
        "opfuzz",
        "<th>seeds</th><td>3</td>",
        ": unknown</td>",
        "cannot be read",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let mutants = |page: &str| {
        let (_, rest) = page.split_once("<th>mutants</th><td>").expect("a row");
        rest.split_once('<').expect("its end").0.parse::<usize>().expect("a number")
    };
    // Another run goes on, and the curves have both.
    fuzz(&place, &[&both[..], &["--mutants", "50"]].concat()).expect(1);
    let again = place.read("findings/index.html");
    assert!(mutants(&page) <= 20 && mutants(&again) > 20, "{} and {}", mutants(&page), mutants(&again));
}

#[test]
fn without_references_seeds_of_known_theories_have_no_mutants_of_unknown_status() {
    let place = Place::with(&[("seeds/sets.smt2", SETS), ("seeds/sat.smt2", crate::fuzz::SEED)]);
    let solver = knowing_sets(&place, "right.sh", "echo sat");
    fuzz(&place, &["--solver", &solver, "--transcript", "asked.jsonl", "--mutants", "10"]).expect(0);
    let journal = place.read("findings/journal.jsonl");
    let line = |seed: &str| {
        journal.lines().find(|line| line.starts_with(&format!("{{\"seed\":{seed},"))).expect(seed).to_string()
    };
    assert!(line("1").contains("\"opfuzz\"") && !line("0").contains("\"opfuzz\""), "{journal}");
}

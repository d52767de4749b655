//! The reports of `sundry fuzz`: what others read and run.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{Place, right};
use crate::fuzz::{SEED, faulty, fuzz};

/// The defects in the index of a campaign.
fn bugs_in(place: &Place, folder: &str) -> Vec<Value> {
    let index: Value = serde_json::from_str(&place.read(&format!("{folder}/index.json"))).expect("JSON");
    index["bugs"].as_array().expect("a list").clone()
}

/// The command of a report that prints the mutant again.
fn replay_of(report: &str) -> String {
    let (_, section) = report.split_once("## Origin").expect("a section");
    let (_, block) = section.split_once("```sh\n").expect("a command");
    block.split_once("\n```").expect("its end").0.to_string()
}

/// The output of a shell that runs these lines elsewhere; there, `sundry` is the program under test.
fn run_by_shell(lines: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_sundry")).parent().expect("a folder").display();
    let path = format!("{program}:{}", std::env::var("PATH").expect("a path"));
    let output =
        Command::new("sh").args(["-ec", lines]).env("PATH", path).current_dir("/").output().expect("a shell");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{lines}\n{errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// A solver that answers right until it has seen many signed comparisons, and from then on has no models for them.
fn faulty_later(place: &Place) -> String {
    let count = place.path("count").display().to_string();
    let text = format!(
        "if grep -q 'bvsl\\|bvsg' \"$1\"; then echo >> '{count}'\n\
         if [ $(wc -l < '{count}') -gt 25 ]; then echo unsat; exit; fi; fi\nexec {} \"$1\"\n",
        right()
    );
    place.write("later.sh", text);
    place.script("later.sh")
}

/// Behind the first mutants, shares of the strategies depend on the journal, so the folder of the campaign has to be found.
#[test]
fn the_command_of_a_report_prints_the_mutant_again() {
    let place = Place::with(&[("seeds/one.smt2", &SEED.replace("bvsle", "bvule"))]);
    let solver = faulty_later(&place);
    let more = ["--reduction-timeout", "20", "--budget", "90", "-t", "300", "--transcript", "said.jsonl"];
    let arguments = ["--solver", &solver, "--mutants", "120", "-o", "of its own"];
    fuzz(&place, &[&arguments[..], &more].concat()).expect(1);
    let said = place.read("said.jsonl");
    let found = bugs_in(&place, "of its own");
    assert!(!found.is_empty());
    for bug in found {
        assert!(bug["mutant"].as_u64() > Some(20), "{bug}");
        let folder = format!("of its own/{}", bug["folder"].as_str().expect("a name"));
        let command = replay_of(&place.read(&format!("{folder}/report.md")));
        assert!(command.contains("-o 'of its own'"), "{command}");
        assert_eq!(run_by_shell(&command), place.read(&format!("{folder}/formula.smt2")), "{command}");
    }
    assert_eq!(place.read("said.jsonl"), said, "a replay leaves the files of the campaign alone");
}

/// The limits of a campaign do not end a replay.
#[test]
fn a_replay_takes_the_options_of_a_campaign() {
    let place = Place::with(&[("seeds/sat.smt2", SEED)]);
    let right = right();
    let options = ["-t", "0", "--budget", "1", "--reduction-timeout", "0", "-o", "none", "--trace", "asked"];
    let arguments = [&["--solver", &right, "--replay", "3"][..], &options].concat();
    let run = fuzz(&place, &arguments).expect(0);
    assert!(run.out.contains("(check-sat)"), "{}", run.out);
    assert_eq!(place.names("."), ["seeds"]);
}

/// Other options make other mutants, which is no reason to refuse, but to say so.
#[test]
fn a_replay_with_other_options_says_so() {
    let place = Place::with(&[("seeds/sat.smt2", SEED)]);
    let right = right();
    fuzz(&place, &["--solver", &right, "--mutants", "3"]).expect(0);
    let again = |options: &[&str]| {
        fuzz(&place, &[&["--solver", &right, "--replay", "3"][..], options].concat()).expect(0)
    };
    let note = "belongs to a campaign with other options";
    let same = again(&[]);
    assert!(!same.err.contains(note), "{}", same.err);
    for options in [&["--form", "core"][..], &["--seed", "7"]] {
        let other = again(options);
        assert!(other.err.contains(note), "{}", other.err);
        assert!(other.out.contains("(check-sat"), "{}", other.out);
    }
}

/// A mutant of a right seed is wrong because of the seed that it is fused with.
#[test]
fn a_defect_of_a_seed_is_recognised_through_fusion() {
    let right_seed = SEED.replace("bvsle", "bvule");
    let place = Place::with(&[("seeds/a.smt2", &right_seed), ("seeds/b.smt2", SEED)]);
    let text = format!("if grep -q bvsle \"$1\"; then echo unsat; else exec {} \"$1\"; fi\n", right());
    place.write("faulty.sh", text);
    let solver = place.script("faulty.sh");
    let strategy = ["--strategy", "fusion", "--mutants", "12", "--reduction-timeout", "0"];
    let arguments = ["--solver", &solver, "--reference", &right()];
    fuzz(&place, &[&arguments[..], &strategy].concat()).expect(1);
    let found = bugs_in(&place, "findings");
    let is_mutant = |bug: &&Value| bug["mutant"].as_u64() > Some(0);
    let fused = found.iter().find(is_mutant).unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!((&fused["seed"], &fused["in_seed"]), (&"seeds/a.smt2".into(), &true.into()));
    let report =
        |bug: &Value| place.read(&format!("findings/{}/report.md", bug["folder"].as_str().expect("a name")));
    assert!(report(fused).contains("The other seed shows the same defect alone"), "{}", report(fused));
    let itself = found.iter().find(|bug| !is_mutant(bug)).unwrap_or_else(|| panic!("{found:?}"));
    assert!(
        report(itself).contains("with the seed `b.smt2`, which shows the defect itself;"),
        "{}",
        report(itself)
    );
}

#[test]
fn pages_and_issues_have_no_paths_of_this_machine() {
    let place =
        Place::with(&[("seeds/sat.smt2", SEED), ("seeds/other.smt2", &SEED.replace("bvsle", "bvule"))]);
    let (solver, right) = (faulty(&place), right());
    let seeds = place.path("seeds").display().to_string();
    let run = place.run(&["fuzz", &seeds, "--solver", &solver, "--reference", &right, "--mutants", "10"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let machine = place.path("").display().to_string();
    let page = place.read("findings/index.html");
    assert!(!page.contains(&machine), "{page}");
    for part in ["<td>sh faulty.sh</td>", "<th>start</th>", "<td>not asked</td>", ">issue.md</a>"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for bug in bugs_in(&place, "findings") {
        let issue = place.read(&format!("findings/{}/issue.md", bug["folder"].as_str().expect("a name")));
        assert!(
            !issue.contains(&machine) && issue.contains("```sh\nsh faulty.sh reduced.smt2\n```"),
            "{issue}"
        );
    }
    let summary: Value = serde_json::from_str(&place.read("findings/summary.json")).expect("JSON");
    assert_eq!(summary["command"][1], "fuzz");
}

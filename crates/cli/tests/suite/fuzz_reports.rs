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

/// What a shell prints that runs these lines elsewhere, where `sundry` is the program under test.
fn run_by_shell(lines: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_sundry")).parent().expect("a folder").display();
    let path = format!("{program}:{}", std::env::var("PATH").expect("a path"));
    let output =
        Command::new("sh").args(["-ec", lines]).env("PATH", path).current_dir("/").output().expect("a shell");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{lines}\n{errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Behind the first mutants, shares of the strategies depend on the journal, so the folder of the campaign has to be found.
#[test]
fn the_command_of_a_report_prints_the_mutant_again() {
    let seed = SEED.replace("bvsle", "bvule");
    let place = Place::with(&[("seeds/one.smt2", &seed), ("seeds/two.smt2", &seed.replace("#x9", "#x3"))]);
    let solver = faulty(&place);
    let more = ["--reduction-timeout", "20", "--budget", "110", "-t", "300", "--transcript", "said.jsonl"];
    let arguments = ["--solver", &solver, "--mutants", "60", "-o", "of its own"];
    let run = fuzz(&place, &[&arguments[..], &more].concat());
    assert!([1, 3].contains(&run.code), "{}", run.err);
    let said = place.read("said.jsonl");
    let found = bugs_in(&place, "of its own");
    assert!(found.iter().any(|bug| bug["mutant"].as_u64() > Some(20)), "{found:?}");
    for bug in found {
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

//! `sundry merge`: findings of campaigns that ran side by side.
#![cfg(unix)]

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Place, example, right};

/// The findings in a list: folder, number of mutants that show it, and seed.
fn findings(place: &Place, list: &str) -> Vec<(String, u64, String)> {
    let index: Value = serde_json::from_str(&place.read(list)).expect("JSON");
    let text = |bug: &Value, key: &str| bug[key].as_str().expect("a text").to_string();
    let bugs = index["bugs"].as_array().expect("a list");
    bugs.iter()
        .map(|bug| (text(bug, "folder"), bug["count"].as_u64().expect("a number"), text(bug, "seed")))
        .collect()
}

#[test]
fn campaigns_with_different_seeds_become_one() {
    let script = format!("sed 's/bvule/bvult/g' \"$1\" > misread.smt2 && exec {} misread.smt2\n", right());
    let place = Place::with(&[("faulty.sh", &script)]);
    let solver = place.script("faulty.sh");
    let formula = example("options.smt2");
    for seed in ["1", "2", "3"] {
        let campaign =
            ["fuzz", "--solver", &solver, "--mutants", "300", "--seed", seed, "-o", seed, &formula];
        place.run(&campaign).expect(1);
    }
    let run = place.run(&["merge", "1", "2", "3", "-o", "both"]).expect(1);
    assert!(run.err.starts_with("3 campaigns: "), "{}", run.err);
    let apart = ["1", "2", "3"].map(|campaign| findings(&place, &format!("{campaign}/index.json")));
    let both = findings(&place, "both/index.json");
    assert!(apart.iter().all(|campaign| !campaign.is_empty()));
    for (folder, count, seed) in &both {
        let known = apart.iter().flatten().filter(|(other, ..)| other == folder);
        assert_eq!(*count, known.map(|(_, count, _)| count).sum::<u64>(), "{folder}");
        let (campaign, _) = seed.split_once(": ").expect("a label");
        let report = |campaign: &str| place.read(&format!("{campaign}/{folder}/report.md"));
        assert_eq!(report("both"), report(campaign));
    }
    let folders = |all: &[(String, u64, String)]| -> BTreeSet<String> {
        all.iter().map(|(folder, ..)| folder.clone()).collect()
    };
    assert_eq!(folders(&both), folders(&apart.concat()));
    // Two campaigns have found the same bug.
    assert!(both.len() < apart.concat().len());
    // Once more, into the same folder: nothing counts twice.
    place.run(&["merge", "1", "2", "3", "-o", "both", "--quiet"]).expect(1);
    assert_eq!(findings(&place, "both/index.json"), both);
}

#[test]
fn what_solvers_are_slow_on_is_merged_too() {
    let seed =
        "(declare-const x (_ BitVec 8))\n(assert (bvsle x #x05))\n(assert (bvult x #x50))\n(check-sat)\n";
    let place = Place::with(&[("seed.smt2", seed)]);
    let script =
        format!("if grep -q bvsle \"$1\"; then while :; do :; done; else exec {} \"$1\"; fi\n", right());
    place.write("slow.sh", script);
    let solver = place.script("slow.sh");
    for folder in ["1", "2"] {
        let solvers = ["fuzz", "--solver", &solver, "--reference", &right(), "--solver-timeout", "0.5"];
        let campaign = ["--no-mutation", "-o", folder, "seed.smt2"];
        place.run(&[&solvers[..], &campaign].concat()).expect(0);
    }
    for _ in 0..2 {
        let run = place.run(&["merge", "1", "2", "-o", "both"]).expect(0);
        assert!(run.err.starts_with("2 campaigns: 0 defects, 1 slow input, in both"), "{}", run.err);
        let list: Value = serde_json::from_str(&place.read("both/slow/slow.json")).expect("JSON");
        let (name, entry) =
            list["scripts"].as_object().and_then(|all| all.iter().next()).expect("one script");
        assert_eq!((&list["count"], &entry["seed"]), (&1.into(), &"1: seed.smt2".into()));
        assert_eq!(place.read(&format!("both/slow/{name}")), place.read(&format!("1/slow/{name}")));
        let reduced = entry["reduced"].as_str().expect("a file");
        assert_eq!(place.read(&format!("both/slow/{reduced}")), place.read(&format!("1/slow/{reduced}")));
        assert!(place.read("both/index.html").contains("Slow here, fast there"));
    }
}

#[test]
fn campaigns_that_ended_before_their_first_generation_are_merged_too() {
    let place = Place::with(&[]);
    for folder in ["first", "second"] {
        let solvers = ["--target", "built-in", "--reference", &right()];
        // Time enough to probe the solvers on a busy machine, and too short for so large a generation on a fast one.
        let limits = ["--logic", "QF_BV", "--population", "5000", "-t", "4", "-j", "1", "-o", folder];
        place.run(&[&["stress"][..], &solvers, &limits].concat()).expect(3);
    }
    let run = place.run(&["merge", "first", "second", "-o", "both"]).expect(0);
    assert!(run.err.starts_with("2 campaigns: 0 defects, 0 slow inputs"), "{}", run.err);
}

#[test]
fn only_campaigns_can_be_merged() {
    let place = Place::with(&[("other/file", "")]);
    let run = place.run(&["merge", "other", "-o", "both"]).expect(2);
    assert!(run.err.starts_with("error: other: this is not the folder of a campaign"), "{}", run.err);
}

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
    let solver = format!("sh '{}'", place.path("faulty.sh").display());
    let formula = example("scheduler.smt2");
    for seed in ["1", "2"] {
        let campaign = ["fuzz", "--solver", &solver, "--mutants", "40", "--seed", seed, "-o", seed, &formula];
        place.run(&campaign).expect(1);
    }
    let run = place.run(&["merge", "1", "2", "-o", "both"]).expect(1);
    assert!(run.err.starts_with("2 campaigns: "), "{}", run.err);
    let (one, two) = (findings(&place, "1/index.json"), findings(&place, "2/index.json"));
    let both = findings(&place, "both/index.json");
    assert!(!one.is_empty() && !two.is_empty());
    for (folder, count, seed) in &both {
        let of = |all: &[(String, u64, String)]| -> u64 {
            all.iter().filter(|(other, ..)| other == folder).map(|(_, count, _)| count).sum()
        };
        assert_eq!(*count, of(&one) + of(&two), "{folder}");
        let campaign = &seed[..1];
        assert!(seed.starts_with("1: ") || seed.starts_with("2: "), "{seed}");
        let report = |campaign: &str| place.read(&format!("{campaign}/{folder}/report.md"));
        assert_eq!(report("both"), report(campaign));
    }
    let folders = |all: &[(String, u64, String)]| -> Vec<String> {
        all.iter().map(|(folder, ..)| folder.clone()).collect()
    };
    let apart: BTreeSet<String> = folders(&one).into_iter().chain(folders(&two)).collect();
    assert_eq!(folders(&both), apart.into_iter().collect::<Vec<_>>());
    // Once more, into the same folder: nothing counts twice.
    place.run(&["merge", "1", "2", "-o", "both", "--quiet"]).expect(1);
    assert_eq!(findings(&place, "both/index.json"), both);
}

#[test]
fn only_campaigns_can_be_merged() {
    let place = Place::with(&[("other/file", "")]);
    let run = place.run(&["merge", "other", "-o", "both"]).expect(2);
    assert!(run.err.starts_with("other: error: this is not the folder of a campaign"), "{}", run.err);
}

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
fn only_campaigns_can_be_merged() {
    let place = Place::with(&[("other/file", "")]);
    let run = place.run(&["merge", "other", "-o", "both"]).expect(2);
    assert!(run.err.starts_with("error: other: this is not the folder of a campaign"), "{}", run.err);
}

//! `sundry fuzz` with options of solvers: one that is wrong only with some option, or only without.
#![cfg(unix)]

use std::fs;

use serde_json::{Value, json};

use crate::common::{Place, right};
use crate::fuzz::{SEED, bugs, content, fuzz};

/// A profile for solvers that are scripts, with more options than the scripts know.
const PROFILE: &str = "\
[script]
programs = ['sh']
[script.options]
setting = '--{name}={value}'
on = '--{name}'
off = '--no-{name}'
regular = ['mode=fast|slow', 'level=1|2', 'gone=1']
experimental = ['trick=true']
suspects = ['mode=fast', 'level=1']
";

/// The command of a script whose last argument is `$last`, and whose others are `$*`. It does not know the option
/// `gone`. Other scripts than those that `body` answers get the right answer.
fn script(place: &Place, name: &str, body: &str) -> String {
    let head =
        "for last; do :; done\ncase \"$*\" in *--gone*) echo 'error: unknown option --gone'; exit 1;; esac\n";
    place.write(name, format!("{head}{body}\nexec {} \"$last\"\n", right()));
    place.write("profiles.toml", PROFILE);
    place.script(name)
}

/// A solver that has no model for inequalities with its trick.
fn wrong_with_trick(place: &Place) -> String {
    let body =
        "case \"$*\" in *--trick*) if grep -q 'bvule\\|bvslt' \"$last\"; then echo unsat; exit; fi;; esac";
    script(place, "faulty.sh", body)
}

fn seeds() -> Place {
    Place::with(&[("seeds/one.smt2", SEED), ("seeds/two.smt2", &SEED.replace("#x9", "#x3"))])
}

fn summary(place: &Place) -> Value {
    serde_json::from_str(&place.read("findings/summary.json")).expect("JSON")
}

/// The arguments of a list of options of a bug.
fn options_of<'b>(bug: &'b Value, list: &str) -> Vec<&'b str> {
    bug[list].as_array().into_iter().flatten().filter_map(|option| option["argument"].as_str()).collect()
}

#[test]
fn a_report_names_the_option_without_which_a_defect_does_not_show() {
    let place = seeds();
    let solver = wrong_with_trick(&place);
    let old = script(&place, "old.sh", "case \"$*\" in *--trick*) echo 'error: no trick'; exit 1;; esac");
    let releases = ["--release", &old, "--release", &solver];
    let run = fuzz(&place, &[&["--solver", &solver, "--profiles", "profiles.toml"][..], &releases].concat());
    assert!(run.expect(1).err.contains(" --trick: unsat instead of sat: findings/sh-wrong-unsat-"));
    for bug in bugs(&place) {
        let option = json!([{"name": "trick", "argument": "--trick", "standing": "experimental"}]);
        assert_eq!((&bug["options"], &bug["confirmed"]), (&option, &true.into()));
        let folder = bug["folder"].as_str().expect("a name");
        let report = place.read(&format!("findings/{folder}/report.md"));
        let option = "The defect comes with `--trick` (an experimental or expert option), and goes without.";
        assert!(report.contains(option), "{report}");
        assert!(report.contains("# `sh faulty.sh --trick`: unsat instead of sat"), "{report}");
        assert!(report.contains("\nsh faulty.sh --trick reduced.smt2\n"), "{report}");
        assert!(report.contains("| `sh faulty.sh --trick` |  | unsat |"), "{report}");
        assert!(report.contains("| `sh faulty.sh` |  | sat |"), "{report}");
        assert!(report.contains("| `sh old.sh` | does not take the options |"), "{report}");
        let reduced = place.read(&format!("findings/{folder}/reduced.smt2"));
        assert!(reduced.contains("bvule") || reduced.contains("bvslt"), "{reduced}");
    }
}

/// Theories that Sundry does not know, and a solver that is wrong about differences with its trick: compared with itself alone.
#[test]
fn options_vary_on_mutants_of_unknown_theories_too() {
    let text = "(set-logic ALL)\n(declare-const a (Set Int))\n(assert (set.subset (set.union a a) a))\n(check-sat)\n";
    let place = Place::with(&[("seeds/sets.smt2", text)]);
    let body = "case \"$*\" in *--trick*) if grep -q set.minus \"$last\"; then echo unsat; exit; fi;; esac
        if grep -q 'set\\.' \"$last\"; then echo sat; exit; fi";
    let solver = script(&place, "faulty.sh", body);
    let profiles = ["--solver", &solver, "--profiles", "profiles.toml"];
    fuzz(&place, &[&profiles[..], &["--vary-options", "90", "--mutants", "60"]].concat()).expect(1);
    let found = bugs(&place);
    let [bug] = &found[..] else { panic!("{found:?}") };
    let option = json!([{"name": "trick", "argument": "--trick", "standing": "experimental"}]);
    assert_eq!((&bug["options"], &bug["defect"]), (&option, &"unsat instead of sat".into()));
    let folder = bug["folder"].as_str().expect("a name");
    assert_eq!(place.read(&format!("findings/{folder}/reduced.smt2")), "(assert set.minus)\n(check-sat)\n");
    let report = place.read(&format!("findings/{folder}/report.md"));
    assert!(report.contains("| `sh faulty.sh --trick` |  | unsat |"), "{report}");
    assert!(report.contains("| `sh faulty.sh` |  | sat |"), "{report}");
}

#[test]
fn figures_tell_what_was_tried_and_dropped() {
    let place = seeds();
    let solver = script(&place, "right.sh", "case \"$*\" in *--level=2*) echo unknown; exit;; esac");
    let arguments = ["--solver", &solver, "--profiles", "profiles.toml", "--vary-options", "50"];
    let run = fuzz(&place, &arguments).expect(0);
    let summary = summary(&place);
    let varied = summary["varied"].as_u64().expect("a number");
    assert!((20..60).contains(&varied), "{varied} of 80");
    assert!(run.err.contains(&format!("{varied} mutants with options of the solvers\n")), "{}", run.err);
    let options = summary["options"][&solver].as_object().expect("options");
    assert!(options.keys().all(|argument| !argument.contains("gone")) && options.len() == 4, "{options:?}");
    // Where the level is 2, the script does not answer even what is trivial.
    assert_eq!(options.get("--level=2"), None);
    let dropped = &summary["dropped_options"][&solver];
    assert_eq!(dropped["--gone=1"], "error: unknown option --gone");
    assert_eq!(dropped["--level=2"], "it says unknown");
}

#[test]
fn a_campaign_that_continues_has_the_same_options() {
    let place = seeds();
    let solver = wrong_with_trick(&place);
    let arguments = ["--solver", &solver, "--profiles", "profiles.toml", "-j", "1", "--vary-options", "60"];
    fuzz(&place, &arguments).expect(1);
    let expected = content(&place);
    fs::remove_dir_all(place.path("findings")).expect("removed");
    fuzz(&place, &[&arguments[..], &["--mutants", "20"]].concat());
    // What the build takes is not found out again.
    let pools = place.read("findings/options.json");
    fuzz(&place, &arguments).expect(1);
    assert_eq!((content(&place), place.read("findings/options.json")), (expected, pools));
    let bug = bugs(&place).into_iter().next().expect("one bug");
    let mutant = format!("{}:{}", bug["seed"].as_str().expect("a name"), bug["mutant"]);
    let replayed = fuzz(&place, &[&arguments[..], &["--replay", &mutant]].concat()).expect(0);
    let folder = bug["folder"].as_str().expect("a name");
    assert_eq!(replayed.out, place.read(&format!("findings/{folder}/formula.smt2")));
    assert!(replayed.err.contains("was asked with ") && replayed.err.contains("--trick"), "{}", replayed.err);
    let other = fuzz(&place, &["--solver", &solver, "--vary-options", "0"]).expect(2);
    assert!(other.err.contains("other options"), "{}", other.err);
}

#[test]
fn a_report_names_options_with_which_a_defect_goes_away() {
    let place = seeds();
    let body =
        "case \"$*\" in *--mode=fast*) ;; *) if grep -q 'bvsle' \"$last\"; then echo unsat; exit; fi;; esac";
    let solver = script(&place, "faulty.sh", body);
    let right = right();
    let arguments = ["--solver", &solver, "--reference", &right, "--profiles", "profiles.toml"];
    fuzz(&place, &[&arguments[..], &["--no-mutation"]].concat()).expect(1);
    let bug = &bugs(&place)[0];
    assert_eq!((options_of(bug, "options"), options_of(bug, "cures")), (vec![], vec!["--mode=fast"]));
    let folder = bug["folder"].as_str().expect("a name");
    let report = place.read(&format!("findings/{folder}/report.md"));
    let text = "shows with the default options. It goes away with `--mode=fast` (a regular option).";
    assert!(report.contains(text), "{report}");
}

#[test]
fn without_a_share_no_option_is_tried() {
    let place = seeds();
    let solver = wrong_with_trick(&place);
    let arguments = ["--solver", &solver, "--profiles", "profiles.toml", "--vary-options", "0"];
    let run = fuzz(&place, &arguments).expect(0);
    assert!(!run.err.contains("with options"), "{}", run.err);
    assert!(!place.path("findings/options.json").exists());
    assert_eq!((&summary(&place)["varied"], &summary(&place)["options"]), (&0.into(), &json!({})));
    let refused = fuzz(&place, &["--solver", &solver, "--vary-options", "101"]).expect(2);
    assert!(refused.err.contains("101 is not in 0..=100"), "{}", refused.err);
}

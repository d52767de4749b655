//! `sundry fuzz` with a process that answers several mutants.
#![cfg(unix)]

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Place, right};
use crate::fuzz::{SEED, bugs, fuzz};

/// A solver that is a script. Its processes answer files, and with `-in` one script after another, as `body` says, which gets
/// the number of the script in `$number` and its text in the file `$script`, and else the right answer.
fn script(place: &Place, body: &str) -> String {
    let text = format!(
        r#"
answer() {{
  {body}
  {} "$script"
}}
for last; do :; done
number=1 script=$last
if [ "$last" != -in ]; then (answer); exit; fi
script=script-$$.smt2
: > "$script"
echo started >> '{}'
while IFS= read -r line; do
  case "$line" in
    "(echo "*) (answer); text=${{line#*\"}}; echo "${{text%\"*}}"; number=$((number + 1)); : > "$script" ;;
    *) printf '%s\n' "$line" >> "$script" ;;
  esac
done
"#,
        right(),
        place.path("started").display()
    );
    place.write("solver.sh", text);
    place.write("profiles.toml", "[script]\nprograms = ['sh']\ndialogue = ['-in']\n");
    place.script("solver.sh")
}

fn place() -> Place {
    Place::with(&[("seeds/one.smt2", SEED), ("seeds/two.smt2", &SEED.replace("#x9", "#x3"))])
}

fn summary(place: &Place) -> Value {
    serde_json::from_str(&place.read("findings/summary.json")).expect("JSON")
}

#[test]
fn defects_are_those_of_a_process_for_each_mutant() {
    let (place, other) = (place(), place());
    let body = "if grep -q 'bvule\\|bvslt' \"$script\"; then echo unsat; return; fi";
    let found = [(&place, &[][..]), (&other, &["--process-per-mutant"][..])].map(|(place, more)| {
        let solver = script(place, body);
        fuzz(place, &[&["--solver", &solver, "--profiles", "profiles.toml"][..], more].concat()).expect(1);
        let describe = |bug: Value| {
            let folder = bug["folder"].as_str().expect("a name");
            let reduced = place.read(&format!("findings/{folder}/reduced.smt2"));
            (bug["mutant"].as_u64(), bug["defect"].to_string(), reduced)
        };
        bugs(place).into_iter().map(describe).collect::<BTreeSet<_>>()
    });
    assert!(!found[0].is_empty());
    assert_eq!(found[0], found[1]);
    // One process for the first question of all, and then one for each turn. Two seeds with 40 mutants have two turns each, of ten and of
    // thirty; more only where a busy machine ends a turn that takes long. The journal has a line for each turn after its description.
    let turns = place.read("findings/journal.jsonl").lines().count() - 1;
    assert!((4..20).contains(&turns), "{turns} turns for 80 mutants");
    assert_eq!(
        (place.read("started").lines().count(), other.read("started").lines().count()),
        (turns + 1, 1)
    );
}

#[test]
fn an_answer_that_only_a_shared_process_gives_is_no_defect() {
    let place = place();
    let solver = script(&place, "if [ \"$number\" -gt 3 ]; then echo unsat; return; fi");
    let run = fuzz(&place, &["--solver", &solver, "--profiles", "profiles.toml"]);
    assert!(run.expect(0).err.contains(" did not show again"));
    assert!(bugs(&place).is_empty());
    assert!(summary(&place)["vanished"].as_u64().is_some_and(|count| count > 10));
}

//! Files that explorations leave and take up again.

use std::fs;
use std::time::Duration;

use sundry_testing::oracle::{Answer, Oracle};

use crate::explore::place_with_labels;

#[test]
fn questions_are_formulas_with_the_answers_of_solvers() {
    let place = place_with_labels();
    place.run(&["explore", "labels.wasm", "--stdin", "4", "--queries", "asked"]).expect(1);
    let names = place.names("asked");
    assert!(names.len() > 20, "{names:?}");
    for name in &names {
        let text = place.read(&format!("asked/{name}"));
        let status = name.rsplit(['-', '.']).nth(1).expect("a status");
        assert!(text.contains(&format!("(set-info :status {status})\n")), "{text}");
        assert!(text.contains("declare-fun |stdin[") || text.contains("declare-fun stdin.length"), "{text}");
        let run = place.run(&["solve", &format!("asked/{name}")]);
        assert_eq!(run.out.lines().next(), Some(status), "{name}: {}{}", run.out, run.err);
        let answers = Oracle::Z3.run(&text, Duration::from_secs(60));
        let expected = if status == "sat" { Answer::Sat } else { Answer::Unsat };
        assert_eq!((answers.answers, answers.other), (vec![expected], vec![]), "{name}");
    }
    let partial = names.iter().any(|name| {
        fs::read_to_string(place.path("asked").join(name))
            .is_ok_and(|text| text.contains("; partial solution: "))
    });
    assert!(partial);
}

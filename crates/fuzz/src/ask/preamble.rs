//! The commands that a reduced script no longer has, because the solver for which it was reduced does without them.
//!
//! Other solvers complain of a missing logic, or print no models unless an option asks for them. Their replies would be about these commands
//! instead of the formula, so they get the commands before the script.

use sundry_external::{Inquiry, Respondent};
use sundry_smtlib::Word;

/// A command that asks for something, and the option without which some solvers do not print it.
const OPTIONS: [(&str, &str, Option<Word>); 3] = [
    ("(get-model)", "(set-option :produce-models true)", Some(Word::ModelOption)),
    ("(get-unsat-core)", "(set-option :produce-unsat-cores true)", None),
    ("(get-unsat-assumptions)", "(set-option :produce-unsat-assumptions true)", None),
];

/// The line that sets the logic that has all others in it.
const LOGIC: &str = "(set-logic ALL)";

/// The commands that are missing before a script, each with its kind if solvers spell it differently.
fn missing(script: &str) -> Vec<(Option<Word>, &'static str)> {
    let has = |command: &str| script.lines().any(|line| line.trim_start().starts_with(command));
    let options = OPTIONS.iter().filter(|(request, option, _)| has(request) && !has(option));
    let mut missing: Vec<_> = options.map(|&(_, option, word)| (word, option)).collect();
    if !has("(set-logic ") {
        missing.push((None, LOGIC));
    }
    missing
}

/// The question for a solver beside the one for which the script was reduced: with the commands that are missing, if the solver is of another kind. Returns these
/// commands, too.
pub(crate) fn for_another(
    inquiry: &Inquiry,
    solver: &dyn Respondent,
    other: &dyn Respondent,
) -> Option<(Inquiry, Vec<&'static str>)> {
    let lines = missing(&inquiry.text);
    let is_of_another_kind = other.name() != solver.name() && !other.is_release_of(solver);
    (is_of_another_kind && !lines.is_empty()).then(|| {
        let completed = Inquiry { text: inquiry.text.behind(&lines), ..inquiry.clone() };
        (completed, lines.into_iter().map(|(_, line)| line).collect())
    })
}

#[cfg(test)]
mod tests {
    use sundry_external::{Profiles, Solver};

    use super::*;

    fn solver(command: &str) -> Solver {
        Solver::new(command, &Profiles::built_in()).expect("a command")
    }

    #[test]
    fn a_solver_of_another_kind_gets_what_the_script_lacks() {
        let script =
            "(declare-const x Int)\n(assert (< x (str.len \"\\u{5c}\")))\n(check-sat)\n(get-model)\n";
        let inquiry = Inquiry::parse(script).expect("legal");
        let (completed, lines) = for_another(&inquiry, &solver("z3"), &solver("cvc5")).expect("it lacks two");
        assert_eq!(lines, ["(set-option :produce-models true)", "(set-logic ALL)"]);
        assert_eq!(completed.text.to_string(), format!("{}\n{}\n{}", lines[0], lines[1], inquiry.text));
        // Words that solvers spell differently are still found.
        let words = |inquiry: &Inquiry| {
            inquiry.text.words().map(|(word, text)| (word, text.to_string())).collect::<Vec<_>>()
        };
        let (whole, before) = (words(&completed), words(&inquiry));
        assert_eq!((whole[0].0, &whole[1..]), (Word::ModelOption, &before[..]));
    }

    #[test]
    fn nothing_is_added_where_nothing_is_missing() {
        let bare = Inquiry::parse("(check-sat)\n").expect("legal");
        assert!(for_another(&bare, &solver("z3"), &solver("z3-4.8.10")).is_none());
        assert!(for_another(&bare, &solver("z3"), &solver("sh x.sh")).is_none(), "it may be a z3");
        let whole = Inquiry::parse("(set-logic QF_LIA)\n(check-sat)\n").expect("legal");
        assert!(for_another(&whole, &solver("z3"), &solver("cvc5")).is_none());
    }
}

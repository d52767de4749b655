//! The sentences about a defect: the expected reply, the reply that the solver gives, and what to complain of.

use sundry_external::Verdict;
use sundry_fuzz::{Defect, Finding, Witness};

use crate::untrusted::markdown;

/// The reply that is expected to a script that asks for functions.
const RIGHT_FUNCTIONS: &str = "functions that satisfy all constraints";

/// A defect in words of Markdown.
pub struct Wording {
    /// The reply that is expected.
    pub expected: &'static str,
    /// The reply that the solver gives.
    pub actual: String,
    /// The fault of the solver, behind its name in a sentence.
    pub complaint: String,
}

impl Wording {
    /// The words for a finding.
    pub fn of(finding: &Finding) -> Wording {
        let of_functions = if finding.asks_for_functions() { about_functions(finding) } else { None };
        of_functions.unwrap_or_else(|| Wording::of_any_script(finding))
    }

    fn of_any_script(finding: &Finding) -> Wording {
        match &finding.defect {
            Defect::WrongAnswer { right: Verdict::Sat } => answers("`sat`", "`unsat`"),
            Defect::WrongAnswer { .. } => answers("`unsat`", "`sat`"),
            Defect::InvalidModel => {
                let which = match &finding.witness {
                    Witness::Evaluator(number) => format!("under which assertion {} is false", number + 1),
                    Witness::OwnModel => "with which it calls the script unsatisfiable".to_string(),
                    Witness::Itself => "that it calls wrong itself".to_string(),
                    _ => "that does not satisfy all assertions".to_string(),
                };
                Wording {
                    expected: "a model that satisfies all assertions",
                    actual: format!("`sat` with a model {which}"),
                    complaint: format!("answers `sat` with a model {which}"),
                }
            }
            Defect::SatisfiableCore => gives("an unsatisfiable core", "a core that is satisfiable"),
            Defect::StrayCore => {
                gives("a core of assertions", "a core with something in it that was not asserted")
            }
            Defect::Crash(signature) => {
                let signature = markdown(signature);
                Wording {
                    expected: "an answer",
                    actual: format!("a crash: {signature}"),
                    complaint: format!("crashes: {signature}"),
                }
            }
        }
    }
}

/// The words for a defect in an answer to a script that asks for functions. `None` for crashes and cores, whose words do not depend on it.
fn about_functions(finding: &Finding) -> Option<Wording> {
    let wording = match &finding.defect {
        Defect::WrongAnswer { right: Verdict::Sat } => Wording {
            expected: RIGHT_FUNCTIONS,
            actual: "`infeasible`".to_string(),
            complaint: "answers `infeasible`, although functions satisfy all constraints".to_string(),
        },
        Defect::WrongAnswer { .. } => Wording {
            expected: "`infeasible`",
            actual: "functions".to_string(),
            complaint: "gives functions instead of `infeasible`".to_string(),
        },
        Defect::InvalidModel => {
            let which = match &finding.witness {
                Witness::Itself => "that it calls wrong itself",
                Witness::OwnModel => "that violate a constraint under values that it finds itself",
                _ => "that violate a constraint",
            };
            gives(RIGHT_FUNCTIONS, &format!("functions {which}"))
        }
        Defect::SatisfiableCore | Defect::StrayCore | Defect::Crash(_) => return None,
    };
    Some(wording)
}

fn answers(expected: &'static str, actual: &str) -> Wording {
    Wording {
        expected,
        actual: actual.to_string(),
        complaint: format!("answers {actual} instead of {expected}"),
    }
}

fn gives(expected: &'static str, actual: &str) -> Wording {
    Wording { expected, actual: actual.to_string(), complaint: format!("gives {actual}") }
}

/// The reason for which another reply is expected, where the words about the defect do not say it.
pub fn reason(finding: &Finding) -> Option<String> {
    let is_said = matches!(finding.defect, Defect::InvalidModel | Defect::Crash(_));
    (!is_said).then(|| finding.witness.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::finding;
    use super::*;

    #[test]
    fn defects_of_scripts_that_ask_for_functions_are_about_functions() {
        let script = "(synth-fun f () Bool)\n(constraint f)\n(check-synth)\n";
        let wording = |defect, witness| {
            Wording::of(&Finding { defect, witness, script: script.to_string(), ..finding("cvc5") })
        };
        let others = || Witness::Solvers(vec!["z3".into()]);
        let refused = wording(Defect::WrongAnswer { right: Verdict::Sat }, others());
        assert_eq!((refused.expected, &*refused.actual), (RIGHT_FUNCTIONS, "`infeasible`"));
        let given = wording(Defect::WrongAnswer { right: Verdict::Unsat }, others());
        assert_eq!(given.complaint, "gives functions instead of `infeasible`");
        let wrong = wording(Defect::InvalidModel, Witness::OwnModel);
        assert_eq!(wrong.expected, RIGHT_FUNCTIONS);
        assert_eq!(
            wrong.complaint,
            "gives functions that violate a constraint under values that it finds itself"
        );
    }

    #[test]
    fn each_defect_is_a_sentence() {
        let complaint =
            |defect, witness| Wording::of(&Finding { defect, witness, ..finding("z3") }).complaint;
        assert_eq!(
            complaint(Defect::WrongAnswer { right: Verdict::Sat }, Witness::AskedPlainly),
            "answers `unsat` instead of `sat`"
        );
        assert_eq!(
            complaint(Defect::InvalidModel, Witness::Evaluator(6)),
            "answers `sat` with a model under which assertion 7 is false"
        );
        assert_eq!(
            complaint(Defect::InvalidModel, Witness::OwnModel),
            "answers `sat` with a model with which it calls the script unsatisfiable"
        );
        assert_eq!(complaint(Defect::SatisfiableCore, Witness::Itself), "gives a core that is satisfiable");
        assert_eq!(complaint(Defect::Crash("a_b".into()), Witness::Itself), "crashes: a\\_b");
        let crash =
            Finding { defect: Defect::Crash(String::new()), witness: Witness::Itself, ..finding("z3") };
        assert_eq!(
            (reason(&crash), reason(&finding("z3")).as_deref()),
            (None, Some("/home/me/other says so"))
        );
    }
}

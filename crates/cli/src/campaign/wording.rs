//! The sentences about a defect: the expected reply, the reply that the solver gives, and what to complain of.

use sundry_external::Verdict;
use sundry_fuzz::{Defect, Finding, Witness};

use crate::untrusted::markdown;

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

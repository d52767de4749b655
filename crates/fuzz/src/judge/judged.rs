//! A respondent whose models are judged before anybody believes them.

use std::io;

use sundry_external::{Circumstances, Escapes, Fault, Inquiry, Reply, Respondent};
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{Control, TermStore};

use crate::ask::question::asked;
use crate::judge::model::{ModelVerdict, judge_answer};
use crate::reduce::Subject;

/// A respondent that asks another, and evaluates each model in its reply on the assertions and assumptions at that
/// point. A reply with a model that is wrong for all values of its open parts gets the fault [`Fault::InvalidModel`],
/// as if the solver had noticed it. A model that the evaluator cannot decide counts as right.
#[derive(Debug)]
pub struct Judged<R> {
    inner: R,
    control: Control,
}

impl<R: Respondent> Judged<R> {
    /// Wraps a respondent whose models will be judged. The control stops the judging, in addition to the time of each
    /// question.
    pub fn new(inner: R, control: Control) -> Judged<R> {
        Judged { inner, control }
    }
}

impl<R: Respondent> Respondent for Judged<R> {
    sundry_external::same_as_inner!();

    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        let mut reply = self.inner.ask(inquiry, circumstances)?;
        if reply.fault.is_none() {
            reply.fault = wrong_model(inquiry, (&reply, self.inner.capabilities().escapes), &self.control)
                .map(Fault::InvalidModel);
        }
        Ok(reply)
    }
}

/// The place of a wrong model in a reply to a script, if there is one. The solver means these escapes in strings.
pub fn wrong_model(
    inquiry: &Inquiry,
    (reply, escapes): (&Reply, Escapes),
    control: &Control,
) -> Option<String> {
    let has_text = reply.answers().iter().any(|answer| !answer.behind.is_empty());
    if !has_text {
        return None;
    }
    // The inquiry was printed from terms that its sender has: the text is all there is of them here.
    let mut store = TermStore::new();
    let source = SourceText::new("script", &*inquiry.text);
    let script = parse_script(&mut store, &source, TheorySet::ALL).ok()?;
    let questions = asked(&store, &Subject::of_script(&script))?;
    questions.iter().zip(reply.answers()).enumerate().find_map(|(number, (question, answer))| {
        let text = answer.behind.first()?;
        match judge_answer(&mut store, &question.formula, (text, escapes), control)? {
            (_, ModelVerdict::Invalid(assertion)) => {
                let (check, assertion) = (number + 1, assertion + 1);
                Some(format!("assertion {assertion} is false in the model behind check-sat {check}"))
            }
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use sundry_external::{Answer, Capabilities, Finished, Limits, Verdict};

    use super::*;

    /// Prints the same models for every script.
    #[derive(Debug)]
    struct Fixed(Capabilities, Vec<&'static str>);

    impl Respondent for Fixed {
        fn name(&self) -> &str {
            "fixed"
        }

        fn family(&self) -> &str {
            ""
        }

        fn capabilities(&self) -> &Capabilities {
            &self.0
        }

        fn ask(&self, _: &Inquiry, _: Circumstances<'_>) -> io::Result<Reply> {
            let answer = |model: &&str| Answer { verdict: Verdict::Sat, behind: vec![model.to_string()] };
            let answers = self.1.iter().map(answer).collect();
            Ok(Reply { answers, error: None, fault: None, executed: None, finished: Finished::default() })
        }
    }

    fn fault(script: &str, models: &[&'static str]) -> Option<Fault> {
        let solver = Judged::new(Fixed(Capabilities::default(), models.to_vec()), Control::default());
        assert_eq!(solver.name(), "fixed");
        let (limits, interrupted) = (Limits::default(), Arc::default());
        let here = Circumstances::new(Path::new("."), &limits, &interrupted);
        let inquiry = Inquiry::parse(script).expect("a legal script");
        solver.ask(&inquiry, here).expect("it answers").fault
    }

    #[test]
    fn wrong_models_are_faults() {
        let script =
            "(declare-const x Int) (assert (< x 3)) (push 1) (assert (< 1 x)) (check-sat) (get-model)
            (pop 1) (check-sat) (get-model)";
        let (one, two, nine) =
            ("((define-fun x () Int 1))", "((define-fun x () Int 2))", "((define-fun x () Int 9))");
        let wrong = |text: &str| Some(Fault::InvalidModel(text.to_string()));
        assert_eq!(fault(script, &[two, one]), None);
        assert_eq!(fault(script, &[one, one]), wrong("assertion 2 is false in the model behind check-sat 1"));
        assert_eq!(
            fault(script, &[two, nine]),
            wrong("assertion 1 is false in the model behind check-sat 2")
        );
    }

    #[test]
    fn what_cannot_be_decided_counts_as_right() {
        let script = "(declare-const x Int) (assert (= (div x 0) 1)) (check-sat) (get-model)";
        assert_eq!(fault(script, &["((define-fun x () Int 1))"]), None);
        assert_eq!(fault(script, &["(error"]), None);
    }
}

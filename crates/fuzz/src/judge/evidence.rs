//! Evidence: what shows a person who does not know Sundry that the reply of a solver is wrong.

use std::io;

use sundry_external::{Respondent, Verdict};
use sundry_smtlib::{Formula, print_term, print_value};
use sundry_term::{Evaluator, Model, TermId, TermStore};

use crate::ask::question::{Question, inquiry};
use crate::judge::defect::Defect;
use crate::judge::finding::{Decision, word};
use crate::judge::helpers::Heard;
use crate::judge::model::{ModelVerdict, inquiry_with_model, judge_answer};
use crate::judge::oracle::Examiner;

/// Terms of a false assertion whose values are listed, at most.
const LISTED: usize = 12;

/// The evidence that a reply is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The formula has a model, although the solver answers `unsat`.
    Model {
        /// The solver whose model it is.
        whose: String,
        /// The script with the values of the model as definitions.
        script: String,
        /// The answer of the solver with the defect to that script: `sat` contradicts its other answer.
        answer: Decision,
    },
    /// An assertion is false under the model of the solver.
    FalseAssertion {
        /// The assertion.
        assertion: String,
        /// Terms in it, from the whole to its parts, with their values under the model.
        values: Vec<(String, String)>,
    },
}

impl Evidence {
    /// The evidence for a defect of a solver, given the question and the replies of all to it. `None` if there is none but
    /// the replies themselves.
    ///
    /// # Errors
    /// A solver cannot be started.
    pub(crate) fn of(
        store: &mut TermStore,
        examiner: Examiner<'_>,
        question: &Question,
        (solver, defect): (&dyn Respondent, &Defect),
        replies: &[Heard<'_>],
    ) -> io::Result<Option<Evidence>> {
        let Some(own) = replies.iter().find(|heard| heard.solver.name() == solver.name()) else {
            return Ok(None);
        };
        let own = &own.reply;
        for (number, asked) in question.asked.iter().enumerate() {
            let Some(answer) = own.answers().get(number) else { break };
            let formula = &asked.formula;
            match (defect, answer.verdict) {
                (Defect::WrongAnswer { right: Verdict::Sat }, Verdict::Unsat) => {
                    // A formula without symbols is its own evidence.
                    if formula.symbols.is_empty() {
                        continue;
                    }
                    let found = match valid_model(store, examiner, formula, number, replies) {
                        Some(found) => Some(found),
                        None => model_of_others(store, examiner, formula, solver, replies)?,
                    };
                    let Some((whose, model)) = found else { continue };
                    let with_model = inquiry_with_model(store, formula, &model);
                    let answer = word(&examiner.asker.ask(solver, &with_model)?);
                    let script = with_model.text.into_string();
                    return Ok(Some(Evidence::Model { whose, script, answer }));
                }
                (Defect::InvalidModel, Verdict::Sat) => {
                    let text = answer.behind.first();
                    let (escapes, control) = (solver.capabilities().escapes, examiner.asker.control);
                    let judged = text.and_then(|text| judge_answer(store, formula, (text, escapes), control));
                    let Some((model, ModelVerdict::Invalid(false_one))) = judged else { continue };
                    let assertion = formula.assertions[false_one];
                    let values = values_in(store, &model, assertion);
                    return Ok(Some(Evidence::FalseAssertion {
                        assertion: print_term(store, assertion),
                        values,
                    }));
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// A model of the formula of a question, by its number, that some solver prints and the evaluator accepts.
fn valid_model(
    store: &mut TermStore,
    examiner: Examiner<'_>,
    formula: &Formula,
    number: usize,
    replies: &[Heard<'_>],
) -> Option<(String, Model)> {
    replies.iter().find_map(|Heard { solver: other, reply, .. }| {
        let answer = reply.answers().get(number).filter(|answer| answer.verdict == Verdict::Sat)?;
        let text = (answer.behind.first()?.as_str(), other.capabilities().escapes);
        match judge_answer(store, formula, text, examiner.asker.control)? {
            (model, ModelVerdict::Valid) => Some((other.name().to_string(), model)),
            _ => None,
        }
    })
}

/// A model that others find when they are asked for one: reducing a script removes the request for it.
fn model_of_others(
    store: &mut TermStore,
    examiner: Examiner<'_>,
    formula: &Formula,
    solver: &dyn Respondent,
    replies: &[Heard<'_>],
) -> io::Result<Option<(String, Model)>> {
    let request = inquiry(store, formula, true);
    for other in replies.iter().map(|heard| heard.solver).filter(|other| other.name() != solver.name()) {
        let reply = examiner.asker.ask(other, &request)?;
        let heard = Heard { solver: other, reply, preamble: Vec::new() };
        let found = valid_model(store, examiner, formula, 0, &[heard]);
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The values of an assertion and of terms in it, breadth first; literals speak for themselves.
fn values_in(store: &TermStore, model: &Model, assertion: TermId) -> Vec<(String, String)> {
    let mut terms = vec![assertion];
    let mut next = 0;
    while next < terms.len() && terms.len() < LISTED {
        for &argument in store.args(terms[next]) {
            if store.value(argument).is_none() && !terms.contains(&argument) && terms.len() < LISTED {
                terms.push(argument);
            }
        }
        next += 1;
    }
    let mut evaluator = Evaluator::new(store, model);
    // Terms without a value, such as those inside quantifiers, are left out.
    let mut evaluate = |term| {
        evaluator.evaluate(&[term]).ok()?;
        Some((term, evaluator.value(term)?.clone()))
    };
    let evaluated = terms.into_iter().filter_map(&mut evaluate);
    let print = |(term, value)| (print_term(store, term), print_value(store, store.sort_of(term), &value));
    evaluated.map(print).collect()
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{SourceText, TheorySet, parse_script, read_models};

    use super::*;

    /// Values of all sorts are listed, those of arrays and regular expressions too, which no literal says.
    #[test]
    fn a_false_assertion_is_explained_by_the_values_in_it() {
        let mut store = TermStore::new();
        let script =
            "(declare-sort S 0) (declare-const x S) (declare-const a (Array Int S)) (declare-const s String)
            (assert (and (= x (select a 3)) (str.in_re s (re.* (str.to_re (str.++ s \"b\"))))))";
        let script =
            parse_script(&mut store, &SourceText::new("script", script), TheorySet::ALL).expect("legal");
        let Formula { assertions, symbols, .. } = script.formula();
        let model = "((define-fun x () S (as @1 S)) (define-fun s () String \"a\")
            (define-fun a () (Array Int S) ((as const (Array Int S)) (as @0 S))))";
        let models = read_models(&mut store, &SourceText::new("model", model), &symbols).expect("a model");
        let values = values_in(&store, &models[0].model, assertions[0]);
        let value = |term: &str| &*values.iter().find(|(listed, _)| listed == term).expect("it is listed").1;
        assert_eq!(value("s"), "\"a\"");
        assert_eq!(value("(= x (select a 3))"), "false");
        assert!(value("a").contains("(as const (Array Int S))"), "{}", value("a"));
        assert!(value("(str.to_re (str.++ s \"b\"))").contains("\"ab\""), "{values:?}");
    }
}

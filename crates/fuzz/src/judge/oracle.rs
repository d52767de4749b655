//! Judging the replies of a solver, with the help of others.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use sundry_external::{Answer, Fault, Reply, Respondent, Response, Verdict, responses};
use sundry_smtlib::Formula;
use sundry_term::{Control, Model, TermId, TermStore};

use crate::ask::asker::Asker;
use crate::ask::question::{Asked, Core, Question, inquiry};
use crate::judge::defect::{Defect, Witness};
use crate::judge::model::{ModelVerdict, inquiry_with_model, judge_answer, judge_reply};
use crate::seed::status::SeedModel;

/// A defect with its witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examination {
    /// The defect.
    pub defect: Defect,
    /// The witness of the defect.
    pub witness: Witness,
}

impl Examination {
    fn new(defect: Defect, witness: Witness) -> Option<Examination> {
        Some(Examination { defect, witness })
    }
}

/// Judges replies of a solver with the help of others.
#[derive(Copy, Clone, Debug)]
pub struct Examiner<'a> {
    /// The place where solvers run.
    pub asker: Asker<'a>,
    /// Solvers whose word counts.
    pub references: &'a [Arc<dyn Respondent>],
    /// The newest release, which is asked if these do not decide.
    pub newest: Option<&'a dyn Respondent>,
}

/// One answer of a solver, with its question.
#[derive(Copy, Clone)]
struct Answered<'q> {
    solver: &'q dyn Respondent,
    question: &'q Question,
    asked: &'q Asked,
    answer: &'q Answer,
    model: Option<&'q SeedModel>,
}

impl Answered<'_> {
    /// Whether the model that is known is one of the formula.
    fn has_known_model(&self, store: &TermStore, control: &Control) -> bool {
        let (formula, definitions) = (&self.asked.formula, &self.question.definitions);
        self.model.is_some_and(|model| model.satisfies(store, formula, definitions, control))
    }
}

/// The answers of others to a formula.
#[derive(Default)]
struct Words {
    /// The solver that answers `sat` with a model that the evaluator accepts.
    with_model: Option<String>,
    /// The solvers that answer `sat` without a model.
    sat: Vec<String>,
    unsat: Vec<String>,
    /// The answer of the solver itself when it is asked plainly.
    own: Option<Verdict>,
}

impl Words {
    /// Adds the answer of another solver, or of the solver itself.
    fn add(
        &mut self,
        store: &mut TermStore,
        answered: Answered<'_>,
        other: &dyn Respondent,
        reply: &Reply,
        control: &Control,
    ) {
        let Answered { asked, solver, .. } = answered;
        let is_itself = other.name() == solver.name();
        let verdict = reply.verdict();
        if verdict == Some(Verdict::Sat) {
            match judge_reply(store, &asked.formula, (reply, other.capabilities().escapes), control) {
                Some((_, ModelVerdict::Valid)) => {
                    self.with_model = Some(other.name().to_string());
                    return;
                }
                Some((_, ModelVerdict::Invalid(_))) => return,
                _ => {}
            }
        }
        match verdict {
            Some(Verdict::Sat | Verdict::Unsat) if is_itself => self.own = verdict,
            Some(Verdict::Sat) => self.sat.push(other.name().to_string()),
            Some(Verdict::Unsat) => self.unsat.push(other.name().to_string()),
            _ => {}
        }
    }

    /// Whether there is no answer.
    fn is_empty(&self) -> bool {
        self.sat.is_empty() && self.unsat.is_empty() && self.own.is_none() && self.with_model.is_none()
    }

    /// The witness for a verdict, if there is one. If others answer the opposite, only a model decides.
    fn witness(&self, verdict: Verdict) -> Option<Witness> {
        let (agreeing, opposing) = match verdict {
            Verdict::Sat => (&self.sat, &self.unsat),
            _ => (&self.unsat, &self.sat),
        };
        match &self.with_model {
            Some(name) => (verdict == Verdict::Sat).then(|| Witness::Model(name.clone())),
            None if !opposing.is_empty() => None,
            None if !agreeing.is_empty() => Some(Witness::Solvers(agreeing.clone())),
            None => (self.own == Some(verdict)).then_some(Witness::AskedPlainly),
        }
    }
}

impl Examiner<'_> {
    /// The defect of a solver's reply, if any. Others are asked only if there seems to be a defect, or the status of
    /// the formula is unknown.
    ///
    /// # Errors
    /// A solver cannot be started.
    pub fn examine(
        &self,
        store: &mut TermStore,
        question: &Question,
        model: Option<&SeedModel>,
        solver: &dyn Respondent,
        reply: &Reply,
    ) -> io::Result<Option<Examination>> {
        if let Some(Fault::Crash(signature)) = &reply.fault {
            return Ok(Examination::new(Defect::Crash(signature.clone()), Witness::Itself));
        }
        let reports_itself = matches!(reply.fault, Some(Fault::InvalidModel(_)));
        let count = reply.answers().len();
        for (number, (asked, answer)) in question.asked.iter().zip(reply.answers()).enumerate() {
            let answered = Answered { solver, question, asked, answer, model };
            let examination = match answer.verdict {
                Verdict::Sat => self.examine_sat(store, answered, reports_itself && number + 1 == count)?,
                Verdict::Unsat => self.examine_unsat(store, answered)?,
                Verdict::Unknown => None,
            };
            if examination.is_some() {
                return Ok(examination);
            }
        }
        let last = reply.answers().last().map(|answer| answer.verdict);
        if reports_itself && last != Some(Verdict::Sat) {
            // The solver has checked its coming answer, or its answer about a core.
            let is_core = last == Some(Verdict::Unsat);
            let defect = if is_core { Defect::SatisfiableCore } else { Defect::InvalidModel };
            return Ok(Examination::new(defect, Witness::Itself));
        }
        Ok(None)
    }

    fn examine_sat(
        &self,
        store: &mut TermStore,
        answered: Answered<'_>,
        reports_itself: bool,
    ) -> io::Result<Option<Examination>> {
        let Answered { asked, answer, .. } = answered;
        let formula = &asked.formula;
        let escapes = answered.solver.capabilities().escapes;
        let text = answer.behind.first();
        let judged = text.and_then(|text| judge_answer(store, formula, (text, escapes), self.asker.control));
        let (model, judged) = judged.unzip();
        let is_doubtful = reports_itself
            || matches!(judged, Some(ModelVerdict::Invalid(_)))
            || asked.expected != Some(Verdict::Sat);
        if judged == Some(ModelVerdict::Valid) || !is_doubtful {
            return Ok(None);
        }
        let wrong = Defect::WrongAnswer { right: Verdict::Unsat };
        // A solver that denies the model of a formula is wrong.
        let words = match answered.has_known_model(store, self.asker.control) {
            true => Words::default(),
            false => self.words_of_others(store, answered)?,
        };
        if let Some(witness) = words.witness(Verdict::Unsat) {
            return Ok(Examination::new(wrong, witness));
        }
        match (judged, model) {
            (Some(ModelVerdict::Invalid(number)), Some(model)) => {
                if self.is_contradicted(store, answered.solver, formula, &model)? {
                    return Ok(None);
                }
                Ok(Examination::new(Defect::InvalidModel, Witness::Evaluator(number)))
            }
            _ if reports_itself => Ok(Examination::new(Defect::InvalidModel, Witness::Itself)),
            _ if asked.expected == Some(Verdict::Unsat) => {
                let agreeing = words.with_model.into_iter().chain(words.sat).collect();
                Ok(Examination::new(wrong, Witness::unconfirmed(agreeing)))
            }
            _ => Ok(None),
        }
    }

    fn examine_unsat(
        &self,
        store: &mut TermStore,
        answered: Answered<'_>,
    ) -> io::Result<Option<Examination>> {
        let expected = answered.asked.expected;
        if expected != Some(Verdict::Unsat) {
            let wrong = Defect::WrongAnswer { right: Verdict::Sat };
            if let Some(known) =
                answered.model.filter(|_| answered.has_known_model(store, self.asker.control))
            {
                return Ok(Examination::new(wrong, Witness::Model(known.whose.clone())));
            }
            let words = self.words_of_others(store, answered)?;
            if let Some(witness) = words.witness(Verdict::Sat) {
                return Ok(Examination::new(wrong, witness));
            }
            if expected == Some(Verdict::Sat) {
                return Ok(Examination::new(wrong, Witness::unconfirmed(words.unsat)));
            }
        }
        for core in &answered.asked.cores {
            if let Some(examination) = self.examine_core(store, answered, core)? {
                return Ok(Some(examination));
            }
        }
        Ok(None)
    }

    /// Whether a core of an unsatisfiable formula is one.
    fn examine_core(
        &self,
        store: &mut TermStore,
        answered: Answered<'_>,
        core: &Core,
    ) -> io::Result<Option<Examination>> {
        let Some(text) = answered.answer.behind.get(core.place) else { return Ok(None) };
        // A list that does not end is incomplete.
        let Some(names) = names(text) else { return Ok(None) };
        let assertions = match chosen(core, &names) {
            Ok(assertions) => assertions,
            Err(stray) => return Ok(Examination::new(Defect::StrayCore, Witness::Stray(stray))),
        };
        if assertions.len() == core.rest.len() + core.parts.len() {
            return Ok(None);
        }
        let logic = answered.asked.formula.logic.clone();
        let formula = Formula { logic, ..Formula::of_assertions(store, assertions) };
        let asked = Asked { formula, expected: None, cores: Vec::new() };
        // Most cores are right, so the solver itself is asked first, alone.
        let own = self.asker.ask(answered.solver, &inquiry(store, &asked.formula, true))?;
        if own.verdict() != Some(Verdict::Sat) {
            return Ok(None);
        }
        let words = self.words_of_others(store, Answered { asked: &asked, ..answered })?;
        Ok(words.witness(Verdict::Sat).and_then(|witness| Examination::new(Defect::SatisfiableCore, witness)))
    }

    /// The answers of the references to a formula, and of the solver itself if it was asked in another way. A model
    /// that the evaluator accepts ends the survey.
    fn words_of_others(&self, store: &mut TermStore, answered: Answered<'_>) -> io::Result<Words> {
        let Answered { solver, question, asked, .. } = answered;
        let was_plain =
            question.is_plain() && asked.cores.is_empty() && asked.formula == question.asked[0].formula;
        let inquiry = match was_plain {
            true => Cow::Borrowed(&question.inquiry),
            false => Cow::Owned(inquiry(store, &asked.formula, true)),
        };
        let mut words = Words::default();
        let itself = (!was_plain).then_some(solver);
        for other in self.others(solver).chain(itself) {
            words.add(store, answered, other, &self.asker.ask(other, &inquiry)?, self.asker.control);
            if words.with_model.is_some() {
                return Ok(words);
            }
        }
        if let Some(newest) = self.newest.filter(|newest| words.is_empty() && newest.name() != solver.name())
        {
            words.add(store, answered, newest, &self.asker.ask(newest, &inquiry)?, self.asker.control);
        }
        Ok(words)
    }

    /// The references that are other programs than the solver.
    fn others(&self, solver: &dyn Respondent) -> impl Iterator<Item = &dyn Respondent> {
        self.references.iter().map(|it| &**it).filter(|reference| reference.name() != solver.name())
    }

    /// Whether some reference says that a model is right which the evaluator calls wrong.
    fn is_contradicted(
        &self,
        store: &TermStore,
        solver: &dyn Respondent,
        formula: &Formula,
        model: &Model,
    ) -> io::Result<bool> {
        let inquiry = inquiry_with_model(store, formula, model);
        let newest = self.newest.filter(|newest| newest.name() != solver.name());
        for reference in self.others(solver).chain(newest) {
            if self.asker.ask(reference, &inquiry)?.verdict() == Some(Verdict::Sat) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The assertions that a core names, with those that belong to every core; or the first name that is not an
/// assertion.
fn chosen(core: &Core, names: &[&str]) -> Result<Vec<TermId>, String> {
    let mut terms = core.rest.clone();
    let mut taken = FxHashSet::default();
    for &name in names {
        let plain = |name: &str| name.trim_matches('|').to_string();
        let Some((_, term)) = core.parts.iter().find(|(part, _)| plain(part) == plain(name)) else {
            return Err(name.to_string());
        };
        if taken.insert(plain(name)) {
            terms.push(*term);
        }
    }
    Ok(terms)
}

/// The elements of a list between parentheses: symbols, or terms with their own parentheses. `None` if the text is
/// not a complete list.
fn names(text: &str) -> Option<Vec<&str>> {
    let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let text = |response| match response {
        Response::Word(text) | Response::Expression(text) | Response::String(text) => Some(text),
        Response::Error(_) | Response::Unfinished(_) => None,
    };
    responses(inside).into_iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(sat: &[&str], unsat: &[&str]) -> Words {
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        Words { sat: names(sat), unsat: names(unsat), ..Words::default() }
    }

    #[test]
    fn where_others_disagree_only_a_model_decides() {
        let agreed = words(&["z3", "cvc5"], &[]);
        let both = Witness::Solvers(vec!["z3".into(), "cvc5".into()]);
        assert_eq!((agreed.witness(Verdict::Sat), agreed.witness(Verdict::Unsat)), (Some(both), None));
        let split = words(&["z3"], &["cvc5"]);
        assert_eq!((split.witness(Verdict::Sat), split.witness(Verdict::Unsat)), (None, None));
        let decided = Words { with_model: Some("z3".into()), ..words(&[], &["cvc5"]) };
        let model = Witness::Model("z3".into());
        assert_eq!((decided.witness(Verdict::Sat), decided.witness(Verdict::Unsat)), (Some(model), None));
        // The answer to a plain question counts only if no other solver contradicts it.
        let own = Words { own: Some(Verdict::Unsat), ..Words::default() };
        assert_eq!(own.witness(Verdict::Unsat), Some(Witness::AskedPlainly));
        let alone = Words { own: Some(Verdict::Unsat), ..words(&["z3"], &[]) };
        assert_eq!(alone.witness(Verdict::Unsat), None);
    }

    #[test]
    fn lists_that_do_not_end_are_none() {
        assert_eq!(names("(a |b c| (not d))"), Some(vec!["a", "|b c|", "(not d)"]));
        assert_eq!(names(" () "), Some(Vec::new()));
        assert_eq!((names("(a b"), names("((a b)"), names("a")), (None, None, None));
    }
}

//! What is wrong with a solver's reply, and who else says so.

use std::fmt;
use std::io;

use sundry_external::{Fault, Reply, Solver, Verdict};
use sundry_smtlib::Formula;
use sundry_term::{Model, TermStore};

use crate::model::{ModelVerdict, judge_model, judge_reply, script_with_model};
use crate::question::Desk;

/// What is wrong with a reply.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Defect {
    /// The answer is the opposite of this one.
    WrongAnswer {
        /// What is right.
        right: Verdict,
    },
    /// `sat` is right, but the model does not satisfy the formula.
    InvalidModel,
    /// A crash, by its signature.
    Crash(String),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::WrongAnswer { right: Verdict::Sat } => f.write_str("unsat instead of sat"),
            Defect::WrongAnswer { .. } => f.write_str("sat instead of unsat"),
            Defect::InvalidModel => f.write_str("invalid model"),
            Defect::Crash(signature) => write!(f, "crash: {signature}"),
        }
    }
}

/// Who says that something is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// The formula has a model, judged by the evaluator: that of the seed, or of this solver.
    Model(String),
    /// The evaluator finds an assertion, by its number, false under the solver's model.
    Evaluator(usize),
    /// These solvers give the other answer.
    Solvers(Vec<String>),
    /// The solver itself: it crashed, or says that its model is wrong.
    Itself,
    /// Nobody else: only how the formula was made.
    Construction,
    /// How the formula was made, but these solvers give the same answer: then it was made wrongly.
    Disputed(Vec<String>),
}

impl Witness {
    /// That of an answer which only the construction refutes, given the solvers that give the same.
    fn unconfirmed(agreeing: Vec<String>) -> Witness {
        if agreeing.is_empty() { Witness::Construction } else { Witness::Disputed(agreeing) }
    }

    /// Whether that is enough to report it as a defect.
    pub fn confirms(&self, defect: &Defect) -> bool {
        match self {
            Witness::Model(_) | Witness::Evaluator(_) | Witness::Solvers(_) => true,
            Witness::Itself => matches!(defect, Defect::Crash(_)),
            Witness::Construction | Witness::Disputed(_) => false,
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Witness::Model(whose) => write!(f, "the formula has a model ({whose})"),
            Witness::Evaluator(number) => write!(f, "assertion {} is false under its model", number + 1),
            Witness::Solvers(names) => {
                write!(f, "{} say{} so", names.join(", "), if names.len() == 1 { "s" } else { "" })
            }
            Witness::Itself => f.write_str("it says so itself"),
            Witness::Disputed(names) => {
                write!(
                    f,
                    "follows from how the formula was made, but {} agree{}",
                    names.join(", "),
                    if names.len() == 1 { "s" } else { "" }
                )
            }
            Witness::Construction => f.write_str("follows from how the formula was made, nobody confirms it"),
        }
    }
}

/// What is known of a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct Known {
    /// Whether it is satisfiable.
    pub verdict: Verdict,
    /// A model of it, and whose it is.
    pub model: Option<(Model, String)>,
}

impl Known {
    /// Whether the model that is known, if any, is one of this formula.
    pub fn has_model(&self, store: &TermStore, formula: &Formula) -> bool {
        let model = self.model.as_ref();
        model.is_some_and(|(model, _)| judge_model(store, formula, model) == ModelVerdict::Valid)
    }
}

/// A defect with its witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examination {
    /// What is wrong.
    pub defect: Defect,
    /// Who says so.
    pub witness: Witness,
}

/// A formula as it is put to solvers.
#[derive(Copy, Clone, Debug)]
pub struct Question<'q> {
    /// The formula.
    pub formula: &'q Formula,
    /// The script that asks about it, and for a model.
    pub script: &'q str,
}

/// Judges replies of a solver with the help of others.
#[derive(Copy, Clone, Debug)]
pub struct Examiner<'a> {
    /// Where solvers are run.
    pub desk: Desk<'a>,
    /// Solvers whose word counts.
    pub references: &'a [Solver],
}

impl Examiner<'_> {
    /// What is wrong with a solver's reply, if anything. Others are asked only where something seems to be, or
    /// nothing is known of the formula.
    ///
    /// # Errors
    /// A solver cannot be started.
    pub fn examine(
        &self,
        store: &mut TermStore,
        question: Question<'_>,
        known: Option<&Known>,
        solver: &Solver,
        reply: &Reply,
    ) -> io::Result<Option<Examination>> {
        if let Some(Fault::Crash(signature)) = &reply.fault {
            let defect = Defect::Crash(signature.clone());
            return Ok(Some(Examination { defect, witness: Witness::Itself }));
        }
        match reply.verdict() {
            Some(Verdict::Sat) => self.examine_sat(store, question, known, solver, reply),
            Some(Verdict::Unsat) => self.examine_unsat(store, question, known, solver),
            Some(Verdict::Unknown) | None => Ok(None),
        }
    }

    fn examine_sat(
        &self,
        store: &mut TermStore,
        question: Question<'_>,
        known: Option<&Known>,
        solver: &Solver,
        reply: &Reply,
    ) -> io::Result<Option<Examination>> {
        let answer = judge_reply(store, question.formula, reply);
        let (model, judged) = answer.unzip();
        let reports_itself = matches!(reply.fault, Some(Fault::InvalidModel(_)));
        let is_doubtful = reports_itself
            || matches!(judged, Some(ModelVerdict::Invalid(_)))
            || known.is_none_or(|known| known.verdict == Verdict::Unsat);
        if judged == Some(ModelVerdict::Valid) || !is_doubtful {
            return Ok(None);
        }
        // Whoever says that a formula with a model has none is wrong.
        let has_model = known.is_some_and(|known| known.has_model(store, question.formula));
        let (agreeing, others) =
            if has_model { Default::default() } else { self.words_of_others(solver, question)? };
        if !others.is_empty() {
            let defect = Defect::WrongAnswer { right: Verdict::Unsat };
            return Ok(Some(Examination { defect, witness: Witness::Solvers(others) }));
        }
        let witness = match (judged, model) {
            (Some(ModelVerdict::Invalid(number)), Some(model)) => {
                if self.is_contradicted(store, question, &model)? {
                    return Ok(None);
                }
                Witness::Evaluator(number)
            }
            _ if reports_itself => Witness::Itself,
            _ if known.is_some() => {
                let defect = Defect::WrongAnswer { right: Verdict::Unsat };
                return Ok(Some(Examination { defect, witness: Witness::unconfirmed(agreeing) }));
            }
            _ => return Ok(None),
        };
        Ok(Some(Examination { defect: Defect::InvalidModel, witness }))
    }

    fn examine_unsat(
        &self,
        store: &mut TermStore,
        question: Question<'_>,
        known: Option<&Known>,
        solver: &Solver,
    ) -> io::Result<Option<Examination>> {
        if known.is_some_and(|known| known.verdict == Verdict::Unsat) {
            return Ok(None);
        }
        let defect = Defect::WrongAnswer { right: Verdict::Sat };
        if let Some(known) = known.filter(|known| known.has_model(store, question.formula))
            && let Some((_, whose)) = &known.model
        {
            return Ok(Some(Examination { defect, witness: Witness::Model(whose.clone()) }));
        }
        let (mut agreeing, mut others) = (Vec::new(), Vec::new());
        for reference in self.others(solver) {
            let reply = self.desk.ask(reference, question.script)?;
            if reply.verdict() == Some(Verdict::Unsat) {
                agreeing.push(reference.name.clone());
            }
            if reply.verdict() != Some(Verdict::Sat) {
                continue;
            }
            match judge_reply(store, question.formula, &reply) {
                Some((_, ModelVerdict::Valid)) => {
                    let witness = Witness::Model(reference.name.clone());
                    return Ok(Some(Examination { defect, witness }));
                }
                Some((_, ModelVerdict::Invalid(_))) => {}
                _ => others.push(reference.name.clone()),
            }
        }
        let witness = match (others.is_empty(), known) {
            (false, _) => Witness::Solvers(others),
            (true, Some(_)) => Witness::unconfirmed(agreeing),
            (true, None) => return Ok(None),
        };
        Ok(Some(Examination { defect, witness }))
    }

    /// The references that are other programs than the solver.
    fn others(&self, solver: &Solver) -> impl Iterator<Item = &Solver> {
        self.references.iter().filter(|reference| reference.name != solver.name)
    }

    /// The references that say `sat`, and those that say `unsat`.
    fn words_of_others(
        &self,
        solver: &Solver,
        question: Question<'_>,
    ) -> io::Result<(Vec<String>, Vec<String>)> {
        let (mut sat, mut unsat) = (Vec::new(), Vec::new());
        for reference in self.others(solver) {
            match self.desk.ask(reference, question.script)?.verdict() {
                Some(Verdict::Sat) => sat.push(reference.name.clone()),
                Some(Verdict::Unsat) => unsat.push(reference.name.clone()),
                _ => {}
            }
        }
        Ok((sat, unsat))
    }

    /// Whether some reference says that a model is right which the evaluator calls wrong.
    fn is_contradicted(&self, store: &TermStore, question: Question<'_>, model: &Model) -> io::Result<bool> {
        let script = script_with_model(store, question.formula, model);
        for reference in self.references {
            if self.desk.ask(reference, &script)?.verdict() == Some(Verdict::Sat) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

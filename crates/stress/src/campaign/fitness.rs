//! Whether solvers can be compared at all. A search with solvers that refuse everything would run for hours and find nothing.

use std::fmt;
use std::io;

use sundry_external::{Inquiry, Verdict};

use crate::run::contest::{Contest, Contestant, Place};
use crate::run::effort::{Effort, Measure, Outcome};
use crate::run::measured::Measured;

/// The share of the limit within which a solver gives up at once.
const AT_ONCE: f64 = 0.05;
/// The longest part of a message of a solver that is repeated.
const LONGEST: usize = 300;

/// The reason for which solvers are of no use for a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// A solver fails on every input of the first generation: its name and the fault of the first one.
    Fails(String, String),
    /// A solver under test gives up at once on all inputs that need work: its name, and its reason as far as it gives one.
    GivesUp(String, Option<String>),
    /// No reference decides any input.
    Undecided,
    /// A solver under test leaves no counters, with the reason.
    NoCounters(String, String),
    /// A solver does not report the units of its work.
    NoUnits(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Fails(solver, fault) => {
                write!(f, "the solver '{solver}' fails on every input of the first generation: {fault}")
            }
            Unfit::GivesUp(solver, reason) => {
                write!(
                    f,
                    "the solver '{solver}' answers unknown at once to every input of the first generation that needs work"
                )?;
                reason.as_ref().map_or(Ok(()), |reason| write!(f, "; its reason: {reason}"))
            }
            Unfit::Undecided => f.write_str("no reference decides any input of the first generation"),
            Unfit::NoCounters(solver, reason) => {
                write!(f, "the solver '{solver}' leaves no counters: {reason}")
            }
            Unfit::NoUnits(solver) => {
                write!(f, "the solver '{solver}' does not report the units of its work")
            }
        }
    }
}

impl Contest {
    /// Whether everything that is measured can be measured, with a trivial script.
    ///
    /// # Errors
    /// A solver cannot be run.
    pub(crate) fn check_measures(&self, place: Place<'_>) -> io::Result<Option<Unfit>> {
        let trivial = Inquiry::parse("(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n");
        let trivial = trivial.map_err(|error| io::Error::other(error.to_string()))?;
        for target in &self.targets {
            let reply = self.ask(target, self.limits, &trivial, place)?;
            let Some(taken) = target.take_counters(&reply, place) else { continue };
            let reason = match taken {
                Ok(files) if files.iter().all(|file| file.lines.is_empty()) => {
                    Some("none is above zero".to_string())
                }
                Ok(_) => None,
                Err(error) => Some(error.to_string()),
            };
            if let Some(reason) = reason.filter(|_| !place.is_interrupted()) {
                return Ok(Some(Unfit::NoCounters(target.solver.name.clone(), reason)));
            }
        }
        let counted =
            self.targets.iter().chain(&self.references).filter(|_| self.measure == Measure::Resource);
        for contestant in counted {
            let reply = self.ask(contestant, self.limits, &trivial, place)?;
            if self.ceiling(contestant).units_used(&reply).is_none() && !place.is_interrupted() {
                return Ok(Some(Unfit::NoUnits(contestant.solver.name.clone())));
            }
        }
        Ok(None)
    }

    /// Whether the solvers do anything with the inputs of a first generation, given all that was run.
    ///
    /// # Errors
    /// A solver cannot be run.
    pub(crate) fn check_first(
        &self,
        inputs: &[(Inquiry, Measured)],
        place: Place<'_>,
    ) -> io::Result<Option<Unfit>> {
        for (number, target) in self.targets.iter().enumerate() {
            let efforts: Vec<&Effort> = inputs.iter().filter_map(|(_, it)| it.targets.get(number)).collect();
            if let Some(unfit) = fails(target, &efforts) {
                return Ok(Some(unfit));
            }
            if gives_up(&efforts, self.ceiling(target).amount()) {
                let is_unknown = |(_, measured): &&(Inquiry, Measured)| {
                    measured.targets.get(number).is_some_and(|effort| effort.outcome == Outcome::Unknown)
                };
                let unknown = inputs.iter().find(is_unknown);
                let reason =
                    unknown.map(|(input, _)| self.reason_unknown(target, input, place)).transpose()?;
                return Ok(Some(Unfit::GivesUp(target.solver.name.clone(), reason.flatten())));
            }
        }
        let mut failing = Vec::new();
        for (number, reference) in self.references.iter().enumerate() {
            let efforts: Vec<&Effort> =
                inputs.iter().filter_map(|(_, it)| it.references.get(number)).collect();
            failing.extend(fails(reference, &efforts));
        }
        if failing.len() == self.references.len() && !failing.is_empty() {
            return Ok(failing.into_iter().next());
        }
        let is_decided = |(_, it): &(Inquiry, Measured)| it.references.is_empty() || it.reference().is_some();
        Ok((!inputs.is_empty() && !inputs.iter().any(is_decided)).then_some(Unfit::Undecided))
    }

    /// The reason that a solver gives for `unknown`.
    fn reason_unknown(
        &self,
        target: &Contestant,
        input: &Inquiry,
        place: Place<'_>,
    ) -> io::Result<Option<String>> {
        let text = format!("{}(get-info :reason-unknown)\n", &*input.text);
        let Ok(inquiry) = Inquiry::parse(&text) else { return Ok(None) };
        let reply = self.ask(target, self.limits, &inquiry, place)?;
        let lines = reply.finished.output.text.lines().map(str::trim);
        let reason = lines
            .filter(|line| !line.is_empty() && *line != Verdict::Unknown.to_string())
            .collect::<Vec<_>>();
        let reason: String = reason.join(" ").chars().take(LONGEST).collect();
        Ok(Some(reason).filter(|reason| !reason.is_empty()))
    }
}

/// Whether a solver says `unknown` to at least half of all inputs, and to nothing after some work. The rest are inputs that
/// simplification decides.
fn gives_up(efforts: &[&Effort], limit: f64) -> bool {
    let unknown = efforts.iter().filter(|effort| effort.outcome == Outcome::Unknown).count();
    let is_quick = |effort: &&Effort| effort.amount < AT_ONCE * limit;
    unknown > 0 && 2 * unknown >= efforts.len() && efforts.iter().all(is_quick)
}

/// The fault of a solver that fails on everything.
fn fails(contestant: &Contestant, efforts: &[&Effort]) -> Option<Unfit> {
    let fault = |effort: &&Effort| match &effort.outcome {
        Outcome::Failed(fault) => Some(fault.to_string()),
        _ => None,
    };
    let faults: Option<Vec<String>> = efforts.iter().map(fault).collect();
    let first = faults?.into_iter().next()?;
    Some(Unfit::Fails(contestant.solver.name.clone(), first.chars().take(LONGEST).collect()))
}

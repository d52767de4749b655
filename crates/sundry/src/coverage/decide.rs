//! The decision what can be covered at all, made by solving, and its comparison with what models show.

use std::fmt;
use std::ops::ControlFlow;

use sundry_coverage::BitSet;
use sundry_sample::{
    Covered, Effort, Event, Method, Part, Possibilities, Possibility, Progress, Request, SetSummary,
    StopReason, sample,
};
use tracing::info_span;

use super::{Control, Measurement};
use crate::error::{Error, ErrorKind};

/// The decision what can be covered of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// AST-bits that some solution covers.
    pub valid: u64,
    /// AST-bits that no solution covers, proved.
    pub impossible: u64,
    /// AST-bits that were not decided.
    pub unknown: u64,
    /// Whether everything is decided, and the models cover all that can be covered.
    pub is_complete: bool,
    /// The possible values of each predicate of the formula, in their order.
    pub predicates: Vec<Possibilities>,
}

impl Measurement {
    /// Decides by solving which AST-bits can be covered, and which values predicates can have, until the control stops it.
    /// Everything that the models show counts as known.
    ///
    /// # Errors
    /// The formula is too large for a circuit. Or a model shows what was proved impossible, which is a defect of Sundry.
    pub fn decide(&mut self, seed: u64, threads: usize, control: &Control) -> Result<Decided, Error> {
        let _span = info_span!("decide").entered();
        let predicates = self.decide_predicates(seed, control)?;
        let (set, is_unsatisfiable) = self.sample_until_decided(seed, threads, control)?;
        let total = self.problem.ast_bits.total();
        let mut possible = self.coverage.clone();
        possible.union_with(&set.coverage);
        let mut impossible = set.impossible;
        if is_unsatisfiable {
            impossible.insert_complement(&BitSet::new(total));
        }
        if let Some(wrong) = impossible.iter().find(|&number| self.coverage.contains(number)) {
            return Err(self.contradiction(format_args!("AST-bit {wrong}")));
        }
        let impossible = impossible.count() as u64;
        let seen = (possible.covered() as u64).max(set.validity.valid);
        // What was seen in models that were not kept is counted, but not known by number.
        let valid = if is_unsatisfiable { 0 } else { seen };
        let unknown = total as u64 - impossible - valid;
        let is_complete = unknown == 0 && self.covered() == valid;
        Ok(Decided { valid, impossible, unknown, is_complete, predicates })
    }

    /// Decides which values the predicates can have, also of those that the models show: a model and a proof that
    /// contradict each other are a defect.
    fn decide_predicates(&self, seed: u64, control: &Control) -> Result<Vec<Possibilities>, Error> {
        let predicates = self.formula.predicates();
        if predicates.is_empty() {
            return Ok(Vec::new());
        }
        let mut decided = self.formula.decide_predicates_within(seed, control)?;
        for (position, possibilities) in decided.iter_mut().enumerate() {
            let holds = self.predicates.holds(position);
            let fails = self.predicates.models() - holds;
            for (seen, possibility, verb) in
                [(holds, &mut possibilities.holds, "holds"), (fails, &mut possibilities.fails, "fails")]
            {
                match possibility {
                    Possibility::Impossible if seen > 0 => {
                        let name = &predicates[position].name;
                        return Err(self.contradiction(format_args!("that predicate '{name}' {verb}")));
                    }
                    Possibility::Unknown if seen > 0 => *possibility = Possibility::Possible,
                    _ => {}
                }
            }
        }
        Ok(decided)
    }

    /// A set of solutions with all that is known of the AST-bits, and whether the formula has no solution.
    fn sample_until_decided(
        &self,
        seed: u64,
        threads: usize,
        control: &Control,
    ) -> Result<(SetSummary, bool), Error> {
        let request = Request {
            method: Method::Cover { target: 1.0, effort: Effort::Max },
            seed,
            threads,
            control: control.clone(),
            ..Request::cover()
        };
        let summary = sample(&self.formula.parts().problem, &request, &mut |event| match event {
            Event::Set(Progress { solutions, covered: Covered::AstBits { validity, .. }, .. })
                // The solutions themselves do not matter: no need to make them fewer.
                if validity.unknown == 0 && !solutions.is_empty() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        let summary = summary.map_err(|error| self.formula.cannot_sample(&error))?;
        match summary.part {
            Part::Set(set) => Ok((set, summary.stopped_by == StopReason::Unsatisfiable)),
            _ => {
                let message = "internal error: a run that covers AST-bits has no set";
                Err(Error::new(ErrorKind::Internal, message))
            }
        }
    }

    /// A model shows what was proved impossible.
    fn contradiction(&self, what: impl fmt::Display) -> Error {
        let name = self.formula.parts().source.name();
        let message =
            format!("internal error: {what} of {name} is covered by a model and was proved impossible");
        Error::new(ErrorKind::Internal, message)
            .with_help("this is a defect of sundry; please report it together with the formula")
    }
}

//! The decision what can be covered at all, made by solving, and its comparison with what models show.

use std::fmt;
use std::ops::ControlFlow;

use sundry_coverage::BitSet;
use sundry_sample::{
    Covered, Effort, Event, Method, Part, Possibilities, Possibility, Progress, Request, SetSummary,
    StopReason, Validity, sample,
};
use tracing::info_span;

use super::{Control, Measurement};
use crate::error::{Error, ErrorKind};
use crate::formula::Formula;

/// The decision what can be covered of a formula.
///
/// ```
/// use sundry::{Control, Formula};
///
/// let decided = Formula::parse("(declare-const p Bool) (assert p)")?.decide(&Control::default())?;
/// assert_eq!((decided.valid, decided.impossible, decided.unknown), (1, 1, 0));
/// # Ok::<(), sundry::Error>(())
/// ```
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
    /// The AST-bits of which a solution is known, by number.
    seen: BitSet,
    /// The AST-bits that are proved impossible, by number.
    refuted: BitSet,
}

impl Decided {
    /// Whether the AST-bit with a number can be covered; none where there are fewer AST-bits.
    ///
    /// ```
    /// use sundry::{Control, Formula, Possibility};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 2)) (assert (bvult x #b10))")?;
    /// let decided = formula.decide(&Control::default())?;
    /// let reader = formula.ast_bit_reader(&Control::default())?;
    /// let impossible: Vec<String> = (0..formula.ast_bits())
    ///     .filter(|&number| decided.ast_bit(number) == Some(Possibility::Impossible))
    ///     .filter_map(|number| reader.ast_bit(number))
    ///     .map(|bit| format!("bit {} of {} is {}", bit.bit, bit.term, u8::from(bit.value)))
    ///     .collect();
    /// let expected = ["bit 1 of x is 1", "bit 0 of #b10 is 1", "bit 1 of #b10 is 0", "bit 0 of (bvult x #b10) is 0"];
    /// assert_eq!(impossible, expected);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn ast_bit(&self, number: usize) -> Option<Possibility> {
        if number >= self.seen.length() {
            return None;
        }
        Some(if self.refuted.contains(number) {
            Possibility::Impossible
        } else if self.unknown == 0 || self.seen.contains(number) {
            Possibility::Possible
        } else {
            Possibility::Unknown
        })
    }
}

impl Formula {
    /// Decides by solving which AST-bits can be covered, and which values predicates can have, until the control stops it.
    /// [`Measurement::decide`] does so with the knowledge of models.
    ///
    /// # Errors
    /// The formula is too large for a circuit; or the solver's model is wrong, which is a defect.
    ///
    /// ```
    /// use sundry::{Control, Formula};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let decided = formula.decide(&Control::default())?;
    /// assert_eq!((decided.valid, decided.impossible, decided.unknown), (5, 1, 0));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn decide(&self, control: &Control) -> Result<Decided, Error> {
        Measurement::new(self).decide(0, 1, control)
    }
}

impl Measurement {
    /// Decides by solving which AST-bits can be covered, and which values predicates can have, until the control stops it.
    /// Everything that the models show counts as known.
    ///
    /// # Errors
    /// The formula is too large for a circuit. Or a model shows what was proved impossible, which is a defect of Sundry.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut measurement = Measurement::new(&formula);
    /// let decided = measurement.decide(0, 1, &Control::default())?;
    /// assert_eq!(decided.valid, 5);
    /// // No model was added.
    /// assert!(!decided.is_complete);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn decide(&mut self, seed: u64, threads: usize, control: &Control) -> Result<Decided, Error> {
        self.decide_observed(seed, threads, control, &mut |_| ())
    }

    /// Decides as [`decide`](Self::decide) does, and hands out what is known of the AST-bits as it changes.
    ///
    /// # Errors
    /// Those of [`decide`](Self::decide).
    ///
    /// ```
    /// use sundry::coverage::{Control, Measurement};
    ///
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut known = Vec::new();
    /// let decided = Measurement::new(&formula)
    ///     .decide_observed(0, 1, &Control::default(), &mut |validity| known.push(validity.valid))?;
    /// assert!(known.is_sorted() && known.last().is_some_and(|&valid| valid <= decided.valid));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn decide_observed(
        &mut self,
        seed: u64,
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(Validity),
    ) -> Result<Decided, Error> {
        let _span = info_span!("decide").entered();
        let predicates = self.decide_predicates(seed, control)?;
        let (set, is_unsatisfiable) = self.sample_until_decided(seed, threads, control, observe)?;
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
        let refuted = impossible;
        let impossible = refuted.count() as u64;
        let seen = (possible.covered() as u64).max(set.validity.valid);
        // What was seen in models that were not kept is counted, but not known by number.
        let valid = if is_unsatisfiable { 0 } else { seen };
        let unknown = total as u64 - impossible - valid;
        let is_complete = unknown == 0 && self.covered() == valid;
        let mut known = BitSet::new(total);
        (0..total).filter(|&number| possible.contains(number)).for_each(|number| known.insert(number));
        Ok(Decided { valid, impossible, unknown, is_complete, predicates, seen: known, refuted })
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
        observe: &mut dyn FnMut(Validity),
    ) -> Result<(SetSummary, bool), Error> {
        let request = Request {
            method: Method::Cover { target: 1.0, effort: Effort::Max },
            seed,
            threads,
            control: control.clone(),
            ..Request::cover()
        };
        let summary = sample(&self.formula.parts().problem, &request, &mut |event| match event {
            Event::Set(Progress { solutions, covered: Covered::AstBits { validity, .. }, .. }) => {
                observe(validity);
                // The solutions themselves do not matter: no need to make them fewer.
                match validity.unknown == 0 && !solutions.is_empty() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            }
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

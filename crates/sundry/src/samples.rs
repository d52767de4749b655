//! The results of a sampler.

use std::sync::Arc;
use std::time::Duration;

use sundry_sample::{Covered, Part, StopReason, Summary};
use sundry_term::Model;

use crate::error::{Error, ErrorKind};
use crate::formula::Formula;
use crate::record::PartRecord;
use crate::sampler::solutions;
use crate::solution::Solution;

/// The results of a [`Sampler`](crate::Sampler).
///
/// ```
/// use sundry::{Covered, Formula, StopReason};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let samples = formula.sampler().run()?;
/// assert_eq!(samples.stopped_by, StopReason::Complete);
/// assert!(samples.is_minimal() && samples.solutions.len() == samples.lower_bound);
/// let Some(Covered::AstBits { covered, validity }) = samples.covered else { panic!("not sampled for AST-bits") };
/// // That the assertion is false is impossible.
/// assert_eq!((covered, validity.valid, validity.impossible), (5, 5, 1));
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Samples {
    /// The solutions: of a set, those that add most first; of other strategies, in the order in which they were found.
    pub solutions: Vec<Solution>,
    /// The coverage of a set of solutions, in the unit of its strategy. Strategies that find solutions without such a
    /// goal do not measure it; [`Formula::coverage`] does.
    pub covered: Option<Covered>,
    /// The proved lower bound on the size of sets that cover as much; 0 where nothing is known.
    pub lower_bound: usize,
    /// The reason why the run ended.
    pub stopped_by: StopReason,
    /// The time that the run took.
    pub elapsed: Duration,
    /// All figures of the run as plain data, with its curve.
    pub figures: Box<PartRecord>,
}

impl Samples {
    /// The results of a run; `found` are the solutions of a run that hands them out as they are found.
    pub(crate) fn new(formula: &Formula, summary: Summary, found: Vec<Arc<Model>>) -> Result<Samples, Error> {
        if summary.rejected > 0 {
            let message = format!(
                "internal error: {} of the solver's models did not satisfy the formula; please report the formula",
                summary.rejected
            );
            return Err(Error::new(ErrorKind::Internal, message));
        }
        let figures = Box::new(formula.figures(&summary));
        let Summary { stopped_by, seconds, part, .. } = summary;
        let (rated, covered, lower_bound) = match part {
            Part::Set(set) => {
                let covered = Covered::AstBits { covered: set.covered(), validity: set.validity };
                (set.solutions, Some(covered), set.lower_bound)
            }
            Part::Tuples(tuples) => {
                (tuples.solutions, Some(Covered::Tuples(tuples.tuples)), tuples.lower_bound)
            }
            Part::Volume(_) | Part::Uniform(_) => (Vec::new(), None, 0),
        };
        let models = rated.into_iter().map(|rated| rated.model).chain(found);
        Ok(Samples {
            solutions: solutions(formula, models),
            covered,
            lower_bound,
            stopped_by,
            elapsed: Duration::from_secs_f64(seconds),
            figures,
        })
    }

    /// The share that a set covers of all that is not proved impossible; 1 where there is nothing to cover, and 0 for
    /// strategies that do not measure it.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x80))")?;
    /// let samples = formula.sampler().run()?;
    /// assert_eq!(samples.coverage(), 1.0);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn coverage(&self) -> f64 {
        match &self.covered {
            Some(covered) if covered.base() == 0 => 1.0,
            Some(covered) => covered.count() as f64 / covered.base() as f64,
            None => 0.0,
        }
    }

    /// Whether everything that can be covered is covered, and the rest is proved impossible; for
    /// [`Strategy::All`](crate::Strategy::All), whether these are all solutions.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x80))")?;
    /// let samples = formula.sampler().run()?;
    /// assert!(samples.is_complete());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn is_complete(&self) -> bool {
        match &self.covered {
            Some(covered) => !self.solutions.is_empty() && covered.is_complete(),
            None => self.stopped_by == StopReason::Complete,
        }
    }

    /// Whether it is proved that no smaller set covers as much.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x80))")?;
    /// let samples = formula.sampler().run()?;
    /// assert!(samples.is_minimal());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn is_minimal(&self) -> bool {
        self.is_complete() && self.solutions.len() <= self.lower_bound
    }
}

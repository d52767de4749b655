//! Sampling: a small set of solutions that covers a formula.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use sundry_sample::{Effort, Goal, PanOptions, SampleOptions, StopReason, StrategyKind, Validity, sample};
use sundry_term::Control;

use crate::error::{Error, ErrorKind};
use crate::formula::Formula;
use crate::solution::Solution;

/// How solutions are chosen.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Strategy {
    /// A small set of solutions with complete coverage, and proofs of both.
    #[default]
    Cover,
    /// PanSampler as published (Lyu et al., *Towards Comprehensive Sampling of SMT Solutions*).
    Pan(PanOptions),
}

/// Samples a [`Formula`]: what to reach, how, and when to stop.
///
/// The same seed gives the same solutions, for any number of threads, unless a clock or a person stopped the run.
///
/// ```
/// use std::time::Duration;
/// use sundry::{Formula, StopReason};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
/// let samples = formula.sampler().seed(7).target(0.9).timeout(Duration::from_secs(60)).run()?;
/// assert_eq!(samples.stopped_by, StopReason::Target);
/// assert!(samples.coverage() >= 0.9);
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    formula: Formula,
    options: SampleOptions,
    timeout: Option<Duration>,
}

/// What a [`Sampler`] has found.
#[derive(Clone, Debug)]
pub struct Samples {
    /// The solutions, those that add most coverage first.
    pub solutions: Vec<Solution>,
    /// How many AST-bits the solutions cover.
    pub covered: u64,
    /// How many AST-bits can be covered, how many cannot, and how many are undecided.
    pub validity: Validity,
    /// No set of solutions that covers as much is smaller; 0 where nothing is known.
    pub lower_bound: usize,
    /// Why the run ended.
    pub stopped_by: StopReason,
    /// How long the run took.
    pub elapsed: Duration,
}

impl Samples {
    /// The share of the AST-bits that are covered, of those that are not proved impossible; 1 where there are none.
    pub fn coverage(&self) -> f64 {
        let base = self.validity.valid + self.validity.unknown;
        if base == 0 { 1.0 } else { self.covered as f64 / base as f64 }
    }

    /// Whether everything that can be covered is covered, and the rest is proved impossible.
    pub fn is_complete(&self) -> bool {
        !self.solutions.is_empty() && self.validity.unknown == 0 && self.covered == self.validity.valid
    }

    /// Whether it is proved that no smaller set covers as much.
    pub fn is_minimal(&self) -> bool {
        self.is_complete() && self.solutions.len() <= self.lower_bound
    }
}

impl Sampler {
    pub(crate) fn new(formula: Formula) -> Self {
        let options = SampleOptions { threads: 1, ..SampleOptions::default() };
        Sampler { formula, options, timeout: None }
    }

    /// The seed of all randomness [default: 0].
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = seed;
        self
    }

    /// The share of the AST-bits, without those proved impossible, that is enough: from 0 to 1 [default: 1].
    pub fn target(mut self, target: f64) -> Self {
        self.options.goal.target = target;
        self
    }

    /// The number of solutions that is enough [default: no limit].
    pub fn max_solutions(mut self, count: usize) -> Self {
        self.options.goal.max_solutions = Some(count);
        self
    }

    /// How solutions are chosen [default: [`Strategy::Cover`]].
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.options.strategy = match strategy {
            Strategy::Cover => StrategyKind::Cover,
            Strategy::Pan(options) => StrategyKind::Pan(options),
        };
        self
    }

    /// How long to go on looking for a smaller set once coverage is complete [default: [`Effort::Normal`]].
    pub fn effort(mut self, effort: Effort) -> Self {
        self.options.effort = effort;
        self
    }

    /// How many threads may work on the formula [default: 1]. Two are put to use; the solutions do not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.options.threads = threads;
        self
    }

    /// How long a run may take [default: no limit]. The solutions found by then are returned.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// A flag that ends a run when it is set, from another thread. The solutions found by then are returned.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::AtomicBool;
    /// use sundry::{Formula, StopReason};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 8))")?;
    /// let stop = Arc::new(AtomicBool::new(true));
    /// let samples = formula.sampler().stop_flag(stop).run()?;
    /// assert_eq!(samples.stopped_by, StopReason::Interrupted);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn stop_flag(mut self, stop: Arc<AtomicBool>) -> Self {
        self.options.control = self.options.control.with_stop(stop);
        self
    }

    /// Samples the formula until the goal is reached, nothing more can be found, or the run is stopped.
    ///
    /// # Errors
    /// The target is not between 0 and 1; the formula is too large for a circuit; or the solver proposed a wrong model, which is a
    /// defect.
    pub fn run(self) -> Result<Samples, Error> {
        let Sampler { formula, mut options, timeout } = self;
        let Goal { target, .. } = options.goal;
        if !(0.0..=1.0).contains(&target) {
            return Err(Error::new(
                ErrorKind::Input,
                format_args!("the target {target} is not between 0 and 1"),
            ));
        }
        if let Some(deadline) = timeout.and_then(|timeout| Instant::now().checked_add(timeout)) {
            options.control = Control::with_deadline(&options.control, Some(deadline));
        }
        let outcome = sample(&formula.parts().problem, &options, &mut |_| {})
            .map_err(|refusal| formula.refused(&refusal))?;
        if let Some(wrong) = outcome.rejected.first() {
            return Err(Error::new(ErrorKind::Internal, wrong));
        }
        let solutions = outcome.solutions.into_iter();
        Ok(Samples {
            solutions: solutions.map(|rated| Solution::new(formula.clone(), rated.solution.model)).collect(),
            covered: outcome.covered,
            validity: outcome.validity,
            lower_bound: outcome.lower_bound,
            stopped_by: outcome.stopped_by,
            elapsed: Duration::from_secs_f64(outcome.seconds),
        })
    }
}

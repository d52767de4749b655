//! Sampling: what to look for, how, and when to stop.

mod options;
mod request;
mod strategy;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use sundry_sample::{Effort, Event, Over, Problem, Request, Summary, sample, sample_with};
use sundry_term::Control;

use crate::error::Error;
use crate::formula::Formula;
use crate::samples::Samples;
use crate::solution::Solution;
use crate::solutions::Solutions;
use crate::stream::Stream;

pub use strategy::Strategy;

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
    pub(crate) formula: Formula,
    strategy: Strategy,
    target: f64,
    effort: Effort,
    project: Option<Vec<String>>,
    over: Over,
    fill: bool,
    remembered: usize,
    run_number: u64,
    request: Request,
    timeout: Option<Duration>,
}

impl Sampler {
    pub(crate) fn new(formula: Formula) -> Self {
        Sampler {
            formula,
            strategy: Strategy::default(),
            target: 1.0,
            effort: Effort::default(),
            project: None,
            over: Over::Values,
            fill: false,
            remembered: 1 << 30,
            run_number: 0,
            request: Request::cover(),
            timeout: None,
        }
    }

    /// Checks the options of the sampler, as every run does first, for callers that start the run later or elsewhere.
    ///
    /// # Errors
    /// An argument is wrong: a target not between 0 and 1, an unknown constant to project to, a strategy that needs
    /// predicates without any.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
    /// assert!(formula.sampler().target(0.95).check().is_ok());
    /// assert!(formula.sampler().target(95.0).check().is_err());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        self.request().map(|_| ())
    }

    /// Samples the formula until the goal is reached, nothing more can be found, or the run is stopped.
    ///
    /// # Errors
    /// An argument is wrong: a target not between 0 and 1, an unknown constant to project to, a strategy that needs
    /// predicates without any; the formula is too large for a circuit, or cannot be sampled with this strategy; or the solver
    /// proposed a wrong model, which is a defect.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
    /// let samples = formula.sampler().run()?;
    /// assert!(samples.is_complete() && !samples.solutions.is_empty());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn run(self) -> Result<Samples, Error> {
        let mut solutions = Vec::new();
        let summary = self.observe(&mut |event| {
            if let Event::Solutions(found) = event {
                solutions.extend(found.models().map(Arc::new));
            }
            ControlFlow::Continue(())
        })?;
        Samples::new(&self.formula, summary, solutions)
    }

    /// Samples the formula and hands out each event as it comes, in this thread; a receiver that has enough breaks. The summary has
    /// every figure of the run. [`crate::pipeline`] has an example.
    ///
    /// # Errors
    /// An argument is wrong, as for [`run`](Self::run), or the run cannot start. Wrong models of the solver are events, and the
    /// summary counts them.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
    /// let mut events = 0;
    /// let summary = formula.sampler().observe(&mut |_| {
    ///     events += 1;
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert!(events > 0 && !summary.solutions().is_empty());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn observe(&self, receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>) -> Result<Summary, Error> {
        let request = self.request()?;
        sample(&self.formula.parts().problem, &request, receive)
            .map_err(|error| self.formula.cannot_sample(&error))
    }

    /// Samples the formula in a thread of its own, which sends solutions as soon as they are found.
    ///
    /// ```
    /// use sundry::{Formula, Granularity, Strategy, Update};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 32)) (assert (bvugt x #x00001000))")?;
    /// let sampler = formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit));
    /// let mut count = 0;
    /// for update in sampler.stream()? {
    ///     if let Update::Solutions(solutions) = update? {
    ///         count += solutions.len();
    ///     }
    ///     if count >= 100 {
    ///         break; // Dropping the stream ends the run.
    ///     }
    /// }
    /// assert!(count >= 100);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    ///
    /// # Errors
    /// An argument is wrong, as for [`run`](Self::run). What else goes wrong comes as the last item of the stream.
    pub fn stream(self) -> Result<Stream, Error> {
        let request = self.request()?;
        Stream::start(self.formula, request)
    }

    /// The solutions of a run in a thread of its own, one by one. Strategies that find many hand out each as it is found. Strategies
    /// that look for a set change it until the end of the run, and hand out the last one, those that add most first.
    ///
    /// ```
    /// use sundry::{Formula, Granularity, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 32)) (assert (bvugt x #x00001000))")?;
    /// let sampler = formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit));
    /// // Dropping the iterator ends the run.
    /// let first: Vec<_> = sampler.solutions()?.take(10).collect::<Result<_, _>>()?;
    /// assert_eq!(first.len(), 10);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    ///
    /// # Errors
    /// An argument is wrong, as for [`run`](Self::run). What else goes wrong comes as the last item.
    pub fn solutions(self) -> Result<Solutions, Error> {
        Ok(Solutions::new(self.stream()?))
    }

    /// Samples the formula with a strategy of your own, made for the [`Problem`] that the formula is, until the target is
    /// reached, there are enough solutions, or the strategy ends. [`crate::strategy`] has an example.
    ///
    /// # Errors
    /// The target is not between 0 and 1; or the strategy came across a wrong model of the solver, which is a defect.
    ///
    /// ```
    /// use sundry::strategy::{Finder, Step, Strategy};
    ///
    /// struct First(Option<Finder>);
    ///
    /// impl Strategy for First {
    ///     fn step(&mut self, _: &mut dyn FnMut(usize)) -> Step {
    ///         match self.0.take() {
    ///             Some(mut finder) => finder.find(&[]),
    ///             None => Step::Stopped(sundry::StopReason::NothingNew),
    ///         }
    ///     }
    /// }
    ///
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
    /// let samples = formula.sampler().run_with(|problem, control| First(Some(Finder::new(problem, control))))?;
    /// assert_eq!(samples.solutions.len(), 1);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn run_with<S: sundry_sample::Strategy>(
        self,
        make: impl FnOnce(&Problem, &Control) -> S,
    ) -> Result<Samples, Error> {
        let request = self.request()?;
        let problem = &self.formula.parts().problem;
        let most = request.max_solutions.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
        let mut strategy = make(problem, &request.control);
        let summary =
            sample_with(problem, &mut strategy, self.target, most, &mut |_| ControlFlow::Continue(()));
        Samples::new(&self.formula, summary, Vec::new())
    }
}

/// Solutions from models.
pub(crate) fn solutions(
    formula: &Formula,
    models: impl IntoIterator<Item = Arc<sundry_term::Model>>,
) -> Vec<Solution> {
    models.into_iter().map(|model| Solution::new(formula.clone(), model)).collect()
}

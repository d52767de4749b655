//! Sampling: what to look for, how, and when to stop.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use sundry_sample::{
    Effort, Event, Granularity, Guidance, Method, PanOptions, Problem, Request, TWiseOptions, UniformMethod,
    UniformOptions, sample, sample_with,
};
use sundry_term::Control;

use crate::error::{Error, ErrorKind};
use crate::formula::Formula;
use crate::samples::Samples;
use crate::solution::Solution;
use crate::stream::Stream;

/// How solutions are chosen.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Strategy {
    /// A small set of solutions with complete coverage of the AST-bits, and proofs of both.
    #[default]
    Cover,
    /// PanSampler as published (Lyu et al., *Towards Comprehensive Sampling of SMT Solutions*).
    Pan(PanOptions),
    /// A small set of solutions that shows all combinations of so many values: 1, 2 or 3.
    TWise(usize),
    /// Every solution, once.
    All,
    /// Many different solutions: SMTSampler (Dutra, Bachrach & Sen, ICCAD 2018).
    SmtSampler(Granularity),
    /// Many solutions of many classes of the predicates: GuidedSampler (Dutra, Bachrach & Sen, FMCAD 2019).
    Guided(Guidance),
    /// Independent solutions that are all equally likely, up to a tolerance: with 0.3, the probability of each is between
    /// 1/1.3 and 1.3 times what is exactly uniform.
    Uniform(f64),
    /// Independent solutions by random decisions of the solver: fast, and nothing is known of how likely each solution is.
    Quick,
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
    pub(crate) formula: Formula,
    strategy: Strategy,
    target: f64,
    effort: Effort,
    project: Option<Vec<String>>,
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
            request: Request::cover(),
            timeout: None,
        }
    }

    /// The seed of all randomness [default: 0].
    pub fn seed(mut self, seed: u64) -> Self {
        self.request.seed = seed;
        self
    }

    /// The share of the AST-bits, without those proved impossible, that is enough: from 0 to 1 [default: 1]. The
    /// strategies [`Cover`](Strategy::Cover) and [`Pan`](Strategy::Pan) work towards this target.
    pub fn target(self, target: f64) -> Self {
        Sampler { target, ..self }
    }

    /// The number of solutions that is enough [default: no limit].
    ///
    /// ```
    /// use sundry::{Formula, Granularity, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 32)) (assert (bvugt x #x00001000))")?;
    /// let many = Strategy::SmtSampler(Granularity::Bit);
    /// let samples = formula.sampler().strategy(many).max_solutions(1000).run()?;
    /// assert_eq!(samples.solutions.len(), 1000);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn max_solutions(mut self, count: u64) -> Self {
        self.request.max_solutions = Some(count);
        self
    }

    /// How solutions are chosen [default: [`Strategy::Cover`]].
    ///
    /// ```
    /// use sundry::{Formula, Strategy};
    ///
    /// let text = "(declare-const p Bool) (declare-const q Bool) (declare-const r Bool) (assert (=> p q))";
    /// let formula = Formula::parse(text)?;
    /// let pairs = formula.sampler().strategy(Strategy::TWise(2)).run()?;
    /// let all = formula.sampler().strategy(Strategy::All).run()?;
    /// assert!(pairs.is_complete() && pairs.solutions.len() < all.solutions.len());
    /// assert_eq!(all.solutions.len(), 6);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn strategy(self, strategy: Strategy) -> Self {
        Sampler { strategy, ..self }
    }

    /// How long to go on looking for a smaller set once coverage is complete [default: [`Effort::Normal`]].
    pub fn effort(self, effort: Effort) -> Self {
        Sampler { effort, ..self }
    }

    /// The constants that tell solutions apart for [`Strategy::All`] [default: all]: of solutions that have the same values
    /// of these, one is found.
    ///
    /// ```
    /// use sundry::{Formula, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const x (_ BitVec 8)) (assert (= p (= x #x00)))")?;
    /// let samples = formula.sampler().strategy(Strategy::All).project(["p"]).run()?;
    /// assert_eq!(samples.solutions.len(), 2);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn project<T: Into<String>>(self, constants: impl IntoIterator<Item = T>) -> Self {
        Sampler { project: Some(constants.into_iter().map(T::into).collect()), ..self }
    }

    /// How many threads may work on the formula [default: 1]. Two are put to use; the solutions do not depend on this number.
    pub fn threads(mut self, threads: usize) -> Self {
        self.request.threads = threads;
        self
    }

    /// How long a run may take [default: no limit]. The solutions found by then are returned.
    pub fn timeout(self, timeout: Duration) -> Self {
        Sampler { timeout: Some(timeout), ..self }
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
        self.request.control = self.request.control.with_stop(stop);
        self
    }

    /// Samples the formula until the goal is reached, nothing more can be found, or the run is stopped.
    ///
    /// # Errors
    /// An argument is wrong: a target not between 0 and 1, an unknown constant to project to, a strategy that needs
    /// predicates without any; the formula is too large for a circuit, or cannot be sampled with this strategy; or the solver
    /// proposed a wrong model, which is a defect.
    pub fn run(self) -> Result<Samples, Error> {
        let request = self.request()?;
        let mut solutions = Vec::new();
        let summary = sample(&self.formula.parts().problem, &request, &mut |event| {
            if let Event::Solutions(found) = event {
                solutions.extend(found.models().map(Arc::new));
            }
            ControlFlow::Continue(())
        });
        let summary = summary.map_err(|error| self.formula.cannot_sample(&error))?;
        Samples::new(&self.formula, summary, solutions)
    }

    /// Samples the formula in a thread of its own, which sends what it finds as soon as it is found.
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

    /// Samples the formula with a strategy of your own, made for the [`Problem`] that the formula is, until the target is
    /// reached, there are enough solutions, or the strategy ends. [`crate::strategy`] has an example.
    ///
    /// # Errors
    /// The target is not between 0 and 1; or the strategy came across a wrong model of the solver, which is a defect.
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

    /// What to ask of the pipeline.
    fn request(&self) -> Result<Request, Error> {
        let Sampler { formula, strategy, target, effort, timeout, .. } = self;
        let wrong = |message: String| Err(Error::new(ErrorKind::Input, message));
        if !(0.0..=1.0).contains(target) {
            return wrong(format!("the target {target} is not between 0 and 1"));
        }
        let predicates = formula.predicates().to_vec();
        if matches!(strategy, Strategy::Guided(_)) && predicates.is_empty() {
            let error = Error::new(ErrorKind::Input, "the strategy is about predicates, and there are none");
            return Err(
                error.with_help("give the reader of the formula some: Formula::reader().predicates(TEXT)")
            );
        }
        let method = match strategy.clone() {
            Strategy::Cover => Method::Cover { target: *target, effort: *effort },
            Strategy::Pan(options) => Method::Pan { target: *target, options },
            Strategy::TWise(strength) if !(1..=sundry_sample::MAX_STRENGTH).contains(&strength) => {
                return wrong(format!("combinations of {strength} values are not supported"));
            }
            Strategy::TWise(strength) => Method::TWise(TWiseOptions { strength, ..TWiseOptions::default() }),
            Strategy::All => Request::all(self.projection()?).method,
            Strategy::SmtSampler(granularity) => Request::smtsampler(granularity).method,
            Strategy::Guided(guidance) => Request::guided(predicates, guidance).method,
            Strategy::Uniform(tolerance) => Request::uniform(tolerance).method,
            Strategy::Quick => Method::Uniform(UniformOptions::new(UniformMethod::Quick, 1.0)),
        };
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let control = match deadline {
            Some(_) => self.request.control.with_deadline(deadline),
            None => self.request.control.clone(),
        };
        Ok(Request { method, control, ..self.request.clone() })
    }

    /// The constants that tell solutions apart, where not all of them do.
    fn projection(&self) -> Result<Option<Vec<sundry_term::SymbolId>>, Error> {
        let parts = self.formula.parts();
        let Some(names) = &self.project else {
            let has_auxiliary = !parts.problem.roles.auxiliary.is_empty();
            return Ok(has_auxiliary.then(|| parts.problem.shown().collect()));
        };
        let find = |name: &String| {
            let named = parts.shown().rev().find(|(shown, _, _)| shown == name);
            named.map(|(_, symbol, _)| symbol).ok_or_else(|| {
                let message = format!("there is no constant '{name}' to project to");
                Error::new(ErrorKind::Input, message)
            })
        };
        names.iter().map(find).collect::<Result<Vec<_>, _>>().map(Some)
    }
}

/// Solutions from models.
pub(crate) fn solutions(
    formula: &Formula,
    models: impl IntoIterator<Item = Arc<sundry_term::Model>>,
) -> Vec<Solution> {
    models.into_iter().map(|model| Solution::new(formula.clone(), model)).collect()
}

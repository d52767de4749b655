//! Sampling: what to look for, how, and when to stop.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use sundry_sample::{
    Effort, Event, Granularity, Guidance, Method, Over, PanOptions, Problem, Request, Summary, TWiseOptions,
    UniformMethod, UniformOptions, VolumeOptions, VolumeStrategy, sample, sample_with,
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
    /// A solution of a random class of the predicates, again and again: a baseline of GuidedSampler.
    ClassesHard,
    /// A solution near a random class of the predicates, again and again: the other baseline of GuidedSampler.
    ClassesSoft,
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

    /// What [`Strategy::TWise`] combines [default: values of constants].
    ///
    /// ```
    /// use sundry::{Formula, Over, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let bits = formula.sampler().strategy(Strategy::TWise(2)).over(Over::Bits).run()?;
    /// // The assertion is a bit too, and always true: three combinations with p, and three with q.
    /// assert_eq!(bits.solutions.len(), 3);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn over(self, over: Over) -> Self {
        Sampler { over, ..self }
    }

    /// Whether [`Strategy::TWise`] goes on when all combinations are covered, up to the number of solutions that is enough, or
    /// to the last solution [default: no].
    ///
    /// ```
    /// use sundry::{Formula, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 4))")?;
    /// let sampler = formula.sampler().strategy(Strategy::TWise(1)).fill(true).max_solutions(12);
    /// assert_eq!(sampler.run()?.solutions.len(), 12);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn fill(self, fill: bool) -> Self {
        Sampler { fill, ..self }
    }

    /// Memory in bytes for solutions found before, by strategies that find many [default: 1 GiB]. When it is full, only recent
    /// solutions are known, and an older one may be found again.
    ///
    /// ```
    /// use sundry::{Formula, Granularity, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 16))")?;
    /// let sampler = formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit)).remembered(1 << 20);
    /// assert_eq!(sampler.max_solutions(100).run()?.solutions.len(), 100);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn remembered(self, bytes: usize) -> Self {
        Sampler { remembered: bytes, ..self }
    }

    /// Which of the runs with this seed it is, of strategies that find many solutions [default: 0]. Another run takes other
    /// solutions first, so that a run which goes on where one was cut does not find the same again.
    ///
    /// ```
    /// use sundry::{Formula, Granularity, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 32))")?;
    /// let sampler = formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit)).max_solutions(10);
    /// let (first, second) = (sampler.clone().run()?, sampler.run_number(10).run()?);
    /// assert_ne!(format!("{:?}", first.solutions), format!("{:?}", second.solutions));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn run_number(self, number: u64) -> Self {
        Sampler { run_number: number, ..self }
    }

    /// Whether [`Strategy::TWise`] writes what it claims as scripts, for [`Formula::obligations`] [default: no]. Other strategies
    /// need not know before.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sundry::{Formula, Strategy};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let sampler = formula.sampler().strategy(Strategy::TWise(2)).with_obligations(true);
    /// let summary = sampler.observe(&mut |_| ControlFlow::Continue(()))?;
    /// assert!(!formula.obligations(&summary).is_empty());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn with_obligations(mut self, obligations: bool) -> Self {
        self.request.obligations = obligations;
        self
    }

    /// Whether the process ends soon after the run, which then need not give back its memory piece by piece [default: no]. On large
    /// formulas that takes seconds.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool)")?;
    /// assert_eq!(formula.sampler().ends_process(true).run()?.solutions.len(), 1);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn ends_process(mut self, ends: bool) -> Self {
        self.request.is_last = ends;
        self
    }

    /// What stops the run: a deadline, flags [default: nothing].
    ///
    /// ```
    /// use std::time::Instant;
    /// use sundry::coverage::Control;
    /// use sundry::{Formula, StopReason};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 8))")?;
    /// let now = Control::default().with_deadline(Some(Instant::now()));
    /// assert_eq!(formula.sampler().control(now).run()?.stopped_by, StopReason::Deadline);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn control(mut self, control: Control) -> Self {
        self.request.control = control;
        self
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
    pub fn observe(&self, receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>) -> Result<Summary, Error> {
        let request = self.request()?;
        sample(&self.formula.parts().problem, &request, receive)
            .map_err(|error| self.formula.cannot_sample(&error))
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
        let is_guided =
            matches!(strategy, Strategy::Guided(_) | Strategy::ClassesHard | Strategy::ClassesSoft);
        if is_guided && predicates.is_empty() {
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
            Strategy::TWise(strength) => {
                Method::TWise(TWiseOptions { strength, over: self.over, predicates, fill: self.fill })
            }
            Strategy::All => Method::Volume(self.volume(VolumeStrategy::All)?),
            Strategy::SmtSampler(granularity) => {
                Method::Volume(VolumeOptions { granularity, ..self.volume(VolumeStrategy::Combine)? })
            }
            Strategy::Guided(guidance) => Method::Volume(self.volume(VolumeStrategy::Guide(guidance))?),
            Strategy::ClassesHard => Method::Volume(self.volume(VolumeStrategy::ClassesHard)?),
            Strategy::ClassesSoft => Method::Volume(self.volume(VolumeStrategy::ClassesSoft)?),
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

    /// A way to find many solutions.
    fn volume(&self, strategy: VolumeStrategy) -> Result<VolumeOptions, Error> {
        Ok(VolumeOptions {
            predicates: self.formula.predicates().to_vec(),
            project: self.projection()?,
            stream: self.run_number,
            memory: self.remembered,
            ..VolumeOptions::new(strategy)
        })
    }

    /// The constants that tell solutions apart, where not all of them do.
    fn projection(&self) -> Result<Option<Vec<sundry_term::SymbolId>>, Error> {
        let parts = self.formula.parts();
        let Some(names) = &self.project else {
            let has_auxiliary = !parts.problem.roles.auxiliary.is_empty();
            return Ok(has_auxiliary.then(|| parts.problem.shown().collect()));
        };
        let find = |name: &String| {
            self.formula.constant(name).ok_or_else(|| {
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

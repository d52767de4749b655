//! The options of a sampler, one by one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sundry_sample::{Effort, Over};
use sundry_term::Control;

use super::{Sampler, Strategy};

impl Sampler {
    /// The seed of all randomness [default: 0].
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
    /// let run = |seed| formula.sampler().seed(seed).run();
    /// assert_eq!(format!("{:?}", run(7)?.solutions), format!("{:?}", run(7)?.solutions));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        self.request.seed = seed;
        self
    }

    /// The share of the AST-bits, without those proved impossible, that is enough: from 0 to 1 [default: 1]. The
    /// strategies [`Cover`](Strategy::Cover) and [`Pan`](Strategy::Pan) work towards this target.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
    /// assert!(formula.sampler().target(0.5).run()?.coverage() >= 0.5);
    /// assert!(formula.sampler().target(50.0).run().is_err());
    /// # Ok::<(), sundry::Error>(())
    /// ```
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

    /// Sets the strategy that chooses solutions [default: [`Strategy::Cover`]].
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

    /// Sets the effort of looking for a smaller set once coverage is complete [default: [`Effort::Normal`]].
    ///
    /// ```
    /// use sundry::{Effort, Formula};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
    /// let quick = formula.sampler().effort(Effort::Low).run()?;
    /// assert!(quick.is_complete());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn effort(self, effort: Effort) -> Self {
        Sampler { effort, ..self }
    }

    /// Sets the constants that distinguish solutions for [`Strategy::All`] [default: all]: of solutions with the same
    /// values of these, one is found.
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

    /// Sets what [`Strategy::TWise`] combines [default: values of constants].
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

    /// Sets whether [`Strategy::TWise`] continues when all combinations are covered, up to the maximal number of
    /// solutions, or to the last solution [default: no].
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

    /// Sets the number of the run among those with this seed, for strategies that find many solutions [default: 0].
    /// Another run takes other solutions first, so that a run that continues an interrupted one does not find the same
    /// again.
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

    /// Sets whether [`Strategy::TWise`] writes its claims as scripts, for
    /// [`Formula::obligations`](crate::Formula::obligations) [default: no]. Other strategies need no such option.
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

    /// Sets whether the process ends soon after the run, which then need not give back its memory piece by piece
    /// [default: no]. On large formulas that takes seconds.
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

    /// Sets the control that stops the run: a deadline, flags [default: none].
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

    /// Sets the maximal number of threads that work on the formula [default: 1]. At most two are used; the solutions do
    /// not depend on this number.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
    /// let run = |threads| formula.sampler().threads(threads).run();
    /// assert_eq!(format!("{:?}", run(1)?.solutions), format!("{:?}", run(2)?.solutions));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn threads(mut self, threads: usize) -> Self {
        self.request.threads = threads;
        self
    }

    /// Limits the time of a run [default: no limit]. The solutions found by then are returned.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
    /// let samples = formula.sampler().timeout(Duration::from_secs(60)).run()?;
    /// assert!(samples.elapsed < Duration::from_secs(61));
    /// # Ok::<(), sundry::Error>(())
    /// ```
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
}

//! One question: whether a formula has a solution.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use sundry_sample::Rejection;
use sundry_solver::{
    EngineOptions, FloatOptions, Limits, Partial, PartialReceiver, Refusal, SatOptions, Session, Tracking,
    UnknownReason,
};
use sundry_term::{Control, Stopped};

use crate::error::{Error, ErrorKind};
use crate::formula::Formula;
use crate::solution::Solution;

/// The answer of [`Formula::solve`] and [`Solver::run`].
///
/// ```
/// use sundry::{Answer, Formula};
///
/// let describe = |text: &str| -> Result<String, sundry::Error> {
///     Ok(match Formula::parse(text)?.solve(None)? {
///         Answer::Satisfiable(solution) => format!("p is {:?}", solution.value("p")),
///         Answer::Unsatisfiable { .. } => "no solution".to_string(),
///         Answer::Unknown(reason) => format!("unknown: {reason}"),
///     })
/// };
/// assert_eq!(describe("(declare-const p Bool) (assert p)")?, "p is Some(Bool(true))");
/// assert_eq!(describe("(declare-const p Bool) (assert p) (assert (not p))")?, "no solution");
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum Answer {
    /// A solution, accepted by the evaluator.
    Satisfiable(Solution),
    /// No solution exists.
    Unsatisfiable {
        /// The numbers of assertions that have no solution together, from 0 and ascending, where the solver was asked for them
        /// ([`Solver::with_core`]). The core need not be as small as possible.
        core: Option<Vec<usize>>,
    },
    /// Nothing is known, for this reason: a limit was reached, or a theory is not complete.
    Unknown(UnknownReason),
}

/// Asks whether a [`Formula`] has a solution, with options.
///
/// ```
/// use sundry::{Answer, Formula};
///
/// let text = "(declare-const x Int) (assert (> x 5)) (assert (< x 9)) (assert (< x 3))";
/// let Answer::Unsatisfiable { core } = Formula::parse(text)?.solver().with_core(true).run()? else { panic!("x > 5 and x < 3") };
/// assert_eq!(core, Some(vec![0, 2]));
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    formula: Formula,
    control: Control,
    timeout: Option<Duration>,
    seed: u32,
    floats: FloatOptions,
    wants_core: bool,
}

impl Formula {
    /// Looks for one solution.
    ///
    /// # Errors
    /// The formula is too large for a circuit; or the solver's model is wrong, which is a defect.
    ///
    /// ```
    /// use sundry::{Answer, Formula};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert (and p (not p)))")?;
    /// assert!(matches!(formula.solve(None)?, Answer::Unsatisfiable { .. }));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn solve(&self, timeout: Option<Duration>) -> Result<Answer, Error> {
        Solver { timeout, ..self.solver() }.run()
    }

    /// A solver of this formula, which has options.
    ///
    /// ```
    /// use std::time::Duration;
    /// use sundry::{Answer, Formula};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x31))")?;
    /// let answer = formula.solver().seed(3).timeout(Duration::from_secs(60)).run()?;
    /// assert!(matches!(answer, Answer::Satisfiable(_)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn solver(&self) -> Solver {
        Solver {
            formula: self.clone(),
            control: Control::default(),
            timeout: None,
            seed: 0,
            floats: FloatOptions::default(),
            wants_core: false,
        }
    }

    /// [`solve`](Self::solve), which also returns up to so many different assignments that the search passes on its way, each with the numbers of
    /// the assertions that it satisfies (of `parts().problem.assertions`).
    ///
    /// # Errors
    /// The errors of [`solve`](Self::solve).
    ///
    /// ```
    /// use sundry::{Answer, Formula, PartialOrigin};
    ///
    /// let text = "(declare-const x Int) (declare-const y Int) (assert (>= (+ x y) 2))
    ///             (assert (>= (- (* 2 y) x) 1)) (assert (>= (- (* 2 x) y) 0))";
    /// let (answer, partials) = Formula::parse(text)?.solve_and_report(None, 100)?;
    /// assert!(matches!(answer, Answer::Satisfiable(_)));
    /// // At first, x and y are 0; then x is 2.
    /// let satisfied: Vec<&[usize]> = partials.iter().map(|partial| &partial.satisfied[..]).collect();
    /// assert_eq!(satisfied, [&[2][..], &[0, 2]]);
    /// assert!(partials.iter().all(|partial| partial.origin == PartialOrigin::Pivot));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn solve_and_report(
        &self,
        timeout: Option<Duration>,
        most: usize,
    ) -> Result<(Answer, Vec<Partial>), Error> {
        Solver { timeout, ..self.solver() }.run_and_report(most)
    }
}

impl Solver {
    /// Limits the time of the search [default: no limit].
    ///
    /// ```
    /// use std::time::Duration;
    /// use sundry::{Answer, Formula, UnknownReason};
    ///
    /// // Two factors of a product of two primes.
    /// let text = "(declare-const p (_ BitVec 128)) (declare-const q (_ BitVec 128))
    ///             (assert (= (bvmul p q) (_ bv340282366920938460843936948965011886881 128)))
    ///             (assert (bvult p (_ bv18446744073709551616 128))) (assert (bvult q (_ bv18446744073709551616 128)))
    ///             (assert (bvugt p (_ bv1 128))) (assert (bvugt q (_ bv1 128)))";
    /// let answer = Formula::parse(text)?.solver().timeout(Duration::from_millis(50)).run()?;
    /// assert!(matches!(answer, Answer::Unknown(UnknownReason::Timeout)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn timeout(self, timeout: Duration) -> Self {
        Solver { timeout: Some(timeout), ..self }
    }

    /// Sets the control that stops the search: a deadline, flags [default: none].
    ///
    /// ```
    /// use std::time::Instant;
    /// use sundry::{Answer, Control, Formula, UnknownReason};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x31))")?;
    /// let now = Control::default().with_deadline(Some(Instant::now()));
    /// assert!(matches!(formula.solver().control(now).run()?, Answer::Unknown(UnknownReason::Timeout)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn control(self, control: Control) -> Self {
        Solver { control, ..self }
    }

    /// A flag that ends the search when it is set, from another thread.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::AtomicBool;
    /// use sundry::{Answer, Formula, UnknownReason};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x31))")?;
    /// let stop = Arc::new(AtomicBool::new(true));
    /// assert!(matches!(formula.solver().stop_flag(stop).run()?, Answer::Unknown(UnknownReason::Interrupted)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn stop_flag(self, stop: Arc<AtomicBool>) -> Self {
        Solver { control: self.control.with_stop(stop), ..self }
    }

    /// The seed of the search [default: 0]. Another one may lead to another solution.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvugt x #x10))")?;
    /// assert!(matches!(formula.solver().seed(7).run()?, sundry::Answer::Satisfiable(_)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn seed(self, seed: u32) -> Self {
        Solver { seed, ..self }
    }

    /// Sets how floating-point values are searched for [default: circuits and optimisation take turns].
    ///
    /// ```
    /// use sundry::{Answer, FloatOptions, Formula};
    ///
    /// let formula = Formula::parse("(declare-const x Float32) (assert (fp.gt x (fp.add RNE x x)))")?;
    /// let Answer::Satisfiable(solution) = formula.solver().floats(FloatOptions::circuit()).run()? else { panic!("-1") };
    /// assert!(matches!(solution.value("x"), Some(sundry::Value::Float(x)) if x.is_negative()));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn floats(self, floats: FloatOptions) -> Self {
        Solver { floats, ..self }
    }

    /// Sets whether an unsatisfiable formula comes with a core [default: no]. The assertions are assumptions of the search then,
    /// which costs some simplifications.
    ///
    /// ```
    /// use sundry::{Answer, Formula};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert p) (assert q) (assert (not p))")?;
    /// let answer = formula.solver().with_core(true).run()?;
    /// let Answer::Unsatisfiable { core: Some(core) } = answer else { panic!("p and not p") };
    /// let texts: Vec<String> = core.iter().map(|&number| formula.assertion(number).expect("a number").text).collect();
    /// assert_eq!(texts, ["p", "(not p)"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn with_core(self, core: bool) -> Self {
        Solver { wants_core: core, ..self }
    }

    /// Looks for one solution.
    ///
    /// # Errors
    /// The formula is too large for a circuit; or the solver's model is wrong, which is a defect.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
    /// assert!(matches!(formula.solver().run()?, sundry::Answer::Satisfiable(_)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn run(&self) -> Result<Answer, Error> {
        self.ask(None)
    }

    /// [`run`](Self::run), which also returns up to so many partial solutions: see [`Formula::solve_and_report`].
    ///
    /// # Errors
    /// The errors of [`run`](Self::run).
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const n Int) (assert (> n 5))")?;
    /// let (_, partials) = formula.solver().run_and_report(10)?;
    /// assert!(partials.len() <= 10);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn run_and_report(&self, most: usize) -> Result<(Answer, Vec<Partial>), Error> {
        let mut partials = Vec::new();
        let answer = self.ask(Some((most, &mut |_, partial| partials.push(partial))))?;
        Ok((answer, partials))
    }

    fn ask(&self, partials: Option<(usize, PartialReceiver<'_>)>) -> Result<Answer, Error> {
        let Solver { formula, seed, floats, wants_core, .. } = self;
        let control = self.limited_control();
        let problem = &formula.parts().problem;
        let mut store = problem.store.clone();
        let sat = SatOptions { seed: *seed, ..SatOptions::default() };
        let options = EngineOptions { sat, ..EngineOptions::for_single_questions() };
        let mut session = Session::new(options).with_floats(*floats);
        let tracking = if *wants_core { Tracking::Named } else { Tracking::Silent };
        problem.assertions.iter().for_each(|&assertion| session.assert(assertion, tracking));
        let limits = Limits::new(&control, None);
        let answer = match partials {
            None => session.check(&mut store, &[], &limits),
            Some((most, receive)) => session.check_and_report(&mut store, &[], &limits, most, receive),
        };
        Ok(match answer {
            sundry_solver::Answer::Sat(model) => match problem.judge(model, &control) {
                Ok(solution) => Answer::Satisfiable(Solution::new(formula.clone(), solution.model)),
                Err(Rejection::Wrong(error)) => return Err(Error::new(ErrorKind::Internal, error)),
                Err(Rejection::Unjudged(stopped)) => Answer::Unknown(reason_of(stopped)),
            },
            sundry_solver::Answer::Unsat(core) => {
                Answer::Unsatisfiable { core: wants_core.then_some(core.assertions) }
            }
            sundry_solver::Answer::Unknown(reason) => match reason {
                UnknownReason::TooLarge(error) => return Err(formula.refused(&Refusal::TooLarge(error))),
                UnknownReason::Unsupported(error) => {
                    return Err(formula.refused(&Refusal::Unsupported(error)));
                }
                UnknownReason::RejectedModel(_) => return Err(Error::new(ErrorKind::Internal, reason)),
                reason => Answer::Unknown(reason),
            },
        })
    }

    /// The control, with the time limit that begins now.
    fn limited_control(&self) -> Control {
        let limit = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        match limit {
            None => self.control.clone(),
            Some(limit) => {
                let first = self.control.deadline().map_or(limit, |deadline| deadline.min(limit));
                self.control.with_deadline(Some(first))
            }
        }
    }
}

/// The reason why nothing is known, where the control stopped the work.
fn reason_of(stopped: Stopped) -> UnknownReason {
    match stopped {
        Stopped::Deadline => UnknownReason::Timeout,
        Stopped::Interrupted => UnknownReason::Interrupted,
        Stopped::Memory => UnknownReason::Memory,
    }
}

//! The parts of strategies of one's own, and of judging models.

/// A problem is a formula as strategies get it: terms, the assertions among them, and the symbols that solutions define.
///
/// ```
/// use sundry::Formula;
/// use sundry::strategy::Problem;
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let problem: &Problem = &formula.parts().problem;
/// let names: Vec<&str> = problem.symbols.iter().map(|&symbol| &*problem.store.symbol(symbol).name).collect();
/// assert_eq!((names, problem.assertions.len(), problem.ast_bits.total()), (vec!["p", "q"], 1, 6));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Problem;

/// A strategy gets solutions from the judge of its problem, which accepts a model or says what is wrong with it.
///
/// ```
/// use sundry::strategy::{Control, Solution};
/// use sundry::{Formula, Model, Value};
///
/// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
/// let symbol = formula.constant("p").expect("it is declared");
/// let mut model = Model::new();
/// assert!(formula.parts().problem.judge(model.clone(), &Control::default()).is_err());
/// model.set_constant(symbol, Value::Bool(true));
/// let solution: Solution = formula.parts().problem.judge(model, &Control::default()).expect("p is true");
/// assert_eq!(solution.model.constant(symbol), Some(&Value::Bool(true)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Solution;

/// A strategy of your own is an object that takes one step at a time.
///
/// ```
/// use sundry::strategy::{Step, StopReason, Strategy};
///
/// struct Lazy;
///
/// impl Strategy for Lazy {
///     fn step(&mut self, _: &mut dyn FnMut(usize)) -> Step {
///         Step::Stopped(StopReason::NothingNew)
///     }
/// }
///
/// let formula = sundry::Formula::parse("(declare-const p Bool)")?;
/// assert!(formula.sampler().run_with(|_, _| Lazy)?.solutions.is_empty());
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Strategy;

/// A step is what a [`Finder`](crate::strategy::Finder) returns, and what a strategy of your own reports.
///
/// ```
/// use sundry::strategy::{Finder, Step};
/// use sundry::{Control, Formula};
///
/// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
/// let mut finder = Finder::new(&formula.parts().problem, &Control::default());
/// let Step::Found(solution) = finder.find_another() else { panic!("p may be true") };
/// // Two AST-bits say that p is false, and that it is true; the solution has the second.
/// assert!(!solution.bits.covers(0) && solution.bits.covers(1));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Step;

/// A strategy that comes across a wrong model reports it, and the run fails as one with a defect.
///
/// ```
/// use sundry::strategy::{Step, StopReason, Strategy, WrongModel};
///
/// struct Wrong(Vec<Step>);
///
/// impl Strategy for Wrong {
///     fn step(&mut self, _: &mut dyn FnMut(usize)) -> Step {
///         self.0.pop().unwrap_or(Step::Stopped(StopReason::NothingNew))
///     }
/// }
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let failed = Step::Failed(WrongModel { assertion: 0 });
/// let error = formula.sampler().run_with(|_, _| Wrong(vec![failed])).expect_err("a defect");
/// assert_eq!(error.kind(), sundry::ErrorKind::Internal);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::WrongModel;

//! Single questions: floating-point values, partial solutions, and why there is no answer.

/// A method decides whether circuits or optimisation look for floating-point values.
///
/// ```
/// use sundry::{Answer, FloatMethod, FloatOptions, Formula};
///
/// let formula = Formula::parse("(declare-const x Float64) (assert (fp.gt (fp.mul RNE x x) x))")?;
/// let options = FloatOptions { method: FloatMethod::Search, ..FloatOptions::default() };
/// assert!(matches!(formula.solver().floats(options).run()?, Answer::Satisfiable(_)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_solver::FloatMethod;

/// Options for floating-point values go to a [`Solver`](crate::Solver), or to scripts.
///
/// ```
/// use sundry::script::{Conversation, InterpreterOptions, Response};
/// use sundry::{FloatMethod, FloatOptions};
///
/// let floats = FloatOptions::circuit();
/// assert_eq!(floats.method, FloatMethod::Circuit);
/// let mut conversation = Conversation::new(InterpreterOptions { floats, ..InterpreterOptions::default() });
/// let responses = conversation.run("(declare-const x Float16) (assert (fp.isNaN x)) (check-sat)");
/// assert_eq!(responses.last(), Some(&Response::Text("sat".into())));
/// ```
pub use sundry_solver::FloatOptions;

/// A strategy says how optimisation goes from point to point.
///
/// ```
/// use sundry::{Answer, FloatMethod, FloatOptions, FloatStrategy, Formula};
///
/// let formula = Formula::parse("(declare-const x Float64) (assert (fp.gt (fp.mul RNE x x) x))")?;
/// for strategy in [FloatStrategy::BasinHopping, FloatStrategy::Annealing, FloatStrategy::Swarm] {
///     let options = FloatOptions { method: FloatMethod::Search, strategy, ..FloatOptions::default() };
///     assert!(matches!(formula.solver().floats(options).run()?, Answer::Satisfiable(_)));
/// }
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_solver::FloatStrategy;

/// A partial solution is an assignment on the way of a search, with the assertions that it satisfies.
///
/// ```
/// use sundry::{Formula, Partial, Value};
///
/// let text = "(declare-const x Int) (declare-const y Int) (assert (>= (+ x y) 2))
///             (assert (>= (- (* 2 y) x) 1)) (assert (>= (- (* 2 x) y) 0))";
/// let formula = Formula::parse(text)?;
/// let (_, partials) = formula.solve_and_report(None, 10)?;
/// let Partial { model, satisfied, .. } = &partials[0];
/// let x = formula.constant("x").expect("it is declared");
/// assert_eq!((model.constant(x), &satisfied[..]), (Some(&Value::Int(0.into())), &[2][..]));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_solver::Partial;

/// An origin says at which place of a search a [`Partial`] solution was met.
///
/// ```
/// use sundry::{Formula, PartialOrigin};
///
/// let text = "(declare-const x Int) (declare-const y Int) (assert (>= (+ x y) 2))
///             (assert (>= (- (* 2 y) x) 1)) (assert (>= (- (* 2 x) y) 0))";
/// let formula = Formula::parse(text)?;
/// let (_, partials) = formula.solve_and_report(None, 10)?;
/// assert_eq!(partials[0].origin, PartialOrigin::Pivot);
/// assert_eq!(PartialOrigin::Pivot.name(), "pivot");
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_solver::PartialOrigin;

/// A question without an answer has a reason, with a text for people.
///
/// ```
/// use std::time::Duration;
/// use sundry::{Answer, Formula, UnknownReason};
///
/// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
/// let Answer::Unknown(reason) = formula.solve(Some(Duration::ZERO))? else { panic!("time was up") };
/// assert_eq!(reason, UnknownReason::Timeout);
/// assert_eq!(reason.to_string(), "the time limit was reached");
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_solver::UnknownReason;

/// A waypoint chooses the points of optimisation that count as [`Partial`] solutions.
///
/// ```
/// use sundry::{FloatMethod, FloatOptions, Formula, PartialOrigin, Waypoint};
///
/// let text = "(declare-const x Float64) (declare-const y Float64) (assert (fp.eq (fp.mul RNE x y) ((_ to_fp 11 53) RNE 7.5)))
///             (assert (fp.eq (fp.add RNE x y) ((_ to_fp 11 53) RNE 5.5)))";
/// let formula = Formula::parse(text)?;
/// let partial = Waypoint::Accepted;
/// let options = FloatOptions { method: FloatMethod::Search, partial, ..FloatOptions::default() };
/// let (_, partials) = formula.solver().floats(options).run_and_report(10)?;
/// assert_eq!(partials.first().map(|partial| partial.origin), Some(PartialOrigin::Optimisation));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_solver::Waypoint;

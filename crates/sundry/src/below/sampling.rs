//! The choices of a sampler.

/// An effort for the work that is left when coverage is complete: a smaller set, and a proof that none is smaller.
///
/// ```
/// use sundry::{Effort, Formula};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
/// assert!(formula.sampler().effort(Effort::Max).run()?.is_minimal());
/// assert!(Effort::Low < Effort::Normal && Effort::Normal < Effort::Max);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Effort;

/// A granularity is a variant of [`Strategy::SmtSampler`](crate::Strategy::SmtSampler).
///
/// ```
/// use sundry::{Formula, Granularity, Strategy};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 16)) (assert (bvult x #x4000))")?;
/// for granularity in [Granularity::Bit, Granularity::Value, Granularity::Gate] {
///     let sampler = formula.sampler().strategy(Strategy::SmtSampler(granularity)).max_solutions(20);
///     assert_eq!(sampler.run()?.solutions.len(), 20);
/// }
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Granularity;

/// A guidance is a variant of [`Strategy::Guided`](crate::Strategy::Guided), which reaches more combinations of predicates.
///
/// ```
/// use sundry::{Formula, Guidance, Strategy, Value};
///
/// let reader = Formula::reader().predicates("(define-fun low () Bool (bvult x #x0010))");
/// let formula = reader.read("(declare-const x (_ BitVec 16))")?;
/// let samples = formula.sampler().strategy(Strategy::Guided(Guidance::Bases)).max_solutions(20).run()?;
/// let is_low = |solution: &sundry::Solution| solution.evaluate("(bvult x #x0010)") == Ok(Value::Bool(true));
/// assert!(samples.solutions.iter().any(is_low));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Guidance;

/// [`Strategy::Uniform`](crate::Strategy::Uniform) takes no smaller tolerance.
///
/// ```
/// use sundry::{Formula, LEAST_TOLERANCE, Strategy};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let run = |tolerance| formula.sampler().strategy(Strategy::Uniform(tolerance)).max_solutions(5).run();
/// assert_eq!(run(LEAST_TOLERANCE)?.solutions.len(), 5);
/// assert!(run(LEAST_TOLERANCE / 2.0).is_err());
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::LEAST_TOLERANCE;

/// [`Strategy::TWise`](crate::Strategy::TWise) combines at most so many values.
///
/// ```
/// use sundry::{Formula, MAX_STRENGTH, Strategy};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (declare-const r Bool)")?;
/// let run = |strength| formula.sampler().strategy(Strategy::TWise(strength)).run();
/// assert_eq!(run(MAX_STRENGTH)?.solutions.len(), 8);
/// assert!(run(MAX_STRENGTH + 1).is_err());
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::MAX_STRENGTH;

/// [`Sampler::over`](crate::Sampler::over) says whether values, bits or predicates are combined.
///
/// ```
/// use sundry::{Formula, Over, Strategy};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 2)) (assert (bvule x #b11))")?;
/// let count = |over| Ok::<_, sundry::Error>(formula.sampler().strategy(Strategy::TWise(1)).over(over).run()?.solutions.len());
/// // Four values of two bits need four solutions, and two values of each bit need two.
/// assert_eq!((count(Over::Values)?, count(Over::Bits)?), (4, 2));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Over;

/// Options of [`Strategy::Pan`](crate::Strategy::Pan) switch parts of the published algorithm off and on.
///
/// ```
/// use sundry::{Formula, PanOptions, Strategy};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
/// let options = PanOptions { candidates: 10, push_uncovered: true, ..PanOptions::default() };
/// let samples = formula.sampler().strategy(Strategy::Pan(options)).target(0.9).run()?;
/// assert!(samples.coverage() >= 0.9);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::PanOptions;

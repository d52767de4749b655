//! The results of samplers and decisions, in numbers.

/// The coverage of a set has the unit of its strategy, and a common way to count it.
///
/// ```
/// use sundry::{Covered, Formula, Strategy};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let Some(bits @ Covered::AstBits { .. }) = formula.sampler().run()?.covered else { panic!("a set") };
/// assert_eq!((bits.count(), bits.base()), (5, 5));
/// let pairs = formula.sampler().strategy(Strategy::TWise(2)).run()?.covered;
/// assert!(matches!(pairs, Some(Covered::Tuples(_))));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Covered;

/// A predicate may hold in some solutions and fail in others, and [`Formula::decide_predicates`](crate::Formula::decide_predicates)
/// finds out whether it does.
///
/// ```
/// use sundry::{Formula, Possibilities, Possibility};
///
/// let reader = Formula::reader().predicates("(define-fun none () Bool (not (or p q)))");
/// let formula = reader.read("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let never = Possibilities { holds: Possibility::Impossible, fails: Possibility::Possible };
/// assert_eq!(formula.decide_predicates(None)?, [never]);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Possibilities;

/// A possibility is also known of each AST-bit, after [`Formula::decide`](crate::Formula::decide).
///
/// ```
/// use sundry::{Control, Formula, Possibility};
///
/// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
/// let decided = formula.decide(&Control::default())?;
/// // The first AST-bit says that p is false, the second that p is true.
/// assert_eq!(decided.ast_bit(0), Some(Possibility::Impossible));
/// assert_eq!(decided.ast_bit(1), Some(Possibility::Possible));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Possibility;

/// A run that ends before its goal is no error, and its reason to stop says why.
///
/// ```
/// use sundry::{Formula, StopReason};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 8))")?;
/// let samples = formula.sampler().max_solutions(1).run()?;
/// assert_eq!(samples.stopped_by, StopReason::MaximalSolutions);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::StopReason;

/// The counts of combinations are the coverage of [`Strategy::TWise`](crate::Strategy::TWise).
///
/// ```
/// use sundry::{Covered, Formula, Strategy, TupleCounts};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let covered = formula.sampler().strategy(Strategy::TWise(2)).run()?.covered;
/// assert_eq!(covered, Some(Covered::Tuples(TupleCounts { all: 4, covered: 3, impossible: 1 })));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::TupleCounts;

/// Three numbers say how many AST-bits can be covered, how many cannot, and how many are undecided.
///
/// ```
/// use sundry::{Covered, Formula, Validity};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let Some(Covered::AstBits { validity, .. }) = formula.sampler().run()?.covered else { panic!("a set") };
/// assert_eq!(validity, Validity { valid: 5, impossible: 1, unknown: 0 });
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Validity;

//! Events and figures of runs.

/// A curve has a point for each time that a run covered more than before.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::CurvePoint;
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let summary = formula.sampler().observe(&mut |_| ControlFlow::Continue(()))?;
/// let curve: &[CurvePoint] = &summary.set().expect("a set").curve;
/// assert!(curve.is_sorted_by_key(|point| point.covered));
/// assert_eq!(curve.last().map(|point| point.covered), Some(5));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::CurvePoint;

/// A run reports events, and a receiver that has enough solutions ends it.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::Event;
/// use sundry::{Formula, StopReason};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 32))")?;
/// let summary = formula.sampler().observe(&mut |event| match event {
///     Event::Set(_) => ControlFlow::Break(()),
///     _ => ControlFlow::Continue(()),
/// })?;
/// assert_eq!(summary.stopped_by, StopReason::MaximalSolutions);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Event;

/// A run claims that some AST-bits are impossible, and an obligation is a script by which any solver can check such a claim.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::Obligation;
/// use sundry::{Answer, Formula};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let summary = formula.sampler().observe(&mut |_| ControlFlow::Continue(()))?;
/// let obligations: Vec<Obligation> = formula.obligations(&summary);
/// assert_eq!(obligations[0].name, "impossible");
/// let script = obligations[0].script.clone();
/// assert!(matches!(Formula::parse(script)?.solve(None)?, Answer::Unsatisfiable { .. }));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Obligation;

/// The part of a summary depends on the strategy.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::Part;
/// use sundry::{Formula, Strategy};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool)")?;
/// let part = |strategy| Ok::<_, sundry::Error>(formula.sampler().strategy(strategy).observe(&mut |_| ControlFlow::Continue(()))?.part);
/// assert!(matches!(part(Strategy::Cover)?, Part::Set(_)));
/// assert!(matches!(part(Strategy::TWise(2))?, Part::Tuples(_)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Part;

/// Solutions found together may be read without a model for each.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::{Event, PlainSolutions};
/// use sundry::{Formula, Granularity, Strategy};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 16)) (declare-const p Bool)")?;
/// let mut values = 0;
/// formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit)).max_solutions(100).observe(&mut |event| {
///     if let Event::Solutions(solutions) = event {
///         let plain: PlainSolutions = solutions.plain().expect("Booleans and bit-vectors alone");
///         values += plain.lanes().map(|lane| plain.values(lane).count()).sum::<usize>();
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(values, 2 * 100);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::PlainSolutions;

/// A plain value is a truth value, or a bit-vector by words of 64 bits.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::{Event, PlainValue};
/// use sundry::{Formula, Granularity, Strategy};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 16)) (assert (bvult x #x4000))")?;
/// let mut greatest = 0;
/// # let mut observe = |event: Event| {
/// # if let Event::Solutions(solutions) = event {
/// # let plain = solutions.plain().expect("bit-vectors alone");
/// for value in plain.lanes().flat_map(|lane| plain.values(lane)) {
///     let PlainValue::Bits(bits) = value else { panic!("x is no Boolean") };
///     assert_eq!(bits.width(), 16);
///     greatest = greatest.max(bits.limb(0));
/// }
/// # }
/// # ControlFlow::Continue(())
/// # };
/// # let many = Strategy::SmtSampler(Granularity::Bit);
/// # formula.sampler().strategy(many).max_solutions(100).observe(&mut observe)?;
/// assert!((1..0x4000).contains(&greatest));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::PlainValue;

/// A run says before its search what it makes ready.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::{Event, Preparation};
///
/// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8))")?;
/// let mut preparations = Vec::new();
/// formula.sampler().observe(&mut |event| {
///     if let Event::Preparing(preparation) = event {
///         preparations.push(preparation);
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert!(preparations.contains(&Preparation::Circuit));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Preparation;

/// A run shows its progress whenever the set is another one, or more is known about it.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::{Event, Progress};
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let mut last = 0;
/// formula.sampler().observe(&mut |event| {
///     if let Event::Set(Progress { covered, .. }) = event {
///         last = covered.count();
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(last, 5);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Progress;

/// A run first covers what it can, and then improves its set.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::{Event, Purpose};
///
/// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
/// let mut purposes = Vec::new();
/// formula.sampler().observe(&mut |event| {
///     if let Event::Set(progress) = event {
///         purposes.push(progress.purpose);
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(purposes.first(), Some(&Purpose::Covering));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Purpose;

/// The solutions of a set come with what each adds to those before it.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::RatedSolution;
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let summary = formula.sampler().observe(&mut |_| ControlFlow::Continue(()))?;
/// let rated: &[RatedSolution] = summary.solutions();
/// assert_eq!(rated.iter().map(|solution| solution.gain).sum::<u64>(), 5);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::RatedSolution;

/// A run that cannot start has a cause, which programs can look at.
///
/// ```
/// use sundry::pipeline::SampleError;
/// use sundry::{Formula, Strategy};
///
/// let formula = Formula::parse("(declare-const x Real)")?;
/// let error = formula.sampler().strategy(Strategy::All).run().expect_err("no list of all reals");
/// assert!(matches!(error.cause(), Some(SampleError::NotEnumerable(_))));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::SampleError;

/// The summary of a set knows its coverage, and a lower bound on the size of sets that cover as much.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::SetSummary;
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let summary = formula.sampler().observe(&mut |_| ControlFlow::Continue(()))?;
/// let set: &SetSummary = summary.set().expect("a set");
/// assert_eq!((set.covered(), set.lower_bound, set.share()), (5, set.solutions.len(), 1.0));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::SetSummary;

/// A strategy that draws uniformly counts solutions, exactly where they are few.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::Strategy;
/// use sundry::pipeline::SolutionCount;
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let sampler = formula.sampler().strategy(Strategy::Uniform(0.3)).max_solutions(10);
/// let summary = sampler.observe(&mut |_| ControlFlow::Continue(()))?;
/// assert_eq!(summary.uniform().and_then(|uniform| uniform.solutions), Some(SolutionCount::Exact(3)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::SolutionCount;

/// Solutions that were found together become models when they are asked for.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::{Event, Solutions};
/// use sundry::{Formula, Strategy};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let count = |solutions: &Solutions| solutions.models().count();
/// let mut models = 0;
/// formula.sampler().strategy(Strategy::All).observe(&mut |event| {
///     if let Event::Solutions(solutions) = event {
///         models += count(&solutions);
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(models, 3);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Solutions;

/// A run ends with a summary of all its figures.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::Summary;
/// use sundry::{Formula, StopReason};
///
/// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
/// let summary: Summary = formula.sampler().observe(&mut |_| ControlFlow::Continue(()))?;
/// assert_eq!((summary.stopped_by, summary.rejected, summary.solutions().len()), (StopReason::Complete, 0, 1));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Summary;

/// The summary of a set of combinations knows what was combined.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::Strategy;
/// use sundry::pipeline::TupleSummary;
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let summary = formula.sampler().strategy(Strategy::TWise(2)).observe(&mut |_| ControlFlow::Continue(()))?;
/// let pairs: &TupleSummary = summary.tuples().expect("pairs");
/// assert_eq!((pairs.factors, pairs.strength, pairs.tuples.covered), (2, 2, 3));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::TupleSummary;

/// The statistics of uniform draws say whether the distribution is exact.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::Strategy;
/// use sundry::pipeline::UniformStatistics;
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let sampler = formula.sampler().strategy(Strategy::Uniform(0.3)).max_solutions(10);
/// let summary = sampler.observe(&mut |_| ControlFlow::Continue(()))?;
/// let statistics: &UniformStatistics = summary.uniform().expect("uniform draws");
/// assert!(statistics.exact && statistics.samples == 10);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::UniformStatistics;

/// Whoever writes solutions of several runs leaves out those that were seen, by their fingerprints.
///
/// ```
/// use sundry::pipeline::Unique;
///
/// let mut seen = Unique::new(1 << 20);
/// assert!(seen.insert(7));
/// assert!(!seen.insert(7));
/// // Nothing has been forgotten yet.
/// assert_eq!(seen.window(), None);
/// ```
pub use sundry_sample::Unique;

/// The statistics of a search at volume count its work.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::VolumeStatistics;
/// use sundry::{Formula, Granularity, Strategy};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 16))")?;
/// let sampler = formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit)).max_solutions(100);
/// let summary = sampler.observe(&mut |_| ControlFlow::Continue(()))?;
/// let statistics: &VolumeStatistics = summary.volume().expect("a search at volume");
/// assert!(statistics.candidates >= statistics.valid && statistics.valid >= 100);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::VolumeStatistics;

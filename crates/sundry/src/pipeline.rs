//! Every event and every figure of a run, for [`Sampler::observe`](crate::Sampler::observe).
//!
//! [`Sampler::run`](crate::Sampler::run) and [`Sampler::stream`](crate::Sampler::stream) suit callers that want
//! solutions. Callers that show progress, write solutions by the million, or keep records get the events of the
//! pipeline here, in the thread of the run and without a copy, and the [`Summary`] with all counts of the run.
//!
//! ```
//! use std::ops::ControlFlow;
//! use sundry::pipeline::{Event, Part};
//! use sundry::{Formula, Granularity, Strategy};
//!
//! let formula = Formula::parse("(declare-const x (_ BitVec 32)) (assert (bvugt x #x00001000))")?;
//! let many = formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit)).max_solutions(1000);
//! let mut count = 0;
//! let summary = many.observe(&mut |event| {
//!     if let Event::Solutions(solutions) = event {
//!         count += solutions.count();
//!     }
//!     ControlFlow::Continue(())
//! })?;
//! let Part::Volume(statistics) = &summary.part else { panic!("not at volume") };
//! assert!(count == 1000 && statistics.valid >= 1000);
//! # Ok::<(), sundry::Error>(())
//! ```

pub use crate::below::results::{Covered, StopReason, TupleCounts, Validity};
pub use crate::below::runs::{
    CurvePoint, Event, Obligation, Part, PlainSolutions, PlainValue, Preparation, Progress, Purpose,
    RatedSolution, SampleError, SetSummary, SolutionCount, Solutions, Summary, TupleSummary,
    UniformStatistics, Unique, VolumeStatistics,
};
pub use crate::below::steps::Problem;

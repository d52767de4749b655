//! Sampling strategies: iterators of solutions that cover a formula's constraint space.

mod copies;
mod cover;
mod enumeration;
mod first;
mod greedy;
mod internal;
mod obligations;
mod pan;
mod possible;
mod prefix;
mod problem;
mod run;
mod steering;
mod strategy;
mod targets;
mod totalizer;
mod twise;
mod uniform;
mod unprepared;
mod volume;

pub use internal::internal_predicates;
pub use obligations::{Obligation, obligation_of_ast_bit, obligations};
pub use pan::PanOptions;
pub use possible::{Possibilities, Possibility, PredicateError, decide_predicates};
pub use problem::{Problem, Solution, WrongModel};
pub use run::{CurvePoint, Goal, Outcome, Progress, RatedSolution, SampleOptions, StrategyKind, sample};
pub use steering::Control;
pub use strategy::{Step, StopReason, Strategy, Validity};
pub use twise::{
    MAX_STRENGTH, Over, TWiseError, TWiseOptions, TWiseOutcome, TWiseProgress, TWiseSolution, TupleCounts,
    sample_twise,
};
pub use uniform::{
    LEAST_TOLERANCE, SolutionCount, UniformMethod, UniformOptions, UniformStatistics, sample_uniform,
    sample_uniform_listing,
};
pub use volume::{
    Granularity, Guidance, PlainSamples, PlainValue, Samples, Unique, VolumeError, VolumeOptions,
    VolumeStatistics, VolumeStrategy, sample_volume,
};

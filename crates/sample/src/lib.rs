//! Sampling strategies: iterators of solutions that cover a formula's constraint space.

mod colleague;
mod copies;
mod cover;
mod effort;
mod encoding;
mod enumeration;
mod error;
mod first;
mod greedy;
mod internal;
mod obligations;
mod pan;
mod possible;
mod prefix;
mod problem;
mod rows;
mod run;
mod steering;
mod strategy;
mod targets;
mod totalizer;
mod twise;
mod uniform;
mod unprepared;
mod verifier;
mod volume;

pub use effort::Effort;
pub use encoding::{BackboneCandidate, Encoding};
pub use error::SampleError;
pub use internal::internal_predicates;
pub use obligations::{Obligation, obligation_of_ast_bit, obligations};
pub use pan::PanOptions;
pub use possible::{Possibilities, Possibility, PredicateError, decide_predicates};
pub use problem::{Group, Level, Problem, Rejection, Roles, Solution, WrongModel};
pub use run::{
    CurvePoint, Goal, Milestones, Outcome, Progress, RatedSolution, SampleOptions, StrategyKind, sample,
};
pub use strategy::{Preparation, Purpose, Step, StopReason, Strategy, Validity};
pub use sundry_term::{Control, Stopped};
pub use twise::{
    MAX_STRENGTH, Over, TWiseOptions, TWiseOutcome, TWiseProgress, TWiseSolution, TupleCounts, sample_twise,
};
pub use uniform::{
    LEAST_TOLERANCE, SolutionCount, UniformMethod, UniformOptions, UniformStatistics, sample_uniform,
    sample_uniform_listing,
};
pub use verifier::Verifier;
pub use volume::{
    Granularity, Guidance, PlainSamples, PlainValue, Samples, Unique, VolumeOptions, VolumeStatistics,
    VolumeStrategy, sample_volume,
};

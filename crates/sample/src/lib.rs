//! Sampling strategies: iterators of solutions that cover a formula's constraint space.

mod bit_questions;
mod bit_terms;
mod copies;
mod cover;
mod early_end;
mod effort;
mod encoding;
mod enumeration;
mod error;
mod first_by_search;
mod formula_engine;
mod hopper;
mod inner_predicates;
mod not_ready;
mod obligations;
mod pan;
mod pipeline;
mod polyhedra;
mod possibilities;
mod prefixes;
mod problem;
mod ranges;
mod rows;
mod side_worker;
mod steering;
mod strategy;
mod targets;
mod totalizer;
mod twise;
mod uniform;
mod verifier;
mod volume;

pub use effort::Effort;
pub use encoding::{BackboneCandidate, Encoding};
pub use error::SampleError;
pub use inner_predicates::internal_predicates;
pub use obligations::{Obligation, obligation_of_ast_bit, obligations};
pub use pan::PanOptions;
pub use pipeline::{
    Covered, CurvePoint, Event, Method, Milestones, Part, PlainSolutions, PlainValue, Progress,
    RatedSolution, Request, SetSummary, Solutions, Summary, TupleSummary, sample, sample_with,
};
pub use possibilities::{Possibilities, Possibility, PredicateError, decide_predicates};
pub use problem::{Group, Level, Problem, Rejection, Roles, Solution, WrongModel};
pub use strategy::{Preparation, Purpose, Step, StopReason, Strategy, Validity};
pub use sundry_term::{Control, Stopped};
pub use twise::{MAX_STRENGTH, Over, TWiseOptions, TupleCounts};
pub use uniform::{LEAST_TOLERANCE, SolutionCount, UniformMethod, UniformOptions, UniformStatistics};
pub use verifier::Verifier;
pub use volume::{Granularity, Guidance, Unique, VolumeOptions, VolumeStatistics, VolumeStrategy};

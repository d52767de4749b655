//! Small inputs on which an SMT solver is slow and another one fast, bred by multi-objective evolution: MulStringFuzz (Ren, Fan,
//! Li, Zhou & Jiang, *Multi-Objective Evolutionary Algorithm for String SMT Solver Testing*, SANER 2022), for every theory.
//!
//! * [`Individual`]: an input. [`cross`] and [`mutate`] make others of it.
//! * [`Material`]: the variables of a logic, of which [`random_input`] and [`StringShape`] make inputs.
//! * [`FirstGeneration`]: the inputs to begin with, of these and of seeds, in the shares of a [`Mix`].
//! * [`time_score`], [`complexity`] and [`CoverageMap`]: the three objectives.
//! * [`Search`]: all that as a problem of evolution, over a [`Runner`] of solvers.

mod breed;
mod campaign;
mod generate;
mod individual;
mod objective;
mod own_work;
mod run;
mod search;
mod triage;

pub use breed::crossover::cross;
pub use breed::mutators::{Mutator, mutate};
pub use campaign::breeding::Breeding;
pub use campaign::cases::{Case, Cases, Status};
pub use campaign::conduct::{Campaign, End};
pub use campaign::fitness::Unfit;
pub use campaign::history::Generation;
pub use campaign::keeper::{Keeper, NotedRun, Stop};
pub use campaign::state::State;
pub use campaign::tally::Tally;
pub use generate::first::{FirstGeneration, FirstGenerationError, SEED_COMPLEXITY};
pub use generate::material::{Material, UnknownLogic};
pub use generate::mix::{Mix, MixError};
pub use generate::random::random_input;
pub use generate::strings::StringShape;
pub use individual::{Individual, UnreadableInput};
pub use objective::complexity::complexity;
pub use objective::coverage::{CoverageMap, CoverageRules};
pub use objective::time::{class_of_time, time_score};
pub use own_work::{OwnWork, Stopwatches};
pub use run::contest::{Contest, Contestant, RunLimits};
pub use run::effort::{Ceiling, Effort, Measure, Outcome};
pub use run::measured::Measured;
pub use run::runner::{WorkerFolders, Workers};
pub use search::{Runner, SavedMember, Scoring, Search, Variant};
pub use triage::finding::{ReleaseEffort, SlowInput, SmallerInput, Timed};
pub use triage::follow_up::FollowUp;

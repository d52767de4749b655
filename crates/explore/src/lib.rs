//! Multiplex symbolic execution of programs.
//!
//! Source: Zhang et al., *Multiplex Symbolic Execution: Exploring Multiple Paths by Solving Once* (MuSE, ASE 2020). A program runs with concrete values and terms beside
//! them; where a branch depends on the input, the other way is an open branch, whose path condition a solver is asked for. The solution is an input that goes there, and
//! every *partial solution* that the solver passes on its way is an input too, which satisfies a part of the condition and so leaves the path somewhere else.

mod calls;
mod clock;
mod crew;
mod executed;
mod explore;
mod finding;
mod function_call;
mod heap;
mod host;
mod input;
mod mutants;
mod objects;
mod options;
mod patience;
mod program;
mod question;
mod run;
mod search;
mod shrink;
mod solve;
mod symbolic;
mod trace;
mod transfer;
mod tree;
mod waiting;

pub use calls::possible_calls;
pub use executed::ExecutedCode;
pub use explore::{ExploreEnd, ExploreStatistics, Explorer, Origin, Test};
pub use finding::{Finding, FindingKind};
pub use function_call::{Argument, CallPart, Extension, FunctionCall};
pub use heap::MemoryError;
pub use host::{
    BYTES_PER_LOOK, Ending, HostFunction, Output, WorldOptions, fixed_clock, fixed_random, name_of_path,
};
pub use input::{Input, Source, SourceKind, Variable, VariableId, Variables};
pub use objects::{FrameBase, FrameLayout, FrameObject};
pub use options::ExploreOptions;
pub use program::{Program, ProgramError};
pub use question::{Changes, KnownAnswer, KnownKind, Observer, Question};
pub use run::{Run, RunEnd, Runner, SymbolicRun};
pub use search::StrategyKind;
pub use solve::{Answer, SolveOptions, SolveStatistics};
pub use sundry_solver::FloatMethod;
pub use symbolic::{Decision, DecisionKind, Terms};
pub use trace::Edge;

//! Sundry's SMT solver for bit-vectors, floating point, integers, reals, arrays and uninterpreted functions: lazy, incremental,
//! steerable (phases, assumptions, one clause per call), and open to further theories ([`Theory`]).

mod descent;
mod engine;
mod inputs;
mod model;
mod normalise;
mod rewrite;
mod session;
mod simplify;
mod theory;

pub use descent::{FloatMethod, FloatOptions, FloatSearch, FloatTurns, JoinedFloats};
pub use engine::{
    Checked, Engine, EngineOptions, EngineStatistics, ModelRef, Observer, PartialOrigin, PartialSolution,
    Query, Refutation, Replica,
};
pub use session::{
    Answer, Core, Partial, PartialReceiver, Session, SessionStatistics, Tracking, UnknownReason,
};
pub use simplify::{Simplifier, simplify};
pub use sundry_circuit::{Aig, BuildError, Edge, Refusal, TooLarge, Unsupported};
pub use sundry_descent::{StrategyKind as FloatStrategy, Waypoint};
pub use sundry_sat::{
    AddClauses, Backend, Cnf, Limits, Lit, NamedOption, Options as SatOptions, SatSolver, Var, Verdict,
};
pub use theory::lemma::{Lemma, LemmaKind};
pub use theory::{Assignment, Leaf, Theory, TheoryAnswer};

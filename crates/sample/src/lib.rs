//! Sampling strategies: iterators of solutions that cover a formula's constraint space.

mod copies;
mod cover;
mod obligations;
mod pan;
mod problem;
mod run;
mod steering;
mod strategy;
mod targets;

pub use obligations::{Obligation, obligations};
pub use pan::{Pan, PanOptions};
pub use problem::{Problem, Solution, WrongModel};
pub use run::{Goal, Outcome, Progress, RatedSolution, SampleOptions, StrategyKind, sample};
pub use steering::Control;
pub use strategy::{Step, StopReason, Strategy, Validity};

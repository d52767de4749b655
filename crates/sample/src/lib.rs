//! Sampling strategies: iterators of solutions that cover a formula's constraint space.

mod cover;
mod problem;
mod steering;
mod strategy;
mod targets;

pub use cover::Cover;
pub use problem::{Problem, Solution, WrongModel};
pub use steering::Control;
pub use strategy::{Step, StopReason, Strategy, Validity};

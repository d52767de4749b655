//! Running inputs on solvers: how much effort they take, and what they execute.

pub(crate) mod contest;
pub(crate) mod effort;
pub(crate) mod measured;
mod model;
pub(crate) mod runner;

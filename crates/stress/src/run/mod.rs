//! Running inputs on solvers: how much effort they take, and what they execute.

pub(crate) mod contest;
pub(crate) mod effort;
pub(crate) mod measured;
pub(crate) mod runner;

//! The first generation: inputs of the shapes of StringFuzz, and random formulas of any logic.

pub(crate) mod first;
pub(crate) mod material;
pub(crate) mod mix;
pub(crate) mod operators;
pub(crate) mod patterns;
pub(crate) mod random;
pub(crate) mod strings;

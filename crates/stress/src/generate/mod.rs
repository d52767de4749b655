//! The first generation: inputs of the shapes of StringFuzz, and random formulas of any logic.

pub(crate) mod material;
pub(crate) mod random;
pub(crate) mod strings;

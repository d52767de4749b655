//! Random formulas and independent solvers, for tests only.
//!
//! [`generate`] makes well-sorted formulas over every operator and models for them, from a seed. [`ground`] makes
//! ground terms of every theory. [`oracle`] asks other solvers, as processes ([`process`]). Only tests need these
//! solvers, which `tools/oracles` installs. [`skipped`] is for tests over formulas that are not part of the project.

pub mod bytes;
pub mod generate;
pub mod ground;
pub mod oracle;
pub mod process;
pub mod skipped;

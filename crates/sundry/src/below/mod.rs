//! The items of the crates below this one, by subject. Users see them at the root of the crate and in its public modules, and rustdoc
//! shows the comment here in front of the item's own, so that every item has an example with the paths that users write.

pub(crate) mod control;
pub(crate) mod measures;
pub(crate) mod questions;
pub(crate) mod records;
pub(crate) mod results;
pub(crate) mod runs;
pub(crate) mod sampling;
#[cfg(feature = "respondent")]
pub(crate) mod solvers;
pub(crate) mod steps;
pub(crate) mod terms;
pub(crate) mod texts;
pub(crate) mod values;

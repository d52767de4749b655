//! Campaigns: a search that keeps its state after each generation, and follows up what it finds.

pub(crate) mod breeding;
pub(crate) mod cases;
pub(crate) mod conduct;
pub(crate) mod fitness;
pub(crate) mod history;
pub(crate) mod keeper;
pub(crate) mod noted;
pub(crate) mod rising_limit;
pub(crate) mod state;
pub(crate) mod tally;

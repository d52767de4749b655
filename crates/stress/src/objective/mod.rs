//! The three objectives of MulStringFuzz, each in a file with its equation. All are to be maximised, so the complexity of an
//! input counts as negative.

pub(crate) mod complexity;
pub(crate) mod coverage;
pub(crate) mod time;

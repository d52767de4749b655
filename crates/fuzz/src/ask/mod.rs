//! Asking solvers: the questions of a script ([`question`]), the style in which a formula is put to a solver
//! ([`style`]; [`folding`] makes calls of definitions), the commands before it that solvers want ([`preamble`]), the asker ([`asker`]), and the time that a solver may take ([`allowance`]).

pub(crate) mod allowance;
pub(crate) mod asker;
mod folding;
pub(crate) mod preamble;
pub(crate) mod question;
pub(crate) mod style;

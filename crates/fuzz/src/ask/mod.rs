//! Asking solvers: what a script asks ([`question`]), in which style a formula is asked about ([`style`]), who puts it to a solver
//! ([`asker`]), and how long the solver may take ([`allowance`]).

pub(crate) mod allowance;
pub(crate) mod asker;
pub(crate) mod question;
pub(crate) mod style;

//! Linear arithmetic: an exact simplex in which bounds come and go, and which explains its conflicts.
//!
//! [`Simplex`] is the general simplex of Dutertre & de Moura, *A fast linear-arithmetic solver for DPLL(T)* (CAV 2006): variables, rows
//! that define variables as sums of others, and bounds that are asserted and taken back. A conflict is a set of asserted
//! bounds that no values meet. Integer variables get integer values by a search of its own (`integers.rs`), whose conflicts are
//! sets of asserted bounds too.
//!
//! [`Differences`] decides conjunctions of bounds of differences by paths in a graph, and says which others follow.
//!
//! All arithmetic is exact ([`Rational`]), and strict bounds are bounds with an infinitesimal part ([`Value`]). Nothing here knows
//! terms or clauses: whoever asserts a bound gives it a [`Tag`], and conflicts are made of these.

mod balance;
mod bounds;
mod cube;
mod cuts;
mod differences;
mod equations;
mod integers;
mod patch;
mod rational;
mod simplex;
mod suspects;
mod tableau;
mod value;
mod wanted;
mod watch;

pub use balance::{Balance, Prices};
pub use bounds::{Side, Tag};
pub use differences::{Constraint, DifferenceMark, Differences, Length, Node};
pub use integers::{IntegerOutcome, SearchLimits};
pub use rational::{Rational, scale_to_coprime_integers};
pub use simplex::{Mark, Outcome, Simplex, Variable};
pub use value::{Value, choose_delta};
pub use wanted::{Met, WantedBound};

//! Multi-objective evolutionary search: NSGA-II (Deb, Pratap, Agarwal & Meyarivan, *A fast and elitist multiobjective genetic
//! algorithm: NSGA-II*, IEEE Transactions on Evolutionary Computation 2002), with a crowding that a user may replace, as
//! MulStringFuzz does (Ren, Fan, Li, Zhou & Jiang, *Multi-Objective Evolutionary Algorithm for String SMT Solver Testing*,
//! SANER 2022).
//!
//! * [`Problem`]: what is bred: how individuals are scored, crossed and mutated, and how similar two are.
//! * [`Evolution`]: the main loop, one generation at a time, so that its caller can show, keep and resume it.
//! * [`Scheme`]: the way from one generation to the next: that of NSGA-II, or the culling of StringFuzz as a baseline.
//! * [`sort_by_dominance`], [`classic_crowding`], [`similarity_crowding`], [`select_by_front`], [`select_by_crowding`] and
//!   [`survivors`]: its parts, which stand alone.
//! * [`Multiset`]: what a run has executed and how often, with the similarity of two.
//!
//! The crate knows nothing of solvers and formulas. All scores are maximised; an objective to minimise is negated by the
//! problem.
//!
//! ```
//! use std::convert::Infallible;
//! use rand::{Rng, RngCore};
//! use sundry_evolve::{Crowding, Evolution, Parameters, Problem, Scheme};
//!
//! /// Thousandths that are close to 0 and, at the same time, close to 2000: the best compromises lie between.
//! struct Between;
//!
//! impl Problem for Between {
//!     type Individual = i32;
//!     type Stop = Infallible;
//!
//!     fn score(&mut self, individuals: &[i32]) -> Result<Vec<Vec<f64>>, Infallible> {
//!         Ok(individuals.iter().map(|&x| [x, x - 2000].map(|error| -f64::from(error).abs()).to_vec()).collect())
//!     }
//!
//!     fn cross(&mut self, one: &i32, other: &i32, _: &mut dyn RngCore) -> (i32, i32) {
//!         ((one + other) / 2, one + other - (one + other) / 2)
//!     }
//!
//!     fn mutate(&mut self, x: &i32, random: &mut dyn RngCore) -> i32 {
//!         x + random.random_range(-1000..1000)
//!     }
//! }
//!
//! let start = (0..20).map(|x| 1000 * x - 40_000).collect();
//! let (scheme, crowding) = (Scheme::NonDominated, Crowding::Classic);
//! let parameters =
//!     Parameters { scheme, crossover: 0.75, mutation: 0.25, mutations: 1, crowding, keeps_copies: false };
//! let mut evolution = Evolution::new(Between, start, parameters, 7)?;
//! for _ in 0..200 {
//!     evolution.advance()?;
//! }
//! assert!(evolution.population().iter().all(|member| (-100..2100).contains(&member.individual)));
//! # Ok::<(), Infallible>(())
//! ```

mod crowding;
mod culling;
mod dominance;
mod evolution;
mod multiset;
mod selection;

pub use crowding::{classic_crowding, similarity_crowding};
pub use dominance::{Standing, dominates, sort_by_dominance};
pub use evolution::{Crowding, Evolution, Member, Parameters, Problem, Scheme};
pub use multiset::Multiset;
pub use selection::{select_by_crowding, select_by_front, survivors};

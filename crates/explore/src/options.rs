//! Options of explorations.

use crate::search::StrategyKind;
use crate::solve::SolveOptions;

/// Options of an exploration.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// The strategy that chooses the next branch.
    pub strategy: StrategyKind,
    /// Options of the questions to the solver.
    pub solve: SolveOptions,
    /// Whether candidates that repeat a path or bring nothing new are dropped after a plain run.
    pub filters_candidates: bool,
    /// The greatest share of the work that goes to plain runs of mutants, from 0, for no mutants, to 1.
    pub mutants: f64,
    /// The greatest number of symbolic runs.
    pub most_paths: u64,
    /// The greatest number of decisions of a run.
    pub most_depth: usize,
    /// The number of solvers, at least 1. Each learns from its own questions only, and other numbers lead to other tests.
    pub lanes: usize,
    /// The number of threads, at least 1, on which nothing else depends. Those beyond the number of lanes have nothing to do.
    pub threads: usize,
    /// The greatest memory of the tree, its inputs and terms, in bytes as an exploration counts them. Where it is reached, open branches are given up.
    pub most_bytes: u64,
    /// The memory from which on everything is removed that no open branch needs, counted alike. After that, it may double. With 0,
    /// that happens after each run.
    pub first_collection: u64,
    /// The seed of the strategies.
    pub seed: u64,
    /// Statuses that count as errors.
    pub bad_exits: Vec<u32>,
}

impl Default for ExploreOptions {
    /// The strategy and the questions by default, mutants, every path, two lanes on one thread, any memory, and the seed 0.
    fn default() -> Self {
        ExploreOptions {
            strategy: StrategyKind::default(),
            solve: SolveOptions::default(),
            filters_candidates: true,
            mutants: 0.9,
            most_paths: u64::MAX,
            most_depth: 20_000,
            lanes: 2,
            threads: 1,
            most_bytes: u64::MAX,
            first_collection: 64 << 20,
            seed: 0,
            bad_exits: Vec::new(),
        }
    }
}

//! The options of sampling at volume, and the counts of a run.

use sundry_coverage::Predicate;
use sundry_term::SymbolId;

/// The degree to which predicates guide sampling: each step includes those before it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guidance {
    /// Neighbours differ in predicates, instead of bits (S1).
    Neighbours,
    /// A sample of a class that the epoch has seen is dropped (S2).
    Classes,
    /// An epoch starts at a solution of a random class, as far as there is one (S3).
    Bases,
}

/// The way to find solutions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum VolumeStrategy {
    /// SMTSampler (S0): combinations of neighbours that differ in bits.
    Combine,
    /// GuidedSampler: combinations of neighbours that differ in predicates.
    Guide(Guidance),
    /// BH: a solution of a random class, where there is one, for each call of the solver.
    ClassesHard,
    /// BS: a solution near a random class for each handful of calls of the solver.
    ClassesSoft,
    /// Every solution, once for all those in which the constants of [`VolumeOptions::project`] have the same values.
    All,
}

/// The parts in which solutions of [`VolumeStrategy::Combine`] start at random and differ: the three variants of SMTSampler.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Granularity {
    /// Bits of constants and of values of arrays and functions (SMTbit).
    #[default]
    Bit,
    /// Constants and values of arrays and functions, as a whole (SMTbv): a random value is taken as a whole or not at all.
    Value,
    /// Nodes of the circuit (SMTsat), those in between included.
    Gate,
}

/// The options of sampling at volume.
#[derive(Clone, Debug)]
pub struct VolumeOptions {
    /// The way to find solutions.
    pub strategy: VolumeStrategy,
    /// The parts in which neighbours differ; it matters for [`VolumeStrategy::Combine`] only.
    pub granularity: Granularity,
    /// The predicates that say which class a solution is in, which are terms of the problem.
    pub predicates: Vec<Predicate>,
    /// The constants that distinguish solutions for [`VolumeStrategy::All`]: no arrays, functions or reals. Those that have
    /// the same values of all these count as one. `None` stands for all symbols.
    pub project: Option<Vec<SymbolId>>,
    /// The number of the run among those with this seed: another stream takes other solutions first, so a run that
    /// continues an interrupted one does not find the same again.
    pub stream: u64,
    /// Memory for what was found before, in bytes.
    pub memory: usize,
}

impl VolumeOptions {
    /// A strategy without predicates, which remembers as many solutions as fit into a gibibyte.
    pub fn new(strategy: VolumeStrategy) -> Self {
        VolumeOptions {
            strategy,
            granularity: Granularity::default(),
            predicates: Vec::new(),
            project: None,
            stream: 0,
            memory: 1 << 30,
        }
    }
}

/// Counters of a run.
#[derive(Clone, Debug, Default)]
pub struct VolumeStatistics {
    /// Epochs that were begun.
    pub epochs: u64,
    /// Calls of the solver.
    pub questions: u64,
    /// Candidates that were evaluated.
    pub candidates: u64,
    /// Candidates that are solutions.
    pub valid: u64,
    /// Solutions that were found for the first time.
    pub unique: u64,
    /// The number of latest solutions that are known to be different; `None` if that is all.
    pub window: Option<usize>,
}

//! Strategies, and what their options can be, by name.

use clap::ValueEnum;

/// The strategies by name.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum StrategyName {
    /// A small set of solutions with complete coverage, and proofs
    Cover,
    /// PanSampler as published: the best of several diverse candidates, again and again
    Pan,
    /// A small set of solutions that shows all pairs of values, or all triples (covering arrays)
    #[value(name = "t-wise")]
    TWise,
    /// Every solution, once
    All,
    /// Independent solutions that are all equally likely, with repetitions
    Uniform,
    /// Millions of solutions, by combining neighbours of a solution (SMTSampler)
    Smtsampler,
    /// Millions of solutions of many classes of --predicates (GuidedSampler)
    Guided,
    /// A solution of a random class of --predicates, again and again
    ClassesHard,
    /// A solution near a random class of --predicates, again and again
    ClassesSoft,
}

/// What solutions of `smtsampler` start at and differ in.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum GranularityName {
    /// Single bits of constants, and of what is read from arrays
    Bit,
    /// Whole constants, and whole elements (bv in the paper)
    #[value(alias = "bv")]
    Value,
    /// Nodes of the circuit (sat in the paper)
    #[value(alias = "sat")]
    Gate,
}

/// How far `guided` is guided. Each step includes those before it.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum GuidanceName {
    /// Neighbours differ in predicates (S1)
    Neighbours,
    /// Solutions of a class that was met shortly before are dropped (S2)
    Classes,
    /// The search starts at solutions of random classes (S3)
    Bases,
}

/// What `t-wise` combines.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum OverName {
    /// Values of up to 6 bits; each bit of wider bit-vectors, the kinds of wider floats, the signs of other numbers
    Values,
    /// The bits of all operations, as AST-bits are
    Bits,
    /// Whether predicates hold
    Predicates,
}

/// How long `cover` continues once coverage is complete, to make the set smaller, to prove it minimal and to move
/// coverage to its first solutions; and how long it tries to decide AST-bits that are too hard at first.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum EffortName {
    /// A moment: the first complete set, nearly as it was found
    Low,
    /// As long again as completeness took, for some seconds: almost always the smallest set
    Normal,
    /// Four times as long as completeness took, at least about ten seconds: more proofs, better prefixes
    High,
    /// Until everything is decided or nothing helps any more: minutes, or until --timeout
    Max,
}

impl StrategyName {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            StrategyName::Cover => "cover",
            StrategyName::Pan => "pan",
            StrategyName::TWise => "t-wise",
            StrategyName::All => "all",
            StrategyName::Uniform => "uniform",
            StrategyName::Smtsampler => "smtsampler",
            StrategyName::Guided => "guided",
            StrategyName::ClassesHard => "classes-hard",
            StrategyName::ClassesSoft => "classes-soft",
        }
    }
}

//! The strategies of the library.

use sundry_sample::{Granularity, Guidance, PanOptions};

/// The way in which solutions are chosen.
///
/// ```
/// use sundry::{Formula, Granularity, Strategy};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
/// let count = |strategy| Ok::<_, sundry::Error>(formula.sampler().strategy(strategy).max_solutions(64).run()?.solutions.len());
/// assert_eq!(count(Strategy::All)?, 64);
/// assert_eq!(count(Strategy::SmtSampler(Granularity::Bit))?, 64);
/// assert!(count(Strategy::Cover)? < 10);
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Strategy {
    /// A small set of solutions with complete coverage of the AST-bits, and proofs of both.
    #[default]
    Cover,
    /// PanSampler as published (Lyu et al., *Towards Comprehensive Sampling of SMT Solutions*).
    Pan(PanOptions),
    /// A small set of solutions that shows all combinations of this number of values: 1, 2 or 3.
    TWise(usize),
    /// Every solution, once.
    All,
    /// Many different solutions: SMTSampler (Dutra, Bachrach & Sen, ICCAD 2018).
    SmtSampler(Granularity),
    /// Many solutions of many classes of the predicates: GuidedSampler (Dutra, Bachrach & Sen, FMCAD 2019).
    Guided(Guidance),
    /// A solution of a random class of the predicates, again and again: a baseline of GuidedSampler.
    ClassesHard,
    /// A solution near a random class of the predicates, again and again: the other baseline of GuidedSampler.
    ClassesSoft,
    /// Independent solutions that are all equally likely, up to a tolerance: with 0.3, the probability of each is between
    /// 1/1.3 and 1.3 times the exactly uniform one.
    Uniform(f64),
    /// Independent solutions by random decisions of the solver: fast, and nothing is known of how likely each solution is.
    Quick,
}

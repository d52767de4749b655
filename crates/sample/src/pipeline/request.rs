//! The request of a run: one type for all ways to sample.

use sundry_coverage::Predicate;
use sundry_term::{Control, SymbolId};

use crate::effort::Effort;
use crate::pan::PanOptions;
use crate::twise::TWiseOptions;
use crate::uniform::{UniformMethod, UniformOptions};
use crate::volume::{Granularity, Guidance, VolumeOptions, VolumeStrategy};

/// A request to sample: how, and when to stop. The functions that make a request name the ways to sample; what a request says
/// besides the [`Method`] has the same meaning for all of them.
///
/// ```
/// use sundry_sample::Request;
///
/// let request = Request { seed: 7, max_solutions: Some(10), ..Request::twise(2) };
/// # assert_eq!(request.seed, 7);
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The way in which solutions are chosen.
    pub method: Method,
    /// Seed of all randomness.
    pub seed: u64,
    /// Threads that may work on the formula. The result does not depend on this number.
    pub threads: usize,
    /// The greatest number of solutions.
    pub max_solutions: Option<u64>,
    /// Whether to write what a t-wise run claims as scripts for other solvers.
    pub obligations: bool,
    /// The control, which says when time is up.
    pub control: Control,
    /// Whether the process ends soon after the run, so that the run need not give its memory back, clause by clause, which takes
    /// seconds on large formulas.
    pub is_last: bool,
}

/// The ways to sample.
#[derive(Clone, Debug)]
pub enum Method {
    /// A small set of solutions with complete coverage of the AST-bits, and proofs.
    Cover {
        /// Share of the AST-bits not proved impossible that is to be covered, between 0 and 1.
        target: f64,
        /// The effort of the run once the target is reached.
        effort: Effort,
    },
    /// PanSampler as published.
    Pan {
        /// Share of the AST-bits not proved impossible that is to be covered, between 0 and 1.
        target: f64,
        /// The parameters of the paper, and its variants.
        options: PanOptions,
    },
    /// A small set of solutions that shows all combinations of a number of values.
    TWise(TWiseOptions),
    /// Solutions as they are found, each once.
    Volume(VolumeOptions),
    /// Independent draws from all solutions, with repetitions.
    Uniform(UniformOptions),
}

impl Method {
    /// The name of the way in logs.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Method::Cover { .. } => "cover",
            Method::Pan { .. } => "pan",
            Method::TWise(_) => "t-wise",
            Method::Volume(_) => "volume",
            Method::Uniform(_) => "uniform",
        }
    }
}

impl Request {
    fn new(method: Method) -> Request {
        Request {
            method,
            seed: 0,
            threads: 1,
            max_solutions: None,
            obligations: false,
            control: Control::default(),
            is_last: false,
        }
    }

    /// A small set of solutions that covers all AST-bits that can be covered.
    pub fn cover() -> Request {
        Request::new(Method::Cover { target: 1.0, effort: Effort::default() })
    }

    /// PanSampler as published (Lyu et al., *Towards Comprehensive Sampling of SMT Solutions*).
    pub fn pan() -> Request {
        Request::new(Method::Pan { target: 1.0, options: PanOptions::default() })
    }

    /// Requests a set of solutions that shows all combinations of `strength` values of the constants.
    pub fn twise(strength: usize) -> Request {
        Request::tuples(TWiseOptions { strength, ..TWiseOptions::default() })
    }

    /// A set of solutions that shows combinations of values.
    pub fn tuples(options: TWiseOptions) -> Request {
        Request::new(Method::TWise(options))
    }

    /// Every solution, once. With constants to project to, once for all solutions that have the same values of these.
    pub fn all(project: Option<Vec<SymbolId>>) -> Request {
        Request::volume(VolumeOptions { project, ..VolumeOptions::new(VolumeStrategy::All) })
    }

    /// Many different solutions, as SMTSampler finds them (Dutra, Bachrach & Sen, ICCAD 2018).
    pub fn smtsampler(granularity: Granularity) -> Request {
        Request::volume(VolumeOptions { granularity, ..VolumeOptions::new(VolumeStrategy::Combine) })
    }

    /// Many solutions of many classes, as GuidedSampler finds them (Dutra, Bachrach & Sen, FMCAD 2019).
    pub fn guided(predicates: Vec<Predicate>, guidance: Guidance) -> Request {
        Request::volume(VolumeOptions { predicates, ..VolumeOptions::new(VolumeStrategy::Guide(guidance)) })
    }

    /// A solution of a random class of the predicates (`hard`), or near one, again and again: the baselines of GuidedSampler.
    pub fn classes(predicates: Vec<Predicate>, hard: bool) -> Request {
        let strategy = if hard { VolumeStrategy::ClassesHard } else { VolumeStrategy::ClassesSoft };
        Request::volume(VolumeOptions { predicates, ..VolumeOptions::new(strategy) })
    }

    /// Independent solutions that are all equally likely, up to a tolerance.
    pub fn uniform(tolerance: f64) -> Request {
        Request::draws(UniformOptions::new(UniformMethod::Hashing, tolerance))
    }

    /// Independent draws.
    pub fn draws(options: UniformOptions) -> Request {
        Request::new(Method::Uniform(options))
    }

    /// Solutions as they are found.
    pub fn volume(options: VolumeOptions) -> Request {
        Request::new(Method::Volume(options))
    }
}

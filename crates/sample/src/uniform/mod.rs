//! Samples from the uniform distribution over all solutions, independent of each other, with repetitions.
//!
//! The distribution is uniform over the values of the Boolean and bit-vector constants, also of those that the formula
//! does not mention. Values of arrays, functions and elements of declared sorts are not counted: a formula has as many
//! solutions as its plain constants have values that some solution has, and each is completed by whatever the solver
//! finds.
//!
//! # Hashing
//!
//! Where the number of solutions is small, all are found once, and drawing is *exactly* uniform. Elsewhere random
//! equations modulo 2 cut the solutions into cells of about the same size, after UniGen (Chakraborty, Meel & Vardi,
//! *Balancing scalability and uniformity in SAT witness generator*, DAC 2014; Soos, Gocht & Meel, *Tinted, detached,
//! and lazy CNF-XOR solving and its applications to counting and sampling*, CAV 2020), and one solution of a random
//! cell is drawn. Each of *N* solutions is drawn with a probability between 1 / ((1 + ε) N) and (1 + ε) / N, where ε is
//! the tolerance, whatever was drawn before. The number of equations comes from an approximate count that is done once;
//! the guarantee holds unless that count is too small, of which the probability is at most one percent. `hashing.rs`
//! has the proof, `count.rs` the count.
//!
//! The difference from UniGen is the way of drawing a solution from a cell. UniGen accepts cells whose size is between
//! pivot / (1 + κ) and 1 + (1 + κ) pivot, where ε = (1 + κ) (2.23 + 0.48 / (1 - κ)²) - 1, and draws from each with the
//! same probability, so that solutions in small cells are preferred; therefore ε is more than 1.71 there. Here, as already
//! in Bellare, Goldreich & Petrank (*Uniform generation of NP-witnesses using an NP-oracle*, Information and Computation
//! 163, 2000), the number of a solution is drawn up to a threshold, and a cell that has fewer is a failure. So each
//! solution of each cell has the same probability, any ε > 0 will do, cells are smaller, and they need not be gone
//! through up to their end. Several samples of one cell, as in UniGen2 (TACAS 2015), would not be independent: they are
//! never equal.
//!
//! Equations over many bits are hard for a solver that knows clauses only. Measured with a tolerance of 0.3: about
//! 2,000 samples a second of formulas with 2^30 and 2^35 solutions, 6 where four numbers of 16 bits are ordered in 2^43
//! ways, and none in half a minute of a product of 32 bits with remainders of it.
//!
//! # Quick
//!
//! One call of the solver for each sample, in which decisions try random values of all nodes of the circuit in random
//! order, in the spirit of CMSGen (Golia, Soos, Chakraborty & Meel, *Designing samplers is easy: the boon of testers*,
//! FMCAD 2021). There is no guarantee, and it is not uniform: measured with 20 samples for each solution of four
//! formulas of 249 to 3072 solutions, Pearson's statistic is 2.4 to 13 times what it is on average for uniform samples,
//! and up to 2 solutions of a formula do not come. With decisions in the solver's own order it is 6 to 20 times that.

mod cell;
mod count;
mod delivery;
mod drawing;
mod hashing;
mod parity;
mod quick;
mod space;

use std::ops::ControlFlow;
use std::time::Instant;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustc_hash::FxHashMap;
use sundry_solver::{EngineOptions, SatOptions};
use sundry_term::Model;
use tracing::debug_span;

use crate::error::SampleError;
use crate::pipeline::{Event, Part, Request, Summary};
use crate::problem::Problem;
use crate::rows::Layout;
use crate::strategy::StopReason;
use delivery::Delivery;
use hashing::Hashing;
use space::{Row, Space};

/// The approximate number of solutions up to which all are found once and for all.
const LISTED: u64 = 1 << 14;

/// The least tolerance. Tries fail more often the smaller it is.
pub const LEAST_TOLERANCE: f64 = 1e-6;

/// The way in which samples are drawn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum UniformMethod {
    /// Samples are uniform up to the tolerance, by hashing; exactly where the number of solutions is small.
    Hashing,
    /// Samples come without any guarantee, with one call of the solver for each sample.
    Quick,
}

/// The options of uniform sampling.
#[derive(Clone, Debug)]
pub struct UniformOptions {
    /// The way in which samples are drawn.
    pub method: UniformMethod,
    /// The factor, less 1, by which the probability of a solution may differ from that of the uniform distribution. It matters for
    /// hashing only. Less than a millionth, or no number, counts as a millionth.
    pub tolerance: f64,
    /// Up to about how many solutions are found once and for all, so that draws from them are exactly uniform.
    pub listed: u64,
}

impl UniformOptions {
    /// Draws by a method, which are uniform up to a tolerance where that is promised.
    pub fn new(method: UniformMethod, tolerance: f64) -> Self {
        UniformOptions { method, tolerance, listed: LISTED }
    }
}

/// The number of solutions, apart from the values of free bits.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum SolutionCount {
    /// All were found.
    Exact(u64),
    /// The logarithm, to the base 2, of about how many.
    AboutLog2(f64),
}

/// Counters of a run.
#[derive(Clone, Debug, Default)]
pub struct UniformStatistics {
    /// Samples that were handed out.
    pub samples: u64,
    /// Calls of the solver.
    pub questions: u64,
    /// Cells that were looked into, also to count.
    pub cells: u64,
    /// Tries to draw a sample that failed.
    pub misses: u64,
    /// Whether the distribution is exactly uniform.
    pub exact: bool,
    /// The number of solutions for each assignment of free bits, where it was found.
    pub solutions: Option<SolutionCount>,
    /// Bits of constants on which nothing depends. Each doubles the number of solutions.
    pub free_bits: u64,
    /// Arrays, functions and elements of declared sorts, whose values are not drawn: the solutions that are counted are values of the
    /// other constants.
    pub undrawn: u64,
    /// The number of equations that cut out a cell, where there are cells.
    pub hash_bits: Option<usize>,
    /// The largest number of a solution that is drawn in a cell, where there are cells.
    pub threshold: Option<u64>,
}

/// Draws solutions until there are as many as asked for, the receiver has enough, or time is up. The receiver gets some at a
/// time, in the order of their draws.
///
/// # Errors
/// Sampling could not start.
pub(crate) fn sample(
    problem: &Problem,
    options: &UniformOptions,
    request: &Request,
    start: Instant,
    receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Summary, SampleError> {
    let Request { seed, control, max_solutions, .. } = request;
    let sat = match options.method {
        UniformMethod::Hashing => SatOptions::for_many_calls(),
        UniformMethod::Quick => quick::sat_options(*seed),
    };
    let (space, judge) =
        Space::new(problem, *seed, EngineOptions { sat, ..EngineOptions::default() }, control)?;
    let layout = Layout::new(space.store(), &judge, &FxHashMap::default());
    let delivery = Delivery::new(problem, judge, layout, stream(*seed, 2), *max_solutions, receive);
    let mut sampler =
        Sampler { space, random: stream(*seed, 1), delivery, statistics: UniformStatistics::default() };
    let stopped_by = sampler.run(options);
    let rejected = sampler.delivery.rejected;
    let part = Part::Uniform(sampler.statistics());
    Ok(Summary { stopped_by, rejected, seconds: start.elapsed().as_secs_f64(), part })
}

fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

struct Sampler<'a> {
    space: Space<'a>,
    random: ChaCha8Rng,
    delivery: Delivery<'a>,
    statistics: UniformStatistics,
}

/// The source of samples.
enum Plan {
    /// All solutions.
    List(Vec<Row>),
    Hashing(Hashing),
    Quick,
}

impl Sampler<'_> {
    fn run(&mut self, options: &UniformOptions) -> StopReason {
        if !self.space.has_solution() {
            let control = self.space.control();
            return if control.stopped() { control.reason().into() } else { StopReason::Unsatisfiable };
        }
        if self.delivery.is_enough() {
            return StopReason::MaximalSolutions;
        }
        let plan = match options.method {
            UniformMethod::Quick => quick::prepare(&mut self.space).map(|()| Plan::Quick),
            UniformMethod::Hashing => self.plan(options.tolerance, options.listed),
        };
        match plan {
            Ok(plan) => self.draw_all(&plan),
            Err(reason) => reason,
        }
    }

    /// Finds all solutions, or how to cut them into cells.
    fn plan(&mut self, tolerance: f64, listed: u64) -> Result<Plan, StopReason> {
        let _span = debug_span!("count").entered();
        let (space, random) = (&mut self.space, &mut self.random);
        let guess = count::guess(space, random)?;
        // One cell may mislead.
        let is_few = guess.solutions() <= listed as f64;
        if is_few && let Some(rows) = count::list(space, listed.saturating_mul(4))? {
            if rows.is_empty() {
                return Err(StopReason::Unsatisfiable);
            }
            self.statistics.exact = true;
            self.statistics.solutions = Some(SolutionCount::Exact(rows.len() as u64));
            return Ok(Plan::List(rows));
        }
        let size = count::estimate(space, guess.equations, random)?;
        let log2 = size.equations as f64 + size.mean.log2();
        let hashing = Hashing::new(&size, tolerance.max(LEAST_TOLERANCE));
        self.statistics.solutions = Some(SolutionCount::AboutLog2(log2.max(0.0)));
        self.statistics.hash_bits = Some(hashing.equations);
        self.statistics.threshold = Some(hashing.threshold);
        Ok(Plan::Hashing(hashing))
    }

    fn draw_all(&mut self, plan: &Plan) -> StopReason {
        let reason = loop {
            if self.space.control().stopped() {
                break self.space.control().reason().into();
            }
            match self.draw(plan) {
                Ok(Some(model)) => {
                    if let ControlFlow::Break(reason) =
                        self.delivery.push(self.space.store(), model, self.space.control())
                    {
                        return reason;
                    }
                }
                Ok(None) => self.statistics.misses += 1,
                Err(reason) => break reason,
            }
        };
        match self.delivery.flush(self.space.store(), self.space.control()) {
            ControlFlow::Break(enough) => enough,
            ControlFlow::Continue(()) => reason,
        }
    }

    /// Makes one try to draw a solution.
    fn draw(&mut self, plan: &Plan) -> Result<Option<Model>, StopReason> {
        let _span = debug_span!("draw").entered();
        match plan {
            Plan::List(rows) => {
                let row = &rows[self.random.random_range(0..rows.len())];
                self.space.model_of(row, &mut self.random)
            }
            Plan::Hashing(hashing) => hashing.draw(&mut self.space, &mut self.random),
            Plan::Quick => quick::draw(&mut self.space, &mut self.random),
        }
    }

    fn statistics(self) -> UniformStatistics {
        UniformStatistics {
            samples: self.delivery.samples,
            questions: self.space.questions(),
            cells: self.space.cells(),
            free_bits: self.space.free(),
            undrawn: self.space.undrawn(),
            ..self.statistics
        }
    }
}

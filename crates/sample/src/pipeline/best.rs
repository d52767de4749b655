//! The best set of solutions found so far: the one place that decides on its order and on whether another set takes its place.

use std::sync::Arc;
use std::time::Instant;

use sundry_coverage::{Coverage, Gains, ModelBits, greedy_order};

use super::event::RatedSolution;
use crate::prefixes;
use crate::problem::{Problem, Solution};

/// The best set found so far.
pub(crate) struct BestSet<'a> {
    problem: &'a Problem,
    start: Instant,
    solutions: Vec<RatedSolution>,
    /// The bits that each solution covers.
    bits: Vec<Arc<ModelBits>>,
    coverage: Coverage,
    /// The number of solutions when they were last put in order.
    ordered: usize,
}

impl<'a> BestSet<'a> {
    /// A set without solutions, of a run that began at `start`.
    pub(crate) fn new(problem: &'a Problem, start: Instant) -> Self {
        BestSet {
            problem,
            start,
            solutions: Vec::new(),
            bits: Vec::new(),
            coverage: Coverage::new(&problem.ast_bits),
            ordered: 0,
        }
    }

    /// The solutions, in the order of gain but for the latest ones.
    pub(crate) fn solutions(&self) -> &[RatedSolution] {
        &self.solutions
    }

    /// The number of AST-bits that the solutions cover.
    pub(crate) fn covered(&self) -> u64 {
        self.coverage.covered() as u64
    }

    /// The solutions, and their coverage.
    pub(crate) fn into_parts(self) -> (Vec<RatedSolution>, Coverage) {
        (self.solutions, self.coverage)
    }

    /// Adds a solution behind the others. The set is put in order only when it has doubled in size: doing that
    /// every time would cost more than finding solutions.
    pub(crate) fn add(&mut self, Solution { model, bits }: Solution) {
        let seconds = self.start.elapsed().as_secs_f64();
        let gain = self.coverage.add(&bits) as u64;
        self.solutions.push(RatedSolution { model, gain, seconds });
        self.bits.push(bits);
        if self.solutions.len() >= 2 * self.ordered {
            self.order();
        }
    }

    /// Takes another set, unless the present one is as small, covers as much and has the better prefixes.
    pub(crate) fn offer(&mut self, offered: Vec<Solution>) {
        let now = self.start.elapsed().as_secs_f64();
        if self.ordered < self.solutions.len() {
            self.order();
        }
        let covered = self.covered();
        let (mut solutions, mut bits) = (Vec::new(), Vec::new());
        for solution in offered {
            let known = self.solutions.iter().find(|rated| Arc::ptr_eq(&rated.model, &solution.model));
            let seconds = known.map_or(now, |rated| rated.seconds);
            solutions.push(RatedSolution { model: solution.model, gain: 0, seconds });
            bits.push(solution.bits);
        }
        std::mem::swap(&mut self.solutions, &mut solutions);
        std::mem::swap(&mut self.bits, &mut bits);
        self.order();
        let is_gain = self.covered() > covered || self.solutions.len() < solutions.len();
        if !is_gain && prefix_product(&solutions, covered) < prefix_product(&self.solutions, covered) {
            self.solutions = solutions;
            self.bits = bits;
            self.order();
        }
    }

    /// Orders the set by greedy gain, the earlier of equal solutions first.
    pub(crate) fn order(&mut self) {
        let coverage = Coverage::new(&self.problem.ast_bits);
        let order = greedy_order(self.bits.len(), &mut GainsInAstBits { bits: &self.bits, coverage });
        let mut unordered: Vec<_> = self.solutions.drain(..).zip(self.bits.drain(..)).map(Some).collect();
        self.coverage = Coverage::new(&self.problem.ast_bits);
        for index in order {
            let (rated, bits) = unordered[index].take().expect("an order names each once");
            let gain = self.coverage.add(&bits) as u64;
            self.solutions.push(RatedSolution { gain, ..rated });
            self.bits.push(bits);
        }
        self.ordered = self.solutions.len();
    }

    /// Drops solutions that add nothing to those before them. The first one stays: it is a solution even where there
    /// is nothing to cover.
    pub(crate) fn prune(&mut self) {
        let needed = self.solutions.iter().rposition(|rated| rated.gain > 0).map_or(1, |last| last + 1);
        self.solutions.truncate(needed);
        self.bits.truncate(needed);
    }

    /// Drops the last solutions if there are more than `most`. Returns whether there were.
    pub(crate) fn truncate(&mut self, most: usize) -> bool {
        let is_longer = self.solutions.len() > most;
        if is_longer {
            self.solutions.truncate(most);
            self.bits.truncate(most);
            self.coverage = Coverage::new(&self.problem.ast_bits);
            for bits in &self.bits {
                self.coverage.add(bits);
            }
        }
        is_longer
    }
}

/// The product of the lengths of those prefixes of an ordered set that reach the levels of this coverage.
fn prefix_product(set: &[RatedSolution], covered: u64) -> u128 {
    prefixes::product(&prefixes::lengths(set.iter().map(|rated| rated.gain), &prefixes::wanted(covered)))
}

/// Solutions that are put in order, and what those in order cover.
struct GainsInAstBits<'a> {
    bits: &'a [Arc<ModelBits>],
    coverage: Coverage,
}

impl Gains for GainsInAstBits<'_> {
    type Gain = u64;

    fn gain(&self, item: usize, _: Option<&u64>) -> u64 {
        self.coverage.gain(&self.bits[item]) as u64
    }

    fn take(&mut self, item: usize) {
        self.coverage.add(&self.bits[item]);
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::{BitVector, Control, Model, Op, TermStore, Value};

    use super::*;

    /// A bit-vector of 8 bits other than 0.
    fn not_zero() -> Problem {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(8).expect("a width");
        let symbol = store.declare("x", &[], sort);
        let (x, zero) = (store.symbol_term(symbol), store.bit_vector(BitVector::from_u64(8, 0)));
        let equal = store.make(Op::Equal, &[x, zero]);
        let assertions = vec![store.make(Op::Not, &[equal])];
        Problem::new(store, assertions, vec![symbol])
    }

    fn solution(problem: &Problem, x: u64) -> Solution {
        let mut model = Model::new();
        model.set_constant(problem.symbols[0], Value::BitVec(BitVector::from_u64(8, x)));
        problem.judge(model, &Control::default()).expect("a solution")
    }

    /// The values that are left of these sets, offered one after the other, as values of `x`.
    fn left_of(sets: &[&[u64]]) -> Vec<u64> {
        let problem = not_zero();
        let mut best = BestSet::new(&problem, Instant::now());
        for set in sets {
            best.offer(set.iter().map(|&x| solution(&problem, x)).collect());
        }
        let of = |rated: &RatedSolution| match rated.model.constant(problem.symbols[0]) {
            Some(Value::BitVec(x)) => x.to_u64().expect("8 bits"),
            _ => panic!("a bit-vector"),
        };
        let gains: u64 = best.solutions.iter().map(|rated| rated.gain).sum();
        assert_eq!(gains, best.covered());
        best.solutions.iter().map(of).collect()
    }

    #[test]
    fn of_equal_sets_the_one_with_the_better_prefixes_is_kept() {
        // Two opposite values cover all but what is zero; three others as much, but only together.
        let (good, poor) = ([0x55, 0xaa, 0x01].as_slice(), [0x0f, 0xf1, 0x3e].as_slice());
        assert_eq!(left_of(&[poor, good])[..2], [0x55, 0xaa]);
        assert_eq!(left_of(&[good, poor])[..2], [0x55, 0xaa]);
    }

    #[test]
    fn fewer_solutions_or_more_coverage_take_the_place_of_better_prefixes() {
        assert_eq!(left_of(&[&[0x55, 0xaa, 0x01, 0x02], &[0x0f, 0xf1, 0x3e]]), [0x0f, 0xf1, 0x3e]);
        assert_eq!(left_of(&[&[0xff, 0x7f], &[0x01, 0xfe]]), [0x01, 0xfe]);
    }

    #[test]
    fn a_solution_keeps_the_time_at_which_it_was_found() {
        let problem = not_zero();
        let mut best = BestSet::new(&problem, Instant::now());
        let first = solution(&problem, 0x55);
        best.add(first.clone());
        let found = best.solutions[0].seconds;
        best.offer(vec![solution(&problem, 0xaa), first]);
        let seconds: Vec<f64> = best.solutions.iter().map(|rated| rated.seconds).collect();
        assert!(seconds.contains(&found) && seconds.iter().any(|&it| it > found), "{seconds:?}");
    }
}

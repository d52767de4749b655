//! The lower bound by weights: if no model covers targets of a weight of more than one in total, a set has as many members as
//! all weights together.
//!
//! A clique gives its targets a weight of one each. Where each two of three targets fit together, but not all three, a half
//! each still needs two members. Weights that all known models respect come from a linear program, and the solver is asked
//! for a model that does not respect them; such a model becomes known, and there are other weights (column generation, after
//! Gilmore & Gomory, *A linear programming approach to the cutting-stock problem*, 1961).

use sundry_coverage::BitSet;
use sundry_solver::Verdict;

use super::Cover;
use super::packing::Packing;

/// Questions to the solver, at most.
const QUESTIONS: usize = 300;
/// Ticks for all questions together.
const TICKS: u64 = 400_000_000;
/// The part of the work left that the bound may take: one in this number.
const PART: u64 = 4;
/// Ticks for each target in a question: carrying one value through the circuit takes some hundred thousand.
const TICKS_PER_TARGET: u64 = 1_000_000;

impl Cover<'_> {
    /// Raises the lower bound as far as weights are found that the solver confirms.
    pub(super) fn find_fractional_bound(&mut self) {
        let until = self.steering.clock() + self.part_of_work(PART, TICKS);
        let (mut packing, mut is_fresh) = (self.packing(), true);
        for _ in 0..QUESTIONS {
            if self.is_minimal() || self.is_over(until) {
                return;
            }
            self.steering.count_work(packing.work());
            let weights = packing.weights(self.members.len());
            let Some(weights) = weights.filter(|weights| weights.least_size() > self.bound.size) else {
                if is_fresh {
                    return;
                }
                // Other targets may have become rare.
                (packing, is_fresh) = (self.packing(), true);
                continue;
            };
            let patience = self.growing.patience.max(TICKS_PER_TARGET * weights.of_targets.len() as u64);
            let ticks = self.part_of_work(PART, patience).max(1);
            match self.steering.check_weight(&weights.of_targets, weights.most, ticks) {
                Verdict::Unsat => self.bound.size = weights.least_size(),
                Verdict::Sat => {
                    packing.add(&self.look_at_targets());
                    is_fresh = false;
                }
                Verdict::Unknown => return,
            }
        }
    }

    /// The packing of the covered targets, given the models that are known now.
    fn packing(&self) -> Packing {
        let members = self.members.iter().map(|member| &member.covered);
        let models: Vec<&BitSet> = members.chain(self.known.pool.models()).collect();
        Packing::new(&self.covered, &models)
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::{Control, Op, SortId, TermStore};

    use crate::cover::tests::grown;
    use crate::problem::Problem;

    /// Truth values around a circle, of which only neighbours are true together.
    fn circle(count: usize) -> Problem {
        let mut store = TermStore::new();
        let symbols: Vec<_> =
            (0..count).map(|number| store.declare(&format!("b{number}"), &[], SortId::BOOL)).collect();
        let values: Vec<_> = symbols.iter().map(|&symbol| store.symbol_term(symbol)).collect();
        let mut assertions = Vec::new();
        for left in 0..count {
            for right in left + 2..count {
                if (left, right) != (0, count - 1) {
                    let both = store.make(Op::And, &[values[left], values[right]]);
                    assertions.push(store.make(Op::Not, &[both]));
                }
            }
        }
        Problem::new(store, assertions, symbols)
    }

    #[test]
    fn weights_exceed_cliques() {
        for (count, least) in [(5, 3), (7, 4), (9, 5)] {
            let problem = circle(count);
            let mut cover = grown(&problem, 0, &Control::default());
            cover.find_bound();
            assert!(cover.bound.size < least, "a clique of {} around {count}", cover.bound.size);
            cover.find_fractional_bound();
            assert!(cover.members.len() >= least);
            assert_eq!(cover.bound.size, least, "around {count}");
        }
    }
}

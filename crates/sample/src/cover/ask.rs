//! Questions about what neither walks nor hops have shown: they go to the engine of hops, which is fast at them, before classification asks for the
//! rest in an engine with the circuits of all bits.

use rustc_hash::FxHashSet;
use sundry_coverage::{AstBit, BitSet};
use sundry_smtlib::print_term_briefly;
use sundry_solver::BuildError;
use sundry_term::{TermId, evaluate_within};
use tracing::debug;

use super::Cover;
use crate::bit_questions::{Answer, BitQuestions};
use crate::formula_engine::FormulaEngine;
use crate::problem::Rejection;
use crate::targets::Target;

/// Ticks of a question in the first pass.
const TICKS: u64 = 1_000_000;
/// The factor by which questions may take longer in the next pass.
const GROWTH: u64 = 8;
/// Passes, at most.
const PASSES: u32 = 2;
/// Work of all questions, at most.
const MOST_WORK: u64 = 2_000_000_000;

/// Passes through the targets that are not decided.
pub(super) struct Asking {
    questions: BitQuestions,
    /// Targets that this pass has not come to.
    left: std::vec::IntoIter<Target>,
    /// Targets that were too hard in this pass.
    hard: Vec<Target>,
    /// The terms of these targets: other bits of such a term wait for the next pass, too.
    hard_terms: FxHashSet<TermId>,
    /// Whether this pass has decided anything.
    has_decided: bool,
    pass: u32,
    work: u64,
}

impl Asking {
    /// The next target. `None` where a pass has decided nothing, and after the last one.
    fn next(&mut self) -> Option<Target> {
        if self.left.len() == 0 && self.has_decided && self.pass + 1 < PASSES {
            debug!(pass = self.pass, hard = self.hard.len(), work = self.work, "asked for all targets");
            self.left = std::mem::take(&mut self.hard).into_iter();
            self.hard_terms.clear();
            self.has_decided = false;
            self.pass += 1;
        }
        self.left.next().filter(|_| self.work < MOST_WORK)
    }

    /// Ticks of a question in this pass.
    fn ticks(&self) -> u64 {
        TICKS * GROWTH.pow(self.pass)
    }
}

impl Cover<'_> {
    /// Begins to ask this engine for the targets that are not decided.
    pub(super) fn begin_asking(&mut self, formula: FormulaEngine) {
        let targets = (0..self.steering.targets.count()).map(Target::from_index);
        let left: Vec<Target> = targets.filter(|&target| !self.known.is_decided(target)).collect();
        debug!(targets = left.len(), "asking");
        self.near.asking = Some(Asking {
            questions: BitQuestions::new(formula, self.problem.ast_bits.integer_bits()),
            left: left.into_iter(),
            hard: Vec::new(),
            hard_terms: FxHashSet::default(),
            has_decided: false,
            pass: 0,
            work: 0,
        });
    }

    /// Asks for one more target. Returns whether asking goes on; otherwise, the engine is freed.
    ///
    /// # Errors
    /// As for [`walk_from`](Self::walk_from).
    pub(super) fn ask(&mut self) -> Result<bool, Rejection> {
        let Some(mut asking) = self.near.asking.take() else { return Ok(false) };
        if self.steering.control().stopped() || self.knows_enough() {
            return Ok(false);
        }
        let Some(target) = asking.next() else { return Ok(false) };
        let bit = self.problem.ast_bits.ast_bit(self.steering.targets.ast_bit(target));
        if asking.hard_terms.contains(&bit.term) {
            asking.hard.push(target);
        } else if !self.known.is_decided(target) {
            // A circuit that is too large for these questions is one for classification, which says so.
            let Ok(answer) = self.answer(&mut asking, bit) else { return Ok(false) };
            self.learn_answer(target, answer)?;
            if self.known.is_decided(target) {
                asking.has_decided = true;
            } else {
                let term = print_term_briefly(&self.problem.store, bit.term, 100);
                debug!(term, bit = bit.bit, value = bit.value, "too hard");
                asking.hard.push(target);
                asking.hard_terms.insert(bit.term);
            }
        }
        self.near.asking = Some(asking);
        Ok(true)
    }

    /// The answer to the question about a bit, whose work is counted.
    fn answer(&mut self, asking: &mut Asking, bit: AstBit) -> Result<Answer, BuildError> {
        let control = self.steering.control().clone();
        // In every known solution, the bit has the other value.
        let known = self.near.start().and_then(|start| {
            evaluate_within(&self.problem.store, &start.solution.model, bit.term, &control).ok()
        });
        let before = asking.questions.work();
        let answer = asking.questions.ask(bit, known.as_ref(), asking.ticks());
        let work = asking.questions.work() - before;
        asking.work += work;
        self.steering.count_work(work);
        answer
    }

    fn learn_answer(&mut self, target: Target, answer: Answer) -> Result<(), Rejection> {
        match answer {
            Answer::Model(model) => {
                let (member, _) = self.visit(*model)?;
                self.walk_from(&member.solution)?;
            }
            Answer::Impossible => {
                let mut impossible = BitSet::new(self.steering.targets.count());
                impossible.insert(target.index());
                self.learn_impossible(impossible);
            }
            Answer::Unknown => {}
        }
        Ok(())
    }
}

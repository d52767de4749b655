//! Smaller formulas that still fail.
//!
//! Assertions are dropped, then each node in turn is replaced by something smaller of its sort: an
//! argument or a deeper part, a symbol, a literal. Whatever still fails is kept, until nothing
//! does or the attempts are used up. Largest nodes come first, so one success removes much.

use rustc_hash::FxHashMap;
use sundry_term::{BitVector, Op, SortId, TermId, substitute};

use crate::case::Case;

/// Formulas tried, at most.
const ATTEMPTS: usize = 600;

/// A smaller case on which `fails` still says yes.
pub fn shrink(case: &Case, fails: &mut dyn FnMut(&Case) -> bool) -> Case {
    let mut shrinking = Shrinking { best: case.clone(), fails, attempts: 0 };
    while shrinking.drop_assertions() || shrinking.replace_nodes() {}
    shrinking.best
}

struct Shrinking<'a> {
    best: Case,
    fails: &'a mut dyn FnMut(&Case) -> bool,
    attempts: usize,
}

impl Shrinking<'_> {
    fn accept(&mut self, candidate: Case) -> bool {
        if self.attempts >= ATTEMPTS {
            return false;
        }
        self.attempts += 1;
        let better = (self.fails)(&candidate);
        if better {
            self.best = candidate;
        }
        better
    }

    fn drop_assertions(&mut self) -> bool {
        let mut progress = false;
        let mut position = 0;
        while position < self.best.assertions.len() && self.best.assertions.len() > 1 {
            let mut candidate = self.best.clone();
            candidate.assertions.remove(position);
            if self.accept(candidate) {
                progress = true;
            } else {
                position += 1;
            }
        }
        progress
    }

    fn replace_nodes(&mut self) -> bool {
        let nodes = self.best.store.reachable(&self.best.assertions);
        for &node in nodes.iter().rev() {
            for replacement in self.smaller(node) {
                let mut candidate = self.best.clone();
                let map = FxHashMap::from_iter([(node, replacement)]);
                for assertion in &mut candidate.assertions {
                    *assertion = substitute(&mut candidate.store, *assertion, &map).expect("of one sort");
                }
                if self.accept(candidate) {
                    return true;
                }
            }
        }
        false
    }

    /// Terms of the node's sort that are smaller than it. Literals are smallest.
    fn smaller(&mut self, node: TermId) -> Vec<TermId> {
        let store = &mut self.best.store;
        let sort = store.sort_of(node);
        if store.value(node).is_some() {
            return Vec::new();
        }
        let mut found: Vec<TermId> = match store.bit_vec_width(sort) {
            Some(width) => {
                vec![store.bit_vector(BitVector::zero(width)), store.bit_vector(BitVector::one(width))]
            }
            None if sort == SortId::BOOL => vec![store.bool(false), store.bool(true)],
            None => Vec::new(),
        };
        if store.args(node).is_empty() {
            return found;
        }
        let below = store.reachable(&[node]);
        found.extend(below.into_iter().filter(|&term| {
            let is_part = term != node && store.sort_of(term) == sort;
            is_part && (store.args(node).contains(&term) || store.constant_symbol(term).is_some())
        }));
        if let Some(flat) = self.with_fewer_arguments(node) {
            found.push(flat);
        }
        found
    }

    /// The node without its last argument, where that is allowed.
    fn with_fewer_arguments(&mut self, node: TermId) -> Option<TermId> {
        let store = &mut self.best.store;
        let op = store.op(node);
        let arguments = store.args(node).to_vec();
        let any_number = matches!(
            op,
            Op::And
                | Op::Or
                | Op::Equal
                | Op::Distinct
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
        );
        (any_number && arguments.len() > 2).then(|| store.make(op, &arguments[..arguments.len() - 1]))
    }
}

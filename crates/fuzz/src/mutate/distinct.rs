//! The mutants of a seed that simplification tells apart.
//!
//! Solvers simplify formulas before all else. A mutant that simplification decides, or makes equal to an earlier one,
//! tests nothing that others do not test.

use rustc_hash::FxHashSet;
use sundry_term::{TermId, TermStore};

use crate::mutate::simplify::Simplifier;

/// The simplified forms of the mutants so far.
#[derive(Default)]
pub(crate) struct Distinct {
    simplifier: Simplifier,
    seen: FxHashSet<TermId>,
}

impl Distinct {
    /// Whether simplification leaves the conjunction of these assertions open, and different from all before it.
    pub(crate) fn is_new(&mut self, store: &mut TermStore, assertions: &[TermId]) -> bool {
        let conjunction = self.simplifier.conjunction(store, assertions);
        store.value(conjunction).is_none() && self.seen.insert(conjunction)
    }
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{SourceText, TheorySet, parse_script};

    use super::*;

    #[test]
    fn what_simplification_decides_or_makes_equal_is_not_new() {
        let mut store = TermStore::new();
        let text = "(declare-fun p () Bool) (declare-fun x () Int)
            (assert (< x 3)) (assert p) (assert (< x (+ 1 2))) (assert (or p false))
            (assert (and p (not p))) (assert (< x 4))";
        let script = parse_script(&mut store, &SourceText::new("test", text), TheorySet::ALL);
        let all = script.expect("a legal script").formula().assertions;
        let mut distinct = Distinct::default();
        let mut is_new = |numbers: &[usize]| {
            let assertions: Vec<TermId> = numbers.iter().map(|&number| all[number]).collect();
            distinct.is_new(&mut store, &assertions)
        };
        assert!(is_new(&[0, 1]));
        assert!(!is_new(&[2, 3]));
        assert!(!is_new(&[1, 0]), "the order makes no difference");
        assert!(!is_new(&[4]));
        assert!(is_new(&[5, 1]));
    }
}

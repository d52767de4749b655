//! The size and depth of an input (*comScore*, equation 2).

use rustc_hash::FxHashMap;
use sundry_term::{TermId, TermStore};

/// The nodes of a term as a tree, and the sum of their depths; the root has depth 0.
#[derive(Copy, Clone)]
struct Tree {
    nodes: u64,
    depths: u64,
}

/// The complexity of some assertions: the sum of the levels of all their nodes. The root of an assertion and its arguments
/// have level 1, as in the examples of the paper; the arguments of these have level 2, and so on. A node counts as often as it
/// occurs, as if nothing were shared, and yet the work is that of the shared terms: sums are computed from the leaves to the
/// roots. A complexity that is too large is the largest number there is.
///
/// ```
/// use sundry_smtlib::{SourceText, TheorySet, parse_script};
/// use sundry_stress::complexity;
/// use sundry_term::TermStore;
///
/// let mut store = TermStore::new();
/// let text = "(declare-fun v () String) (assert (< (str.to_int \"8b8\") 9))";
/// let script = parse_script(&mut store, &SourceText::new("text", text), TheorySet::ALL).unwrap();
/// // Level 1: <, str.to_int, 9; level 2: "8b8".
/// assert_eq!(complexity(&store, &script.formula().assertions), 1 * 3 + 2 * 1);
/// ```
pub fn complexity(store: &TermStore, assertions: &[TermId]) -> u64 {
    let mut trees: FxHashMap<TermId, Tree> = FxHashMap::default();
    // Arguments come before the terms that they are in.
    for term in store.reachable(assertions) {
        let mut tree = Tree { nodes: 1, depths: 0 };
        for argument in store.args(term) {
            let below = trees[argument];
            tree.nodes = tree.nodes.saturating_add(below.nodes);
            // Each node below is one level deeper here.
            tree.depths = tree.depths.saturating_add(below.depths).saturating_add(below.nodes);
        }
        trees.insert(term, tree);
    }
    // A level is the depth, but for the root.
    assertions.iter().fold(0, |sum: u64, root| sum.saturating_add(trees[root].depths).saturating_add(1))
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{SourceText, TheorySet, parse_script};

    use super::*;

    fn complexity_of(text: &str) -> u64 {
        let mut store = TermStore::new();
        let source = SourceText::new("text", text);
        let script = parse_script(&mut store, &source, TheorySet::ALL).expect("a legal script");
        complexity(&store, &script.formula().assertions)
    }

    #[test]
    fn the_examples_of_the_paper() {
        let declarations = "(declare-fun i () Int) (declare-fun v () String) (declare-fun w () String)";
        let simple = "(assert (> (str.indexof \"+]YAPKJ8b8\" v i) (str.to_int w)))";
        let second = "(assert (< (str.to_int \"8b8\") 9))";
        assert_eq!(complexity_of(&format!("{declarations}{simple}")), 11);
        assert_eq!(complexity_of(&format!("{declarations}{simple}{second}")), 16);
    }

    #[test]
    fn what_is_shared_counts_as_often_as_it_occurs() {
        let shared = "(declare-const p Bool) (assert (let ((q (not p))) (and q q)))";
        // Level 1: and, not, not; level 2: p, p.
        assert_eq!(complexity_of(shared), 3 + 4);
        assert_eq!(complexity_of("(declare-const p Bool) (assert p)"), 1);
        assert_eq!(complexity_of(""), 0);
    }

    #[test]
    fn a_tower_of_shared_terms_takes_no_time_and_does_not_overflow() {
        let mut text = String::from("(declare-const x0 (_ BitVec 8))");
        for level in 1..200 {
            text += &format!("(define-fun x{level} () (_ BitVec 8) (bvmul x{0} x{0}))", level - 1);
        }
        assert_eq!(complexity_of(&(text + "(assert (= x199 #x01))")), u64::MAX);
    }
}

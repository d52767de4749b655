//! Reads of arrays that are computed by stores and choices from constant arrays alone.
//!
//! Such an array has one element at each index, which is found on the way down from the read: at the first store that writes the index, or in the
//! constant array at the bottom. So no two reads have to be compared, and what other arrays are made of the same ones does not matter.

use super::graph::Joint;
use super::view::Reason;
use super::{ArrayId, ArrayKind, ArrayView, Violation, work_of_walk};
use crate::theory::datum::{Datum, Key};
use crate::theory::lemma::LemmaKind;

/// The place where a way down ends.
struct Found<'a> {
    path: Vec<Joint>,
    element: &'a Datum,
    /// The index of the store, if it is one.
    index: Option<&'a Datum>,
}

/// The axiom instances that reads violate.
pub(super) fn computed_violations(view: &ArrayView<'_>) -> Vec<Violation> {
    let graph = view.graph;
    let mut keys: Vec<Option<Key>> = vec![None; graph.nodes.len()];
    let mut violations = Vec::new();
    for (number, read) in (0..).zip(&graph.reads) {
        let node = graph.node(read.array);
        if matches!(node.kind, ArrayKind::Store { .. }) && node.reads.first() == Some(&number) {
            // The element that a store writes is one by definition.
            continue;
        }
        let found = way_down(view, read.array, &view.key(&read.index), &mut keys);
        if view.control.spend(work_of_walk(&(0..found.path.len()))).is_err() {
            break;
        }
        if view.key(found.element) == view.key(&read.element) {
            continue;
        }
        violations.push(Violation {
            kind: if found.index.is_some() { LemmaKind::ReadCongruence } else { LemmaKind::ReadConstant },
            reason: Reason {
                path: found.path,
                index: Some(read.index.clone()),
                equal_index: found.index.cloned(),
            },
            elements: (read.element.clone(), found.element.clone()),
            unless_all_written: None,
        });
    }
    violations
}

/// Follows an index from an array down to the element there. `keys` are those of stores that are known already.
fn way_down<'a>(view: &ArrayView<'a>, start: ArrayId, key: &Key, keys: &mut [Option<Key>]) -> Found<'a> {
    let graph = view.graph;
    let (mut at, mut path) = (start, Vec::new());
    loop {
        let node = graph.node(at);
        match &node.kind {
            ArrayKind::Store { base, index } => {
                if keys[at.index()].get_or_insert_with(|| view.key(index)) == key {
                    let own = node.reads.first().expect("a store reads what it writes");
                    let element = &graph.reads[*own as usize].element;
                    return Found { path, element, index: Some(index) };
                }
                path.push(Joint::Store { other: *base, store: at });
                at = *base;
            }
            ArrayKind::Ite { condition, then, otherwise } => {
                let (other, edge) = match view.holds(*condition) {
                    true => (*then, *condition),
                    false => (*otherwise, !*condition),
                };
                path.push(Joint::When { other, edge });
                at = other;
            }
            ArrayKind::Constant { element } => return Found { path, element, index: None },
            ArrayKind::Symbol(_) | ArrayKind::Opaque => unreachable!("computed arrays end in constant ones"),
        }
    }
}

#[cfg(test)]
mod tests {
    use sundry_sat::Verdict;

    use crate::engine::EngineOptions;
    use crate::theory::testing::judged_answer;

    const DECLARATIONS: &str = "(set-logic QF_ABV)
        (declare-const i (_ BitVec 8)) (declare-const j (_ BitVec 8)) (declare-const p Bool)
        (define-sort Bytes () (Array (_ BitVec 8) (_ BitVec 8)))
        (define-fun zeros () Bytes ((as const Bytes) #x00))
        (define-fun table () Bytes (store (store (store zeros #x01 #x0a) #x02 #x0b) #x03 #x0c))
        (define-fun ones () Bytes ((as const Bytes) #x01))";

    #[test]
    fn reads_of_computed_arrays_have_one_value() {
        for (assertion, expected) in [
            ("(= (select table i) #x0b)", Verdict::Sat),
            ("(= (select table i) #x0d)", Verdict::Unsat),
            ("(and (= (select table i) #x00) (bvult i #x04))", Verdict::Sat),
            ("(and (= (select table i) #x00) (bvult i #x04) (distinct i #x00))", Verdict::Unsat),
            ("(= (select (store table i j) #x02) #x77)", Verdict::Sat),
            ("(and (= (select (store table i #x77) j) #x77) (distinct i j))", Verdict::Unsat),
            ("(= (select (ite p table ones) i) #x01)", Verdict::Sat),
            ("(and p (= (select (ite p table ones) i) #x01))", Verdict::Unsat),
            ("(and (not p) (= (select (store (ite p table ones) #x05 #x09) i) #x0a))", Verdict::Unsat),
            ("(= (select table (select table i)) #x0c)", Verdict::Unsat),
            ("(= (select table (bvand (select table i) #x03)) #x0b)", Verdict::Sat),
        ] {
            let text = format!("{DECLARATIONS} (assert {assertion})");
            assert_eq!(judged_answer(&text, &EngineOptions::default()).0, expected, "{assertion}");
        }
    }
}

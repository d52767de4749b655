//! Reads of arrays that are computed by stores and choices from constant arrays alone.
//!
//! Such an array has one element at each index, which is found on the way down from the read: at the first store that writes the index, or in the
//! constant array at the bottom. So no two reads have to be compared, and what other arrays are made of the same ones does not matter.

use super::graph::Joint;
use super::view::Reason;
use super::{ArrayKind, ArrayView, Violation, work_of_walk};
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
fn way_down<'a>(
    view: &ArrayView<'a>,
    start: super::ArrayId,
    key: &Key,
    keys: &mut [Option<Key>],
) -> Found<'a> {
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

//! Arrays that hold the same elements under an assignment.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::contents::{ArrayContents, Region};
use super::graph::ArrayId;
use crate::theory::datum::Key;

/// Numbers of what arrays hold under an assignment that violates no axiom: arrays with the same elements have the same number.
pub(crate) struct ContentNumbers {
    of_nodes: Vec<u64>,
}

impl ContentNumbers {
    /// The numbers of all arrays, of which `default` is the element where nothing else is said, by their sorts.
    pub(crate) fn new(contents: &ArrayContents<'_>, default: impl Fn(ArrayId) -> Key) -> ContentNumbers {
        let view = contents.view();
        let constants = contents.joined_constants();
        let constants = (0..).map(ArrayId::new).zip(constants);
        let defaults: Vec<Key> = constants
            .map(|(id, constant)| constant.map_or_else(|| default(id), |element| view.key(&element)))
            .collect();
        let mut of_nodes: Vec<u64> = defaults.iter().map(|key| FxBuildHasher.hash_one(key)).collect();
        for Region { index, element, nodes } in contents.regions() {
            let element = view.key(&element);
            let number = FxBuildHasher.hash_one((view.key(&index), &element));
            for node in nodes {
                if element != defaults[node.index()] {
                    // The order of the regions does not matter.
                    of_nodes[node.index()] = of_nodes[node.index()].wrapping_add(number);
                }
            }
        }
        ContentNumbers { of_nodes }
    }

    /// Whether two arrays of one sort may hold the same elements: where the answer is no, they differ at some index.
    pub(crate) fn may_agree(&self, left: ArrayId, right: ArrayId) -> bool {
        self.of_nodes[left.index()] == self.of_nodes[right.index()]
    }
}

//! The contents of arrays under an assignment that violates no axiom.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};
use sundry_circuit::Edge;
use sundry_term::Control;

use super::graph::{ArrayGraph, ArrayId, ArrayKind};
use super::view::{ArrayView, Walker, reads_by_key, root, unite};
use crate::theory::datum::{Datum, Key};
use crate::theory::numbers::Solution;

/// The arrays that a read reaches at its index: all of them hold its element there.
pub(crate) struct Region {
    pub(crate) index: Datum,
    pub(crate) element: Datum,
    pub(crate) nodes: Vec<ArrayId>,
}

/// Elements of every array node under an assignment that violates no axiom: for each node the
/// elements at the indices that are read or written somewhere, and a default for all others.
pub(crate) struct ArrayContents<'a> {
    view: ArrayView<'a>,
}

impl<'a> ArrayContents<'a> {
    /// `control` has to be one that never ends: what is left out would be wrong.
    pub(crate) fn new(
        graph: &'a ArrayGraph,
        value: &'a dyn Fn(Edge) -> bool,
        numbers: &'a Solution,
        control: &'a Control,
    ) -> Self {
        ArrayContents { view: ArrayView::new(graph, value, numbers, control) }
    }

    pub(crate) fn view(&self) -> &ArrayView<'a> {
        &self.view
    }

    /// The regions of all reads: together they hold every element that differs from a default.
    pub(crate) fn regions(&self) -> Vec<Region> {
        let graph = self.view.graph;
        let mut walker = Walker::new(&self.view);
        let keys = std::mem::take(&mut walker.keys);
        let mut regions = Vec::new();
        for (key, numbers) in reads_by_key(&keys) {
            for &number in &numbers {
                let read = &graph.reads[number as usize];
                if walker.arrivals[read.array.index()].is_none() {
                    let reached = walker.walk(read.array, key);
                    regions.push(Region {
                        index: read.index.clone(),
                        element: read.element.clone(),
                        nodes: walker.visited[reached].to_vec(),
                    });
                }
            }
            walker.clear();
        }
        regions
    }

    /// Hashes of what all nodes hold: nodes of one sort with the same elements have the same hash, and where hashes differ, nodes differ at some index.
    /// `default` is the element of a node at indices of which nothing is said, unless the node is joined to a constant array.
    pub(crate) fn hashes(&self, default: impl Fn(ArrayId) -> Key) -> Vec<u64> {
        let constants = self.view.graph.node_ids().zip(self.joined_constants());
        let defaults: Vec<Key> = constants
            .map(|(id, constant)| constant.map_or_else(|| default(id), |element| self.view.key(&element)))
            .collect();
        let mut hashes: Vec<u64> = defaults.iter().map(|key| FxBuildHasher.hash_one(key)).collect();
        for Region { index, element, nodes } in self.regions() {
            let element = self.view.key(&element);
            let hash = FxBuildHasher.hash_one((self.view.key(&index), &element));
            for node in nodes {
                if element != defaults[node.index()] {
                    // The order of the regions does not matter.
                    hashes[node.index()] = hashes[node.index()].wrapping_add(hash);
                }
            }
        }
        hashes
    }

    /// A constant array that each node is joined to over any number of stores, if there is one.
    pub(crate) fn joined_constants(&self) -> Vec<Option<Datum>> {
        let graph = self.view.graph;
        let mut component: Vec<ArrayId> = self.view.class.clone();
        for id in graph.node_ids() {
            if let ArrayKind::Store { base, .. } = graph.node(id).kind {
                unite(&mut component, id, base);
            }
        }
        let mut constants: FxHashMap<ArrayId, Datum> = FxHashMap::default();
        for id in graph.node_ids() {
            if let ArrayKind::Constant { element } = &graph.node(id).kind {
                let representative = root(&mut component, id);
                constants.entry(representative).or_insert_with(|| element.clone());
            }
        }
        graph.node_ids().map(|id| constants.get(&root(&mut component, id)).cloned()).collect()
    }
}

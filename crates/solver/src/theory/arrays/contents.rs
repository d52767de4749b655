//! The contents of arrays under an assignment that violates no axiom.

use rustc_hash::FxHashMap;
use sundry_circuit::Edge;
use sundry_term::Control;

use super::graph::{ArrayGraph, ArrayId, ArrayKind};
use super::view::{ArrayView, Walker, reads_by_key, root, unite};
use crate::theory::datum::Datum;
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

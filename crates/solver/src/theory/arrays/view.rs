//! The array graph under one assignment: which arrays are equal, and where reads travel.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sundry_circuit::Edge;
use sundry_term::Control;

use super::graph::{ArrayGraph, ArrayId, ArrayKind, Joint};
use super::{Elements, Violation, read_violations};
use crate::theory::datum::{Datum, Key};
use crate::theory::numbers::Solution;

/// The reason why two elements are equal: one read travels along a path, and the other read's index equals its own.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    /// Joints on the path, all open.
    pub(super) path: Vec<Joint>,
    /// Index of the read that travels; none where two constant arrays meet.
    pub(super) index: Option<Datum>,
    /// Index of the read that is met, equal under the assignment.
    pub(super) equal_index: Option<Datum>,
}

/// The array graph under one assignment: classes of arrays that are equal, keys of all reads.
///
/// Where elements are arrays, elements that have to be equal are joined at once, with the reason,
/// so that reads travel through an array of arrays as through one array with two indices. Comparing
/// them by an equality atom with a witness was rejected: each round of lemmas would add new arrays
/// to compare.
pub(crate) struct ArrayView<'a> {
    pub(super) graph: &'a ArrayGraph,
    value: &'a dyn Fn(Edge) -> bool,
    numbers: &'a Solution,
    /// Representative of each node under joints that hold at every index.
    pub(super) class: Vec<ArrayId>,
    /// Joints between elements, by node, and their reasons.
    derived: FxHashMap<ArrayId, Vec<Joint>>,
    pub(super) reasons: Vec<Reason>,
    /// The control of the search: once it has stopped, walks are left out.
    pub(super) control: &'a Control,
}

impl<'a> ArrayView<'a> {
    pub(crate) fn new(
        graph: &'a ArrayGraph,
        value: &'a dyn Fn(Edge) -> bool,
        numbers: &'a Solution,
        control: &'a Control,
    ) -> Self {
        let mut class: Vec<ArrayId> = graph.node_ids().collect();
        for id in graph.node_ids() {
            for joint in &graph.node(id).joints {
                if let Joint::When { other, edge } = *joint
                    && value(edge)
                {
                    unite(&mut class, id, other);
                }
            }
        }
        let (derived, reasons) = (FxHashMap::default(), Vec::new());
        let mut view = ArrayView { graph, value, numbers, class, derived, reasons, control };
        view.settle();
        if graph.nested {
            // Joined elements may be arrays of arrays themselves.
            while view.join_elements() {}
        }
        view
    }

    /// Gives each node its representative itself.
    fn settle(&mut self) {
        for id in self.graph.node_ids() {
            self.class[id.index()] = root(&mut self.class, id);
        }
    }

    /// Joins arrays that are elements of one array at one index. Whether there were any apart.
    fn join_elements(&mut self) -> bool {
        let mut found = false;
        for Violation { reason, elements, .. } in read_violations(self, Elements::Arrays) {
            let (Datum::Array(left), Datum::Array(right)) = elements else { continue };
            if root(&mut self.class, left) == root(&mut self.class, right) {
                continue;
            }
            unite(&mut self.class, left, right);
            let number = self.reasons.len() as u32;
            self.reasons.push(reason);
            self.derived.entry(left).or_default().push(Joint::Derived { other: right, reason: number });
            self.derived.entry(right).or_default().push(Joint::Derived { other: left, reason: number });
            found = true;
        }
        self.settle();
        found
    }

    fn joints(&self, node: ArrayId) -> impl Iterator<Item = Joint> + '_ {
        let derived = self.derived.get(&node).map_or(&[][..], Vec::as_slice);
        self.graph.node(node).joints.iter().chain(derived).copied()
    }

    /// Whether an edge is true.
    pub(super) fn holds(&self, edge: Edge) -> bool {
        (self.value)(edge)
    }

    pub(crate) fn key(&self, datum: &Datum) -> Key {
        match datum {
            Datum::Bits(bits) => Key::of_bits(bits, self.value),
            Datum::Number(expression) => Key::Number(expression.value(self.numbers)),
            Datum::Array(id) => Key::Array(self.class[id.index()]),
        }
    }
}

pub(super) fn root(parents: &mut [ArrayId], mut node: ArrayId) -> ArrayId {
    while parents[node.index()] != node {
        let up = parents[parents[node.index()].index()];
        parents[node.index()] = up;
        node = up;
    }
    node
}

pub(super) fn unite(parents: &mut [ArrayId], left: ArrayId, right: ArrayId) {
    let (left, right) = (root(parents, left), root(parents, right));
    parents[left.max(right).index()] = left.min(right);
}

/// The arrival of a walk at a node: the node it came from, and the joint.
#[derive(Copy, Clone)]
pub(super) struct Arrival {
    from: Option<(ArrayId, Joint)>,
}

/// The walks of all reads under one assignment.
pub(super) struct Walker<'a> {
    view: &'a ArrayView<'a>,
    pub(super) keys: Vec<Key>,
    store_keys: FxHashMap<ArrayId, Key>,
    pub(super) arrivals: Vec<Option<Arrival>>,
    pub(super) visited: Vec<ArrayId>,
}

impl<'a> Walker<'a> {
    pub(super) fn new(view: &'a ArrayView<'a>) -> Self {
        let graph = view.graph;
        let keys = graph.reads.iter().map(|read| view.key(&read.index)).collect();
        let store_keys = graph
            .node_ids()
            .filter_map(|id| match &graph.node(id).kind {
                ArrayKind::Store { index, .. } => Some((id, view.key(index))),
                _ => None,
            })
            .collect();
        Walker { view, keys, store_keys, arrivals: vec![None; graph.nodes.len()], visited: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        for node in self.visited.drain(..) {
            self.arrivals[node.index()] = None;
        }
    }

    /// Visits every node that a read at `key` reaches from `start`, breadth first, so that the
    /// recorded paths are shortest. Returns the range of `visited` that is new.
    pub(super) fn walk(&mut self, start: ArrayId, key: &Key) -> std::ops::Range<usize> {
        let first = self.visited.len();
        self.arrivals[start.index()] = Some(Arrival { from: None });
        self.visited.push(start);
        let mut next = first;
        while next < self.visited.len() {
            let node = self.visited[next];
            next += 1;
            for joint in self.view.joints(node) {
                let (other, open) = match joint {
                    Joint::Store { other, store } => (other, self.store_keys[&store] != *key),
                    Joint::When { other, edge } => (other, (self.view.value)(edge)),
                    Joint::Derived { other, .. } => (other, true),
                };
                if open && self.arrivals[other.index()].is_none() {
                    self.arrivals[other.index()] = Some(Arrival { from: Some((node, joint)) });
                    self.visited.push(other);
                }
            }
        }
        first..self.visited.len()
    }

    /// The joints from the start of the walk that reached `node`.
    pub(super) fn path(&self, node: ArrayId) -> Vec<Joint> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some((from, joint)) = self.arrivals[at.index()].expect("the node was reached").from {
            path.push(joint);
            at = from;
        }
        path
    }
}

/// Reads in the order of their keys: deterministic, and one group per key.
pub(super) fn reads_by_key(keys: &[Key]) -> BTreeMap<&Key, Vec<u32>> {
    let mut groups: BTreeMap<&Key, Vec<u32>> = BTreeMap::new();
    for (number, key) in keys.iter().enumerate() {
        groups.entry(key).or_default().push(number as u32);
    }
    groups
}

//! The extensional theory of arrays, by lemmas on demand.
//!
//! Array terms form a graph: a store is joined to the array it changes, an if-then-else to its
//! chosen branch, two arrays to one another where their equality is true. A read travels along the
//! joints that its index may cross (a store is crossed at every index but its own), and all reads
//! that meet must agree. Source: Brummayer & Biere, "Lemmas on demand for the extensional theory
//! of arrays" (JSAT 2009), with the path view of Christ & Hoenicke, "Weakly equivalent arrays"
//! (FroCoS 2015). Expanding all axioms beforehand was rejected: it is quadratic in the reads,
//! and few instances are ever needed.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use sundry_circuit::{Aig, Edge};
use sundry_term::{SortId, SymbolId, TermId};

use super::Theories;
use super::datum::{Datum, Key};
use super::lemma::{Lemma, LemmaKind};

/// A node of the array graph.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ArrayId(u32);

impl ArrayId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How an array is made.
#[derive(Clone, Debug)]
pub(crate) enum ArrayKind {
    /// A declared array constant.
    Symbol(SymbolId),
    /// Any other array about which only its reads are known.
    Opaque,
    /// `base` with one element replaced; its own read (index, element) is registered too.
    Store { base: ArrayId, index: Datum },
    /// One of two arrays.
    Ite { condition: Edge, then: ArrayId, otherwise: ArrayId },
    /// The same element everywhere.
    Constant { element: Datum },
}

#[derive(Clone, Debug)]
pub(crate) struct ArrayNode {
    pub(crate) kind: ArrayKind,
    pub(crate) sort: SortId,
    /// Reads of exactly this node.
    reads: Vec<u32>,
    /// Stores and ites directly above, and equalities with others.
    joints: Vec<Joint>,
}

/// A joint between two array nodes, seen from one of them.
#[derive(Copy, Clone, Debug)]
enum Joint {
    /// A store and its base; the store node tells the index.
    Store { other: ArrayId, store: ArrayId },
    /// An if-then-else and the branch taken when the edge is true, or an equality when it is true.
    When { other: ArrayId, edge: Edge },
    /// Two arrays that are elements of one array at one index, under the present assignment; the
    /// number is that of the reason.
    Derived { other: ArrayId, reason: u32 },
}

/// An element known to be at an index of an array.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) array: ArrayId,
    pub(crate) index: Datum,
    pub(crate) element: Datum,
}

/// The array graph and its reads.
#[derive(Clone, Default)]
pub(crate) struct ArrayGraph {
    nodes: Vec<ArrayNode>,
    ids: FxHashMap<TermId, ArrayId>,
    reads: Vec<Read>,
    equality_edges: FxHashMap<(ArrayId, ArrayId), Edge>,
    /// Whether some array has arrays as elements.
    nested: bool,
    /// Constant arrays whose reads at every index have been added.
    expanded: FxHashSet<ArrayId>,
}

impl ArrayGraph {
    pub(crate) fn id_of(&self, term: TermId) -> Option<ArrayId> {
        self.ids.get(&term).copied()
    }

    pub(crate) fn node(&self, id: ArrayId) -> &ArrayNode {
        &self.nodes[id.index()]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn node_ids(&self) -> impl Iterator<Item = ArrayId> + use<> {
        (0..self.nodes.len() as u32).map(ArrayId)
    }

    /// Adds a node and its joints.
    pub(crate) fn add(&mut self, kind: ArrayKind, sort: SortId) -> ArrayId {
        let id = ArrayId(self.nodes.len() as u32);
        self.nodes.push(ArrayNode { kind: kind.clone(), sort, reads: Vec::new(), joints: Vec::new() });
        match kind {
            ArrayKind::Symbol(_) | ArrayKind::Opaque | ArrayKind::Constant { .. } => {}
            ArrayKind::Store { base, .. } => {
                self.nodes[id.index()].joints.push(Joint::Store { other: base, store: id });
                self.nodes[base.index()].joints.push(Joint::Store { other: id, store: id });
            }
            ArrayKind::Ite { condition, then, otherwise } => {
                self.join_when(id, then, condition);
                self.join_when(id, otherwise, !condition);
            }
        }
        id
    }

    pub(crate) fn name(&mut self, term: TermId, id: ArrayId) {
        self.ids.insert(term, id);
    }

    fn join_when(&mut self, left: ArrayId, right: ArrayId, edge: Edge) {
        self.nodes[left.index()].joints.push(Joint::When { other: right, edge });
        self.nodes[right.index()].joints.push(Joint::When { other: left, edge });
    }

    pub(crate) fn add_read(&mut self, array: ArrayId, index: Datum, element: Datum) {
        let number = self.reads.len() as u32;
        self.nested |= matches!(element, Datum::Array(_));
        self.reads.push(Read { array, index, element });
        self.nodes[array.index()].reads.push(number);
    }

    /// Arrays that are used as an index of a read.
    pub(crate) fn index_arrays(&self) -> Vec<ArrayId> {
        self.reads.iter().filter_map(|read| super::as_array(&read.index)).collect()
    }

    /// Whether the index domain of an array is so small that stores might touch all of it.
    fn is_small(&self, theories: &Theories, id: ArrayId) -> bool {
        theories.index_domain(self.node(id).sort) <= self.nodes.len() as u64
    }

    /// The constant arrays of small index domain that have not been given their reads yet.
    pub(crate) fn unexpanded_small_constants(
        &mut self,
        theories_domain: impl Fn(SortId) -> u64,
    ) -> Vec<(ArrayId, Datum)> {
        let limit = self.nodes.len() as u64;
        let mut found = Vec::new();
        for id in self.node_ids() {
            let node = &self.nodes[id.index()];
            if let ArrayKind::Constant { element } = &node.kind
                && theories_domain(node.sort) <= limit
                && self.expanded.insert(id)
            {
                found.push((id, element.clone()));
            }
        }
        found
    }

    pub(crate) fn equality_edge(&self, left: ArrayId, right: ArrayId) -> Option<Edge> {
        if left == right {
            return Some(Edge::TRUE);
        }
        self.equality_edges.get(&(left.min(right), left.max(right))).copied()
    }

    pub(crate) fn add_equality(&mut self, left: ArrayId, right: ArrayId, edge: Edge) {
        self.equality_edges.insert((left.min(right), left.max(right)), edge);
        self.join_when(left, right, edge);
    }
}

/// Why two elements are equal: the one read travels along a path, and the other one's index is
/// equal to its own.
#[derive(Clone, Debug)]
struct Reason {
    /// Joints on the path, all open.
    path: Vec<Joint>,
    /// Index of the read that travels; none where two constant arrays meet.
    index: Option<Datum>,
    /// Index of the read that is met, equal under the assignment.
    equal_index: Option<Datum>,
}

/// The array graph under one assignment: classes of arrays that are equal, keys of all reads.
///
/// Where elements are arrays, elements that have to be equal are joined at once, with the reason,
/// so that reads travel through an array of arrays as through one array with two indices. Comparing
/// them by an equality atom with a witness was rejected: each round of lemmas would bring new arrays
/// to compare.
pub(crate) struct ArrayView<'a> {
    graph: &'a ArrayGraph,
    value: &'a dyn Fn(Edge) -> bool,
    /// Representative of each node under joints that hold at every index.
    class: Vec<u32>,
    /// Joints between elements, by node, and their reasons.
    derived: FxHashMap<ArrayId, Vec<Joint>>,
    reasons: Vec<Reason>,
}

impl<'a> ArrayView<'a> {
    pub(crate) fn new(graph: &'a ArrayGraph, value: &'a dyn Fn(Edge) -> bool) -> Self {
        let mut class: Vec<u32> = (0..graph.nodes.len() as u32).collect();
        for (index, node) in graph.nodes.iter().enumerate() {
            for joint in &node.joints {
                if let Joint::When { other, edge } = *joint
                    && value(edge)
                {
                    unite(&mut class, index as u32, other.0);
                }
            }
        }
        let mut view = ArrayView { graph, value, class, derived: FxHashMap::default(), reasons: Vec::new() };
        view.settle();
        if graph.nested {
            // Joined elements may be arrays of arrays themselves.
            while view.join_elements() {}
        }
        view
    }

    /// Gives each node its representative itself.
    fn settle(&mut self) {
        for index in 0..self.class.len() as u32 {
            self.class[index as usize] = root(&mut self.class, index);
        }
    }

    /// Joins arrays that are elements of one array at one index. Whether there were any apart.
    fn join_elements(&mut self) -> bool {
        let mut found = false;
        for Violation { reason, elements, .. } in read_violations(self, Elements::Arrays) {
            let (Datum::Array(left), Datum::Array(right)) = elements else { continue };
            if root(&mut self.class, left.0) == root(&mut self.class, right.0) {
                continue;
            }
            unite(&mut self.class, left.0, right.0);
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

    pub(crate) fn key(&self, datum: &Datum) -> Key {
        match datum {
            Datum::Bits(bits) => Key::of_bits(bits, self.value),
            Datum::Array(id) => Key::Array(self.class[id.index()]),
        }
    }
}

fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let up = parents[parents[node as usize] as usize];
        parents[node as usize] = up;
        node = up;
    }
    node
}

fn unite(parents: &mut [u32], left: u32, right: u32) {
    let (left, right) = (root(parents, left), root(parents, right));
    parents[left.max(right) as usize] = left.min(right);
}

/// How a walk came to a node: from where, over which joint.
#[derive(Copy, Clone)]
struct Arrival {
    from: Option<(ArrayId, Joint)>,
}

/// The arrays that a read reaches at its index: all of them hold its element there.
pub(crate) struct Region {
    pub(crate) index: Datum,
    pub(crate) element: Datum,
    pub(crate) nodes: Vec<ArrayId>,
}

/// The walks of all reads under one assignment.
struct Walker<'a> {
    view: &'a ArrayView<'a>,
    keys: Vec<Key>,
    store_keys: FxHashMap<ArrayId, Key>,
    arrivals: Vec<Option<Arrival>>,
    visited: Vec<ArrayId>,
}

impl<'a> Walker<'a> {
    fn new(view: &'a ArrayView<'a>) -> Self {
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

    fn clear(&mut self) {
        for node in self.visited.drain(..) {
            self.arrivals[node.index()] = None;
        }
    }

    /// Visits every node that a read at `key` reaches from `start`, breadth first, so that the
    /// recorded paths are shortest. Returns the range of `visited` that is new.
    fn walk(&mut self, start: ArrayId, key: &Key) -> std::ops::Range<usize> {
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
    fn path(&self, node: ArrayId) -> Vec<Joint> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some((from, joint)) = self.arrivals[at.index()].expect("the node was reached").from {
            path.push(joint);
            at = from;
        }
        path
    }
}

/// An instance of an axiom that the assignment violates, before it is written as a clause.
struct Violation {
    kind: LemmaKind,
    reason: Reason,
    /// Elements that have to be equal.
    elements: (Datum, Datum),
}

/// Finds the violated axiom instances of the array theory and returns them as lemmas. Where the
/// elements or indices to compare are arrays that were never compared before, their equality is
/// created first, so new edges and extensionality lemmas may appear.
pub(crate) fn check_arrays(
    theories: &mut Theories,
    aig: &mut Aig,
    value: &dyn Fn(Edge) -> bool,
) -> Vec<Lemma> {
    let (violations, reasons) = {
        theories.expand_small_constants();
        let view = ArrayView::new(&theories.arrays, value);
        let mut violations = read_violations(&view, Elements::All);
        violations.extend(constant_violations(&view, theories));
        (violations, view.reasons)
    };
    let mut lemmas = Vec::new();
    let mut seen = FxHashSet::default();
    for violation in violations {
        let lemma = write_lemma(theories, aig, violation, &reasons, &mut lemmas);
        if seen.insert(lemma.clause.clone()) {
            lemmas.push(lemma);
        }
    }
    lemmas
}

/// Reads in the order of their keys: deterministic, and one group per key.
fn reads_by_key(keys: &[Key]) -> BTreeMap<&Key, Vec<u32>> {
    let mut groups: BTreeMap<&Key, Vec<u32>> = BTreeMap::new();
    for (number, key) in keys.iter().enumerate() {
        groups.entry(key).or_default().push(number as u32);
    }
    groups
}

/// Which reads are looked at.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Elements {
    All,
    /// Those of arrays of arrays.
    Arrays,
}

fn read_violations(view: &ArrayView<'_>, elements: Elements) -> Vec<Violation> {
    let graph = view.graph;
    let mut violations = Vec::new();
    let mut walker = Walker::new(view);
    let keys = std::mem::take(&mut walker.keys);
    for (key, numbers) in reads_by_key(&keys) {
        for &number in &numbers {
            let read = &graph.reads[number as usize];
            if elements == Elements::Arrays && matches!(read.element, Datum::Bits(_)) {
                continue;
            }
            if walker.arrivals[read.array.index()].is_some() {
                continue;
            }
            let element_key = view.key(&read.element);
            let reached = walker.walk(read.array, key);
            for position in reached {
                let node = walker.visited[position];
                for &other in &graph.node(node).reads {
                    let met = &graph.reads[other as usize];
                    if other != number
                        && keys[other as usize] == *key
                        && view.key(&met.element) != element_key
                    {
                        violations.push(Violation {
                            kind: LemmaKind::ReadCongruence,
                            reason: Reason {
                                path: walker.path(node),
                                index: Some(read.index.clone()),
                                equal_index: Some(met.index.clone()),
                            },
                            elements: (read.element.clone(), met.element.clone()),
                        });
                    }
                }
                if let ArrayKind::Constant { element } = &graph.node(node).kind
                    && view.key(element) != element_key
                {
                    violations.push(Violation {
                        kind: LemmaKind::ReadConstant,
                        reason: Reason {
                            path: walker.path(node),
                            index: Some(read.index.clone()),
                            equal_index: None,
                        },
                        elements: (read.element.clone(), element.clone()),
                    });
                }
            }
        }
        walker.clear();
    }
    violations
}

/// Constant arrays that are joined must agree, since some index is touched by no store between
/// them: the caller has expanded the constants whose index domain is smaller than the graph.
fn constant_violations(view: &ArrayView<'_>, theories: &Theories) -> Vec<Violation> {
    let graph = view.graph;
    let mut violations = Vec::new();
    let constants: Vec<(ArrayId, &Datum)> = graph
        .node_ids()
        .filter_map(|id| match &graph.node(id).kind {
            ArrayKind::Constant { element } if !graph.is_small(theories, id) => Some((id, element)),
            _ => None,
        })
        .collect();
    if constants.len() < 2 {
        return violations;
    }
    // The key of no datum at all: it crosses every store.
    let every_index = Key::Bits(SmallVec::new());
    let mut walker = Walker::new(view);
    for (start, element) in constants {
        if walker.arrivals[start.index()].is_some() {
            continue;
        }
        let element_key = view.key(element);
        for position in walker.walk(start, &every_index) {
            let node = walker.visited[position];
            if let ArrayKind::Constant { element: other } = &graph.node(node).kind
                && view.key(other) != element_key
            {
                violations.push(Violation {
                    kind: LemmaKind::ConstantArrays,
                    reason: Reason { path: walker.path(node), index: None, equal_index: None },
                    elements: (element.clone(), other.clone()),
                });
            }
        }
    }
    violations
}

fn write_lemma(
    theories: &mut Theories,
    aig: &mut Aig,
    violation: Violation,
    reasons: &[Reason],
    created: &mut Vec<Lemma>,
) -> Lemma {
    let mut clause = vec![theories.equal(aig, &violation.elements.0, &violation.elements.1, created)];
    let mut told = FxHashSet::default();
    let mut open = vec![&violation.reason];
    while let Some(Reason { path, index, equal_index }) = open.pop() {
        for joint in path {
            match *joint {
                Joint::When { edge, .. } => clause.push(!edge),
                Joint::Store { store, .. } => {
                    // No index: the elements differ at some index that no store on the path writes.
                    let Some(travelling) = index else { continue };
                    let ArrayKind::Store { index, .. } = theories.arrays.node(store).kind.clone() else {
                        unreachable!("store joints name a store")
                    };
                    clause.push(theories.equal(aig, travelling, &index, created));
                }
                Joint::Derived { reason, .. } => {
                    if told.insert(reason) {
                        open.push(&reasons[reason as usize]);
                    }
                }
            }
        }
        if let (Some(left), Some(right)) = (index, equal_index) {
            clause.push(!theories.equal(aig, left, right, created));
        }
    }
    clause.sort_unstable();
    clause.dedup();
    Lemma { kind: violation.kind, clause }
}

/// Elements of every array node under an assignment that violates no axiom: for each node the
/// elements at the indices that are read or written somewhere, and a default for all others.
pub(crate) struct ArrayContents<'a> {
    view: ArrayView<'a>,
}

impl<'a> ArrayContents<'a> {
    pub(crate) fn new(graph: &'a ArrayGraph, value: &'a dyn Fn(Edge) -> bool) -> Self {
        ArrayContents { view: ArrayView::new(graph, value) }
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
        let mut component: Vec<u32> = self.view.class.clone();
        for id in graph.node_ids() {
            if let ArrayKind::Store { base, .. } = graph.node(id).kind {
                unite(&mut component, id.0, base.0);
            }
        }
        let mut constants: FxHashMap<u32, Datum> = FxHashMap::default();
        for id in graph.node_ids() {
            if let ArrayKind::Constant { element } = &graph.node(id).kind {
                let representative = root(&mut component, id.0);
                constants.entry(representative).or_insert_with(|| element.clone());
            }
        }
        (0..graph.nodes.len() as u32)
            .map(|index| constants.get(&root(&mut component, index)).cloned())
            .collect()
    }
}

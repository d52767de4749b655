//! The array graph: array terms, the joints between them, and the reads of each.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_circuit::Edge;
use sundry_term::{SortId, SymbolId, TermId, entity_id};

use crate::theory::arrays_and_functions::{ArraysAndFunctions, as_array};
use crate::theory::datum::Datum;

entity_id! {
    /// Identity of a node of the array graph.
    pub(crate) struct ArrayId, "array"
}

/// The way an array is made.
#[derive(Clone, Debug)]
pub(crate) enum ArrayKind {
    /// A declared array constant.
    Symbol(SymbolId),
    /// Any other array about which only its reads are known.
    Opaque,
    /// `base` with one element replaced; its own read (index, element) is registered too.
    Store { base: ArrayId, index: Datum },
    /// A choice between two arrays.
    Ite { condition: Edge, then: ArrayId, otherwise: ArrayId },
    /// An array with the same element everywhere.
    Constant { element: Datum },
}

#[derive(Clone, Debug)]
pub(crate) struct ArrayNode {
    pub(crate) kind: ArrayKind,
    pub(crate) sort: SortId,
    /// Reads of exactly this node.
    pub(super) reads: Vec<u32>,
    /// Stores and ites directly above, and equalities with others.
    pub(super) joints: Vec<Joint>,
}

/// A joint between two array nodes, seen from one of them.
#[derive(Copy, Clone, Debug)]
pub(super) enum Joint {
    /// A store and its base; the store node has the index.
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
    pub(super) nodes: Vec<ArrayNode>,
    ids: FxHashMap<TermId, ArrayId>,
    pub(super) reads: Vec<Read>,
    equality_edges: FxHashMap<(ArrayId, ArrayId), Edge>,
    /// Whether some array has arrays as elements.
    pub(super) nested: bool,
    has_constants: bool,
    /// Whether some array is not computed from others.
    has_unknown: bool,
    /// Constant arrays whose reads at every index have been added.
    expanded: FxHashSet<ArrayId>,
    /// Constant arrays of other index sorts with the indices at which a read has been added.
    expanded_at: FxHashSet<(ArrayId, Datum)>,
    /// The number of stores of each sort.
    stores: FxHashMap<SortId, u64>,
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

    /// The number of reads.
    pub(crate) fn read_count(&self) -> usize {
        self.reads.len()
    }

    /// All indices and elements.
    pub(crate) fn data(&self) -> impl Iterator<Item = &Datum> {
        let of_reads = self.reads.iter().flat_map(|read| [&read.index, &read.element]);
        let of_constants = self.nodes.iter().filter_map(|node| match &node.kind {
            ArrayKind::Constant { element } => Some(element),
            _ => None,
        });
        of_reads.chain(of_constants)
    }

    /// Whether all arrays are computed by stores and choices from constant ones, and none is compared. Then each read has one value, which a walk finds.
    pub(crate) fn is_computed(&self) -> bool {
        !self.has_unknown && !self.nested && self.equality_edges.is_empty()
    }

    /// Whether some array is constant.
    pub(crate) fn has_constants(&self) -> bool {
        self.has_constants
    }

    pub(crate) fn node_ids(&self) -> impl Iterator<Item = ArrayId> + use<> {
        (0..self.nodes.len()).map(ArrayId::new)
    }

    /// Adds a node and its joints.
    pub(crate) fn add(&mut self, kind: ArrayKind, sort: SortId) -> ArrayId {
        let id = ArrayId::new(self.nodes.len());
        self.has_constants |= matches!(kind, ArrayKind::Constant { .. });
        self.has_unknown |= matches!(kind, ArrayKind::Symbol(_) | ArrayKind::Opaque);
        self.nodes.push(ArrayNode { kind: kind.clone(), sort, reads: Vec::new(), joints: Vec::new() });
        match kind {
            ArrayKind::Symbol(_) | ArrayKind::Opaque | ArrayKind::Constant { .. } => {}
            ArrayKind::Store { base, .. } => {
                *self.stores.entry(sort).or_default() += 1;
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
        self.reads.iter().filter_map(|read| as_array(&read.index)).collect()
    }

    /// Whether the index domain of an array, of words, is so small that stores might touch all of it.
    pub(crate) fn is_small(&self, theories: &ArraysAndFunctions, id: ArrayId) -> bool {
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

    /// Notes that a constant array is to be read at an index. Whether that is new.
    pub(crate) fn expand_at(&mut self, id: ArrayId, index: &Datum) -> bool {
        self.expanded_at.insert((id, index.clone()))
    }

    /// The number of stores of a sort.
    pub(crate) fn store_count(&self, sort: SortId) -> u64 {
        self.stores.get(&sort).copied().unwrap_or(0)
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

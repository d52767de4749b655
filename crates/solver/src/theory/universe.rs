//! Sizes of sorts, as far as constant arrays depend on them.
//!
//! Two constant arrays that differ in finitely many places, `(= (store ((as const A) 0) i 1) ((as const A) 1))`, say
//! that the places written are all there are: such a formula bounds a declared sort. So each declared sort has
//! conditions "at most *k* elements", inputs of the circuit that are made when an axiom needs one. An element has a
//! number below *k* where that condition holds. Without conditions, or where all are false, a sort has more elements
//! than anything can list, which is no loss: as long as there is an element that is no index of a store, copies of it
//! change no other term.
//!
//! Decisions, and their reasons:
//! - *Refutations hold.* Every lemma is true in each model of the formula once its elements are numbered from zero and
//!   the conditions say how many there are. So whatever is refuted has no model, of any size.
//! - *Models are found.* Constant arrays that are joined by stores at *k* places hold the same element, or their index
//!   sort has at most *k* values ([`ArraysAndFunctions::size_at_most`]); sorts so small have their values listed
//!   ([`ArraysAndFunctions::literal`]), and constant arrays are read at each of them. An assignment that violates nothing then
//!   says what every array holds everywhere.
//! - That includes index sorts made of arrays, over declared sorts or not, however nested: the number of maps
//!   follows from the sizes of the parts.
//!
//! So the solver decides every formula with declared sorts, limits apart. Asking for the size of a sort
//! before solving was rejected: most formulas do not care.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use sundry_circuit::{Aig, Edge, UNINTERPRETED_WIDTH, words};
use sundry_term::{BitVector, SortId};

use super::array_sorts::{Part, PartKind};
use super::arrays::{ArrayGraph, ArrayId, ArrayKind};
use super::arrays_and_functions::ArraysAndFunctions;
use super::datum::Datum;
use super::lemma::{Lemma, LemmaKind};

/// The knowledge of the sizes of declared sorts.
#[derive(Clone, Default)]
pub(crate) struct Universes {
    sorts: BTreeMap<SortId, Universe>,
}

#[derive(Clone, Default)]
struct Universe {
    /// The conditions "at most *k* elements", by *k*.
    bounds: BTreeMap<u64, Edge>,
    /// The bits of each element that the circuit does not compute from others.
    members: Vec<Box<[Edge]>>,
}

impl Universe {
    fn size(&self, value: &dyn Fn(Edge) -> bool) -> u64 {
        let mut holding = self.bounds.iter().filter(|&(_, &edge)| value(edge));
        holding.next().map_or(u64::MAX, |(&bound, _)| bound)
    }
}

impl Universes {
    /// Enters an element of a declared sort that the circuit does not compute from others.
    pub(super) fn add_member(&mut self, sort: SortId, bits: &[Edge]) {
        self.sorts.entry(sort).or_default().members.push(bits.into());
    }

    /// The number of conditions.
    pub(super) fn bound_count(&self) -> usize {
        self.sorts.values().map(|universe| universe.bounds.len()).sum()
    }

    /// The number of elements of a declared sort under an assignment; `u64::MAX` for more than can be listed.
    pub(crate) fn size(&self, sort: SortId, value: &dyn Fn(Edge) -> bool) -> u64 {
        self.sorts.get(&sort).map_or(u64::MAX, |universe| universe.size(value))
    }

    /// The declared sorts that have finitely many elements under an assignment, with their numbers.
    pub(crate) fn finite(&self, value: &dyn Fn(Edge) -> bool) -> Vec<(SortId, u64)> {
        let sizes = self.sorts.iter().map(|(&sort, universe)| (sort, universe.size(value)));
        sizes.filter(|&(_, size)| size < u64::MAX).collect()
    }

    /// The edge that is true exactly where a declared sort has at most `bound` elements.
    fn at_most(&mut self, aig: &mut Aig, sort: SortId, bound: u64, lemmas: &mut Vec<Lemma>) -> Edge {
        if bound == 0 {
            return Edge::FALSE;
        }
        let bounds = &mut self.sorts.entry(sort).or_default().bounds;
        if let Some(&edge) = bounds.get(&bound) {
            return edge;
        }
        let edge = aig.input();
        let kind = LemmaKind::UniverseSize;
        if let Some((_, &fewer)) = bounds.range(..bound).next_back() {
            lemmas.push(Lemma { kind, clause: vec![!fewer, edge] });
        }
        if let Some((_, &more)) = bounds.range(bound..).next() {
            lemmas.push(Lemma { kind, clause: vec![!edge, more] });
        }
        bounds.insert(bound, edge);
        edge
    }

    /// Elements with numbers beyond the size of their sort, as lemmas.
    pub(super) fn check(&self, aig: &mut Aig, value: &dyn Fn(Edge) -> bool) -> Vec<Lemma> {
        let mut lemmas = Vec::new();
        let mut seen = FxHashSet::default();
        for universe in self.sorts.values() {
            let size = universe.size(value);
            if size == u64::MAX {
                continue;
            }
            let bound = words::constant(UNINTERPRETED_WIDTH as usize, |bit| bit < 64 && size >> bit & 1 == 1);
            for member in &universe.members {
                let number = member.iter().rev().fold(0, |code, &bit| code << 1 | u64::from(value(bit)));
                if number >= size {
                    let is_there = words::unsigned_less(aig, member, &bound, false);
                    let clause = vec![!universe.bounds[&size], is_there];
                    if seen.insert(clause.clone()) {
                        lemmas.push(Lemma { kind: LemmaKind::UniverseMember, clause });
                    }
                }
            }
        }
        lemmas
    }
}

impl ArraysAndFunctions {
    /// The number of values of a part of an array sort under an assignment; `u64::MAX` for more than can be counted.
    pub(crate) fn size(&self, part: Part, value: &dyn Fn(Edge) -> bool) -> u64 {
        match part.kind {
            PartKind::Word(_) | PartKind::Coded(..) | PartKind::Number => part.kind.fixed_size(),
            PartKind::Element => self.universes.size(part.sort, value),
            PartKind::Array => {
                let shape = self.sorts[&part.sort];
                let elements = self.size(shape.element, value);
                match u32::try_from(self.size(shape.index, value)) {
                    _ if elements == 1 => 1,
                    Ok(indices) => elements.saturating_pow(indices),
                    Err(_) => u64::MAX,
                }
            }
        }
    }

    /// The edge that is true exactly where a part of an array sort has at most `bound` values. Maps are within the
    /// bound where there is one element, or at most *j* indices and at most as many elements as the *j*-th root says.
    pub(super) fn size_at_most(
        &mut self,
        aig: &mut Aig,
        part: Part,
        bound: u64,
        lemmas: &mut Vec<Lemma>,
    ) -> Edge {
        match part.kind {
            _ if bound == 0 => Edge::FALSE,
            PartKind::Word(_) | PartKind::Coded(..) | PartKind::Number => {
                let size = part.kind.fixed_size();
                Edge::from_bool(size < u64::MAX && size <= bound)
            }
            PartKind::Element => self.universes.at_most(aig, part.sort, bound, lemmas),
            PartKind::Array => {
                let shape = self.sorts[&part.sort];
                let mut ways = vec![self.size_at_most(aig, shape.element, 1, lemmas)];
                for indices in 1..=bound.ilog2() {
                    let elements = root(bound, indices);
                    let few_indices = self.size_at_most(aig, shape.index, u64::from(indices), lemmas);
                    let few_elements = self.size_at_most(aig, shape.element, elements, lemmas);
                    ways.push(aig.and(few_indices, few_elements));
                }
                aig.or_many(&ways)
            }
        }
    }

    /// Reads each constant array at every index, where there are at most as many as stores. Returns whether reads were
    /// added: then their bits have no values yet. The reads are valid for all sizes.
    pub(super) fn expand_finite_constants(
        &mut self,
        aig: &mut Aig,
        value: &dyn Fn(Edge) -> bool,
        lemmas: &mut Vec<Lemma>,
    ) -> bool {
        let mut found = Vec::new();
        for id in self.arrays.node_ids() {
            let node = self.arrays.node(id);
            if let ArrayKind::Constant { element } = &node.kind
                && !matches!(self.sorts[&node.sort].index.kind, PartKind::Word(_))
                && let Some(size) = self.listed_size(id, value)
            {
                found.push((id, self.sorts[&node.sort].index, element.clone(), size));
            }
        }
        let mut added = false;
        for (id, index, element, size) in found {
            for number in 0..size {
                let index = self.literal(aig, index, number, None, value, lemmas);
                if self.arrays.expand_at(id, &index) {
                    self.arrays.add_read(id, index, element.clone());
                    added = true;
                }
            }
        }
        added
    }

    /// The number of indices of an array under an assignment, if it is so small that stores might write all of them.
    fn listed_size(&self, id: ArrayId, value: &dyn Fn(Edge) -> bool) -> Option<u64> {
        let sort = self.arrays.node(id).sort;
        let size = self.size(self.sorts[&sort].index, value);
        (size <= self.arrays.store_count(sort)).then_some(size)
    }

    /// Whether stores might write all indices of a constant array, which is read at each of them then.
    pub(super) fn is_listed(&self, graph: &ArrayGraph, id: ArrayId, value: &dyn Fn(Edge) -> bool) -> bool {
        match self.sorts[&graph.node(id).sort].index.kind {
            PartKind::Word(_) => graph.is_small(self, id),
            PartKind::Coded(..) | PartKind::Number | PartKind::Element | PartKind::Array => {
                self.listed_size(id, value).is_some()
            }
        }
    }

    /// The value with this number of a part that has more values than that under an assignment. Under other
    /// assignments, the datum is still a value of the sort. `guard` says that sizes are those of the assignment, where
    /// an array that this value is part of knows it already.
    fn literal(
        &mut self,
        aig: &mut Aig,
        part: Part,
        number: u64,
        guard: Option<Edge>,
        value: &dyn Fn(Edge) -> bool,
        lemmas: &mut Vec<Lemma>,
    ) -> Datum {
        // Where the guard is false, all values of a part are the one with number zero.
        let code = |aig: &mut Aig, code: BitVector, guard: Edge| {
            Datum::Bits((0..code.width()).map(|bit| aig.and(Edge::from_bool(code.bit(bit)), guard)).collect())
        };
        match part.kind {
            PartKind::Word(width) => {
                code(aig, BitVector::from_u64(width, number), guard.unwrap_or(Edge::TRUE))
            }
            PartKind::Coded(width, coded) => {
                code(aig, coded.code(width, number), guard.unwrap_or(Edge::TRUE))
            }
            PartKind::Number => Datum::Number(self.numbers.literal(number, guard.unwrap_or(Edge::TRUE))),
            PartKind::Element => {
                let guard = guard.unwrap_or_else(|| !self.universes.at_most(aig, part.sort, number, lemmas));
                code(aig, BitVector::from_u64(UNINTERPRETED_WIDTH, number), guard)
            }
            PartKind::Array => {
                let guard = guard.unwrap_or_else(|| self.present_sizes(aig, part, value, lemmas));
                let key = (part.sort, guard, number);
                if let Some(&known) = self.array_literals.get(&key) {
                    return Datum::Array(known);
                }
                let shape = self.sorts[&part.sort];
                let node = self.arrays.add(ArrayKind::Opaque, part.sort);
                self.array_literals.insert(key, node);
                let elements = self.size(shape.element, value);
                // For one element there is one map, whatever the indices.
                let indices = if elements == 1 { 0 } else { self.size(shape.index, value) };
                let mut digits = number;
                for index in 0..indices {
                    let index = self.literal(aig, shape.index, index, Some(guard), value, lemmas);
                    let element =
                        self.literal(aig, shape.element, digits % elements, Some(guard), value, lemmas);
                    digits /= elements;
                    self.arrays.add_read(node, index, element);
                }
                Datum::Array(node)
            }
        }
    }

    /// The edge that is true where the declared sorts in a part that have finitely many elements under an assignment
    /// have exactly as many.
    fn present_sizes(
        &mut self,
        aig: &mut Aig,
        part: Part,
        value: &dyn Fn(Edge) -> bool,
        lemmas: &mut Vec<Lemma>,
    ) -> Edge {
        let mut sorts = Vec::new();
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            match part.kind {
                PartKind::Word(_) | PartKind::Coded(..) | PartKind::Number => {}
                PartKind::Element => sorts.push(part.sort),
                PartKind::Array => {
                    let shape = self.sorts[&part.sort];
                    open.extend([shape.index, shape.element]);
                }
            }
        }
        sorts.sort_unstable();
        sorts.dedup();
        let sizes: Vec<(SortId, u64)> =
            sorts.into_iter().map(|sort| (sort, self.universes.size(sort, value))).collect();
        let mut all = Edge::TRUE;
        for (sort, size) in sizes.into_iter().filter(|&(_, size)| size < u64::MAX) {
            let at_most = self.universes.at_most(aig, sort, size, lemmas);
            let fewer = self.universes.at_most(aig, sort, size - 1, lemmas);
            let exactly = aig.and(at_most, !fewer);
            all = aig.and(all, exactly);
        }
        all
    }
}

/// The largest number whose power is at most `bound`.
fn root(bound: u64, exponent: u32) -> u64 {
    let fits = |number: u64| number.checked_pow(exponent).is_some_and(|power| power <= bound);
    let (mut low, mut high) = (1, bound);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

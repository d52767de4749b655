//! Arrays, uninterpreted functions and declared sorts, refined lazily.
//!
//! They are one theory: elements of arrays may be arguments and arrays of arrays elements, arguments may be arrays, and how many elements a
//! declared sort has matters for arrays over it. To let them be three theories that exchange equalities (Nelson & Oppen) was
//! rejected: the equalities are edges of one circuit anyway.

mod registration;

use rustc_hash::FxHashMap;
use sundry_circuit::{Aig, Edge, OpenFunction, UNINTERPRETED_WIDTH, canonical, words};
use sundry_term::{Control, Op, Sort, SortId, SymbolId, TermId, TermStore};

use super::array_sorts::{ArraySort, Part, PartKind};
use super::arrays::{self, ArrayGraph, ArrayId, ArrayKind};
use super::datum::Datum;
use super::extensionality::{ArrayEquality, Extensionality};
use super::functions::{self, Application, Function};
use super::lemma::Lemma;
use super::numbers::Numbers;
use super::universe::Universes;
use super::{Assignment, Theory, TheoryAnswer};

/// The work of comparing two arrays that are keys, in the units of [`Control::spend`].
const WORK_OF_KEY: u32 = 8;

/// A declared constant with bits in the circuit.
#[derive(Clone, Debug)]
pub(crate) struct SymbolBits {
    pub(crate) symbol: SymbolId,
    pub(crate) bits: Box<[Edge]>,
}

/// The extent of what theories know. Models are read from all of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    symbols: usize,
    arrays: usize,
    reads: usize,
    applications: usize,
    bounds: usize,
    numbers: usize,
    /// The number of times that a plugged theory has come to know more.
    pub(in crate::theory) news_of_plugged: usize,
}

/// The arrays, functions and declared sorts of a circuit.
#[derive(Clone, Default)]
pub(crate) struct ArraysAndFunctions {
    /// The numbers that are indices, elements, arguments and results.
    pub(crate) numbers: Numbers,
    pub(crate) symbols: Vec<SymbolBits>,
    pub(crate) arrays: ArrayGraph,
    pub(crate) applications: Vec<Application>,
    /// Whether some array is read or compared.
    has_arrays: bool,
    /// Whether some application has an array for an argument.
    pub(in crate::theory) has_array_arguments: bool,
    /// Selects and applications that got bits, array equalities that got an edge: still to be
    /// entered into the graph, once the terms below them have their bits.
    pending_leaves: Vec<TermId>,
    pending_equalities: Vec<(TermId, TermId, Edge)>,
    /// The equalities of arrays that wait for an index at which the arrays differ.
    pub(in crate::theory) extensionality: Extensionality,
    /// The parts of every array sort seen.
    pub(in crate::theory) sorts: FxHashMap<SortId, ArraySort>,
    /// The sizes of declared sorts.
    pub(crate) universes: Universes,
    /// Arrays that stand for the values of an array sort, by sort, what they hold under, and number.
    pub(in crate::theory) array_literals: FxHashMap<(SortId, Edge, u64), ArrayId>,
}

impl ArraysAndFunctions {
    /// The bits of a declared constant, of an application, or of a select.
    pub(crate) fn leaf(&mut self, aig: &mut Aig, store: &TermStore, term: TermId, width: u32) -> Box<[Edge]> {
        let bits: Box<[Edge]> = (0..width).map(|_| aig.input()).collect();
        match store.constant_symbol(term) {
            Some(symbol) => self.add_symbol(store, symbol, bits.clone()),
            None => {
                self.add_member(store, store.sort_of(term), &bits);
                self.note_leaf(store, term);
            }
        }
        bits
    }

    /// Notes an application or select whose result is a number.
    pub(crate) fn number(&mut self, store: &TermStore, term: TermId) {
        if matches!(store.op(term), Op::Apply(_) | Op::Select) && store.constant_symbol(term).is_none() {
            self.note_leaf(store, term);
        }
    }

    fn note_leaf(&mut self, store: &TermStore, term: TermId) {
        self.has_arrays |= matches!(store.op(term), Op::Select);
        self.pending_leaves.push(term);
    }

    /// The bits of a result that the standard leaves open.
    pub(crate) fn open_result(
        &mut self,
        aig: &mut Aig,
        function: OpenFunction,
        arguments: &[Box<[Edge]>],
        width: u32,
    ) -> Box<[Edge]> {
        let bits: Box<[Edge]> = (0..width).map(|_| aig.input()).collect();
        self.applications.push(Application {
            function: Function::Open(function),
            arguments: arguments.iter().cloned().map(Datum::Bits).collect(),
            result: Datum::Bits(bits.clone()),
        });
        bits
    }

    /// Whether two terms of one array sort are equal.
    pub(crate) fn equality(&mut self, aig: &mut Aig, left: TermId, right: TermId) -> Edge {
        let edge = aig.input();
        self.has_arrays = true;
        self.pending_equalities.push((left, right, edge));
        edge
    }

    /// Enters a declared constant with its bits.
    pub(crate) fn add_symbol(&mut self, store: &TermStore, symbol: SymbolId, bits: Box<[Edge]>) {
        self.add_member(store, store.symbol(symbol).result, &bits);
        self.symbols.push(SymbolBits { symbol, bits });
    }

    pub(in crate::theory) fn add_member(&mut self, store: &TermStore, sort: SortId, bits: &[Edge]) {
        if matches!(store.sort(sort), Sort::Uninterpreted { .. }) {
            self.universes.add_member(sort, bits);
        }
    }

    /// The arrays whose values a model mentions or is made from: symbols, and what is an index, an element or an argument.
    pub(crate) fn arrays_with_values(&self) -> Vec<ArrayId> {
        let is_symbol = |&id: &ArrayId| matches!(self.arrays.node(id).kind, ArrayKind::Symbol(_));
        let of_applications = self
            .applications
            .iter()
            .flat_map(|application| application.arguments.iter().chain([&application.result]));
        let mut arrays: Vec<ArrayId> = self.arrays.node_ids().filter(is_symbol).collect();
        arrays.extend(self.arrays.data().chain(of_applications).filter_map(as_array));
        arrays.sort_unstable();
        arrays.dedup();
        arrays
    }

    /// The present extent.
    pub(crate) fn extent(&self) -> Extent {
        Extent {
            symbols: self.symbols.len(),
            arrays: self.arrays.node_ids().count(),
            reads: self.arrays.read_count(),
            applications: self.applications.len(),
            bounds: self.universes.bound_count(),
            numbers: self.numbers.symbol_count(),
            news_of_plugged: 0,
        }
    }

    /// Whether there are arrays that are read or compared.
    pub(crate) fn has_arrays(&self) -> bool {
        self.has_arrays
    }

    /// Whether lemmas never extend what is known: the formula has no constant arrays, which are written out and bound
    /// declared sorts, and no arrays that are compared only when two are found where equality would matter.
    pub(crate) fn keep_their_extent(&self) -> bool {
        let is_array = |part: Part| matches!(part.kind, PartKind::Array);
        !self.arrays.has_constants()
            && !self.sorts.values().any(|sort| is_array(sort.index) || is_array(sort.element))
            && !self.has_array_arguments
            && self.extensionality.is_settled()
    }

    /// The index sort of an array sort.
    pub(in crate::theory) fn index_part(&self, sort: SortId) -> Part {
        self.sorts[&sort].index
    }

    /// The number of indices of arrays of this sort, if these are words (saturating); `u64::MAX` for others.
    pub(crate) fn index_domain(&self, sort: SortId) -> u64 {
        self.sorts[&sort].index_words()
    }

    /// Gives constant arrays over a small number of indices (words), which might all be written, their reads at each
    /// index.
    pub(crate) fn expand_small_constants(&mut self) {
        let sorts = &self.sorts;
        for (id, element) in self.arrays.unexpanded_small_constants(|sort| sorts[&sort].index_words()) {
            let PartKind::Word(width) = self.sorts[&self.arrays.node(id).sort].index.kind else {
                unreachable!("only words are so few by themselves")
            };
            for number in 0..1u64 << width {
                let index = (0..width).map(|bit| Edge::from_bool(number >> bit & 1 == 1)).collect();
                self.arrays.add_read(id, Datum::Bits(index), element.clone());
            }
        }
    }

    /// The edge that is true exactly where two data are equal. For arrays that were never compared
    /// a new atom is made, with its extensionality lemma.
    pub(crate) fn equal(
        &mut self,
        aig: &mut Aig,
        left: &Datum,
        right: &Datum,
        created: &mut Vec<Lemma>,
    ) -> Edge {
        match (left, right) {
            (Datum::Bits(left), Datum::Bits(right)) => words::equal(aig, left, right),
            (Datum::Number(left), Datum::Number(right)) => {
                let edge = self.numbers.equal_if_needed(aig, left, right);
                created.append(&mut self.numbers.take_lemmas());
                edge
            }
            (&Datum::Array(left), &Datum::Array(right)) => match self.arrays.equality_edge(left, right) {
                Some(edge) => edge,
                None => {
                    let edge = aig.input();
                    self.add_equality(aig, ArrayEquality { left, right, edge }, created);
                    edge
                }
            },
            _ => unreachable!("data of one sort are encoded alike"),
        }
    }

    pub(in crate::theory) fn fresh(&mut self, aig: &mut Aig, part: Part) -> Datum {
        let width = match part.kind {
            PartKind::Word(width) | PartKind::Coded(width, _) => width,
            PartKind::Element => UNINTERPRETED_WIDTH,
            PartKind::Array => return Datum::Array(self.arrays.add(ArrayKind::Opaque, part.sort)),
            PartKind::Number => return Datum::Number(self.numbers.fresh(part.sort)),
        };
        let bits: Box<[Edge]> = (0..width).map(|_| aig.input()).collect();
        match part.kind {
            PartKind::Coded(_, coded) => {
                return Datum::Bits(canonical(aig, &coded.sort(), bits.into_vec()).into());
            }
            PartKind::Element => self.universes.add_member(part.sort, &bits),
            PartKind::Word(_) | PartKind::Number | PartKind::Array => {}
        }
        Datum::Bits(bits)
    }

    /// Only equality atoms distinguish arrays that are used as indices or arguments: every pair
    /// of one sort needs its atom.
    fn compare_array_keys(&mut self, aig: &mut Aig, control: &Control) -> Vec<Lemma> {
        let mut used: Vec<ArrayId> = self.arrays.index_arrays();
        used.extend(
            self.applications.iter().flat_map(|application| &application.arguments).filter_map(as_array),
        );
        used.sort_unstable();
        used.dedup();
        let mut lemmas = Vec::new();
        for (position, &left) in used.iter().enumerate() {
            if control.spend(WORK_OF_KEY * (used.len() - position) as u32).is_err() {
                break;
            }
            for &right in &used[position + 1..] {
                if self.arrays.node(left).sort == self.arrays.node(right).sort {
                    self.equal(aig, &Datum::Array(left), &Datum::Array(right), &mut lemmas);
                }
            }
        }
        lemmas
    }
}

impl Theory for ArraysAndFunctions {
    fn name(&self) -> &'static str {
        "arrays and functions"
    }

    fn is_trivial(&self) -> bool {
        self.arrays.is_empty() && self.applications.is_empty()
    }

    fn check(&mut self, aig: &mut Aig, assignment: Assignment<'_>) -> TheoryAnswer {
        let Assignment { value, control, .. } = assignment;
        // One after the other: lemmas may come with new edges, which have no value yet.
        let mut lemmas = self.universes.check(aig, value);
        if lemmas.is_empty() && self.expand_finite_constants(aig, value, &mut lemmas) {
            return TheoryAnswer::Refuted(lemmas);
        }
        if lemmas.is_empty() {
            lemmas = self.compare_array_keys(aig, control);
        }
        if lemmas.is_empty() {
            lemmas = arrays::check_arrays(self, aig, value, control);
        }
        if lemmas.is_empty() {
            lemmas = functions::check_functions(self, aig, value, control);
        }
        if lemmas.is_empty() {
            lemmas = self.add_missing_witnesses(aig, value, control);
        }
        TheoryAnswer::of(lemmas)
    }

    fn boxed(&self) -> Box<dyn Theory> {
        Box::new(self.clone())
    }
}

pub(crate) fn as_array(datum: &Datum) -> Option<ArrayId> {
    match datum {
        Datum::Array(id) => Some(*id),
        Datum::Bits(_) | Datum::Number(_) => None,
    }
}

//! Translation of terms to edges: every Boolean, bit-vector and uninterpreted term becomes a vector of
//! edges, least significant bit first.
//!
//! Each operator has its circuit in [`words`]; here it is applied to the arguments' bits, which
//! are there because arguments have smaller ids and are blasted first. Terms of uninterpreted sort
//! have [`UNINTERPRETED_WIDTH`] bits, the number of the element. Integers have as many as their
//! values need ([`words::integers`]). Terms of array sort have no bits, but what is below them has.

mod arithmetic;
mod equalities;
mod floats;
mod free_inputs;
mod integers;
mod operators;
mod refusal;
mod size;

use rustc_hash::FxHashMap;
use sundry_term::{Control, Op, Sort, SortId, Stopped, TermId, TermStore};

use crate::aig::Aig;
use crate::edge::Edge;
use crate::floats::{MODE_WIDTH, Unpacked};
use crate::support::Support;
use crate::words;
pub use floats::{OpenFunction, canonical};
pub use free_inputs::FreeInputs;
use operators::{binary, constant, many, unary};
pub use refusal::{BuildError, Refusal, TooLarge};

/// The least work of a term, and of a visit on the way to missing terms, in the units of [`Control::spend`].
const WORK_OF_TERM: u32 = 16;
const WORK_OF_VISIT: u32 = 8;

/// The number of bits that encode an element of an uninterpreted sort.
pub const UNINTERPRETED_WIDTH: u32 = 32;

/// The bits of terms that were blasted before; `None` for terms that have none.
pub type BitsOfTerms<'b> = &'b dyn Fn(TermId) -> Option<&'b [Edge]>;

/// The treatment of terms that the circuit leaves to theories.
pub trait Abstraction {
    /// Whether a theory gives a term its meaning. Such a term is a leaf without a circuit, whatever its operator is, and a
    /// term of a sort without bits stays outside the circuit.
    fn owns(&self, _store: &TermStore, _term: TermId) -> bool {
        false
    }

    /// Whether a theory knows integers and reals of any size, as arguments, indices, elements and results too.
    fn knows_numbers(&self) -> bool {
        false
    }

    /// The bits of a declared constant, of an application with arguments, of a select, or of a term that is owned (for
    /// Bool one bit; none where its sort has no bits). The blaster asks once for every such term, after those below it, whose
    /// bits it shows.
    fn leaf(
        &mut self,
        aig: &mut Aig,
        store: &TermStore,
        term: TermId,
        width: u32,
        bits: BitsOfTerms<'_>,
    ) -> Box<[Edge]>;

    /// Whether two different terms of one array sort are equal. The blaster asks once for every pair, the
    /// smaller id first.
    fn equality(&mut self, aig: &mut Aig, store: &TermStore, left: TermId, right: TermId) -> Edge;

    /// Whether the words with these bits, which are too many to compare each with each, are all different. The blaster
    /// asks once for every such term.
    fn distinct(&mut self, aig: &mut Aig, words: Vec<Box<[Edge]>>) -> Edge;

    /// The bits of a product that is left open, if it is; the circuit of others is built.
    fn product(&mut self, _aig: &mut Aig, _a: &[Edge], _b: &[Edge]) -> Option<Vec<Edge>> {
        None
    }

    /// Unsigned quotient and remainder of a division that is left open, if it is; the circuit of others is built.
    fn division(
        &mut self,
        _aig: &mut Aig,
        _dividend: &[Edge],
        _divisor: &[Edge],
    ) -> Option<(Vec<Edge>, Vec<Edge>)> {
        None
    }

    /// The bits of a result that the standard leaves open: equal for equal arguments of the function.
    fn open_result(
        &mut self,
        aig: &mut Aig,
        _function: OpenFunction,
        _arguments: &[Box<[Edge]>],
        width: u32,
    ) -> Box<[Edge]> {
        (0..width).map(|_| aig.input()).collect()
    }
}

/// The number of edges of a term of this sort; `None` for arrays, which have no bits, and for sorts of other theories.
pub fn bit_count(store: &TermStore, sort: SortId) -> Option<u32> {
    match *store.sort(sort) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(width),
        Sort::Uninterpreted { .. } => Some(UNINTERPRETED_WIDTH),
        Sort::Float(format) => Some(format.width()),
        Sort::RoundingMode => Some(MODE_WIDTH),
        _ => None,
    }
}

/// The place of a term's bits in the pool of all bits.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Place {
    start: usize,
    length: u32,
}

impl Place {
    /// The place of a term that is not blasted yet.
    const NONE: Place = Place { start: 0, length: u32::MAX };
    /// Visited; the term has no bits.
    const WITHOUT_BITS: Place = Place { start: 0, length: 0 };
}

/// The bits of terms, and how to make them.
#[derive(Clone)]
pub struct Blaster {
    places: Vec<Place>,
    pool: Vec<Edge>,
    divider: words::Divider,
    array_equalities: FxHashMap<(TermId, TermId), Edge>,
    /// The unpacked forms of floating-point terms, as far as they were needed.
    unpacked: FxHashMap<TermId, Unpacked>,
    node_limit: u64,
    control: Control,
}

impl Default for Blaster {
    fn default() -> Self {
        Blaster::new()
    }
}

impl Blaster {
    /// The limit on nodes where none is set. With the clauses of a solver for all of
    /// them it takes some 15 gigabytes.
    pub const DEFAULT_NODE_LIMIT: u64 = 1 << 26;

    /// Knows no term yet.
    pub fn new() -> Self {
        Blaster {
            places: Vec::new(),
            pool: Vec::new(),
            divider: words::Divider::new(),
            array_equalities: FxHashMap::default(),
            unpacked: FxHashMap::default(),
            node_limit: Self::DEFAULT_NODE_LIMIT,
            control: Control::default(),
        }
    }

    /// Forgets all terms; the limit on nodes and the control stay.
    pub fn clear(&mut self) {
        *self = Blaster { node_limit: self.node_limit, control: self.control.clone(), ..Blaster::new() };
    }

    /// Sets the number of nodes above which [`blast`](Self::blast) gives up instead of filling
    /// the memory.
    pub fn set_node_limit(&mut self, limit: u64) {
        self.node_limit = limit;
    }

    /// Sets the control that stops [`blast`](Self::blast).
    pub fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
    }

    /// The bits of a term that was blasted or defined; `None` for others, for arrays, and for terms outside the circuit.
    pub fn bits(&self, term: TermId) -> Option<&[Edge]> {
        let place = self.place(term);
        (place != Place::NONE && place != Place::WITHOUT_BITS).then(|| self.at(place))
    }

    /// Fixes the bits of a term before it is blasted; the terms below it are then not needed.
    ///
    /// # Panics
    /// When the term has bits already, or their number is not that of its sort.
    pub fn define(&mut self, store: &TermStore, term: TermId, bits: &[Edge]) {
        assert!(self.place(term) == Place::NONE, "{term:?} has bits already");
        let expected = bit_count(store, store.sort_of(term));
        assert_eq!(Some(bits.len() as u64), expected.map(u64::from), "bits of {term:?}");
        self.set(term, bits);
    }

    /// Makes the bits of all terms that are reachable from the roots and have none.
    ///
    /// # Errors
    /// When the circuit of some operation is estimated to pass the limit on nodes, a term is [`Unsupported`](crate::Unsupported), or
    /// time is up. What was blasted before stays.
    pub fn blast(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        roots: &[TermId],
    ) -> Result<(), BuildError> {
        let control = self.control.clone();
        let missing = self.missing(store, roots, &control)?;
        aig.begin_construction(&control);
        let result = self.blast_all(store, aig, abstraction, missing, &control);
        aig.end_construction();
        result
    }

    /// Makes the bits of terms, each behind those below it.
    fn blast_all(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        terms: Vec<TermId>,
        control: &Control,
    ) -> Result<(), BuildError> {
        for term in terms {
            control.spend(WORK_OF_TERM)?;
            let support = Support::of(store, term, abstraction)?;
            if support == Support::Outside {
                abstraction.leaf(aig, store, term, 0, &|argument| self.bits(argument));
                self.set_place(term, Place::WITHOUT_BITS);
                continue;
            }
            if store.sort_of(term) == SortId::INT {
                self.check_size(store, aig, store.op(term), term)?;
                let bits = self.integer(store, aig, term);
                aig.check_construction()?;
                self.set(term, &bits);
                continue;
            }
            let Some(width) = bit_count(store, store.sort_of(term)) else {
                self.set_place(term, Place::WITHOUT_BITS);
                continue;
            };
            let bits = match store.op(term) {
                op if support == Support::Leaf || matches!(op, Op::Apply(_) | Op::Select) => {
                    self.leaf(store, aig, abstraction, term, width)
                }
                op => {
                    self.check_size(store, aig, op, term)?;
                    let bits = self.operation(store, aig, abstraction, op, term);
                    aig.check_construction()?;
                    bits
                }
            };
            assert_eq!(bits.len(), width as usize, "bits of {term:?}");
            self.set(term, &bits);
        }
        Ok(())
    }

    /// The bits of a term that the abstraction knows.
    fn leaf(
        &self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        term: TermId,
        width: u32,
    ) -> Vec<Edge> {
        let bits = abstraction.leaf(aig, store, term, width, &|argument| self.bits(argument)).into_vec();
        canonical(aig, store.sort(store.sort_of(term)), bits)
    }

    /// The terms reachable from the roots through terms without bits, ascending.
    fn missing(
        &self,
        store: &TermStore,
        roots: &[TermId],
        control: &Control,
    ) -> Result<Vec<TermId>, Stopped> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = Vec::new();
        let mut found = Vec::new();
        let is_missing = |term: &TermId| self.place(*term) == Place::NONE;
        stack.extend(roots.iter().copied().filter(is_missing));
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                control.spend(WORK_OF_VISIT)?;
                found.push(term);
                stack.extend(store.args(term).iter().copied().filter(is_missing));
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    fn place(&self, term: TermId) -> Place {
        self.places.get(term.index()).copied().unwrap_or(Place::NONE)
    }

    fn set_place(&mut self, term: TermId, place: Place) {
        if self.places.len() <= term.index() {
            self.places.resize(term.index() + 1, Place::NONE);
        }
        self.places[term.index()] = place;
    }

    fn set(&mut self, term: TermId, bits: &[Edge]) {
        let place = Place { start: self.pool.len(), length: bits.len() as u32 };
        self.pool.extend_from_slice(bits);
        self.set_place(term, place);
    }

    fn at(&self, place: Place) -> &[Edge] {
        &self.pool[place.start..place.start + place.length as usize]
    }

    fn argument(&self, store: &TermStore, term: TermId, position: usize) -> &[Edge] {
        self.at(self.place(store.args(term)[position]))
    }

    fn operation(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        op: Op,
        term: TermId,
    ) -> Vec<Edge> {
        match op {
            Op::Constant(_) => constant(store, term),
            Op::Equal => vec![self.all_equal(store, aig, abstraction, store.args(term))],
            Op::Distinct => vec![self.all_distinct(store, aig, abstraction, term)],
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
                self.division(store, aig, abstraction, op, term)
            }
            Op::BvMul => self.product(store, aig, abstraction, term),
            Op::BvUmulo | Op::BvSmulo => vec![self.product_overflow(store, aig, abstraction, op, term)],
            Op::ExtRotateLeft | Op::ExtRotateRight => self.rotation(store, aig, op, term),
            Op::Arithmetic(operator) => self.of_integers(store, aig, operator, term),
            Op::Float(operator) => self.float(store, aig, abstraction, operator, term),
            _ => {
                if op == Op::Ite {
                    self.note_choice(store, aig, term);
                }
                let arguments: Vec<&[Edge]> =
                    store.args(term).iter().map(|&argument| self.at(self.place(argument))).collect();
                match arguments[..] {
                    [a] => unary(aig, op, a),
                    [a, b] => binary(aig, op, a, b),
                    _ => many(aig, op, &arguments),
                }
            }
        }
    }
}

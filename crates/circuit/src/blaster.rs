//! From terms to edges: every Boolean, bit-vector and uninterpreted term becomes a vector of
//! edges, least significant bit first.
//!
//! Each operator has its circuit in [`words`]; here it is applied to the arguments' bits, which
//! are there because arguments have smaller ids and are blasted first. Terms of uninterpreted sort
//! have [`UNINTERPRETED_WIDTH`] bits, the number of the element. Integers have as many as their
//! values need ([`words::integers`]). Terms of array sort have no bits, but what is below them has.

use std::fmt;

use rustc_hash::FxHashMap;
use sundry_term::{
    ArithmeticOp, Control, Op, Sort, SortId, Stopped, TermId, TermStore, Value, twos_complement,
};

use crate::aig::Aig;
use crate::edge::Edge;
use crate::support::{Support, Unsupported};
use crate::words;

/// What a term takes at least, and a visit on the way to those that are missing, in the units of [`Control::spend`].
const WORK_OF_TERM: u32 = 16;
const WORK_OF_VISIT: u32 = 8;

/// How many bits encode the number of an element of an uninterpreted sort.
pub const UNINTERPRETED_WIDTH: u32 = 32;

/// What the circuit does not know by itself, and what it is spared.
pub trait Abstraction {
    /// Whether a theory gives a term its meaning. Such a term is a leaf without a circuit, whatever its operator is, and a
    /// term of a sort without bits is no part of the circuit at all.
    fn owns(&self, _store: &TermStore, _term: TermId) -> bool {
        false
    }

    /// The bits of a declared constant, of an application with arguments, of a select, or of a term that is owned (for
    /// Bool one bit; none where its sort has no bits). Asked once for every such term, after those below it.
    fn leaf(&mut self, aig: &mut Aig, store: &TermStore, term: TermId, width: u32) -> Box<[Edge]>;

    /// Whether two different terms of one array sort are equal. Asked once for every pair, the
    /// smaller id first.
    fn equality(&mut self, aig: &mut Aig, store: &TermStore, left: TermId, right: TermId) -> Edge;

    /// Whether the words with these bits, which are too many to compare each with each, are all different. Asked once
    /// for every such term.
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
}

/// Nodes that comparing each argument of a `distinct` with each other may take; beyond that it is left to the
/// [`Abstraction`].
const COMPARED_DISTINCT: u64 = 1 << 21;

/// A term whose circuit would pass the limit on nodes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The term.
    pub term: TermId,
    /// How many nodes its operation may need on top of what is there.
    pub nodes: u64,
    /// How many there may be altogether.
    pub limit: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLarge { nodes, limit, .. } = self;
        write!(f, "the circuit would pass the limit of {limit} gates: this operation adds up to {nodes}")
    }
}

impl std::error::Error for TooLarge {}

/// Why a formula has no circuit, whatever the time.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// An operation is too large.
    TooLarge(TooLarge),
    /// A term belongs to another theory.
    Unsupported(Unsupported),
}

impl Refusal {
    /// The term that is at fault.
    pub fn term(&self) -> TermId {
        match self {
            Refusal::TooLarge(error) => error.term,
            Refusal::Unsupported(error) => error.term,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooLarge(error) => error.fmt(f),
            Refusal::Unsupported(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

/// Why terms have no circuit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// They can have none.
    Refused(Refusal),
    /// A control has stopped the construction.
    Stopped,
}

impl From<TooLarge> for BuildError {
    fn from(error: TooLarge) -> Self {
        BuildError::Refused(Refusal::TooLarge(error))
    }
}

impl From<Unsupported> for BuildError {
    fn from(error: Unsupported) -> Self {
        BuildError::Refused(Refusal::Unsupported(error))
    }
}

/// The reason is the control's.
impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> Self {
        BuildError::Stopped
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Refused(error) => error.fmt(f),
            BuildError::Stopped => f.write_str("stopped while the circuit was built"),
        }
    }
}

impl std::error::Error for BuildError {}

/// How many edges a term of this sort has; `None` for arrays, which have no bits, and for sorts of other theories.
pub fn bit_count(store: &TermStore, sort: SortId) -> Option<u32> {
    match *store.sort(sort) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(width),
        Sort::Uninterpreted { .. } => Some(UNINTERPRETED_WIDTH),
        _ => None,
    }
}

/// Where a term's bits are in the pool of all bits.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Place {
    start: usize,
    length: u32,
}

impl Place {
    /// Not blasted yet.
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
    node_limit: u64,
    control: Control,
}

impl Default for Blaster {
    fn default() -> Self {
        Blaster::new()
    }
}

impl Blaster {
    /// Nodes that a graph may have unless told otherwise. With the clauses of a solver for all of
    /// them it takes some 15 gigabytes.
    pub const DEFAULT_NODE_LIMIT: u64 = 1 << 26;

    /// Knows no term yet.
    pub fn new() -> Self {
        Blaster {
            places: Vec::new(),
            pool: Vec::new(),
            divider: words::Divider::new(),
            array_equalities: FxHashMap::default(),
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
    /// When the circuit of some operation is estimated to pass the limit on nodes, a term is [`Unsupported`], or
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
                abstraction.leaf(aig, store, term, 0);
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
                _ if support == Support::Leaf => abstraction.leaf(aig, store, term, width).into_vec(),
                Op::Apply(_) | Op::Select => abstraction.leaf(aig, store, term, width).into_vec(),
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

    /// Refuses operations that would not fit.
    fn check_size(&self, store: &TermStore, aig: &Aig, op: Op, term: TermId) -> Result<(), TooLarge> {
        use Op::*;
        let width = |position| {
            let argument = store.args(term).get(position);
            argument.map_or(0, |&argument| u64::from(self.place(argument).length))
        };
        let nodes = match op {
            Constant(_)
            | Not
            | BvNot
            | Concat
            | Extract { .. }
            | Repeat(_)
            | ZeroExtend(_)
            | SignExtend(_)
            | RotateLeft(_)
            | RotateRight(_) => 0,
            BvShl | BvLshr | BvAshr => 4 * width(0) * u64::from(width(0).max(2).ilog2() + 1),
            Distinct => match distinct_nodes(store, term) {
                // The abstraction compares each once with something of its own.
                nodes if nodes > COMPARED_DISTINCT && width(0) > 0 => {
                    4 * (width(0) + 1) * store.args(term).len() as u64
                }
                nodes => nodes,
            },
            BvMul | BvUmulo | BvSmulo => {
                let arguments = store.args(term).len();
                let (first, second) = (self.argument(store, term, 0), self.argument(store, term, 1));
                let rows = if arguments == 2 { words::row_count(first, second) } else { first.len() };
                8 * (rows * first.len() * (arguments - 1)) as u64
            }
            BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod | ExtRotateLeft | ExtRotateRight => {
                let width = self.argument(store, term, 0).len();
                6 * (width * width) as u64
            }
            Arithmetic(ArithmeticOp::Mul) => {
                let widths = (1..store.args(term).len()).map(width);
                let (_, nodes) = widths.fold((width(0), 0), |(so_far, nodes): (u64, u64), next| {
                    (so_far + next, nodes + 8 * (so_far + next) * so_far.min(next))
                });
                nodes
            }
            Arithmetic(ArithmeticOp::Div | ArithmeticOp::Mod | ArithmeticOp::Divisible(_)) => {
                20 * store.args(term).len() as u64 * width(0).max(32).pow(2)
            }
            _ => 10 * (0..store.args(term).len()).map(width).sum::<u64>(),
        };
        let limit = self.node_limit;
        if nodes > 0 && aig.node_count() as u64 + nodes > limit {
            return Err(TooLarge { term, nodes, limit });
        }
        Ok(())
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
            _ => {
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

    fn product(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        term: TermId,
    ) -> Vec<Edge> {
        let first = self.argument(store, term, 0).to_vec();
        (1..store.args(term).len()).fold(first, |so_far, position| {
            multiply(aig, abstraction, &so_far, self.argument(store, term, position))
        })
    }

    fn product_overflow(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        op: Op,
        term: TermId,
    ) -> Edge {
        let [a, b] = [0, 1].map(|position| self.argument(store, term, position));
        let product = &mut |aig: &mut Aig, a: &[Edge], b: &[Edge]| multiply(aig, abstraction, a, b);
        match op {
            Op::BvUmulo => words::unsigned_mul_overflow(aig, a, b, product),
            _ => words::signed_mul_overflow(aig, a, b, product),
        }
    }

    fn division(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        op: Op,
        term: TermId,
    ) -> Vec<Edge> {
        let mut divider = std::mem::take(&mut self.divider);
        let (a, b) = (self.argument(store, term, 0), self.argument(store, term, 1));
        let signed = !matches!(op, Op::BvUdiv | Op::BvUrem);
        divider.leave_open(aig, a, b, signed, |aig, a, b| abstraction.division(aig, a, b));
        let bits = match op {
            Op::BvUdiv => divider.unsigned(aig, a, b).0.into_vec(),
            Op::BvUrem => divider.unsigned(aig, a, b).1.into_vec(),
            Op::BvSdiv => divider.signed_quotient(aig, a, b),
            Op::BvSrem => divider.signed_remainder(aig, a, b),
            Op::BvSmod => divider.signed_modulus(aig, a, b),
            other => unreachable!("{other:?} is no division"),
        };
        self.divider = divider;
        bits
    }

    fn rotation(&mut self, store: &TermStore, aig: &mut Aig, op: Op, term: TermId) -> Vec<Edge> {
        let mut divider = std::mem::take(&mut self.divider);
        let (a, amount) = (self.argument(store, term, 0), self.argument(store, term, 1));
        // The width fits in as many bits as it says.
        let width = words::constant(a.len(), |bit| bit < usize::BITS as usize && a.len() >> bit & 1 == 1);
        let (_, distance) = divider.unsigned(aig, amount, &width);
        let bits = match op {
            Op::ExtRotateLeft => words::rotate_left_by(aig, a, &distance),
            _ => words::rotate_right_by(aig, a, &distance),
        };
        self.divider = divider;
        bits
    }

    /// The bits of an integer, in two's complement.
    fn integer(&mut self, store: &TermStore, aig: &mut Aig, term: TermId) -> Vec<Edge> {
        use words::integers;
        let arguments = |blaster: &Self| -> Vec<Vec<Edge>> {
            store.args(term).iter().map(|&argument| blaster.at(blaster.place(argument)).to_vec()).collect()
        };
        let arguments = arguments(self);
        let fold = |aig: &mut Aig, step: fn(&mut Aig, &[Edge], &[Edge]) -> Vec<Edge>| {
            arguments[1..].iter().fold(arguments[0].clone(), |so_far, next| step(aig, &so_far, next))
        };
        let operator = match store.op(term) {
            Op::Constant(_) => {
                let Some(Value::Int(number)) = store.value(term) else { unreachable!("an integer literal") };
                let bits = twos_complement(number);
                return words::constant(bits.width() as usize, |bit| bits.bit(bit as u32));
            }
            Op::Ite => {
                let (consequent, alternative) = integers::aligned(&arguments[1], &arguments[2], 0);
                return integers::trimmed(words::ite(aig, arguments[0][0], &consequent, &alternative));
            }
            Op::Arithmetic(operator) => operator,
            other => unreachable!("integers made by {other:?} are refused where they are read"),
        };
        match operator {
            ArithmeticOp::UnsignedToInt => integers::trimmed([&arguments[0][..], &[Edge::FALSE]].concat()),
            ArithmeticOp::SignedToInt => integers::trimmed(arguments[0].clone()),
            ArithmeticOp::Sub if arguments.len() == 1 => integers::opposite(aig, &arguments[0]),
            ArithmeticOp::Sub => fold(aig, integers::difference),
            ArithmeticOp::Add => fold(aig, integers::sum),
            ArithmeticOp::Mul => fold(aig, integers::product),
            ArithmeticOp::Abs => integers::magnitude(aig, &arguments[0]),
            ArithmeticOp::Mod => {
                integers::quotient_and_remainder(aig, &mut self.divider, &arguments[0], &arguments[1]).1
            }
            ArithmeticOp::Div => arguments[1..].iter().fold(arguments[0].clone(), |so_far, next| {
                integers::quotient_and_remainder(aig, &mut self.divider, &so_far, next).0
            }),
            other => unreachable!("integers made by {other:?} are refused where they are read"),
        }
    }

    /// The bits of a Boolean or bit-vector that is said of integers.
    fn of_integers(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        operator: ArithmeticOp,
        term: TermId,
    ) -> Vec<Edge> {
        use words::integers;
        let mut divider = std::mem::take(&mut self.divider);
        let arguments: Vec<&[Edge]> =
            store.args(term).iter().map(|&argument| self.at(self.place(argument))).collect();
        let chain = |aig: &mut Aig, holds: fn(&mut Aig, &[Edge], &[Edge]) -> Edge| {
            let pairs: Vec<Edge> = arguments.windows(2).map(|pair| holds(aig, pair[0], pair[1])).collect();
            vec![aig.and_many(&pairs)]
        };
        let bits = match operator {
            ArithmeticOp::Less => chain(aig, |aig, a, b| integers::less(aig, a, b, false)),
            ArithmeticOp::LessOrEqual => chain(aig, |aig, a, b| integers::less(aig, a, b, true)),
            ArithmeticOp::Greater => chain(aig, |aig, a, b| integers::less(aig, b, a, false)),
            ArithmeticOp::GreaterOrEqual => chain(aig, |aig, a, b| integers::less(aig, b, a, true)),
            ArithmeticOp::IntToBits(width) => integers::wrapped(arguments[0], width as usize),
            ArithmeticOp::Divisible(divisor) => {
                // 32 bits and a sign.
                let divisor = words::constant(33, |bit| u64::from(divisor) >> bit & 1 == 1);
                let (_, remainder) =
                    integers::quotient_and_remainder(aig, &mut divider, arguments[0], &divisor);
                vec![words::is_zero(aig, &remainder)]
            }
            other => unreachable!("{other:?} is refused where it is read"),
        };
        self.divider = divider;
        bits
    }

    fn equality(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        left: TermId,
        right: TermId,
    ) -> Edge {
        if left == right {
            return Edge::TRUE;
        }
        if store.sort_of(left) == SortId::INT {
            return words::integers::same(aig, self.at(self.place(left)), self.at(self.place(right)));
        }
        if self.place(left) != Place::WITHOUT_BITS {
            return words::equal(aig, self.at(self.place(left)), self.at(self.place(right)));
        }
        let pair = (left.min(right), left.max(right));
        *self.array_equalities.entry(pair).or_insert_with(|| abstraction.equality(aig, store, pair.0, pair.1))
    }

    fn all_equal(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        arguments: &[TermId],
    ) -> Edge {
        // Equality is transitive: neighbours suffice.
        let mut equalities = Vec::with_capacity(arguments.len());
        for pair in arguments.windows(2) {
            equalities.push(self.equality(store, aig, abstraction, pair[0], pair[1]));
        }
        aig.and_many(&equalities)
    }

    fn all_distinct(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        term: TermId,
    ) -> Edge {
        let arguments = store.args(term);
        if distinct_nodes(store, term) > COMPARED_DISTINCT
            && let Some(words) =
                arguments.iter().map(|&argument| self.bits(argument).map(Box::from)).collect()
        {
            return abstraction.distinct(aig, words);
        }
        let mut equalities = Vec::new();
        for (position, &left) in arguments.iter().enumerate() {
            if aig.is_stopped() {
                break;
            }
            for &right in &arguments[position + 1..] {
                equalities.push(self.equality(store, aig, abstraction, left, right));
            }
        }
        !aig.or_many(&equalities)
    }
}

/// Nodes that comparing each argument of a `distinct` with each other takes. Equalities of arrays bring witnesses.
fn distinct_nodes(store: &TermStore, term: TermId) -> u64 {
    const PER_EQUALITY_OF_ARRAYS: u32 = 64;
    let arguments = store.args(term);
    let width = bit_count(store, store.sort_of(arguments[0])).unwrap_or(PER_EQUALITY_OF_ARRAYS);
    2 * u64::from(width) * (arguments.len() as u64).pow(2)
}

fn constant(store: &TermStore, term: TermId) -> Vec<Edge> {
    match store.value(term) {
        Some(Value::Bool(value)) => vec![Edge::from_bool(*value)],
        Some(Value::BitVec(bits)) => (0..bits.width()).map(|i| Edge::from_bool(bits.bit(i))).collect(),
        other => unreachable!("literals are Boolean or bit-vectors, not {other:?}"),
    }
}

/// The bits of a product, open or built.
fn multiply(aig: &mut Aig, abstraction: &mut dyn Abstraction, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    abstraction.product(aig, a, b).unwrap_or_else(|| words::multiply(aig, a, b))
}

fn unary(aig: &mut Aig, op: Op, a: &[Edge]) -> Vec<Edge> {
    let width = a.len();
    match op {
        Op::Not | Op::BvNot => words::not(a),
        // One conjunct, one disjunct: the operand.
        Op::And | Op::Or => a.to_vec(),
        Op::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
        Op::Repeat(times) => a.repeat(times as usize),
        Op::ZeroExtend(by) => extended(a, by, Edge::FALSE),
        Op::SignExtend(by) => extended(a, by, a[width - 1]),
        Op::RotateLeft(by) => words::rotate_left(a, by),
        Op::RotateRight(by) => words::rotate_left(a, (width - by as usize % width) as u32),
        Op::BvNeg => words::negate(aig, a),
        Op::BvRedAnd => vec![aig.and_many(a)],
        Op::BvRedOr => vec![aig.or_many(a)],
        Op::BvRedXor => vec![a.iter().fold(Edge::FALSE, |parity, &bit| aig.xor(parity, bit))],
        Op::BvInc => words::add_with_carry(aig, a, &vec![Edge::FALSE; width], Edge::TRUE).0,
        Op::BvDec => words::add(aig, a, &vec![Edge::TRUE; width]),
        Op::BvNego => vec![words::negate_overflow(aig, a)],
        other => unreachable!("{other:?} does not take one argument"),
    }
}

fn extended(a: &[Edge], by: u32, fill: Edge) -> Vec<Edge> {
    let mut bits = a.to_vec();
    bits.resize(a.len() + by as usize, fill);
    bits
}

fn binary(aig: &mut Aig, op: Op, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    match op {
        Op::BvSub => words::sub(aig, a, b),
        Op::BvNand => words::not(&words::zip(aig, a, b, Aig::and)),
        Op::BvNor => words::not(&words::zip(aig, a, b, Aig::or)),
        Op::BvShl => words::shift_left(aig, a, b),
        Op::BvLshr => words::shift_right_logical(aig, a, b),
        Op::BvAshr => words::shift_right_arithmetic(aig, a, b),
        Op::BvComp => vec![words::equal(aig, a, b)],
        Op::BvUlt => vec![words::unsigned_less(aig, a, b, false)],
        Op::BvUle => vec![words::unsigned_less(aig, a, b, true)],
        Op::BvUgt => vec![words::unsigned_less(aig, b, a, false)],
        Op::BvUge => vec![words::unsigned_less(aig, b, a, true)],
        Op::BvSlt => vec![words::signed_less(aig, a, b, false)],
        Op::BvSle => vec![words::signed_less(aig, a, b, true)],
        Op::BvSgt => vec![words::signed_less(aig, b, a, false)],
        Op::BvSge => vec![words::signed_less(aig, b, a, true)],
        Op::BvUaddo => vec![words::unsigned_add_overflow(aig, a, b)],
        Op::BvSaddo => vec![words::signed_add_overflow(aig, a, b)],
        Op::BvUsubo => vec![words::unsigned_less(aig, a, b, false)],
        Op::BvSsubo => vec![words::signed_sub_overflow(aig, a, b)],
        Op::BvSdivo => vec![words::signed_div_overflow(aig, a, b)],
        op => many(aig, op, &[a, b]),
    }
}

/// Operators with any number of arguments, from two.
fn many(aig: &mut Aig, op: Op, arguments: &[&[Edge]]) -> Vec<Edge> {
    let (&first, rest) = arguments.split_first().expect("operators have arguments");
    let fold = |aig: &mut Aig, step: fn(&mut Aig, &[Edge], &[Edge]) -> Vec<Edge>| {
        rest.iter().fold(first.to_vec(), |sum, next| step(aig, &sum, next))
    };
    match op {
        Op::And | Op::BvAnd => columns(aig, arguments, Aig::and_many),
        Op::Or | Op::BvOr => columns(aig, arguments, Aig::or_many),
        Op::Xor | Op::BvXor => fold(aig, |aig, a, b| words::zip(aig, a, b, Aig::xor)),
        Op::BvXnor => fold(aig, |aig, a, b| words::zip(aig, a, b, Aig::equal)),
        Op::BvAdd => fold(aig, words::add),
        Op::BvSub => fold(aig, words::sub),
        Op::Implies => {
            // a => (b => c) fails only where a and b hold and c does not.
            let (&conclusion, premises) = arguments.split_last().expect("operators have arguments");
            let complements: Vec<Edge> = premises.iter().map(|premise| !premise[0]).collect();
            let edges: Vec<Edge> = complements.into_iter().chain([conclusion[0]]).collect();
            vec![aig.or_many(&edges)]
        }
        Op::Ite => words::ite(aig, arguments[0][0], arguments[1], arguments[2]),
        Op::Concat => arguments.iter().rev().flat_map(|bits| bits.iter().copied()).collect(),
        other => unreachable!("{other:?} does not take {} arguments", arguments.len()),
    }
}

fn columns(aig: &mut Aig, arguments: &[&[Edge]], gate: fn(&mut Aig, &[Edge]) -> Edge) -> Vec<Edge> {
    let mut column = Vec::with_capacity(arguments.len());
    (0..arguments[0].len())
        .map(|index| {
            column.clear();
            column.extend(arguments.iter().map(|bits| bits[index]));
            gate(aig, &column)
        })
        .collect()
}

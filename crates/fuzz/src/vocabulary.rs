//! What new terms are made of: the terms of a seed, by sort, and random literals.

use std::collections::BTreeMap;

use dashu_ratio::RBig;
use rand::Rng;
use rand::seq::IndexedRandom;
use rustc_hash::FxHashSet;
use sundry_term::{
    ArithmeticOp, BitVector, Float, Op, RoundingMode, Sort, SortId, SymbolId, SymbolKind, TermId, TermStore,
    Text, Value,
};

/// The terms of a seed that mean the same everywhere: no bound variable occurs in them.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    by_sort: BTreeMap<SortId, Vec<TermId>>,
    functions: Vec<SymbolId>,
    /// Whether no product of two unknowns, and no division by one, occurs.
    is_linear: bool,
}

impl Vocabulary {
    /// Of these formulas.
    pub fn of(store: &TermStore, formulas: &[TermId]) -> Vocabulary {
        let mut vocabulary = Vocabulary { is_linear: true, ..Vocabulary::default() };
        let mut open = FxHashSet::default();
        let mut functions = FxHashSet::default();
        for term in store.reachable(formulas) {
            let arguments = store.args(term);
            match store.op(term) {
                Op::Apply(symbol) if store.symbol(symbol).kind == SymbolKind::Variable => {
                    open.insert(term);
                }
                Op::Apply(symbol) if !arguments.is_empty() && functions.insert(symbol) => {
                    vocabulary.functions.push(symbol);
                }
                op if !is_linear(store, op, arguments) => vocabulary.is_linear = false,
                _ => {}
            }
            // A quantifier closes its variables, but only some of those of others; none of them is needed.
            let is_quantifier = matches!(store.op(term), Op::Forall(_) | Op::Exists(_));
            if is_quantifier || arguments.iter().any(|argument| open.contains(argument)) {
                open.insert(term);
            }
            if !open.contains(&term) {
                vocabulary.by_sort.entry(store.sort_of(term)).or_default().push(term);
            }
        }
        vocabulary
    }

    /// The sorts of which there are terms, ascending.
    pub fn sorts(&self) -> impl ExactSizeIterator<Item = SortId> + '_ {
        self.by_sort.keys().copied()
    }

    /// The terms of a sort.
    pub fn terms(&self, sort: SortId) -> &[TermId] {
        self.by_sort.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// The declared functions that are applied.
    pub fn functions(&self) -> &[SymbolId] {
        &self.functions
    }

    /// Whether no product of two unknowns, and no division by one, occurs.
    pub fn is_linear(&self) -> bool {
        self.is_linear
    }
}

/// Whether an application is linear in its arguments.
pub(crate) fn is_linear(store: &TermStore, op: Op, arguments: &[TermId]) -> bool {
    let unknowns = |arguments: &[TermId]| arguments.iter().filter(|&&it| !is_number(store, it)).count();
    match op {
        Op::Arithmetic(ArithmeticOp::Mul) => unknowns(arguments) <= 1,
        Op::Arithmetic(ArithmeticOp::Div | ArithmeticOp::Mod | ArithmeticOp::Divide) => {
            unknowns(&arguments[1..]) == 0
        }
        _ => true,
    }
}

/// Whether a term is a number, perhaps negative or a fraction.
fn is_number(store: &TermStore, term: TermId) -> bool {
    let sign_or_fraction =
        |op| matches!(op, Op::Arithmetic(ArithmeticOp::Sub | ArithmeticOp::Divide | ArithmeticOp::ToReal));
    store.value(term).is_some()
        || sign_or_fraction(store.op(term)) && store.args(term).iter().all(|&it| store.value(it).is_some())
}

/// A random literal of a sort, often a special one; none for sorts without literals.
pub fn random_literal(store: &mut TermStore, sort: SortId, random: &mut impl Rng) -> Option<TermId> {
    let value = match *store.sort(sort) {
        Sort::Bool => Value::Bool(random.random()),
        Sort::Int => Value::Int(random_number(random).into()),
        Sort::Real => {
            let numerator = random_number(random);
            let denominator = *[1u64, 1, 2, 3, 10].choose(random)?;
            Value::Real(RBig::from_parts(numerator.into(), denominator.into()).into())
        }
        Sort::BitVec(width) => Value::BitVec(random_bits(width, random)),
        Sort::RoundingMode => Value::RoundingMode(*RoundingMode::ALL.choose(random)?),
        Sort::Float(format) => {
            let negative = random.random();
            let value = match random.random_range(0..8) {
                0 => Float::nan(format),
                1 => Float::infinity(format, negative),
                2 => Float::zero(format, negative),
                3 | 4 => Float::from_integer(
                    format,
                    &random_number(random).into(),
                    RoundingMode::NearestTiesToEven,
                ),
                _ => Float::from_bits(format, &random_bits(format.width(), random)),
            };
            Value::Float(value.into())
        }
        Sort::String => Value::String(random_text(random)),
        _ => return None,
    };
    Some(store.value_term(sort, &value))
}

/// Mostly small, sometimes at a power of two.
fn random_number(random: &mut impl Rng) -> i64 {
    match random.random_range(0..10) {
        0 => (1 << random.random_range(0..34)) - random.random_range(0..2),
        1 => random.random_range(-1_000..=1_000),
        2 | 3 => 0,
        _ => random.random_range(-9..=9),
    }
}

fn random_bits(width: u32, random: &mut impl Rng) -> BitVector {
    match random.random_range(0..6) {
        0 => BitVector::zero(width),
        1 => BitVector::ones(width),
        2 => {
            let one = random.random_range(0..width);
            BitVector::from_bits(width, |bit| bit == one)
        }
        3 => {
            let length = random.random_range(0..width);
            BitVector::from_bits(width, |bit| bit <= length)
        }
        _ => BitVector::from_bits(width, |_| random.random()),
    }
}

fn random_text(random: &mut impl Rng) -> Text {
    const CHARACTERS: [u32; 9] = [0x61, 0x62, 0x41, 0x30, 0x31, 0x20, 0x22, 0x5c, 0xe9];
    let length = *[0, 1, 1, 2, 2, 3, 5].choose(random).expect("there are lengths");
    let characters: Vec<u32> =
        (0..length).map(|_| *CHARACTERS.choose(random).expect("there are characters")).collect();
    Text::new(&characters).expect("characters of the theory")
}

//! Random literals of every sort that has some: often special ones and ones at the borders of ranges, where
//! operators behave in special ways.

use dashu_ratio::RBig;
use rand::Rng;
use rand::seq::IndexedRandom;
use sundry_term::{
    BitVector, DatatypeOp, Float, FloatFormat, Model, Op, RoundingMode, SequenceValue, Sort, SortId, TermId,
    TermStore, Text, Value, evaluate,
};

/// Deepest nesting of random constructors; below, values are the smallest.
const DEPTH: u32 = 2;

/// Whether every value of a sort has a literal that all solvers read, of a small number of tokens.
pub(crate) fn has_literals(store: &TermStore, sort: SortId) -> bool {
    matches!(
        store.sort(sort),
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Float(_) | Sort::String
    )
}

/// A random literal of a sort, or constructors applied to such; none for sorts without literals.
pub fn random_literal(store: &mut TermStore, sort: SortId, random: &mut impl Rng) -> Option<TermId> {
    literal(store, sort, DEPTH, random)
}

/// Recurses as deep as it nests constructors.
fn literal(store: &mut TermStore, sort: SortId, depth: u32, random: &mut impl Rng) -> Option<TermId> {
    let value = match *store.sort(sort) {
        Sort::Bool => Value::Bool(random.random()),
        Sort::Int => Value::Int(number(random).into()),
        Sort::Real => {
            let denominator = match random.random_range(0..4) {
                0 => number(random).unsigned_abs().max(1),
                _ => *[1u64, 1, 2, 3, 10].choose(random)?,
            };
            Value::Real(RBig::from_parts(number(random).into(), denominator.into()).into())
        }
        Sort::BitVec(width) => Value::BitVec(bits(width, random)),
        Sort::RoundingMode => Value::RoundingMode(*RoundingMode::ALL.choose(random)?),
        Sort::Float(format) => Value::Float(float(format, random).into()),
        Sort::String => Value::String(text(random)),
        Sort::Datatype { declaration, .. } if depth > 0 => {
            let constructor = *store.datatype(declaration).constructors.choose(random)?;
            let sorts = store.field_sorts(sort, constructor)?.to_vec();
            let fields: Option<Vec<TermId>> =
                sorts.into_iter().map(|sort| literal(store, sort, depth - 1, random)).collect();
            return store.term(Op::Datatype(DatatypeOp::Construct { constructor, sort }), &fields?).ok();
        }
        Sort::Datatype { .. } => return smallest(store, sort),
        Sort::Sequence(element) => sequence(store, element, depth, random)?,
        Sort::RegLan | Sort::Array { .. } | Sort::Uninterpreted { .. } => return None,
    };
    Some(store.value_term(sort, &value))
}

/// A short sequence of at most two different elements, so that sequences are often parts of one another.
fn sequence(store: &mut TermStore, element: SortId, depth: u32, random: &mut impl Rng) -> Option<Value> {
    let mut elements = Vec::new();
    for _ in 0..2 {
        let term = literal(store, element, depth, random)?;
        elements.push(evaluate(store, &Model::new(), term).ok()?);
    }
    let length = *[0, 1, 1, 2, 2, 3, 4].choose(random)?;
    let chosen: Option<Box<[Value]>> = (0..length).map(|_| elements.choose(random).cloned()).collect();
    SequenceValue::new(chosen?).map(Value::Sequence)
}

/// The smallest value of a datatype, if it is made of literals only.
fn smallest(store: &mut TermStore, sort: SortId) -> Option<TermId> {
    let value = Value::default_of(store, sort);
    let has_literals = |value: &Value| !matches!(value, Value::Array(_) | Value::Uninterpreted { .. });
    let mut open = vec![&value];
    while let Some(value) = open.pop() {
        if !has_literals(value) {
            return None;
        }
        if let Value::Datatype(value) = value {
            open.extend(value.fields());
        }
    }
    Some(store.value_term(sort, &value))
}

/// Mostly small, sometimes around a power of two.
fn number(random: &mut impl Rng) -> i64 {
    match random.random_range(0..10) {
        0 => {
            let power = 1 << random.random_range(0..40);
            (power - random.random_range(0..2)) * if random.random() { 1 } else { -1 }
        }
        1 => random.random_range(-1_000..=1_000),
        2 | 3 => 0,
        _ => random.random_range(-9..=9),
    }
}

/// Often all alike, or with one border between zeros and ones.
fn bits(width: u32, random: &mut impl Rng) -> BitVector {
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

/// Special values, integers, values around 1, where sums and products meet, and any.
fn float(format: FloatFormat, random: &mut impl Rng) -> Float {
    let negative = random.random();
    match random.random_range(0..12) {
        0 => Float::nan(format),
        1 => Float::infinity(format, negative),
        2 => Float::zero(format, negative),
        3 | 4 => Float::from_integer(format, &number(random).into(), RoundingMode::NearestTiesToEven),
        5 | 6 => Float::from_bits(format, &bits(format.width(), random)),
        _ => {
            let fraction = bits(format.significand_bits() - 1, random);
            let one = BitVector::one(format.exponent_bits());
            let bias = BitVector::ones(format.exponent_bits()).lshr(&one);
            let near = BitVector::from_u64(format.exponent_bits(), random.random_range(0..8));
            let rest = BitVector::concat(&bias.add(&near), &fraction);
            Float::from_bits(format, &BitVector::concat(&BitVector::from_bool(negative), &rest))
        }
    }
}

/// A short text over a small number of characters, so that strings are often equal, or parts of one another.
fn text(random: &mut impl Rng) -> Text {
    const LETTERS: &[u32] = &[0x61, 0x62, 0x63];
    const DIGITS: &[u32] = &[0x30, 0x31, 0x39];
    const ALL: &[u32] = &[0x61, 0x62, 0x41, 0x30, 0x31, 0x20, 0x22, 0x5c, 0xe9];
    let characters = *[LETTERS, LETTERS, DIGITS, ALL].choose(random).expect("there are alphabets");
    let length = *[0, 1, 1, 2, 2, 3, 4, 6].choose(random).expect("there are lengths");
    let text: Vec<u32> =
        (0..length).map(|_| *characters.choose(random).expect("there are characters")).collect();
    Text::new(&text).expect("characters of the theory")
}

//! Identities of theories, such as x - x = 0, and one spelling for each relation.

use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use sundry_term::{ArithmeticOp, BitVector, Op, SortId, StringOp, TermId, TermStore, Value};

use super::{connected, negation, truth};

/// Terms of a sum that are added up, at most.
const LARGEST_SUM: usize = 50;

/// A simpler term than the application of an operator to simplified arguments, not all of which are literals; or the
/// same in the spelling that all its equivalents get. `None` if no identity applies.
pub(super) fn by_identity(store: &mut TermStore, op: Op, arguments: &[TermId]) -> Option<TermId> {
    match (op, arguments) {
        (Op::Equal, &[left, right]) => equality(store, left, right),
        (Op::Distinct, &[left, right]) | (Op::Xor, &[left, right]) => {
            let equal =
                equality(store, left, right).unwrap_or_else(|| store.make(Op::Equal, &sorted(left, right)));
            Some(negation(store, equal))
        }
        (_, [_, _, _, ..]) if op == Op::Equal || Relation::of(op).is_some() => {
            // A chain is the conjunction of its links.
            let links: Vec<TermId> = arguments
                .windows(2)
                .map(|link| by_identity(store, op, link).unwrap_or_else(|| store.make(op, link)))
                .collect();
            Some(connected(store, Op::And, &links))
        }
        (_, &[left, right]) => match Relation::of(op) {
            Some(relation) => Some(relation.between(store, left, right)),
            None => operation(store, op, left, right),
        },
        _ => None,
    }
}

fn sorted(left: TermId, right: TermId) -> [TermId; 2] {
    [left.min(right), left.max(right)]
}

fn equality(store: &mut TermStore, left: TermId, right: TermId) -> Option<TermId> {
    if left == right {
        return Some(store.bool(true));
    }
    if store.is_bool(left) {
        match (truth(store, left), truth(store, right)) {
            (Some(true), _) => return Some(right),
            (_, Some(true)) => return Some(left),
            (Some(false), _) => return Some(negation(store, right)),
            (_, Some(false)) => return Some(negation(store, left)),
            _ if negation(store, left) == right => return Some(store.bool(false)),
            _ => {}
        }
    }
    if let Some(difference) = constant_difference(store, left, right) {
        return Some(store.bool(difference.is_zero()));
    }
    match (store.value(left), store.value(right)) {
        (Some(one), Some(other)) if one != other => Some(store.bool(false)),
        _ if left < right => None,
        _ => Some(store.make(Op::Equal, &[right, left])),
    }
}

/// An order, in one direction.
struct Relation {
    /// The operator for "less or equal".
    less_or_equal: Op,
    /// Whether the relation excludes equal arguments.
    is_strict: bool,
    /// Whether it is "greater".
    is_turned: bool,
    kind: Order,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Order {
    Numbers,
    Unsigned,
    /// Of signed bit-vectors, and of strings.
    Other,
}

impl Relation {
    fn of(op: Op) -> Option<Relation> {
        use ArithmeticOp::{Greater, GreaterOrEqual, Less, LessOrEqual};
        let (less_or_equal, is_strict, is_turned, kind) = match op {
            Op::Arithmetic(less @ (Less | LessOrEqual | Greater | GreaterOrEqual)) => {
                let (is_strict, is_turned) =
                    (matches!(less, Less | Greater), matches!(less, Greater | GreaterOrEqual));
                (Op::Arithmetic(LessOrEqual), is_strict, is_turned, Order::Numbers)
            }
            Op::BvUlt => (Op::BvUle, true, false, Order::Unsigned),
            Op::BvUle => (Op::BvUle, false, false, Order::Unsigned),
            Op::BvUgt => (Op::BvUle, true, true, Order::Unsigned),
            Op::BvUge => (Op::BvUle, false, true, Order::Unsigned),
            Op::BvSlt => (Op::BvSle, true, false, Order::Other),
            Op::BvSle => (Op::BvSle, false, false, Order::Other),
            Op::BvSgt => (Op::BvSle, true, true, Order::Other),
            Op::BvSge => (Op::BvSle, false, true, Order::Other),
            Op::String(StringOp::Less) => (Op::String(StringOp::LessOrEqual), true, false, Order::Other),
            Op::String(StringOp::LessOrEqual) => (op, false, false, Order::Other),
            _ => return None,
        };
        Some(Relation { less_or_equal, is_strict, is_turned, kind })
    }

    /// The relation as "less or equal", perhaps negated; or its truth.
    fn between(&self, store: &mut TermStore, left: TermId, right: TermId) -> TermId {
        let (low, high) = if self.is_turned { (right, left) } else { (left, right) };
        // All orders are total: "less" is the negation of "greater or equal".
        let (low, high) = if self.is_strict { (high, low) } else { (low, high) };
        let holds = match self.kind {
            _ if low == high => Some(true),
            Order::Numbers => {
                constant_difference(store, high, low).map(|difference| difference >= RBig::ZERO)
            }
            Order::Unsigned if is_zero(store, low) || is_ones(store, high) => Some(true),
            Order::Unsigned | Order::Other => None,
        };
        match holds {
            Some(holds) => store.bool(holds != self.is_strict),
            None => {
                let relation = store.make(self.less_or_equal, &[low, high]);
                if self.is_strict { negation(store, relation) } else { relation }
            }
        }
    }
}

/// The difference of two sums of numbers in which all unknowns cancel out.
fn constant_difference(store: &TermStore, left: TermId, right: TermId) -> Option<RBig> {
    if ![SortId::INT, SortId::REAL].contains(&store.sort_of(left)) {
        return None;
    }
    let (mut constant, mut unknowns) = (RBig::ZERO, FxHashMap::<TermId, RBig>::default());
    let mut open = vec![(left, RBig::ONE), (right, -RBig::ONE)];
    let mut visited = 0;
    while let Some((term, factor)) = open.pop() {
        visited += 1;
        if visited > LARGEST_SUM {
            return None;
        }
        let arguments = store.args(term);
        match (store.op(term), arguments) {
            (Op::Arithmetic(ArithmeticOp::Add), _) => {
                open.extend(arguments.iter().map(|&argument| (argument, factor.clone())));
            }
            (Op::Arithmetic(ArithmeticOp::Sub), &[argument]) => open.push((argument, -factor)),
            (Op::Arithmetic(ArithmeticOp::Sub), &[first, ref others @ ..]) => {
                open.extend(others.iter().map(|&other| (other, -factor.clone())));
                open.push((first, factor));
            }
            (Op::Arithmetic(ArithmeticOp::Mul), &[one, other]) => {
                match (number(store, one), number(store, other)) {
                    (Some(value), _) => open.push((other, factor * value)),
                    (_, Some(value)) => open.push((one, factor * value)),
                    _ => *unknowns.entry(term).or_insert(RBig::ZERO) += factor,
                }
            }
            _ => match number(store, term) {
                Some(value) => constant += factor * value,
                None => *unknowns.entry(term).or_insert(RBig::ZERO) += factor,
            },
        }
    }
    unknowns.values().all(RBig::is_zero).then_some(constant)
}

/// The value of a numeral, also of a negative one or a fraction.
pub(super) fn number(store: &TermStore, term: TermId) -> Option<RBig> {
    // Negative numbers and fractions are applications to literals.
    match (store.op(term), store.args(term)) {
        (Op::Arithmetic(ArithmeticOp::Divide), &[numerator, denominator]) => {
            let denominator = literal(store, denominator).filter(|value| !value.is_zero())?;
            Some(signed(store, numerator)? / denominator)
        }
        _ => signed(store, term),
    }
}

fn signed(store: &TermStore, term: TermId) -> Option<RBig> {
    match (store.op(term), store.args(term)) {
        (Op::Arithmetic(ArithmeticOp::Sub), &[argument]) => Some(-literal(store, argument)?),
        _ => literal(store, term),
    }
}

fn literal(store: &TermStore, term: TermId) -> Option<RBig> {
    match store.value(term)? {
        Value::Int(value) => Some(value.clone().into()),
        Value::Real(value) => Some((**value).clone()),
        _ => None,
    }
}

/// A simpler term than an operator on these arguments, where one of them is neutral, decides alone, or occurs twice.
fn operation(store: &mut TermStore, op: Op, left: TermId, right: TermId) -> Option<TermId> {
    use ArithmeticOp::{Add, Mul, Sub};
    let is_same = left == right;
    match op {
        Op::BvSub | Op::BvXor if is_same => {
            let width = store.width(left)?;
            Some(store.bit_vector(BitVector::zero(width)))
        }
        Op::BvAnd | Op::BvOr if is_same => Some(left),
        Op::BvAdd | Op::BvOr | Op::BvXor if is_zero(store, left) => Some(right),
        Op::BvAdd | Op::BvSub | Op::BvOr | Op::BvXor | Op::BvShl | Op::BvLshr | Op::BvAshr
            if is_zero(store, right) =>
        {
            Some(left)
        }
        Op::BvAnd | Op::BvMul if is_zero(store, left) => Some(left),
        Op::BvAnd | Op::BvMul if is_zero(store, right) => Some(right),
        Op::BvShl | Op::BvLshr | Op::BvAshr if is_zero(store, left) => Some(left),
        Op::BvAnd if is_ones(store, left) => Some(right),
        Op::BvAnd if is_ones(store, right) => Some(left),
        Op::BvOr if is_ones(store, left) => Some(left),
        Op::BvOr if is_ones(store, right) => Some(right),
        Op::Arithmetic(Sub) if is_same => Some(zero(store, left)),
        Op::Arithmetic(Add) if is_zero(store, left) => Some(right),
        Op::Arithmetic(Add | Sub) if is_zero(store, right) => Some(left),
        Op::Arithmetic(Mul) if is_zero(store, left) => Some(left),
        Op::Arithmetic(Mul) if is_zero(store, right) => Some(right),
        Op::Arithmetic(Mul) if number(store, left).is_some_and(|it| it.is_one()) => Some(right),
        Op::Arithmetic(Mul) if number(store, right).is_some_and(|it| it.is_one()) => Some(left),
        Op::String(StringOp::Concat) if is_empty(store, left) => Some(right),
        Op::String(StringOp::Concat) if is_empty(store, right) => Some(left),
        Op::String(StringOp::PrefixOf | StringOp::SuffixOf) if is_same || is_empty(store, left) => {
            Some(store.bool(true))
        }
        Op::String(StringOp::Contains) if is_same || is_empty(store, right) => Some(store.bool(true)),
        Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Arithmetic(Add | Mul)
            if left > right =>
        {
            Some(store.make(op, &[right, left]))
        }
        _ => None,
    }
}

fn zero(store: &mut TermStore, like: TermId) -> TermId {
    let value = match store.sort_of(like) {
        SortId::INT => Value::Int(0.into()),
        _ => Value::Real(RBig::ZERO.into()),
    };
    store.constant(value)
}

fn is_zero(store: &TermStore, term: TermId) -> bool {
    match store.value(term) {
        Some(Value::BitVec(bits)) => bits.is_zero(),
        _ => number(store, term).is_some_and(|value| value.is_zero()),
    }
}

fn is_ones(store: &TermStore, term: TermId) -> bool {
    matches!(store.value(term), Some(Value::BitVec(bits)) if bits.is_ones())
}

fn is_empty(store: &TermStore, term: TermId) -> bool {
    matches!(store.value(term), Some(Value::String(text)) if text.is_empty())
}

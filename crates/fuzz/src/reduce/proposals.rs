//! Proposals for replacing a term by something simpler of the same sort.

use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{BitVector, Op, Sort, StringOp, SymbolKind, TermId, TermStore, Text, Value, substitute};

use super::shape::Shape;
use crate::mutate::fresh::FreshNames;
use crate::mutate::random_literal::has_literals;

/// A way to make a term simpler.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Simplification {
    /// A literal of the sort, the simplest first.
    Literal(usize),
    /// The argument with this number among those of the same sort.
    Argument(usize),
    /// The negation of the argument with this number, of a connective that may mean that.
    Negation(usize),
    /// A subterm of the same sort, at most 1/n as high as the term.
    Inside(usize),
    /// An argument of an argument with the same sort, by its number.
    Grandchild(usize),
    /// The constant with this number among those of the same sort.
    Constant(usize),
    /// The quantifier without the variables that its body does not need.
    NeededVariables,
    /// The operator with arguments of the same operator replaced by their arguments.
    Flattened,
    /// The operator without one of `parts` parts of its arguments.
    FewerArguments { parts: usize, part: usize },
    /// The operator without the arguments that are simplest literals: these have replaced arguments that are not
    /// needed.
    NeededArguments,
    /// The body of a quantifier, with constants in place of its variables.
    Body,
    /// A constant.
    Symbol,
    /// The same operator with lower indices.
    LowerIndices(Lowering),
}

/// The way in which an index gets lower.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Lowering {
    ToZero,
    ToHalf,
    ByOne,
}

impl Lowering {
    fn of(self, index: u32) -> u32 {
        match self {
            Lowering::ToZero => 0,
            Lowering::ToHalf => index / 2,
            Lowering::ByOne => index.saturating_sub(1),
        }
    }
}

/// All kinds, in the order in which they are tried: the ones that remove most first.
pub(super) const SIMPLIFICATIONS: &[Simplification] = &[
    Simplification::Literal(0),
    Simplification::Literal(1),
    Simplification::Inside(8),
    Simplification::Inside(2),
    Simplification::Argument(0),
    Simplification::Argument(1),
    Simplification::Argument(2),
    Simplification::Argument(3),
    Simplification::Negation(0),
    Simplification::Negation(1),
    Simplification::Grandchild(0),
    Simplification::Grandchild(1),
    Simplification::Grandchild(2),
    Simplification::Grandchild(3),
    Simplification::FewerArguments { parts: 2, part: 0 },
    Simplification::FewerArguments { parts: 2, part: 1 },
    Simplification::FewerArguments { parts: 4, part: 0 },
    Simplification::FewerArguments { parts: 4, part: 1 },
    Simplification::FewerArguments { parts: 4, part: 2 },
    Simplification::FewerArguments { parts: 4, part: 3 },
    Simplification::FewerArguments { parts: 8, part: 0 },
    Simplification::FewerArguments { parts: 8, part: 1 },
    Simplification::FewerArguments { parts: 8, part: 2 },
    Simplification::FewerArguments { parts: 8, part: 3 },
    Simplification::FewerArguments { parts: 8, part: 4 },
    Simplification::FewerArguments { parts: 8, part: 5 },
    Simplification::FewerArguments { parts: 8, part: 6 },
    Simplification::FewerArguments { parts: 8, part: 7 },
    Simplification::NeededArguments,
    Simplification::Flattened,
    Simplification::NeededVariables,
    Simplification::Body,
    Simplification::Constant(0),
    Simplification::Constant(1),
    Simplification::Symbol,
    Simplification::Literal(2),
    Simplification::Literal(3),
    Simplification::Literal(4),
    Simplification::Literal(5),
    Simplification::Literal(6),
    Simplification::LowerIndices(Lowering::ToZero),
    Simplification::LowerIndices(Lowering::ToHalf),
    Simplification::LowerIndices(Lowering::ByOne),
];

/// Constants that take the place of terms.
pub(super) struct FreshSymbols {
    names: FreshNames,
    of_term: FxHashMap<TermId, TermId>,
}

impl FreshSymbols {
    /// Creates a source of names that do not occur in these terms.
    pub(super) fn beside(store: &TermStore, roots: &[TermId]) -> FreshSymbols {
        FreshSymbols { names: FreshNames::beside(store, roots, "v"), of_term: FxHashMap::default() }
    }

    /// The constant for a term.
    fn of(&mut self, store: &mut TermStore, term: TermId) -> TermId {
        *self.of_term.entry(term).or_insert_with(|| {
            let sort = store.sort_of(term);
            let symbol = self.names.declare(store, sort);
            store.symbol_term(symbol)
        })
    }
}

/// The result of a simplification on a term; `None` if it does not apply.
pub(super) fn simplified(
    store: &mut TermStore,
    fresh: &mut FreshSymbols,
    shape: &Shape,
    term: TermId,
    simplification: Simplification,
) -> Option<TermId> {
    let sort = store.sort_of(term);
    let is_leaf = store.args(term).is_empty();
    // Terms inside a quantifier may contain its variables.
    let arguments = if is_quantifier(store, term) { &[] } else { store.args(term) };
    match simplification {
        Simplification::Literal(number) => simpler_literals(store, term).get(number).copied(),
        Simplification::Argument(number) => {
            let same = |&&argument: &&TermId| store.sort_of(argument) == sort;
            arguments.iter().filter(same).nth(number).copied()
        }
        Simplification::Negation(number) => {
            let may_negate = matches!(store.op(term), Op::Xor | Op::Equal | Op::Distinct | Op::Implies);
            let argument =
                *arguments.get(number).filter(|&&argument| may_negate && store.is_bool(argument))?;
            Some(store.make(Op::Not, &[argument]))
        }
        Simplification::Inside(parts) => shape.below(store, term, parts),
        Simplification::Grandchild(number) => {
            let is_open = |&&argument: &&TermId| !is_quantifier(store, argument);
            let below = arguments.iter().filter(is_open).flat_map(|&argument| store.args(argument));
            below.filter(|&&argument| store.sort_of(argument) == sort).nth(number).copied()
        }
        Simplification::Constant(number) => {
            let known = *shape.constants(sort).get(number)?;
            // One of two constants takes the place of the other, not the other way round as well.
            let is_earlier =
                store.constant_symbol(term).is_none_or(|own| store.constant_symbol(known) < Some(own));
            let is_variable = is_bound(store, term);
            (is_earlier && !is_variable && store.value(term).is_none()).then_some(known)
        }
        Simplification::Flattened => {
            let flat = |&argument: &TermId| match store.op(argument) == store.op(term) {
                true => store.args(argument).to_vec(),
                false => vec![argument],
            };
            let all: Vec<TermId> = arguments.iter().flat_map(flat).collect();
            let flattened = store.term(store.op(term), &all).ok()?;
            (store.sort_of(flattened) == sort).then_some(flattened)
        }
        Simplification::NeededVariables => needed_variables(store, term),
        Simplification::FewerArguments { parts, part } => {
            // Fewer parts are single arguments already.
            if arguments.len() <= (parts / 2).max(2) {
                return None;
            }
            let length = arguments.len().div_ceil(parts);
            let kept = arguments.iter().enumerate().filter(|(number, _)| number / length != part);
            let kept: Vec<TermId> = kept.map(|(_, &argument)| argument).collect();
            with_arguments(store, term, &kept)
        }
        Simplification::NeededArguments => {
            let is_needed = |&argument: &TermId| {
                let value = store.value(argument);
                value.is_none_or(|value| {
                    *value != Value::Bool(true) && *value != Value::default_of(store, store.sort_of(argument))
                })
            };
            let needed: Vec<TermId> = arguments.iter().copied().filter(is_needed).collect();
            with_arguments(store, term, &needed)
        }
        Simplification::Body => {
            let (Op::Forall(binder) | Op::Exists(binder)) = store.op(term) else { return None };
            let body = *store.args(term).first()?;
            let variables = store.bound_variables(binder).to_vec();
            let mut constants = FxHashMap::default();
            for variable in variables {
                let variable = store.symbol_term(variable);
                constants.insert(variable, fresh.of(store, variable));
            }
            substitute(store, body, &constants).ok()
        }
        Simplification::Symbol => {
            let is_possible = !is_leaf && *store.sort(sort) != Sort::RegLan;
            is_possible.then(|| fresh.of(store, term))
        }
        Simplification::LowerIndices(lowering) => {
            let op = match store.op(term) {
                // The same number of bits, from further down.
                Op::Extract { high, low } => {
                    let lower = lowering.of(low);
                    Op::Extract { high: high - (low - lower), low: lower }
                }
                op => {
                    let indices: Vec<u32> = op.indices().map(|index| lowering.of(index)).collect();
                    Op::from_indexed_name(op.name(), &indices)?
                }
            };
            let arguments = store.args(term).to_vec();
            let lower = store.term(op, &arguments).ok()?;
            (store.sort_of(lower) == sort).then_some(lower)
        }
    }
}

/// The same operator on some of its arguments; `None` if that is not legal, has another sort, or keeps all arguments.
fn with_arguments(store: &mut TermStore, term: TermId, kept: &[TermId]) -> Option<TermId> {
    if kept.len() == store.args(term).len() {
        return None;
    }
    let shorter = store.term(store.op(term), kept).ok()?;
    (store.sort_of(shorter) == store.sort_of(term)).then_some(shorter)
}

pub(super) fn is_quantifier(store: &TermStore, term: TermId) -> bool {
    matches!(store.op(term), Op::Forall(_) | Op::Exists(_))
}

/// Whether a term is a variable of a quantifier.
fn is_bound(store: &TermStore, term: TermId) -> bool {
    store.constant_symbol(term).is_some_and(|symbol| store.symbol(symbol).kind == SymbolKind::Variable)
}

/// A quantifier over only those variables that occur in its body.
fn needed_variables(store: &mut TermStore, term: TermId) -> Option<TermId> {
    let (Op::Forall(binder) | Op::Exists(binder)) = store.op(term) else { return None };
    let body = *store.args(term).first()?;
    let within: FxHashSet<TermId> = store.reachable(&[body]).into_iter().collect();
    let variables = store.bound_variables(binder).to_vec();
    let mut needed = variables.clone();
    needed.retain(|&variable| within.contains(&store.symbol_term(variable)));
    if needed.is_empty() || needed.len() == variables.len() {
        return needed.is_empty().then_some(body);
    }
    let binder = store.binder(&needed);
    let op = if matches!(store.op(term), Op::Forall(_)) { Op::Forall(binder) } else { Op::Exists(binder) };
    store.term(op, &[body]).ok()
}

/// Literals of the sort of a term that are simpler than it, the simplest first.
fn simpler_literals(store: &mut TermStore, term: TermId) -> Vec<TermId> {
    let sort = store.sort_of(term);
    if is_bound(store, term) {
        return Vec::new();
    }
    let own = store.value(term).cloned();
    let values: Vec<Value> = match (store.sort(sort).clone(), own) {
        (Sort::Bool, _) => vec![Value::Bool(true), Value::Bool(false)],
        (Sort::Int, own) => {
            let mut values: Vec<Value> = vec![Value::Int(0.into()), Value::Int(1.into())];
            if let Some(Value::Int(number)) = own {
                values.extend(shorter_numbers(&number).into_iter().map(Value::Int));
            }
            values
        }
        (Sort::Real, own) => {
            let mut values = vec![Value::Real(RBig::ZERO.into()), Value::Real(RBig::ONE.into())];
            if let Some(Value::Real(number)) = own {
                let whole = number.floor();
                values.extend(
                    shorter_numbers(&whole)
                        .into_iter()
                        .chain([whole])
                        .map(|it| Value::Real(RBig::from(it).into())),
                );
            }
            values
        }
        (Sort::BitVec(width), _) => {
            vec![Value::BitVec(BitVector::zero(width)), Value::BitVec(BitVector::from_u64(width, 1))]
        }
        (Sort::String, own) => {
            let mut values = vec![Value::String(Text::empty())];
            if let Some(Value::String(text)) = own {
                values.extend(shorter_texts(&text).into_iter().map(Value::String));
            }
            values
        }
        (Sort::RegLan, _) => {
            let ops = [StringOp::ReNone, StringOp::ReAll].map(Op::String);
            return ops.iter().map(|&op| store.make(op, &[])).collect();
        }
        (Sort::RoundingMode | Sort::Float(_), _) => vec![Value::default_of(store, sort)],
        (Sort::Array { element, .. }, _) => {
            if !has_literals(store, element) {
                return Vec::new();
            }
            let default = Value::default_of(store, element);
            let default = store.value_term(element, &default);
            return store.term(Op::ConstArray(sort), &[default]).into_iter().collect();
        }
        _ => Vec::new(),
    };
    values.iter().map(|value| store.value_term(sort, value)).collect()
}

/// The first digits of a number and the last.
fn shorter_numbers(number: &IBig) -> Vec<IBig> {
    let digits = number.to_string().trim_start_matches('-').len();
    if digits < 2 {
        return Vec::new();
    }
    let half = IBig::from(10).pow(digits.div_ceil(2));
    let ten = IBig::from(10);
    vec![number / &half, number % &half, number / &ten, number % IBig::from(10).pow(digits - 1)]
}

/// Parts of a text.
fn shorter_texts(text: &Text) -> Vec<Text> {
    let characters = text.characters();
    let half = characters.len() / 2;
    let parts: [&[u32]; 4] = match characters.len() {
        0 | 1 => return Vec::new(),
        length => [&characters[..half], &characters[half..], &characters[..length - 1], &characters[1..]],
    };
    parts.iter().filter_map(|part| Text::new(part)).collect()
}

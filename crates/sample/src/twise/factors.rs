//! The parts of tuples: factors, each with the values it can take.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_coverage::AstBits;
use sundry_solver::{BuildError, Edge};
use sundry_term::{Op, Sort, SymbolId, TermId, TermStore};

use super::classes::classes;
use super::wanted::{Kind, Wanted, close_groups};
use super::{Over, TWiseOptions};
use crate::bit_terms::{bit_is_one, has_bit_terms};
use crate::formula_engine::FormulaEngine;
use crate::obligations::any_of;
use crate::problem::{Level, Problem};
use crate::rows::{Packing, Range};

/// The maximal number of bits of a value that is an item as a whole. Each bit of a wider bit-vector is a factor; other values are items by class.
const BITS_OF_A_VALUE: u32 = 6;

/// Boolean terms and how their values make up items. Term number r stands for two items: r where it is true, and
/// `half() + r` where it is false.
pub(crate) struct Factors {
    /// The terms, filled up to a multiple of 64 with terms of no factor.
    pub(crate) terms: Vec<TermId>,
    /// The factor of each item; `None` for other numbers.
    pub(crate) factor_of: Vec<Option<usize>>,
    /// The number of factors, with those that only fill up tuples.
    pub(crate) count: usize,
    /// The number of factors that only fill up tuples.
    pub(crate) fillers: usize,
    /// The number of items in a tuple.
    pub(crate) strength: usize,
    /// The wanted tuples, if those are not all of them.
    pub(crate) wanted: Option<Wanted>,
    /// The preference for each item, where values have weights.
    pub(crate) weights: Option<Vec<i64>>,
    /// The way to bring an item about by giving a constant another value, where one exists.
    pub(crate) settings: Vec<Option<Setting>>,
}

/// A Boolean term of a factor.
struct Role {
    factor: usize,
    /// Whether that it is false is an item too.
    has_both: bool,
    /// The way to make the item true.
    setting: Option<Setting>,
    kind: Kind,
    weight: u32,
}

/// A term with how it is made true.
type Choice = (TermId, Option<Setting>);

/// A value of a constant, or of one of its bits.
#[derive(Copy, Clone)]
pub(crate) enum Setting {
    /// A bit of a constant: which, and its value.
    Bit(SymbolId, u32, bool),
    /// A constant as a whole: its word.
    Whole(SymbolId, u64),
}

impl Factors {
    /// The number of terms, which is the first item of a term that is false.
    pub(crate) fn half(&self) -> usize {
        self.terms.len()
    }

    /// The term that holds where a solution has an item.
    pub(crate) fn term_of(&self, item: usize, store: &mut TermStore) -> TermId {
        match item.checked_sub(self.half()) {
            Some(term) => store.make(Op::Not, &[self.terms[term]]),
            None => self.terms[item],
        }
    }

    /// Factors over what the user wants to see combined.
    pub(crate) fn new(
        problem: &Problem,
        options: &TWiseOptions,
        bits: &[TermId],
        ranges: &FxHashMap<SymbolId, Range>,
        store: &mut TermStore,
    ) -> Self {
        let mut making = Making { terms: Vec::new(), roles: Vec::new(), count: 0 };
        let mut named = FxHashMap::default();
        match options.over {
            Over::Bits => bits.iter().for_each(|&bit| making.add_condition((bit, None))),
            Over::Predicates => {
                options.predicates.iter().for_each(|it| making.add_condition((it.term, None)));
            }
            Over::Values => named = making.add_values(problem, ranges, store),
        }
        let real = making.count;
        let strength = options.strength.min(real);
        let groups = close_groups(&problem.roles.groups, strength, &named);
        let most = groups.iter().map(|(_, of_group)| *of_group).max().unwrap_or(strength);
        let filling = store.bool(true);
        for _ in strength..most {
            making.add(&[((filling, None), Kind::Filler, 0)], false);
        }
        let is_plain = groups.is_empty() && making.roles.iter().all(|role| role.kind == Kind::Valid);
        let has_weights = !problem.roles.levels.is_empty();
        let Making { mut terms, roles, count } = making;
        terms.resize(terms.len().next_multiple_of(64), filling);
        let half = terms.len();
        let mut factor_of = vec![None; 2 * half];
        let mut settings = vec![None; 2 * half];
        let mut kinds = vec![Kind::Valid; 2 * half];
        let mut weights = vec![0; 2 * half];
        for (number, Role { factor, has_both, setting, kind, weight }) in roles.into_iter().enumerate() {
            factor_of[number] = Some(factor);
            factor_of[half + number] = has_both.then_some(factor);
            settings[number] = setting;
            kinds[number] = kind;
            weights[number] = i64::from(weight);
            if let Some(Setting::Bit(symbol, bit, _)) = setting {
                settings[half + number] = Some(Setting::Bit(symbol, bit, false));
            }
        }
        let wanted = (!is_plain).then(|| Wanted::new(kinds, factor_of.clone(), strength, groups));
        Factors {
            terms,
            factor_of,
            count,
            fillers: count - real,
            strength: most,
            wanted,
            weights: has_weights.then_some(weights),
            settings,
        }
    }
}

/// Factors that are being made.
struct Making {
    terms: Vec<TermId>,
    roles: Vec<Role>,
    count: usize,
}

impl Making {
    /// Adds a factor that has one of these items.
    fn add(&mut self, choices: &[(Choice, Kind, u32)], has_both: bool) {
        for &((term, setting), kind, weight) in choices {
            self.terms.push(term);
            self.roles.push(Role { factor: self.count, has_both, setting, kind, weight });
        }
        self.count += 1;
    }

    /// Adds a factor of a term that may hold or not.
    fn add_condition(&mut self, choice: Choice) {
        self.add(&[(choice, Kind::Valid, 0)], true);
    }

    /// Adds the constants of a problem. The factors of those that are factors as a whole.
    fn add_values(
        &mut self,
        problem: &Problem,
        ranges: &FxHashMap<SymbolId, Range>,
        store: &mut TermStore,
    ) -> FxHashMap<SymbolId, usize> {
        let negative = some_negative(problem, store);
        let mut named = FxHashMap::default();
        for symbol in problem.shown() {
            if !store.symbol(symbol).arguments.is_empty() {
                continue;
            }
            let term = store.symbol_term(symbol);
            if let Some(levels) = problem.roles.levels.get(&symbol) {
                named.insert(symbol, self.count);
                let choices = levels_of(store, symbol, levels);
                let choices = with_masks(&choices, levels, negative, store);
                self.add(&choices, false);
                continue;
            }
            let sort = store.symbol(symbol).result;
            let packing = Packing::of(store, sort, ranges.get(&symbol));
            match *store.sort(sort) {
                Sort::Bool => {
                    named.insert(symbol, self.count);
                    self.add_condition((term, Some(Setting::Bit(symbol, 0, true))));
                }
                Sort::BitVec(width) if width == 1 || width > BITS_OF_A_VALUE => {
                    for bit in 0..width {
                        let setting = Some(Setting::Bit(symbol, bit, true));
                        self.add_condition((bit_is_one(store, term, bit), setting));
                    }
                }
                Sort::BitVec(_) | Sort::Float(_) | Sort::RoundingMode | Sort::Int | Sort::Real => {
                    named.insert(symbol, self.count);
                    let choices = match packing.filter(|packing| packing.width() <= BITS_OF_A_VALUE) {
                        Some(packing) => values(store, symbol, &packing, 1 << packing.width()),
                        None => classes(store, term).into_iter().map(|class| (class, None)).collect(),
                    };
                    let choices: Vec<_> = choices.into_iter().map(|it| (it, Kind::Valid, 0)).collect();
                    self.add(&choices, false);
                }
                _ => {}
            }
        }
        named
    }
}

/// The term that says that some constant has a value that the system has to refuse; `None` if there are no such values.
fn some_negative(problem: &Problem, store: &mut TermStore) -> Option<TermId> {
    let mut cases = Vec::new();
    for symbol in problem.shown() {
        let Some(levels) = problem.roles.levels.get(&symbol) else { continue };
        let choices = levels_of(store, symbol, levels);
        let negative = choices.iter().zip(levels).filter(|(_, level)| level.is_negative);
        cases.extend(negative.map(|(&(term, _), _)| term));
    }
    (!cases.is_empty()).then(|| any_of(store, &cases))
}

/// The items of a factor with these values: where some values are negative, two for each that is not.
fn with_masks(
    choices: &[Choice],
    levels: &[Level],
    negative: Option<TermId>,
    store: &mut TermStore,
) -> Vec<(Choice, Kind, u32)> {
    let mut items = Vec::new();
    for (&(term, setting), level) in choices.iter().zip(levels) {
        match negative {
            None => items.push(((term, setting), Kind::Valid, level.weight)),
            Some(_) if level.is_negative => items.push(((term, setting), Kind::Negative, level.weight)),
            Some(negative) => {
                let positive = store.make(Op::Not, &[negative]);
                for (beside, kind) in [(positive, Kind::Valid), (negative, Kind::Masked)] {
                    let both = store.make(Op::And, &[term, beside]);
                    items.push(((both, setting), kind, level.weight));
                }
            }
        }
    }
    items
}

/// The choices that say that a constant has each of the first `count` values, with the way to give it that value.
fn values(store: &mut TermStore, symbol: SymbolId, packing: &Packing, count: u64) -> Vec<Choice> {
    let constant = store.symbol_term(symbol);
    let is = |word| {
        let value = store.constant(packing.value(&[word])?);
        Some((store.make(Op::Equal, &[constant, value]), Some(Setting::Whole(symbol, word))))
    };
    (0..count).filter_map(is).collect()
}

/// The choices that say that a constant of levels has each of them.
fn levels_of(store: &mut TermStore, symbol: SymbolId, levels: &[Level]) -> Vec<Choice> {
    let width =
        store.bit_vec_width(store.symbol(symbol).result).expect("constants with levels are bit-vectors");
    values(store, symbol, &Packing::BitVector(width), levels.len() as u64)
}

/// Boolean terms for the bits of all nodes that may vary and that terms can name, one for each that are equal or opposite in the circuit, and
/// how often the bits of the constants are equal to each of them, less how often they are opposite.
pub(crate) fn bits_of_nodes(
    ast_bits: &AstBits,
    formula: &mut FormulaEngine,
) -> Result<(Vec<TermId>, Vec<i64>), BuildError> {
    let edges = formula.bits_of_all(ast_bits.nodes())?;
    let store = formula.store_mut();
    let mut seen: FxHashSet<Edge> = FxHashSet::default();
    let mut terms = Vec::new();
    let mut known: rustc_hash::FxHashMap<Edge, (usize, Edge)> = rustc_hash::FxHashMap::default();
    let mut weights: Vec<i64> = Vec::new();
    for (&node, edges) in ast_bits.nodes().iter().zip(&edges) {
        if !has_bit_terms(store, node) {
            continue;
        }
        let is_constant = store.constant_symbol(node).is_some();
        for (bit, &edge) in (0..).zip(edges) {
            if edge.is_constant().is_some() {
                continue;
            }
            if seen.insert(edge.regular()) {
                known.insert(edge.regular(), (terms.len(), edge));
                terms.push(bit_is_one(store, node, bit));
                weights.push(0);
            }
            if is_constant {
                let (number, first) = known[&edge.regular()];
                weights[number] += if first == edge { 1 } else { -1 };
            }
        }
    }
    Ok((terms, weights))
}

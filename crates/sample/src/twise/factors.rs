//! What tuples are made of: factors, each with the values it can take.

use rustc_hash::FxHashSet;
use sundry_coverage::{AstBits, Predicate};
use sundry_solver::{BuildError, Edge, Engine};
use sundry_term::{BitVector, Op, Sort, SymbolId, TermId, TermStore};

use super::Over;
use crate::problem::Problem;

/// Bit-vectors of up to so many bits are factors as a whole; each bit of a wider one is a factor.
const BITS_OF_A_VALUE: u32 = 6;

/// Boolean terms and how their values make up items. Term number r stands for two items: r where it is true, and
/// `half() + r` where it is false.
pub(crate) struct Factors {
    /// The terms, filled up to a multiple of 64 with terms of no factor.
    pub(crate) terms: Vec<TermId>,
    /// The factor of each item; `None` for what is no item.
    pub(crate) factor_of: Vec<Option<usize>>,
    /// How many factors there are.
    pub(crate) count: usize,
    /// How an item is brought about by giving a constant another value, where that is so.
    pub(crate) settings: Vec<Option<Setting>>,
}

/// A value of a constant, or of one of its bits.
#[derive(Copy, Clone)]
pub(crate) enum Setting {
    /// A bit of a constant: which, and its value.
    Bit(SymbolId, u32, bool),
    /// A bit-vector as a whole.
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
        over: Over,
        predicates: &[Predicate],
        bits: &[TermId],
        store: &mut TermStore,
    ) -> Self {
        let mut factors =
            Factors { terms: Vec::new(), factor_of: Vec::new(), count: 0, settings: Vec::new() };
        // By term, its factor, whether that it is false is an item too, and how it is made true.
        let mut roles: Vec<(usize, bool, Option<Setting>)> = Vec::new();
        let mut add = |factors: &mut Factors, terms: &[(TermId, Option<Setting>)]| {
            for &(term, setting) in terms {
                factors.terms.push(term);
                roles.push((factors.count, terms.len() == 1, setting));
            }
            factors.count += 1;
        };
        match over {
            Over::Bits => bits.iter().for_each(|&bit| add(&mut factors, &[(bit, None)])),
            Over::Predicates => predicates.iter().for_each(|it| add(&mut factors, &[(it.term, None)])),
            Over::Values => {
                for &symbol in &problem.symbols {
                    if !store.symbol(symbol).arguments.is_empty() {
                        continue;
                    }
                    let term = store.symbol_term(symbol);
                    match *store.sort(store.symbol(symbol).result) {
                        Sort::Bool => add(&mut factors, &[(term, Some(Setting::Bit(symbol, 0, true)))]),
                        Sort::BitVec(width) if (2..=BITS_OF_A_VALUE).contains(&width) => {
                            let is = |value| {
                                let constant = store.bit_vector(BitVector::from_u64(width, value));
                                let is = store.make(Op::Equal, &[term, constant]);
                                (is, Some(Setting::Whole(symbol, value)))
                            };
                            let levels: Vec<_> = (0..1 << width).map(is).collect();
                            add(&mut factors, &levels);
                        }
                        Sort::BitVec(width) => {
                            for bit in 0..width {
                                let setting = Some(Setting::Bit(symbol, bit, true));
                                add(&mut factors, &[(bit_is_one(store, term, bit), setting)]);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        let filling = store.bool(true);
        factors.terms.resize(factors.terms.len().next_multiple_of(64), filling);
        let half = factors.half();
        factors.factor_of = vec![None; 2 * half];
        factors.settings = vec![None; 2 * half];
        for (number, (factor, has_both, setting)) in roles.into_iter().enumerate() {
            factors.factor_of[number] = Some(factor);
            factors.factor_of[half + number] = has_both.then_some(factor);
            factors.settings[number] = setting;
            if let Some(Setting::Bit(symbol, bit, _)) = setting {
                factors.settings[half + number] = Some(Setting::Bit(symbol, bit, false));
            }
        }
        factors
    }
}

/// Boolean terms for the bits of all nodes that may vary, one for each that are equal or opposite in the circuit, and
/// how often the bits of the constants are equal to each of them, less how often they are opposite.
pub(crate) fn bits_of_nodes(
    ast_bits: &AstBits,
    engine: &mut Engine,
    store: &mut TermStore,
) -> Result<(Vec<TermId>, Vec<i64>), BuildError> {
    let edges = engine.bits_of_all(store, ast_bits.nodes())?;
    let mut seen: FxHashSet<Edge> = FxHashSet::default();
    let mut terms = Vec::new();
    let mut known: rustc_hash::FxHashMap<Edge, (usize, Edge)> = rustc_hash::FxHashMap::default();
    let mut weights: Vec<i64> = Vec::new();
    for (&node, edges) in ast_bits.nodes().iter().zip(&edges) {
        let is_constant = store.constant_symbol(node).is_some();
        for (bit, &edge) in (0..).zip(edges) {
            if edge.is_constant().is_some() {
                continue;
            }
            if seen.insert(edge.regular()) {
                known.insert(edge.regular(), (terms.len(), edge));
                terms.push(if store.is_bool(node) { node } else { bit_is_one(store, node, bit) });
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

fn bit_is_one(store: &mut TermStore, term: TermId, bit: u32) -> TermId {
    let one = store.bit_vector(BitVector::from_u64(1, 1));
    let bit = store.make(Op::Extract { high: bit, low: bit }, &[term]);
    store.make(Op::Equal, &[bit, one])
}

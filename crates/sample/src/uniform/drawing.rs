//! The bits that are drawn, and the models made of them.
//!
//! These are the inputs of the circuit that are bits of Boolean and bit-vector constants. Constants that the assertions
//! define by others follow from them; where a definition reads an array or applies a function, its bits are drawn as
//! well. Bits that nothing depends on are *free*: they are not part of the search, but get random values in each
//! model.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use sundry_solver::{Aig, BuildError, Edge, Engine, Lit};
use sundry_term::{BitVector, Model, Op, Sort, SortId, SymbolId, TermId, TermStore, Value};

use crate::formula_engine::FormulaEngine;
use crate::problem::Problem;
use crate::rows::Judge;

/// A bit that is drawn.
pub(super) struct Bit {
    pub(super) edge: Edge,
    pub(super) literal: Lit,
}

/// The source of a bit of a constant.
#[derive(Copy, Clone)]
enum Source {
    Fixed(bool),
    /// The number of a bit that is drawn, and whether this is its negation.
    Drawn(usize, bool),
    /// The number of a free bit, and whether this is its negation.
    Free(usize, bool),
}

/// The assembly of models from bits alone, without the solver.
pub(super) struct Assembly {
    constants: Vec<(SymbolId, Vec<Source>)>,
    /// The number of free bits of the constants.
    pub(super) free: usize,
    /// The number of free bits that distinguish solutions.
    pub(super) counted: u64,
}

/// The Boolean and bit-vector constants. Auxiliary ones are not drawn: they follow.
pub(super) struct Symbols {
    /// The constants that the formula mentions.
    mentioned: Vec<SymbolId>,
    /// The constants from which the others follow by definitions. Parts of constants may be among them.
    undefined: Vec<SymbolId>,
    /// The number of bits of constants that the formula does not mention.
    pub(super) others: u64,
    /// The number of arrays, functions and elements of declared sorts, which have no bits.
    pub(super) undrawn: u64,
}

/// The bits that are drawn, and how models are made of them.
pub(super) struct Drawing {
    pub(super) bits: Vec<Bit>,
    /// The assembly of models; `None` where arrays, functions or declared sorts need values too.
    pub(super) assembly: Option<Assembly>,
}

/// A Boolean or bit-vector constant with its edges in the circuit.
struct Constant {
    symbol: SymbolId,
    edges: Box<[Edge]>,
}

fn is_plain_sort(store: &TermStore, sort: SortId) -> bool {
    matches!(store.sort(sort), Sort::Bool | Sort::BitVec(_))
}

/// Whether the circuit has all of the meaning of a term.
fn is_in_circuit(store: &TermStore, term: TermId) -> bool {
    let is_application = matches!(store.op(term), Op::Apply(_)) && !store.args(term).is_empty();
    is_plain_sort(store, store.sort_of(term)) && !is_application
}

impl Symbols {
    pub(super) fn of(problem: &Problem, judge: &Judge) -> Symbols {
        let store = &problem.store;
        let reachable = store.reachable(&problem.assertions);
        let known: FxHashSet<SymbolId> =
            reachable.iter().filter_map(|&term| store.constant_symbol(term)).collect();
        let is_plain = |&symbol: &SymbolId| {
            let declared = store.symbol(symbol);
            declared.arguments.is_empty() && is_plain_sort(store, declared.result)
        };
        let (mentioned, others): (Vec<SymbolId>, Vec<SymbolId>) =
            problem.shown().filter(is_plain).partition(|symbol| known.contains(symbol));
        let width =
            |&symbol: &SymbolId| u64::from(store.bit_vec_width(store.symbol(symbol).result).unwrap_or(1));
        let bits = others.iter().map(width).sum();
        let others: FxHashSet<SymbolId> = others.into_iter().collect();
        let undefined = judge.constants().filter(|symbol| !others.contains(symbol)).collect();
        let undrawn = problem.shown().filter(|symbol| !is_plain(symbol)).count() as u64;
        Symbols { mentioned, undefined, others: bits, undrawn }
    }
}

impl Drawing {
    /// The bits of these symbols that may vary.
    pub(super) fn new(
        problem: &Problem,
        symbols: &Symbols,
        formula: &mut FormulaEngine,
    ) -> Result<Self, BuildError> {
        let reachable = problem.store.reachable(&problem.assertions);
        let is_circuit = reachable.iter().all(|&term| is_in_circuit(&problem.store, term));
        let mentioned = constants(formula, &symbols.mentioned)?;
        let bits = searched(formula.engine_mut(), &mentioned, is_circuit);
        let undefined = constants(formula, &symbols.undefined)?;
        let is_shown = |symbol| !problem.roles.auxiliary.contains(&symbol);
        let assembly =
            if is_circuit { Assembly::new(formula.engine(), &bits, &undefined, is_shown) } else { None };
        Ok(Drawing { bits, assembly })
    }
}

fn constants(formula: &mut FormulaEngine, symbols: &[SymbolId]) -> Result<Vec<Constant>, BuildError> {
    let store = formula.store_mut();
    let terms: Vec<TermId> = symbols.iter().map(|&symbol| store.symbol_term(symbol)).collect();
    let edges = formula.bits_of_all(&terms)?;
    Ok(symbols.iter().zip(edges).map(|(&symbol, edges)| Constant { symbol, edges }).collect())
}

/// The bits that are to be drawn. Where the circuit is all there is, inputs that no clause mentions are free; lemmas about
/// arrays and functions may come to mention any.
fn searched(engine: &mut Engine, constants: &[Constant], is_circuit: bool) -> Vec<Bit> {
    let circuit = engine.circuit();
    let mut seen = FxHashSet::default();
    let edges = constants.iter().flat_map(|constant| constant.edges.iter().map(|edge| edge.regular()));
    let edges: Vec<Edge> =
        edges.filter(|edge| edge.is_constant().is_none() && seen.insert(edge.node())).collect();
    let (inputs, gates): (Vec<Edge>, Vec<Edge>) =
        edges.into_iter().partition(|edge| circuit.operands(edge.node()).is_none());
    let depends = depends_on_others(circuit, &inputs);
    // Their literals come first: they may mention inputs.
    let gates: Vec<Edge> = gates.into_iter().filter(|gate| depends[gate.node() as usize]).collect();
    let mut bits: Vec<Bit> =
        gates.into_iter().map(|edge| Bit { edge, literal: engine.literal(edge) }).collect();
    for edge in inputs {
        if !is_circuit || engine.literal_of(edge).is_some() {
            bits.push(Bit { edge, literal: engine.literal(edge) });
        }
    }
    bits.retain(|bit| engine.fixed(bit.literal).is_none());
    bits
}

/// Whether the value of each node depends on inputs that are not among these.
fn depends_on_others(circuit: &Aig, inputs: &[Edge]) -> Vec<bool> {
    let mut depends = vec![false; circuit.node_count()];
    circuit.inputs().iter().for_each(|input| depends[input.node() as usize] = true);
    inputs.iter().for_each(|input| depends[input.node() as usize] = false);
    // Operands have smaller numbers.
    for node in 0..circuit.node_count() as u32 {
        if let Some((left, right)) = circuit.operands(node) {
            depends[node as usize] = depends[left.node() as usize] || depends[right.node() as usize];
        }
    }
    depends
}

impl Assembly {
    /// Prepares to make models of these constants; `None` if one of their bits is neither drawn nor free.
    fn new(
        engine: &Engine,
        bits: &[Bit],
        constants: &[Constant],
        is_shown: impl Fn(SymbolId) -> bool,
    ) -> Option<Assembly> {
        let numbers: FxHashMap<u32, usize> =
            (0..).zip(bits).map(|(number, bit)| (bit.edge.node(), number)).collect();
        let mut free: FxHashMap<u32, usize> = FxHashMap::default();
        let mut source = |edge: Edge| {
            if let Some(value) = edge.is_constant() {
                return Some(Source::Fixed(value));
            }
            if let Some(&number) = numbers.get(&edge.node()) {
                return Some(Source::Drawn(number, edge.is_complemented()));
            }
            match engine.literal_of(edge) {
                Some(literal) => engine.fixed(literal).map(Source::Fixed),
                None if engine.circuit().operands(edge.node()).is_some() => None,
                None => {
                    let next = free.len();
                    Some(Source::Free(*free.entry(edge.node()).or_insert(next), edge.is_complemented()))
                }
            }
        };
        let mut assembled = Vec::with_capacity(constants.len());
        for constant in constants {
            let sources: Option<Vec<Source>> = constant.edges.iter().map(|&edge| source(edge)).collect();
            assembled.push((constant.symbol, sources?));
        }
        let shown = assembled.iter().filter(|(symbol, _)| is_shown(*symbol)).flat_map(|(_, sources)| sources);
        let counted: FxHashSet<usize> = shown
            .filter_map(|source| match source {
                Source::Free(number, _) => Some(*number),
                Source::Fixed(_) | Source::Drawn(..) => None,
            })
            .collect();
        Some(Assembly { constants: assembled, free: free.len(), counted: counted.len() as u64 })
    }

    /// The model with these values of the bits that are drawn, and random values of free ones.
    pub(super) fn model(
        &self,
        store: &TermStore,
        value: impl Fn(usize) -> bool,
        random: &mut ChaCha8Rng,
    ) -> Model {
        let free: Vec<bool> = (0..self.free).map(|_| random.random()).collect();
        let of = |source: Source| match source {
            Source::Fixed(value) => value,
            Source::Drawn(number, complemented) => value(number) != complemented,
            Source::Free(number, complemented) => free[number] != complemented,
        };
        let mut model = Model::new();
        for (symbol, sources) in &self.constants {
            let value = match store.bit_vec_width(store.symbol(*symbol).result) {
                Some(width) => Value::BitVec(BitVector::from_bits(width, |bit| of(sources[bit as usize]))),
                None => Value::Bool(of(sources[0])),
            };
            model.set_constant(*symbol, value);
        }
        model
    }
}

//! What is drawn from: the bits that tell solutions apart, and how models are made of them.
//!
//! These are the inputs of the circuit that are bits of Boolean and bit-vector constants. Constants that the assertions
//! define by others follow from them; where a definition reads an array or applies a function, its bits are drawn as
//! well. Bits that nothing depends on are *free*: they are no part of what is searched, but get random values in each
//! model.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use sundry_solver::{Aig, BuildError, Edge, Engine, EngineOptions, Lit, Query, Verdict};
use sundry_term::{BitVector, Control, Model, Op, Sort, SortId, SymbolId, TermId, TermStore, Value};

use crate::error::SampleError;
use crate::formula_engine::FormulaEngine;
use crate::problem::Problem;
use crate::rows::Judge;
use crate::strategy::StopReason;

/// A bit that is drawn.
struct Bit {
    edge: Edge,
    literal: Lit,
}

/// Where a bit of a constant comes from.
#[derive(Copy, Clone)]
enum Source {
    Fixed(bool),
    /// The number of a bit that is drawn, and whether this is its negation.
    Drawn(usize, bool),
    /// The number of a free bit, and whether this is its negation.
    Free(usize, bool),
}

/// How models are made of bits alone, without the solver.
struct Assembly {
    constants: Vec<(SymbolId, Vec<Source>)>,
    /// How many free bits the constants have.
    free: usize,
    /// How many of them tell solutions apart.
    counted: u64,
}

/// Values of all bits that are drawn, packed.
pub(crate) type Row = Box<[u64]>;

/// The formula, and the bits to draw.
pub(crate) struct Space<'a> {
    problem: &'a Problem,
    options: EngineOptions,
    symbols: Symbols,
    formula: FormulaEngine,
    drawing: Drawing,
    /// Variables for sums of parts of equations. One cell is looked into at a time, and all of them share these.
    helpers: Vec<Lit>,
    cells: u64,
    wear: Wear,
}

/// The Boolean and bit-vector constants. Auxiliary ones are not drawn: they follow.
struct Symbols {
    /// Those that the formula mentions.
    mentioned: Vec<SymbolId>,
    /// Those from which the others follow by definitions. There may be parts of constants among them.
    undefined: Vec<SymbolId>,
    /// How many bits those have that the formula does not mention.
    others: u64,
}

/// The bits that are drawn, and how models are made of them.
struct Drawing {
    bits: Vec<Bit>,
    /// None where arrays, functions or declared sorts need values too.
    assembly: Option<Assembly>,
}

/// What cells leave behind in the solver. Each call looks at all variables there ever were.
#[derive(Default)]
struct Wear {
    variables: u64,
    clauses: u64,
    /// How much may come together.
    most_variables: u64,
    most_clauses: u64,
}

impl Wear {
    /// For an engine that nothing was added to.
    fn of(engine: &Engine) -> Wear {
        let sat = engine.statistics().sat;
        Wear {
            most_variables: 256 + sat.variables / 4,
            most_clauses: 20_000 + sat.clauses,
            ..Wear::default()
        }
    }
}

/// A Boolean or bit-vector constant with its edges in the circuit.
struct Constant {
    symbol: SymbolId,
    edges: Box<[Edge]>,
}

impl<'a> Space<'a> {
    /// Asserts the formula, looks for a first solution and finds the bits. With it comes a judge of its models.
    pub(crate) fn new(
        problem: &'a Problem,
        seed: u64,
        options: EngineOptions,
        control: &Control,
    ) -> Result<(Self, Judge), SampleError> {
        let mut formula = FormulaEngine::for_run(problem, seed, &options, control)?;
        let judge = formula.judge(problem, &[])?;
        let symbols = Symbols::of(problem, &judge);
        let drawing = Drawing::new(problem, &symbols, &mut formula);
        let drawing = drawing.map_err(|error| formula.not_ready(error))?;
        let wear = Wear::of(formula.engine());
        let space =
            Space { problem, options, symbols, formula, drawing, helpers: Vec::new(), cells: 0, wear };
        Ok((space, judge))
    }

    /// Starts with a new engine if much has gathered in this one.
    pub(crate) fn renew_if_worn(&mut self) -> Result<(), StopReason> {
        let Wear { variables, clauses, most_variables, most_clauses } = self.wear;
        if variables < most_variables && clauses < most_clauses {
            return Ok(());
        }
        // A circuit that could be built once is not too large.
        self.renew().map_err(|_| self.control().reason().into())
    }

    /// Makes everything anew, in the same order as before, so that ids stay what they are.
    fn renew(&mut self) -> Result<(), BuildError> {
        self.formula.renew(self.problem, &self.options)?;
        self.formula.check(Query::default());
        self.drawing = Drawing::new(self.problem, &self.symbols, &mut self.formula)?;
        self.wear = Wear::of(self.formula.engine());
        self.helpers.clear();
        Ok(())
    }

    /// The terms of the formula, and those that definitions need.
    pub(crate) fn store(&self) -> &TermStore {
        self.formula.store()
    }

    pub(crate) fn control(&self) -> &Control {
        self.formula.control()
    }

    /// Whether a solution was found at once. If not, there is none, or time was up.
    pub(crate) fn has_solution(&self) -> bool {
        self.formula.first().is_some()
    }

    /// How many bits are drawn.
    pub(crate) fn width(&self) -> usize {
        self.drawing.bits.len()
    }

    /// How many bits of constants are free.
    pub(crate) fn free(&self) -> u64 {
        self.symbols.others + self.drawing.assembly.as_ref().map_or(0, |assembly| assembly.counted)
    }

    /// How often the solver was called.
    pub(crate) fn questions(&self) -> u64 {
        self.formula.questions()
    }

    pub(crate) fn literal(&self, bit: usize) -> Lit {
        self.drawing.bits[bit].literal
    }

    /// The values of the bits in the last solution.
    pub(crate) fn last_values(&self) -> impl Fn(usize) -> bool + '_ {
        let last = self.formula.last_model();
        move |bit| last.value(self.drawing.bits[bit].edge)
    }

    /// How many cells were looked into.
    pub(crate) fn cells(&self) -> u64 {
        self.cells
    }

    /// The literal of a new cell.
    pub(crate) fn open_cell(&mut self) -> Lit {
        self.cells += 1;
        self.new_literal()
    }

    /// The helping variable of this number, as its positive literal; all before it exist then.
    pub(crate) fn helper(&mut self, number: usize) -> Lit {
        while self.helpers.len() <= number {
            let helper = self.new_literal();
            self.helpers.push(helper);
        }
        self.helpers[number]
    }

    fn new_literal(&mut self) -> Lit {
        self.wear.variables += 1;
        self.formula.new_literal()
    }

    /// Adds a clause for ever, which a literal of the caller's own guards.
    pub(crate) fn add_clause(&mut self, clause: &[Lit]) {
        self.wear.clauses += 1;
        self.formula.add_clause(clause);
    }

    /// Decisions try random values everywhere in the circuit.
    pub(crate) fn prefer_randomly(&mut self, random: &mut ChaCha8Rng) {
        self.formula.engine_mut().prefer_values(|_| random.random());
    }

    /// Looks for a solution under assumptions.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, StopReason> {
        match self.formula.check(Query::assuming(assumptions)).verdict() {
            Verdict::Sat => Ok(true),
            Verdict::Unsat => Ok(false),
            Verdict::Unknown => Err(self.control().reason().into()),
        }
    }

    /// The values of the last solution.
    pub(crate) fn row(&self) -> Row {
        let value = self.last_values();
        let mut row = vec![0u64; self.drawing.bits.len().div_ceil(64)];
        for bit in (0..self.drawing.bits.len()).filter(|&bit| value(bit)) {
            row[bit / 64] |= 1 << (bit % 64);
        }
        row.into()
    }

    /// The last solution, with random values of free bits.
    pub(crate) fn model(&self, random: &mut ChaCha8Rng) -> Model {
        match &self.drawing.assembly {
            Some(assembly) => assembly.model(self.formula.store(), self.last_values(), random),
            None => self.formula.read_last_model(),
        }
    }

    /// The solution with these values, which were those of one before, with random values of free bits. None would be
    /// a defect of the solver.
    pub(crate) fn model_of(
        &mut self,
        row: &[u64],
        random: &mut ChaCha8Rng,
    ) -> Result<Option<Model>, StopReason> {
        let value = |bit: usize| row[bit / 64] >> (bit % 64) & 1 == 1;
        if let Some(assembly) = &self.drawing.assembly {
            return Ok(Some(assembly.model(self.formula.store(), value, random)));
        }
        let assumptions: Vec<Lit> = self
            .drawing
            .bits
            .iter()
            .enumerate()
            .map(|(bit, Bit { literal, .. })| literal.negate_if(!value(bit)))
            .collect();
        Ok(self.solve(&assumptions)?.then(|| self.formula.read_last_model()))
    }
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
    fn of(problem: &Problem, judge: &Judge) -> Symbols {
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
        let expected = judge.program().constants().iter().map(|&(symbol, _)| symbol);
        let undefined = expected.filter(|symbol| !others.contains(symbol)).collect();
        Symbols { mentioned, undefined, others: bits }
    }
}

impl Drawing {
    fn new(problem: &Problem, symbols: &Symbols, formula: &mut FormulaEngine) -> Result<Self, BuildError> {
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

/// For each node, whether its value depends on inputs that are not among these.
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
    /// How to make models of these constants; none if one of their bits is neither drawn nor free.
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

    fn model(&self, store: &TermStore, value: impl Fn(usize) -> bool, random: &mut ChaCha8Rng) -> Model {
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

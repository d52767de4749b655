//! Several copies of a formula over fresh symbols: one model of all is a set of solutions.
//!
//! Whether `k` solutions can cover everything is then one question to the solver: `k` copies, and for
//! each target that one of the copies covers it. Targets of which no model covers two break the
//! symmetry between the copies: each is given to a copy of its own.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use sundry_coverage::BitSet;
use sundry_solver::{
    AddClauses, BuildError, Edge, Engine, EngineOptions, Lit, ModelRef, Query, SatOptions, Var, Verdict,
};
use sundry_term::{Control, Model, Op, Stopped, SymbolId, TermId, TermStore};

use crate::problem::{Candidate, Problem};
use crate::targets::{Target, Targets};

/// The work of building the circuit of copies and its clauses, in ticks for each gate.
pub(crate) const BUILDING_TICKS_PER_GATE: u64 = 50;

/// The same work without that of the clauses.
const TICKS_PER_GATE: u64 = 25;

/// A copy of the formula's terms with every declared symbol replaced by a fresh one.
struct Copy {
    /// Declared symbol → its symbol in the copy.
    symbols: FxHashMap<SymbolId, SymbolId>,
    /// The bit of each group of targets, at the position that represents it.
    bits: Vec<Edge>,
}

/// A solver for all copies together.
pub(crate) struct Copies<'a> {
    problem: &'a Problem,
    targets: Arc<Targets>,
    store: TermStore,
    engine: Engine,
    copies: Vec<Copy>,
}

impl<'a> Copies<'a> {
    /// Asserts this many copies of the formula.
    ///
    /// # Errors
    /// An operation whose circuit is too large, or time is up.
    pub(crate) fn new(
        problem: &'a Problem,
        targets: &Arc<Targets>,
        count: usize,
        control: &Control,
    ) -> Result<Self, BuildError> {
        let mut store = problem.store.clone();
        // Some questions are hard, so simplifying pays; trivial assignments ignore the known models.
        let sat = SatOptions { lucky: false, ..SatOptions::default() };
        let integer_bits = problem.ast_bits.integer_bits();
        let mut engine =
            Engine::new(&EngineOptions { sat, integer_bits, ..EngineOptions::default() }, control);
        let renamings = (0..count)
            .map(|number| rename(&mut store, &problem.assertions, number, control))
            .collect::<Result<Vec<_>, _>>()?;
        let assertions: Vec<TermId> = renamings
            .iter()
            .flat_map(|copy| problem.assertions.iter().map(|assertion| copy.terms[assertion]))
            .collect();
        engine.assert_initial(&mut store, &assertions)?;
        let mut copies = Vec::with_capacity(count);
        for Renaming { terms, symbols } in renamings {
            let nodes: Vec<TermId> = problem.ast_bits.nodes().iter().map(|node| terms[node]).collect();
            let nodes = engine.build_all(&mut store, &nodes)?;
            let bits = targets.represented_among(engine.bits_of_built(&nodes), control)?;
            copies.push(Copy { symbols, bits });
        }
        Ok(Copies { problem, targets: targets.clone(), store, engine, copies })
    }

    /// The number of copies.
    pub(crate) fn count(&self) -> usize {
        self.copies.len()
    }

    pub(crate) fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The edge that is true where a copy covers a target.
    fn edge(&self, copy: usize, target: Target) -> Edge {
        let (_, value) = self.targets.representative(target);
        let edge = self.copies[copy].bits[target.group()];
        if value { edge } else { !edge }
    }

    /// Gives each target to the copy of its own number, for ever.
    pub(crate) fn distribute(&mut self, exclusive: &[Target]) {
        for (copy, &target) in exclusive.iter().enumerate() {
            let edge = self.edge(copy, target);
            self.engine.assert_edge(edge);
        }
    }

    /// Demands that each target is covered by some copy, where the condition holds.
    pub(crate) fn demand(&mut self, condition: Lit, covered: &BitSet) {
        for target in covered.iter().map(Target::from_index) {
            let mut edges: Vec<Edge> = (0..self.copies.len()).map(|copy| self.edge(copy, target)).collect();
            edges.sort_unstable();
            edges.dedup();
            if edges.contains(&Edge::TRUE) {
                continue;
            }
            let mut clause: Vec<Lit> = edges.into_iter().map(|edge| self.engine.literal(edge)).collect();
            clause.push(!condition);
            self.engine.add_clause(&clause);
        }
    }

    /// Decisions follow known solutions, one for each copy: on what they say of the targets, and of
    /// the circuit between them as far as that follows.
    pub(crate) fn prefer_all<'m>(&mut self, models: impl Iterator<Item = &'m BitSet> + Clone) {
        let mut known: FxHashMap<u32, bool> = FxHashMap::default();
        for (copy, model) in models.clone().enumerate() {
            for target in model.iter().map(Target::from_index) {
                let edge = self.edge(copy, target);
                known.insert(edge.node(), !edge.is_complemented());
            }
        }
        let inputs = self.engine.circuit().inputs();
        let values: Vec<bool> = inputs.iter().map(|input| known.get(&input.node()) == Some(&true)).collect();
        self.engine.prefer_inputs(&values);
        models.enumerate().for_each(|(copy, model)| self.prefer(copy, model));
    }

    /// Decisions on a copy follow a known solution.
    fn prefer(&mut self, copy: usize, model: &BitSet) {
        for target in model.iter().map(Target::from_index) {
            let edge = self.edge(copy, target);
            let literal = self.engine.literal(edge);
            self.engine.set_phase(literal);
        }
    }

    /// Looks for a model of all copies that meets the demands and the query. `ticks` of the clock bound the effort of
    /// the check.
    pub(crate) fn check(&mut self, query: Query<'_>, ticks: u64) -> Verdict {
        let ticks = ticks / self.engine.work_per_tick();
        self.engine.check(query.within(ticks)).verdict()
    }

    /// A literal that implies that one of the first copies covers the target.
    pub(crate) fn covered_by_first(&mut self, copies: usize, target: Target) -> Lit {
        let covered = self.engine.new_literal();
        let mut clause = vec![!covered];
        for copy in 0..copies {
            let edge = self.edge(copy, target);
            clause.push(self.engine.literal(edge));
        }
        self.engine.add_clause(&clause);
        covered
    }

    /// A literal that, when assumed, will stand for a growing conjunction.
    pub(crate) fn new_bundle(&mut self) -> Lit {
        self.engine.new_literal()
    }

    /// Makes a bundle imply a literal.
    pub(crate) fn add_to_bundle(&mut self, bundle: Lit, literal: Lit) {
        self.engine.add_clause(&[!bundle, literal]);
    }

    /// Gives a bundle up for ever: its clauses are satisfied.
    pub(crate) fn retire_bundle(&mut self, bundle: Lit) {
        self.engine.add_clause(&[!bundle]);
    }

    /// Gates of the circuit of all copies.
    pub(crate) fn gates(&self) -> usize {
        self.engine.circuit().and_count()
    }

    /// All work so far, from the building of the circuit on, in ticks.
    pub(crate) fn clock(&self) -> u64 {
        TICKS_PER_GATE * self.gates() as u64 + self.engine.work()
    }

    /// Whether the last models found are still there after checks that find none.
    pub(crate) fn keeps_models(&self) -> bool {
        self.engine.keeps_models()
    }

    /// The last model of all copies. Like that of [`Steering`](crate::steering::Steering), it is read after further questions.
    fn last_model(&self) -> ModelRef<'_> {
        self.engine.last_model().expect("a check has found a model, and none has taken it away")
    }

    /// The targets that a copy covers in the last model.
    pub(crate) fn covered(&self, copy: usize) -> BitSet {
        let last = self.last_model();
        let mut covered = BitSet::new(self.targets.count());
        for group in 0..self.targets.groups() {
            let value = last.value(self.edge(copy, Target::new(group, true)));
            covered.insert(Target::new(group, value).index());
        }
        covered
    }

    /// The copies in the last model.
    pub(crate) fn models(&self) -> Vec<Candidate> {
        let all = self.last_model().model(&self.store);
        (0..self.copies.len())
            .map(|number| {
                let mut model = Model::new();
                // All copies agree on the results that the standard leaves open.
                if let Some(chosen) = all.chosen_results() {
                    model.set_chosen_results(chosen.clone());
                }
                for &symbol in &self.problem.symbols {
                    let Some(&renamed) = self.copies[number].symbols.get(&symbol) else { continue };
                    if let Some(value) = all.constant(renamed) {
                        model.set_constant(symbol, value.clone());
                    }
                    if let Some(function) = all.function(renamed) {
                        model.set_function(symbol, function.clone());
                    }
                }
                Candidate { covered: self.covered(number), model }
            })
            .collect()
    }
}

impl AddClauses for Copies<'_> {
    fn new_var(&mut self) -> Var {
        self.engine.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.engine.add_clause(clause);
    }
}

/// The work of making a term again, in the units of [`Control::spend`].
const WORK_OF_RENAMING: u32 = 16;

/// The terms that take the place of each term and each symbol in a copy.
#[derive(Default)]
pub(crate) struct Renaming {
    pub(crate) terms: FxHashMap<TermId, TermId>,
    symbols: FxHashMap<SymbolId, SymbolId>,
}

/// Rebuilds all terms below the roots over fresh symbols, until a control stops it.
pub(crate) fn rename(
    store: &mut TermStore,
    roots: &[TermId],
    number: usize,
    control: &Control,
) -> Result<Renaming, Stopped> {
    let Renaming { mut terms, mut symbols } = Renaming::default();
    for term in store.reachable_within(roots, control)? {
        control.spend(WORK_OF_RENAMING)?;
        let arguments: Vec<TermId> = store.args(term).iter().map(|argument| terms[argument]).collect();
        let op = match store.op(term) {
            Op::Apply(symbol) => Op::Apply(*symbols.entry(symbol).or_insert_with(|| {
                let declared = store.symbol(symbol).clone();
                store.declare(&format!("{}@{number}", declared.name), &declared.arguments, declared.result)
            })),
            op => op,
        };
        let renamed = match op {
            Op::Constant(_) => term,
            op => store.make(op, &arguments),
        };
        terms.insert(term, renamed);
    }
    Ok(Renaming { terms, symbols })
}

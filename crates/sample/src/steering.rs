//! The solver as strategies use it: targets instead of literals, solutions instead of assignments.
//!
//! A check of the engine lends its model until the next question. Strategies ask on before they know whether they want a
//! model, since most are followed by better ones and to read one takes long. So the checks here answer with a verdict
//! only, and the model that was found last is read through [`Steering::last_model`].

use std::sync::Arc;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_coverage::BitSet;
use sundry_solver::{
    Aig, BuildError, Checked, Cnf, Edge, EngineOptions, Lit, ModelRef, Query, SatOptions, Verdict,
};
use sundry_term::{Control, Model, Stopped, TermId};

use crate::formula_engine::FormulaEngine;
use crate::not_ready::NotReady;
use crate::problem::Problem;
use crate::strategy::Preparation;
use crate::targets::{Target, Targets};

/// Ticks for the first search in the whole circuit, which is led to a known model: enough to carry its values through
/// every gate a few times.
pub(crate) const LEADING_TICKS_PER_GATE: u64 = 100;

/// Whether targets fit together.
pub(crate) enum Together {
    /// A model covers all of them.
    Covered,
    /// No model covers all of these, a part of those assumed.
    Excluded(Vec<Target>),
    /// A limit was reached.
    Undecided,
}

/// The formula, with a literal for each group of targets.
pub(crate) struct Steering {
    formula: FormulaEngine,
    /// Normal forms of the nodes that have AST-bits.
    nodes: Arc<[TermId]>,
    pub(crate) targets: Arc<Targets>,
    literals: Vec<Lit>,
    /// The group of each input of the circuit that is a bit of the formula; `None` for other inputs.
    input_groups: Vec<Option<usize>>,
    pub(crate) random: ChaCha8Rng,
    /// Work beside the engine's, in ticks.
    other_work: u64,
}

impl Steering {
    /// Asserts the formula and finds the targets of its AST-bits. `stream` numbers the task.
    pub(crate) fn new(
        problem: &Problem,
        seed: u64,
        stream: u64,
        control: &Control,
    ) -> Result<Self, NotReady> {
        Steering::with_options(problem, seed, stream, control, EngineOptions::for_many_calls(), &mut |_| {})
    }

    /// [`new`](Self::new) with these options, the SAT solver's seed of which is drawn from the task's; says what it is doing.
    pub(crate) fn with_options(
        problem: &Problem,
        seed: u64,
        stream: u64,
        control: &Control,
        options: EngineOptions,
        on_preparation: &mut dyn FnMut(Preparation),
    ) -> Result<Self, NotReady> {
        Steering::with_finder(problem, seed, stream, control, options, on_preparation)
            .map(|(steering, _)| steering)
    }

    /// [`with_options`](Self::with_options), and [the engine](FormulaEngine::with_finder) that has found the first model.
    pub(crate) fn with_finder(
        problem: &Problem,
        seed: u64,
        stream: u64,
        control: &Control,
        mut options: EngineOptions,
        on_preparation: &mut dyn FnMut(Preparation),
    ) -> Result<(Self, Option<FormulaEngine>), NotReady> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        options.sat.seed = random.random_range(0..1 << 30);
        let (mut formula, finder) =
            FormulaEngine::with_finder(problem, seed, &options, control, on_preparation)?;
        on_preparation(Preparation::AstBits);
        let built = formula.build_all(problem.ast_bits.nodes()).and_then(|nodes| {
            let targets = Targets::new(formula.engine().bits_of_built(&nodes), control)?;
            Ok((nodes.into(), targets))
        });
        let (nodes, targets) = match built {
            Ok(built) => built,
            Err(error) => {
                let first = formula.take_first().map(|first| first.model);
                return Err(NotReady::after(first, error).with_engine(formula.into_engine()));
            }
        };
        let engine = formula.engine_mut();
        let input_groups = engine.circuit().inputs().iter().map(|&input| targets.group(input)).collect();
        let literals = (0..targets.groups()).map(|group| engine.literal(targets.edge(group))).collect();
        let mut steering = Steering {
            formula,
            nodes,
            targets: Arc::new(targets),
            literals,
            input_groups,
            random,
            other_work: 0,
        };
        // The values of the first model lead the search when the circuits of all AST-bits are there.
        if let Some(inputs) = steering.formula.first().map(|first| first.inputs.clone()) {
            steering.formula.engine_mut().prefer_inputs(&inputs);
            steering.lead();
        }
        Ok((steering, finder))
    }

    /// A maker of the same formula and targets in a solver of its own with these options, which starts at the last
    /// model; it may be called on another thread, and fails where the control stops it. `None` where this solver has
    /// simplified its clauses.
    pub(crate) fn replica(
        &mut self,
        options: SatOptions,
        control: Control,
    ) -> Option<impl FnOnce() -> Result<Steering, Stopped> + Send + 'static + use<>> {
        let start = self.formula.replica(options, control)?;
        let (nodes, targets) = (self.nodes.clone(), self.targets.clone());
        let (literals, input_groups) = (self.literals.clone(), self.input_groups.clone());
        let random = self.random.clone();
        Some(move || {
            let formula = start()?;
            let mut steering =
                Steering { formula, nodes, targets, literals, input_groups, random, other_work: 0 };
            steering.lead();
            Ok(steering)
        })
    }

    /// The AST-bits that no model covers where these targets are impossible.
    pub(crate) fn impossible_ast_bits(&self, impossible: &BitSet) -> BitSet {
        self.targets.impossible_ast_bits(self.formula.engine().bits_of_built(&self.nodes), impossible)
    }

    /// Searches once along the phases that are set, then forgets them.
    fn lead(&mut self) {
        let ticks = LEADING_TICKS_PER_GATE * self.gates() as u64;
        self.formula.check(Query::default().within(ticks));
        self.formula.engine_mut().forget_phases();
    }

    /// Whether a model is there to be taken.
    pub(crate) fn has_first_model(&self) -> bool {
        self.formula.first().is_some()
    }

    /// The model that was found first, if there is one; not judged yet.
    pub(crate) fn take_first_model(&mut self) -> Option<Model> {
        self.formula.take_first().map(|first| first.model)
    }

    pub(crate) fn control(&self) -> &Control {
        self.formula.control()
    }

    pub(crate) fn literal(&self, target: Target) -> Lit {
        let literal = self.literals[target.group()];
        if target.value() { literal } else { !literal }
    }

    /// Looks for a model in which all assumptions hold and, unless `wanted` is empty, one of the
    /// wanted targets is covered. The effort is bounded by this number of ticks of the clock.
    pub(crate) fn check(&mut self, assumptions: &[Lit], wanted: &[Target], ticks: Option<u64>) -> Verdict {
        let ticks = ticks.map(|ticks| (ticks / self.formula.engine().work_per_tick()).max(1));
        let at_least_one: Vec<Lit> = wanted.iter().map(|&target| self.literal(target)).collect();
        let query = Query { assumptions, at_least_one: &at_least_one, ticks, ..Query::default() };
        self.formula.check(query).verdict()
    }

    /// Looks for a model that covers all of these targets.
    pub(crate) fn check_all(&mut self, targets: &[Target], ticks: u64) -> Together {
        let literals: Vec<Lit> = targets.iter().map(|&target| self.literal(target)).collect();
        let ticks = (ticks / self.formula.engine().work_per_tick()).max(1);
        match self.formula.check(Query::assuming(&literals).within(ticks)) {
            Checked::Sat(_) => Together::Covered,
            Checked::Unsat(refutation) => {
                let needed = targets.iter().zip(literals).filter(|&(_, literal)| refutation.needs(literal));
                Together::Excluded(needed.map(|(&target, _)| target).collect())
            }
            Checked::Unknown => Together::Undecided,
        }
    }

    /// The model that was found last.
    ///
    /// # Panics
    /// When no check has found one, or a later one has taken it away, which does not happen while
    /// [models are kept](Self::keeps_models).
    pub(crate) fn last_model(&self) -> ModelRef<'_> {
        self.formula.last_model()
    }

    /// The targets that the last model covers: one of each group.
    pub(crate) fn current(&self) -> BitSet {
        let last = self.last_model();
        let mut covered = BitSet::new(self.targets.count());
        for group in 0..self.targets.groups() {
            covered.insert(Target::new(group, last.value(self.targets.edge(group))).index());
        }
        covered
    }

    /// Whether the last model found is still there after checks that find none.
    pub(crate) fn keeps_models(&self) -> bool {
        self.formula.engine().keeps_models()
    }

    /// The last model found, not judged yet.
    pub(crate) fn model(&self) -> Model {
        self.formula.read_last_model()
    }

    /// Decisions try to cover this target.
    pub(crate) fn prefer(&mut self, target: Target) {
        let literal = self.literal(target);
        self.formula.engine_mut().set_phase(literal);
    }

    /// Decisions try the values of the last model, or of the inputs preferred since then, everywhere in the circuit.
    pub(crate) fn prefer_last_model(&mut self) {
        self.formula.engine_mut().prefer_last_assignment();
    }

    /// Decisions try values for the inputs of the circuit, and everywhere else what follows from them:
    /// inner nodes that want something else would lead away from all of it. Inputs that are in no
    /// group get random values.
    pub(crate) fn prefer_inputs(&mut self, value_of_group: impl Fn(usize, &mut ChaCha8Rng) -> bool) {
        let values: Vec<bool> = (0..self.formula.engine().circuit().inputs().len())
            .map(|input| match self.input_groups.get(input) {
                Some(&Some(group)) => value_of_group(group, &mut self.random),
                _ => self.random.random(),
            })
            .collect();
        self.formula.engine_mut().prefer_inputs(&values);
    }

    /// Decisions try random values for every group.
    pub(crate) fn prefer_randomly(&mut self) {
        for group in 0..self.targets.groups() {
            let value = self.random.random();
            self.prefer(Target::new(group, value));
        }
    }

    /// A literal that, when assumed, will stand for a growing conjunction of targets.
    pub(crate) fn new_bundle(&mut self) -> Lit {
        self.formula.new_literal()
    }

    /// Makes a bundle imply a target.
    pub(crate) fn add_to_bundle(&mut self, bundle: Lit, target: Target) {
        let literal = self.literal(target);
        self.formula.add_clause(&[!bundle, literal]);
    }

    /// Gives a bundle up for ever: its clauses are satisfied.
    pub(crate) fn retire_bundle(&mut self, bundle: Lit) {
        self.formula.add_clause(&[!bundle]);
    }

    /// Makes it a fact that no model covers this target, which has been proved elsewhere.
    pub(crate) fn rule_out(&mut self, target: Target) {
        let literal = self.literal(target);
        self.formula.add_fact(!literal);
    }

    /// The value that a target is known to have in every model, if any.
    pub(crate) fn fixed(&self, target: Target) -> Option<bool> {
        self.formula.engine().fixed(self.literal(target))
    }

    /// Gates of the circuit.
    pub(crate) fn gates(&self) -> usize {
        self.formula.engine().circuit().and_count()
    }

    /// All work so far, in ticks: a clock that runs alike on every machine.
    pub(crate) fn clock(&self) -> u64 {
        self.formula.engine().work() + self.other_work
    }

    /// Counts work, in ticks, that was done without the engine.
    pub(crate) fn count_work(&mut self, ticks: u64) {
        self.other_work += ticks;
    }

    /// Looks for a model that covers two of these targets, with this number of ticks for each SAT call.
    pub(crate) fn check_pairs(&mut self, targets: &[Target], ticks: u64) -> Verdict {
        // `earlier` implies that one of the targets before is covered.
        let mut earlier: Option<Lit> = None;
        let mut chains = Vec::with_capacity(targets.len());
        let mut pairs = Vec::with_capacity(targets.len());
        for &target in targets {
            let covered = self.literal(target);
            let before = earlier;
            let chain = self.formula.new_literal();
            let link: Vec<Lit> = [!chain, covered].into_iter().chain(before).collect();
            self.formula.add_clause(&link);
            earlier = Some(chain);
            chains.push(chain);
            if let Some(before) = before {
                let pair = self.formula.new_literal();
                self.formula.add_clause(&[!pair, covered]);
                self.formula.add_clause(&[!pair, before]);
                pairs.push(pair);
            }
        }
        let query = Query { at_least_one: &pairs, ..Query::default() }.within(ticks);
        let verdict = self.formula.check(query).verdict();
        chains.into_iter().chain(pairs).for_each(|literal| self.formula.add_clause(&[!literal]));
        verdict
    }

    /// Looks for a model in which all assumptions hold and, unless the clause is empty, one of its
    /// literals. Only time bounds the effort.
    pub(crate) fn check_clause(&mut self, assumptions: &[Lit], clause: &[Lit]) -> Verdict {
        self.formula.check(Query { assumptions, at_least_one: clause, ..Query::default() }).verdict()
    }

    /// The circuit edges of terms of the problem; terms without bits have none.
    pub(crate) fn bits_of(&mut self, terms: &[TermId]) -> Result<Vec<Box<[Edge]>>, BuildError> {
        self.formula.bits_of_all(terms)
    }

    /// The circuit of the formula and its AST-bits.
    pub(crate) fn circuit(&self) -> &Aig {
        self.formula.engine().circuit()
    }

    /// The literal of a circuit edge that the search knows already.
    pub(crate) fn literal_of(&self, edge: Edge) -> Option<Lit> {
        self.formula.engine().literal_of(edge)
    }

    /// The literal of a circuit edge.
    pub(crate) fn edge_literal(&mut self, edge: Edge) -> Lit {
        self.formula.engine_mut().literal(edge)
    }

    /// Decisions on the literal's variable try to make the literal true.
    pub(crate) fn set_phase(&mut self, literal: Lit) {
        self.formula.engine_mut().set_phase(literal);
    }

    /// The clauses that the search holds, and whether they are all there is to know of the formula.
    pub(crate) fn clauses(&mut self) -> (Option<Cnf>, bool) {
        (self.formula.engine_mut().clauses(), self.formula.engine().is_exact())
    }

    /// Adds a clause for ever that a bundle's negated literal is part of: it holds where the
    /// bundle is assumed.
    pub(crate) fn add_guarded(&mut self, clause: &[Lit]) {
        self.formula.add_clause(clause);
    }
}

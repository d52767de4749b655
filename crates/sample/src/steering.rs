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
    Aig, BuildError, Checked, Cnf, Edge, Engine, EngineOptions, Lit, ModelRef, Query, Refusal, SatOptions,
    Verdict,
};
use sundry_term::{Control, Model, Stopped, TermId, TermStore};

use crate::error::SampleError;
use crate::first::Start;
use crate::problem::Problem;
use crate::strategy::Preparation;
use crate::targets::{Target, Targets};

/// Ticks for the first search in the whole circuit, which is led to a model that is known: enough
/// to carry its values through every gate a few times.
pub(crate) const LEADING_TICKS_PER_GATE: u64 = 100;

/// Why a strategy could not start.
pub(crate) enum NotReady {
    /// The formula has no circuit.
    Refused(Refusal),
    /// Time was up while circuits were built. A model may have been found by then, not judged yet.
    Stopped {
        model: Option<Model>,
        /// The engine as far as it was built: whoever ends the program next need not take the time to give it back.
        engine: Option<Box<Engine>>,
    },
}

impl NotReady {
    /// What an error means when this model is known already.
    pub(crate) fn after(first: Option<Model>, error: BuildError) -> Self {
        match error {
            BuildError::Refused(error) => NotReady::Refused(error),
            BuildError::Stopped => NotReady::Stopped { model: first, engine: None },
        }
    }

    /// What it means for a run that has nothing to report without its circuits.
    pub(crate) fn for_run(self, control: &Control) -> SampleError {
        match self {
            NotReady::Refused(error) => SampleError::Refused(error),
            NotReady::Stopped { .. } => SampleError::Stopped(control.reason().into()),
        }
    }

    /// This reason, with the engine as far as it was built.
    fn with_engine(self, engine: Engine) -> Self {
        match self {
            NotReady::Stopped { model, .. } => NotReady::Stopped { model, engine: Some(Box::new(engine)) },
            refused => refused,
        }
    }
}

/// Whether targets fit together.
pub(crate) enum Together {
    /// A model covers all of them.
    Covered,
    /// No model covers all of these, which are some of them.
    Excluded(Vec<Target>),
    /// A limit was reached.
    Undecided,
}

/// An engine that holds the formula, with a literal for each group of targets.
pub(crate) struct Steering {
    store: TermStore,
    engine: Engine,
    /// Normal forms of the nodes that have AST-bits.
    nodes: Arc<[TermId]>,
    pub(crate) targets: Arc<Targets>,
    literals: Vec<Lit>,
    /// For each input of the circuit that is a bit of the formula, its group; later inputs are none.
    input_groups: Vec<Option<usize>>,
    pub(crate) random: ChaCha8Rng,
    control: Control,
    /// A model of the assertions, found before the circuits of the AST-bits were there.
    first: Option<Model>,
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
        mut options: EngineOptions,
        on_preparation: &mut dyn FnMut(Preparation),
    ) -> Result<Self, NotReady> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        options.sat.seed = random.random_range(0..1 << 30);
        let Start { mut engine, mut store, first } =
            Start::new(problem, seed, &options, control, on_preparation)?;
        on_preparation(Preparation::AstBits);
        // The values of the first model lead the search when the circuits of all AST-bits are there.
        let built = engine.build_all(&mut store, problem.ast_bits.nodes()).and_then(|nodes| {
            let targets = Targets::new(engine.bits_of_built(&nodes), control)?;
            Ok((nodes.into(), targets))
        });
        let (nodes, targets) = match built {
            Ok(built) => built,
            Err(error) => {
                return Err(NotReady::after(first.map(|first| first.model), error).with_engine(engine));
            }
        };
        let input_groups = engine.circuit().inputs().iter().map(|&input| targets.group(input)).collect();
        let literals = (0..targets.groups()).map(|group| engine.literal(targets.edge(group))).collect();
        let inputs = first.as_ref().map(|first| first.inputs.clone());
        let mut steering = Steering {
            store,
            engine,
            nodes,
            targets: Arc::new(targets),
            literals,
            input_groups,
            random,
            control: control.clone(),
            first: first.map(|first| first.model),
        };
        if let Some(inputs) = inputs {
            steering.engine.prefer_inputs(&inputs);
            steering.lead();
        }
        Ok(steering)
    }

    /// What makes the same formula and targets in a solver of its own with these options, which starts at the last
    /// model; it may be called on another thread, and fails where the control stops it. None, where this solver has
    /// simplified its clauses.
    pub(crate) fn replica(
        &mut self,
        options: SatOptions,
        control: Control,
    ) -> Option<impl FnOnce() -> Result<Steering, Stopped> + Send + 'static + use<>> {
        let replica = self.engine.replica()?;
        let (store, nodes, targets) = (self.store.clone(), self.nodes.clone(), self.targets.clone());
        let (literals, input_groups) = (self.literals.clone(), self.input_groups.clone());
        let random = self.random.clone();
        Some(move || {
            let engine =
                replica.start(&EngineOptions { sat: options, ..EngineOptions::default() }, &control)?;
            let first = None;
            let mut steering =
                Steering { store, engine, nodes, targets, literals, input_groups, random, control, first };
            steering.lead();
            Ok(steering)
        })
    }

    /// The AST-bits that no model covers where these targets are impossible.
    pub(crate) fn impossible_ast_bits(&self, impossible: &BitSet) -> BitSet {
        self.targets.impossible_ast_bits(self.engine.bits_of_built(&self.nodes), impossible)
    }

    /// Searches once along the phases that are set, then forgets them.
    fn lead(&mut self) {
        let ticks = LEADING_TICKS_PER_GATE * self.gates() as u64;
        self.engine.check(Query::default().within(ticks));
        self.engine.forget_phases();
    }

    /// Whether a model is there to be taken.
    pub(crate) fn has_first_model(&self) -> bool {
        self.first.is_some()
    }

    /// The model that was found first, if there is one; not judged yet.
    pub(crate) fn take_first_model(&mut self) -> Option<Model> {
        self.first.take()
    }

    pub(crate) fn control(&self) -> &Control {
        &self.control
    }

    pub(crate) fn literal(&self, target: Target) -> Lit {
        let literal = self.literals[target.group()];
        if target.value() { literal } else { !literal }
    }

    /// Looks for a model in which all assumptions hold and, unless `wanted` is empty, one of the
    /// wanted targets is covered. The effort is bounded by so many ticks of the clock.
    pub(crate) fn check(&mut self, assumptions: &[Lit], wanted: &[Target], ticks: Option<u64>) -> Verdict {
        let ticks = ticks.map(|ticks| (ticks / self.engine.work_per_tick()).max(1));
        let at_least_one: Vec<Lit> = wanted.iter().map(|&target| self.literal(target)).collect();
        let query = Query { assumptions, at_least_one: &at_least_one, ticks, ..Query::default() };
        self.engine.check(query).verdict()
    }

    /// Looks for a model that covers all of these targets.
    pub(crate) fn check_all(&mut self, targets: &[Target], ticks: u64) -> Together {
        let literals: Vec<Lit> = targets.iter().map(|&target| self.literal(target)).collect();
        let ticks = (ticks / self.engine.work_per_tick()).max(1);
        match self.engine.check(Query::assuming(&literals).within(ticks)) {
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
        self.engine.last_model().expect("a check has found a model, and none has taken it away")
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
        self.engine.keeps_models()
    }

    /// The last model found, not judged yet.
    pub(crate) fn model(&self) -> Model {
        self.last_model().model(&self.store)
    }

    /// Decisions try to cover this target.
    pub(crate) fn prefer(&mut self, target: Target) {
        let literal = self.literal(target);
        self.engine.set_phase(literal);
    }

    /// Decisions try the values of the last model, or of the inputs preferred since then, everywhere in the circuit.
    pub(crate) fn prefer_last_model(&mut self) {
        self.engine.prefer_last_assignment();
    }

    /// Decisions try values for the inputs of the circuit, and everywhere else what follows from them:
    /// inner nodes that want something else would lead away from all of it. Inputs that are in no
    /// group get random values.
    pub(crate) fn prefer_inputs(&mut self, value_of_group: impl Fn(usize, &mut ChaCha8Rng) -> bool) {
        let values: Vec<bool> = (0..self.engine.circuit().inputs().len())
            .map(|input| match self.input_groups.get(input) {
                Some(&Some(group)) => value_of_group(group, &mut self.random),
                _ => self.random.random(),
            })
            .collect();
        self.engine.prefer_inputs(&values);
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
        self.engine.new_literal()
    }

    /// Makes a bundle imply a target.
    pub(crate) fn add_to_bundle(&mut self, bundle: Lit, target: Target) {
        let literal = self.literal(target);
        self.engine.add_clause(&[!bundle, literal]);
    }

    /// Gives a bundle up for ever: its clauses are satisfied.
    pub(crate) fn retire_bundle(&mut self, bundle: Lit) {
        self.engine.add_clause(&[!bundle]);
    }

    /// Makes it a fact that no model covers this target, which has been proved elsewhere.
    pub(crate) fn rule_out(&mut self, target: Target) {
        let literal = self.literal(target);
        self.engine.add_clause(&[!literal]);
    }

    /// The value that a target is known to have in every model, if any.
    pub(crate) fn fixed(&self, target: Target) -> Option<bool> {
        self.engine.fixed(self.literal(target))
    }

    /// Gates of the circuit.
    pub(crate) fn gates(&self) -> usize {
        self.engine.circuit().and_count()
    }

    /// All work of the engine so far, in ticks: a clock that runs alike on every machine.
    pub(crate) fn clock(&self) -> u64 {
        self.engine.work()
    }

    /// Looks for a model that covers two of these targets, with so many ticks for each SAT call.
    pub(crate) fn check_pairs(&mut self, targets: &[Target], ticks: u64) -> Verdict {
        // `earlier` implies that one of the targets before is covered.
        let mut earlier: Option<Lit> = None;
        let mut chains = Vec::with_capacity(targets.len());
        let mut pairs = Vec::with_capacity(targets.len());
        for &target in targets {
            let covered = self.literal(target);
            let before = earlier;
            let chain = self.engine.new_literal();
            let link: Vec<Lit> = [!chain, covered].into_iter().chain(before).collect();
            self.engine.add_clause(&link);
            earlier = Some(chain);
            chains.push(chain);
            if let Some(before) = before {
                let pair = self.engine.new_literal();
                self.engine.add_clause(&[!pair, covered]);
                self.engine.add_clause(&[!pair, before]);
                pairs.push(pair);
            }
        }
        let query = Query { at_least_one: &pairs, ..Query::default() }.within(ticks);
        let verdict = self.engine.check(query).verdict();
        chains.into_iter().chain(pairs).for_each(|literal| self.engine.add_clause(&[!literal]));
        verdict
    }

    /// Looks for a model in which all assumptions hold and, unless the clause is empty, one of its
    /// literals. Only time bounds the effort.
    pub(crate) fn check_clause(&mut self, assumptions: &[Lit], clause: &[Lit]) -> Verdict {
        self.engine.check(Query { assumptions, at_least_one: clause, ..Query::default() }).verdict()
    }

    /// The circuit edges of terms of the problem; terms without bits have none.
    pub(crate) fn bits_of(&mut self, terms: &[TermId]) -> Result<Vec<Box<[Edge]>>, BuildError> {
        self.engine.bits_of_all(&mut self.store, terms)
    }

    /// The circuit of the formula and its AST-bits.
    pub(crate) fn circuit(&self) -> &Aig {
        self.engine.circuit()
    }

    /// The literal of a circuit edge that the search knows already.
    pub(crate) fn literal_of(&self, edge: Edge) -> Option<Lit> {
        self.engine.literal_of(edge)
    }

    /// The literal of a circuit edge.
    pub(crate) fn edge_literal(&mut self, edge: Edge) -> Lit {
        self.engine.literal(edge)
    }

    /// Decisions on the literal's variable try to make the literal true.
    pub(crate) fn set_phase(&mut self, literal: Lit) {
        self.engine.set_phase(literal);
    }

    /// The clauses that the search holds, and whether they are all there is to know of the formula.
    pub(crate) fn clauses(&mut self) -> (Option<Cnf>, bool) {
        (self.engine.clauses(), self.engine.is_exact())
    }

    /// Adds a clause for ever that a bundle's negated literal is part of: it holds where the
    /// bundle is assumed.
    pub(crate) fn add_guarded(&mut self, clause: &[Lit]) {
        self.engine.add_clause(clause);
    }
}

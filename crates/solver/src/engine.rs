//! The lazy solver: circuit, SAT search, theory check, lemmas, again.
//!
//! [`Engine::check`] is the loop of lemmas on demand: the SAT solver proposes an assignment of the
//! circuit, the theories look for axioms it violates, violated instances become clauses, until
//! there is no assignment or one without violations. Lemmas are valid formulas and stay for ever,
//! so the engine gets better at its formula over many calls.

mod replica;

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_circuit::{Aig, Blaster, BuildError, CnfEncoder, Edge, Simulation, Unsupported};
use sundry_sat::{
    AddClauses, Cadical, Cnf, Constrain, Interrupt, Limits, Lit, Options as SatOptions, Phases, ReadClauses,
    ReadStatistics, RootFacts, Solve, Statistics, Var, Verdict,
};
use sundry_term::{Control, Model, SymbolId, TermId, TermStore};

use crate::inputs::InputFacts;
use crate::model::ModelBuilder;
use crate::normalise::Normaliser;
use crate::rewrite::Rewriter;
use crate::theory::arrays_and_functions::{Extent, SymbolBits};
use crate::theory::lemma::{Lemma, LemmaKind};
use crate::theory::{Assignment, Check, Theories, Theory};

pub use replica::Replica;

/// How often the circuit is built again because its assertions determine inputs.
const REBUILDS: usize = 4;

/// Ticks of the SAT solver for a search near a refuted candidate.
const TICKS_OF_REPAIR: u64 = 10_000_000;

/// How an [`Engine`] works.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Options of the SAT solver.
    pub sat: SatOptions,
    /// Products of words are left open and refined by lemmas where they would take so many additions or more, and
    /// divisions where words are that wide; none, where nothing is set. Until they are refined, an assignment of the
    /// circuit may give them any value.
    pub open_products: Option<usize>,
    /// Theories besides those that the engine has: arrays and functions, open products, and distinct words.
    pub theories: Vec<Box<dyn Theory>>,
}

impl Default for EngineOptions {
    /// With wide products left open.
    fn default() -> Self {
        EngineOptions {
            sat: SatOptions::default(),
            open_products: Some(EngineOptions::WIDE_PRODUCT),
            theories: Vec::new(),
        }
    }
}

impl EngineOptions {
    /// From so many additions on it pays to leave products open.
    pub const WIDE_PRODUCT: usize = 33;

    /// Options for sequences of easy calls.
    pub fn for_many_calls() -> Self {
        EngineOptions { sat: SatOptions::for_many_calls(), ..EngineOptions::default() }
    }

    /// Options without trivial assignments where many words may have to be different, since one candidate after the
    /// other would make some of them equal, and where operations are open, since phases lead near the last candidate.
    fn that_heed_phases_of(&self, theories: &Theories) -> EngineOptions {
        let mut options = self.clone();
        options.sat.lucky &= !theories.heed_phases();
        options
    }
}

/// An assignment of the circuit that a theory has refuted, as a model: it may be nearly right, and costs nothing more. Whoever wants
/// to make something of it has to judge it.
#[derive(Clone, Debug)]
pub struct PartialSolution {
    /// Values of the declared symbols that the formula mentions.
    pub model: Model,
    /// The theory that has refuted the assignment.
    pub refuted_by: &'static str,
}

/// Who is given refuted assignments, and the terms that models are made with.
struct Spectator<'a> {
    store: &'a TermStore,
    receive: &'a mut dyn FnMut(PartialSolution),
}

/// What one call of [`Engine::check`] asks for beyond the assertions, and how much work the answer may take. The engine
/// keeps nothing of it for the next call.
#[derive(Copy, Clone, Debug, Default)]
pub struct Query<'a> {
    /// Literals that have to be true.
    pub assumptions: &'a [Lit],
    /// Literals of which at least one has to be true; an empty slice asks for nothing.
    pub at_least_one: &'a [Lit],
    /// Ticks of the SAT solver that all searches of the call may take together.
    pub ticks: Option<u64>,
    /// Conflicts that each search of the call may have.
    pub conflicts: Option<u64>,
}

impl<'a> Query<'a> {
    /// Asks for a model in which these literals are true.
    pub fn assuming(assumptions: &'a [Lit]) -> Self {
        Query { assumptions, ..Query::default() }
    }

    /// The same question, which may take `ticks`.
    pub fn within(self, ticks: u64) -> Self {
        Query { ticks: Some(ticks), ..self }
    }

    /// The limits of a search that begins when so many ticks are left.
    fn limits(&self, control: &Control, ticks: Option<u64>) -> Limits {
        Limits { control: control.clone(), conflicts: self.conflicts, ticks }
    }
}

/// Counters of an engine's life.
#[derive(Clone, Debug, Default)]
pub struct EngineStatistics {
    /// Calls of [`Engine::check`].
    pub checks: u64,
    /// Candidate assignments that a theory refuted.
    pub refuted_candidates: u64,
    /// Nodes of the circuit that were simulated.
    pub simulated: u64,
    /// Edges whose values theories and models asked for.
    pub read: u64,
    /// Lemmas added, by kind.
    pub lemmas: std::collections::BTreeMap<LemmaKind, u64>,
    /// Counters of the SAT solver.
    pub sat: Statistics,
}

/// An incremental solver for formulas over bit-vectors, arrays and uninterpreted functions.
///
/// Assertions hold for ever; everything that is not permanent goes into a [`Query`]. Terms belong
/// to one store, which is handed to every call that may need a new term.
pub struct Engine {
    pub(crate) normaliser: Normaliser,
    pub(crate) aig: Aig,
    pub(crate) blaster: Blaster,
    pub(crate) theories: Theories,
    cnf: CnfEncoder,
    sat: Cadical,
    options: EngineOptions,
    /// The last assignment that a check found.
    found: Simulation,
    /// An assignment that theories look at, or that is preferred.
    candidate: Simulation,
    /// Whether the candidate was preferred after the last assignment was found.
    prefers_candidate: bool,
    contradiction: bool,
    /// What the theories knew of when the last assignment was found, if one was.
    extent_of_found: Option<Extent>,
    /// Edges whose values were asked for.
    read: Cell<u64>,
    /// Symbols that normalisation eliminated, with what they equal.
    eliminated: Vec<(SymbolId, TermId)>,
    statistics: EngineStatistics,
    /// Stops everything that the engine does.
    control: Control,
}

impl Engine {
    /// An engine without assertions. The control stops everything that it does: normalisation, the building of
    /// circuits, searches, and the search for lemmas. How much a single check may take, the [`Query`] says.
    pub fn new(options: &EngineOptions, control: &Control) -> Self {
        let mut engine = Engine {
            normaliser: Normaliser::new(Rewriter::default()),
            aig: Aig::new(),
            blaster: Blaster::new(),
            theories: Theories::new(options.open_products, &options.theories),
            cnf: CnfEncoder::new(),
            sat: Cadical::new(&options.sat),
            options: options.clone(),
            found: Simulation::default(),
            candidate: Simulation::default(),
            prefers_candidate: false,
            contradiction: false,
            extent_of_found: None,
            read: Cell::new(0),
            eliminated: Vec::new(),
            statistics: EngineStatistics::default(),
            control: Control::default(),
        };
        engine.set_control(control);
        engine
    }

    /// Puts the engine under another control, for owners whose engine outlives the job that it was made for.
    pub fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
        self.normaliser.set_control(control);
        self.blaster.set_control(control);
        self.cnf.set_control(control);
        self.sat.set_limits(Limits::new(control, None));
    }

    /// Asserts formulas for ever, normalised together. Definitions among them eliminate symbols,
    /// so this comes first: later assertions go through [`assert`](Self::assert).
    ///
    /// # Errors
    /// An operation whose circuit is too large, a term of another theory, or a limit that was reached.
    ///
    /// # Panics
    /// When terms were given to the engine before, or literals asked for.
    pub fn assert_initial(&mut self, store: &mut TermStore, assertions: &[TermId]) -> Result<(), BuildError> {
        assert_eq!(self.aig.node_count(), Aig::new().node_count(), "initial assertions come first");
        Unsupported::find(store, assertions, |_| false, &self.control)?;
        let rest = self.normaliser.assert_all(store, assertions)?;
        self.eliminated = self.normaliser.definitions(store)?;
        let mut asserted = self.blast_initial(store, &rest)?;
        for _ in 0..REBUILDS {
            if !self.replace_determined_inputs(store, &asserted) {
                break;
            }
            asserted = self.blast_initial(store, &rest)?;
        }
        let options = self.options.that_heed_phases_of(&self.theories);
        if options.sat != self.options.sat {
            self.sat = Cadical::new(&options.sat);
            self.sat.set_limits(Limits::new(&self.control, None));
            self.options = options;
        }
        self.register(store);
        for edge in asserted {
            self.control.spend(WORK_OF_CLAUSE)?;
            self.assert_edge(edge);
        }
        Ok(())
    }

    /// The edges of assertions, before anything is told to the SAT solver.
    fn blast_initial(&mut self, store: &TermStore, assertions: &[TermId]) -> Result<Vec<Edge>, BuildError> {
        self.blaster.blast(store, &mut self.aig, &mut self.theories, assertions)?;
        Ok(assertions.iter().map(|&term| self.blaster.bits(term).expect("just blasted")[0]).collect())
    }

    /// Starts the circuit again with the inputs replaced that the assertions determine. Whether
    /// there were any.
    fn replace_determined_inputs(&mut self, store: &mut TermStore, asserted: &[Edge]) -> bool {
        let symbols = self.theories.take_symbols();
        let replaceable: FxHashSet<u32> = symbols
            .iter()
            .flat_map(|symbol| symbol.bits.iter())
            .filter(|bit| bit.is_constant().is_none())
            .map(|bit| bit.node())
            .collect();
        let facts = InputFacts::collect(&self.aig, asserted, &replaceable);
        if facts.is_empty() {
            self.theories.set_symbols(symbols);
            return false;
        }
        self.aig = Aig::new();
        self.blaster.clear();
        self.theories = Theories::new(self.options.open_products, &self.options.theories);
        let mut inputs: FxHashMap<u32, Edge> = FxHashMap::default();
        for SymbolBits { symbol, bits } in symbols {
            let bits: Box<[Edge]> = bits
                .iter()
                .map(|&bit| {
                    let resolved = facts.resolve(bit);
                    match resolved.is_constant() {
                        Some(value) => Edge::from_bool(value),
                        None => inputs
                            .entry(resolved.node())
                            .or_insert_with(|| self.aig.input())
                            .complement_if(resolved.is_complemented()),
                    }
                })
                .collect();
            let term = store.symbol_term(symbol);
            self.blaster.define(store, term, &bits);
            self.theories.arrays_and_functions.add_symbol(store, symbol, bits);
        }
        true
    }

    /// The symbols that the initial assertions define, each with a term over other symbols that it equals.
    pub fn definitions(&self) -> &[(SymbolId, TermId)] {
        &self.eliminated
    }

    /// Asserts one formula for ever.
    ///
    /// # Errors
    /// An operation whose circuit is too large, a term of another theory, or a limit that was reached.
    pub fn assert(&mut self, store: &mut TermStore, assertion: TermId) -> Result<(), BuildError> {
        let edge = self.bits(store, assertion)?[0];
        self.assert_edge(edge);
        Ok(())
    }

    /// Asserts that a circuit edge is true, for ever.
    pub fn assert_edge(&mut self, edge: Edge) {
        if edge == Edge::FALSE {
            self.contradiction = true;
        }
        let literal = self.literal(edge);
        self.sat.add_clause(&[literal]);
    }

    /// The circuit edges of a Boolean, bit-vector or uninterpreted-sorted term, least significant
    /// bit first, under the assertions: equal terms may share edges, determined bits are constant.
    ///
    /// # Errors
    /// An operation whose circuit is too large, a term of another theory, or a limit that was reached.
    pub fn bits(&mut self, store: &mut TermStore, term: TermId) -> Result<Box<[Edge]>, BuildError> {
        let normal_forms = self.build_all(store, &[term])?;
        Ok(self.blaster.bits(normal_forms[0]).expect("the term has bits").into())
    }

    /// [`bits`](Self::bits) of many terms at once; array-sorted terms have none.
    ///
    /// # Errors
    /// An operation whose circuit is too large, a term of another theory, or a limit that was reached.
    pub fn bits_of_all(
        &mut self,
        store: &mut TermStore,
        terms: &[TermId],
    ) -> Result<Vec<Box<[Edge]>>, BuildError> {
        let normal_forms = self.build_all(store, terms)?;
        let copies = self.bits_of_built(&normal_forms).map(|bits| {
            self.control.spend(WORK_OF_COPY)?;
            Ok(bits.into())
        });
        copies.collect()
    }

    /// Builds the circuits of terms. Returns their normal forms, of which [`bits_of_built`](Self::bits_of_built) has
    /// the bits: where there are millions of terms, a copy of the bits of each would take long.
    ///
    /// # Errors
    /// An operation whose circuit is too large, a term of another theory, or a limit that was reached.
    pub fn build_all(&mut self, store: &mut TermStore, terms: &[TermId]) -> Result<Vec<TermId>, BuildError> {
        Unsupported::find(store, terms, |term| self.normaliser.is_known(term), &self.control)?;
        let normal = terms.iter().map(|&term| self.normaliser.normal_form(store, term));
        let normal = normal.collect::<Result<Vec<TermId>, _>>()?;
        self.blast(store, &normal)?;
        Ok(normal)
    }

    /// The bits of each of these normal forms, whose circuits are built; array-sorted terms have none.
    pub fn bits_of_built<'e>(&'e self, normal_forms: &'e [TermId]) -> impl Iterator<Item = &'e [Edge]> {
        normal_forms.iter().map(|&term| self.blaster.bits(term).unwrap_or(&[]))
    }

    fn blast(&mut self, store: &TermStore, terms: &[TermId]) -> Result<(), BuildError> {
        self.blaster.blast(store, &mut self.aig, &mut self.theories, terms)?;
        self.register(store);
        Ok(())
    }

    /// Tells the theories what was blasted, and the SAT solver what they know of that at once.
    fn register(&mut self, store: &TermStore) {
        let lemmas = self.theories.register(store, &mut self.aig, &self.blaster);
        self.add_lemmas(lemmas);
        for (edge, value) in self.theories.take_preferences() {
            let literal = self.literal(edge);
            self.sat.set_phase(literal.negate_if(!value));
        }
    }

    fn add_lemmas(&mut self, lemmas: Vec<Lemma>) {
        for lemma in lemmas {
            *self.statistics.lemmas.entry(lemma.kind).or_default() += 1;
            let clause: Vec<Lit> = lemma.clause.iter().map(|&edge| self.literal(edge)).collect();
            self.sat.add_clause(&clause);
        }
    }

    /// The SAT literal of an edge; its cone is encoded at the first use.
    pub fn literal(&mut self, edge: Edge) -> Lit {
        self.cnf.literal(&self.aig, &mut self.sat, edge)
    }

    /// The SAT literal of an edge, if its cone is encoded already.
    pub fn literal_of(&self, edge: Edge) -> Option<Lit> {
        self.cnf.literal_of(edge)
    }

    /// A literal that occurs nowhere yet.
    pub fn new_literal(&mut self) -> Lit {
        self.sat.new_var().positive()
    }

    /// Adds a clause for ever. It must not restrict the models of the assertions: it is for
    /// literals made by [`new_literal`](Self::new_literal) that guard or define something.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.sat.add_clause(clause);
    }

    /// Looks for an assignment that satisfies the assertions, the query and the theories.
    ///
    /// `Unknown` means that a limit was reached; the engine stays usable.
    pub fn check(&mut self, query: Query<'_>) -> Verdict {
        self.statistics.checks += 1;
        if self.contradiction {
            return Verdict::Unsat;
        }
        self.find_model(query, None)
    }

    /// [`check`](Self::check), with all assignments on the way that a theory refutes.
    pub fn check_and_report(
        &mut self,
        store: &TermStore,
        query: Query<'_>,
        receive: &mut dyn FnMut(PartialSolution),
    ) -> Verdict {
        self.statistics.checks += 1;
        if self.contradiction {
            return Verdict::Unsat;
        }
        self.find_model(query, Some(Spectator { store, receive }))
    }

    /// Looks for candidates until one is a model. The ticks of the limits are for all of them together.
    fn find_model(&mut self, query: Query<'_>, mut spectator: Option<Spectator<'_>>) -> Verdict {
        let before = self.sat.ticks();
        let mut limits = query.limits(&self.control, query.ticks);
        self.sat.set_limits(limits.clone());
        let mut refuted = false;
        loop {
            if !self.cnf.finish(&self.aig, &mut self.sat) {
                return Verdict::Unknown;
            }
            match self.search(query, &limits, refuted) {
                Verdict::Sat => {}
                verdict => return verdict,
            }
            self.read_assignment();
            let model = spectator.as_ref().map(|spectator| self.candidate_model(spectator.store));
            let (check, theory) = self.refine();
            let lemmas = match check {
                Check::Consistent => {
                    std::mem::swap(&mut self.found, &mut self.candidate);
                    self.prefers_candidate = false;
                    self.extent_of_found = Some(self.theories.extent());
                    return Verdict::Sat;
                }
                Check::Refuted(lemmas) => lemmas,
                Check::Undecided => return Verdict::Unknown,
            };
            if let (Some(spectator), Some(model)) = (&mut spectator, model) {
                (spectator.receive)(PartialSolution { model, refuted_by: theory });
            }
            self.statistics.refuted_candidates += 1;
            self.add_lemmas(lemmas);
            refuted = true;
            if let Some(ticks) = query.ticks {
                let left = ticks.saturating_sub(self.sat.ticks() - before);
                if left == 0 {
                    return Verdict::Unknown;
                }
                limits.ticks = Some(left);
                self.sat.set_limits(limits.clone());
            }
        }
    }

    /// Asks the SAT solver for a candidate within these limits. Where the last one was refuted and operations are open, it
    /// looks first for a candidate near that one, with all these operations computed.
    fn search(&mut self, query: Query<'_>, limits: &Limits, refuted: bool) -> Verdict {
        if refuted && self.theories.can_repair() {
            self.prefer_computed_products();
            let ticks = limits.ticks.map_or(TICKS_OF_REPAIR, |ticks| ticks.min(TICKS_OF_REPAIR));
            self.sat.set_limits(Limits { ticks: Some(ticks), ..limits.clone() });
            let verdict = self.call(query);
            self.sat.set_limits(limits.clone());
            self.forget_phases();
            if verdict != Verdict::Unknown || limits.reached() {
                return verdict;
            }
        }
        self.call(query)
    }

    /// Calls the SAT solver.
    fn call(&mut self, query: Query<'_>) -> Verdict {
        if !query.at_least_one.is_empty() {
            self.sat.constrain(query.at_least_one);
        }
        self.sat.solve(query.assumptions)
    }

    /// Decisions try the values of the last candidate, as far as the results of open operations do not change them.
    fn prefer_computed_products(&mut self) {
        self.candidate.extend(&self.aig, &[]);
        let mut inputs: Vec<u64> =
            self.aig.inputs().iter().map(|&input| self.candidate.word(input)).collect();
        self.theories.repair(&self.aig, &mut inputs, &mut self.candidate);
        self.prefers_candidate = true;
        self.prefer_last_assignment();
    }

    /// What the theories say of the candidate, and which of them says it.
    fn refine(&mut self) -> (Check, &'static str) {
        let (candidate, read) = (&self.candidate, &self.read);
        let value = |edge: Edge| {
            read.set(read.get() + 1);
            candidate.value(edge, 0)
        };
        self.theories.check(&mut self.aig, Assignment { value: &value, control: &self.control })
    }

    /// The candidate as a model, which no theory has accepted yet.
    fn candidate_model(&self, store: &TermStore) -> Model {
        self.model_of(store, &|edge| self.candidate.value(edge, 0))
    }

    fn model_of(&self, store: &TermStore, value: &dyn Fn(Edge) -> bool) -> Model {
        let builder = ModelBuilder::new(store, &self.theories.arrays_and_functions, value);
        let mut model = builder.build(&self.eliminated);
        self.theories.complete(store, value, &mut model);
        model
    }

    /// Carries the SAT solver's values of the inputs through the circuit. Inputs outside every
    /// encoded cone are free; they are false.
    fn read_assignment(&mut self) {
        let (cnf, sat) = (&self.cnf, &self.sat);
        let inputs: Vec<u64> = self
            .aig
            .inputs()
            .iter()
            .map(|&input| match cnf.literal_of(input) {
                Some(literal) if sat.value(literal) => u64::MAX,
                _ => 0,
            })
            .collect();
        self.simulate(&inputs);
    }

    /// Makes the values of the circuit under these values of its inputs the candidate.
    fn simulate(&mut self, inputs: &[u64]) {
        self.statistics.simulated += self.aig.node_count() as u64;
        self.candidate.run(&self.aig, inputs);
    }

    /// The value of an edge in the last assignment that a check found.
    pub fn value(&self, edge: Edge) -> bool {
        self.found.value(edge, 0)
    }

    /// Whether the last model found can still be read after checks that find none, whatever lemmas come with them.
    pub fn keeps_models(&self) -> bool {
        self.theories.keep_their_extent()
    }

    /// Values of all declared symbols that the formula mentions, in the last model that a check found. Symbols that
    /// occur nowhere are left out.
    ///
    /// # Panics
    /// When no check has found a model, or a later one has given the theories more to know of, which is not for engines
    /// that [keep models](Self::keeps_models).
    pub fn model(&self, store: &TermStore) -> Model {
        assert!(self.extent_of_found == Some(self.theories.extent()), "there is no model, or no longer");
        let value = |edge: Edge| {
            self.read.set(self.read.get() + 1);
            self.value(edge)
        };
        self.model_of(store, &value)
    }

    /// Whether an assumption of the last check was needed to refute it.
    pub fn failed(&self, assumption: Lit) -> bool {
        // Contradictory assertions need none, and the SAT solver is not asked about them.
        !self.contradiction && self.sat.failed(assumption)
    }

    /// The value that a literal is known to have in every model of the assertions.
    pub fn fixed(&self, literal: Lit) -> Option<bool> {
        self.sat.fixed(literal)
    }

    /// The value decisions on this literal's variable try first.
    pub fn set_phase(&mut self, literal: Lit) {
        self.sat.set_phase(literal);
    }

    /// The values of the circuit's inputs in the last satisfying assignment.
    pub fn input_values(&self) -> Vec<bool> {
        self.aig.inputs().iter().map(|&input| self.value(input)).collect()
    }

    /// Decisions try the values that the circuit has under these values of its first inputs, with
    /// the others false.
    pub fn prefer_inputs(&mut self, values: &[bool]) {
        let words: Vec<u64> = (0..self.aig.inputs().len())
            .map(|index| if values.get(index) == Some(&true) { u64::MAX } else { 0 })
            .collect();
        self.simulate(&words);
        self.prefers_candidate = true;
        self.prefer_last_assignment();
    }

    /// Decisions try the values of the last assignment that a check found, or that was preferred since then.
    pub fn prefer_last_assignment(&mut self) {
        let last = if self.prefers_candidate { &mut self.candidate } else { &mut self.found };
        last.extend(&self.aig, &[]);
        for (edge, literal) in while_going_on(&self.control, self.cnf.encoded()) {
            self.sat.set_phase(literal.negate_if(!last.value(edge, 0)));
        }
    }

    /// The nodes of the circuit that the SAT solver knows, each as its positive edge, with their literals.
    pub fn encoded(&self) -> impl Iterator<Item = (Edge, Lit)> + '_ {
        self.cnf.encoded()
    }

    /// Decisions try these values of the circuit's nodes, each given as its positive edge, whether or not they
    /// fit together.
    pub fn prefer_values(&mut self, mut value: impl FnMut(Edge) -> bool) {
        for (edge, literal) in while_going_on(&self.control, self.cnf.encoded()) {
            self.sat.set_phase(literal.negate_if(!value(edge)));
        }
    }

    /// Decisions try what they would without any phase set.
    pub fn forget_phases(&mut self) {
        for (_, literal) in while_going_on(&self.control, self.cnf.encoded()) {
            self.sat.clear_phase(literal.var());
        }
    }

    /// The circuit.
    pub fn circuit(&self) -> &Aig {
        &self.aig
    }

    /// The clauses that the SAT solver holds: the circuit as far as it is encoded, the assertions, and
    /// the lemmas so far. What they refute has no model; what they allow, later lemmas may still refute
    /// unless [`is_exact`](Self::is_exact). None, where the SAT solver has simplified them.
    pub fn clauses(&mut self) -> Option<Cnf> {
        self.sat.clauses()
    }

    /// Whether every assignment of the circuit is a model: no theory has anything to add.
    pub fn is_exact(&self) -> bool {
        self.theories.is_trivial()
    }

    /// Counters so far.
    pub fn statistics(&self) -> EngineStatistics {
        EngineStatistics { sat: self.sat.statistics(), read: self.read.get(), ..self.statistics.clone() }
    }

    /// How much [`work`](Self::work) comes with a tick of the SAT solver's search: to simplify clauses, which ticks do not
    /// count, takes about as long as the searches between.
    pub fn work_per_tick(&self) -> u64 {
        if self.options.sat.inprocessing { 2 } else { 1 }
    }

    /// All work so far, in ticks of the SAT solver's search: those, and what else took time, at what it takes in
    /// comparison. A clock that runs alike on every machine.
    pub fn work(&self) -> u64 {
        let EngineStatistics { checks, simulated, .. } = self.statistics;
        let sat = self.sat.statistics();
        self.work_per_tick() * sat.ticks
            + TICKS_PER_LITERAL * sat.literals
            + TICKS_PER_PHASE * sat.phases
            + TICKS_PER_CHECK * checks
            + checks * sat.variables / VARIABLES_PER_TICK
            + simulated / NODES_PER_TICK
            + self.read.get() / READS_PER_TICK
    }
}

/// What it takes to add a literal of a clause, in ticks: to store, to watch and to simplify it.
const TICKS_PER_LITERAL: u64 = 6;
/// What it takes to set a phase.
const TICKS_PER_PHASE: u64 = 4;
/// What each check takes, whatever it asks,
const TICKS_PER_CHECK: u64 = 1_000;
/// and how many variables take a tick for each check besides.
const VARIABLES_PER_TICK: u64 = 8;
/// Nodes of the circuit that are simulated within a tick.
const NODES_PER_TICK: u64 = 4;
/// Edges that are read within a tick.
const READS_PER_TICK: u64 = 2;

/// What adding a clause again takes, in the units of [`Control::spend`].
const WORK_OF_CLAUSE: u32 = 32;
/// The same for a copy of the bits of a term.
const WORK_OF_COPY: u32 = 16;

/// What a phase takes, in the units of [`Control::spend`].
const WORK_OF_PHASE: u32 = 4;

/// Items of which some may be left out, until a control has ended.
fn while_going_on<T>(control: &Control, items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    items.take_while(|_| control.spend(WORK_OF_PHASE).is_ok())
}

/// For encodings over literals of their own, with what [`Engine::add_clause`] asks of clauses.
impl AddClauses for Engine {
    fn new_var(&mut self) -> Var {
        self.sat.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.sat.add_clause(clause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sundry_term::{Op, Sort};

    /// An engine with an array that is written at one place and read at another, both open, after a check that
    /// found a model, and the condition that what is read at the same place is not what was written.
    fn after_a_model() -> (TermStore, Engine, Lit) {
        after_a_model_with(SatOptions::default())
    }

    fn after_a_model_with(sat: SatOptions) -> (TermStore, Engine, Lit) {
        let mut store = TermStore::new();
        let byte = store.bit_vec_sort(8).expect("a width");
        let array = store.intern_sort(Sort::Array { index: byte, element: byte }).expect("a sort");
        let mut symbol = |name: &str, sort| {
            let symbol = store.declare(name, &[], sort);
            store.symbol_term(symbol)
        };
        let (a, i, j, v) = (symbol("a", array), symbol("i", byte), symbol("j", byte), symbol("v", byte));
        let written = store.make(Op::Store, &[a, i, v]);
        let read = store.make(Op::Select, &[written, j]);
        let same_place = store.make(Op::Equal, &[i, j]);
        let other_value = store.make(Op::Distinct, &[read, v]);
        let both = store.make(Op::And, &[same_place, other_value]);
        let mut engine = Engine::new(&EngineOptions { sat, ..EngineOptions::default() }, &Control::default());
        let edge = engine.bits(&mut store, both).expect("a small circuit")[0];
        let condition = engine.literal(edge);
        assert_eq!(engine.check(Query::default()), Verdict::Sat);
        (store, engine, condition)
    }

    #[test]
    fn a_replica_answers_alike_and_goes_its_own_way() {
        let (store, mut engine, condition) = after_a_model_with(SatOptions::for_many_calls());
        let assumptions = [condition];
        let impossible = Query::assuming(&assumptions);
        let replica = engine.replica().expect("nothing is simplified");
        let start = || replica.start(&EngineOptions::default(), &Control::default());
        let mut other = start().expect("there is no limit");
        assert_eq!(other.check(impossible), Verdict::Unsat);
        assert_eq!(other.check(Query::default()), Verdict::Sat);
        let _ = other.model(&store);
        other.add_clause(&[condition]);
        assert_eq!(other.check(Query::default()), Verdict::Unsat);
        assert_eq!(engine.check(Query::default()), Verdict::Sat);
        assert_eq!(engine.check(impossible), Verdict::Unsat);
    }

    #[test]
    fn candidates_of_a_check_share_its_ticks() {
        // Reads at many places of one array that all have to differ: each candidate breaks some congruence.
        let mut store = TermStore::new();
        let byte = store.bit_vec_sort(8).expect("a width");
        let array = store.intern_sort(Sort::Array { index: byte, element: byte }).expect("a sort");
        let symbol = store.declare("a", &[], array);
        let a = store.symbol_term(symbol);
        let places: Vec<TermId> = (0..24)
            .map(|number| {
                let place = store.declare(&format!("i{number}"), &[], byte);
                store.symbol_term(place)
            })
            .collect();
        let reads: Vec<TermId> = places.iter().map(|&place| store.make(Op::Select, &[a, place])).collect();
        let different = store.make(Op::Distinct, &reads);
        let mut engine = Engine::new(&EngineOptions::default(), &Control::default());
        engine.assert(&mut store, different).expect("a small circuit");
        const TICKS: u64 = 50_000;
        let (mut checks, mut verdict) = (0, Verdict::Unknown);
        while verdict == Verdict::Unknown {
            let before = engine.statistics().sat.ticks;
            verdict = engine.check(Query::default().within(TICKS));
            let spent = engine.statistics().sat.ticks - before;
            assert!(spent < 2 * TICKS, "{spent} ticks");
            assert!(checks < 100, "no progress");
            checks += 1;
        }
        // Lemmas stay, so that the next check goes on where the last one ended.
        assert!(verdict == Verdict::Sat && checks > 1, "{verdict:?} after {checks} checks");
        let _ = engine.model(&store);
    }

    #[test]
    fn what_a_theory_refutes_is_no_model() {
        let (store, mut engine, condition) = after_a_model();
        let model = engine.model(&store);
        let refuted = engine.statistics().refuted_candidates;
        let assumptions = [condition];
        let impossible = Query::assuming(&assumptions);
        assert_eq!(engine.check(impossible), Verdict::Unsat);
        assert!(engine.statistics().refuted_candidates > refuted, "the lemma was missing");
        assert!(engine.keeps_models());
        assert_eq!(engine.model(&store), model, "a candidate that was refuted passes for a model");
        assert_eq!(engine.check(Query::default()), Verdict::Sat);
        let _ = engine.model(&store);
    }
}

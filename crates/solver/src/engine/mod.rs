//! The lazy solver: circuit, SAT search, theory check, lemmas, again.
//!
//! [`Engine::check`] is the loop of lemmas on demand: the SAT solver proposes an assignment of the
//! circuit, the theories look for axioms it violates, violated instances become clauses, until no assignment is left or
//! one violates nothing. Lemmas are valid formulas and stay for ever, so the engine gets better at its formula over
//! many calls.

mod initial;
mod justify;
mod model_ref;
mod observer;
mod options;
mod phases;
mod propagation;
mod query;
mod replica;
mod search;
mod statistics;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use sundry_circuit::{Aig, Blaster, BuildError, CnfEncoder, Edge, NodeKind, Simulation, Unsupported};
use sundry_sat::{AddClauses, Cnf, Limits, Lit, SatSolver, Var};
use sundry_term::{Control, SymbolId, TermId, TermStore};

use crate::normalise::Normaliser;
use crate::rewrite::Rewriter;
use crate::theory::Theories;
use crate::theory::arrays_and_functions::Extent;
use crate::theory::lemma::{Lemma, LemmaKind};
use crate::theory::numbers::{BoundPropagator, is_number_sort};

pub use model_ref::ModelRef;
pub use observer::{Observer, PartialOrigin, PartialSolution};
pub use options::EngineOptions;
pub use query::{Checked, Query, Refutation};
pub use replica::Replica;
pub use statistics::EngineStatistics;

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
    sat: Box<dyn SatSolver>,
    /// The bounds of numbers that the SAT solver asks for while it searches, once there are some.
    propagator: Option<Rc<RefCell<BoundPropagator>>>,
    options: EngineOptions,
    /// The last assignment that a check found.
    found: Simulation,
    /// An assignment that theories look at, or that is preferred.
    candidate: Simulation,
    /// Whether the candidate was preferred after the last assignment was found.
    prefers_candidate: bool,
    contradiction: bool,
    /// The edges that are asserted for ever, and those of lemmas: their values matter.
    asserted: Vec<Edge>,
    /// The edges of literals that others know. Those from before there were numbers are missing, since they depend on none.
    given_out: FxHashMap<Var, Edge>,
    /// Edges of which clauses of others say something, so that their values matter.
    constrained: BTreeSet<Edge>,
    /// The extent of the theories when the last assignment was found, if one was.
    extent_of_found: Option<Extent>,
    /// Whether the last check had an observer.
    is_observed: bool,
    /// The theory that left the last check open.
    undecided: Option<&'static str>,
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
            normaliser: Normaliser::new(Rewriter::default(), options.has_numbers),
            aig: Aig::new(),
            blaster: Blaster::new(),
            theories: Theories::new(options),
            cnf: CnfEncoder::new(),
            sat: options.backend.start(&options.sat),
            propagator: None,
            options: options.clone(),
            found: Simulation::default(),
            candidate: Simulation::default(),
            prefers_candidate: false,
            contradiction: false,
            asserted: Vec::new(),
            given_out: FxHashMap::default(),
            constrained: BTreeSet::new(),
            extent_of_found: None,
            is_observed: false,
            undecided: None,
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

    /// The symbols that the initial assertions define, each with a term over other symbols that it equals.
    pub fn definitions(&self) -> &[(SymbolId, TermId)] {
        &self.eliminated
    }

    /// Asserts one formula for ever.
    ///
    /// # Errors
    /// An operation whose circuit is too large, a term that is [`Unsupported`], or the control has ended.
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
        self.asserted.push(edge);
        self.note_facts(edge);
        let literal = self.encode(edge);
        self.sat.add_clause(&[literal]);
    }

    /// Tells the theory of numbers which bounds hold for ever, with an edge.
    fn note_facts(&mut self, edge: Edge) {
        if self.theories.numbers().is_trivial() {
            return;
        }
        let mut conjuncts = vec![edge];
        while let Some(edge) = conjuncts.pop() {
            match self.aig.kind(edge.node()) {
                NodeKind::And(left, right) if !edge.is_complemented() => conjuncts.extend([left, right]),
                _ => self.theories.numbers_mut().note_fact(edge),
            }
        }
    }

    /// The circuit edges of a Boolean, bit-vector or uninterpreted-sorted term, least significant
    /// bit first, under the assertions: equal terms may share edges, determined bits are constant.
    ///
    /// # Errors
    /// An operation whose circuit is too large, a term that is [`Unsupported`], or the control has ended.
    ///
    /// # Panics
    /// When the term has no bits.
    pub fn bits(&mut self, store: &mut TermStore, term: TermId) -> Result<Box<[Edge]>, BuildError> {
        let normal_forms = self.build_all(store, &[term])?;
        Ok(self.blaster.bits(normal_forms[0]).expect("the term has bits").into())
    }

    /// [`bits`](Self::bits) of many terms at once; arrays, and terms of other sorts that a theory owns, have none.
    ///
    /// # Errors
    /// An operation whose circuit is too large, a term that is [`Unsupported`], or the control has ended.
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
    /// An operation whose circuit is too large, a term that is [`Unsupported`], or the control has ended.
    pub fn build_all(&mut self, store: &mut TermStore, terms: &[TermId]) -> Result<Vec<TermId>, BuildError> {
        self.theories.note(store, terms, &self.control)?;
        let is_known = |term| self.normaliser.is_known(term);
        Unsupported::find(store, terms, is_known, &self.theories, &self.control)?;
        let normal = terms.iter().map(|&term| self.normaliser.normal_form(store, term));
        let normal = normal.collect::<Result<Vec<TermId>, _>>()?;
        self.blast(store, &normal)?;
        self.make_bits_of_numbers(store, &normal);
        Ok(normal)
    }

    /// Makes bits of the numbers among these terms.
    fn make_bits_of_numbers(&mut self, store: &TermStore, terms: &[TermId]) {
        let mut found = false;
        for &term in terms.iter().filter(|&&term| is_number_sort(store.sort_of(term))) {
            let Engine { aig, theories, blaster, options, .. } = self;
            let bits = |term| blaster.bits(term);
            theories.numbers_mut().make_bits(aig, store, term, options.integer_bits, &bits);
            found = true;
        }
        if found {
            self.register(store);
        }
    }

    /// The bits of each of these normal forms, whose circuits are built; terms of sorts without bits have none. Integers have their low bits in two's
    /// complement and one that says whether they are negative, reals have three, which say whether they are negative, zero, and integers.
    pub fn bits_of_built<'e>(&'e self, normal_forms: &'e [TermId]) -> impl Iterator<Item = &'e [Edge]> {
        let numbers = self.theories.numbers();
        normal_forms
            .iter()
            .map(|&term| numbers.bits_of(term).or_else(|| self.blaster.bits(term)).unwrap_or(&[]))
    }

    fn blast(&mut self, store: &TermStore, terms: &[TermId]) -> Result<(), BuildError> {
        self.theories.note(store, terms, &self.control)?;
        self.blaster.blast(store, &mut self.aig, &mut self.theories, terms)?;
        self.register(store);
        Ok(())
    }

    /// Tells the theories what was blasted, and the SAT solver what they know of that at once.
    fn register(&mut self, store: &TermStore) {
        let lemmas = self.theories.register(store, &mut self.aig, &self.blaster);
        self.add_lemmas(lemmas);
        for (edge, value) in self.theories.take_preferences() {
            let literal = self.encode(edge);
            self.sat.set_phase(literal.negate_if(!value));
        }
    }

    fn add_lemmas(&mut self, lemmas: Vec<Lemma>) {
        let has_numbers = !self.theories.numbers().is_trivial();
        for lemma in lemmas {
            *self.statistics.lemmas.entry(lemma.kind).or_default() += 1;
            if has_numbers {
                self.needed_of_lemma(&lemma);
            }
            let clause: Vec<Lit> = lemma.clause.iter().map(|&edge| self.encode(edge)).collect();
            self.sat.add_clause(&clause);
        }
    }

    /// Notes which edges of a lemma matter. Numbers meet their own bounds whatever a lemma about bounds says; all other lemmas have to hold by edges that matter,
    /// since the theories would find them violated again.
    fn needed_of_lemma(&mut self, lemma: &Lemma) {
        match lemma.kind {
            LemmaKind::NumberOrder | LemmaKind::NumberConflict => {}
            LemmaKind::NumberBranch => self.asserted.extend(lemma.clause.first()),
            _ => {
                let edge = self.aig.or_many(&lemma.clause);
                self.asserted.push(edge);
            }
        }
    }

    /// The SAT literal of an edge; its cone is encoded at the first use.
    pub fn literal(&mut self, edge: Edge) -> Lit {
        let literal = self.encode(edge);
        if !self.theories.numbers().is_trivial() {
            self.given_out.insert(literal.var(), edge.complement_if(literal.is_negative()));
        }
        literal
    }

    /// The edge of a literal that was given out.
    pub(super) fn edge_of(&self, literal: Lit) -> Option<Edge> {
        let edge = self.given_out.get(&literal.var())?;
        Some(edge.complement_if(literal.is_negative()))
    }

    /// The SAT literal of an edge that stays in the engine.
    fn encode(&mut self, edge: Edge) -> Lit {
        self.cnf.literal(&self.aig, &mut *self.sat, edge)
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
        let edges = clause.iter().filter_map(|&literal| self.edge_of(literal)).map(Edge::regular);
        self.constrained.extend(edges.collect::<Vec<_>>());
        self.sat.add_clause(clause);
    }

    /// Adds a literal that holds in all models of the assertions, as was proved elsewhere.
    pub fn add_fact(&mut self, literal: Lit) {
        self.sat.add_clause(&[literal]);
    }

    /// The value that a literal is known to have in every model of the assertions.
    pub fn fixed(&self, literal: Lit) -> Option<bool> {
        self.sat.fixed(literal)
    }

    /// The nodes of the circuit that the SAT solver knows, each as its positive edge, with their literals.
    pub fn encoded(&self) -> impl Iterator<Item = (Edge, Lit)> + '_ {
        self.cnf.encoded()
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

    /// The theory that could neither accept nor refute an assignment in the last check, if that is why the check has no answer.
    pub fn undecided(&self) -> Option<&'static str> {
        self.undecided
    }

    /// Whether products of unknowns are among the terms.
    pub fn has_products(&self) -> bool {
        self.theories.numbers().has_products()
    }

    /// Whether every assignment of the circuit is a model: no theory has anything to add.
    pub fn is_exact(&self) -> bool {
        self.theories.is_trivial()
    }
}

/// The work of adding a clause again, in the units of [`Control::spend`].
const WORK_OF_CLAUSE: u32 = 32;
/// The work of copying the bits of a term.
const WORK_OF_COPY: u32 = 16;

/// Encodings over literals of their own add clauses with the conditions of [`Engine::add_clause`].
impl AddClauses for Engine {
    fn new_var(&mut self) -> Var {
        self.sat.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.sat.add_clause(clause);
    }
}

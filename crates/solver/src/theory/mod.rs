//! Theories: what the circuit leaves open, refined lazily.
//!
//! The circuit knows the results of some operations only as free inputs. After each candidate assignment the theories look, one after
//! the other, for axioms that the assignment violates, and return them as lemmas; where no theory objects, the assignment
//! extends to a model.
//!
//! A [`Theory`] plugs in without a change of the engine: [`EngineOptions::theories`](crate::EngineOptions::theories) names further ones. The shape
//! is that of Bitwuzla's solvers of theories (register a term, check, value). A theory owns terms:
//!
//! - Terms of sorts that have no bits, such as integers, stay outside the circuit: the theory alone knows them.
//! - What is said of such terms, in a truth value or in bits, is an *atom*: inputs of the circuit that decisions are free to
//!   choose. The theory looks at the values of its atoms and answers with lemmas over them, or over inputs that it makes.
//! - Terms with bits may be owned too. A declared function of arguments with bits keeps its congruence then.
//!
//! The tests `theories.rs` and `atoms.rs` have small theories of both kinds.

mod array_sorts;
pub(crate) mod arrays;
pub(crate) mod arrays_and_functions;
pub(crate) mod datum;
mod distinct;
mod extensionality;
pub(crate) mod functions;
pub(crate) mod lemma;
pub(crate) mod numbers;
mod products;
#[cfg(test)]
mod testing;
mod universe;

use std::fmt;

use sundry_circuit::{Abstraction, Aig, BitsOfTerms, Blaster, Edge, OpenFunction, Simulation, bit_count};
use sundry_term::{Control, Model, Op, Stopped, TermId, TermStore};

use crate::engine::EngineOptions;
use arrays_and_functions::{ArraysAndFunctions, Extent, SymbolBits};
use distinct::Distinctness;
use lemma::Lemma;
use numbers::Numbers;
use products::Products;

/// A candidate assignment of the circuit, which theories have a look at.
#[derive(Copy, Clone)]
pub struct Assignment<'a> {
    /// The value of an edge that was there when the assignment was found.
    pub value: &'a dyn Fn(Edge) -> bool,
    /// Whether an input of the circuit is one that the SAT solver has never heard of: its value is arbitrary.
    pub is_free: &'a dyn Fn(Edge) -> bool,
    /// The control that stops the search for lemmas.
    pub control: &'a Control,
}

/// The verdict of a theory on a candidate assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TheoryAnswer {
    /// The assignment extends to a model of the theory.
    Consistent,
    /// The assignment violates these lemmas. Without any lemma there is more to look at under the next assignment.
    Refuted(Vec<Lemma>),
    /// The theory is not complete, and can neither accept the assignment nor say what is wrong with it. The answer of the solver
    /// is `unknown` then, never `unsat`.
    Undecided,
}

impl TheoryAnswer {
    /// The verdict of a theory that has found these lemmas.
    pub(crate) fn of(lemmas: Vec<Lemma>) -> TheoryAnswer {
        if lemmas.is_empty() { TheoryAnswer::Consistent } else { TheoryAnswer::Refuted(lemmas) }
    }
}

/// A term that a theory owns: the circuit has inputs for its result, if its sort has bits.
#[derive(Copy, Clone, Debug)]
pub struct Leaf<'a> {
    /// The term.
    pub term: TermId,
    /// The bits of the term, the least significant one first: one bit for a truth value, no bits for a term of a sort that
    /// has none.
    pub bits: &'a [Edge],
    /// The bits of its arguments; `None` for arguments of sorts that have no bits.
    pub arguments: &'a [Option<&'a [Edge]>],
}

/// A theory: the meaning of some terms, by lemmas that candidate assignments violate.
pub trait Theory: Send + Sync {
    /// The name of the theory in messages and statistics.
    fn name(&self) -> &'static str;

    /// Whether a term has its meaning from this theory: a term of a sort without bits, an atom over such terms, or any other
    /// term, whose circuit is not built then. Literals that have bits need no owner. Declared functions of arguments with
    /// bits keep their congruence: equal arguments give equal results.
    fn owns(&self, _store: &TermStore, _term: TermId) -> bool {
        false
    }

    /// Takes note of a term that the theory owns, after those below it. The lemmas hold from now on.
    fn register(&mut self, _aig: &mut Aig, _store: &TermStore, _leaf: Leaf<'_>) -> Vec<Lemma> {
        Vec::new()
    }

    /// Whether the theory has nothing to check.
    fn is_trivial(&self) -> bool;

    /// Looks for axioms that an assignment violates. Where the control stops the search, the lemmas found by then are the answer.
    fn check(&mut self, aig: &mut Aig, assignment: Assignment<'_>) -> TheoryAnswer;

    /// Completes a model of an accepted assignment by what only this theory knows: values of symbols without bits. Symbols
    /// that definitions have eliminated are computed afterwards.
    fn complete(&self, _store: &TermStore, _value: &dyn Fn(Edge) -> bool, _model: &mut Model) {}

    /// A copy that goes its own way, for an engine on another thread.
    fn boxed(&self) -> Box<dyn Theory>;
}

impl Clone for Box<dyn Theory> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// The name of the theory.
impl fmt::Debug for dyn Theory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// All theories of an engine, in the order in which they look at assignments.
#[derive(Clone, Default)]
pub(crate) struct Theories {
    /// Products and divisions that are left open.
    pub(crate) products: Products,
    pub(crate) arrays_and_functions: ArraysAndFunctions,
    /// Words that may all be different, too many to compare each with each.
    pub(crate) distinct: Distinctness,
    /// Whether integers and reals are known.
    has_numbers: bool,
    /// The theories that were plugged in.
    plugged: Vec<Box<dyn Theory>>,
    /// Terms of plugged theories that got bits, with the number of the theory: still to be registered, once the terms
    /// below them have their bits.
    pending: Vec<(usize, TermId, Box<[Edge]>)>,
    /// The number of times that a plugged theory has come to know more: by a term, or by an assignment that it has
    /// refuted.
    news_of_plugged: usize,
}

/// Whether a term is a declared symbol, or such a function of arguments that arrays and functions know.
fn is_application_of_words(store: &TermStore, term: TermId) -> bool {
    let is_known = |&argument: &TermId| {
        let sort = store.sort_of(argument);
        bit_count(store, sort).is_some() || store.array_parts(sort).is_some()
    };
    matches!(store.op(term), Op::Apply(_) | Op::Select) && store.args(term).iter().all(is_known)
}

impl Abstraction for Theories {
    fn owns(&self, store: &TermStore, term: TermId) -> bool {
        self.owner(store, term).is_some() || self.arrays_and_functions.numbers.owns(term)
    }

    fn knows_numbers(&self) -> bool {
        self.has_numbers
    }

    fn leaf(
        &mut self,
        aig: &mut Aig,
        store: &TermStore,
        term: TermId,
        width: u32,
        bits: BitsOfTerms<'_>,
    ) -> Box<[Edge]> {
        let Some(owner) = self.owner(store, term) else {
            if self.arrays_and_functions.numbers.owns(term) {
                self.arrays_and_functions.number(store, term);
                return self.arrays_and_functions.numbers.leaf(aig, store, term, bits);
            }
            return self.arrays_and_functions.leaf(aig, store, term, width);
        };
        let bits = if width > 0 && is_application_of_words(store, term) {
            self.arrays_and_functions.leaf(aig, store, term, width)
        } else {
            (0..width).map(|_| aig.input()).collect()
        };
        self.news_of_plugged += 1;
        self.pending.push((owner, term, bits.clone()));
        bits
    }

    fn equality(&mut self, aig: &mut Aig, _store: &TermStore, left: TermId, right: TermId) -> Edge {
        self.arrays_and_functions.equality(aig, left, right)
    }

    fn distinct(&mut self, aig: &mut Aig, words: Vec<Box<[Edge]>>) -> Edge {
        self.distinct.add(aig, words)
    }

    fn product(&mut self, aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Option<Vec<Edge>> {
        self.products.product(aig, a, b)
    }

    fn open_result(
        &mut self,
        aig: &mut Aig,
        function: OpenFunction,
        arguments: &[Box<[Edge]>],
        width: u32,
    ) -> Box<[Edge]> {
        self.arrays_and_functions.open_result(aig, function, arguments, width)
    }

    fn division(
        &mut self,
        aig: &mut Aig,
        dividend: &[Edge],
        divisor: &[Edge],
    ) -> Option<(Vec<Edge>, Vec<Edge>)> {
        self.products.division(aig, dividend, divisor)
    }
}

impl Theories {
    /// Creates theories that know nothing yet, with these options.
    pub(crate) fn new(options: &EngineOptions) -> Theories {
        Theories {
            products: Products::new(options.open_products),
            has_numbers: options.has_numbers,
            plugged: options.theories.clone(),
            ..Theories::default()
        }
    }

    /// The plugged theory that gives a term its meaning, by number.
    fn owner(&self, store: &TermStore, term: TermId) -> Option<usize> {
        self.plugged.iter().position(|theory| theory.owns(store, term))
    }

    fn in_order(&self) -> impl Iterator<Item = &dyn Theory> {
        let own: [&dyn Theory; 3] = [&self.products, &self.arrays_and_functions, &self.distinct];
        own.into_iter().chain(self.plugged.iter().map(|theory| &**theory))
    }

    /// Whether there is nothing to check: pure bit-vector formulas need no theory.
    pub(crate) fn is_trivial(&self) -> bool {
        self.numbers().is_trivial() && self.in_order().all(Theory::is_trivial)
    }

    /// Whether decisions should heed phases: candidates are repaired, and many words have to be different.
    pub(crate) fn heed_phases(&self) -> bool {
        !self.distinct.is_trivial() || !self.products.is_trivial() || !self.numbers().is_trivial()
    }

    /// Whether there are numbers, and candidates are not [repaired](Self::can_repair).
    pub(crate) fn need_no_phases(&self) -> bool {
        !self.numbers().is_trivial() && !self.numbers().has_products() && !self.can_repair()
    }

    /// Takes the declared constants with their bits.
    pub(crate) fn take_symbols(&mut self) -> Vec<SymbolBits> {
        std::mem::take(&mut self.arrays_and_functions.symbols)
    }

    /// Enters declared constants with their bits, none of which was entered before.
    pub(crate) fn set_symbols(&mut self, symbols: Vec<SymbolBits>) {
        self.arrays_and_functions.symbols = symbols;
    }

    /// The present extent. Models are read from all of it.
    pub(crate) fn extent(&self) -> Extent {
        let mut extent = self.arrays_and_functions.extent();
        extent.news_of_plugged = self.news_of_plugged;
        extent
    }

    /// Whether lemmas never extend what theories know.
    pub(crate) fn keep_their_extent(&self) -> bool {
        self.arrays_and_functions.keep_their_extent() && self.plugged.iter().all(|theory| theory.is_trivial())
    }

    /// Enters what the last blasting left open. The lemmas hold from now on.
    pub(crate) fn register(&mut self, store: &TermStore, aig: &mut Aig, blaster: &Blaster) -> Vec<Lemma> {
        let mut lemmas = self.distinct.register(aig);
        lemmas.extend(self.products.register(aig));
        lemmas.extend(self.arrays_and_functions.register(store, aig, blaster));
        lemmas.extend(self.arrays_and_functions.numbers.take_lemmas());
        for (owner, term, bits) in std::mem::take(&mut self.pending) {
            let arguments: Vec<Option<&[Edge]>> =
                store.args(term).iter().map(|&argument| blaster.bits(argument)).collect();
            let leaf = Leaf { term, bits: &bits, arguments: &arguments };
            lemmas.extend(self.plugged[owner].register(aig, store, leaf));
        }
        lemmas
    }

    /// The theory of integers and reals.
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.arrays_and_functions.numbers
    }

    /// The theory of integers and reals, to change.
    pub(crate) fn numbers_mut(&mut self) -> &mut Numbers {
        &mut self.arrays_and_functions.numbers
    }

    /// Finds out which of these terms, and the terms below them, the theories own.
    ///
    /// # Errors
    /// The control stopped the work.
    pub(crate) fn note(
        &mut self,
        store: &TermStore,
        terms: &[TermId],
        control: &Control,
    ) -> Result<(), Stopped> {
        if self.has_numbers { self.numbers_mut().note(store, terms, control) } else { Ok(()) }
    }

    /// Values for new edges that decisions should try first.
    pub(crate) fn take_preferences(&mut self) -> Vec<(Edge, bool)> {
        let mut preferences = self.distinct.take_preferences();
        preferences.extend(self.arrays_and_functions.extensionality.take_preferences());
        preferences
    }

    /// The judgement of the theories besides numbers on an assignment, and the name of the theory that gave it: the first that does not
    /// accept the assignment. Where the control stops the search, no theory accepts it.
    pub(crate) fn check(
        &mut self,
        aig: &mut Aig,
        assignment: Assignment<'_>,
    ) -> (TheoryAnswer, &'static str) {
        let Theories { products, arrays_and_functions, distinct, plugged, news_of_plugged, .. } = self;
        let own: [&mut dyn Theory; 3] = [products, arrays_and_functions, distinct];
        let own = own.into_iter().map(|theory| (theory, false));
        let plugged = plugged.iter_mut().map(|theory| (&mut **theory, true));
        let mut last = "";
        for (theory, is_plugged) in own.chain(plugged).filter(|(theory, _)| !theory.is_trivial()) {
            last = theory.name();
            match theory.check(aig, assignment) {
                TheoryAnswer::Consistent => {}
                objection => {
                    *news_of_plugged += usize::from(is_plugged);
                    return (objection, last);
                }
            }
        }
        match !last.is_empty() && assignment.control.stopped() {
            true => (TheoryAnswer::Refuted(Vec::new()), last),
            false => (TheoryAnswer::Consistent, last),
        }
    }

    /// Whether [`repair`](Self::repair) can make something of a refuted candidate.
    pub(crate) fn can_repair(&self) -> bool {
        !self.products.is_trivial() || self.numbers().has_bits()
    }

    /// Computes what theories can compute from the values of the other inputs of the circuit. The simulation is that of these
    /// inputs afterwards.
    pub(crate) fn repair(&mut self, aig: &Aig, inputs: &mut [u64], simulation: &mut Simulation) {
        self.numbers_mut().prefer_bits(aig, inputs);
        self.products.compute(aig, inputs, simulation);
    }

    /// Completes a model by what plugged theories know.
    pub(crate) fn complete(&self, store: &TermStore, value: &dyn Fn(Edge) -> bool, model: &mut Model) {
        self.plugged.iter().for_each(|theory| theory.complete(store, value, model));
    }
}

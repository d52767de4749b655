//! The initial assertions: they are normalised together, and their circuit is built again as long as the assertions determine
//! inputs.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_circuit::{Aig, BuildError, Edge, Unsupported, canonical};
use sundry_sat::Limits;
use sundry_term::{TermId, TermStore};
use tracing::debug_span;

use super::{Engine, WORK_OF_CLAUSE};
use crate::inputs::InputFacts;
use crate::theory::Theories;
use crate::theory::arrays_and_functions::SymbolBits;

/// The number of times that the circuit is built again because its assertions determine inputs.
const REBUILDS: usize = 4;

impl Engine {
    /// Asserts formulas for ever, normalised together. Definitions among them eliminate symbols,
    /// so this comes first: later assertions go through [`assert`](Self::assert).
    ///
    /// # Errors
    /// An operation whose circuit is too large, a term that is [`Unsupported`], or the control has ended.
    ///
    /// # Panics
    /// When terms were given to the engine before, or literals asked for.
    pub fn assert_initial(&mut self, store: &mut TermStore, assertions: &[TermId]) -> Result<(), BuildError> {
        let _span = debug_span!("assert", assertions = assertions.len()).entered();
        assert_eq!(self.aig.node_count(), Aig::new().node_count(), "initial assertions come first");
        self.theories.note(store, assertions, &self.control)?;
        Unsupported::find(store, assertions, |_| false, &self.theories, &self.control)?;
        let rest = debug_span!("rewrite").in_scope(|| self.normaliser.assert_all(store, assertions))?;
        self.eliminated = self.normaliser.definitions(store)?;
        let mut asserted = self.blast_initial(store, &rest)?;
        for _ in 0..REBUILDS {
            if !self.replace_determined_inputs(store, &asserted) {
                break;
            }
            asserted = self.blast_initial(store, &rest)?;
        }
        let options = self.options.for_theories(&self.theories);
        if options.sat != self.options.sat {
            self.sat = options.backend.start(&options.sat);
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

    /// The edges of assertions, before any clause is added to the SAT solver.
    fn blast_initial(&mut self, store: &TermStore, assertions: &[TermId]) -> Result<Vec<Edge>, BuildError> {
        let _span = debug_span!("circuit").entered();
        self.theories.note(store, assertions, &self.control)?;
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
        self.theories = Theories::new(&self.options);
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
            let values = canonical(&mut self.aig, store.sort(store.sort_of(term)), bits.to_vec());
            self.blaster.define(store, term, &values);
            self.theories.arrays_and_functions.add_symbol(store, symbol, bits);
        }
        true
    }
}

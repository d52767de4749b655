//! Engines that start where another one is, on any thread.

use std::cell::Cell;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use sundry_circuit::{Aig, Blaster, CnfEncoder, Edge, Simulation};
use sundry_sat::{Cnf, Options as SatOptions, Var};
use sundry_term::{Control, Stopped, SymbolId, TermId};

use super::{Engine, EngineOptions, EngineStatistics, WORK_OF_CLAUSE};
use crate::normalise::Normaliser;
use crate::theory::Theories;
use crate::theory::arrays_and_functions::Extent;

/// The knowledge of an engine without its SAT solver. Unlike engines, a replica can go to another thread.
pub struct Replica {
    options: EngineOptions,
    clauses: Cnf,
    normaliser: Normaliser,
    aig: Aig,
    blaster: Blaster,
    theories: Theories,
    cnf: CnfEncoder,
    found: Simulation,
    contradiction: bool,
    asserted: Vec<Edge>,
    given_out: FxHashMap<Var, Edge>,
    constrained: BTreeSet<Edge>,
    extent_of_found: Option<Extent>,
    eliminated: Vec<(SymbolId, TermId)>,
}

impl Replica {
    /// An engine that knows the same, with other options of its SAT solver and under a control of its own. Literals mean the same in both as long as neither gets
    /// new ones. Phases head for the last assignment of the first engine.
    ///
    /// # Errors
    /// The reason for stopping before all clauses were handed over.
    pub fn start(self, sat: SatOptions, control: &Control) -> Result<Engine, Stopped> {
        let options = EngineOptions { sat, ..self.options }.for_theories(&self.theories);
        let mut sat = options.backend.start(&options.sat);
        for _ in 0..self.clauses.var_count() {
            sat.new_var();
        }
        for clause in self.clauses.clauses() {
            control.spend(WORK_OF_CLAUSE)?;
            sat.add_clause(clause);
        }
        let mut engine = Engine {
            normaliser: self.normaliser,
            aig: self.aig,
            blaster: self.blaster,
            theories: self.theories,
            cnf: self.cnf,
            sat,
            propagator: None,
            options,
            found: self.found,
            candidate: Simulation::default(),
            prefers_candidate: false,
            contradiction: self.contradiction,
            asserted: self.asserted,
            given_out: self.given_out,
            constrained: self.constrained,
            extent_of_found: self.extent_of_found,
            is_observed: false,
            undecided: None,
            read: Cell::new(0),
            eliminated: self.eliminated,
            statistics: EngineStatistics::default(),
            control: Control::default(),
        };
        engine.set_control(control);
        engine.prefer_last_assignment();
        Ok(engine)
    }
}

impl Engine {
    /// Makes a replica, from which another engine with the same assertions, circuit and lemmas can start. `None` if the
    /// SAT solver has simplified the clauses.
    pub fn replica(&mut self) -> Option<Replica> {
        Some(Replica {
            options: self.options.clone(),
            clauses: self.sat.clauses()?,
            normaliser: self.normaliser.clone(),
            aig: self.aig.clone(),
            blaster: self.blaster.clone(),
            theories: self.theories.clone(),
            cnf: self.cnf.clone(),
            found: self.found.clone(),
            contradiction: self.contradiction,
            asserted: self.asserted.clone(),
            given_out: self.given_out.clone(),
            constrained: self.constrained.clone(),
            extent_of_found: self.extent_of_found,
            eliminated: self.eliminated.clone(),
        })
    }
}

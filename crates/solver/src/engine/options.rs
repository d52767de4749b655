//! Options of an engine.

use sundry_sat::{Backend, Options as SatOptions, ReusedTrail, Turns};

use crate::theory::{Theories, Theory};

/// The options of an [`Engine`](super::Engine).
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Options of the SAT solver.
    pub sat: SatOptions,
    /// The SAT solver behind the engine: CaDiCaL, or whatever else has its traits, such as a decorator that records calls.
    pub backend: Backend,
    /// The number of additions from which products, and the width from which divisions, are left open and refined by
    /// lemmas; `None` leaves none open. Until they are refined, an assignment of the circuit may give them any value.
    pub open_products: Option<usize>,
    /// Whether the engine has its own theory of integers and reals. Without it, numbers belong to further theories, or are unsupported.
    pub has_numbers: bool,
    /// Whether bounds of numbers are propagated while the SAT solver searches.
    pub propagates_bounds: bool,
    /// Whether the search for the next candidate goes on where that for the last one ended, if bounds are propagated.
    pub keeps_search: bool,
    /// The number of low bits that integers have where bits of integers are asked for.
    pub integer_bits: u32,
    /// Theories besides those that the engine has: arrays and functions, numbers, open products, and distinct words.
    pub theories: Vec<Box<dyn Theory>>,
}

impl Default for EngineOptions {
    /// The usual options of CaDiCaL, with wide products left open.
    fn default() -> Self {
        EngineOptions {
            sat: SatOptions::default(),
            backend: Backend::default(),
            open_products: Some(EngineOptions::WIDE_PRODUCT),
            has_numbers: true,
            propagates_bounds: true,
            keeps_search: false,
            integer_bits: EngineOptions::INTEGER_BITS,
            theories: Vec::new(),
        }
    }
}

impl EngineOptions {
    /// The number of bits that integers of programs have most often.
    pub const INTEGER_BITS: u32 = 64;

    /// The number of additions from which on it pays to leave products open.
    pub const WIDE_PRODUCT: usize = 33;

    /// Options for sequences of easy calls.
    pub fn for_many_calls() -> Self {
        EngineOptions {
            sat: SatOptions::for_many_calls(),
            propagates_bounds: false,
            ..EngineOptions::default()
        }
    }

    /// These options, but for one question that may be hard, on one SAT solver with this seed.
    pub fn for_one_hard_question(&self, seed: u64) -> Self {
        let sat = SatOptions { seed: (seed % (1 << 30)) as u32, ..SatOptions::default() };
        EngineOptions { sat, propagates_bounds: true, keeps_search: true, ..self.clone() }
    }

    /// Options for single questions, which may be hard: SAT solvers with different options take turns where one of them takes long.
    pub fn for_single_questions() -> Self {
        let backend = Backend::new(|options| Box::new(Turns::new(options)));
        EngineOptions { backend, keeps_search: true, ..EngineOptions::default() }
    }

    /// These options as the theories need them.
    ///
    /// There are no trivial assignments where many words may have to be different, since one candidate after the
    /// other would make some of them equal, and where operations are open, since phases lead near the last candidate.
    ///
    /// Where bounds of numbers are propagated, the search for the next candidate may go on where that for the last one ended: candidates have values
    /// for thousands of bounds, of which lemmas concern a small number. Not so where candidates are repaired by phases, which have no effect then.
    ///
    /// Where there are arrays too, there are no phases of quick restarts, in which the newest variables are decided first: these are comparisons of indices, of
    /// which most do not matter.
    pub(super) fn for_theories(&self, theories: &Theories) -> EngineOptions {
        let mut options = self.clone();
        options.sat.lucky &= !theories.heed_phases();
        if self.keeps_search && self.propagates_bounds && theories.need_no_phases() {
            options.sat.reused_trail = ReusedTrail::Everything;
            options.sat.stabilize_only |= theories.arrays_and_functions.has_arrays();
        }
        options
    }
}

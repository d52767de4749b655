//! Options of CaDiCaL's search. They can only be set before the first clause.

use std::fmt;

use cadical_sys::CaDiCal;

/// Options of a [`Cadical`](crate::Cadical) solver. The default is CaDiCaL's own for single
/// problems; sequences of many easy calls may gain from others.
///
/// CaDiCaL also reads its options from environment variables `CADICAL_<OPTION>`; those given here
/// win over them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Seed of the solver's own random choices.
    pub seed: u32,
    /// Value that decisions try first for variables without a phase.
    pub initial_phase: bool,
    /// Try the initial phase always, instead of the value the variable had last.
    pub force_initial_phase: bool,
    /// Whether to try a few trivial assignments before the search. These ignore phases.
    pub lucky: bool,
    /// Local search for phases to continue with.
    pub walk: bool,
    /// Reset saved phases now and then.
    pub rephase: bool,
    /// Simplify during search (elimination, probing, subsumption, vivification, …).
    pub inprocessing: bool,
    /// Probe-like techniques among inprocessing.
    pub probing: bool,
    /// Bounded variable elimination.
    pub elimination: bool,
    /// Chronological backtracking.
    pub chronological: bool,
    /// Only the search mode that targets satisfiable formulas.
    pub stabilize_only: bool,
    /// Remove satisfied clauses when eliminated ones are restored.
    pub restore_flush: bool,
    /// What is kept of the trail from one call to the next.
    pub reused_trail: ReusedTrail,
    /// Move clauses into an arena, ordered by their use, whenever some are removed. While that
    /// happens all of them are there twice.
    pub arena: bool,
    /// Further options by CaDiCaL's own names. They win over those above.
    pub others: Vec<NamedOption>,
}

/// The part of a trail with which the next call begins.
///
/// Source: Hickey & Bacchus, *Speeding Up Assumption-Based SAT* (SAT 2019).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ReusedTrail {
    /// All decisions are made again.
    Nothing = 0,
    /// The leading assumptions that the calls have in common, with what follows from them.
    Assumptions = 1,
    /// All decisions that new clauses and assumptions allow. Phases that were set since they were made have no effect on them.
    Everything = 2,
}

/// An option by CaDiCaL's own name, with its value. It exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedOption {
    name: String,
    value: i32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 0,
            initial_phase: true,
            force_initial_phase: false,
            lucky: true,
            walk: true,
            rephase: true,
            inprocessing: true,
            probing: true,
            elimination: true,
            chronological: true,
            stabilize_only: false,
            restore_flush: false,
            reused_trail: ReusedTrail::Nothing,
            arena: true,
            others: Vec::new(),
        }
    }
}

/// CaDiCaL has no option of this name that may be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOption(pub String);

impl fmt::Display for UnknownOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CaDiCaL has no option '{}'", self.0)
    }
}

impl std::error::Error for UnknownOption {}

impl NamedOption {
    /// The option of this name. Values out of its range count as the nearest in it.
    ///
    /// # Errors
    /// The name is not an option, or is one that this crate sets itself (`factor`: new variables of the
    /// solver's own would collide with the caller's).
    pub fn new(name: &str, value: i32) -> Result<Self, UnknownOption> {
        if !CaDiCal::is_valid_option(name) || name.starts_with("factor") {
            return Err(UnknownOption(name.into()));
        }
        Ok(NamedOption { name: name.into(), value })
    }
}

impl Options {
    /// Options for long sequences of easy calls with phases, as sampling makes them: no trivial
    /// assignments, which ignore the phases, and no inprocessing, which pays back in hard calls
    /// only. Measured on three satisfiable formulas of 20,000 to 200,000 variables, with random
    /// phases for each call: from about the time of the default options (a handful of conflicts per call)
    /// down to a quarter of it (hundreds of conflicts per call, with a constraint).
    ///
    /// The trail of shared assumptions is kept from call to call, and backtracking is never
    /// chronological. Measured over 20 s of sampling: on a 256-bit multiplication 65 AST-bits stay
    /// undecided instead of 307, on a circuit of millions of gates none instead of thousands; easy
    /// formulas take the same time.
    ///
    /// Clauses stay where they are: an arena made sampling 17 formulas no faster (it took 1.04 times
    /// as long in the geometric mean), and one of 16 million clauses took 4.2 GiB instead of 3.1.
    pub fn for_many_calls() -> Self {
        Options {
            lucky: false,
            inprocessing: false,
            chronological: false,
            reused_trail: ReusedTrail::Assumptions,
            arena: false,
            ..Options::default()
        }
    }

    pub(crate) fn apply(&self, solver: &mut CaDiCal) {
        let seed = i32::try_from(self.seed % 2_000_000_000).expect("below the limit");
        let named = [
            ("seed", seed),
            ("phase", self.initial_phase.into()),
            ("forcephase", self.force_initial_phase.into()),
            ("lucky", self.lucky.into()),
            ("walk", self.walk.into()),
            ("rephase", self.rephase.into()),
            ("inprocessing", self.inprocessing.into()),
            ("inprobing", self.probing.into()),
            ("elim", self.elimination.into()),
            ("fastelim", self.elimination.into()),
            ("chrono", self.chronological.into()),
            ("stabilizeonly", self.stabilize_only.into()),
            ("restoreflush", self.restore_flush.into()),
            ("ilb", self.reused_trail as i32),
            ("arena", self.arena.into()),
            // Bounded variable addition makes variables of the solver's own, whose numbers the
            // caller would have to skip.
            ("factor", 0),
        ];
        for (name, value) in named {
            assert!(solver.set(name, value), "CaDiCaL lost its option '{name}'");
        }
        for NamedOption { name, value } in &self.others {
            assert!(solver.set(name, *value), "CaDiCaL lost its option '{name}'");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_option_exists() {
        let mut solver = CaDiCal::new();
        let others = vec![NamedOption::new("restartint", 10).expect("an option")];
        Options { seed: 7, lucky: false, others, ..Options::default() }.apply(&mut solver);
        assert_eq!(solver.get("seed"), 7);
        assert_eq!(solver.get("lucky"), 0);
        assert_eq!(solver.get("elim"), 1);
        assert_eq!(solver.get("restartint"), 10);
    }

    #[test]
    fn defaults_are_those_of_the_solver() {
        let mut plain = CaDiCal::new();
        let mut ours = CaDiCal::new();
        Options::default().apply(&mut ours);
        for name in ["phase", "forcephase", "lucky", "walk", "inprocessing", "inprobing", "elim", "chrono"] {
            assert_eq!(plain.get(name), ours.get(name), "{name}");
        }
        for name in ["rephase", "fastelim", "stabilizeonly", "restoreflush", "ilb", "arena", "seed", "factor"]
        {
            assert_eq!(plain.get(name), ours.get(name), "{name}");
        }
    }

    #[test]
    fn unknown_options_are_refused() {
        assert_eq!(NamedOption::new("nonsense", 1), Err(UnknownOption("nonsense".into())));
        assert!(NamedOption::new("factor", 1).is_err());
    }
}

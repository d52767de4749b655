//! The record of the work on one seed, whatever is known of it.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use sundry_external::Respondent;

use crate::campaign::novelty::Novelty;
use crate::campaign::repeats::Repeats;
use crate::campaign::tally::Tally;
use crate::judge::defect::Witness;
use crate::judge::finding::Reduction;
use crate::judge::oracle::Examination;
use crate::options::configured::Configured;

/// The record of the work on a seed: its findings, its novelties and its tally.
#[derive(Debug, Default)]
pub struct Ledger {
    /// The name of the seed.
    pub(crate) name: String,
    /// A hash of the text of the seed, by which random choices differ from seed to seed.
    pub(crate) hash: u64,
    /// The work since the tally was last taken.
    pub(crate) tally: Tally,
    /// The solvers under test that do not decide the seed, with the reason.
    pub(crate) undecided: BTreeMap<String, String>,
    /// The findings so far.
    pub(crate) seen: Repeats,
    /// The mutants that brought something new so far.
    pub(crate) novelty: Novelty,
    /// Whether a finding could not be followed up to its end.
    pub(crate) is_cut_short: bool,
}

impl Ledger {
    /// The ledger of a seed on which nothing was done yet.
    pub(crate) fn new(name: String, text: &str) -> Ledger {
        Ledger { name, hash: FxBuildHasher.hash_one(text), ..Ledger::default() }
    }

    /// Whether the last defects of this kind, with one of the options of the solver or with all of them, were all alike.
    pub(crate) fn is_known_with(&self, solver: &Configured<'_>, examination: &Examination) -> bool {
        let single = solver.options.iter().map(|option| Configured::new(solver.solver, vec![option.clone()]));
        let mut all = single.chain([solver.clone()]);
        all.any(|configured| !self.seen.is_worthwhile(configured.name(), examination))
    }

    /// Notes a defect of a solver that was followed up, with its witness on the smallest script. Returns whether the work was interrupted
    /// before the script was reduced to its end: then nothing is noted, for another run follows it up.
    pub(crate) fn note_followed_up(
        &mut self,
        solver: &str,
        examination: &Examination,
        witness: &Witness,
        reduction: Option<&Reduction>,
        is_interrupted: bool,
    ) -> bool {
        let is_reduced = reduction.is_some_and(|reduction| reduction.is_finished);
        let is_cut_short = witness.confirms(&examination.defect) && !is_reduced && is_interrupted;
        if !is_cut_short {
            let operators = reduction.map_or("", |reduction| &reduction.skeleton);
            self.seen.note(solver, examination, operators);
        }
        is_cut_short
    }
}

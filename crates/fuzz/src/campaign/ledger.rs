//! The record of the work on one seed, whatever is known of it.

use std::collections::BTreeMap;

use crate::campaign::novelty::Novelty;
use crate::campaign::repeats::Repeats;
use crate::campaign::tally::Tally;
use crate::judge::defect::Witness;
use crate::judge::finding::Reduction;
use crate::judge::oracle::Examination;

/// What is kept of the work on a seed.
#[derive(Debug, Default)]
pub struct Ledger {
    /// The name of the seed.
    pub(crate) name: String,
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
    pub(crate) fn new(name: String) -> Ledger {
        Ledger { name, ..Ledger::default() }
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

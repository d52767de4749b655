//! The course of a campaign: figures of its turns, and what solvers say of its seeds. Pages of results show them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sundry_external::{Reply, Respondent, Verdict};

use crate::campaign::work::LeftOut;
use crate::judge::finding::word;
use crate::judge::tree::is_refused;

/// Replies of solvers, by their last answers.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Answers {
    /// Replies that end with `sat`.
    pub sat: usize,
    /// Replies that end with `unsat`.
    pub unsat: usize,
    /// Replies by which a solver refuses the script.
    pub refused: usize,
    /// Other replies: unknown, out of time or memory, crashes.
    pub undecided: usize,
}

impl Answers {
    /// Counts a reply.
    pub(crate) fn note(&mut self, reply: &Reply) {
        match word(reply) {
            Ok(Verdict::Sat) => self.sat += 1,
            Ok(_) => self.unsat += 1,
            Err(_) if is_refused(reply) => self.refused += 1,
            Err(_) => self.undecided += 1,
        }
    }
}

impl std::ops::AddAssign for Answers {
    fn add_assign(&mut self, other: Answers) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.refused += other.refused;
        self.undecided += other.undecided;
    }
}

/// A seed as the solvers find it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Standing {
    /// Whether the seed is satisfiable, if that is known.
    pub status: Option<Verdict>,
    /// The reason for which the seed has no mutants, if it has none.
    pub left_out: Option<LeftOut>,
    /// The solvers under test that do not decide the seed, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub undecided: BTreeMap<String, String>,
}

/// Figures at the end of a turn.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Moment {
    /// Seconds since the beginning of the campaign, without the time between its runs.
    pub seconds: f64,
    /// Seconds from the beginning of 1970 to the end of the turn; journals of earlier versions do not have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// The number of mutants of the turn.
    pub mutants: usize,
    /// The number of confirmed defects so far.
    pub defects: usize,
    /// The answers of the turn, by strategy.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Answers>,
    /// The seed, if the turn is its first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
}

/// The solvers whose replies decide nothing, each with the reason in a few words.
pub(crate) fn undecided<'s>(
    replies: impl Iterator<Item = (&'s dyn Respondent, &'s Reply)>,
) -> BTreeMap<String, String> {
    const LONGEST: usize = 200;
    let reason = |reply: &Reply| match word(reply) {
        Ok(_) => None,
        Err(None) => Some("unknown".to_string()),
        Err(Some(fault)) => {
            let text = fault.to_string();
            Some(text.lines().next().unwrap_or_default().chars().take(LONGEST).collect())
        }
    };
    replies.filter_map(|(solver, reply)| Some((solver.name().to_string(), reason(reply)?))).collect()
}

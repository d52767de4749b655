//! Replies that a seed has not brought before: they show that its mutants reach something new in a solver.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use sundry_external::{Fault, Reply, Respondent, Verdict};

/// The different replies to the mutants of one seed, each with the number of the first mutant that brought it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Novelty {
    /// Hashes of replies, in the order in which they came.
    seen: Vec<(u64, usize)>,
}

impl Novelty {
    /// Whether no mutant brought anything yet.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Whether a mutant brought something new.
    pub(crate) fn is_from(&self, mutant: usize) -> bool {
        self.seen.iter().any(|&(_, first)| first == mutant)
    }

    /// Notes the replies of solvers to a mutant. Whether one of them, or all together, are new.
    ///
    /// Runs that a limit ended depend on the machine, so they are not replies.
    pub(crate) fn note(&mut self, mutant: usize, replies: &[(&dyn Respondent, &Reply)]) -> bool {
        let hasher = FxBuildHasher;
        let all: Vec<Option<Vec<Verdict>>> = replies.iter().map(|(_, reply)| verdicts(reply)).collect();
        let mut hashes = vec![hasher.hash_one(&all)];
        for ((solver, reply), verdicts) in replies.iter().zip(&all) {
            if let Some(verdicts) = verdicts {
                hashes.push(hasher.hash_one((solver.name(), verdicts, words(reply))));
            }
        }
        let before = self.seen.len();
        for hash in hashes {
            if self.seen.iter().all(|&(seen, _)| seen != hash) {
                self.seen.push((hash, mutant));
            }
        }
        self.seen.len() > before
    }
}

/// The verdicts of a reply; `None` if a limit ended the run.
fn verdicts(reply: &Reply) -> Option<Vec<Verdict>> {
    let is_cut = matches!(reply.fault, Some(Fault::Timeout | Fault::Memory | Fault::Interrupted));
    (!is_cut).then(|| reply.answers().iter().map(|answer| answer.verdict).collect())
}

/// The text of a reply beside its verdicts: an error or a crash, without numbers and quoted names.
fn words(reply: &Reply) -> String {
    let text = match (&reply.fault, &reply.error) {
        (Some(Fault::Crash(signature)), _) => signature,
        (_, Some(error)) => error,
        _ => return String::new(),
    };
    let line = text.lines().next().unwrap_or_default();
    line.chars()
        .filter(|character| !character.is_ascii_digit())
        .take_while(|&it| it != '\'' && it != '|')
        .collect()
}

//! Replies that a seed has not brought before: they show that its mutants reach something new in a solver.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hash};

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};
use sundry_external::{Fault, Reply, Respondent, Verdict};

use crate::mutate::shares::Outcome;

/// Processor time, in milliseconds, below which all runs are of one class.
const SHORT: u128 = 64;

/// The different observations on the mutants of one seed, each with the number of the first mutant that brought it: answers, errors
/// and crashes, what was executed where the solver [counts](sundry_external::Counted) that, and classes of time where these are
/// wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Observations", into = "Observations")]
pub struct Novelty {
    /// The first mutants of observations, by hashes of these.
    seen: FxHashMap<u32, usize>,
    /// The mutants that brought something.
    mutants: BTreeSet<usize>,
    /// The mutants on which a limit ended a solver.
    limited: BTreeSet<usize>,
}

impl Novelty {
    /// Whether no mutant brought anything yet, and no limit ended a solver.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.limited.is_empty()
    }

    /// The number of mutants that brought something new.
    pub fn mutants(&self) -> usize {
        self.mutants.len()
    }

    /// The outcome of a mutant: one that is not noted brought nothing.
    pub(crate) fn outcome_of(&self, mutant: usize) -> Outcome {
        Outcome { is_new: self.mutants.contains(&mutant), is_limited: self.limited.contains(&mutant) }
    }

    /// The observations that mutants after this one brought.
    pub(crate) fn after(&self, mutant: usize) -> Novelty {
        let seen = self.seen.iter().filter(|&(_, &first)| first > mutant);
        let later = |mutants: &BTreeSet<usize>| mutants.range(mutant + 1..).copied().collect();
        Novelty {
            seen: seen.map(|(&hash, &first)| (hash, first)).collect(),
            mutants: later(&self.mutants),
            limited: later(&self.limited),
        }
    }

    /// Adds what later mutants brought.
    pub(crate) fn extend(&mut self, later: Novelty) {
        for (hash, mutant) in later.seen {
            self.seen.entry(hash).or_insert(mutant);
        }
        self.mutants.extend(later.mutants);
        self.limited.extend(later.limited);
    }

    /// Notes the replies of solvers to a mutant, with their classes of time if `has_times`. The mutant brought something new if one of
    /// the replies, or all together, are new.
    ///
    /// Runs that a limit ended depend on the machine, so that they are not replies, and have no part in what is new.
    pub(crate) fn note(
        &mut self,
        mutant: usize,
        replies: &[(&dyn Respondent, &Reply)],
        has_times: bool,
    ) -> Outcome {
        let before = self.seen.len();
        let mut note = |hash: u32| {
            self.seen.entry(hash).or_insert(mutant);
        };
        let all: Vec<Option<Vec<Verdict>>> = replies.iter().map(|(_, reply)| verdicts(reply)).collect();
        if all.iter().all(Option::is_some) {
            note(hash(&all));
        }
        for ((solver, reply), verdicts) in replies.iter().zip(&all) {
            if has_times {
                note(hash((solver.name(), "time", time_class(reply))));
            }
            if let Some(verdicts) = verdicts {
                note(hash((solver.name(), verdicts, words(reply))));
                let executed = reply.executed.iter().flatten();
                executed.for_each(|place| note(hash((solver.name(), place))));
            }
        }
        if self.seen.len() > before {
            self.mutants.insert(mutant);
        }
        if replies.iter().any(|(_, reply)| reply.is_cut()) {
            self.limited.insert(mutant);
        }
        self.outcome_of(mutant)
    }
}

/// Mutants with what they brought first; without anything, those on which a limit ended a solver.
type Observations = Vec<(usize, Vec<u32>)>;

impl From<Observations> for Novelty {
    fn from(observations: Observations) -> Novelty {
        let mut novelty = Novelty::default();
        for (mutant, hashes) in observations {
            let mutants = if hashes.is_empty() { &mut novelty.limited } else { &mut novelty.mutants };
            mutants.insert(mutant);
            novelty.seen.extend(hashes.into_iter().map(|hash| (hash, mutant)));
        }
        novelty
    }
}

impl From<Novelty> for Observations {
    fn from(novelty: Novelty) -> Observations {
        let mut observations: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for (hash, mutant) in novelty.seen {
            observations.entry(mutant).or_default().push(hash);
        }
        observations.values_mut().for_each(|hashes| hashes.sort_unstable());
        let limited = novelty.limited.into_iter().map(|mutant| (mutant, Vec::new()));
        observations.into_iter().chain(limited).collect()
    }
}

/// Half of a hash is enough for the observations of one seed.
fn hash(observation: impl Hash) -> u32 {
    (FxBuildHasher.hash_one(observation) >> 32) as u32
}

/// The verdicts of a reply; `None` if a limit ended the run.
fn verdicts(reply: &Reply) -> Option<Vec<Verdict>> {
    is_whole(reply).then(|| reply.answers().iter().map(|answer| answer.verdict).collect())
}

fn is_whole(reply: &Reply) -> bool {
    !reply.is_cut() && reply.fault != Some(Fault::Interrupted)
}

/// The class of the time that a run took, in powers of two; `None` if a limit ended the run.
fn time_class(reply: &Reply) -> Option<u32> {
    is_whole(reply).then(|| reply.finished.processor.as_millis().max(SHORT).ilog2())
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sundry_external::{Answer, Finished, Profiles, Solver};

    use super::*;

    fn reply(verdict: Verdict, executed: &[u32], milliseconds: u64) -> Reply {
        let finished = Finished { processor: Duration::from_millis(milliseconds), ..Finished::default() };
        let answers = vec![Answer { verdict, behind: Vec::new() }];
        Reply { answers, error: None, fault: None, executed: Some(executed.to_vec()), finished }
    }

    #[test]
    fn answers_and_what_is_executed_are_new_once() {
        let solver = Solver::new("solver", &Profiles::built_in()).expect("a word");
        let mut novelty = Novelty::default();
        let mut note =
            |mutant, reply: &Reply, has_times| novelty.note(mutant, &[(&solver, reply)], has_times).is_new;
        assert!(note(1, &reply(Verdict::Sat, &[1, 2], 0), false));
        assert!(!note(2, &reply(Verdict::Sat, &[2], 500), false), "nothing new but its time");
        assert!(note(3, &reply(Verdict::Sat, &[2, 3], 0), false));
        assert!(note(4, &reply(Verdict::Unsat, &[], 0), false));
        assert!(note(5, &reply(Verdict::Sat, &[1], 500), true));
        assert!(!note(6, &reply(Verdict::Sat, &[1], 400), true), "a time of the same class");
        let cut = Reply { fault: Some(Fault::Timeout), ..reply(Verdict::Sat, &[7], 9000) };
        assert!(!note(7, &cut, false), "limits depend on the machine");
        assert!(note(8, &cut, true));
        let outcome = |is_new, is_limited| Outcome { is_new, is_limited };
        assert_eq!(novelty.mutants(), 5);
        assert_eq!(
            [2, 3, 7, 8].map(|mutant| novelty.outcome_of(mutant)),
            [outcome(false, false), outcome(true, false), outcome(false, true), outcome(true, true)]
        );
        let text = serde_json::to_string(&novelty.after(3)).expect("numbers");
        let mut read: Novelty = serde_json::from_str(&text).expect("a map");
        assert!(read.outcome_of(4).is_new && !read.outcome_of(3).is_new, "{text}");
        let mut earlier = novelty.clone();
        earlier.seen.retain(|_, first| *first <= 3);
        earlier.mutants.retain(|first| *first <= 3);
        earlier.limited.clear();
        earlier.extend(std::mem::take(&mut read));
        assert_eq!(earlier, novelty);
    }
}

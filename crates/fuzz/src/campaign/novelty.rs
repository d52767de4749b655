//! Replies that a seed has not brought before: they show that its mutants reach something new in a solver.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hash};

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};
use sundry_external::{Fault, Reply, Respondent, Verdict};

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
}

impl Novelty {
    /// Whether no mutant brought anything yet.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// The number of mutants that brought something new.
    pub fn mutants(&self) -> usize {
        self.mutants.len()
    }

    /// Whether a mutant brought something new.
    pub(crate) fn is_from(&self, mutant: usize) -> bool {
        self.mutants.contains(&mutant)
    }

    /// The observations that mutants after this one brought.
    pub(crate) fn after(&self, mutant: usize) -> Novelty {
        let seen = self.seen.iter().filter(|&(_, &first)| first > mutant);
        let mutants = self.mutants.range(mutant + 1..);
        Novelty {
            seen: seen.map(|(&hash, &first)| (hash, first)).collect(),
            mutants: mutants.copied().collect(),
        }
    }

    /// Adds what later mutants brought.
    pub(crate) fn extend(&mut self, later: Novelty) {
        for (hash, mutant) in later.seen {
            self.seen.entry(hash).or_insert(mutant);
        }
        self.mutants.extend(later.mutants);
    }

    /// Notes the replies of solvers to a mutant, with their classes of time if `has_times`. Whether one of them, or all together, are
    /// new.
    ///
    /// Runs that a limit ended depend on the machine, so that they are not replies, and have no part in what is new.
    pub(crate) fn note(
        &mut self,
        mutant: usize,
        replies: &[(&dyn Respondent, &Reply)],
        has_times: bool,
    ) -> bool {
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
        let is_new = self.seen.len() > before;
        if is_new {
            self.mutants.insert(mutant);
        }
        is_new
    }
}

/// Mutants with what they brought first.
type Observations = Vec<(usize, Vec<u32>)>;

impl From<Observations> for Novelty {
    fn from(observations: Observations) -> Novelty {
        let mut novelty = Novelty::default();
        for (mutant, hashes) in observations {
            novelty.mutants.insert(mutant);
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
        observations.into_iter().collect()
    }
}

/// Half of a hash is enough for the observations of one seed.
fn hash(observation: impl Hash) -> u32 {
    (FxBuildHasher.hash_one(observation) >> 32) as u32
}

/// The verdicts of a reply; `None` if a limit ended the run.
fn verdicts(reply: &Reply) -> Option<Vec<Verdict>> {
    (!is_cut(reply)).then(|| reply.answers().iter().map(|answer| answer.verdict).collect())
}

fn is_cut(reply: &Reply) -> bool {
    matches!(reply.fault, Some(Fault::Timeout | Fault::Memory | Fault::Interrupted))
}

/// The class of the time that a run took, in powers of two; `None` if a limit ended the run.
fn time_class(reply: &Reply) -> Option<u32> {
    (!is_cut(reply)).then(|| reply.finished.processor.as_millis().max(SHORT).ilog2())
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
            |mutant, reply: &Reply, has_times| novelty.note(mutant, &[(&solver, reply)], has_times);
        assert!(note(1, &reply(Verdict::Sat, &[1, 2], 0), false));
        assert!(!note(2, &reply(Verdict::Sat, &[2], 500), false), "nothing new but its time");
        assert!(note(3, &reply(Verdict::Sat, &[2, 3], 0), false));
        assert!(note(4, &reply(Verdict::Unsat, &[], 0), false));
        assert!(note(5, &reply(Verdict::Sat, &[1], 500), true));
        assert!(!note(6, &reply(Verdict::Sat, &[1], 400), true), "a time of the same class");
        let cut = Reply { fault: Some(Fault::Timeout), ..reply(Verdict::Sat, &[7], 9000) };
        assert!(!note(7, &cut, false), "limits depend on the machine");
        assert!(note(8, &cut, true));
        assert_eq!((novelty.mutants(), novelty.is_from(3), novelty.is_from(2)), (5, true, false));
        let text = serde_json::to_string(&novelty.after(3)).expect("numbers");
        let mut read: Novelty = serde_json::from_str(&text).expect("a map");
        assert!(read.is_from(4) && !read.is_from(3), "{text}");
        let mut earlier = novelty.clone();
        earlier.seen.retain(|_, first| *first <= 3);
        earlier.mutants.retain(|first| *first <= 3);
        earlier.extend(std::mem::take(&mut read));
        assert_eq!(earlier, novelty);
    }
}

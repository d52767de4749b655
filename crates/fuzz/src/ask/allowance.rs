//! The time that a solver may take for a mutant.

use std::time::Duration;

use sundry_external::{Fault, Limits, Reply};

/// The usual allowance: this multiple of the time for the seed, but no less than this minimum, because most defects
/// show quickly.
const LONG: (u32, Duration) = (10, Duration::from_secs(1));
/// The allowance of a solver that has spent too much time without an answer.
const SHORT: (u32, Duration) = (3, Duration::from_millis(200));
/// The factor from the processor time that a solver may take to the time from its start to its end, which is longer
/// where others work on the same machine.
const WALL_FACTOR: u32 = 5;
/// The time that solvers get beyond that: to start, and to be noticed.
const WALL_SLACK: Duration = Duration::from_secs(1);

/// The time from the start of a solver to its end, given the processor time that it may take.
pub fn wall_time(processor: Duration) -> Duration {
    (processor * WALL_FACTOR).saturating_add(WALL_SLACK)
}

/// The time that a run took: of processors, or a part of the time in which the solver waited.
pub(crate) fn time_of(reply: &Reply) -> Duration {
    reply.finished.processor.max(reply.finished.wall / WALL_FACTOR)
}

/// Limits with less time, or with as much as they have.
pub(crate) fn limits_within(limits: &Limits, time: Duration) -> Limits {
    let processor = time.min(limits.time());
    Limits { processor: Some(processor), wall: wall_time(processor).min(limits.wall), ..limits.clone() }
}

/// The time that a solver may take for each mutant of a seed: less while more of its time went into runs without
/// an answer than into other runs. Most answers take some milliseconds, so that one run without an answer costs the answers to a hundred
/// other mutants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Allowance {
    /// The time for the seed.
    seed: Duration,
    /// The time of runs with an answer.
    answered: Duration,
    /// The time of runs without an answer.
    wasted: Duration,
}

impl Allowance {
    /// The allowance of a solver with this reply to the seed.
    pub(crate) fn new(reply: &Reply) -> Self {
        Allowance { seed: time_of(reply), answered: Duration::ZERO, wasted: Duration::ZERO }
    }

    /// The allowance for the next mutant.
    pub(crate) fn next(&self) -> Duration {
        let time = |(factor, least)| (self.seed * factor).max(least);
        if self.wasted <= self.answered { time(LONG) } else { time(SHORT) }
    }

    /// Takes account of a reply.
    pub(crate) fn note(&mut self, reply: &Reply) {
        match reply.fault {
            Some(Fault::Timeout) => self.wasted += time_of(reply),
            _ => self.answered += time_of(reply),
        }
    }
}

#[cfg(test)]
mod tests {
    use sundry_external::Finished;

    use super::*;

    fn reply(milliseconds: u64, fault: Option<Fault>) -> Reply {
        let finished = Finished { processor: Duration::from_millis(milliseconds), ..Finished::default() };
        Reply { answers: Vec::new(), error: None, fault, executed: None, finished }
    }

    #[test]
    fn whoever_waits_in_vain_gets_less_until_answers_make_up_for_it() {
        let mut allowance = Allowance::new(&reply(20, None));
        assert_eq!(allowance.next(), Duration::from_secs(1));
        allowance.note(&reply(1000, Some(Fault::Timeout)));
        assert_eq!(allowance.next(), Duration::from_millis(200));
        for _ in 0..40 {
            allowance.note(&reply(25, None));
        }
        assert_eq!(allowance.next(), Duration::from_secs(1));
        assert_eq!(Allowance::new(&reply(500, None)).next(), Duration::from_secs(5));
    }
}

//! The time that a solver may take for a mutant.

use std::time::Duration;

use sundry_external::{Fault, Reply};

/// The usual allowance: this multiple of the time for the seed, but no less than this minimum, because most defects
/// show quickly.
const LONG: (u32, Duration) = (10, Duration::from_secs(1));
/// The allowance of a solver that has timed out too often.
const SHORT: (u32, Duration) = (3, Duration::from_millis(200));
/// The number of long allowances that a solver may waste before that is too often.
const GRACE: u32 = 2;

/// The time that a solver may take for each mutant of a seed: less once far more of its time went into runs without
/// an answer than into other runs.
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
    /// The allowance of a solver that took this long for the seed.
    pub(crate) fn new(seed: Duration) -> Self {
        Allowance { seed, answered: Duration::ZERO, wasted: Duration::ZERO }
    }

    /// The allowance for the next mutant.
    pub(crate) fn next(&self) -> Duration {
        let time = |(factor, least)| (self.seed * factor).max(least);
        if self.wasted <= self.answered + time(LONG) * GRACE { time(LONG) } else { time(SHORT) }
    }

    /// Takes account of a reply.
    pub(crate) fn note(&mut self, reply: &Reply) {
        match reply.fault {
            Some(Fault::Timeout) => self.wasted += reply.finished.wall,
            _ => self.answered += reply.finished.wall,
        }
    }
}

#[cfg(test)]
mod tests {
    use sundry_external::Finished;

    use super::*;

    fn reply(milliseconds: u64, fault: Option<Fault>) -> Reply {
        let finished = Finished { wall: Duration::from_millis(milliseconds), ..Finished::default() };
        Reply { answers: Vec::new(), error: None, fault, finished }
    }

    #[test]
    fn whoever_waits_in_vain_gets_less_until_answers_make_up_for_it() {
        let mut allowance = Allowance::new(Duration::from_millis(20));
        for _ in 0..3 {
            assert_eq!(allowance.next(), Duration::from_secs(1));
            allowance.note(&reply(1000, Some(Fault::Timeout)));
        }
        assert_eq!(allowance.next(), Duration::from_millis(200));
        for _ in 0..40 {
            allowance.note(&reply(25, None));
        }
        assert_eq!(allowance.next(), Duration::from_secs(1));
        assert_eq!(Allowance::new(Duration::from_millis(500)).next(), Duration::from_secs(5));
    }
}

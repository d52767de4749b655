//! How long a solver may take for a mutant.

use std::time::Duration;

use sundry_external::{Fault, Reply};

/// As a rule this many times as long as for the seed, and no less than this: defects that show, show soon.
const LONG: (u32, Duration) = (10, Duration::from_secs(1));
/// The same for a solver that has waited in vain for too long.
const SHORT: (u32, Duration) = (3, Duration::from_millis(200));
/// So many times may it wait in vain before that is too long.
const GRACE: u32 = 2;

/// How long a solver may take for each mutant of a seed: less once much more of its time went into runs that ended
/// without an answer than into others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Allowance {
    /// How long it took for the seed.
    seed: Duration,
    /// How long it took for answers.
    answered: Duration,
    /// How long it took for nothing.
    wasted: Duration,
}

impl Allowance {
    /// Of a solver that took this long for the seed.
    pub(crate) fn new(seed: Duration) -> Self {
        Allowance { seed, answered: Duration::ZERO, wasted: Duration::ZERO }
    }

    /// For the next mutant.
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

//! The time that goes into reducing seeds on which a solver is slow.
//!
//! Each script on which the solver is slow, too, takes all the time that the solver has for one. With a folder of hard seeds, a campaign would do little else.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The part of the time of a campaign that goes into reducing such seeds, at most.
const SHARE: u32 = 10;

/// The time that there is for them in any case.
const GRACE: Duration = Duration::from_secs(60);

/// The time that a campaign has spent.
#[derive(Debug)]
pub struct SlowTime {
    start: Instant,
    spent: Mutex<Duration>,
}

impl Default for SlowTime {
    /// The time of a campaign that begins now.
    fn default() -> SlowTime {
        SlowTime { start: Instant::now(), spent: Mutex::default() }
    }
}

impl SlowTime {
    /// The time that there is for a seed, of this time at most.
    pub(crate) fn allowance(&self, most: Duration) -> Duration {
        let spent = *self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        most.min((self.start.elapsed() / SHARE).max(GRACE).saturating_sub(spent))
    }

    /// Takes account of time for a seed.
    pub(crate) fn spend(&self, time: Duration) {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner) += time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_spent_is_not_there_any_more() {
        let time = SlowTime::default();
        assert_eq!(time.allowance(Duration::from_secs(10)), Duration::from_secs(10));
        time.spend(Duration::from_secs(55));
        assert!(time.allowance(Duration::from_secs(10)) < Duration::from_secs(10));
        time.spend(Duration::from_secs(600));
        assert_eq!(time.allowance(Duration::from_secs(10)), Duration::ZERO);
    }
}

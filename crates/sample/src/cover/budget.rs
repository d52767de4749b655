//! The budget of each part of the work: covering has no limit, the rest gets work in proportion to it.
//!
//! Work is divided by its purpose: *covering* finds solutions for what can be decided with
//! ordinary patience; *deciding* comes back to AST-bits that were set aside as too hard; *improving* makes
//! the set smaller and proves that it is small. [`Effort`] says how much the last two may take.

use crate::effort::Effort;
use crate::strategy::Purpose;

/// The work so far, by purpose, in ticks of the strategy's clock.
pub(super) struct Budget {
    effort: Effort,
    purpose: Purpose,
    /// The clock when work for this purpose began.
    since: u64,
    covering: u64,
    deciding: u64,
    improving: u64,
}

impl Budget {
    /// The budget before any work, which begins with covering.
    pub(super) fn new(effort: Effort) -> Self {
        Budget { effort, purpose: Purpose::Covering, since: 0, covering: 0, deciding: 0, improving: 0 }
    }

    /// Continues the work for another purpose.
    pub(super) fn turn_to(&mut self, purpose: Purpose, clock: u64) {
        self.spend(clock - self.since);
        self.purpose = purpose;
        self.since = clock;
    }

    /// Counts work for the present purpose that the clock does not show, since another solver did it.
    pub(super) fn spend(&mut self, ticks: u64) {
        match self.purpose {
            Purpose::Covering => self.covering += ticks,
            Purpose::Deciding => self.deciding += ticks,
            Purpose::Improving => self.improving += ticks,
        }
    }

    /// The effort of this run.
    pub(super) fn effort(&self) -> Effort {
        self.effort
    }

    /// The work that the present purpose may still take; `None` means no limit.
    pub(super) fn left(&self, clock: u64) -> Option<u64> {
        let (allowed, spent) = match self.purpose {
            Purpose::Covering => return None,
            Purpose::Deciding => (self.effort.for_deciding(self.covering), self.deciding),
            Purpose::Improving => (self.effort.for_improving(self.covering + self.deciding), self.improving),
        };
        allowed.map(|allowed| allowed.saturating_sub(spent + (clock - self.since)))
    }

    /// The time for which covering may continue without any success, given the clock at the last one; `None` means no
    /// limit.
    pub(super) fn fruitless(&self, last_success: u64) -> Option<u64> {
        self.effort.for_deciding(last_success)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::SECOND;

    /// The work of covering after which improving and deciding may take as much.
    const ENOUGH: u64 = 5 * SECOND;

    #[test]
    fn covering_has_no_limit_and_what_follows_has_one() {
        let mut budget = Budget::new(Effort::Normal);
        assert_eq!(budget.left(ENOUGH), None);
        budget.turn_to(Purpose::Improving, ENOUGH);
        assert_eq!(budget.left(ENOUGH), Some(ENOUGH));
        assert_eq!(budget.left(ENOUGH + 5), Some(ENOUGH - 5));
        budget.turn_to(Purpose::Deciding, ENOUGH + 5);
        assert_eq!(budget.left(ENOUGH + 5), Some(ENOUGH));
        // What improving has taken before counts.
        budget.turn_to(Purpose::Improving, ENOUGH + 12);
        assert_eq!(budget.left(ENOUGH + 12), Some(ENOUGH - 5));
        assert_eq!(budget.left(1 << 50), Some(0));
    }

    #[test]
    fn the_greatest_effort_has_no_limit() {
        let mut budget = Budget::new(Effort::Max);
        for purpose in [Purpose::Covering, Purpose::Deciding, Purpose::Improving] {
            budget.turn_to(purpose, 7);
            assert_eq!(budget.left(u64::MAX), None);
        }
    }
}

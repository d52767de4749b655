//! The work that a run may take beyond its first goal.
//!
//! Coverage is complete long before the smallest set is found and proved to be the smallest, and an
//! AST-bit may be undecidable in any reasonable time. A run without an end of its own was rejected: users had to guess
//! a time limit, and a minute was spent on a set that was complete after a second. So the work after completeness is
//! proportional to the work before it. Work is counted in ticks, which are the same on every machine, so that results
//! are, too.

/// The effort of a run in looking for a smaller set, for a proof, and for undecided AST-bits.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Effort {
    /// A moment: for large batches, and where the first complete set is good enough.
    Low,
    /// Work for as long again as completeness took, but more than two seconds in any case, and about five at most.
    #[default]
    Normal,
    /// Several times as long as completeness took, and some ten seconds in any case.
    High,
    /// Work until everything is decided, or nothing helps any more.
    Max,
}

/// Ticks of about a second; on formulas that fit no cache, of two.
pub(crate) const SECOND: u64 = 55_000_000;

impl Effort {
    /// All efforts, the least first.
    pub const ALL: [Effort; 4] = [Effort::Low, Effort::Normal, Effort::High, Effort::Max];

    /// The word on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Low => "low",
            Effort::Normal => "normal",
            Effort::High => "high",
            Effort::Max => "max",
        }
    }

    /// Ticks that improving and proving a set may take, given the ticks until it was complete. None: no limit.
    pub(crate) fn for_improving(self, until_complete: u64) -> Option<u64> {
        match self {
            Effort::Low => Some((until_complete / 4).clamp(SECOND / 10, SECOND)),
            Effort::Normal => Some(until_complete.clamp(9 * SECOND / 4, 5 * SECOND)),
            Effort::High => Some((4 * until_complete).max(10 * SECOND)),
            Effort::Max => None,
        }
    }

    /// Ticks that AST-bits may take that could not be decided at the first attempt, given the ticks of all
    /// work before. None: no limit.
    pub(crate) fn for_deciding(self, before: u64) -> Option<u64> {
        match self {
            Effort::Low => Some((before / 2).clamp(SECOND, 5 * SECOND)),
            Effort::Normal => Some(before.clamp(5 * SECOND, 10 * SECOND)),
            Effort::High => Some((4 * before).max(30 * SECOND)),
            Effort::Max => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_effort_is_more_work() {
        for before in [0, 1_000, SECOND, 100 * SECOND] {
            for efforts in Effort::ALL.windows(2) {
                let of = |ticks: Option<u64>| ticks.unwrap_or(u64::MAX);
                assert!(of(efforts[0].for_improving(before)) < of(efforts[1].for_improving(before)));
                assert!(of(efforts[0].for_deciding(before)) < of(efforts[1].for_deciding(before)));
            }
        }
    }
}

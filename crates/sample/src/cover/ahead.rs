//! Growing ahead of classification: a solution with a target not yet known to be possible.
//!
//! Classification asks about one target at a time, and may be stuck with that while others are easy. So where no target
//! known to be possible is left to grow, growing asks its own solver for any open target. The work wasted on this is
//! bounded by a part of the work for which growing has waited.

use sundry_coverage::BitSet;
use sundry_solver::Verdict;

use super::Cover;
use super::grow::Growth;
use crate::targets::Target;

/// The credit before growing has waited, in ticks.
const FIRST: u64 = 4_000_000;
/// Less credit than this is not worth a question.
const LEAST: u64 = 1_000_000;
/// The number of ticks of waiting that earn one tick of credit.
const TICKS_TO_WAIT: u64 = 8;

/// The ticks that growing may spend looking ahead without success.
pub(super) struct Credit(u64);

impl Default for Credit {
    fn default() -> Self {
        Credit(FIRST)
    }
}

impl Credit {
    /// The ticks of the next question, if they are enough for one.
    pub(super) fn available(&self) -> Option<u64> {
        (self.0 >= LEAST).then_some(self.0)
    }

    /// Adds what waiting for this number of ticks of classification earns.
    pub(super) fn earn(&mut self, ticks: u64) {
        self.0 += ticks / TICKS_TO_WAIT;
    }

    fn spend(&mut self) {
        self.0 = 0;
    }
}

impl Cover<'_> {
    /// Looks for a solution with any of these targets, none of which is known to be possible.
    pub(super) fn grow_ahead(&mut self, open: &BitSet) -> Growth {
        let Some(ticks) = self.credit.available() else { return Growth::Unclassified };
        let wanted: Vec<Target> = open.iter().map(Target::from_index).collect();
        self.prefer_open(open);
        match self.search(&[], &wanted, ticks) {
            Verdict::Sat => self.extend_to_member(None, wanted),
            Verdict::Unsat => {
                self.learn_impossible(open.clone());
                if self.open().is_empty() { Growth::Complete } else { Growth::OutOfPatience }
            }
            Verdict::Unknown => {
                self.credit.spend();
                Growth::Unclassified
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::Control;

    use super::super::tests::{cover, entangled, grown, reads};
    use super::*;
    use crate::strategy::Goal;

    #[test]
    fn looking_ahead_of_classification_is_enough_by_itself() {
        for problem in [entangled(), reads()] {
            let expected = grown(&problem, 0, &Control::default());
            let mut cover = cover(&problem, Goal::default(), 0);
            loop {
                let open = cover.open();
                match if open.is_empty() { Growth::Complete } else { cover.grow_ahead(&open) } {
                    Growth::Member(member) => cover.add(member),
                    Growth::Complete => break,
                    _ => panic!("the formula is easy"),
                }
            }
            assert_eq!(cover.covered, expected.covered);
            assert_eq!(cover.known.impossible, expected.known.impossible);
        }
    }

    #[test]
    fn growing_does_not_look_ahead_without_credit() {
        let problem = entangled();
        let mut cover = cover(&problem, Goal::default(), 0);
        assert_eq!(cover.credit.available(), Some(FIRST));
        cover.credit = Credit(LEAST - 1);
        let before = cover.steering.clock();
        assert_eq!(cover.credit.available(), None);
        assert!(matches!(cover.grow_ahead(&cover.open()), Growth::Unclassified));
        assert_eq!(cover.steering.clock(), before);
        cover.credit.earn(TICKS_TO_WAIT);
        assert_eq!(cover.credit.available(), Some(LEAST));
    }
}

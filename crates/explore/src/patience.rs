//! The steps that a run may take, once some run had no end.
//!
//! A program that loops without end for one input mostly does so for many. If each of them took the whole budget of steps, nothing else would be found. So from the first
//! such run on, others are cut when they take many times as long as the longest run with an end. An error without an end that is not known yet is still shown by the whole budget.
//!
//! Endless loops also make a decision in each turn. The branches of the first ones are open, and not those of all: they are as many as the run may have, and each question about one
//! has all conditions before it.

use crate::run::{Run, RunEnd};

/// The factor from the steps of the longest run with an end to those of a run that is not cut.
const GROWTH: u64 = 64;

/// The steps that every run may take.
const LEAST: u64 = 1_000_000;

/// The same factor for decisions.
const GROWTH_OF_DECISIONS: usize = 4;

/// The decisions that count in every run.
const LEAST_DECISIONS: usize = 256;

/// The steps that runs may take, and the decisions that count of one without an end.
pub struct Patience {
    /// The whole budget.
    pub most_steps: u64,
    /// The steps of the longest run with an end.
    longest: u64,
    /// The most decisions of a run with an end.
    most_decisions: usize,
    has_seen_no_end: bool,
}

impl Patience {
    /// The whole budget for each run.
    pub fn new(most_steps: u64) -> Patience {
        Patience { most_steps, longest: 0, most_decisions: 0, has_seen_no_end: false }
    }

    /// The steps that the next run may take.
    pub fn steps(&self) -> u64 {
        match self.has_seen_no_end {
            true => self.longest.saturating_mul(GROWTH).max(LEAST).min(self.most_steps),
            false => self.most_steps,
        }
    }

    /// The decisions that count of a run without an end.
    pub fn decisions(&self) -> usize {
        self.most_decisions.saturating_mul(GROWTH_OF_DECISIONS).max(LEAST_DECISIONS)
    }

    /// Takes note of a run with so many decisions.
    pub fn note(&mut self, run: &Run, decisions: usize) {
        if run.end == RunEnd::Steps {
            self.has_seen_no_end = true;
        } else {
            self.longest = self.longest.max(run.steps);
            self.most_decisions = self.most_decisions.max(decisions);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Output;

    #[test]
    fn runs_are_cut_once_some_run_had_no_end() {
        let run = |end, steps| Run {
            end,
            edges: Vec::new(),
            path: 0,
            steps,
            stack: Vec::new(),
            output: Output::default(),
            overflow: None,
        };
        let mut patience = Patience::new(100_000_000);
        patience.note(&run(RunEnd::Returned, 30_000), 90);
        assert_eq!((patience.steps(), patience.decisions()), (100_000_000, 4 * 90));
        patience.note(&run(RunEnd::Steps, 100_000_000), 20_000);
        assert_eq!(patience.steps(), 64 * 30_000);
        patience.note(&run(RunEnd::Returned, 90_000_000), 1);
        assert_eq!((patience.steps(), patience.decisions()), (100_000_000, 4 * 90));
    }
}

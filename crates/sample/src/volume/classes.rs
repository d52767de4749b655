//! The baselines of the GuidedSampler paper: solutions of random classes, one for each call of the solver.
//!
//! BH asks for a class as a hard constraint, so that the class may be empty; BS takes what it can of it (a soft
//! constraint). Source: Dutra, Bachrach & Sen, *GuidedSampler: Coverage-guided Sampling of SMT Solutions* (FMCAD 2019).

use std::convert::Infallible;
use std::ops::ControlFlow;

use sundry_solver::Verdict;
use tracing::debug_span;

use super::epoch::Differences;
use super::sampler::{Flow, Sampler};
use crate::strategy::StopReason;

/// The number of classes in a row, at least half of all, without new solutions that ends the run: random classes often
/// have no solution.
const PATIENCE: u32 = 16_384;

/// The demand on a random class.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Baseline {
    /// The whole class (BH).
    Hard,
    /// As much of the class as some solution has (BS).
    Soft,
}

impl Sampler<'_> {
    /// Draws classes until nothing new is found.
    pub(super) fn draw_classes(&mut self, baseline: Baseline) -> ControlFlow<StopReason, Infallible> {
        let mut fruitless = 0;
        loop {
            let unique = self.statistics.unique;
            self.draw_class(baseline)?;
            fruitless = if self.statistics.unique > unique { 0 } else { fruitless + 1 };
            if fruitless >= PATIENCE && 2 * u64::from(fruitless) >= self.statistics.epochs {
                return ControlFlow::Break(StopReason::NothingNew);
            }
        }
    }

    fn draw_class(&mut self, baseline: Baseline) -> Flow {
        let _span = debug_span!("class").entered();
        self.begin_epoch()?;
        let found = match baseline {
            Baseline::Hard => self.finder.of_random_class(&mut self.random),
            Baseline::Soft => self.finder.base_of_random_class(&mut self.random),
        };
        let mut model = match found {
            Ok(model) => model,
            // A random class may be empty, or hard.
            Err(_) if baseline == Baseline::Hard => return ControlFlow::Continue(()),
            Err(Verdict::Unsat) => return ControlFlow::Break(StopReason::Unsatisfiable),
            Err(_) => return ControlFlow::Break(self.control().reason().into()),
        };
        self.lay_out(&mut model);
        self.rebase(&model);
        let mut alone = Differences::new(self.layout.width());
        alone.push(self.base.iter().map(|_| 0));
        self.report(&alone, 1)?;
        ControlFlow::Continue(())
    }
}

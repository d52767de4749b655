//! Every solution once ([`VolumeStrategy::All`](super::VolumeStrategy::All)): a walk over the values of constants.

use std::convert::Infallible;
use std::ops::ControlFlow;

use sundry_lanes::LANES;
use sundry_solver::Verdict;
use tracing::debug_span;

use super::sampler::{Flow, Sampler};
use crate::enumeration::Enumeration;
use crate::strategy::StopReason;

impl Sampler<'_> {
    /// Walks over all solutions.
    pub(super) fn report_all(
        &mut self,
        enumeration: &mut Enumeration,
    ) -> ControlFlow<StopReason, Infallible> {
        loop {
            self.walk(enumeration, usize::MAX, true)?;
        }
    }

    /// Reports at most `most` further solutions of a walk, without those reported before; a walk that is `alone` has
    /// reported all of them itself. The run ends where no further solution exists.
    pub(super) fn walk(&mut self, enumeration: &mut Enumeration, most: usize, alone: bool) -> Flow {
        let _span = debug_span!("walk").entered();
        let mut batch = 1;
        let mut count = 0;
        while count < most {
            self.check_time()?;
            let mut models = Vec::new();
            let mut end = None;
            while models.len() < batch && end.is_none() {
                match self.finder.formula.next_of(enumeration, None) {
                    Ok(model) => models.push(model),
                    Err(Verdict::Unsat) => end = Some(StopReason::Complete),
                    Err(_) if self.control().stopped() => end = Some(self.control().reason().into()),
                    // A theory that is not complete could not decide.
                    Err(_) => end = Some(StopReason::Effort),
                }
            }
            self.report_models(&mut models, alone)?;
            if let Some(reason) = end {
                return ControlFlow::Break(reason);
            }
            count += models.len();
            // The first come soon, and the others with little to do for each.
            batch = LANES.min(2 * batch);
        }
        ControlFlow::Continue(())
    }
}

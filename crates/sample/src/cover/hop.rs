//! Hops between solutions that satisfy the formula for different reasons, where walks alone stay within one of them.

use super::Cover;
use crate::formula_engine::FormulaEngine;
use crate::hopper::{Hop, Hopper};
use crate::problem::Rejection;

/// Solutions of hops in succession that show nothing new, at which hopping ends.
const IN_VAIN: u32 = 32;
/// Hops, at most.
const MOST: u32 = 4096;

/// Hops, as long as they show something new.
pub(super) struct Hopping {
    hopper: Hopper,
    hops: u32,
    /// The solutions since the last one that showed something new.
    in_vain: u32,
}

impl Hopping {
    /// Hops from the solution that this engine has found.
    pub(super) fn from(finder: FormulaEngine) -> Hopping {
        Hopping { hopper: Hopper::new(finder), hops: 0, in_vain: 0 }
    }
}

impl Cover<'_> {
    /// Takes one more hop, from where a walk begins. Returns whether hopping goes on; otherwise, what was not shown is asked for in the engine of hops.
    ///
    /// # Errors
    /// As for [`walk_from`](Self::walk_from).
    pub(super) fn hop(&mut self) -> Result<bool, Rejection> {
        let Some(mut hopping) = self.near.hopping.take() else { return Ok(false) };
        let is_over = hopping.in_vain >= IN_VAIN || hopping.hops >= MOST;
        let hop = if is_over || self.steering.control().stopped() || self.knows_enough() {
            Hop::Over
        } else {
            let before = hopping.hopper.work();
            let hop = hopping.hopper.hop(&mut self.near.random);
            self.steering.count_work(hopping.hopper.work() - before);
            hopping.hops += 1;
            hop
        };
        match hop {
            Hop::Over => {
                self.begin_asking(hopping.hopper.into_formula());
                return Ok(false);
            }
            Hop::Failed => {}
            Hop::Model(model) => {
                hopping.in_vain += 1;
                let (member, is_new) = self.visit(*model)?;
                if is_new {
                    hopping.in_vain = 0;
                    self.walk_from(&member.solution)?;
                }
            }
        }
        self.near.hopping = Some(hopping);
        Ok(true)
    }
}

//! Passes over the prefixes of a set that reach the levels, each of which is to get shorter.

use std::cmp::Ordering;

use super::member::Member;
use crate::prefixes::{self, PerLevel};
use crate::problem::Rejection;

/// Prefixes of two cannot be shortened: one solution covers half of all AST-bits.
const SHORTEST: usize = 2;

/// Whoever has a way to shorten a prefix.
pub(super) trait Shorten {
    /// The number of members in greedy order that reach each level.
    fn lengths(&self) -> PerLevel<usize>;

    /// The set.
    fn members(&mut self) -> &mut Vec<Member>;

    /// Whether there is to be no further attempt.
    fn is_over(&self) -> bool;

    /// Tries, in the pass of this number, to reach levels that take `length` members, of these lengths, with fewer. Whether
    /// any member was replaced.
    fn attempt(&mut self, length: usize, lengths: &PerLevel<usize>, pass: u32) -> Result<bool, Rejection>;

    /// Passes over the prefixes until `idle_passes` passes in a row have no gain. A pass that makes the set worse
    /// altogether is undone. Returns whether any member was replaced.
    fn shorten_all(&mut self, idle_passes: u32) -> Result<bool, Rejection> {
        let mut lengths = self.lengths();
        let (mut changed, mut idle, mut pass) = (false, 0, 0);
        while idle < idle_passes {
            idle += 1;
            // The longest first: bounds on what little they miss are small.
            let mut length = usize::MAX;
            while let Some(next) = next_below(&lengths, length) {
                length = next;
                if self.is_over() {
                    return Ok(changed);
                }
                let before = self.members().clone();
                let is_new = self.attempt(length, &lengths, pass)?;
                let shortened = self.lengths();
                match prefixes::product(&shortened).cmp(&prefixes::product(&lengths)) {
                    Ordering::Greater => {
                        *self.members() = before;
                        continue;
                    }
                    Ordering::Equal => {}
                    Ordering::Less => idle = 0,
                }
                changed |= is_new;
                lengths = shortened;
            }
            pass += 1;
        }
        Ok(changed)
    }
}

/// The greatest length below this one that may be shortened.
fn next_below(lengths: &PerLevel<usize>, length: usize) -> Option<usize> {
    lengths.iter().copied().filter(|next| (SHORTEST + 1..length).contains(next)).max()
}

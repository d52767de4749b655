//! The memory of an exploration, and what is done where it grows.
//!
//! Memory is counted, not measured, so that an exploration has the same tests on all machines. Where it has doubled, a *collection* removes what no open branch needs:
//! nodes of the tree beyond which everything is known, their inputs, and terms that no node refers to. Where more is left than may be, branches are given up, and counted.
//! Circuits and clauses of solvers are not counted: a solver begins anew after some number of them.

use super::Explorer;
use crate::solve::Knowledge;

/// The memory of the fingerprint of an input, and of the number of a path.
const BYTES_OF_INPUT: usize = 20;
const BYTES_OF_PATH: usize = 10;

impl Explorer<'_> {
    /// The memory of what grows with the number of runs, about.
    fn bytes(&self) -> u64 {
        let numbers = self.waiting.known_count() * BYTES_OF_INPUT + self.known_paths.len() * BYTES_OF_PATH;
        (self.tree.bytes() + self.frontier.bytes() + self.knowledge.bytes() + numbers) as u64
    }

    /// Collects if memory has grown enough, and gives up branches where that does not suffice.
    pub(super) fn bound_memory(&mut self) {
        let bytes = self.bytes();
        self.statistics.most_bytes = self.statistics.most_bytes.max(bytes);
        if bytes < self.next_collection {
            return;
        }
        self.collect();
        let most = self.options.most_bytes;
        // With less than this, the next collection does not follow at once.
        let enough = most / 4 * 3;
        while most < u64::MAX && self.bytes() > enough && self.give_up_some() > 0 {
            self.collect();
        }
        let (bytes, first) = (self.bytes(), self.options.first_collection);
        let doubled = if first == 0 { 0 } else { bytes.saturating_mul(2).max(first) };
        self.next_collection = if bytes < most { doubled.min(most) } else { doubled };
    }

    /// Removes everything that no open branch needs.
    fn collect(&mut self) {
        self.statistics.collections += 1;
        let numbers = self.tree.prune();
        self.frontier.renumber(&self.tree, &numbers);
        let put_off = self.put_off.drain(..);
        self.put_off = put_off.filter_map(|(branch, ticks)| Some((numbers.branch(branch)?, ticks))).collect();
        self.statistics.overtaken += self.waiting.renumber(&numbers);
        Knowledge::between_rounds(&mut self.knowledge).collect(self.tree.conditions_mut().collect());
    }

    /// Gives up a quarter of the branches, those that were put off first. Returns their number.
    fn give_up_some(&mut self) -> usize {
        let count = (self.frontier.len() + self.put_off.len()).div_ceil(4);
        let put_off = self.put_off.drain(..count.min(self.put_off.len())).map(|(branch, _)| branch);
        let mut branches: Vec<_> = put_off.collect();
        branches.extend(self.frontier.take_last(count - branches.len()));
        branches.iter().for_each(|&branch| self.tree.give_up(branch));
        self.statistics.given_up += branches.len() as u64;
        branches.len()
    }
}

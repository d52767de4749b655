//! Branches that are given up where memory is scarce, and new numbers of those that stay.

use super::{Frontier, Rank, StrategyKind};
use crate::tree::{OpenBranch, Renumbered, Tree};

/// The memory of a branch in the frontier.
const BYTES_OF_BRANCH: usize = 24;

impl Frontier<'_> {
    /// Takes out this number of branches, if there are so many: those that the strategy would choose last, as far as it has an order.
    pub fn take_last(&mut self, count: usize) -> Vec<OpenBranch> {
        match self.strategy {
            StrategyKind::DepthFirst | StrategyKind::RandomState => {
                self.stack.drain(..count.min(self.stack.len())).collect()
            }
            StrategyKind::BreadthFirst => std::iter::from_fn(|| self.queue.pop_last())
                .take(count)
                .map(|(_, _, branch)| branch)
                .collect(),
            StrategyKind::RandomCoverNew | StrategyKind::Coverage => {
                let mut taken = Vec::new();
                while taken.len() < count
                    && let Some(&rank) = self.ranked.last()
                {
                    let group = self.groups.get_mut(&rank.3).expect("ranked groups exist");
                    let rest = group.branches.len().saturating_sub(count - taken.len());
                    taken.extend(group.branches.drain(rest..).map(|(branch, _)| branch));
                    if group.branches.is_empty() {
                        self.unrank(rank);
                    }
                }
                taken
            }
        }
    }

    /// Follows the new numbers of nodes, and leaves out branches that are not open any more.
    pub fn renumber(&mut self, tree: &Tree, numbers: &Renumbered) {
        let open = |branch| numbers.branch(branch).filter(|&branch| tree.is_open(branch));
        self.stack = self.stack.drain(..).filter_map(open).collect();
        let queue = std::mem::take(&mut self.queue).into_iter();
        self.queue = queue.filter_map(|(depth, order, branch)| Some((depth, order, open(branch)?))).collect();
        let mut emptied: Vec<Rank> = Vec::new();
        for (&direction, group) in &mut self.groups {
            let had_branches = !group.branches.is_empty();
            let branches = group.branches.drain(..);
            group.branches = branches.filter_map(|(branch, cost)| Some((open(branch)?, cost))).collect();
            if had_branches && group.branches.is_empty() {
                emptied.push(group.rank(direction));
            }
        }
        for rank in emptied {
            self.unrank(rank);
        }
    }

    /// The memory of the branches, about.
    pub fn bytes(&self) -> usize {
        self.len() * BYTES_OF_BRANCH
    }
}

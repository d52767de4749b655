//! Pruning: nodes beyond which nothing is open make room.
//!
//! A branch is settled where runs have taken it and everything beyond it is settled too, impossible, or given up. No question and no new path leads there any more, so
//! that a mark is all that has to be known. The nodes that are left get new numbers, in the order of the old ones.

use sundry_term::TermId;

use super::{Beyond, Node, NodeId, OpenBranch, Outcome, Tree};

/// The new numbers of nodes.
pub struct Renumbered(Vec<Option<NodeId>>);

impl Renumbered {
    /// A branch with the new number of its node; none if the node is no more.
    pub fn branch(&self, branch: OpenBranch) -> Option<OpenBranch> {
        self.0[branch.node as usize].map(|node| OpenBranch { node, ..branch })
    }
}

impl Tree {
    /// Removes the nodes beyond settled branches, and inputs that reach no node any more. The root stays.
    pub fn prune(&mut self) -> Renumbered {
        let is_done = |outcome: &Outcome| {
            matches!(
                outcome.beyond,
                Beyond::Impossible | Beyond::GivenUp | Beyond::Settled | Beyond::Explored(None)
            )
        };
        // Nodes that follow others have greater numbers.
        for number in (1..self.nodes.len()).rev() {
            let node = &self.nodes[number];
            if node.outcomes.iter().all(is_done)
                && let Some((parent, outcome)) = node.parent
            {
                self.nodes[parent as usize].outcomes[outcome as usize].beyond = Beyond::Settled;
            }
        }
        let mut numbers: Vec<Option<NodeId>> = vec![None; self.nodes.len()];
        let mut kept = Vec::new();
        for (old, mut node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            // A node is left if its parent is and still leads to it, which is known from the parent's new number.
            if let Some((parent, outcome)) = node.parent {
                let Some(parent) = numbers[parent as usize] else { continue };
                let number = kept.len() as NodeId;
                let before: &mut Node = &mut kept[parent as usize];
                let beyond = &mut before.outcomes[outcome as usize].beyond;
                if *beyond == Beyond::Settled {
                    continue;
                }
                *beyond = Beyond::Explored(Some(number));
                node.parent = Some((parent, outcome));
            }
            numbers[old] = Some(kept.len() as NodeId);
            kept.push(node);
        }
        kept.shrink_to_fit();
        self.nodes = kept;
        let mut is_needed = vec![false; self.runs as usize];
        for node in &self.nodes {
            is_needed[node.input as usize] = true;
        }
        self.inputs.retain(|&number, _| is_needed[number as usize]);
        self.inputs.shrink_to_fit();
        self.recount();
        Renumbered(numbers)
    }

    /// Gives up a branch that is open or was tried in vain.
    pub fn give_up(&mut self, branch: OpenBranch) {
        let outcome = &mut self.nodes[branch.node as usize].outcomes[branch.outcome as usize];
        if matches!(outcome.beyond, Beyond::Open | Beyond::Tried) {
            outcome.beyond = Beyond::GivenUp;
        }
    }

    /// All conditions of the nodes.
    pub fn conditions_mut(&mut self) -> impl Iterator<Item = &mut TermId> {
        self.nodes.iter_mut().flat_map(|node| &mut node.outcomes).flat_map(|outcome| {
            let more = outcome.more.iter_mut().flat_map(|more| &mut more.0);
            std::iter::once(&mut outcome.condition).chain(more)
        })
    }
}

//! The execution tree: decisions that depend on the input, and what is known beyond each outcome.
//!
//! A node is a decision after a sequence of outcomes. Its edges have conditions, so that the path condition of an open branch is read off on the way to the root, and no path
//! needs a list of its own.

mod pruning;

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use sundry_term::TermId;

use crate::input::{Input, PackedInput};
use crate::symbolic::{Decision, OTHERS};

pub use pruning::Renumbered;

/// The number of a node.
pub type NodeId = u32;

/// The knowledge of an outcome.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Beyond {
    /// Nobody has been there.
    Open,
    /// The solver has been asked, and no input is known.
    Tried,
    /// No input goes there.
    Impossible,
    /// Nobody will ask about it any more.
    GivenUp,
    /// A run has been there; the node that follows, if any run has decided anything there.
    Explored(Option<NodeId>),
    /// Runs have been there, and nothing beyond is open. The nodes are gone.
    Settled,
}

struct Outcome {
    outcome: u64,
    condition: TermId,
    /// Further conditions of the outcome that stands for all others.
    more: Option<Box<Further>>,
    beyond: Beyond,
}

/// Further conditions, which few outcomes have.
#[derive(Default)]
struct Further(Vec<TermId>);

struct Node {
    place: u32,
    depth: u32,
    parent: Option<(NodeId, u32)>,
    /// The number of an input that reaches the node.
    input: u32,
    outcomes: SmallVec<[Outcome; 2]>,
}

/// A branch that some run has passed and none has taken.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpenBranch {
    /// The decision.
    pub node: NodeId,
    /// The outcome, by its position among those of the node.
    pub outcome: u32,
}

/// The decisions of all runs so far.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Inputs that reach nodes, by the numbers of their runs from 0 on.
    inputs: FxHashMap<u32, PackedInput>,
    runs: u32,
    paths: u64,
    /// The number of outcomes for which nodes have no room of their own.
    spilled: usize,
    /// The number of further conditions.
    further: usize,
    /// The number of bytes of all inputs.
    input_bytes: usize,
}

/// The memory of an entry in the list of inputs besides its bytes.
const BYTES_OF_INPUT: usize = 48;

/// The memory of a further condition.
const BYTES_OF_FURTHER: usize = 16;

impl Tree {
    /// Adds the decisions of a run with an input. Returns the branches that it opens, in their order, and whether the path is new.
    pub fn add(&mut self, input: &Input, decisions: &[Decision]) -> (Vec<OpenBranch>, bool) {
        let mut opened = Vec::new();
        let mut is_new = self.paths == 0;
        let number = self.runs;
        let mut parent: Option<(NodeId, u32)> = None;
        let mut makes_nodes = false;
        for (depth, decision) in decisions.iter().enumerate() {
            let known = match parent {
                None => (!self.nodes.is_empty()).then_some(0),
                Some((node, outcome)) => match self.nodes[node as usize].outcomes[outcome as usize].beyond {
                    Beyond::Explored(next) => next,
                    // All that follows is known.
                    Beyond::Settled => break,
                    _ => None,
                },
            };
            let node = known.unwrap_or_else(|| {
                (is_new, makes_nodes) = (true, true);
                let node = self.nodes.len() as NodeId;
                self.nodes.push(Node {
                    place: decision.place,
                    depth: depth as u32,
                    parent,
                    input: number,
                    outcomes: SmallVec::new(),
                });
                if let Some((before, outcome)) = parent {
                    self.nodes[before as usize].outcomes[outcome as usize].beyond =
                        Beyond::Explored(Some(node));
                }
                node
            });
            let outcomes = &mut self.nodes[node as usize].outcomes;
            let before = spilled(outcomes);
            let taken = outcomes.iter().position(|known| known.outcome == decision.outcome);
            for &(outcome, condition) in &decision.alternatives {
                match outcomes.iter().position(|known| known.outcome == outcome) {
                    None => {
                        opened.push(OpenBranch { node, outcome: outcomes.len() as u32 });
                        outcomes.push(Outcome { outcome, condition, more: None, beyond: Beyond::Open });
                    }
                    Some(known) if outcome == OTHERS && taken.is_none() => {
                        // The outcome of this run is none of the others any more.
                        outcomes[known].more.get_or_insert_default().0.push(condition);
                        self.further += 1;
                        outcomes[known].beyond = Beyond::Open;
                        opened.push(OpenBranch { node, outcome: known as u32 });
                    }
                    Some(_) => {}
                }
            }
            let taken = taken.unwrap_or_else(|| {
                let condition = decision.condition;
                outcomes.push(Outcome {
                    outcome: decision.outcome,
                    condition,
                    more: None,
                    beyond: Beyond::Open,
                });
                outcomes.len() - 1
            });
            if !matches!(outcomes[taken].beyond, Beyond::Explored(_) | Beyond::Settled) {
                outcomes[taken].beyond = Beyond::Explored(None);
                is_new = true;
            }
            self.spilled += spilled(outcomes) - before;
            parent = Some((node, taken as u32));
        }
        self.paths += u64::from(is_new);
        self.runs += 1;
        if makes_nodes {
            let packed = PackedInput::new(input);
            self.input_bytes += packed.len() + BYTES_OF_INPUT;
            self.inputs.insert(number, packed);
        }
        opened.retain(|&branch| self.is_open(branch));
        (opened, is_new)
    }

    /// Whether nobody has taken or tried a branch.
    pub fn is_open(&self, branch: OpenBranch) -> bool {
        self.outcome(branch).beyond == Beyond::Open
    }

    /// Whether a branch has been tried in vain so far.
    pub fn is_tried(&self, branch: OpenBranch) -> bool {
        self.outcome(branch).beyond == Beyond::Tried
    }

    /// Whether a run has taken a branch.
    pub fn is_explored(&self, branch: OpenBranch) -> bool {
        matches!(self.outcome(branch).beyond, Beyond::Explored(_) | Beyond::Settled)
    }

    /// Marks a branch as tried.
    pub fn close(&mut self, branch: OpenBranch) {
        let outcome = &mut self.nodes[branch.node as usize].outcomes[branch.outcome as usize];
        if outcome.beyond == Beyond::Open {
            outcome.beyond = Beyond::Tried;
        }
    }

    /// Marks a branch that was tried as one that no input takes.
    pub fn refute(&mut self, branch: OpenBranch) {
        let outcome = &mut self.nodes[branch.node as usize].outcomes[branch.outcome as usize];
        if outcome.beyond == Beyond::Tried {
            outcome.beyond = Beyond::Impossible;
        }
    }

    fn outcome(&self, branch: OpenBranch) -> &Outcome {
        &self.nodes[branch.node as usize].outcomes[branch.outcome as usize]
    }

    /// The conditions of the path to a branch, the last of which is its own.
    pub fn path_condition(&self, branch: OpenBranch) -> Vec<TermId> {
        let goal = self.outcome(branch);
        let mut conditions = vec![goal.condition];
        conditions.extend(goal.more.iter().flat_map(|more| &more.0));
        let mut node = branch.node;
        while let Some((parent, outcome)) = self.nodes[node as usize].parent {
            conditions.push(self.nodes[parent as usize].outcomes[outcome as usize].condition);
            node = parent;
        }
        conditions.reverse();
        conditions
    }

    /// An input that reaches the decision of a branch.
    pub fn input_to(&self, branch: OpenBranch) -> Input {
        self.inputs[&self.nodes[branch.node as usize].input].unpack()
    }

    /// The number of the run whose input reaches the decision of a branch, from 1 on.
    pub fn run_to(&self, branch: OpenBranch) -> u64 {
        u64::from(self.nodes[branch.node as usize].input) + 1
    }

    /// A number for a branch that depends only on the program: places and outcomes from the branch to the root.
    pub fn key(&self, branch: OpenBranch) -> u64 {
        let goal = self.outcome(branch);
        let mut hasher = FxHasher::default();
        // The outcome that stands for all others is asked for again when a run has taken one more.
        (
            self.nodes[branch.node as usize].place,
            goal.outcome,
            goal.more.as_ref().map_or(0, |more| more.0.len()),
        )
            .hash(&mut hasher);
        let mut node = branch.node;
        while let Some((parent, outcome)) = self.nodes[node as usize].parent {
            let before = &self.nodes[parent as usize];
            (before.place, before.outcomes[outcome as usize].outcome).hash(&mut hasher);
            node = parent;
        }
        hasher.finish()
    }

    /// The number of decisions before a branch.
    pub fn depth(&self, branch: OpenBranch) -> u32 {
        self.nodes[branch.node as usize].depth
    }

    /// The condition of a branch itself.
    pub fn condition(&self, branch: OpenBranch) -> TermId {
        self.outcome(branch).condition
    }

    /// The instruction that decides, and the outcome.
    pub fn place(&self, branch: OpenBranch) -> (u32, u64) {
        (self.nodes[branch.node as usize].place, self.outcome(branch).outcome)
    }

    /// For strategies that walk from the root: nodes beyond the outcomes of a node, and its open branches.
    pub fn children(&self, node: NodeId) -> (Vec<NodeId>, Vec<OpenBranch>) {
        let (mut nodes, mut open) = (Vec::new(), Vec::new());
        for (number, outcome) in self.nodes[node as usize].outcomes.iter().enumerate() {
            match outcome.beyond {
                Beyond::Open => open.push(OpenBranch { node, outcome: number as u32 }),
                Beyond::Explored(Some(next)) => nodes.push(next),
                _ => {}
            }
        }
        (nodes, open)
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The memory of nodes and inputs, about.
    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.len() * size_of::<Node>() + self.spilled * size_of::<Outcome>();
        nodes + self.further * BYTES_OF_FURTHER + self.input_bytes
    }

    /// Counts the memory anew.
    fn recount(&mut self) {
        self.spilled = self.nodes.iter().map(|node| spilled(&node.outcomes)).sum();
        let outcomes = self.nodes.iter().flat_map(|node| &node.outcomes);
        self.further = outcomes.filter_map(|outcome| outcome.more.as_ref()).map(|more| more.0.len()).sum();
        self.input_bytes = self.inputs.values().map(|input| input.len() + BYTES_OF_INPUT).sum();
    }

    /// The number of different paths.
    pub fn paths(&self) -> u64 {
        self.paths
    }
}

/// The number of outcomes that have no room in their node.
fn spilled(outcomes: &SmallVec<[Outcome; 2]>) -> usize {
    if outcomes.spilled() { outcomes.capacity() } else { 0 }
}

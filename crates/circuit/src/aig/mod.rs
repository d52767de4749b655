//! A graph of two-input conjunctions with complemented edges, hashed and simplified while it is
//! built.
//!
//! Equal conjunctions are one node, and an operand's own operands are looked at before a node is
//! made (Brummayer & Biere, *Local two-level And-inverter graph minimization without blowup*,
//! MEMICS 2006): constant, contradictory, subsumed, repeated and substitutable operands disappear
//! at no cost in nodes. Rewriting over more levels or over cuts was left out: it needs fanouts,
//! replaces nodes that others already refer to, and the SAT solver's inprocessing finds most of
//! what it would.
//!
//! Nodes are 8 bytes, and operands have smaller numbers than the node: ascending numbers are a
//! topological order.

mod gates;
mod rules;

use sundry_term::{Control, Stopped};

use crate::edge::Edge;
use rules::{Step, rewrite_asymmetric, rewrite_symmetric};

/// The kind of a node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// Node 0, the constant false.
    Constant,
    /// An input, with its number among the inputs.
    Input(u32),
    /// A conjunction.
    And(Edge, Edge),
}

/// Marks the first word of an input; no operand has this number.
const INPUT: Edge = Edge::from_raw(u32::MAX);

/// Empty slot of the hash table; node 0 is never in it.
const EMPTY: u32 = 0;

/// The work of looking up a conjunction, in the units of [`Control::spend`].
const WORK_OF_LOOK_UP: u32 = 8;

/// An and-inverter graph.
#[derive(Clone)]
pub struct Aig {
    nodes: Vec<[Edge; 2]>,
    /// References by other nodes, saturating.
    fanouts: Vec<u8>,
    inputs: Vec<Edge>,
    /// Open addressing over the conjunctions: numbers of nodes, a power of two of slots, at most
    /// half of them taken.
    table: Vec<u32>,
    conjunctions: usize,
    /// The current construction, if it can be stopped.
    construction: Option<Construction>,
}

/// A construction whose result its owner throws away if it is stopped.
#[derive(Clone)]
struct Construction {
    control: Control,
    stopped: Option<Stopped>,
}

impl Construction {
    fn spend(&mut self, work: u32) {
        if self.stopped.is_none() {
            self.stopped = self.control.spend(work).err();
        }
    }
}

impl Default for Aig {
    fn default() -> Self {
        Aig::new()
    }
}

impl Aig {
    /// A graph of the constants only.
    pub fn new() -> Self {
        Aig {
            nodes: vec![[Edge::FALSE; 2]],
            fanouts: vec![0],
            inputs: Vec::new(),
            table: vec![EMPTY; 1 << 10],
            conjunctions: 0,
            construction: None,
        }
    }

    /// Lets a control stop what is built from now on, up to [`end_construction`](Self::end_construction). Once it has,
    /// every new conjunction is false, so that loops come to their end at once: nothing that was made may be used.
    pub(crate) fn begin_construction(&mut self, control: &Control) {
        self.construction = Some(Construction { control: control.clone(), stopped: None });
    }

    /// Whether what was built since the construction began may be used.
    ///
    /// # Errors
    /// The construction was stopped.
    pub(crate) fn check_construction(&self) -> Result<(), Stopped> {
        self.construction.as_ref().and_then(|construction| construction.stopped).map_or(Ok(()), Err)
    }

    /// Whether the construction was stopped, so that its result can only be thrown away.
    pub(crate) fn is_stopped(&self) -> bool {
        self.check_construction().is_err()
    }

    /// Ends what was begun last: nothing stops what is built from now on.
    pub(crate) fn end_construction(&mut self) {
        self.construction = None;
    }

    /// Builds something that a control may stop.
    ///
    /// # Errors
    /// The construction was stopped, and what was made by then means nothing.
    pub fn construct<T>(
        &mut self,
        control: &Control,
        build: impl FnOnce(&mut Aig) -> T,
    ) -> Result<T, Stopped> {
        self.begin_construction(control);
        let built = build(self);
        let result = self.check_construction();
        self.end_construction();
        result.map(|()| built)
    }

    /// The number of nodes, the constant and inputs included; nodes have the numbers below it.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The number of conjunctions.
    pub fn and_count(&self) -> usize {
        self.conjunctions
    }

    /// The inputs in the order in which they were made.
    pub fn inputs(&self) -> &[Edge] {
        &self.inputs
    }

    /// The kind of a node.
    pub fn kind(&self, node: u32) -> NodeKind {
        match self.nodes[node as usize] {
            [INPUT, number] => NodeKind::Input(number.raw()),
            _ if node == 0 => NodeKind::Constant,
            [left, right] => NodeKind::And(left, right),
        }
    }

    /// The operands, when the node is a conjunction.
    pub fn operands(&self, node: u32) -> Option<(Edge, Edge)> {
        match self.nodes[node as usize] {
            [INPUT, _] => None,
            _ if node == 0 => None,
            [left, right] => Some((left, right)),
        }
    }

    /// The number of operands of other nodes that refer to the node, up to 255.
    pub fn fanout(&self, node: u32) -> u8 {
        self.fanouts[node as usize]
    }

    /// A new input.
    pub fn input(&mut self) -> Edge {
        let number = u32::try_from(self.inputs.len()).expect("inputs are numbered in 32 bits");
        let edge = self.push([INPUT, Edge::from_raw(number)]);
        self.inputs.push(edge);
        edge
    }

    fn push(&mut self, node: [Edge; 2]) -> Edge {
        let number = u32::try_from(self.nodes.len()).expect("nodes are numbered in 31 bits");
        let edge = Edge::from_node(number);
        self.nodes.push(node);
        self.fanouts.push(0);
        edge
    }

    /// The conjunction of two edges.
    pub fn and(&mut self, left: Edge, right: Edge) -> Edge {
        let (mut left, mut right) = (left, right);
        loop {
            // The rules are tried in an order: sorted operands make it that of the nodes.
            (left, right) = (left.min(right), left.max(right));
            match self.rewrite(left, right) {
                Step::Done(edge) => return edge,
                Step::Again(new_left, new_right) => (left, right) = (new_left, new_right),
                Step::Irreducible => return self.find_or_insert(left, right),
            }
        }
    }

    /// One step of simplification. Every step that does not finish replaces an operand by one of its own
    /// operands or that one's complement, so that the steps end.
    fn rewrite(&self, left: Edge, right: Edge) -> Step {
        if left == right || right == Edge::TRUE {
            return Step::Done(left);
        }
        if left == !right || left == Edge::FALSE || right == Edge::FALSE {
            return Step::Done(Edge::FALSE);
        }
        if left == Edge::TRUE {
            return Step::Done(right);
        }
        let (left_operands, right_operands) = (self.operands(left.node()), self.operands(right.node()));
        if let Some(operands) = left_operands {
            let step = rewrite_asymmetric(left, operands, right);
            if !matches!(step, Step::Irreducible) {
                return step;
            }
        }
        if let Some(operands) = right_operands {
            let step = rewrite_asymmetric(right, operands, left);
            if !matches!(step, Step::Irreducible) {
                return step;
            }
        }
        match (left_operands, right_operands) {
            (Some(of_left), Some(of_right)) => rewrite_symmetric(left, of_left, right, of_right),
            _ => Step::Irreducible,
        }
    }

    fn slot(&self, left: Edge, right: Edge) -> usize {
        let key = u64::from(left.raw()) << 32 | u64::from(right.raw());
        // Fibonacci hashing: the high bits of the product depend on all bits of the key.
        let hash = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> (64 - self.table.len().trailing_zeros())) as usize
    }

    fn find_or_insert(&mut self, left: Edge, right: Edge) -> Edge {
        if let Some(construction) = &mut self.construction {
            construction.spend(WORK_OF_LOOK_UP);
            if construction.stopped.is_some() {
                return Edge::FALSE;
            }
        }
        let mask = self.table.len() - 1;
        let mut slot = self.slot(left, right);
        loop {
            match self.table[slot] {
                EMPTY => break,
                node if self.nodes[node as usize] == [left, right] => return Edge::from_node(node),
                _ => slot = (slot + 1) & mask,
            }
        }
        let edge = self.push([left, right]);
        self.table[slot] = edge.node();
        self.conjunctions += 1;
        for operand in [left, right] {
            let fanout = &mut self.fanouts[operand.node() as usize];
            *fanout = fanout.saturating_add(1);
        }
        if self.conjunctions * 2 > self.table.len() {
            self.grow();
        }
        edge
    }

    /// Doubles the table. Where that is stopped, conjunctions are missing in it and may be made a second time: the graph
    /// is larger then, and as right as before.
    fn grow(&mut self) {
        let slots = self.table.len() * 2;
        self.table = vec![EMPTY; slots];
        for node in 1..self.nodes.len() as u32 {
            if let Some((left, right)) = self.operands(node) {
                if let Some(construction) = &mut self.construction {
                    construction.spend(1);
                    if construction.stopped.is_some() {
                        return;
                    }
                }
                let mut slot = self.slot(left, right);
                while self.table[slot] != EMPTY {
                    slot = (slot + 1) & (slots - 1);
                }
                self.table[slot] = node;
            }
        }
    }
}

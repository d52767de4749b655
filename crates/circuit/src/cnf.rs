//! Translation of the graph to clauses, on demand.
//!
//! A node gets a variable, and the clauses that define it in both directions (Tseitin), when a
//! literal in whose cone it lies is first asked for: parts of the graph that are never asked for cost
//! the solver nothing, and a literal's value in a model is always its node's value. Definitions
//! in one direction only (Plaisted & Greenbaum) would be smaller but break the latter.
//!
//! Gates that the graph has to spell out as conjunctions are recognised and get their own clauses
//! without variables for the inner nodes: exclusive or, if-then-else, majority (an adder's carry),
//! and wide conjunctions, which are trees of conjunctions that nothing else refers to (Eén,
//! Mishchenko & Sörensson, *Applying logic synthesis for speeding up SAT*, SAT 2007, go further,
//! to covers by cuts; that loses the direct reading of the arithmetic gates).

use std::collections::VecDeque;

use sundry_sat::{AddClauses, Lit, Var};
use sundry_term::Control;

use crate::aig::Aig;
use crate::edge::Edge;

/// A node as the function that its clauses define.
enum Gate {
    Constant,
    Input,
    /// Exclusive or.
    Xor(Edge, Edge),
    /// Choice by the first edge.
    Ite(Edge, Edge, Edge),
    /// The complement of the majority.
    NotMajority([Edge; 3]),
    /// A conjunction of two or of a tree's leaves.
    And,
}

/// The entry of a node without a variable, in the table of variables.
const NONE: u32 = u32::MAX;

/// The work of defining a node, in the units of [`Control::spend`]: a few clauses.
const WORK_OF_DEFINITION: u32 = 64;

/// The variables of nodes, and how to define them.
#[derive(Clone, Default)]
pub struct CnfEncoder {
    /// The index of each node's variable, by node.
    variables: Vec<u32>,
    encoded: usize,
    /// Nodes that have a variable but no clauses yet. Empty between calls unless they were stopped.
    open: VecDeque<u32>,
    control: Control,
    /// The control has ended the encoding.
    stopped: bool,
    leaves: Vec<Edge>,
    clause: Vec<Lit>,
}

impl CnfEncoder {
    /// Creates an encoder that has encoded nothing yet.
    pub fn new() -> Self {
        CnfEncoder::default()
    }

    /// Sets the control that stops the encoding of cones.
    pub fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
        self.stopped = false;
    }

    /// The number of nodes that have a variable.
    pub fn encoded_count(&self) -> usize {
        self.encoded
    }

    /// The literal of an edge, if it was encoded before.
    pub fn literal_of(&self, edge: Edge) -> Option<Lit> {
        match self.variables.get(edge.node() as usize).copied().unwrap_or(NONE) {
            NONE => None,
            index => Some(Var::from_index(index as usize).literal(!edge.is_complemented())),
        }
    }

    /// Every encoded node, as its positive edge, with its literal.
    pub fn encoded(&self) -> impl Iterator<Item = (Edge, Lit)> + '_ {
        (0..self.variables.len() as u32).filter_map(|node| {
            let edge = Edge::from_node(node);
            self.literal_of(edge).map(|literal| (edge, literal))
        })
    }

    /// The literal of an edge; on first use its cone is added to the solver.
    ///
    /// Variables are numbered breadth first from the root, so that inputs tend to get the largest.
    /// CaDiCaL decides large variables first, all else being equal; beginning at the inputs took
    /// it a third less time on formulas from applications than beginning at the root.
    ///
    /// When the control ends it, part of the cone stays open: see [`finish`](Self::finish).
    pub fn literal(&mut self, aig: &Aig, sat: &mut (impl AddClauses + ?Sized), edge: Edge) -> Lit {
        if let Some(literal) = self.literal_of(edge) {
            return literal;
        }
        if self.variables.len() < aig.node_count() {
            self.variables.resize(aig.node_count(), NONE);
        }
        let literal = self.operand(sat, edge);
        self.finish(aig, sat);
        literal
    }

    /// Encodes what earlier calls left open. Whether every cone is encoded now: if not, the control
    /// has ended that, and assignments of the solver say nothing about the circuit.
    pub fn finish(&mut self, aig: &Aig, sat: &mut (impl AddClauses + ?Sized)) -> bool {
        while !self.stopped {
            let Some(node) = self.open.pop_front() else { return true };
            self.define(aig, sat, node);
            self.stopped = self.control.spend(WORK_OF_DEFINITION).is_err();
        }
        self.open.is_empty()
    }

    /// The literal of an edge that may still have to be defined.
    fn operand(&mut self, sat: &mut (impl AddClauses + ?Sized), edge: Edge) -> Lit {
        if let Some(literal) = self.literal_of(edge) {
            return literal;
        }
        let var = sat.new_var();
        self.variables[edge.node() as usize] = u32::try_from(var.index()).expect("variables are 32-bit");
        self.encoded += 1;
        self.open.push_back(edge.node());
        var.literal(!edge.is_complemented())
    }

    /// Collects the operands of a wide conjunction, through conjunctions that nothing else refers to and
    /// that are not gates of their own.
    fn collect_leaves(&mut self, aig: &Aig, root: u32) {
        self.leaves.clear();
        let mut stack = vec![Edge::from_node(root)];
        while let Some(edge) = stack.pop() {
            let node = edge.node();
            let is_inner = node == root
                || !edge.is_complemented()
                    && aig.fanout(node) <= 1
                    && self.variables[node as usize] == NONE
                    && matches!(gate(aig, node), Gate::And);
            match aig.operands(node) {
                Some((left, right)) if is_inner => stack.extend([right, left]),
                _ => self.leaves.push(edge),
            }
        }
        self.leaves.sort_unstable();
        self.leaves.dedup();
    }

    fn define(&mut self, aig: &Aig, sat: &mut (impl AddClauses + ?Sized), node: u32) {
        let output = self.operand(sat, Edge::from_node(node));
        match gate(aig, node) {
            Gate::Constant => sat.add_clause(&[!output]),
            Gate::Input => {}
            Gate::Xor(a, b) => {
                let (a, b) = (self.operand(sat, a), self.operand(sat, b));
                add_xor(sat, output, a, b);
            }
            Gate::Ite(condition, consequent, alternative) => {
                let condition = self.operand(sat, condition);
                let (consequent, alternative) =
                    (self.operand(sat, consequent), self.operand(sat, alternative));
                add_ite(sat, output, condition, consequent, alternative);
            }
            Gate::NotMajority(edges) => {
                let operands = edges.map(|edge| self.operand(sat, edge));
                add_majority(sat, !output, operands);
            }
            Gate::And => {
                self.collect_leaves(aig, node);
                self.add_and(sat, output);
            }
        }
    }

    /// Defines the output as the conjunction of the collected leaves.
    fn add_and(&mut self, sat: &mut (impl AddClauses + ?Sized), output: Lit) {
        self.clause.clear();
        self.clause.push(output);
        for position in 0..self.leaves.len() {
            let literal = self.operand(sat, self.leaves[position]);
            sat.add_clause(&[!output, literal]);
            self.clause.push(!literal);
        }
        sat.add_clause(&self.clause);
    }
}

fn add_xor(sat: &mut (impl AddClauses + ?Sized), output: Lit, a: Lit, b: Lit) {
    sat.add_clause(&[!output, a, b]);
    sat.add_clause(&[!output, !a, !b]);
    sat.add_clause(&[output, !a, b]);
    sat.add_clause(&[output, a, !b]);
}

fn add_ite(
    sat: &mut (impl AddClauses + ?Sized),
    output: Lit,
    condition: Lit,
    consequent: Lit,
    alternative: Lit,
) {
    sat.add_clause(&[!condition, !consequent, output]);
    sat.add_clause(&[!condition, consequent, !output]);
    sat.add_clause(&[condition, !alternative, output]);
    sat.add_clause(&[condition, alternative, !output]);
    // Implied, but not by propagation: what both branches agree on.
    sat.add_clause(&[!consequent, !alternative, output]);
    sat.add_clause(&[consequent, alternative, !output]);
}

fn add_majority(sat: &mut (impl AddClauses + ?Sized), output: Lit, [a, b, c]: [Lit; 3]) {
    for (left, right) in [(a, b), (a, c), (b, c)] {
        sat.add_clause(&[!left, !right, output]);
        sat.add_clause(&[left, right, !output]);
    }
}

/// The gate that a node represents: the most specific one that its operands' operands show.
fn gate(aig: &Aig, node: u32) -> Gate {
    let Some((left, right)) = aig.operands(node) else {
        return if node == 0 { Gate::Constant } else { Gate::Input };
    };
    if !left.is_complemented() || !right.is_complemented() {
        return Gate::And;
    }
    let (Some(of_left), Some(of_right)) = (aig.operands(left.node()), aig.operands(right.node())) else {
        return Gate::And;
    };
    choice(of_left, of_right)
        .or_else(|| majority(aig, of_left, of_right))
        .or_else(|| majority(aig, of_right, of_left))
        .unwrap_or(Gate::And)
}

/// ¬(c ∧ x) ∧ ¬(¬c ∧ y) chooses ¬x or ¬y by c.
fn choice(of_left: (Edge, Edge), of_right: (Edge, Edge)) -> Option<Gate> {
    let (l, r) = ([of_left.0, of_left.1], [of_right.0, of_right.1]);
    for i in 0..2 {
        for j in 0..2 {
            if l[i] == !r[j] {
                let (condition, consequent, alternative) = (l[i], !l[1 - i], !r[1 - j]);
                return Some(if consequent == !alternative {
                    Gate::Xor(condition, !consequent)
                } else {
                    Gate::Ite(condition, consequent, alternative)
                });
            }
        }
    }
    None
}

/// ¬(a ∧ b) ∧ ¬(c ∧ ¬(¬a ∧ ¬b)): at most one of the three holds.
fn majority(aig: &Aig, both: (Edge, Edge), carried: (Edge, Edge)) -> Option<Gate> {
    for (some, carry) in [carried, (carried.1, carried.0)] {
        let inner = aig.operands(some.node()).filter(|_| some.is_complemented());
        let Some(neither) = inner else { continue };
        if neither == (!both.0, !both.1) || neither == (!both.1, !both.0) {
            return Some(Gate::NotMajority([both.0, both.1, carry]));
        }
    }
    None
}

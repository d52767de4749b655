//! From the graph to clauses, on demand.
//!
//! A node gets a variable, and the clauses that define it in both directions (Tseitin), when a
//! literal in whose cone it lies is first asked for: parts of the graph that nobody asks for cost
//! the solver nothing, and a literal's value in a model is always its node's value. Definitions
//! in one direction only (Plaisted & Greenbaum) would be smaller but break the latter.
//!
//! Gates that the graph has to spell out as conjunctions are recognised and get their own clauses
//! without variables for the inner nodes: exclusive or, if-then-else, majority (an adder's carry),
//! and wide conjunctions, which are trees of conjunctions that nothing else refers to (Eén,
//! Mishchenko & Sörensson, *Applying logic synthesis for speeding up SAT*, SAT 2007, go further,
//! to covers by cuts; that loses the direct reading of the arithmetic gates).

use sundry_sat::{AddClauses, Lit, Var};

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

/// No variable yet, in the table of variables.
const NONE: u32 = u32::MAX;
/// To be encoded in the running pass.
const PENDING: u32 = u32::MAX - 1;

/// The variables of nodes, and how to define them.
#[derive(Clone, Default)]
pub struct CnfEncoder {
    /// By node: the index of its variable.
    variables: Vec<u32>,
    encoded: usize,
    leaves: Vec<Edge>,
    clause: Vec<Lit>,
}

impl CnfEncoder {
    /// Has encoded nothing yet.
    pub fn new() -> Self {
        CnfEncoder::default()
    }

    /// How many nodes have a variable.
    pub fn encoded_count(&self) -> usize {
        self.encoded
    }

    /// The literal of an edge, if it was encoded before.
    pub fn literal_of(&self, edge: Edge) -> Option<Lit> {
        match self.variables.get(edge.node() as usize).copied().unwrap_or(NONE) {
            NONE | PENDING => None,
            index => Some(Var::from_index(index as usize).literal(!edge.is_complemented())),
        }
    }

    /// The literal of an edge; on first use its cone is added to the solver.
    pub fn literal(&mut self, aig: &Aig, sat: &mut (impl AddClauses + ?Sized), edge: Edge) -> Lit {
        if let Some(literal) = self.literal_of(edge) {
            return literal;
        }
        if self.variables.len() < aig.node_count() {
            self.variables.resize(aig.node_count(), NONE);
        }
        // Ascending order makes the clauses independent of the order of the search, and gives
        // inputs smaller variables than what depends on them.
        let mut cone = self.cone(aig, edge.node());
        cone.sort_unstable();
        for node in cone {
            self.define(aig, sat, node);
        }
        self.literal_of(edge).expect("the root is in its cone")
    }

    /// The nodes that need a variable for the root to have one. Marks them.
    fn cone(&mut self, aig: &Aig, root: u32) -> Vec<u32> {
        let mut cone = Vec::new();
        let mut stack = vec![Edge::from_node(root)];
        while let Some(edge) = stack.pop() {
            let node = edge.node();
            if self.variables[node as usize] != NONE {
                continue;
            }
            self.variables[node as usize] = PENDING;
            cone.push(node);
            match gate(aig, node) {
                Gate::Constant | Gate::Input => {}
                Gate::Xor(a, b) => stack.extend([a, b]),
                Gate::Ite(condition, consequent, alternative) => {
                    stack.extend([condition, consequent, alternative]);
                }
                Gate::NotMajority(edges) => stack.extend(edges),
                Gate::And => {
                    self.collect_leaves(aig, node);
                    stack.extend_from_slice(&self.leaves);
                }
            }
        }
        cone
    }

    /// The operands of a wide conjunction: through conjunctions that nothing else refers to and
    /// that are no gate of their own.
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

    fn known(&self, edge: Edge) -> Lit {
        self.literal_of(edge).expect("operands are encoded before what they define")
    }

    fn define(&mut self, aig: &Aig, sat: &mut (impl AddClauses + ?Sized), node: u32) {
        let gate = gate(aig, node);
        if let Gate::And = gate {
            self.collect_leaves(aig, node);
        }
        let var = sat.new_var();
        self.variables[node as usize] = u32::try_from(var.index()).expect("variables are 32-bit");
        self.encoded += 1;
        let output = var.positive();
        match gate {
            Gate::Constant => sat.add_clause(&[!output]),
            Gate::Input => {}
            Gate::Xor(a, b) => add_xor(sat, output, self.known(a), self.known(b)),
            Gate::Ite(condition, consequent, alternative) => {
                let [condition, consequent, alternative] =
                    [condition, consequent, alternative].map(|edge| self.known(edge));
                add_ite(sat, output, condition, consequent, alternative);
            }
            Gate::NotMajority(edges) => add_majority(sat, !output, edges.map(|edge| self.known(edge))),
            Gate::And => self.add_and(sat, output),
        }
    }

    /// Defines the output as the conjunction of the collected leaves.
    fn add_and(&mut self, sat: &mut (impl AddClauses + ?Sized), output: Lit) {
        self.clause.clear();
        self.clause.push(output);
        for position in 0..self.leaves.len() {
            let literal = self.known(self.leaves[position]);
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

/// Which gate a node is: the most specific that its operands' operands show.
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

//! Facts about single inputs that follow from asserted edges: this bit is constant, these two bits are equal.
//!
//! Word-level normalisation sees whole terms; facts on single bits (a sign bit that all upper bits
//! repeat, a cleared flag) show in the circuit only. An input that is determined in this way is
//! replaced before the circuit is built again, so everything above it gets smaller too. Only inputs
//! are replaced, and only by constants and other inputs: the set of models stays the same.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_circuit::{Aig, Edge, NodeKind};

/// Inputs that are equal to constants or to other inputs.
#[derive(Default)]
pub(crate) struct InputFacts {
    /// Input node → edge it equals: a constant or an edge of another input, itself maybe replaced.
    parents: FxHashMap<u32, Edge>,
}

impl InputFacts {
    /// Reads the facts off asserted edges. `replaceable` are the inputs that may be replaced.
    pub(crate) fn collect(aig: &Aig, asserted: &[Edge], replaceable: &FxHashSet<u32>) -> InputFacts {
        let mut facts = InputFacts::default();
        let mut stack: Vec<Edge> = asserted.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(edge) = stack.pop() {
            if edge.is_constant().is_some() || !seen.insert(edge) {
                continue;
            }
            match aig.kind(edge.node()) {
                NodeKind::And(left, right) if !edge.is_complemented() => stack.extend([left, right]),
                NodeKind::And(..) => {}
                _ => facts.unite(edge.regular(), Edge::from_bool(!edge.is_complemented()), replaceable),
            }
            if let Some((left, right)) = exclusive_or(aig, edge.node()) {
                // The node is left xor right; asserted complemented it says that they are equal.
                facts.unite(left, right.complement_if(!edge.is_complemented()), replaceable);
            }
        }
        facts
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The edge that stands for an edge of an input, after all replacements.
    pub(crate) fn resolve(&self, edge: Edge) -> Edge {
        let mut edge = edge;
        while let Some(&parent) = self.parents.get(&edge.node()) {
            edge = parent.complement_if(edge.is_complemented());
        }
        edge
    }

    fn unite(&mut self, left: Edge, right: Edge, replaceable: &FxHashSet<u32>) {
        let (left, right) = (self.resolve(left), self.resolve(right));
        // A contradiction between two facts is left to the solver.
        if left.node() == right.node() {
            return;
        }
        let is_input = |edge: Edge| replaceable.contains(&edge.node());
        let is_end = |edge: Edge| edge.is_constant().is_some() || is_input(edge);
        if is_input(left) && is_end(right) {
            self.parents.insert(left.node(), right.complement_if(left.is_complemented()));
        } else if is_input(right) && is_end(left) {
            self.parents.insert(right.node(), left.complement_if(right.is_complemented()));
        }
    }
}

/// The operands, if the node is the exclusive or of two edges.
fn exclusive_or(aig: &Aig, node: u32) -> Option<(Edge, Edge)> {
    let NodeKind::And(one, other) = aig.kind(node) else { return None };
    if !one.is_complemented() || !other.is_complemented() {
        return None;
    }
    let NodeKind::And(left, right) = aig.kind(one.node()) else { return None };
    let NodeKind::And(first, second) = aig.kind(other.node()) else { return None };
    let complements = (first == !left && second == !right) || (first == !right && second == !left);
    complements.then_some((left, right))
}

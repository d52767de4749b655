//! Gates of several conjunctions.

use super::Aig;
use crate::edge::Edge;

impl Aig {
    /// The disjunction of two edges.
    pub fn or(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(!left, !right)
    }

    /// The exclusive or of two edges.
    pub fn xor(&mut self, left: Edge, right: Edge) -> Edge {
        // Complements move to the result, so that all four variants are one node.
        let complemented = left.is_complemented() != right.is_complemented();
        let (left, right) = (left.regular(), right.regular());
        let both = self.and(left, right);
        let neither = self.and(!left, !right);
        self.and(!both, !neither).complement_if(complemented)
    }

    /// Whether two edges have the same value.
    pub fn equal(&mut self, left: Edge, right: Edge) -> Edge {
        !self.xor(left, right)
    }

    /// Whether the first edge implies the second.
    pub fn implies(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(left, !right)
    }

    /// `consequent` where `condition` holds, `alternative` elsewhere.
    pub fn ite(&mut self, condition: Edge, consequent: Edge, alternative: Edge) -> Edge {
        if consequent == alternative {
            return consequent;
        }
        if condition.is_complemented() {
            return self.ite_regular(!condition, alternative, consequent);
        }
        self.ite_regular(condition, consequent, alternative)
    }

    fn ite_regular(&mut self, condition: Edge, consequent: Edge, alternative: Edge) -> Edge {
        if consequent == !alternative {
            return self.equal(condition, consequent);
        }
        if consequent.is_constant().is_some() || consequent.node() == condition.node() {
            let holds = consequent == Edge::TRUE || consequent == condition;
            return if holds { self.or(condition, alternative) } else { self.and(!condition, alternative) };
        }
        if alternative.is_constant().is_some() || alternative.node() == condition.node() {
            let holds = alternative == Edge::TRUE || alternative == !condition;
            return if holds { self.or(!condition, consequent) } else { self.and(condition, consequent) };
        }
        // The complement of a choice is the choice between complements: one form for both.
        let complemented = consequent.is_complemented();
        let (consequent, alternative) =
            (consequent.complement_if(complemented), alternative.complement_if(complemented));
        let not_consequent = self.and(condition, !consequent);
        let not_alternative = self.and(!condition, !alternative);
        self.and(!not_consequent, !not_alternative).complement_if(complemented)
    }

    /// Whether at least two of three edges hold. The first two are paired inside, as an adder's
    /// operands are, and share nodes with their exclusive or; the third is the carry.
    pub fn majority(&mut self, left: Edge, right: Edge, carry: Edge) -> Edge {
        // Majority is its own dual, so that a borrow chain is the complement of a carry chain.
        let complemented = carry.is_complemented();
        let (left, right, carry) =
            (left.complement_if(complemented), right.complement_if(complemented), carry.regular());
        let both = self.and(left, right);
        let neither = self.and(!left, !right);
        let one_and_carry = self.and(carry, !neither);
        self.or(both, one_and_carry).complement_if(complemented)
    }

    /// The conjunction of all these edges: true for none. The order does not matter.
    pub fn and_many(&mut self, edges: &[Edge]) -> Edge {
        let mut edges = edges.to_vec();
        edges.sort_unstable();
        edges.dedup();
        // Complements are neighbours in this order, and constants come first.
        if edges.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Edge::FALSE;
        }
        // Pairs, then pairs of pairs: blocks that conjunctions have in common are shared more
        // often than prefixes, and the depth stays logarithmic.
        while edges.len() > 1 {
            let mut kept = 0;
            for position in (0..edges.len()).step_by(2) {
                edges[kept] = match edges.get(position + 1) {
                    Some(&right) => self.and(edges[position], right),
                    None => edges[position],
                };
                kept += 1;
            }
            edges.truncate(kept);
        }
        edges.first().copied().unwrap_or(Edge::TRUE)
    }

    /// The disjunction of all these edges: false for none. The order does not matter.
    pub fn or_many(&mut self, edges: &[Edge]) -> Edge {
        let complements: Vec<Edge> = edges.iter().map(|&edge| !edge).collect();
        !self.and_many(&complements)
    }
}

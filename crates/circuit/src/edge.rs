//! Edges of the graph: a node and whether it is taken complemented, in one word.

use std::fmt;
use std::ops::Not;

/// A node of an [`Aig`](crate::Aig), or its complement: a truth value of the circuit.
/// `!` complements.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge(u32);

impl Edge {
    /// The constant false: node 0.
    pub const FALSE: Edge = Edge(0);
    /// The constant true.
    pub const TRUE: Edge = Edge(1);

    /// The node as it is.
    ///
    /// # Panics
    /// When the number does not fit in 31 bits.
    pub fn from_node(node: u32) -> Edge {
        assert!(node < 1 << 31, "nodes are numbered in 31 bits");
        Edge(node << 1)
    }

    /// The constant with this value.
    pub fn from_bool(value: bool) -> Edge {
        Edge(u32::from(value))
    }

    /// The number of the node.
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the node is taken complemented.
    pub fn is_complemented(self) -> bool {
        self.0 & 1 != 0
    }

    /// The value of a constant edge, `None` for any other.
    pub fn is_constant(self) -> Option<bool> {
        if self.0 <= 1 { Some(self.0 == 1) } else { None }
    }

    /// The edge complemented where `condition` holds.
    pub fn complement_if(self, condition: bool) -> Edge {
        Edge(self.0 ^ u32::from(condition))
    }

    /// The edge without complement.
    pub fn regular(self) -> Edge {
        Edge(self.0 & !1)
    }

    /// Position in a table of all edges: twice the node, plus the complement.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn from_raw(raw: u32) -> Edge {
        Edge(raw)
    }

    pub(crate) const fn raw(self) -> u32 {
        self.0
    }
}

impl Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_constant() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "{}n{}", if self.is_complemented() { "!" } else { "" }, self.node()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complement_and_constants() {
        assert_eq!(!Edge::FALSE, Edge::TRUE);
        assert_eq!(Edge::from_bool(true), Edge::TRUE);
        assert_eq!(Edge::TRUE.is_constant(), Some(true));
        let edge = Edge::from_node(5);
        assert_eq!(edge.is_constant(), None);
        assert_eq!((!edge).node(), 5);
        assert!((!edge).is_complemented());
        assert_eq!(!!edge, edge);
        assert_eq!((!edge).regular(), edge);
        assert_eq!(edge.complement_if(true), !edge);
        assert_eq!(format!("{edge:?} {:?} {:?}", !edge, Edge::FALSE), "n5 !n5 false");
    }
}

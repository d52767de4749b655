//! Simulation: the value of every node under 64 assignments of the inputs at once.
//!
//! One pass over the nodes in ascending order, a word and three machine operations per node. With
//! it all bits of a model are read at the price of reading the inputs from the SAT solver.

use crate::aig::{Aig, NodeKind};
use crate::edge::Edge;

/// The words of a simulated graph. The buffer is used again by the next run.
#[derive(Clone, Debug, Default)]
pub struct Simulation {
    words: Vec<u64>,
}

impl Simulation {
    /// A simulation of nothing yet.
    pub fn new() -> Self {
        Simulation::default()
    }

    /// Forgets the last run, so that all nodes are new.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Simulates all nodes of the graph. `inputs` holds a word for every input, in the order of
    /// [`Aig::inputs`]; bit `i` of each belongs to assignment `i`. Inputs beyond its end are false.
    pub fn run(&mut self, aig: &Aig, inputs: &[u64]) {
        self.words.clear();
        self.extend(aig, inputs);
    }

    /// Simulates only the nodes that were added to the graph since the last run.
    pub fn extend(&mut self, aig: &Aig, inputs: &[u64]) {
        self.words.reserve(aig.node_count() - self.words.len().min(aig.node_count()));
        self.extend_to(aig, inputs, aig.node_count());
    }

    /// Simulates only the nodes up to a number of them that the last run did not come to.
    pub fn extend_to(&mut self, aig: &Aig, inputs: &[u64], node_count: usize) {
        for node in self.words.len()..node_count {
            let word = match aig.kind(node as u32) {
                NodeKind::Constant => 0,
                NodeKind::Input(number) => inputs.get(number as usize).copied().unwrap_or(0),
                NodeKind::And(left, right) => self.word(left) & self.word(right),
            };
            self.words.push(word);
        }
    }

    /// The values of an edge in all 64 assignments.
    ///
    /// # Panics
    /// When the node was added after the last run.
    pub fn word(&self, edge: Edge) -> u64 {
        self.words[edge.node() as usize] ^ u64::from(edge.is_complemented()).wrapping_neg()
    }

    /// The value of an edge in one assignment.
    ///
    /// # Panics
    /// When the node was added after the last run, or `lane` is not below 64.
    pub fn value(&self, edge: Edge, lane: u32) -> bool {
        assert!(lane < 64, "there are 64 lanes");
        self.word(edge) >> lane & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_compute_their_functions() {
        let mut aig = Aig::new();
        let [a, b, c] = [aig.input(), aig.input(), aig.input()];
        let and = aig.and(a, !b);
        let xor = aig.xor(a, b);
        let choice = aig.ite(a, b, !c);
        let two = aig.majority(a, b, c);
        let words = [0b1111_0000, 0b1100_1100, 0b1010_1010];
        let mut simulation = Simulation::new();
        simulation.run(&aig, &words);
        let [a, b, c] = words;
        assert_eq!(simulation.word(and), a & !b);
        assert_eq!(simulation.word(!and), !(a & !b));
        assert_eq!(simulation.word(xor), a ^ b);
        assert_eq!(simulation.word(choice), a & b | !a & !c);
        assert_eq!(simulation.word(two), a & b | a & c | b & c);
        assert_eq!(simulation.word(Edge::TRUE), u64::MAX);
        assert!(simulation.value(two, 7) && !simulation.value(two, 0));
    }

    #[test]
    fn later_nodes_are_added_to_a_run() {
        let mut aig = Aig::new();
        let (a, b) = (aig.input(), aig.input());
        let mut simulation = Simulation::new();
        simulation.run(&aig, &[3, 5]);
        let or = aig.or(a, b);
        let c = aig.input();
        simulation.extend(&aig, &[3, 5, 9]);
        assert_eq!((simulation.word(or), simulation.word(c)), (7, 9));
        simulation.run(&aig, &[1]);
        assert_eq!(simulation.word(or), 1);
    }
}

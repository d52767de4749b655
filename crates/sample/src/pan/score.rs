//! Algorithm 3, ASTScrFunc: how many AST-bits a solution covers that the set does not.
//!
//! This is the gain in Coverage*, which counts valid and impossible AST-bits alike, times a
//! constant. It is counted on the circuit: bits that share an edge are weighed, none is evaluated.

use sundry_coverage::BitSet;

use super::Pan;

impl Pan<'_> {
    /// The score of a solution, given the targets that it covers and its true bits.
    pub(super) fn score(&self, covered: &BitSet, bits: &BitSet) -> u64 {
        if self.options.manhattan {
            // Alt-2. On bits, the Manhattan distance is the number of those that differ.
            self.distribution.distance(self.variables.variable_bits(), bits)
        } else {
            self.gain(covered)
        }
    }

    /// AST-bits that targets stand for and that the set does not cover.
    pub(super) fn gain(&self, covered: &BitSet) -> u64 {
        self.steering.targets.weight_beyond(covered, &self.covered)
    }
}

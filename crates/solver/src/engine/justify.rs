//! Justification: inputs of the circuit whose values suffice for the values of some edges.
//!
//! An assignment of the SAT solver gives a value to every input that some clause has. Where a disjunction holds by one of its parts, the others may have
//! any value; the theory of numbers has fewer bounds to meet without them.

use rustc_hash::FxHashSet;
use sundry_circuit::{Aig, Edge, NodeKind};

/// The nodes that justify the values of these edges: whatever the other inputs are, the edges have the same values.
pub(super) fn justifying_nodes(
    aig: &Aig,
    edges: impl Iterator<Item = Edge>,
    value: &dyn Fn(Edge) -> bool,
) -> FxHashSet<u32> {
    let mut needed: FxHashSet<u32> = FxHashSet::default();
    let mut stack: Vec<u32> = edges.map(Edge::node).collect();
    while let Some(node) = stack.pop() {
        if !needed.insert(node) {
            continue;
        }
        let NodeKind::And(left, right) = aig.kind(node) else { continue };
        match (value(left), value(right)) {
            (true, true) => stack.extend([left.node(), right.node()]),
            (false, true) => stack.push(left.node()),
            (true, false) => stack.push(right.node()),
            (false, false) => {
                if !needed.contains(&left.node()) && !needed.contains(&right.node()) {
                    stack.push(left.node().min(right.node()));
                }
            }
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use sundry_circuit::Simulation;

    use super::*;

    #[test]
    fn one_part_of_a_disjunction_suffices() {
        let mut aig = Aig::new();
        let [a, b, c] = [aig.input(), aig.input(), aig.input()];
        let either = aig.or(a, b);
        let all = aig.and(either, c);
        let mut simulation = Simulation::new();
        for (inputs, expected) in
            [([1, 1, 1], 2), ([0, 1, 1], 2), ([0, 0, 1], 2), ([1, 1, 0], 1), ([0, 0, 0], 1)]
        {
            simulation.run(&aig, &inputs);
            let needed = justifying_nodes(&aig, [all].into_iter(), &|edge| simulation.value(edge, 0));
            let inputs_needed = [a, b, c].iter().filter(|input| needed.contains(&input.node())).count();
            assert!(inputs_needed <= expected, "{inputs:?}: {needed:?}");
            // The other inputs make no difference.
            let before = simulation.value(all, 0);
            for other in 0..8u64 {
                let words: Vec<u64> = [a, b, c]
                    .iter()
                    .zip(inputs)
                    .enumerate()
                    .map(
                        |(place, (input, word))| {
                            if needed.contains(&input.node()) { word } else { other >> place & 1 }
                        },
                    )
                    .collect();
                let mut again = Simulation::new();
                again.run(&aig, &words);
                assert_eq!(again.value(all, 0), before);
            }
        }
    }
}

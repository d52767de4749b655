//! Predicates that a formula has itself: its Boolean nodes, and bits of its bit-vector nodes.
//!
//! Source: Dutra, Bachrach & Sen, *GuidedSampler* (FMCAD 2019), who look at the values of internal nodes as one looks at
//! wires in a circuit.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use sundry_coverage::Predicate;
use sundry_solver::EngineOptions;
use sundry_term::{Control, TermId};

use crate::bit_terms::{bit_is_one, has_bit_terms};
use crate::formula_engine::FormulaEngine;
use crate::not_ready::NotReady;
use crate::possibilities::{Possibility, PredicateError, decide_predicates, so_far};
use crate::problem::Problem;

/// Creates up to `count` predicates on bits of the formula's nodes, chosen at random: each holds in some solution and
/// fails in another, and none is a copy of another or of its complement, as far as the circuit shows. Their terms are
/// added to the problem's. The result is smaller where not enough such bits exist, or time is up.
///
/// # Errors
/// An operation whose circuit is too large, or a wrong model.
pub fn internal_predicates(
    problem: &mut Problem,
    count: usize,
    seed: u64,
    control: &Control,
) -> Result<Vec<Predicate>, PredicateError> {
    let mut bits = distinct_bits(problem, seed, control)?;
    bits.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let mut found = Vec::new();
    for chunk in bits.chunks(2 * count.max(1)) {
        if found.len() >= count || control.stopped() {
            break;
        }
        let candidates: Vec<Predicate> = chunk.iter().map(|&bit| predicate_of(problem, bit)).collect();
        let decided = decide_predicates(problem, &candidates, seed, control)?;
        let varies = candidates.into_iter().zip(decided).filter(|(_, possible)| {
            (possible.holds, possible.fails) == (Possibility::Possible, Possibility::Possible)
        });
        found.extend(varies.map(|(predicate, _)| predicate));
    }
    found.truncate(count);
    Ok(found)
}

/// One bit of a node; bit 0 of a Boolean node.
#[derive(Copy, Clone)]
struct NodeBit {
    number: usize,
    node: TermId,
    bit: u32,
}

/// The bits of all nodes that are neither constant in the circuit nor the same as one before.
fn distinct_bits(problem: &Problem, seed: u64, control: &Control) -> Result<Vec<NodeBit>, PredicateError> {
    let options = EngineOptions::for_many_calls();
    let mut formula = match FormulaEngine::new(problem, seed, &options, control, &mut |_| {}) {
        Ok(formula) => formula,
        Err(error) => return so_far(error, Vec::new()),
    };
    let nodes = problem.ast_bits.nodes();
    let edges = match formula.bits_of_all(nodes) {
        Ok(edges) => edges,
        Err(error) => return so_far(NotReady::after(None, error), Vec::new()),
    };
    let mut seen = FxHashSet::default();
    let mut bits = Vec::new();
    let named = nodes.iter().zip(&edges).enumerate();
    for (number, (&node, edges)) in named.filter(|(_, (node, _))| has_bit_terms(&problem.store, **node)) {
        for (bit, &edge) in (0..).zip(edges) {
            if edge.is_constant().is_none() && seen.insert(edge.regular()) {
                bits.push(NodeBit { number, node, bit });
            }
        }
    }
    Ok(bits)
}

/// The predicate that a bit is 1. Its name has the number of the node among those of the formula.
fn predicate_of(problem: &mut Problem, NodeBit { number, node, bit }: NodeBit) -> Predicate {
    let store = &mut problem.store;
    let name = if store.is_bool(node) { format!("node{number}") } else { format!("node{number}.{bit}") };
    Predicate { name, term: bit_is_one(store, node, bit) }
}

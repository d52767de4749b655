//! The least number of models that cover everything, exactly.
//!
//! Depth-first search with growing bound: some model has to cover the element that fewest models
//! cover, so these are tried. Elements of which no model covers two bound the number from below.
//! An element that is covered whenever another one is, is left out beforehand.

use std::collections::BTreeSet;

use sundry_coverage::{BitSet, ModelBits};

/// Nodes of the search after which it is given up.
const MAXIMAL_NODES: u64 = 3_000_000;

/// The least number of the models that cover every AST-bit that any of them covers. `None` if it is too hard to
/// determine.
pub fn minimum(models: &[ModelBits]) -> Option<usize> {
    if models.is_empty() {
        return Some(0);
    }
    let elements = hardest_elements(models);
    let mut search = Search { elements: &elements, nodes: 0 };
    let all: Vec<usize> = (0..elements.len()).collect();
    // Every model covers what all models cover.
    let mut bound = search.disjoint(&all).max(1);
    loop {
        if search.coverable(&all, bound)? {
            return Some(bound);
        }
        bound += 1;
    }
}

/// For each element that has to be looked at, the models that cover it.
fn hardest_elements(models: &[ModelBits]) -> Vec<BitSet> {
    let positions = models[0].ones.length();
    let mut distinct: BTreeSet<Vec<usize>> = BTreeSet::new();
    for ast_bit in 0..2 * positions {
        let covering: Vec<usize> = (0..models.len()).filter(|&model| models[model].covers(ast_bit)).collect();
        if !covering.is_empty() {
            distinct.insert(covering);
        }
    }
    let mut elements: Vec<BitSet> = distinct
        .into_iter()
        .map(|covering| {
            let mut set = BitSet::new(models.len());
            covering.into_iter().for_each(|model| set.insert(model));
            set
        })
        .collect();
    elements.sort_by_key(BitSet::count);
    let mut hardest: Vec<BitSet> = Vec::new();
    for element in elements {
        if !hardest.iter().any(|harder| harder.is_subset(&element)) {
            hardest.push(element);
        }
    }
    hardest
}

struct Search<'a> {
    /// The models that cover each element, the elements with the smallest number of models first.
    elements: &'a [BitSet],
    nodes: u64,
}

impl Search<'_> {
    /// The number of these elements, chosen greedily, that share no model.
    fn disjoint(&self, open: &[usize]) -> usize {
        let mut chosen: Vec<usize> = Vec::new();
        for &element in open {
            if !chosen.iter().any(|&other| self.elements[other].intersects(&self.elements[element])) {
                chosen.push(element);
            }
        }
        chosen.len()
    }

    /// Whether `count` models cover these elements.
    fn coverable(&mut self, open: &[usize], models: usize) -> Option<bool> {
        self.nodes += 1;
        if self.nodes > MAXIMAL_NODES {
            return None;
        }
        let Some(&first) = open.first() else { return Some(true) };
        if self.disjoint(open) > models {
            return Some(false);
        }
        for model in self.elements[first].iter() {
            let rest: Vec<usize> =
                open.iter().copied().filter(|&element| !self.elements[element].contains(model)).collect();
            if self.coverable(&rest, models - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[test]
fn zeros_of_all_pairs_need_all_pairs() {
    // Two ones among three positions: each model is the only one with its zero.
    let models: Vec<ModelBits> = [[0, 1], [0, 2], [1, 2]]
        .iter()
        .map(|ones| {
            let mut bits = ModelBits { ones: BitSet::new(3) };
            ones.iter().for_each(|&position| bits.ones.insert(position));
            bits
        })
        .collect();
    assert_eq!(minimum(&models), Some(3));
    assert_eq!(minimum(&models[..2]), Some(2));
    assert_eq!(minimum(&models[..1]), Some(1));
}

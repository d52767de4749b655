//! Bounds on a sum of weights, as clauses: the generalised totalizer (Joshi, Martins & Manquinho,
//! "Generalized totalizer encoding for pseudo-Boolean constraints", CP 2015).
//!
//! A balanced tree adds the weights of true literals. Each node has a literal for every sum that
//! can occur below it; all sums from the cap upwards are one.

use sundry_solver::{AddClauses, Lit};

/// Literals that are implied when the sum is large.
pub(crate) struct Totalizer {
    /// Sums, ascending, with the literals that are true where the sum is at least that.
    sums: Vec<(u64, Lit)>,
}

impl Totalizer {
    /// Encodes the sum of the weights of those literals that are true, exactly below `cap`; nothing
    /// where that takes more than `limit` clauses.
    pub(crate) fn new(
        inputs: &[(u64, Lit)],
        cap: u64,
        limit: usize,
        clauses: &mut impl AddClauses,
    ) -> Option<Totalizer> {
        let leaves: Vec<Vec<u64>> = inputs.iter().map(|&(weight, _)| vec![weight.min(cap)]).collect();
        if clause_count(leaves, cap, limit) > limit {
            return None;
        }
        let mut nodes: Vec<Vec<(u64, Lit)>> =
            inputs.iter().map(|&(weight, literal)| vec![(weight.min(cap), literal)]).collect();
        while nodes.len() > 1 {
            nodes = nodes
                .chunks(2)
                .map(|pair| match pair {
                    [left, right] => add(left, right, cap, clauses),
                    single => single[0].clone(),
                })
                .collect();
        }
        Some(Totalizer { sums: nodes.pop().unwrap_or_default() })
    }

    /// A literal that, when assumed, demands that the sum is less than a bound not above the cap;
    /// none where it always is.
    pub(crate) fn less_than(&self, bound: u64) -> Option<Lit> {
        self.sums.iter().find(|&&(sum, _)| sum >= bound).map(|&(_, literal)| !literal)
    }
}

/// The number of clauses of the tree over these leaves, counted until it exceeds `limit`.
fn clause_count(leaves: Vec<Vec<u64>>, cap: u64, limit: usize) -> usize {
    let (mut nodes, mut count) = (leaves, 0);
    while nodes.len() > 1 && count <= limit {
        let mut parents = Vec::with_capacity(nodes.len().div_ceil(2));
        for pair in nodes.chunks(2) {
            let [left, right] = pair else {
                parents.push(pair[0].clone());
                continue;
            };
            count += (left.len() + 1) * (right.len() + 1) - 1;
            if count > limit {
                break;
            }
            parents.push(sums(left.iter().copied(), right.iter().copied(), cap));
        }
        nodes = parents;
    }
    count
}

/// All sums of none or one of each side, without zero.
fn sums(left: impl Iterator<Item = u64>, right: impl Iterator<Item = u64> + Clone, cap: u64) -> Vec<u64> {
    let mut all: Vec<u64> = right.clone().collect();
    for one in left {
        all.push(one);
        all.extend(right.clone().map(|other| (one + other).min(cap)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn add(
    left: &[(u64, Lit)],
    right: &[(u64, Lit)],
    cap: u64,
    clauses: &mut impl AddClauses,
) -> Vec<(u64, Lit)> {
    let values = |side: &[(u64, Lit)]| side.iter().map(|&(sum, _)| sum).collect::<Vec<_>>();
    let all = sums(values(left).into_iter(), values(right).into_iter(), cap);
    let node: Vec<(u64, Lit)> = all.into_iter().map(|sum| (sum, clauses.new_var().positive())).collect();
    let at = |sum: u64| {
        let position = node.binary_search_by_key(&sum.min(cap), |&(sum, _)| sum);
        node[position.expect("every sum has a literal")].1
    };
    for &(sum, literal) in left.iter().chain(right) {
        clauses.add_clause(&[!literal, at(sum)]);
    }
    for &(one, left) in left {
        for &(other, right) in right {
            clauses.add_clause(&[!left, !right, at(one + other)]);
        }
    }
    for pair in node.windows(2) {
        clauses.add_clause(&[!pair[1].1, pair[0].1]);
    }
    node
}

#[cfg(test)]
mod tests {
    use sundry_solver::{Engine, EngineOptions, Query, Verdict};
    use sundry_term::Control;

    use super::*;

    #[test]
    fn exactly_the_sums_below_the_bound_are_allowed() {
        let weights = [3, 1, 4, 1, 5, 9, 2];
        for cap in [1, 2, 7, 12, 25, 40] {
            for bound in 1..=cap {
                let mut engine = Engine::new(&EngineOptions::default(), &Control::default());
                let inputs: Vec<(u64, Lit)> =
                    weights.iter().map(|&weight| (weight, engine.new_literal())).collect();
                let totalizer = Totalizer::new(&inputs, cap, 1_000, &mut engine).expect("small");
                for choice in 0..1u32 << weights.len() {
                    let is_true = |index: usize| choice >> index & 1 == 1;
                    let chosen = inputs.iter().enumerate();
                    let assumptions: Vec<Lit> = chosen
                        .map(|(index, &(_, literal))| literal.negate_if(!is_true(index)))
                        .chain(totalizer.less_than(bound))
                        .collect();
                    let sum: u64 = (0..weights.len()).filter(|&i| is_true(i)).map(|i| weights[i]).sum();
                    let expected = if sum < bound { Verdict::Sat } else { Verdict::Unsat };
                    let found = engine.check(Query::assuming(&assumptions)).verdict();
                    assert_eq!(found, expected, "sum {sum}, bound {bound}, cap {cap}");
                }
            }
        }
    }

    #[test]
    fn what_takes_too_many_clauses_is_not_built() {
        let mut engine = Engine::new(&EngineOptions::default(), &Control::default());
        let inputs: Vec<(u64, Lit)> = (1..100).map(|weight| (weight, engine.new_literal())).collect();
        let before = engine.new_literal();
        assert!(Totalizer::new(&inputs, 5_000, 10_000, &mut engine).is_none());
        assert_eq!(engine.new_literal().var().index(), before.var().index() + 1, "nothing was added");
    }
}

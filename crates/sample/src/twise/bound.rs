//! A lower bound on the number of solutions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::space::{Candidate, Space};

/// The number of factors among which the lower bound is sought.
const BOUNDING_FACTORS: usize = 24;

/// The number of solutions needed at least to show all combinations of values of some factors that the candidates show.
pub(super) fn lower_bound(space: &Space<'_>, candidates: &[&Candidate]) -> usize {
    let strength = space.factors.strength;
    let mut values: Vec<FxHashSet<usize>> = vec![FxHashSet::default(); space.factors.count];
    let of_factor = |item: usize| space.factors.factor_of[item].expect("lists have items only");
    for &item in candidates.iter().flat_map(|candidate| &candidate.list) {
        values[of_factor(item)].insert(item);
    }
    // The factors of the most values promise most; those that fill up tuples, the last, are in all small ones.
    let real = space.factors.count - space.factors.fillers;
    let mut factors: Vec<usize> = (real..values.len()).chain(0..real).collect();
    factors[space.factors.fillers..].sort_by_key(|&factor| std::cmp::Reverse(values[factor].len()));
    factors.truncate(BOUNDING_FACTORS);
    let chosen = |factor: &usize| factors.contains(factor);
    let rows: Vec<FxHashMap<usize, usize>> = candidates
        .iter()
        .map(|candidate| {
            let items = candidate.list.iter().map(|&item| (of_factor(item), item));
            items.filter(|(factor, _)| chosen(factor)).collect()
        })
        .collect();
    let shown = |together: &[usize]| {
        let is_wanted = |items: &Vec<Option<usize>>| {
            let Some(wanted) = &space.factors.wanted else { return true };
            let mut items: Vec<usize> = items.iter().flatten().copied().collect();
            items.sort_unstable();
            wanted.has(&items)
        };
        let of_row = |row: &FxHashMap<usize, usize>| {
            together.iter().map(|factor| row.get(factor).copied()).collect::<Vec<_>>()
        };
        let combinations: FxHashSet<Vec<Option<usize>>> = rows.iter().map(of_row).collect();
        combinations.iter().filter(|items| is_wanted(items)).count()
    };
    combinations(&factors, strength).iter().map(|it| shown(it)).max().unwrap_or(0)
}

/// All choices of `count` of these.
fn combinations(of: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        chosen = chosen
            .iter()
            .flat_map(|some| {
                let behind = some.last().map_or(0, |last| last + 1);
                (behind..of.len()).map(|next| [&some[..], &[next]].concat())
            })
            .collect();
    }
    chosen.into_iter().map(|some| some.into_iter().map(|number| of[number]).collect()).collect()
}

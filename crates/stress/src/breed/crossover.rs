//! The crossover of MulStringFuzz: assertions change sides.

use std::collections::BTreeSet;

use rand::Rng;
use rand::seq::index;
use rustc_hash::FxHashMap;
use sundry_term::{TermId, TermStore};

use crate::breed::names::Names;
use crate::breed::transplant::breed_alone;
use crate::individual::Individual;

/// The share of the assertions of both parents that change sides, from each.
const SHARE: f64 = 0.2;

/// Two children: a fifth of the assertions of both parents together, rounded and at least one, changes sides in both
/// directions; one each where a parent has fewer. Which ones is random; they take the places of those that they are changed
/// for. Declarations travel along, since they follow from what occurs. A constant whose name another symbol has on the new side
/// is renamed there; an assertion with a function, sort or datatype of such a name stays.
///
/// The children depend on the parents and the random choices alone, and not on the store.
pub fn cross(
    store: &mut TermStore,
    one: &Individual,
    other: &Individual,
    random: &mut impl Rng,
) -> (Individual, Individual) {
    let children = breed_alone(store, [one, other], |store, [one, other]| {
        let (first, second) = exchange_share(store, &one, &other, random);
        Some([first, second])
    });
    let [first, second] = children.unwrap_or_else(|| [one.clone(), other.clone()]);
    (first, second)
}

/// The crossover in the store of both parents.
fn exchange_share(
    store: &mut TermStore,
    one: &Individual,
    other: &Individual,
    random: &mut impl Rng,
) -> (Individual, Individual) {
    let (mut first, mut second) = (one.clone(), other.clone());
    let sizes = [first.assertions.len(), second.assertions.len()];
    let fewest = sizes[0].min(sizes[1]);
    if fewest == 0 {
        return (first, second);
    }
    let share = ((sizes[0] + sizes[1]) as f64 * SHARE).round() as usize;
    let count = if share > fewest { 1 } else { share.max(1) };
    let [left, right] = sizes.map(|size| index::sample(random, size, count).into_vec());
    let travellers = |parent: &Individual, places: &[usize]| -> Vec<TermId> {
        places.iter().map(|&place| parent.assertions[place]).collect()
    };
    let (from_one, from_other) = (travellers(one, &left), travellers(other, &right));
    exchange(store, &mut first, &left, &from_other);
    exchange(store, &mut second, &right, &from_one);
    (first, second)
}

/// Puts assertions of another input in some places of this one.
fn exchange(store: &mut TermStore, child: &mut Individual, places: &[usize], newcomers: &[TermId]) {
    let leaving: BTreeSet<usize> = places.iter().copied().collect();
    let staying: Vec<TermId> = (0..child.assertions.len())
        .filter(|place| !leaving.contains(place))
        .map(|place| child.assertions[place])
        .collect();
    let mut names = Names::of(store, &staying);
    let mut renamed = FxHashMap::default();
    for (&place, &newcomer) in places.iter().zip(newcomers) {
        let settled = names.settle(store, newcomer, &mut renamed);
        // What stays after all has its names here already, or they are free: what came before has found others.
        let own = child.assertions[place];
        let settled = settled.or_else(|| names.settle(store, own, &mut renamed));
        if let Some(assertion) = settled {
            child.assertions[place] = assertion;
        }
    }
}

//! The choice of survivors, and of parents.

use rand::Rng;
use rand::seq::SliceRandom;

use crate::dominance::Standing;

/// Fills a population of a given size from fronts, the best front first; of the last front that has room, those with the
/// largest crowding distance (NSGA-II, section III-C). Distances stand by the index of the individual. Individuals with equal
/// distances are taken in the order of the front.
pub fn survivors(fronts: &[Vec<usize>], distances: &[f64], size: usize) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(size);
    for front in fronts {
        let room = size - chosen.len();
        if front.len() <= room {
            chosen.extend_from_slice(front);
            continue;
        }
        let mut front = front.clone();
        front.sort_by(|&one, &other| distances[other].total_cmp(&distances[one]));
        chosen.extend_from_slice(&front[..room]);
        break;
    }
    chosen
}

/// Binary tournaments by the number of the front alone, for a population without crowding distances: of two individuals that
/// are drawn, the one of the better front wins, or the first.
pub fn select_by_front(ranks: &[usize], count: usize, random: &mut impl Rng) -> Vec<usize> {
    if ranks.is_empty() {
        return Vec::new();
    }
    let mut draw = || random.random_range(0..ranks.len());
    (0..count)
        .map(|_| {
            let (one, other) = (draw(), draw());
            if ranks[other] < ranks[one] { other } else { one }
        })
        .collect()
}

/// Binary tournaments by dominance, then crowding distance (NSGA-II's comparison; `selTournamentDCD` in DEAP, whose names the
/// paper of MulStringFuzz uses): the one that dominates the other wins, then the one that is less crowded, then chance. The
/// pairs are neighbours in random orders of the whole population, so that each individual has the same number of tournaments,
/// give or take one.
pub fn select_by_crowding(
    population: &[Standing],
    distances: &[f64],
    count: usize,
    random: &mut impl Rng,
) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(count);
    let mut order: Vec<usize> = (0..population.len()).collect();
    while chosen.len() < count && !order.is_empty() {
        order.shuffle(random);
        for pair in order.chunks(2).take(count - chosen.len()) {
            let (one, other) = (pair[0], *pair.last().unwrap_or(&pair[0]));
            chosen.push(winner(population, distances, one, other, random));
        }
    }
    chosen
}

fn winner(
    population: &[Standing],
    distances: &[f64],
    one: usize,
    other: usize,
    random: &mut impl Rng,
) -> usize {
    if population[one].dominates(&population[other]) {
        return one;
    }
    if population[other].dominates(&population[one]) {
        return other;
    }
    match distances[one].total_cmp(&distances[other]) {
        std::cmp::Ordering::Greater => one,
        std::cmp::Ordering::Less => other,
        std::cmp::Ordering::Equal => [one, other][usize::from(random.random::<bool>())],
    }
}

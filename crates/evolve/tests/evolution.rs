//! The parts of the search against their definitions, and the search on problems with known answers.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_evolve::{
    Crowding, Evolution, Multiset, Parameters, Problem, Scheme, Standing, classic_crowding, dominates,
    select_by_crowding, select_by_front, sort_by_dominance, survivors,
};

/// Scores on a small grid, so that many are equal; some are not feasible.
fn population() -> impl Strategy<Value = Vec<Standing>> {
    let scores = prop::collection::vec((0_u8..5).prop_map(f64::from), 3);
    let standing = (any::<bool>(), scores).prop_map(|(is_feasible, scores)| Standing { is_feasible, scores });
    prop::collection::vec(standing, 0..24)
}

proptest! {
    #[test]
    fn fronts_are_what_nobody_left_dominates(population in population()) {
        let fronts = sort_by_dominance(&population);
        let mut left: BTreeSet<usize> = (0..population.len()).collect();
        for front in fronts {
            let is_free = |&one: &usize| !left.iter().any(|&other| {
                let (other, one) = (&population[other], &population[one]);
                let is_better = dominates(&other.scores, &one.scores);
                other.is_feasible && !one.is_feasible || other.is_feasible == one.is_feasible && is_better
            });
            let expected: Vec<usize> = left.iter().copied().filter(is_free).collect();
            prop_assert_eq!(&front, &expected);
            front.iter().for_each(|one| { left.remove(one); });
        }
        prop_assert!(left.is_empty());
    }

    #[test]
    fn survivors_are_the_best_fronts_and_the_least_crowded_of_the_last(
        population in population(), share in 0.0..1.0,
    ) {
        let fronts = sort_by_dominance(&population);
        let scores: Vec<Vec<f64>> = population.into_iter().map(|standing| standing.scores).collect();
        let mut distances = vec![0.0; scores.len()];
        for front in &fronts {
            let own = classic_crowding(front, &scores);
            front.iter().zip(own).for_each(|(&one, distance)| distances[one] = distance);
        }
        let size = (share * scores.len() as f64) as usize;
        let chosen = survivors(&fronts, &distances, size);
        prop_assert_eq!(chosen.iter().collect::<BTreeSet<_>>().len(), size);
        let rank = |one: usize| fronts.iter().position(|front| front.contains(&one)).expect("it has a front");
        for dead in (0..scores.len()).filter(|one| !chosen.contains(one)) {
            for &alive in &chosen {
                let is_better = rank(alive) < rank(dead)
                    || rank(alive) == rank(dead) && distances[alive] >= distances[dead];
                prop_assert!(is_better);
            }
        }
    }

    #[test]
    fn similarity_is_that_of_the_listed_elements(
        one in prop::collection::vec(0_u64..6, 0..12), other in prop::collection::vec(0_u64..6, 0..12),
    ) {
        let multiset = |list: &[u64]| list.iter().map(|&element| (element, 1)).collect::<Multiset>();
        let mut rest = other.clone();
        let shared = one.iter().filter(|&element| {
            let place = rest.iter().position(|other| other == element);
            place.map(|place| rest.swap_remove(place)).is_some()
        }).count() as u64;
        prop_assert_eq!(multiset(&one).shared(&multiset(&other)), shared);
        prop_assert_eq!(multiset(&other).shared(&multiset(&one)), shared);
        prop_assert_eq!(multiset(&one).size(), one.len() as u64);
    }
}

#[test]
fn tournaments_prefer_fronts_then_dominance_then_distance() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let wins = |chosen: &[usize], who: usize| chosen.iter().filter(|&&one| one == who).count();
    let chosen = select_by_front(&[0, 1, 1, 1], 4000, &mut random);
    // It is one of two that are drawn in 7 of 16 cases.
    assert!((1600..1900).contains(&wins(&chosen, 0)), "{}", wins(&chosen, 0));
    // The last is dominated by all, and the third is the least crowded.
    let population = [vec![1.0, 3.0], vec![3.0, 1.0], vec![2.0, 2.0], vec![0.0, 0.0]].map(Standing::from);
    let chosen = select_by_crowding(&population, &[0.5, 0.5, 0.9, 9.0], 3000, &mut random);
    assert_eq!((chosen.len(), wins(&chosen, 3)), (3000, 0));
    // It wins each of its tournaments, of which it has one in two.
    assert_eq!(wins(&chosen, 2), 1500);
    assert!(wins(&chosen, 0).abs_diff(wins(&chosen, 1)) < 200);
    assert_eq!(select_by_crowding(&population[..1], &[0.0], 3, &mut random), [0, 0, 0]);
    assert!(select_by_crowding(&[], &[], 3, &mut random).is_empty());
}

/// Sets of bits: many of the first half, and many of the second, with at most eight in all. `stops_at` is the call of `score`
/// that fails.
#[derive(Clone)]
struct Bits {
    calls: u32,
    stops_at: Option<u32>,
}

impl Problem for Bits {
    type Individual = u32;
    type Stop = &'static str;

    fn score(&mut self, individuals: &[u32]) -> Result<Vec<Vec<f64>>, &'static str> {
        self.calls += 1;
        if Some(self.calls) == self.stops_at {
            return Err("enough");
        }
        let score = |&bits: &u32| {
            let excess = f64::from(bits.count_ones().saturating_sub(8));
            [bits & 0xffff, bits >> 16].map(|half| f64::from(half.count_ones()) - 4.0 * excess).to_vec()
        };
        Ok(individuals.iter().map(score).collect())
    }

    fn cross(&mut self, one: &u32, other: &u32, random: &mut dyn RngCore) -> (u32, u32) {
        let mask = random.random::<u32>();
        (one & mask | other & !mask, other & mask | one & !mask)
    }

    fn mutate(&mut self, bits: &u32, random: &mut dyn RngCore) -> u32 {
        bits ^ 1 << random.random_range(0..32)
    }

    fn similarity(&mut self, one: &u32, other: &u32) -> f64 {
        let set = |bits: u32| {
            (0..32_u64).filter(|bit| bits >> bit & 1 == 1).map(|bit| (bit, 1)).collect::<Multiset>()
        };
        set(*one).similarity(&set(*other))
    }
}

fn parameters(crowding: Crowding) -> Parameters {
    Parameters {
        scheme: Scheme::NonDominated,
        crossover: 0.75,
        mutation: 0.5,
        mutations: 1,
        crowding,
        keeps_copies: false,
    }
}

#[test]
fn most_of_the_front_of_a_known_problem_is_found() {
    for crowding in [Crowding::Classic, Crowding::Similarity] {
        let bits = Bits { calls: 0, stops_at: None };
        let mut evolution = Evolution::new(bits, vec![0; 40], parameters(crowding), 3).expect("it goes on");
        while evolution.generation() < 150 {
            evolution.advance().expect("it goes on");
        }
        let best: BTreeSet<i64> = evolution
            .population()
            .iter()
            .filter(|member| member.front == 0)
            .map(|member| {
                assert_eq!(member.scores.iter().sum::<f64>(), 8.0, "{crowding:?}: {member:?}");
                member.scores[0] as i64
            })
            .collect();
        // There are nine ways to share eight bits. Similar sets may have other scores, so that fewer remain with the other crowding.
        let least = if crowding == Crowding::Classic { 8 } else { 5 };
        assert!(best.len() >= least, "{crowding:?}: {best:?}");
    }
}

#[test]
fn an_evolution_that_is_resumed_goes_on_as_if_it_had_not_stopped() {
    let first: Vec<u32> = (0..20).map(|number| number * 77).collect();
    let parameters = parameters(Crowding::Similarity);
    let start = |stops_at| Evolution::new(Bits { calls: 0, stops_at }, first.clone(), parameters, 9);
    let mut whole = start(None).expect("it goes on");
    (0..10).for_each(|_| whole.advance().expect("it goes on"));
    // The sixth generation cannot be scored: the fifth is still there.
    let mut stopped = start(Some(7)).expect("it goes on");
    assert_eq!((0..10).find_map(|_| stopped.advance().err()), Some("enough"));
    let (generation, population) = (stopped.generation(), stopped.population().to_vec());
    assert_eq!(generation, 5);
    let bits = Bits { calls: 0, stops_at: None };
    let mut resumed = Evolution::resume(bits, population, generation, parameters, 9);
    while resumed.generation() < 10 {
        resumed.advance().expect("it goes on");
    }
    assert_eq!(resumed.population(), whole.population());
    assert_eq!(start(Some(1)).err(), Some("enough"));
}

#[test]
fn copies_are_the_last_to_survive() {
    let bits = Bits { calls: 0, stops_at: None };
    for keeps_copies in [false, true] {
        let parameters = Parameters { keeps_copies, ..parameters(Crowding::Classic) };
        // The one is as good as any, and its copies are, too.
        let first = [vec![0xff; 12], vec![0; 8]].concat();
        let mut evolution = Evolution::new(bits.clone(), first, parameters, 5).expect("it goes on");
        let distinct = |evolution: &Evolution<Bits>| {
            evolution.population().iter().map(|member| member.individual).collect::<BTreeSet<_>>().len()
        };
        let copies = evolution.population().iter().filter(|member| member.front > 1).count();
        assert_eq!(copies, if keeps_copies { 0 } else { 18 });
        for _ in 0..3 {
            evolution.advance().expect("it goes on");
        }
        assert_eq!(distinct(&evolution) == 20, !keeps_copies, "{}", distinct(&evolution));
    }
}

/// Numbers that grow by one with each mutation.
#[derive(Clone)]
struct Ages;

impl Problem for Ages {
    type Individual = u32;
    type Stop = &'static str;

    fn score(&mut self, individuals: &[u32]) -> Result<Vec<Vec<f64>>, &'static str> {
        Ok(individuals.iter().map(|&age| vec![f64::from(age)]).collect())
    }

    fn cross(&mut self, _: &u32, _: &u32, _: &mut dyn RngCore) -> (u32, u32) {
        unreachable!("nothing is to be crossed")
    }

    fn mutate(&mut self, age: &u32, _: &mut dyn RngCore) -> u32 {
        age + 1
    }
}

#[test]
fn culling_leaves_the_best_three_and_replaces_all() {
    let parameters = Parameters { scheme: Scheme::Culling, ..parameters(Crowding::Classic) };
    let mut evolution = Evolution::new(Ages, vec![0, 100, 30, 20, 10, 5], parameters, 3).expect("it goes on");
    evolution.advance().expect("it goes on");
    let ages: Vec<u32> = evolution.population().iter().map(|member| member.individual).collect();
    assert_eq!(ages.len(), 6);
    assert!(ages.iter().all(|age| [104, 34, 24].contains(age)), "{ages:?}");
}

#[test]
fn a_child_undergoes_each_of_its_mutations() {
    let certain = Parameters {
        crossover: 0.0,
        mutation: 1.0,
        mutations: 3,
        keeps_copies: true,
        ..parameters(Crowding::Classic)
    };
    let mut evolution = Evolution::new(Ages, vec![0; 8], certain, 3).expect("it goes on");
    evolution.advance().expect("it goes on");
    assert_eq!(evolution.population()[0].individual, 3);
    let likely = Parameters { mutation: 0.5, ..certain };
    let mut evolution = Evolution::new(Ages, vec![0; 200], likely, 3).expect("it goes on");
    evolution.advance().expect("it goes on");
    let sum: u32 = evolution.population().iter().map(|member| member.individual).sum();
    // The best 200 of 200 parents and 200 children, of which each eighth had no mutation.
    assert!((260..340).contains(&sum), "{sum}");
}

/// Numbers that are scored as they are, but compared by their tens.
struct Rounded;

impl Problem for Rounded {
    type Individual = u32;
    type Stop = &'static str;

    fn score(&mut self, individuals: &[u32]) -> Result<Vec<Vec<f64>>, &'static str> {
        Ok(individuals.iter().map(|&number| vec![f64::from(number), -f64::from(number % 10)]).collect())
    }

    fn standing(&self, scores: &[f64]) -> Standing {
        Standing { is_feasible: scores[0] >= 10.0, scores: vec![(scores[0] / 10.0).floor(), scores[1]] }
    }

    fn cross(&mut self, one: &u32, other: &u32, _: &mut dyn RngCore) -> (u32, u32) {
        (*one, *other)
    }

    fn mutate(&mut self, number: &u32, _: &mut dyn RngCore) -> u32 {
        *number
    }
}

#[test]
fn a_difference_that_is_not_compared_saves_nobody() {
    let parameters = Parameters { keeps_copies: true, ..parameters(Crowding::Classic) };
    // The last is not feasible, though nothing has a better second score.
    let first = vec![10, 15, 19, 21, 0];
    let mut evolution = Evolution::new(Rounded, first, parameters, 3).expect("it goes on");
    let fronts = |evolution: &Evolution<Rounded>| {
        let members = evolution.population().iter();
        members.map(|member| (member.individual, member.front)).collect::<Vec<_>>()
    };
    // Of those that begin with 1, the first one has the best second score.
    assert_eq!(fronts(&evolution), [(10, 0), (15, 1), (19, 2), (21, 0), (0, 3)]);
    (0..5).for_each(|_| evolution.advance().expect("it goes on"));
    assert!(fronts(&evolution).iter().all(|&(number, front)| front == 0 && [10, 21].contains(&number)));
    assert!(evolution.population().iter().all(|member| member.scores[0] == f64::from(member.individual)));
}

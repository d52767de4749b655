//! The main loop (Algorithm 1 of MulStringFuzz, which is that of NSGA-II).

use std::collections::HashSet;
use std::hash::Hash;

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::crowding::{classic_crowding, similarity_crowding};
use crate::culling;
use crate::dominance::{Standing, sort_by_dominance};
use crate::selection::{select_by_crowding, select_by_front, survivors};

/// A problem for evolution: individuals, their scores, and ways to make others of them.
pub trait Problem {
    /// A solution that can be crossed with others and mutated.
    type Individual: Clone + Eq + Hash;
    /// The reason why breeding cannot continue.
    type Stop;

    /// The scores of some individuals, in order: as many for each as there are objectives, all to be maximised. Parents are
    /// scored again together with their offspring, since scores may depend on what else was seen.
    ///
    /// # Errors
    /// Breeding has to stop.
    fn score(&mut self, individuals: &[Self::Individual]) -> Result<Vec<Vec<f64>>, Self::Stop>;

    /// An individual with some scores as dominance compares it. Whoever measures scores takes differences out of them that mean
    /// nothing, for else an individual survives because of such a difference, and says which individuals are feasible. Without an
    /// implementation, scores are compared as they are, and all individuals are feasible.
    fn standing(&self, scores: &[f64]) -> Standing {
        scores.to_vec().into()
    }

    /// Two individuals that have parts of both parents.
    fn cross(
        &mut self,
        one: &Self::Individual,
        other: &Self::Individual,
        random: &mut dyn RngCore,
    ) -> (Self::Individual, Self::Individual);

    /// An individual that differs a little.
    fn mutate(&mut self, individual: &Self::Individual, random: &mut dyn RngCore) -> Self::Individual;

    /// The similarity of two individuals, from 0 to 1, the same for both orders. Only [`Crowding::Similarity`] asks; without an
    /// implementation, all are different.
    fn similarity(&mut self, _one: &Self::Individual, _other: &Self::Individual) -> f64 {
        0.0
    }
}

/// The measure of the distance of individuals.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Crowding {
    /// By their scores, as in NSGA-II.
    Classic,
    /// By [`Problem::similarity`], as in MulStringFuzz.
    Similarity,
}

/// The way from one generation to the next.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Scheme {
    /// NSGA-II: parents win tournaments, are crossed and mutated, and compete with their children.
    #[default]
    NonDominated,
    /// As in StringFuzz: of each generation the best three are left, and the next one is copies of these, drawn at random, after four
    /// mutations each. Crossover, the probability of mutation, and crowding mean nothing. It is made for one objective; of several,
    /// the best are those of the best fronts.
    Culling,
}

/// The way from one generation to the next, the probabilities of crossover and mutation, and the crowding.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Parameters {
    /// The way from one generation to the next.
    pub scheme: Scheme,
    /// The probability that two parents that are neighbours are crossed, from 0 to 1.
    pub crossover: f64,
    /// The probability of each mutation of a child, from 0 to 1.
    pub mutation: f64,
    /// The mutations that a child may undergo: one in most descriptions of the algorithm.
    pub mutations: usize,
    /// The measure of the distance of individuals.
    pub crowding: Crowding,
    /// Whether an individual may take several places of a generation, as in the paper. Copies of small individuals are frequent
    /// (neither crossed nor mutated, or crossed as a whole), and have the same scores, so they crowd others out. If not,
    /// a child that exists is mutated until it is new, and copies are the last to survive.
    pub keeps_copies: bool,
}

/// The mutations of a child that exists, after which it is let through as it is.
const ATTEMPTS: usize = 8;

/// An individual of the population.
#[derive(Clone, PartialEq, Debug)]
pub struct Member<I> {
    /// The individual.
    pub individual: I,
    /// The scores of the individual when it was last scored.
    pub scores: Vec<f64>,
    /// The number of its front, from 0.
    pub front: usize,
    /// The distance of the individual from the others of its front; 0 in the first generation, which has none.
    pub distance: f64,
}

/// A population that evolves, one generation at a time.
///
/// Random choices of a generation depend on the seed, the number of the generation and the population only: an evolution
/// that is [resumed](Evolution::resume) goes on as if it had never been interrupted.
#[derive(Clone, Debug)]
pub struct Evolution<P: Problem> {
    problem: P,
    parameters: Parameters,
    seed: u64,
    generation: u64,
    population: Vec<Member<P::Individual>>,
}

impl<P: Problem> Evolution<P> {
    /// Scores the first generation (lines 1 to 5).
    ///
    /// # Errors
    /// The problem stops breeding.
    pub fn new(
        mut problem: P,
        first: Vec<P::Individual>,
        parameters: Parameters,
        seed: u64,
    ) -> Result<Self, P::Stop> {
        let scores = problem.score(&first)?;
        let fronts = numbers(&parameters.fronts(&problem, &first, &scores));
        let population = first
            .into_iter()
            .zip(scores)
            .zip(fronts)
            .map(|((individual, scores), front)| Member { individual, scores, front, distance: 0.0 })
            .collect();
        Ok(Evolution { problem, parameters, seed, generation: 0, population })
    }

    /// Goes on with the population of a generation.
    pub fn resume(
        problem: P,
        population: Vec<Member<P::Individual>>,
        generation: u64,
        parameters: Parameters,
        seed: u64,
    ) -> Self {
        Evolution { problem, parameters, seed, generation, population }
    }

    /// Makes the next generation (lines 9 to 18, which begin with the selection that the listing has at the end of the
    /// generation before). The population keeps its size.
    ///
    /// # Errors
    /// The problem stops breeding; the population is still that of the generation before.
    pub fn advance(&mut self) -> Result<(), P::Stop> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(self.generation);
        let all: Vec<P::Individual> = match self.parameters.scheme {
            Scheme::NonDominated => {
                let offspring = self.offspring(&mut random);
                let parents = self.population.iter().map(|member| member.individual.clone());
                parents.chain(offspring).collect()
            }
            Scheme::Culling => culling::offspring(&mut self.problem, &self.population, &mut random),
        };
        let scores = self.problem.score(&all)?;
        let fronts = self.parameters.fronts(&self.problem, &all, &scores);
        let distances = self.distances(&all, &scores, &fronts);
        let numbers = numbers(&fronts);
        let chosen = survivors(&fronts, &distances, self.population.len());
        self.population = chosen
            .into_iter()
            .map(|index| Member {
                individual: all[index].clone(),
                scores: scores[index].clone(),
                front: numbers[index],
                distance: distances[index],
            })
            .collect();
        self.generation += 1;
        Ok(())
    }

    /// Parents are selected, crossed in pairs, and mutated.
    fn offspring(&mut self, random: &mut ChaCha8Rng) -> Vec<P::Individual> {
        let size = self.population.len();
        let chosen = if self.generation == 0 {
            let ranks: Vec<usize> = self.population.iter().map(|member| member.front).collect();
            select_by_front(&ranks, size, random)
        } else {
            let standing = |member: &Member<P::Individual>| self.problem.standing(&member.scores);
            let standings: Vec<Standing> = self.population.iter().map(standing).collect();
            let distances: Vec<f64> = self.population.iter().map(|member| member.distance).collect();
            select_by_crowding(&standings, &distances, size, random)
        };
        let parent = |&index: &usize| self.population[index].individual.clone();
        let mut offspring: Vec<P::Individual> = chosen.iter().map(parent).collect();
        for pair in offspring.chunks_exact_mut(2) {
            if random.random::<f64>() < self.parameters.crossover {
                let (one, other) = self.problem.cross(&pair[0], &pair[1], random);
                (pair[0], pair[1]) = (one, other);
            }
        }
        for child in &mut offspring {
            for _ in 0..self.parameters.mutations {
                if random.random::<f64>() < self.parameters.mutation {
                    *child = self.problem.mutate(child, random);
                }
            }
        }
        if !self.parameters.keeps_copies {
            self.replace_copies(&mut offspring, random);
        }
        offspring
    }

    /// Mutates the children that are there already until they are new.
    fn replace_copies(&mut self, offspring: &mut [P::Individual], random: &mut ChaCha8Rng) {
        let mut seen: HashSet<P::Individual> =
            self.population.iter().map(|member| member.individual.clone()).collect();
        for child in offspring {
            for _ in 0..ATTEMPTS {
                if !seen.contains(child) {
                    break;
                }
                *child = self.problem.mutate(child, random);
            }
            seen.insert(child.clone());
        }
    }

    fn distances(&mut self, all: &[P::Individual], scores: &[Vec<f64>], fronts: &[Vec<usize>]) -> Vec<f64> {
        let mut distances = vec![0.0; all.len()];
        for front in fronts {
            let own = match self.parameters.crowding {
                Crowding::Classic => classic_crowding(front, scores),
                Crowding::Similarity => {
                    let similarity =
                        |one: usize, other: usize| self.problem.similarity(&all[one], &all[other]);
                    similarity_crowding(front, similarity)
                }
            };
            front.iter().zip(own).for_each(|(&index, distance)| distances[index] = distance);
        }
        distances
    }

    /// The number of generations that were made of the first one.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The population: the best front first.
    pub fn population(&self) -> &[Member<P::Individual>] {
        &self.population
    }

    /// The problem, and the population that was reached.
    pub fn into_parts(self) -> (P, Vec<Member<P::Individual>>) {
        (self.problem, self.population)
    }

    /// The problem.
    pub fn problem(&mut self) -> &mut P {
        &mut self.problem
    }
}

impl Parameters {
    /// The fronts of individuals by their scores. Copies of others follow as the last front, unless they are kept.
    fn fronts<P: Problem>(
        &self,
        problem: &P,
        individuals: &[P::Individual],
        scores: &[Vec<f64>],
    ) -> Vec<Vec<usize>> {
        // Culling looks for the best three by their scores, and not for individuals of many kinds.
        if self.scheme == Scheme::Culling {
            let exact: Vec<Standing> = scores.iter().cloned().map(Standing::from).collect();
            return sort_by_dominance(&exact);
        }
        let mut seen = HashSet::new();
        let (originals, copies): (Vec<usize>, Vec<usize>) =
            (0..individuals.len()).partition(|&index| self.keeps_copies || seen.insert(&individuals[index]));
        let standings: Vec<Standing> =
            originals.iter().map(|&index| problem.standing(&scores[index])).collect();
        let mut fronts = sort_by_dominance(&standings);
        fronts.iter_mut().flatten().for_each(|index| *index = originals[*index]);
        fronts.extend(Some(copies).filter(|copies| !copies.is_empty()));
        fronts
    }
}

/// The number of the front of each individual. Each individual is in one front.
fn numbers(fronts: &[Vec<usize>]) -> Vec<usize> {
    let mut numbers = vec![0; fronts.iter().map(Vec::len).sum()];
    for (number, front) in fronts.iter().enumerate() {
        front.iter().for_each(|&index| numbers[index] = number);
    }
    numbers
}

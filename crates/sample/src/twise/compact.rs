//! Making a complete set smaller: a solution is taken away, and the others are changed until they show again what it
//! showed alone.
//!
//! Each step takes a tuple that is missing and tries to put it into every solution, in place of the values that are
//! there. What is best among those that satisfy the formula is kept, also if it is worse than before; a value that was
//! changed may not be changed back for some steps. Source: Lin et al., *TCA: An Efficient Two-Mode Meta-Heuristic
//! Algorithm for Combinatorial Test Generation* (ASE 2015).

use rand::Rng;
use rand::seq::IndexedRandom;
use rustc_hash::FxHashMap;

use super::space::{Candidate, Space};
use super::tuples::{Tuples, items_of, without};

/// Steps for one solution less.
const STEPS: usize = 20_000;

/// The same where candidates are judged one after the other, each of which takes as long as 64 together.
const STEPS_ONE_BY_ONE: usize = 1_000;

/// The number of steps for which a question to the solver counts.
const QUESTION: usize = 50;

/// The share of steps, one in this number, that change some solution whatever the cost: a way out of places where the
/// best steps go round in circles.
const RANDOM: u32 = 300;

/// The number of steps for which a change stays.
const TABU: usize = 5;

/// The maximal number of counters of tuples.
const COUNTERS: usize = 1 << 26;

/// The number of solutions that have each tuple.
struct Counts {
    strength: usize,
    counts: Vec<u16>,
    /// The tuples that count, as bits, if not all do.
    wanted: Option<Vec<u64>>,
    /// Tuples that are in none, and where each is in this list.
    missing: Vec<usize>,
    place: FxHashMap<usize, usize>,
}

impl Counts {
    fn size(strength: usize, items: usize) -> Option<usize> {
        let mut size: usize = 1;
        for position in 0..strength {
            size = size.checked_mul(items.checked_sub(position)?)? / (position + 1);
        }
        (size <= COUNTERS).then_some(size)
    }

    fn new(items: usize, everything: &Tuples, has_unwanted: bool) -> Option<Self> {
        let strength = everything.strength();
        let size = Counts::size(strength, items)?;
        let wanted = has_unwanted.then(|| {
            let mut wanted = vec![0; size.div_ceil(64)];
            everything.for_each_open(|tuple| {
                let number = number_of(tuple);
                wanted[number / 64] |= 1 << (number % 64);
            });
            wanted
        });
        let (missing, place) = (Vec::new(), FxHashMap::default());
        Some(Counts { strength, counts: vec![0; size], wanted, missing, place })
    }

    /// The tuples of a list that have one of these of its items at least, each once.
    fn for_each(&self, list: &[usize], of: &[u64], mut visit: impl FnMut(usize)) {
        let mut visit = |tuple: usize| {
            if self.wanted.as_ref().is_none_or(|wanted| wanted[tuple / 64] >> (tuple % 64) & 1 == 1) {
                visit(tuple);
            }
        };
        let mut others = list.to_vec();
        for item in items_of(of) {
            others.retain(|&other| other != item);
            match self.strength {
                1 => visit(number([item])),
                2 => others.iter().for_each(|&other| visit(number([item, other]))),
                _ => {
                    for (position, &low) in others.iter().enumerate() {
                        others[position + 1..].iter().for_each(|&high| visit(number([item, low, high])));
                    }
                }
            }
        }
    }

    fn add(&mut self, list: &[usize], of: &[u64]) {
        let mut found = Vec::new();
        self.for_each(list, of, |tuple| found.push(tuple));
        for tuple in found {
            self.counts[tuple] += 1;
            if self.counts[tuple] == 1
                && let Some(place) = self.place.remove(&tuple)
            {
                self.missing.swap_remove(place);
                if let Some(&moved) = self.missing.get(place) {
                    self.place.insert(moved, place);
                }
            }
        }
    }

    fn remove(&mut self, list: &[usize], of: &[u64]) {
        let mut found = Vec::new();
        self.for_each(list, of, |tuple| found.push(tuple));
        for tuple in found {
            self.counts[tuple] -= 1;
            if self.counts[tuple] == 0 {
                self.place.insert(tuple, self.missing.len());
                self.missing.push(tuple);
            }
        }
    }

    /// The change in the number of missing tuples when one solution takes the place of another.
    fn change(&self, old: &Candidate, new: &Candidate) -> i64 {
        let gone = without(&old.items, &new.items);
        let come = without(&new.items, &old.items);
        let mut change = 0;
        self.for_each(&old.list, &gone, |tuple| change += i64::from(self.counts[tuple] == 1));
        self.for_each(&new.list, &come, |tuple| change -= i64::from(self.counts[tuple] == 0));
        change
    }

    fn replace(&mut self, old: &Candidate, new: &Candidate) {
        self.remove(&old.list, &without(&old.items, &new.items));
        self.add(&new.list, &without(&new.items, &old.items));
    }
}

/// The number of a set of items among those of its size.
fn number<const SIZE: usize>(mut items: [usize; SIZE]) -> usize {
    items.sort_unstable();
    items.iter().zip(1..).map(|(&item, size)| sets_below(item, size)).sum()
}

/// The number of a list of up to three items.
fn number_of(items: &[usize]) -> usize {
    match *items {
        [one] => number([one]),
        [one, two] => number([one, two]),
        [one, two, three] => number([one, two, three]),
        _ => unreachable!("tuples have one to three items"),
    }
}

/// The number of sets of a size with smaller items only.
fn sets_below(item: usize, size: usize) -> usize {
    (0..size).fold(1, |all, less| all * (item - less.min(item)) / (less + 1))
}

/// The set of items with a number.
fn items_of_number(mut rest: usize, size: usize) -> Vec<usize> {
    let mut items = vec![0; size];
    for position in (0..size).rev() {
        // The greatest item whose sets of smaller items come before.
        let fits = |item: usize| sets_below(item, position + 1) <= rest;
        let mut above = 1;
        while fits(above) {
            above *= 2;
        }
        let mut low = above / 2;
        let mut high = above;
        while low + 1 < high {
            let middle = low.midpoint(high);
            if fits(middle) { low = middle } else { high = middle }
        }
        let item = if fits(low) { low } else { 0 };
        rest -= sets_below(item, position + 1);
        items[position] = item;
    }
    items
}

/// Makes a complete set smaller, as far as that succeeds. The candidates are of the present layout of the space.
pub(crate) fn compact(space: &mut Space<'_>, everything: &Tuples, least: usize, set: &mut Vec<Candidate>) {
    let has_unwanted = space.factors.wanted.is_some();
    let items = space.factors.factor_of.len();
    let Some(mut counts) = Counts::new(items, everything, has_unwanted) else { return };
    for candidate in set.iter() {
        counts.add(&candidate.list, &candidate.items);
    }
    while set.len() > least.max(1) && !space.is_stopped() {
        let before = set.clone();
        take_away(&mut counts, set);
        if !repair(space, &mut counts, set) {
            *set = before;
            return;
        }
    }
}

/// Takes the solution away that shows least alone.
fn take_away(counts: &mut Counts, set: &mut Vec<Candidate>) {
    let alone = |candidate: &Candidate| {
        let mut alone = 0;
        counts.for_each(&candidate.list, &candidate.items, |tuple| {
            alone += usize::from(counts.counts[tuple] == 1);
        });
        alone
    };
    let least = (0..set.len()).min_by_key(|&number| alone(&set[number])).expect("a set that is not empty");
    let candidate = set.swap_remove(least);
    counts.remove(&candidate.list, &candidate.items);
}

/// Changes solutions until nothing is missing. Returns whether that succeeded.
fn repair(space: &mut Space<'_>, counts: &mut Counts, set: &mut [Candidate]) -> bool {
    // By solution and item, the step from which on the item may come back.
    let mut free: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let mut step = 0;
    let most = if space.judges_one_by_one() { STEPS_ONE_BY_ONE } else { STEPS };
    while step < most && !space.is_stopped() {
        step += 1;
        let Some(&missing) = counts.missing.choose(&mut space.random) else { return true };
        let tuple = items_of_number(missing, counts.strength);
        let is_random = space.random.random_ratio(1, RANDOM);
        let mut changed = if is_random { Vec::new() } else { space.with_items(set, &tuple) };
        if changed.is_empty() {
            step += QUESTION;
            let number = space.random.random_range(0..set.len());
            changed.extend(space.solve(&tuple, &set[number].list).ok().map(|candidate| (number, candidate)));
        }
        let is_free = |number: usize, items: &[u64]| {
            items_of(items).iter().all(|&item| free.get(&(number, item)).is_none_or(|&from| from <= step))
        };
        let rated = changed
            .into_iter()
            .map(|(number, candidate)| (counts.change(&set[number], &candidate), number, candidate));
        let allowed = rated.filter(|(change, number, candidate)| {
            let come = without(&candidate.items, &set[*number].items);
            *change == -(counts.missing.len() as i64) || is_free(*number, &come)
        });
        // Chance decides between equal ones.
        let offset = space.random.random_range(0..set.len());
        let best = allowed.min_by_key(|(change, number, _)| (*change, (number + offset) % set.len()));
        let Some((_, number, candidate)) = best else { continue };
        for item in items_of(&without(&set[number].items, &candidate.items)) {
            free.insert((number, item), step + 1 + TABU);
        }
        counts.replace(&set[number], &candidate);
        set[number] = candidate;
    }
    counts.missing.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tuples_are_dense_and_can_be_read_back() {
        for size in 1..=3 {
            let mut seen = Vec::new();
            for high in 0..14_usize {
                for middle in 0..high.max(1) {
                    for low in 0..middle.max(1) {
                        let all = [low, middle, high];
                        let items = &all[3 - size..];
                        if items.is_sorted_by(|left, right| left < right) {
                            let number = match size {
                                1 => number([high]),
                                2 => number([high, middle]),
                                _ => number([middle, high, low]),
                            };
                            assert_eq!(items_of_number(number, size), items);
                            seen.push(number);
                        }
                    }
                }
            }
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen, (0..Counts::size(size, 14).expect("few")).collect::<Vec<_>>(), "{size}");
        }
    }
}

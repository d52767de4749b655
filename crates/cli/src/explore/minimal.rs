//! A small set of tests that covers as much as all of them.

use rustc_hash::FxHashMap;
use sundry::coverage::{BitSet, Gains, greedy_order};
use sundry_explore::{Edge, Test};

/// Tests, and the directions that each has taken.
#[derive(Default)]
pub struct Candidates {
    numbers: Vec<u64>,
    taken: Vec<Vec<u32>>,
    /// Directions as small numbers.
    known: FxHashMap<Edge, u32>,
}

impl Candidates {
    /// Adds a test.
    pub fn add(&mut self, test: &Test<'_>) {
        self.add_edges(test.number, &test.run.edges);
    }

    fn add_edges(&mut self, number: u64, edges: &[Edge]) {
        let known = &mut self.known;
        let numbered = edges.iter().map(|&edge| {
            let next = known.len() as u32;
            *known.entry(edge).or_insert(next)
        });
        self.taken.push(numbered.collect());
        self.numbers.push(number);
    }

    /// The numbers of tests that cover what all cover, ascending: those of a greedy cover, without those that the others make superfluous.
    pub fn minimal(&self) -> Vec<u64> {
        let set = |taken: &Vec<u32>| {
            let mut set = BitSet::new(self.known.len());
            taken.iter().for_each(|&edge| set.insert(edge as usize));
            set
        };
        let sets: Vec<BitSet> = self.taken.iter().map(set).collect();
        let mut cover = Cover { sets: &sets, covered: BitSet::new(self.known.len()), chosen: Vec::new() };
        greedy_order(sets.len(), &mut cover);
        let mut owners = vec![0_u32; self.known.len()];
        let mut chosen = cover.chosen;
        for &number in &chosen {
            self.taken[number].iter().for_each(|&edge| owners[edge as usize] += 1);
        }
        // The last ones were chosen for little.
        for position in (0..chosen.len()).rev() {
            let taken = &self.taken[chosen[position]];
            if taken.iter().all(|&edge| owners[edge as usize] > 1) {
                taken.iter().for_each(|&edge| owners[edge as usize] -= 1);
                chosen.remove(position);
            }
        }
        let mut numbers: Vec<u64> = chosen.into_iter().map(|number| self.numbers[number]).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// The tests chosen so far.
struct Cover<'s> {
    sets: &'s [BitSet],
    covered: BitSet,
    /// Tests that covered something when they were taken.
    chosen: Vec<usize>,
}

impl Gains for Cover<'_> {
    type Gain = usize;

    fn gain(&self, item: usize, _to_beat: Option<&usize>) -> usize {
        self.sets[item].count_without(&self.covered)
    }

    fn take(&mut self, item: usize) {
        if self.gain(item, None) > 0 {
            self.covered.union_with(&self.sets[item]);
            self.chosen.push(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimal(tests: &[&[Edge]]) -> Vec<u64> {
        let mut candidates = Candidates::default();
        for (number, edges) in (1..).zip(tests) {
            candidates.add_edges(number, edges);
        }
        candidates.minimal()
    }

    #[test]
    fn the_set_covers_all_and_has_nothing_superfluous() {
        assert!(minimal(&[]).is_empty());
        assert_eq!(minimal(&[&[7], &[7, 8], &[8, 9], &[7, 8, 9]]), [4]);
        assert_eq!(minimal(&[&[], &[1 << 40], &[2]]), [2, 3]);
        // The largest is taken first, and is superfluous after the others.
        assert_eq!(minimal(&[&[1, 2, 5], &[2, 3, 4, 5], &[3, 4, 6]]), [1, 3]);
    }
}

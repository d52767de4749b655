//! The order of greedy gain: each prefix is continued by what adds most to it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A growing collection to which items, known by number, add more or less.
pub trait Gains {
    /// The measure of gains.
    type Gain: Ord + Copy;
    /// The gain that an item would add now; never more than it would have added before. If that is less than `to_beat`, the
    /// answer may be anything from there up to what is less than `to_beat`.
    fn gain(&self, item: usize, to_beat: Option<&Self::Gain>) -> Self::Gain;
    /// Adds an item.
    fn take(&mut self, item: usize);
}

/// All items in the order of greedy gain, the first of equal ones first.
///
/// Gains only fall, so an old gain bounds the present one, and an item is looked at again only when
/// its bound is the greatest (Minoux, "Accelerated greedy algorithms for maximizing submodular set
/// functions", 1978).
pub fn greedy_order(count: usize, collection: &mut impl Gains) -> Vec<usize> {
    greedy_beginning(count, count, collection)
}

/// The greedy order of the first `most` items; the others come in the order of what they were last known to add.
pub fn greedy_beginning(count: usize, most: usize, collection: &mut impl Gains) -> Vec<usize> {
    let mut bounds: BinaryHeap<(_, Reverse<usize>)> =
        (0..count).map(|item| (collection.gain(item, None), Reverse(item))).collect();
    let mut order = Vec::with_capacity(count);
    while order.len() < most
        && let Some((_, Reverse(item))) = bounds.pop()
    {
        let now = (collection.gain(item, bounds.peek().map(|(next, _)| next)), Reverse(item));
        if bounds.peek().is_some_and(|next| *next > now) {
            bounds.push(now);
        } else {
            collection.take(item);
            order.push(item);
        }
    }
    let rest = bounds.into_sorted_vec();
    order.extend(rest.into_iter().rev().map(|(_, Reverse(item))| item));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sets {
        sets: Vec<u64>,
        covered: u64,
    }

    impl Gains for Sets {
        type Gain = u64;
        fn gain(&self, item: usize, _: Option<&u64>) -> u64 {
            u64::from((self.sets[item] & !self.covered).count_ones())
        }
        fn take(&mut self, item: usize) {
            self.covered |= self.sets[item];
        }
    }

    /// The definition, word for word.
    fn by_definition(sets: &[u64]) -> Vec<usize> {
        let mut state = Sets { sets: sets.to_vec(), covered: 0 };
        let mut rest: Vec<usize> = (0..sets.len()).collect();
        let mut order = Vec::new();
        while let Some(&best) = rest.iter().max_by_key(|&&item| (state.gain(item, None), Reverse(item))) {
            rest.retain(|&item| item != best);
            state.take(best);
            order.push(best);
        }
        order
    }

    #[test]
    fn lazy_order_is_the_order_of_the_definition() {
        let mut state = 1u64;
        for round in 0..200 {
            let sets: Vec<u64> = (0..round % 17)
                .map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 33) & (state >> 11) & 0xff_ffff
                })
                .collect();
            let order = greedy_order(sets.len(), &mut Sets { sets: sets.clone(), covered: 0 });
            assert_eq!(order, by_definition(&sets), "{sets:?}");
            let most = round % 5;
            let beginning = greedy_beginning(sets.len(), most, &mut Sets { sets: sets.clone(), covered: 0 });
            assert_eq!(beginning[..most.min(sets.len())], order[..most.min(sets.len())]);
            assert!((0..sets.len()).all(|item| beginning.contains(&item)), "{beginning:?}");
        }
    }
}

//! The open tuples: combinations of items that no solution has yet.
//!
//! An *item* is a value of a factor; every solution has one item of each factor. A tuple of strength t is a set of t
//! items of different factors. There is a row for each set of t − 1 items, with a bit for each item that makes a tuple
//! of it; so each tuple is there t times. How many tuples a solution would add is a matter of counting bits: in
//! f^(t−1) / (t−1)! rows for f factors, and where a solution is changed, in f^(t−2) rows for each item that changes.

/// Says of items, ascending, whether they are a tuple that is to be covered.
pub(crate) type IsWanted<'w> = &'w dyn Fn(&[usize]) -> bool;

/// A set of items as words.
pub(crate) type Items = [u64];

/// The items of a set, ascending.
pub(crate) fn items_of(items: &Items) -> Vec<usize> {
    let mut list = Vec::new();
    for (number, &word) in items.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            list.push(64 * number + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
    list
}

/// The items of a set that another one has not.
pub(crate) fn without(items: &Items, others: &Items) -> Vec<u64> {
    items.iter().zip(others).map(|(items, others)| items & !others).collect()
}

/// The tuples of one strength that no solution has and that are not known to be impossible.
#[derive(Clone)]
pub(crate) struct Tuples {
    strength: usize,
    /// The number of items.
    items: usize,
    /// Words of a row.
    words: usize,
    rows: Vec<u64>,
    /// The rows that may have open tuples, as bits: these stay in the cache where rows don't.
    is_open: Vec<u64>,
    open: u64,
}

impl Tuples {
    /// The number of bytes that the tuples take; `None` for more than can be counted.
    pub(crate) fn bytes(strength: usize, items: usize) -> Option<usize> {
        rows(strength, items)?.checked_mul(items.div_ceil(64))?.checked_mul(8)
    }

    /// All tuples of up to three items of different factors that are wanted. `factor_of` has the factor of each item;
    /// items without one are in no tuple.
    pub(crate) fn new(strength: usize, factor_of: &[Option<usize>], is_wanted: Option<IsWanted<'_>>) -> Self {
        let items = factor_of.len();
        let words = items.div_ceil(64);
        let row_count = rows(strength, items).expect("the caller has looked at the size");
        let mut tuples =
            Tuples { strength, items, words, rows: vec![0; row_count * words], is_open: Vec::new(), open: 0 };
        let mut fill = |fixed: &[usize]| {
            let row = tuples.row(fixed) * words;
            for item in 0..items {
                let factor = factor_of[item];
                let is_tuple = factor.is_some() && fixed.iter().all(|&other| factor_of[other] != factor);
                let with_item = || {
                    let mut tuple = [fixed, &[item]].concat();
                    tuple.sort_unstable();
                    tuple
                };
                if is_tuple && is_wanted.is_none_or(|is_wanted| is_wanted(&with_item())) {
                    tuples.rows[row + item / 64] |= 1 << (item % 64);
                }
            }
        };
        let real: Vec<usize> = (0..items).filter(|&item| factor_of[item].is_some()).collect();
        match strength {
            1 => fill(&[]),
            2 => real.iter().for_each(|&item| fill(&[item])),
            _ => {
                for (position, &low) in real.iter().enumerate() {
                    let others = &real[position + 1..];
                    for &high in others.iter().filter(|&&high| factor_of[high] != factor_of[low]) {
                        fill(&[low, high]);
                    }
                }
            }
        }
        tuples.open = count(&tuples.rows) / strength as u64;
        let mut is_open = vec![0; row_count.div_ceil(64)];
        for row in (0..row_count).filter(|&row| count(tuples.row_words(row)) > 0) {
            is_open[row / 64] |= 1 << (row % 64);
        }
        tuples.is_open = is_open;
        tuples
    }

    /// The number of items in a tuple.
    pub(crate) fn strength(&self) -> usize {
        self.strength
    }

    /// The number of open tuples.
    pub(crate) fn open(&self) -> u64 {
        self.open
    }

    fn row_words(&self, row: usize) -> &[u64] {
        &self.rows[row * self.words..][..self.words]
    }

    /// The number of open tuples of these items in a row.
    fn open_of(&self, row: usize, items: &Items) -> u64 {
        match self.is_open[row / 64] >> (row % 64) & 1 {
            0 => 0,
            _ => common(self.row_words(row), items),
        }
    }

    /// Takes items out of a row. How many were open.
    fn take_of(&mut self, row: usize, items: &Items) -> u64 {
        if self.is_open[row / 64] >> (row % 64) & 1 == 0 {
            return 0;
        }
        let (mut taken, mut rest) = (0, 0);
        for (open, items) in self.rows[row * self.words..][..self.words].iter_mut().zip(items) {
            taken += u64::from((*open & items).count_ones());
            *open &= !items;
            rest |= *open;
        }
        if rest == 0 {
            self.is_open[row / 64] &= !(1 << (row % 64));
        }
        taken
    }

    /// The number of open tuples among these items of a solution.
    pub(crate) fn gain(&self, list: &[usize], items: &Items) -> u64 {
        let mut gain = 0;
        self.for_each_row(list, |row| gain += self.open_of(row, items));
        gain / self.strength as u64
    }

    /// The number of open tuples among the items of a solution that have at least one of these items.
    pub(crate) fn gain_with(&self, list: &[usize], items: &Items, some: &[usize]) -> u64 {
        let mut rest: Vec<u64> = items.to_vec();
        let mut gain = 0;
        for &item in some {
            // Tuples with one that came before were counted with that one.
            rest[item / 64] &= !(1 << (item % 64));
            let is_rest = |other: &usize| rest[other / 64] >> (other % 64) & 1 == 1;
            gain += match self.strength {
                1 => self.rows[item / 64] >> (item % 64) & 1,
                2 => self.open_of(item, &rest),
                _ => {
                    let others = list.iter().filter(|other| is_rest(other));
                    let twice =
                        others.map(|&other| self.open_of(pair(item.min(other), item.max(other)), &rest));
                    twice.sum::<u64>() / 2
                }
            };
        }
        gain
    }

    /// Closes the tuples of a solution with these items. How many that were.
    pub(crate) fn take(&mut self, list: &[usize], items: &Items) -> u64 {
        let mut touched = Vec::new();
        self.for_each_row(list, |row| touched.push(row));
        let closed: u64 = touched.into_iter().map(|row| self.take_of(row, items)).sum();
        let closed = closed / self.strength as u64;
        self.open -= closed;
        closed
    }

    /// Closes every tuple that has all of these items, which are ascending. How many that were.
    pub(crate) fn close(&mut self, together: &[usize]) -> u64 {
        let closed = self.close_extensions(together);
        self.open -= closed;
        closed
    }

    fn close_extensions(&mut self, tuple: &[usize]) -> u64 {
        let items = match self.strength.checked_sub(tuple.len()) {
            None => return 0,
            Some(0) => return u64::from(self.remove(tuple)),
            Some(1) => items_of(self.row_words(self.row(tuple))),
            Some(_) => (0..self.items).filter(|item| !tuple.contains(item)).collect(),
        };
        let close = |item| {
            let mut longer = [tuple, &[item]].concat();
            longer.sort_unstable();
            self.close_extensions(&longer)
        };
        items.into_iter().map(close).sum()
    }

    /// Takes a tuple away, wherever it is; whether it was open.
    fn remove(&mut self, tuple: &[usize]) -> bool {
        let mut was_open = false;
        for (position, &item) in tuple.iter().enumerate() {
            let others = [&tuple[..position], &tuple[position + 1..]].concat();
            let row = self.row(&others);
            let words = &mut self.rows[row * self.words..][..self.words];
            was_open = words[item / 64] >> (item % 64) & 1 == 1;
            words[item / 64] &= !(1 << (item % 64));
        }
        was_open
    }

    /// The first open tuple at or behind a place between 0 and 1, or the very first.
    pub(crate) fn some_open(&self, place: f64) -> Option<Vec<usize>> {
        let start = (place * self.rows.len() as f64) as usize;
        let is_open = |&word: &usize| self.rows[word] != 0;
        let word = (start..self.rows.len()).find(is_open).or_else(|| (0..start).find(is_open))?;
        let item = 64 * (word % self.words) + self.rows[word].trailing_zeros() as usize;
        let mut tuple = self.fixed(word / self.words);
        tuple.push(item);
        tuple.sort_unstable();
        Some(tuple)
    }

    /// Adds to the count of each item the open tuples that it is in.
    pub(crate) fn count_by_item(&self, counts: &mut [u64]) {
        // A tuple is once a bit for each of its items.
        for row in self.rows.chunks(self.words.max(1)) {
            items_of(row).into_iter().for_each(|item| counts[item] += 1);
        }
    }

    /// Goes over the open tuples, each once for each of its items.
    pub(crate) fn for_each_open(&self, mut visit: impl FnMut(&[usize])) {
        for (row, words) in self.rows.chunks(self.words.max(1)).enumerate() {
            let items = items_of(words);
            if items.is_empty() {
                continue;
            }
            let fixed = self.fixed(row);
            items.into_iter().for_each(|item| visit(&[&fixed[..], &[item]].concat()));
        }
    }

    /// Goes over the rows of a solution's items.
    fn for_each_row(&self, list: &[usize], mut visit: impl FnMut(usize)) {
        match self.strength {
            1 => visit(0),
            2 => list.iter().for_each(|&item| visit(item)),
            _ => {
                for (position, &low) in list.iter().enumerate() {
                    list[position + 1..].iter().for_each(|&high| visit(pair(low, high)));
                }
            }
        }
    }

    /// The row of what makes tuples of these items, which are ascending.
    fn row(&self, fixed: &[usize]) -> usize {
        match *fixed {
            [] => 0,
            [item] => item,
            [low, high] => pair(low, high),
            _ => unreachable!("tuples have three items at most"),
        }
    }

    /// The items that a row makes tuples of.
    fn fixed(&self, row: usize) -> Vec<usize> {
        match self.strength {
            1 => Vec::new(),
            2 => vec![row],
            _ => {
                // The greatest `high` with high · (high − 1) / 2 ≤ row; the root may be off by rounding.
                let mut high = ((2.0 * row as f64).sqrt() as usize).saturating_sub(1).max(1);
                while pair(0, high + 1) <= row {
                    high += 1;
                }
                vec![row - pair(0, high), high]
            }
        }
    }
}

fn count(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// The number of items that two sets have in common.
fn common(left: &Items, right: &Items) -> u64 {
    left.iter().zip(right).map(|(left, right)| u64::from((left & right).count_ones())).sum()
}

/// The number of a pair, the smaller first: pairs are counted by their greater item.
fn pair(low: usize, high: usize) -> usize {
    high * (high - 1) / 2 + low
}

fn rows(strength: usize, items: usize) -> Option<usize> {
    match strength {
        1 => Some(1),
        2 => Some(items),
        _ => items.checked_mul(items.saturating_sub(1)).map(|double| double / 2),
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;
    use rand::seq::IteratorRandom;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use rustc_hash::FxHashSet;

    use super::*;

    /// All tuples of the definition.
    fn by_definition(strength: usize, factor_of: &[Option<usize>]) -> FxHashSet<Vec<usize>> {
        let mut tuples: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..strength {
            let longer = tuples.iter().flat_map(|tuple| {
                let first = tuple.last().map_or(0, |last| last + 1);
                (first..factor_of.len())
                    .filter(|&item| {
                        factor_of[item].is_some()
                            && tuple.iter().all(|&other| factor_of[other] != factor_of[item])
                    })
                    .map(|item| [&tuple[..], &[item]].concat())
            });
            tuples = longer.collect();
        }
        tuples.into_iter().collect()
    }

    #[test]
    fn tuples_are_those_of_the_definition() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for round in 0..200 {
            let strength = 1 + round % 3;
            let items = random.random_range(1..90 / strength);
            let factors = random.random_range(1..=8);
            let factor_of: Vec<Option<usize>> = (0..items)
                .map(|_| random.random_bool(0.9).then(|| random.random_range(0..factors)))
                .collect();
            let mut expected = by_definition(strength, &factor_of);
            let mut tuples = Tuples::new(strength, &factor_of, None);
            for _ in 0..12 {
                assert_eq!(tuples.open(), expected.len() as u64);
                let mut counts = vec![0; items];
                tuples.count_by_item(&mut counts);
                let of_item = |item| expected.iter().filter(|tuple| tuple.contains(&item)).count() as u64;
                assert!((0..items).all(|item| counts[item] == of_item(item)));
                match tuples.some_open(random.random()) {
                    Some(tuple) => assert!(expected.contains(&tuple)),
                    None => assert!(expected.is_empty()),
                }
                // A solution has one item of each factor.
                let mut list: Vec<usize> = (0..factors)
                    .filter_map(|factor| {
                        (0..items).filter(|&item| factor_of[item] == Some(factor)).choose(&mut random)
                    })
                    .collect();
                list.sort_unstable();
                let mut set = vec![0; items.div_ceil(64)];
                list.iter().for_each(|item| set[item / 64] |= 1 << (item % 64));
                assert_eq!(items_of(&set), list);
                let of_list = |tuple: &&Vec<usize>| tuple.iter().all(|item| list.contains(item));
                let gain = expected.iter().filter(of_list).count() as u64;
                assert_eq!(tuples.gain(&list, &set), gain);
                let some: Vec<usize> = list.iter().copied().filter(|_| random.random()).collect();
                let has_one = |tuple: &&Vec<usize>| tuple.iter().any(|item| some.contains(item));
                let with = expected.iter().filter(of_list).filter(has_one).count() as u64;
                assert_eq!(tuples.gain_with(&list, &set, &some), with);
                if random.random() {
                    assert_eq!(tuples.take(&list, &set), gain);
                    expected.retain(|tuple| !of_list(&tuple));
                } else {
                    let size = random.random_range(0..=strength + 1);
                    let mut together: Vec<usize> = (0..items).choose_multiple(&mut random, size);
                    together.sort_unstable();
                    let before = expected.len();
                    expected.retain(|tuple| !together.iter().all(|item| tuple.contains(item)));
                    assert_eq!(tuples.close(&together), (before - expected.len()) as u64);
                }
            }
        }
    }
}

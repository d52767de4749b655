//! Multisets of numbers, and how similar two are.

/// A multiset of numbers: each with its number of occurrences, say of each line in the run of a program. The numbers are
/// sorted, and no count is zero.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Multiset {
    counts: Vec<(u64, u64)>,
}

impl Multiset {
    /// The number of elements, each as often as it occurs. A number that is too large is the largest there is.
    pub fn size(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &(_, count)| sum.saturating_add(count))
    }

    /// The elements in ascending order, with how often each occurs.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        self.counts.iter().copied()
    }

    /// The number of elements that two multisets share, each as often as it occurs in both.
    pub fn shared(&self, other: &Multiset) -> u64 {
        let (mut rest, mut sum) = (&other.counts[..], 0_u64);
        for &(element, count) in &self.counts {
            rest = &rest[rest.iter().take_while(|&&(theirs, _)| theirs < element).count()..];
            if let Some(&(theirs, others)) = rest.first()
                && theirs == element
            {
                sum = sum.saturating_add(count.min(others));
            }
        }
        sum
    }

    /// The similarity of two multisets (equation 3 of MulStringFuzz; Sørensen and Dice): twice the number of elements they
    /// share, as a share of all elements. Two that are empty are equal.
    ///
    /// ```
    /// use sundry_evolve::Multiset;
    ///
    /// let one: Multiset = [(1, 3), (2, 1)].into_iter().collect();
    /// let other: Multiset = [(1, 1), (7, 3)].into_iter().collect();
    /// assert_eq!(one.similarity(&other), 2.0 / 8.0);
    /// assert_eq!(one.similarity(&one), 1.0);
    /// ```
    pub fn similarity(&self, other: &Multiset) -> f64 {
        dice(self.shared(other), self.size(), other.size())
    }
}

/// The coefficient of Sørensen and Dice.
fn dice(shared: u64, one: u64, other: u64) -> f64 {
    let sum = one as f64 + other as f64;
    if sum == 0.0 { 1.0 } else { 2.0 * shared as f64 / sum }
}

impl FromIterator<(u64, u64)> for Multiset {
    /// Elements with counts, in any order; counts of the same element are added.
    fn from_iter<I: IntoIterator<Item = (u64, u64)>>(elements: I) -> Multiset {
        let mut counts: Vec<(u64, u64)> = elements.into_iter().filter(|&(_, count)| count > 0).collect();
        counts.sort_unstable_by_key(|&(element, _)| element);
        counts.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                first.1 = first.1.saturating_add(later.1);
            }
            is_same
        });
        Multiset { counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_paper() {
        let similarity = dice(1_680_940, 4_553_000, 4_430_457);
        assert_eq!(format!("{similarity:.3}"), "0.374");
    }

    #[test]
    fn nothing_is_similar_to_nothing_only() {
        let (none, some) = (Multiset::default(), Multiset::from_iter([(3, 1)]));
        assert_eq!((none.similarity(&none), none.similarity(&some)), (1.0, 0.0));
    }

    #[test]
    fn counts_do_not_overflow() {
        let many = Multiset::from_iter([(1, u64::MAX), (1, u64::MAX), (2, u64::MAX), (9, 0)]);
        assert_eq!((many.size(), many.shared(&many), many.iter().count()), (u64::MAX, u64::MAX, 2));
    }
}

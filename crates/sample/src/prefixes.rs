//! Prefixes of a set in the order of greedy gain: readers who want less than complete coverage take one.

/// Shares of what a set covers that prefixes are judged by.
const LEVELS: [f64; 6] = [0.8, 0.9, 0.95, 0.98, 0.99, 0.995];

/// A weight or a number of solutions, for each level.
pub(crate) type PerLevel<T> = [T; LEVELS.len()];

/// The weight of AST-bits that reaches each level, of this weight altogether.
pub(crate) fn wanted(covered: u64) -> PerLevel<u64> {
    LEVELS.map(|level| (level * covered as f64).ceil() as u64)
}

/// The number of solutions that reach each level, given the gain of each over those before it.
pub(crate) fn lengths(gains: impl IntoIterator<Item = u64>, wanted: &PerLevel<u64>) -> PerLevel<usize> {
    let sum = |sum: &mut u64, gain: u64| {
        *sum += gain;
        Some(*sum)
    };
    let weights: Vec<u64> = gains.into_iter().scan(0, sum).collect();
    wanted.map(|wanted| (weights.partition_point(|&weight| weight < wanted) + 1).min(weights.len()))
}

/// The product of the lengths, so that all levels weigh the same: the smaller, the better.
pub(crate) fn product(lengths: &PerLevel<usize>) -> u128 {
    lengths.iter().map(|&length| length as u128).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_takes_the_shortest_prefix_that_covers_as_much() {
        let wanted = wanted(1000);
        assert_eq!(wanted, [800, 900, 950, 980, 990, 995]);
        let lengths = lengths([800, 149, 1, 44, 5, 1], &wanted);
        assert_eq!(lengths, [1, 2, 3, 4, 4, 5]);
        assert_eq!(product(&lengths), 480);
    }

    #[test]
    fn what_is_never_covered_takes_all() {
        assert_eq!(lengths([10, 5], &wanted(1000)), [2; 6]);
        assert_eq!(lengths([], &wanted(1000)), [0; 6]);
    }
}

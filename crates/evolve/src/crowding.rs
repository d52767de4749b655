//! The distance of an individual from the others of its front. Of two that do not dominate each other, selection prefers the one
//! that is farther away, so that the population stays diverse.

/// The crowding distance of NSGA-II (section III-B) of each individual of a front, in its order: the sum over all objectives of
/// the distance between its two neighbours, as a share of the range of that objective. Individuals at the ends of an objective
/// are infinitely far.
///
/// ```
/// use sundry_evolve::classic_crowding;
///
/// let scores = [vec![0.0, 4.0], vec![1.0, 3.0], vec![4.0, 0.0]];
/// assert_eq!(classic_crowding(&[0, 1, 2], &scores), [f64::INFINITY, 2.0, f64::INFINITY]);
/// ```
pub fn classic_crowding(front: &[usize], scores: &[Vec<f64>]) -> Vec<f64> {
    let mut distances = vec![0.0; front.len()];
    let objectives = front.first().map_or(0, |&one| scores[one].len());
    let columns = (0..objectives).map(|objective| front.iter().map(move |&one| scores[one][objective]));
    for column in columns {
        let scores: Vec<f64> = column.collect();
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&one, &other| scores[one].total_cmp(&scores[other]));
        let (Some(&least), Some(&most)) = (order.first(), order.last()) else { break };
        distances[least] = f64::INFINITY;
        distances[most] = f64::INFINITY;
        let range = scores[most] - scores[least];
        if range > 0.0 {
            for neighbours in order.windows(3) {
                distances[neighbours[1]] += (scores[neighbours[2]] - scores[neighbours[0]]) / range;
            }
        }
    }
    distances
}

/// The crowding of MulStringFuzz (equation 4) of each individual of a front, in its order: one minus the mean of its
/// similarities to the others of the front. A front of one is infinitely far from others. The similarity is a share from 0 to
/// 1, and the same for both orders of two individuals; it is asked once for each pair.
///
/// ```
/// use sundry_evolve::similarity_crowding;
///
/// // The first two are alike.
/// let similarity = |one, other| if (one, other) == (0, 1) { 1.0 } else { 0.0 };
/// assert_eq!(similarity_crowding(&[0, 1, 2], similarity), [0.5, 0.5, 1.0]);
/// ```
pub fn similarity_crowding(front: &[usize], mut similarity: impl FnMut(usize, usize) -> f64) -> Vec<f64> {
    if front.len() < 2 {
        return vec![f64::INFINITY; front.len()];
    }
    let mut sums = vec![0.0; front.len()];
    for one in 0..front.len() {
        for other in one + 1..front.len() {
            let similar = similarity(front[one], front[other]);
            sums[one] += similar;
            sums[other] += similar;
        }
    }
    let others = (front.len() - 1) as f64;
    sums.into_iter().map(|sum| 1.0 - sum / others).collect()
}

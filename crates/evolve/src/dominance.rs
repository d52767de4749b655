//! Dominance, and the fronts that it makes of a population: the fast non-dominated sort of NSGA-II (section III-A), with its
//! constrained dominance (section VI).

/// Whether some scores are at least as good as others in every objective, and better in one.
pub fn dominates(scores: &[f64], others: &[f64]) -> bool {
    let pairs = || scores.iter().zip(others);
    pairs().all(|(score, other)| score >= other) && pairs().any(|(score, other)| score > other)
}

/// What is compared of an individual: whether it is what the search looks for, and its scores.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// Whether the individual satisfies the constraint of the search, if there is one.
    pub is_feasible: bool,
    /// The scores, all to be maximised.
    pub scores: Vec<f64>,
}

impl Standing {
    /// Whether this individual is better: it alone is feasible, or both are alike in that and its scores dominate.
    pub fn dominates(&self, other: &Standing) -> bool {
        if self.is_feasible == other.is_feasible {
            dominates(&self.scores, &other.scores)
        } else {
            self.is_feasible
        }
    }
}

impl From<Vec<f64>> for Standing {
    /// Scores without a constraint.
    fn from(scores: Vec<f64>) -> Self {
        Standing { is_feasible: true, scores }
    }
}

/// The fronts of a population, by the indices of its individuals. The first front has those that nobody dominates, the next
/// one those that only the first dominates, and so on; within a front the order is that of the population. Takes a number of
/// comparisons that is quadratic in the size of the population.
///
/// ```
/// use sundry_evolve::{Standing, sort_by_dominance};
///
/// let population = [vec![1.0, 1.0], vec![3.0, 0.0], vec![2.0, 2.0], vec![0.0, 0.0]].map(Standing::from);
/// assert_eq!(sort_by_dominance(&population), [vec![1, 2], vec![0], vec![3]]);
/// ```
pub fn sort_by_dominance(population: &[Standing]) -> Vec<Vec<usize>> {
    let mut dominated: Vec<Vec<usize>> = vec![Vec::new(); population.len()];
    // By how many of those that have no front yet an individual is dominated.
    let mut dominators = vec![0_usize; population.len()];
    for (one, own) in population.iter().enumerate() {
        for (other, theirs) in population.iter().enumerate() {
            if own.dominates(theirs) {
                dominated[one].push(other);
                dominators[other] += 1;
            }
        }
    }
    let mut fronts = Vec::new();
    let mut front: Vec<usize> = (0..population.len()).filter(|&one| dominators[one] == 0).collect();
    while !front.is_empty() {
        let mut next = Vec::new();
        for &one in &front {
            for &other in &dominated[one] {
                dominators[other] -= 1;
                if dominators[other] == 0 {
                    next.push(other);
                }
            }
        }
        next.sort_unstable();
        fronts.push(std::mem::replace(&mut front, next));
    }
    fronts
}

//! Strategies: ways to look for a point of distance zero.

use rand_chacha::ChaCha8Rng;

use crate::annealing::Annealing;
use crate::basin_hopping::BasinHopping;
use crate::landscape::{End, Landscape};
use crate::moves::Moves;
use crate::swarm::Swarm;

/// A search from one start, which goes on step by step.
pub(crate) trait Strategy {
    /// Evaluates some points, a few thousand at most. Whether going on makes sense; if not, another start does.
    ///
    /// # Errors
    /// A point has distance zero, or the search has to stop.
    fn step(
        &mut self,
        landscape: &mut Landscape<'_, '_>,
        moves: &Moves,
        random: &mut ChaCha8Rng,
    ) -> Result<bool, End>;
}

/// The strategies.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum StrategyKind {
    /// Local minima, each found from a random change of one before (Wales & Doye, 1997), as in XSat.
    #[default]
    BasinHopping,
    /// Random steps, of which those uphill become rarer (Kirkpatrick, Gelatt & Vecchi, 1983).
    Annealing,
    /// Points that fly towards the best ones known (Kennedy & Eberhart, 1995), as in CORAL.
    Swarm,
}

impl StrategyKind {
    /// The strategy at a random start. Later starts, which have higher numbers, go on for longer.
    pub(crate) fn start(self, number: u64) -> Box<dyn Strategy> {
        match self {
            StrategyKind::BasinHopping => Box::new(BasinHopping::new(number)),
            StrategyKind::Annealing => Box::new(Annealing::new(number)),
            StrategyKind::Swarm => Box::new(Swarm::new(number)),
        }
    }
}

/// The number of steps of a start: 1, 1, 2, 1, 1, 2, 4, … of a unit, so that the total is within a logarithm of the best choice (Luby,
/// Sinclair & Zuckerman, *Optimal speedup of Las Vegas algorithms*, 1993).
pub(crate) fn luby(number: u64) -> u64 {
    let mut index = number + 1;
    loop {
        let bits = 64 - index.leading_zeros();
        if index + 1 == 1 << bits {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn starts_are_of_the_lengths_of_luby() {
        let lengths: Vec<u64> = (0..15).map(super::luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}

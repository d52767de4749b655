//! The time that CaDiCaL takes to enlarge its tables, which nothing can interrupt.
//!
//! CaDiCaL has tables with a place for each variable. When a variable finds none, the tables double, and all new places
//! are written: with millions of variables that takes seconds. How long it takes next time is estimated from the last
//! time.

use std::time::{Duration, Instant};

/// The factor by which enlarging the tables takes longer than the last time: for twice as many places, with memory that
/// the program has not used before, which the system has to find and to clear first. (Measured: 3 to 8 times with 8
/// million places.)
const GROWTH: u32 = 4;

/// The number of places in the tables, and the time that the last enlargement took.
#[derive(Default)]
pub(crate) struct Tables {
    places: usize,
    /// The time that the last enlargement took.
    last: Duration,
}

impl Tables {
    /// Full tables that took so long to make.
    #[cfg(test)]
    pub(crate) fn that_took(last: Duration) -> Self {
        Tables { places: 2, last }
    }

    /// The expected time to make room for this number of variables, estimated from the last enlargement.
    pub(crate) fn expected(&self, variables: usize) -> Duration {
        if variables < self.places { Duration::ZERO } else { GROWTH * self.last }
    }

    /// Measures the time of `then`, in which the tables get room for this number of variables.
    pub(crate) fn make_room(&mut self, variables: usize, then: impl FnOnce()) {
        if variables < self.places {
            return then();
        }
        let start = Instant::now();
        then();
        self.last = start.elapsed();
        // Place 0 is not used.
        self.places = self.places.max(1);
        while self.places <= variables {
            self.places *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    #[test]
    fn more_room_takes_longer_than_before() {
        let mut tables = Tables::default();
        assert_eq!(tables.expected(5), Duration::ZERO);
        let a_moment = Duration::from_millis(2);
        tables.make_room(5, || sleep(a_moment));
        assert_eq!(tables.expected(7), Duration::ZERO);
        assert!(tables.expected(8) >= GROWTH * a_moment);
        tables.make_room(7, || sleep(a_moment));
        assert!(tables.expected(8) >= GROWTH * a_moment);
        tables.make_room(8, || ());
        assert_eq!(tables.expected(15), Duration::ZERO);
    }
}

//! The effort of looking for what follows, by what was found so far.
//!
//! On problems of scheduling, most of what a search has to know follows from its last decisions, and is worth any effort. On others thousands of edges are
//! looked at for one constraint, most often one that clauses would propagate too, and the search is faster without. So an effort is paid for by what it finds.

/// The prices of a [`Balance`], in steps of work.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Prices {
    /// The work that may be done at the beginning, and the greatest that can be saved.
    pub start: i64,
    /// The work that may be done for each result.
    pub for_found: i64,
    /// The work that may be done each time, whatever is found.
    pub for_asked: i64,
}

/// The work that may be done.
#[derive(Copy, Clone, Debug)]
pub struct Balance {
    left: i64,
    prices: Prices,
}

impl Balance {
    /// The balance of somebody who has done nothing yet.
    pub fn new(prices: Prices) -> Balance {
        Balance { left: prices.start, prices }
    }

    /// Whether it is worth while to look for something now.
    pub fn allows_next(&mut self) -> bool {
        self.left = (self.left + self.prices.for_asked).min(self.prices.start);
        self.left >= 0
    }

    /// Notes how much work was done, and how many results were found.
    pub fn note(&mut self, work: u64, found: usize) {
        self.left += self.prices.for_found * found as i64 - work as i64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_without_results_is_paid_for_slowly() {
        let mut balance = Balance::new(Prices { start: 1000, for_found: 200, for_asked: 8 });
        assert!(balance.allows_next());
        balance.note(1000 + 10 * 8, 0);
        assert_eq!((0..20).take_while(|_| !balance.allows_next()).count(), 9);
        balance.note(100, 1);
        assert!(balance.allows_next());
    }
}

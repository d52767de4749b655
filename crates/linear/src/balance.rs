//! The effort of looking for what follows, by what was found so far.
//!
//! On problems of scheduling, most of what a search has to know follows from its last decisions, and is worth any effort. On others thousands of edges are
//! looked at for one constraint, most often one that clauses would propagate too, and the search is faster without. So an effort is paid for by what it finds.

/// The prices of a [`Balance`], in steps of work.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Prices {
    /// The greatest work that may be done without results.
    pub start: i64,
    /// The work that may be done for each result.
    pub for_found: i64,
    /// The work that may be done each time, whatever is found.
    pub for_asked: i64,
}

/// The work that was done and is not paid for, at the same prices each time.
#[derive(Copy, Clone, Default, Debug)]
pub struct Balance {
    owed: i64,
}

impl Balance {
    /// Whether it is worth while to look for something now.
    pub fn allows_next(&mut self, prices: &Prices) -> bool {
        self.owed = (self.owed - prices.for_asked).max(0);
        self.owed <= prices.start
    }

    /// Notes how much work was done, and how many results were found.
    pub fn note(&mut self, prices: &Prices, work: u64, found: usize) {
        self.owed += work as i64 - prices.for_found * found as i64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_without_results_is_paid_for_slowly() {
        let prices = Prices { start: 1000, for_found: 200, for_asked: 8 };
        let mut balance = Balance::default();
        assert!(balance.allows_next(&prices));
        balance.note(&prices, 1000 + 10 * 8, 0);
        assert_eq!((0..20).take_while(|_| !balance.allows_next(&prices)).count(), 9);
        balance.note(&prices, 100, 1);
        assert!(balance.allows_next(&prices));
    }
}

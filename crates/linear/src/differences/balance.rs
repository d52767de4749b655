//! The effort of looking for what follows, by what was found so far.
//!
//! On problems of scheduling, most of what a search has to know follows from its last decisions, and is worth any effort. On others thousands of edges are
//! looked at for one constraint, most often one that clauses would propagate too, and the search is faster without. So an effort is paid for by what it finds.

/// The effort at the beginning, and the greatest that can be saved.
const START: i64 = 200_000;

/// The edges that may be looked at for a constraint that follows.
const FOR_FOLLOWED: i64 = 200;

/// The edges that may be looked at for an asserted constraint, whatever follows.
const FOR_ASSERTED: i64 = 8;

/// The edges that may be looked at.
#[derive(Copy, Clone, Debug)]
pub(super) struct Balance(i64);

impl Default for Balance {
    fn default() -> Self {
        Balance(START)
    }
}

impl Balance {
    /// Whether it is worth while to look for what follows from the next asserted constraint.
    pub(super) fn allows_next(&mut self) -> bool {
        self.0 = (self.0 + FOR_ASSERTED).min(START);
        self.0 >= 0
    }

    /// Notes how many edges were looked at, and how many constraints were found to follow.
    pub(super) fn note(&mut self, edges: u64, followed: usize) {
        self.0 += FOR_FOLLOWED * followed as i64 - edges as i64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_without_results_is_paid_for_slowly() {
        let mut balance = Balance::default();
        assert!(balance.allows_next());
        balance.note(START as u64 + 10 * FOR_ASSERTED as u64, 0);
        assert_eq!((0..20).take_while(|_| !balance.allows_next()).count(), 9);
        balance.note(100, 1);
        assert!(balance.allows_next());
    }
}

//! Regrowing: some solutions of the set are thrown away and others grown in their place, of which
//! fewer may do.
//!
//! This is *ruin and recreate* (Schrimpf, Schneider, Stamm-Wilbrandt & Dueck, "Record breaking
//! optimization results using the ruin and recreate principle", Journal of Computational Physics
//! 159, 2000). Growing is easy even where it is hard to refute that a solution can be eliminated, and
//! the first attempt is seldom the best. Sets of the same size take the place of the present one
//! too, so that attempts do not begin at the same set all the time. Where searches are hard far from
//! known models, the last two solutions of a small set are looked for together ([`last_two`](super::last_two)).

use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use sundry_coverage::BitSet;

use super::Cover;
use super::grow::{Growth, Indifference};
use super::member::covered_by_all;
use crate::problem::Rejection;

/// Solutions that are thrown away in one attempt, at most.
const MAXIMAL_RUIN: usize = 8;
/// Solutions below which regrowing gains nothing: two are needed wherever any bit varies.
const MINIMAL_COUNT: usize = 3;
/// Solutions of a set up to which the last two are worth the effort: in larger ones eliminating and
/// growing gain more.
const SMALL_COUNT: usize = 5;
/// The part of the patience, one in this number, for attempts that look for the last two.
const HURRY: u64 = 8;

impl Cover<'_> {
    /// Makes attempts until the set is smaller or the clock shows `until`. Returns whether the set is smaller.
    pub(super) fn regrow(&mut self, until: u64) -> Result<bool, Rejection> {
        let count = self.members.len();
        while count >= MINIMAL_COUNT
            && count > self.bound.size
            && !self.is_over(until)
            && !self.is_out_of_work()
        {
            self.ruin_and_recreate()?;
            if self.members.len() < count {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the set is small, and only models near known ones are found in good time.
    pub(super) fn is_small_and_hard(&self) -> bool {
        self.growing.stay_near && self.members.len() <= SMALL_COUNT
    }

    /// Throws some members away and grows as many others at most; the set is as before if those do
    /// not cover enough.
    fn ruin_and_recreate(&mut self) -> Result<(), Rejection> {
        let count = self.members.len();
        let hard = self.is_small_and_hard();
        let random = &mut self.steering.random;
        // When three members are removed, two are to take their place.
        let least = if hard { 3 } else { 2 };
        let kept = count - random.random_range(least..=count.min(MAXIMAL_RUIN));
        self.members.shuffle(random);
        self.growing.indifference = *Indifference::ALL.choose(random).expect("there are some");
        self.growing.reluctance = 0;
        let ruined = self.members.split_off(kept);
        let kept_covered = covered_by_all(&self.members, self.covered.length());
        let covered = std::mem::replace(&mut self.covered, kept_covered);
        let reached = if hard { self.recreate_hard(count, &covered) } else { self.grow_up_to(count) };
        if let Ok(true) = reached {
            self.unreported += 1;
        } else {
            self.members.truncate(kept);
            self.members.extend(ruined);
            self.covered = covered;
        }
        reached.map(|_| ())
    }

    /// Grows members and looks for the last two, so that the set is smaller than `count` and covers what it did.
    /// Returns whether that succeeds.
    ///
    /// Growing a set to the end would fail by a few targets in most attempts, and take long.
    fn recreate_hard(&mut self, count: usize, covered: &BitSet) -> Result<bool, Rejection> {
        let patience = self.growing.patience;
        self.growing.patience /= HURRY;
        let grown = self.grow_up_to(count - 3);
        let found = grown.and_then(|reached| Ok(reached || self.find_last_two(covered)?));
        self.growing.patience = patience;
        found
    }

    /// Grows members until the target is reached or there are `count` of them. Returns whether the target is reached.
    fn grow_up_to(&mut self, count: usize) -> Result<bool, Rejection> {
        while !self.has_reached_target() {
            if self.members.len() == count {
                return Ok(false);
            }
            match self.grow_next() {
                Growth::Member(member) => self.add(member),
                Growth::Rejected(wrong) => return Err(wrong),
                // Targets refuted on the way are no longer asked for.
                Growth::Complete
                | Growth::Unclassified
                | Growth::OutOfPatience
                | Growth::Unsatisfiable
                | Growth::Stopped => {
                    return Ok(self.has_reached_target());
                }
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use sundry_term::{BitVector, Control, Op, TermStore};

    use super::super::tests::{entangled, grown};
    use super::*;
    use crate::problem::Problem;

    fn together(cover: &Cover<'_>) -> BitSet {
        covered_by_all(&cover.members, cover.covered.length())
    }

    /// A set with every member many times gets as small as the members once.
    fn wasteful_set_gets_smaller(stay_near: bool) {
        let problem = entangled();
        let mut cover = grown(&problem, 0, &Control::default());
        cover.growing.stay_near = stay_near;
        let (all, count) = (cover.covered.clone(), cover.members.len());
        for _ in 0..3 {
            cover.members.extend_from_within(..count);
        }
        let until = cover.steering.clock() + 1_000_000;
        while cover.regrow(until).expect("models are right") {
            assert_eq!(together(&cover), all);
        }
        assert!(cover.members.len() <= count, "{} of {count}", cover.members.len());
        assert_eq!(together(&cover), all);
        assert_eq!(cover.covered, all);
    }

    #[test]
    fn a_wasteful_set_gets_smaller_and_covers_the_same() {
        wasteful_set_gets_smaller(false);
    }

    #[test]
    fn a_wasteful_set_gets_smaller_where_searches_are_hard() {
        wasteful_set_gets_smaller(true);
    }

    /// 8 bits `x` and `y` with one bit set in each, whose numbers add up to 4 or to 7: members with the
    /// sum 4 can leave bits that do not match, which take a member each.
    fn matching() -> Problem {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(8).expect("a width");
        let symbols = ["x", "y"].map(|name| store.declare(name, &[], sort));
        let [x, y] = symbols.map(|symbol| store.symbol_term(symbol));
        let [zero, one, sums] =
            [0, 1, 1 << 4 | 1 << 7].map(|value| store.bit_vector(BitVector::from_u64(8, value)));
        let mut assertions = Vec::new();
        for number in [x, y] {
            let below = store.make(Op::BvSub, &[number, one]);
            let others = store.make(Op::BvAnd, &[number, below]);
            assertions.push(store.make(Op::Equal, &[others, zero]));
        }
        let product = store.make(Op::BvMul, &[x, y]);
        let allowed = store.make(Op::BvAnd, &[product, sums]);
        let equal = store.make(Op::Equal, &[allowed, zero]);
        assertions.push(store.make(Op::Not, &[equal]));
        Problem::new(store, assertions, symbols.to_vec())
    }

    #[test]
    fn no_attempt_makes_the_set_larger() {
        let problem = matching();
        for (seed, stay_near) in (0..4).flat_map(|seed| [(seed, false), (seed, true)]) {
            let mut cover = grown(&problem, seed, &Control::default());
            cover.growing.stay_near = stay_near;
            let all = cover.covered.clone();
            for _ in 0..300 {
                let before = cover.members.len();
                cover.ruin_and_recreate().expect("models are right");
                assert!(cover.members.len() <= before, "seed {seed}: {before}, {}", cover.members.len());
                assert_eq!(together(&cover), all);
            }
        }
    }

    #[test]
    fn an_attempt_in_vain_leaves_the_set_as_it_was() {
        let problem = entangled();
        let stop = Arc::new(AtomicBool::new(false));
        let control = Control::default().with_stop(stop.clone());
        let mut cover = grown(&problem, 0, &control);
        let covers = |cover: &Cover<'_>| {
            let mut all: Vec<Vec<usize>> =
                cover.members.iter().map(|member| member.covered.iter().collect()).collect();
            all.sort_unstable();
            all
        };
        let (before, all) = (covers(&cover), cover.covered.clone());
        stop.store(true, Ordering::Relaxed);
        cover.ruin_and_recreate().expect("models are right");
        assert_eq!(covers(&cover), before);
        assert_eq!(cover.covered, all);
        assert_eq!(cover.unreported, 0);
    }
}

//! The rating of a solution: the coverage that it adds to the present ones.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use sundry_coverage::Gains;
use sundry_term::Model;

use super::MAX_STRENGTH;
use super::space::{Candidate, Space};
use super::tuples::{Tuples, items_of, without};
use crate::error::SampleError;

/// Memory for the tuples, at most.
const MAX_BYTES: usize = 2 << 30;

/// A candidate is rated by what has changed if that is less than this part of its items.
const WORTH_A_CHANGE: usize = 4;

/// The rating of a solution against another, by these criteria in this order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Rating {
    /// New AST-bits.
    bits: u64,
    /// New tuples of strength 1, 2, and 3.
    tuples: [u64; MAX_STRENGTH],
    /// Bits of constants that are 1.
    ones: i64,
    /// The part left to chance.
    chance: usize,
}

impl Rating {
    /// Whether there are new AST-bits, values or pairs.
    fn adds_pairs(&self) -> bool {
        self.bits > 0 || self.tuples[..2].iter().any(|&new| new > 0)
    }
}

/// The part that is not covered yet.
#[derive(Clone)]
pub(super) struct Open {
    /// The open tuples, by strength less one.
    pub(super) tuples: Vec<Tuples>,
    /// Bits of nodes that were never 1, and never 0.
    never_one: Vec<u64>,
    never_zero: Vec<u64>,
}

impl Open {
    pub(super) fn new(space: &Space<'_>, strength: usize) -> Result<Self, SampleError> {
        let factor_of = &space.factors.factor_of;
        let bytes = (1..=strength).map(|strength| Tuples::bytes(strength, factor_of.len()));
        if bytes.sum::<Option<usize>>().is_none_or(|bytes| bytes > MAX_BYTES) {
            let values = factor_of.iter().filter(|factor| factor.is_some()).count();
            return Err(SampleError::TooManyTuples { values });
        }
        let wanted = space.factors.wanted.as_ref();
        let tuples = |size: usize| match wanted {
            None => Tuples::new(size, factor_of, None),
            Some(wanted) if size == strength => Tuples::new(size, factor_of, Some(&|it| wanted.has(it))),
            Some(wanted) => Tuples::new(size, factor_of, Some(&|it| wanted.fit_together(it))),
        };
        let tuples = (1..=strength).map(tuples).collect();
        let mask = |block: usize| u64::MAX >> (64 - (space.bits() - 64 * block).min(64));
        let bits: Vec<u64> = (0..space.bits().div_ceil(64)).map(mask).collect();
        Ok(Open { tuples, never_one: bits.clone(), never_zero: bits })
    }

    /// The tuples of the strength that is asked for.
    pub(super) fn last(&self) -> &Tuples {
        &self.tuples[self.tuples.len() - 1]
    }

    /// The rating of a candidate. Where it is less than `to_beat`, something between.
    pub(super) fn rate(&self, candidate: &Candidate, to_beat: &Rating) -> Rating {
        self.rating(candidate, to_beat, |tuples| tuples.gain(&candidate.list, &candidate.items))
    }

    /// The rating of a candidate that has many items of another one, whose rating is known.
    pub(super) fn rate_change(
        &self,
        old: &Candidate,
        rating: &Rating,
        new: &Candidate,
        to_beat: &Rating,
    ) -> Rating {
        let gone = items_of(&without(&old.items, &new.items));
        let come = items_of(&without(&new.items, &old.items));
        if come.len() * WORTH_A_CHANGE > new.list.len() {
            return self.rate(new, to_beat);
        }
        self.rating(new, to_beat, |tuples| {
            rating.tuples[tuples.strength() - 1] - tuples.gain_with(&old.list, &old.items, &gone)
                + tuples.gain_with(&new.list, &new.items, &come)
        })
    }

    /// The rating of a candidate, of which `gain` says how many tuples of a strength are new. The greater the strength,
    /// the more work that is, so it is left out where what comes before is less than in the rating to beat.
    fn rating(&self, candidate: &Candidate, to_beat: &Rating, gain: impl Fn(&Tuples) -> u64) -> Rating {
        let words = self.never_one.iter().zip(&self.never_zero).zip(&candidate.bits);
        let new = |((never_one, never_zero), bits): ((&u64, &u64), &u64)| {
            u64::from((never_one & bits | never_zero & !bits).count_ones())
        };
        let tuples = [0; MAX_STRENGTH];
        let mut rating = Rating { bits: words.map(new).sum(), tuples, ones: candidate.ones, chance: 0 };
        for (position, tuples) in self.tuples.iter().enumerate() {
            let (so_far, needed) = (&rating.tuples[..position], &to_beat.tuples[..position]);
            if (rating.bits, so_far) < (to_beat.bits, needed) {
                rating.tuples[position..].fill(u64::MAX);
                break;
            }
            rating.tuples[position] = gain(tuples);
        }
        rating
    }

    /// Covers what a candidate has. How many tuples of the strength are new.
    pub(super) fn take(&mut self, candidate: &Candidate) -> u64 {
        for (word, bits) in candidate.bits.iter().enumerate() {
            self.never_one[word] &= !bits;
            self.never_zero[word] &= bits;
        }
        let mut gain = 0;
        for tuples in &mut self.tuples {
            gain = tuples.take(&candidate.list, &candidate.items);
        }
        gain
    }

    /// Counts only these bits of nodes from now on.
    pub(super) fn count_only(&mut self, bits: &[u64]) {
        for words in [&mut self.never_one, &mut self.never_zero] {
            words.iter_mut().zip(bits).for_each(|(word, bits)| *word &= bits);
        }
    }

    /// Closes what has all of these items. How many tuples of the strength that are.
    pub(super) fn close(&mut self, together: &[usize]) -> u64 {
        let mut closed = 0;
        for tuples in &mut self.tuples {
            closed = tuples.close(together);
        }
        closed
    }
}

/// Candidates that are put in order.
pub(super) struct Greedy<'a> {
    pub(super) candidates: Vec<&'a Candidate>,
    pub(super) open: Open,
    /// The random numbers of candidates, which decide between those without new pairs that are equal otherwise; if
    /// `None`, the bits that are 1 decide, as everywhere else.
    pub(super) chances: Option<Vec<usize>>,
}

impl Gains for Greedy<'_> {
    type Gain = Rating;

    fn gain(&self, item: usize, to_beat: Option<&Rating>) -> Rating {
        let rating = self.open.rate(self.candidates[item], to_beat.unwrap_or(&Rating::default()));
        match &self.chances {
            Some(chances) if !rating.adds_pairs() => Rating { ones: 0, chance: chances[item], ..rating },
            _ => rating,
        }
    }

    fn take(&mut self, item: usize) {
        self.open.take(self.candidates[item]);
    }
}

/// The bits of nodes that differ between solutions, one of each group that is equal or opposite in all of them.
pub(super) fn different_bits(all: &[(Candidate, Arc<Model>)]) -> Vec<u64> {
    let words = all.first().map_or(0, |(first, _)| first.bits.len());
    let mut different = vec![0; words];
    let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
    for bit in 0..64 * words {
        let value = |(candidate, _): &(Candidate, Arc<Model>)| candidate.bits[bit / 64] >> (bit % 64) & 1;
        let opposite = all.first().map_or(0, value);
        let column = all.chunks(64).map(|block| {
            block.iter().enumerate().fold(0, |word, (lane, it)| word | (value(it) ^ opposite) << lane)
        });
        if seen.insert(column.collect()) {
            different[bit / 64] |= 1 << (bit % 64);
        }
    }
    different
}

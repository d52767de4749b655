//! Knowledge of a run about the lengths of sources.
//!
//! A read that gets all there is returns the length, and a byte in the buffer is the byte of the source if the source is long enough, and what was there before otherwise.
//! Programs compare the length with positions one after the other, so that an interval for each length decides nearly all of these choices.

use sundry_term::{Op, TermId, TermStore};

use crate::input::Variables;

/// A byte of memory that a read may or may not have written.
#[derive(Copy, Clone)]
pub(super) struct Guarded {
    /// The address of the byte.
    pub(super) address: u32,
    /// The term of the byte, which chooses between the byte of the source and what was there.
    pub(super) term: TermId,
    /// The byte of the source.
    pub(super) read: TermId,
    /// The byte before.
    pub(super) before: Option<TermId>,
    /// The position of the byte in the source.
    pub(super) index: u32,
}

struct Length {
    term: TermId,
    least: u64,
    greatest: u64,
    guarded: Vec<Guarded>,
}

/// Intervals of all lengths.
pub(super) struct Lengths {
    lengths: Vec<Length>,
    resolved: Vec<(Guarded, Option<TermId>)>,
}

/// A comparison of a length with a number.
enum Comparison {
    Equal(u64),
    /// The length is less.
    Below(u64),
    /// The length is greater.
    Above(u64),
}

impl Lengths {
    pub(super) fn new(variables: &Variables) -> Lengths {
        let sources = variables.sources().iter();
        let lengths = sources.filter_map(|source| {
            let term = variables.variable(source.length?).term;
            Some(Length { term, least: 0, greatest: u64::from(source.capacity), guarded: Vec::new() })
        });
        Lengths { lengths: lengths.collect(), resolved: Vec::new() }
    }

    /// The least and greatest value of a length.
    pub(super) fn interval(&self, length: TermId) -> (u64, u64) {
        let known = self.lengths.iter().find(|known| known.term == length);
        known.map_or((0, u64::MAX), |known| (known.least, known.greatest))
    }

    /// Remembers a byte that depends on a length.
    pub(super) fn guard(&mut self, length: TermId, guarded: Guarded) {
        if let Some(known) = self.lengths.iter_mut().find(|known| known.term == length) {
            known.guarded.push(guarded);
        }
    }

    /// The comparison that a condition is, with the number of its length and whether it is negated.
    fn comparison(&self, store: &TermStore, mut condition: TermId) -> Option<(usize, Comparison, bool)> {
        let mut is_negated = false;
        while store.op(condition) == Op::Not {
            condition = store.args(condition)[0];
            is_negated = !is_negated;
        }
        let &[left, right] = store.args(condition) else { return None };
        let length = |term| self.lengths.iter().position(|known| known.term == term);
        let number = |term| store.value(term)?.as_bit_vector()?.to_u64();
        let (found, comparison) = match (store.op(condition), length(left), length(right)) {
            (Op::Equal, Some(found), _) => (found, Comparison::Equal(number(right)?)),
            (Op::Equal, _, Some(found)) => (found, Comparison::Equal(number(left)?)),
            (Op::BvUlt, Some(found), _) => (found, Comparison::Below(number(right)?)),
            (Op::BvUlt, _, Some(found)) => (found, Comparison::Above(number(left)?)),
            _ => return None,
        };
        Some((found, comparison, is_negated))
    }

    /// Whether the intervals leave a condition only one truth value.
    pub(super) fn decides(&self, store: &TermStore, condition: TermId) -> bool {
        let Some((found, comparison, _)) = self.comparison(store, condition) else { return false };
        let Length { least, greatest, .. } = self.lengths[found];
        match comparison {
            Comparison::Equal(number) => number < least || number > greatest || least == greatest,
            Comparison::Below(number) => greatest < number || least >= number,
            Comparison::Above(number) => least > number || greatest <= number,
        }
    }

    /// Takes a condition into account. Returns whether bytes have been resolved.
    pub(super) fn learn(&mut self, store: &TermStore, condition: TermId, holds: bool) -> bool {
        let Some((found, comparison, is_negated)) = self.comparison(store, condition) else { return false };
        let length = &mut self.lengths[found];
        match (comparison, holds != is_negated) {
            (Comparison::Equal(number), true) => (length.least, length.greatest) = (number, number),
            (Comparison::Equal(number), false) => {
                length.least += u64::from(number == length.least);
                length.greatest = length.greatest.saturating_sub(u64::from(number == length.greatest));
            }
            (Comparison::Below(number), true) => {
                length.greatest = length.greatest.min(number.saturating_sub(1))
            }
            (Comparison::Below(number), false) => length.least = length.least.max(number),
            (Comparison::Above(number), true) => length.least = length.least.max(number.saturating_add(1)),
            (Comparison::Above(number), false) => length.greatest = length.greatest.min(number),
        }
        let (least, greatest) = (length.least, length.greatest);
        let mut resolved = Vec::new();
        length.guarded.retain(|guarded| {
            let index = u64::from(guarded.index);
            if index < least {
                resolved.push((*guarded, Some(guarded.read)));
            } else if index >= greatest {
                resolved.push((*guarded, guarded.before));
            }
            (least..greatest).contains(&index)
        });
        self.resolved.append(&mut resolved);
        !self.resolved.is_empty()
    }

    /// Bytes that a fact has resolved, each with what it is.
    pub(super) fn take_resolved(&mut self) -> Vec<(Guarded, Option<TermId>)> {
        std::mem::take(&mut self.resolved)
    }
}

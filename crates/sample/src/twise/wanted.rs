//! The combinations of items to be covered, where these are not all of one strength.
//!
//! Some parameters may be combined more closely than the rest, in groups with a strength of their own. So that all
//! tuples have the same number of items, smaller ones are filled up with items that every solution has. And a value
//! that the system has to refuse (a *negative* one) hides what else a solution has: valid values are combined with each
//! other in solutions without a negative one, and with a negative one in solutions that have it. For that, a factor of a
//! system with negative values has two items for each valid value, one beside a negative value of another factor and
//! one without (input masking; Czerwonka, *Pairwise Testing in Real World*, PNSQC 2006).

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::SymbolId;

use crate::problem::Group;

/// The role of an item beside negative values.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A value in a solution without negative ones.
    Valid,
    /// A valid value in a solution with a negative one.
    Masked,
    /// A negative value.
    Negative,
    /// Every solution has the value.
    Filler,
}

/// The wanted tuples.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The role of each item; all are valid where there are no negative values.
    kinds: Vec<Kind>,
    factor_of: Vec<Option<usize>>,
    /// The number of values that are combined of all factors.
    strength: usize,
    /// The factors of groups that are combined more closely, and how closely.
    groups: Vec<CloseGroup>,
}

/// The factors of a group, and how many of their values are combined: more than of others.
pub(crate) type CloseGroup = (FxHashSet<usize>, usize);

/// The groups whose values are combined more closely than with this strength.
pub(crate) fn close_groups(
    groups: &[Group],
    strength: usize,
    factors: &FxHashMap<SymbolId, usize>,
) -> Vec<CloseGroup> {
    let close = groups.iter().filter_map(|group| {
        let members: FxHashSet<usize> =
            group.symbols.iter().filter_map(|symbol| factors.get(symbol)).copied().collect();
        let of_group = group.strength.min(members.len());
        (of_group > strength).then_some((members, of_group))
    });
    close.collect()
}

impl Wanted {
    /// The wanted tuples of factors with items of these kinds.
    pub(crate) fn new(
        kinds: Vec<Kind>,
        factor_of: Vec<Option<usize>>,
        strength: usize,
        groups: Vec<CloseGroup>,
    ) -> Self {
        Wanted { kinds, factor_of, strength, groups }
    }

    /// Whether a tuple is wanted that has all the items there are to be, ascending.
    pub(crate) fn has(&self, tuple: &[usize]) -> bool {
        let (fillers, values): (Vec<usize>, Vec<usize>) =
            tuple.iter().partition(|&&item| self.kinds[item] == Kind::Filler);
        // Of several sets of fillers only the first counts.
        let first = self.kinds.iter().position(|&kind| kind == Kind::Filler);
        let is_first = fillers.iter().enumerate().all(|(number, &item)| Some(item - number) == first);
        if !is_first || !self.fit_together(&values) {
            return false;
        }
        let strength = values.len();
        let is_of = |factors: &FxHashSet<usize>| {
            values.iter().all(|&item| self.factor_of[item].is_some_and(|it| factors.contains(&it)))
        };
        strength == self.strength
            || self.groups.iter().any(|(factors, of_group)| strength == *of_group && is_of(factors))
    }

    /// Whether these values are worth being seen together: valid ones, or one that is negative with others that are
    /// valid otherwise.
    pub(crate) fn fit_together(&self, values: &[usize]) -> bool {
        let count = |wanted| values.iter().filter(|&&item| self.kinds[item] == wanted).count();
        match count(Kind::Negative) {
            0 => count(Kind::Valid) == values.len(),
            1 => count(Kind::Masked) + 1 == values.len(),
            _ => false,
        }
    }
}

//! Narrower bit-vectors and floating-point formats, and sorts that others can stand for.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{FloatFormat, Sort, SortId, TermId, TermStore};

use super::resorting::Resorting;
use super::search::Proposal;
use super::shape::in_order;
use super::subject::Subject;

/// The way in which the width of a sort changes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum SortChange {
    /// The narrowest width.
    Least,
    /// The narrowest width and this number of bits more, two or four.
    Small(u32),
    /// Half of the width.
    Half,
    /// The width without one bit.
    OneLess,
}

/// All changes, in the order in which they are tried.
pub(super) const SORT_CHANGES: &[SortChange] =
    &[SortChange::Least, SortChange::Small(1), SortChange::Small(3), SortChange::Half, SortChange::OneLess];

impl SortChange {
    /// The new number of bits if at least `least` are needed; `None` if it does not get smaller.
    fn of(self, bits: u32, least: u32) -> Option<u32> {
        let new = match self {
            SortChange::Least => least,
            SortChange::Small(more) => least + more,
            SortChange::Half => (bits / 2).max(least),
            SortChange::OneLess => bits.checked_sub(1)?,
        };
        (least..bits).contains(&new).then_some(new)
    }

    /// The new width if all widths change together, given the narrowest of them, so that concatenations still fit;
    /// `None` if the width does not get smaller.
    fn together(self, width: u32, narrowest: u32) -> Option<u32> {
        let new = match self {
            SortChange::Least => width / narrowest,
            SortChange::Small(more) => (u64::from(width) * u64::from(1 + more) / u64::from(narrowest)) as u32,
            SortChange::Half => width / 2,
            SortChange::OneLess => return None,
        };
        (1..width).contains(&new).then_some(new)
    }
}

/// Scripts in which sorts are narrower everywhere: all bit-vectors together, and each sort that can be.
pub(super) fn with_narrower_sorts<'s>(
    store: &mut TermStore,
    subject: &'s Subject,
    change: SortChange,
) -> Vec<Proposal<'s>> {
    let terms = in_order(store, &subject.roots());
    let sorts = sorts_of(store, &terms);
    let widths = sorts.iter().filter_map(|&sort| store.bit_vec_width(sort));
    let narrowest = widths.min().unwrap_or(1);
    let together: Vec<(SortId, u32)> = sorts
        .iter()
        .filter_map(|&sort| Some((sort, change.together(store.bit_vec_width(sort)?, narrowest)?)))
        .collect();
    let together =
        together.into_iter().filter_map(|(sort, width)| Some((sort, store.bit_vec_sort(width).ok()?)));
    let mut changes = vec![together.collect::<FxHashMap<SortId, SortId>>()];
    for &sort in &sorts {
        let narrower = narrower(store, sort, change).into_iter();
        changes.extend(narrower.map(|narrower| FxHashMap::from_iter([(sort, narrower)])));
    }
    with_sorts(subject, terms, changes)
}

/// Scripts in which the elements of an array replace the array, or truth values replace the values of a declared sort
/// or datatype.
pub(super) fn with_simpler_sorts<'s>(store: &mut TermStore, subject: &'s Subject) -> Vec<Proposal<'s>> {
    let terms = in_order(store, &subject.roots());
    let mut changes = Vec::new();
    for sort in sorts_of(store, &terms) {
        let simpler = match *store.sort(sort) {
            Sort::Array { element, .. } => element,
            Sort::Uninterpreted { .. } | Sort::Datatype { .. } => SortId::BOOL,
            _ => continue,
        };
        changes.push(FxHashMap::from_iter([(sort, simpler)]));
    }
    with_sorts(subject, terms, changes)
}

/// Scripts with other sorts in the place of some, given the terms.
fn with_sorts(
    subject: &Subject,
    terms: Vec<TermId>,
    changes: Vec<FxHashMap<SortId, SortId>>,
) -> Vec<Proposal<'_>> {
    let terms = Rc::new(terms);
    let proposal = |sorts| {
        let terms = Rc::clone(&terms);
        Box::new(move |store: &mut TermStore| Resorting::of(sorts).applied(store, subject, &terms))
            as Proposal
    };
    changes.into_iter().map(proposal).collect()
}

/// The sorts of some terms, and the parts of these sorts.
pub(super) fn sorts_of(store: &TermStore, terms: &[TermId]) -> Vec<SortId> {
    let mut open: Vec<SortId> = terms.iter().map(|&term| store.sort_of(term)).collect();
    let mut sorts = FxHashSet::default();
    while let Some(sort) = open.pop() {
        if sorts.insert(sort) {
            open.extend(store.sort(sort).parts());
        }
    }
    let mut sorts: Vec<SortId> = sorts.into_iter().collect();
    sorts.sort_unstable();
    sorts
}

/// A sort with fewer bits; for a floating-point format, with fewer bits of either kind or of both, or a format with a name.
fn narrower(store: &mut TermStore, sort: SortId, change: SortChange) -> Vec<SortId> {
    let sorts: Vec<Sort> = match *store.sort(sort) {
        Sort::BitVec(width) => change.of(width, 1).map(Sort::BitVec).into_iter().collect(),
        Sort::Float(format) => {
            let (exponent, significand) = (format.exponent_bits(), format.significand_bits());
            let (less_exponent, less_significand) = (change.of(exponent, 2), change.of(significand, 2));
            [
                (less_exponent.unwrap_or(exponent), less_significand.unwrap_or(significand)),
                (less_exponent.unwrap_or(exponent), significand),
                (exponent, less_significand.unwrap_or(significand)),
            ]
            .into_iter()
            .filter_map(|(exponent, significand)| FloatFormat::new(exponent, significand))
            // The text is shorter with them, even in the place of narrower ones.
            .chain(FloatFormat::NAMED.into_iter().filter(|_| change == SortChange::Least))
            .filter(|&other| other != format)
            .map(Sort::Float)
            .collect()
        }
        _ => Vec::new(),
    };
    sorts.into_iter().filter_map(|sort| store.intern_sort(sort).ok()).collect()
}

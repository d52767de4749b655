//! Equalities, of arrays by the [`Abstraction`], and terms that are all different.

use sundry_term::{SortId, TermId, TermStore};

use super::{Abstraction, Blaster, Place, bit_count};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// Nodes that comparing each argument of a `distinct` with each other may take; beyond that it is left to the
/// [`Abstraction`].
pub(super) const COMPARED_DISTINCT: u64 = 1 << 21;

impl Blaster {
    pub(super) fn equality(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        left: TermId,
        right: TermId,
    ) -> Edge {
        if left == right {
            return Edge::TRUE;
        }
        if store.sort_of(left) == SortId::INT {
            return words::integers::same(aig, self.at(self.place(left)), self.at(self.place(right)));
        }
        if self.place(left) != Place::WITHOUT_BITS {
            return words::equal(aig, self.at(self.place(left)), self.at(self.place(right)));
        }
        let pair = (left.min(right), left.max(right));
        *self.array_equalities.entry(pair).or_insert_with(|| abstraction.equality(aig, store, pair.0, pair.1))
    }

    pub(super) fn all_equal(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        arguments: &[TermId],
    ) -> Edge {
        // Equality is transitive: neighbours suffice.
        let mut equalities = Vec::with_capacity(arguments.len());
        for pair in arguments.windows(2) {
            equalities.push(self.equality(store, aig, abstraction, pair[0], pair[1]));
        }
        aig.and_many(&equalities)
    }

    pub(super) fn all_distinct(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        term: TermId,
    ) -> Edge {
        let arguments = store.args(term);
        if distinct_nodes(store, term) > COMPARED_DISTINCT
            && let Some(words) =
                arguments.iter().map(|&argument| self.bits(argument).map(Box::from)).collect()
        {
            return abstraction.distinct(aig, words);
        }
        let mut equalities = Vec::new();
        for (position, &left) in arguments.iter().enumerate() {
            if aig.is_stopped() {
                break;
            }
            for &right in &arguments[position + 1..] {
                equalities.push(self.equality(store, aig, abstraction, left, right));
            }
        }
        !aig.or_many(&equalities)
    }
}

/// The number of nodes for comparing the arguments of a `distinct` pairwise. Equalities of arrays add witnesses.
pub(super) fn distinct_nodes(store: &TermStore, term: TermId) -> u64 {
    const PER_EQUALITY_OF_ARRAYS: u32 = 64;
    let arguments = store.args(term);
    let width = bit_count(store, store.sort_of(arguments[0])).unwrap_or(PER_EQUALITY_OF_ARRAYS);
    2 * u64::from(width) * (arguments.len() as u64).pow(2)
}

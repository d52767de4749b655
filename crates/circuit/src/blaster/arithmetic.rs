//! Products and divisions, which the [`Abstraction`] may leave open, and rotations by terms, which divide.

use sundry_term::{Op, TermId, TermStore};

use super::{Abstraction, Blaster};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

impl Blaster {
    pub(super) fn product(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        term: TermId,
    ) -> Vec<Edge> {
        let first = self.argument(store, term, 0).to_vec();
        (1..store.args(term).len()).fold(first, |so_far, position| {
            multiply(aig, abstraction, &so_far, self.argument(store, term, position))
        })
    }

    pub(super) fn product_overflow(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        op: Op,
        term: TermId,
    ) -> Edge {
        let [a, b] = [0, 1].map(|position| self.argument(store, term, position));
        let product = &mut |aig: &mut Aig, a: &[Edge], b: &[Edge]| multiply(aig, abstraction, a, b);
        match op {
            Op::BvUmulo => words::unsigned_mul_overflow(aig, a, b, product),
            _ => words::signed_mul_overflow(aig, a, b, product),
        }
    }

    pub(super) fn division(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        op: Op,
        term: TermId,
    ) -> Vec<Edge> {
        self.with_divider(store, term, |divider, a, b| {
            let signed = !matches!(op, Op::BvUdiv | Op::BvUrem);
            divider.leave_open(aig, a, b, signed, |aig, a, b| abstraction.division(aig, a, b));
            match op {
                Op::BvUdiv => divider.unsigned(aig, a, b).0.into_vec(),
                Op::BvUrem => divider.unsigned(aig, a, b).1.into_vec(),
                Op::BvSdiv => divider.signed_quotient(aig, a, b),
                Op::BvSrem => divider.signed_remainder(aig, a, b),
                Op::BvSmod => divider.signed_modulus(aig, a, b),
                other => unreachable!("{other:?} is no division"),
            }
        })
    }

    pub(super) fn rotation(&mut self, store: &TermStore, aig: &mut Aig, op: Op, term: TermId) -> Vec<Edge> {
        self.with_divider(store, term, |divider, a, amount| {
            // The width fits in as many bits as it says.
            let width = words::constant(a.len(), |bit| bit < usize::BITS as usize && a.len() >> bit & 1 == 1);
            let (_, distance) = divider.unsigned(aig, amount, &width);
            match op {
                Op::ExtRotateLeft => words::rotate_left_by(aig, a, &distance),
                _ => words::rotate_right_by(aig, a, &distance),
            }
        })
    }

    /// Builds something with the divider and the bits of both arguments of a term. The divider is taken out meanwhile,
    /// since the bits are borrowed from where the divider is.
    fn with_divider(
        &mut self,
        store: &TermStore,
        term: TermId,
        build: impl FnOnce(&mut words::Divider, &[Edge], &[Edge]) -> Vec<Edge>,
    ) -> Vec<Edge> {
        let mut divider = std::mem::take(&mut self.divider);
        let bits = build(&mut divider, self.argument(store, term, 0), self.argument(store, term, 1));
        self.divider = divider;
        bits
    }
}

/// The bits of a product, open or built.
fn multiply(aig: &mut Aig, abstraction: &mut dyn Abstraction, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    abstraction.product(aig, a, b).unwrap_or_else(|| words::multiply(aig, a, b))
}

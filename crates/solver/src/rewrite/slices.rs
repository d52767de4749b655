//! Bit-vectors seen as slices: at which positions an operand falls into parts.
//!
//! Bitwise operators, equality and sums without carries work on slices separately. Where one
//! operand is a concatenation or a literal mask, cutting all operands at its boundaries leaves
//! literals against terms in most slices, and those vanish.

use smallvec::SmallVec;
use sundry_term::{BitVector, Op, TermId};

use super::context::{Context, Terms};

/// Positions (of the lowest bit of each slice but the lowest, ascending).
pub(super) type Cuts = SmallVec<[u32; 8]>;

/// The boundaries of a concatenation; empty for other terms.
pub(super) fn boundaries(context: &Context<'_>, term: TermId) -> Cuts {
    let mut cuts = Cuts::new();
    let Some(parts) = context.arguments_of(Op::Concat, term) else { return cuts };
    let mut position = 0;
    for &part in parts[1..].iter().rev() {
        position += context.width(part);
        cuts.push(position);
    }
    cuts
}

/// The positions where the bits of a literal change between 0 and 1; `None` for more than the limit.
pub(super) fn changes(value: &BitVector, limit: usize) -> Option<Cuts> {
    let mut cuts = Cuts::new();
    for position in 1..value.width() {
        if value.bit(position) != value.bit(position - 1) {
            if cuts.len() == limit {
                return None;
            }
            cuts.push(position);
        }
    }
    Some(cuts)
}

/// All cuts of several, ascending, each once.
pub(super) fn union(all: &[Cuts]) -> Cuts {
    let mut cuts: Cuts = all.iter().flatten().copied().collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// The slices between cuts, most significant first, as (high, low).
pub(super) fn slices(width: u32, cuts: &[u32]) -> SmallVec<[(u32, u32); 8]> {
    let mut slices = SmallVec::new();
    let mut high = width;
    for &cut in cuts.iter().rev().chain([&0]) {
        slices.push((high - 1, cut));
        high = cut;
    }
    slices
}

/// One slice of each of several terms.
pub(super) fn slice_all(context: &mut Context<'_>, terms: &[TermId], (high, low): (u32, u32)) -> Terms {
    terms.iter().map(|&term| context.extract(term, high, low)).collect()
}

/// The form of a slice of an operand, as far as it shows without building the slice.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A literal with all bits 0.
    Zero,
    /// A literal with all bits 1.
    Ones,
    /// Another literal.
    Mixed,
    /// Anything else.
    Term,
}

/// The slice of a term; of a concatenation it must not cross a boundary.
pub(super) fn piece(context: &Context<'_>, term: TermId, (high, low): (u32, u32)) -> Piece {
    let (mut part, mut start) = (term, 0);
    if let Some(parts) = context.arguments_of(Op::Concat, term) {
        for &candidate in parts.iter().rev() {
            let width = context.width(candidate);
            if low < start + width {
                part = candidate;
                break;
            }
            start += width;
        }
    }
    let Some(bits) = context.bits(part) else { return Piece::Term };
    let slice = bits.extract(high - start, low - start);
    match (slice.is_zero(), slice.is_ones()) {
        (true, _) => Piece::Zero,
        (_, true) => Piece::Ones,
        _ => Piece::Mixed,
    }
}

/// Whether a slice of the term is wiring: no operation is copied for it.
pub(super) fn slices_freely(context: &Context<'_>, term: TermId, high: u32) -> bool {
    let wiring = |term| match context.op(term) {
        Op::Constant(_) | Op::Extract { .. } | Op::Apply(_) | Op::Concat => true,
        Op::SignExtend(_) => high < context.width(context.argument(term, 0)),
        _ => false,
    };
    wiring(context.below(Op::BvNot, term).unwrap_or(term))
}

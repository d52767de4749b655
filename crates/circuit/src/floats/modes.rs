//! Rounding modes.

use sundry_term::RoundingMode;

use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// The bits of a rounding mode: its position in [`RoundingMode::ALL`].
pub const MODE_WIDTH: u32 = 3;

/// The bits of a rounding mode from any three: those that stand for none become the first mode.
pub fn canonical_mode(aig: &mut Aig, bits: &[Edge]) -> Vec<Edge> {
    let low = aig.or(bits[0], bits[1]);
    let is_none = aig.and(bits[2], low);
    bits.iter().map(|&bit| aig.and(bit, !is_none)).collect()
}

/// An edge for each mode, of which exactly one holds.
#[derive(Copy, Clone, Debug)]
pub struct Modes([Edge; RoundingMode::ALL.len()]);

impl Modes {
    /// The mode with these bits.
    pub fn of(aig: &mut Aig, bits: &[Edge]) -> Modes {
        Modes(std::array::from_fn(|position| {
            let number = words::constant(MODE_WIDTH as usize, |bit| position >> bit & 1 == 1);
            words::equal(aig, bits, &number)
        }))
    }

    /// A mode that is known.
    pub fn constant(mode: RoundingMode) -> Modes {
        Modes(RoundingMode::ALL.map(|other| Edge::from_bool(other == mode)))
    }

    /// The edge that holds where the mode is this one.
    pub fn is(&self, mode: RoundingMode) -> Edge {
        self.0[RoundingMode::ALL.iter().position(|&other| other == mode).expect("all modes are there")]
    }

    /// Whether a number is rounded away from zero, by its sign, the last digit that is kept, the first that is not, and whether
    /// anything follows.
    pub fn rounds_away(&self, aig: &mut Aig, negative: Edge, last: Edge, first: Edge, more: Edge) -> Edge {
        let is_inexact = aig.or(first, more);
        let above_half_or_odd = aig.or(more, last);
        let cases = [
            (RoundingMode::NearestTiesToEven, aig.and(first, above_half_or_odd)),
            (RoundingMode::NearestTiesToAway, first),
            (RoundingMode::TowardPositive, aig.and(is_inexact, !negative)),
            (RoundingMode::TowardNegative, aig.and(is_inexact, negative)),
        ];
        let chosen = cases.map(|(mode, away)| aig.and(self.is(mode), away));
        aig.or_many(&chosen)
    }

    /// Whether numbers beyond the greatest value become infinite.
    pub fn overflows_to_infinity(&self, aig: &mut Aig, negative: Edge) -> Edge {
        let up = aig.and(self.is(RoundingMode::TowardPositive), !negative);
        let down = aig.and(self.is(RoundingMode::TowardNegative), negative);
        let nearest =
            [RoundingMode::NearestTiesToEven, RoundingMode::NearestTiesToAway].map(|mode| self.is(mode));
        aig.or_many(&[up, down, nearest[0], nearest[1]])
    }

    /// The sign of the sum of opposite numbers.
    pub fn sign_of_zero(&self) -> Edge {
        self.is(RoundingMode::TowardNegative)
    }
}

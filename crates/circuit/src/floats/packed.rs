//! Packed values: fraction, stored exponent and sign, least significant bit first.

use sundry_term::FloatFormat;

use super::widths::Digits;
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// The classes of a packed value.
#[derive(Copy, Clone, Debug)]
pub struct Classes {
    /// Not a number.
    pub nan: Edge,
    /// One of the infinities.
    pub infinite: Edge,
    /// One of the zeros.
    pub zero: Edge,
    /// Finite, not zero, and without a hidden digit.
    pub subnormal: Edge,
    /// Finite and with a hidden digit.
    pub normal: Edge,
    /// The sign; that of NaN is plus.
    pub negative: Edge,
}

impl Classes {
    /// The classes of any bits of a format, of which NaN has several.
    pub fn of(aig: &mut Aig, format: FloatFormat, bits: &[Edge]) -> Classes {
        let (fraction, rest) = bits.split_at(format.digits() - 1);
        let (exponent, sign) = rest.split_at(format.exponent_bits() as usize);
        let no_fraction = words::is_zero(aig, fraction);
        let least = words::is_zero(aig, exponent);
        let greatest = words::is_ones(aig, exponent);
        Classes {
            nan: aig.and(greatest, !no_fraction),
            infinite: aig.and(greatest, no_fraction),
            zero: aig.and(least, no_fraction),
            subnormal: aig.and(least, !no_fraction),
            normal: aig.and(!least, !greatest),
            negative: sign[0],
        }
    }
}

/// The bits of the same value with one pattern for NaN: a plus sign, and the first digit of the fraction alone.
pub fn canonical(aig: &mut Aig, format: FloatFormat, bits: &[Edge]) -> Vec<Edge> {
    let nan = Classes::of(aig, format, bits).nan;
    let quiet = format.digits() - 2;
    let exponent = format.digits() - 1..bits.len() - 1;
    (0..bits.len())
        .map(|bit| match bit {
            _ if bit == quiet => aig.or(bits[bit], nan),
            _ if exponent.contains(&bit) => bits[bit],
            _ => aig.and(bits[bit], !nan),
        })
        .collect()
}

/// The value with the other sign.
pub fn negate(aig: &mut Aig, format: FloatFormat, bits: &[Edge]) -> Vec<Edge> {
    let Classes { nan, negative, .. } = Classes::of(aig, format, bits);
    let mut result = bits.to_vec();
    result[bits.len() - 1] = aig.and(!negative, !nan);
    result
}

/// The value with a plus sign.
pub fn absolute(bits: &[Edge]) -> Vec<Edge> {
    let mut result = bits.to_vec();
    result[bits.len() - 1] = Edge::FALSE;
    result
}

//! Products, and products with a summand.

use sundry_term::FloatFormat;

use super::add::{Summand, exact_sum, finish_sum, special};
use super::modes::Modes;
use super::round::{Exact, round};
use super::unpacked::{Unpacked, normalise};
use super::widths::{Digits, resize, scaled, signed_resize};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// An exact product: sign, exponent of the first digit, digits.
struct Product {
    negative: Edge,
    exponent: Vec<Edge>,
    significand: Vec<Edge>,
}

fn exact_product(
    aig: &mut Aig,
    format: FloatFormat,
    a: &Unpacked,
    b: &Unpacked,
    multiply: words::Multiply<'_>,
) -> Product {
    let digits = format.digits();
    let width = format.exponent_width() + 2;
    let significand = multiply(aig, &resize(&a.significand, 2 * digits), &resize(&b.significand, 2 * digits));
    // The product of two numbers below 2 is below 4.
    let (left, right) = (signed_resize(&a.exponent, width), signed_resize(&b.exponent, width));
    let (exponent, _) = words::add_with_carry(aig, &left, &right, Edge::TRUE);
    Product { negative: aig.xor(a.negative, b.negative), exponent, significand }
}

/// Whether a product is infinite times zero, or else infinite, or zero.
fn specials(aig: &mut Aig, a: &Unpacked, b: &Unpacked) -> (Edge, Edge, Edge) {
    let infinite = aig.or(a.infinite, b.infinite);
    let zero = aig.or(a.zero, b.zero);
    (aig.and(infinite, zero), infinite, zero)
}

/// `fp.mul`.
pub fn multiply(
    aig: &mut Aig,
    format: FloatFormat,
    modes: &Modes,
    a: &Unpacked,
    b: &Unpacked,
    multiply: words::Multiply<'_>,
) -> Unpacked {
    let Product { negative, exponent, significand } = exact_product(aig, format, a, b, multiply);
    let exact = Exact { negative, exponent, significand, leading_zeros: 1 };
    let product = round(aig, format, modes, &exact);
    let (undefined, infinite, zero) = specials(aig, a, b);
    let nan = aig.or_many(&[a.nan, b.nan, undefined]);
    special(aig, product, nan, infinite, zero, negative)
}

/// `fp.fma`: the product of the first two plus the third, rounded once.
pub fn fused_multiply_add(
    aig: &mut Aig,
    format: FloatFormat,
    modes: &Modes,
    [a, b, c]: [&Unpacked; 3],
    multiply: words::Multiply<'_>,
) -> Unpacked {
    let product = exact_product(aig, format, a, b, multiply);
    let (undefined, infinite, zero) = specials(aig, a, b);
    let (significand, places) = normalise(aig, &product.significand, 1);
    let width = product.exponent.len();
    let exponent = words::sub(aig, &product.exponent, &resize(&places, width));
    let digits = format.digits();
    let left = Summand { zero, negative: product.negative, exponent: &exponent, significand: &significand };
    let (exponent, significand) = (signed_resize(&c.exponent, width), scaled(&c.significand, digits));
    let right =
        Summand { zero: c.zero, negative: c.negative, exponent: &exponent, significand: &significand };
    let exact = exact_sum(aig, &left, &right);
    let of_product = aig.or_many(&[a.nan, b.nan, undefined]);
    finish_sum(
        aig,
        format,
        modes,
        [of_product, c.nan],
        (infinite, product.negative),
        (c.infinite, c.negative),
        exact,
    )
}

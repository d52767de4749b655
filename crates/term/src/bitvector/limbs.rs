//! Unsigned numbers as slices of 64-bit limbs, least significant first: schoolbook algorithms, and a big-integer
//! crate for products and quotients of numbers so long that quadratic methods lose.
//!
//! Formulas rarely have vectors of more than a few hundred bits, where schoolbook algorithms win. At 2^20 bits,
//! schoolbook multiplication takes one step for each of 2^28 pairs of limbs.

use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_int::ops::DivRem;

/// The number of limbs from which products and quotients use better algorithms than the schoolbook ones.
const LONG: usize = 64;

/// The number of limbs that hold this many bits.
pub(super) fn count(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// The bits of the topmost limb that belong to a vector of this width.
pub(super) fn top_mask(width: u32) -> u64 {
    u64::MAX >> (width.wrapping_neg() % 64)
}

/// Clears the bits above the width.
pub(super) fn truncate(limbs: &mut [u64], width: u32) {
    if let Some(top) = limbs.last_mut() {
        *top &= top_mask(width);
    }
}

/// Order of two numbers of equally many limbs.
pub(super) fn compare(left: &[u64], right: &[u64]) -> Ordering {
    left.iter().rev().cmp(right.iter().rev())
}

/// Position above the highest set bit: 0 for the number 0.
pub(super) fn bit_length(limbs: &[u64]) -> u32 {
    match limbs.iter().rposition(|&limb| limb != 0) {
        Some(top) => top as u32 * 64 + (64 - limbs[top].leading_zeros()),
        None => 0,
    }
}

/// Sets in `target` the bits of `source`, moved up by `offset`. They must fit.
pub(super) fn or_at(target: &mut [u64], source: &[u64], offset: u32) {
    let (first, shift) = ((offset / 64) as usize, offset % 64);
    for (i, &limb) in source.iter().enumerate() {
        target[first + i] |= limb << shift;
        if shift > 0 && limb >> (64 - shift) != 0 {
            target[first + i + 1] |= limb >> (64 - shift);
        }
    }
}

/// The first `count` limbs of the number moved down by `by` bits.
pub(super) fn shifted_right(limbs: &[u64], by: u32, count: usize) -> Vec<u64> {
    let (first, shift) = ((by / 64) as usize, by % 64);
    let limb = |i: usize| limbs.get(i).copied().unwrap_or(0);
    (first..first + count)
        .map(|i| if shift == 0 { limb(i) } else { limb(i) >> shift | limb(i + 1) << (64 - shift) })
        .collect()
}

/// The number moved up by `by` bits, cut to its number of limbs.
pub(super) fn shifted_left(limbs: &[u64], by: u32) -> Vec<u64> {
    let (first, shift) = ((by / 64) as usize, by % 64);
    let mut result = vec![0; limbs.len()];
    for i in first..limbs.len() {
        let below = if shift > 0 && i > first { limbs[i - first - 1] >> (64 - shift) } else { 0 };
        result[i] = limbs[i - first] << shift | below;
    }
    result
}

/// `left + right + carry`, and the carry out of the top limb.
pub(super) fn add(left: &[u64], right: &[u64], mut carry: bool) -> (Vec<u64>, bool) {
    let sum = left
        .iter()
        .zip(right)
        .map(|(&a, &b)| {
            let (partial, over) = a.overflowing_add(b);
            let (sum, over_again) = partial.overflowing_add(u64::from(carry));
            carry = over | over_again;
            sum
        })
        .collect();
    (sum, carry)
}

/// The lowest `count` limbs of the product.
pub(super) fn multiply(left: &[u64], right: &[u64], count: usize) -> Vec<u64> {
    if significant(left).len().min(significant(right).len()) >= LONG {
        return limbs_of(&(big(left) * big(right)), count);
    }
    multiply_by_rows(left, right, count)
}

/// The limbs up to the highest that is not zero.
fn significant(limbs: &[u64]) -> &[u64] {
    let length = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
    &limbs[..length]
}

/// The number as one of the crate for long ones.
fn big(limbs: &[u64]) -> UBig {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

/// The lowest `count` limbs of a number.
fn limbs_of(number: &UBig, count: usize) -> Vec<u64> {
    let mut bytes = number.to_le_bytes().into_vec();
    bytes.resize(count * size_of::<u64>(), 0);
    let limb = |chunk: &[u8]| u64::from_le_bytes(chunk.try_into().expect("chunks of eight bytes"));
    bytes.chunks_exact(size_of::<u64>()).map(limb).collect()
}

/// The lowest `count` limbs of the product, row by row.
fn multiply_by_rows(left: &[u64], right: &[u64], count: usize) -> Vec<u64> {
    let mut product = vec![0; count];
    for (i, &a) in left.iter().enumerate().take(count) {
        if a == 0 {
            continue;
        }
        let mut carry = 0;
        for (target, &b) in product[i..].iter_mut().zip(right) {
            let sum = u128::from(a) * u128::from(b) + u128::from(*target) + u128::from(carry);
            (*target, carry) = (sum as u64, (sum >> 64) as u64);
        }
        if let Some(target) = product.get_mut(i + right.len()) {
            *target = carry;
        }
    }
    product
}

/// `limbs * factor + summand` in place; the limb that falls out.
pub(super) fn multiply_add_small(limbs: &mut [u64], factor: u64, summand: u64) -> u64 {
    let mut carry = summand;
    for limb in limbs {
        let sum = u128::from(*limb) * u128::from(factor) + u128::from(carry);
        (*limb, carry) = (sum as u64, (sum >> 64) as u64);
    }
    carry
}

/// Divides in place by one limb; the remainder.
pub(super) fn divide_small(limbs: &mut [u64], divisor: u64) -> u64 {
    let mut remainder = 0;
    for limb in limbs.iter_mut().rev() {
        let dividend = u128::from(remainder) << 64 | u128::from(*limb);
        *limb = (dividend / u128::from(divisor)) as u64;
        remainder = (dividend % u128::from(divisor)) as u64;
    }
    remainder
}

/// Quotient and remainder of two numbers of equally many limbs; the divisor is not zero.
pub(super) fn divide(dividend: &[u64], divisor: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let (long, short) = (significant(dividend).len(), significant(divisor).len());
    if short >= LONG && long.saturating_sub(short) >= LONG {
        let (quotient, remainder) = big(dividend).div_rem(big(divisor));
        return (limbs_of(&quotient, dividend.len()), limbs_of(&remainder, dividend.len()));
    }
    divide_by_digits(dividend, divisor)
}

/// Quotient and remainder, digit by digit.
///
/// Knuth, The Art of Computer Programming, volume 2, section 4.3.1, algorithm D.
fn divide_by_digits(dividend: &[u64], divisor: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let size = dividend.len();
    let n = count(bit_length(divisor));
    assert!(n > 0, "division by zero is the caller's case");
    if compare(dividend, divisor) == Ordering::Less {
        return (vec![0; size], dividend.to_vec());
    }
    if n == 1 {
        let mut quotient = dividend.to_vec();
        let mut remainder = vec![0; size];
        remainder[0] = divide_small(&mut quotient, divisor[0]);
        return (quotient, remainder);
    }
    // D1: normalise, so that the divisor's top bit is set and estimates are nearly exact.
    let shift = divisor[n - 1].leading_zeros();
    let divisor = shifted_left(&divisor[..n], shift);
    let mut rest = dividend.to_vec();
    rest.push(0);
    let mut rest = shifted_left(&rest, shift);
    let mut quotient = vec![0; size];
    for j in (0..=size - n).rev() {
        let estimate = estimate_digit(&rest[j..=j + n], &divisor);
        quotient[j] = subtract_multiple(&mut rest[j..=j + n], &divisor, estimate);
    }
    // D8: undo the normalisation.
    let mut remainder = shifted_right(&rest[..n], shift, n);
    remainder.resize(size, 0);
    (quotient, remainder)
}

/// D3: a quotient digit from the top limbs of `rest` (one limb longer than the divisor), at most
/// one too high.
fn estimate_digit(rest: &[u64], divisor: &[u64]) -> u64 {
    let n = divisor.len();
    let top = u128::from(rest[n]) << 64 | u128::from(rest[n - 1]);
    let mut digit = top / u128::from(divisor[n - 1]);
    let mut remainder = top % u128::from(divisor[n - 1]);
    let too_high = |digit: u128, remainder: u128| {
        digit > u128::from(u64::MAX)
            || digit * u128::from(divisor[n - 2]) > (remainder << 64 | u128::from(rest[n - 2]))
    };
    while too_high(digit, remainder) {
        digit -= 1;
        remainder += u128::from(divisor[n - 1]);
        if remainder > u128::from(u64::MAX) {
            break;
        }
    }
    digit as u64
}

/// Steps D4 to D6: takes `digit * divisor` off `rest`, one time fewer if that is too much; returns the number of
/// times.
fn subtract_multiple(rest: &mut [u64], divisor: &[u64], digit: u64) -> u64 {
    let n = divisor.len();
    let mut borrow = 0;
    for (limb, &d) in rest.iter_mut().zip(divisor) {
        let product = u128::from(digit) * u128::from(d) + u128::from(borrow);
        let (difference, under) = limb.overflowing_sub(product as u64);
        *limb = difference;
        borrow = (product >> 64) as u64 + u64::from(under);
    }
    let (difference, under) = rest[n].overflowing_sub(borrow);
    rest[n] = difference;
    if !under {
        return digit;
    }
    let (sum, carry) = add(&rest[..n], divisor, false);
    rest[..n].copy_from_slice(&sum);
    rest[n] = rest[n].wrapping_add(u64::from(carry));
    digit - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limbs that look random, of which some are all zeros or all ones.
    fn limbs(count: usize, mut seed: u64) -> Vec<u64> {
        (0..count)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                match seed >> 60 {
                    0 => 0,
                    1 => u64::MAX,
                    _ => seed ^ seed >> 29,
                }
            })
            .collect()
    }

    #[test]
    fn both_ways_to_compute_agree() {
        for (size, seed) in [LONG, LONG + 1, 3 * LONG, 500].into_iter().zip(1..) {
            let (left, right) = (limbs(size, seed), limbs(size, seed + 100));
            for count in [size / 2, size, 2 * size] {
                assert_eq!(multiply(&left, &right, count), multiply_by_rows(&left, &right, count));
            }
            for length in [1, LONG - 1, LONG, size / 2 + 1, size].into_iter().filter(|&it| it <= size) {
                let mut divisor = right[..length].to_vec();
                divisor.push(1);
                divisor.resize(size + 1, 0);
                let mut dividend = left.clone();
                dividend.push(u64::MAX);
                assert_eq!(divide(&dividend, &divisor), divide_by_digits(&dividend, &divisor));
            }
        }
    }
}

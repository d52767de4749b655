//! Every operation on bit-vectors against integers of arbitrary size, at widths from 1 to 300.

use dashu_int::{IBig, UBig, ops::DivRem};
use proptest::prelude::*;
use sundry_term::{BitVector, MAX_WIDTH};

// ---- the oracle: a bit-vector is a number modulo 2^width

fn power(exponent: u32) -> IBig {
    IBig::ONE << exponent as usize
}

fn unsigned(bits: &BitVector) -> IBig {
    let bytes: Vec<u8> = bits.limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes).into()
}

fn signed(bits: &BitVector) -> IBig {
    let number = unsigned(bits);
    let half = power(bits.width() - 1);
    if number >= half { number - half * 2 } else { number }
}

fn wrapped(width: u32, number: &IBig) -> BitVector {
    let modulus = power(width);
    let remainder = ((number % &modulus) + &modulus) % &modulus;
    let bytes = UBig::try_from(remainder).unwrap().to_le_bytes();
    BitVector::from_bits(width, |i| bytes.get(i as usize / 8).is_some_and(|byte| byte >> (i % 8) & 1 == 1))
}

fn in_signed_range(width: u32, number: &IBig) -> bool {
    let half = power(width - 1);
    *number >= -half.clone() && *number < half
}

fn in_unsigned_range(width: u32, number: &IBig) -> bool {
    *number >= IBig::ZERO && *number < power(width)
}

// ---- vectors that reach the corners

fn width() -> impl Strategy<Value = u32> {
    prop_oneof![3 => 1u32..=300, 2 => 1u32..=8, 2 => prop::sample::select(vec![63, 64, 65, 127, 128, 129, 192, 256])]
}

fn limb() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => any::<u64>(),
        2 => prop::sample::select(vec![0, 1, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1]),
        1 => 0u64..10,
    ]
}

fn vector(width: u32) -> impl Strategy<Value = BitVector> {
    let limbs = prop::collection::vec(limb(), 1..=5);
    let dense = limbs.prop_map(move |limbs| BitVector::from_limbs(width, &limbs));
    let corner = (0u32..6).prop_map(move |which| match which {
        0 => BitVector::zero(width),
        1 => BitVector::one(width),
        2 => BitVector::ones(width),
        3 => BitVector::min_signed(width),
        4 => BitVector::min_signed(width).not(),
        _ => BitVector::from_u64(width, u64::from(width)),
    });
    let power = (0..width).prop_map(move |bit| BitVector::zero(width).with_bit(bit, true));
    prop_oneof![6 => dense, 3 => corner, 1 => power]
}

fn one() -> impl Strategy<Value = BitVector> {
    width().prop_flat_map(vector)
}

fn two() -> impl Strategy<Value = (BitVector, BitVector)> {
    width().prop_flat_map(|width| (vector(width), vector(width)))
}

/// A dividend and divisor whose quotient and remainder are chosen, so that long quotients with
/// extreme limbs are met.
fn division() -> impl Strategy<Value = (BitVector, BitVector)> {
    two().prop_flat_map(|(quotient, divisor)| {
        let width = quotient.width();
        vector(width).prop_map(move |rest| {
            let divisor = divisor.lshr(&BitVector::from_u64(width, u64::from(width / 2)));
            (quotient.mul(&divisor).add(&rest), divisor)
        })
    })
}

fn check_division(a: &BitVector, b: &BitVector) {
    let width = a.width();
    let (ua, ub, sa, sb) = (unsigned(a), unsigned(b), signed(a), signed(b));
    if b.is_zero() {
        assert!(a.udiv(b).is_ones());
        assert_eq!(a.urem(b), *a);
        assert_eq!(a.sdiv(b), if sa < IBig::ZERO { BitVector::one(width) } else { BitVector::ones(width) });
        assert_eq!(a.srem(b), *a);
        assert_eq!(a.smod(b), *a);
        return;
    }
    let (quotient, remainder) = ua.div_rem(&ub);
    assert_eq!(a.udiv(b), wrapped(width, &quotient));
    assert_eq!(a.urem(b), wrapped(width, &remainder));
    // Division of integers truncates, as the signed quotient does.
    let (quotient, remainder) = (&sa).div_rem(&sb);
    assert_eq!(a.sdiv(b), wrapped(width, &quotient));
    assert_eq!(a.srem(b), wrapped(width, &remainder));
    let floored = (&remainder + &sb) % &sb;
    assert_eq!(a.smod(b), wrapped(width, &floored));
    assert_eq!(a.sdivo(b), !in_signed_range(width, &quotient));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn arithmetic((a, b) in two()) {
        let width = a.width();
        let (ua, ub) = (unsigned(&a), unsigned(&b));
        prop_assert_eq!(a.add(&b), wrapped(width, &(&ua + &ub)));
        prop_assert_eq!(a.sub(&b), wrapped(width, &(&ua - &ub)));
        prop_assert_eq!(a.mul(&b), wrapped(width, &(&ua * &ub)));
        prop_assert_eq!(a.neg(), wrapped(width, &-&ua));
        check_division(&a, &b);
    }

    #[test]
    fn long_division((a, b) in division()) {
        check_division(&a, &b);
    }

    #[test]
    fn overflow((a, b) in two()) {
        let width = a.width();
        let (ua, ub, sa, sb) = (unsigned(&a), unsigned(&b), signed(&a), signed(&b));
        prop_assert_eq!(a.uaddo(&b), !in_unsigned_range(width, &(&ua + &ub)));
        prop_assert_eq!(a.usubo(&b), !in_unsigned_range(width, &(&ua - &ub)));
        prop_assert_eq!(a.umulo(&b), !in_unsigned_range(width, &(&ua * &ub)));
        prop_assert_eq!(a.saddo(&b), !in_signed_range(width, &(&sa + &sb)));
        prop_assert_eq!(a.ssubo(&b), !in_signed_range(width, &(&sa - &sb)));
        prop_assert_eq!(a.smulo(&b), !in_signed_range(width, &(&sa * &sb)));
        prop_assert_eq!(a.nego(), !in_signed_range(width, &-&sa));
    }

    /// Products near the limits, which random factors of one width hardly meet.
    #[test]
    fn overflow_of_balanced_products((a, b) in two(), shift in 0u32..300) {
        let width = a.width();
        let a = a.ashr(&BitVector::from_u64(width, u64::from(shift % width)));
        let b = b.ashr(&BitVector::from_u64(width, u64::from(width - shift % width)));
        let (ua, ub, sa, sb) = (unsigned(&a), unsigned(&b), signed(&a), signed(&b));
        prop_assert_eq!(a.umulo(&b), !in_unsigned_range(width, &(&ua * &ub)));
        prop_assert_eq!(a.smulo(&b), !in_signed_range(width, &(&sa * &sb)));
    }

    #[test]
    fn order((a, b) in two()) {
        let (ua, ub, sa, sb) = (unsigned(&a), unsigned(&b), signed(&a), signed(&b));
        prop_assert_eq!(a.ult(&b), ua < ub);
        prop_assert_eq!(a.ule(&b), ua <= ub);
        prop_assert_eq!(a.slt(&b), sa < sb);
        prop_assert_eq!(a.sle(&b), sa <= sb);
        prop_assert_eq!(a.cmp(&b), ua.cmp(&ub));
        prop_assert_eq!(a == b, ua == ub);
        prop_assert!(a.ule(&a) && a.sle(&a) && !a.ult(&a) && !a.slt(&a));
    }

    #[test]
    fn bitwise((a, b) in two()) {
        let width = a.width();
        prop_assert_eq!(a.not(), BitVector::from_bits(width, |i| !a.bit(i)));
        prop_assert_eq!(a.and(&b), BitVector::from_bits(width, |i| a.bit(i) & b.bit(i)));
        prop_assert_eq!(a.or(&b), BitVector::from_bits(width, |i| a.bit(i) | b.bit(i)));
        prop_assert_eq!(a.xor(&b), BitVector::from_bits(width, |i| a.bit(i) ^ b.bit(i)));
    }

    #[test]
    fn shifts((a, b) in two(), small in 0u64..310) {
        let width = a.width();
        for amount in [b, BitVector::from_u64(width, small)] {
            let by = unsigned(&amount);
            let by = usize::try_from(&by).unwrap_or(usize::MAX).min(width as usize) as u32;
            prop_assert_eq!(a.shl(&amount), wrapped(width, &(unsigned(&a) << by as usize)));
            prop_assert_eq!(a.lshr(&amount), wrapped(width, &(unsigned(&a) >> by as usize)));
            let signs = |i: u32| a.bit((i + by).min(width - 1));
            prop_assert_eq!(a.ashr(&amount), BitVector::from_bits(width, signs));
        }
    }

    #[test]
    fn rotations(a in one(), by in prop_oneof![0u32..700, any::<u32>()]) {
        let width = a.width();
        let place = |i: u32, by: u32| ((u64::from(i) + u64::from(by)) % u64::from(width)) as u32;
        let right = BitVector::from_bits(width, |i| a.bit(place(i, by)));
        prop_assert_eq!(&a.rotate_right(by), &right);
        prop_assert_eq!(a.rotate_left(by), BitVector::from_bits(width, |i| a.bit(place(i, width - by % width))));
        prop_assert_eq!(right.rotate_left(by), a);
    }

    #[test]
    fn concatenation_and_extraction(a in one(), b in one(), from in any::<u32>(), to in any::<u32>()) {
        let joined = BitVector::concat(&a, &b);
        prop_assert_eq!(joined.width(), a.width() + b.width());
        prop_assert_eq!(unsigned(&joined), (unsigned(&a) << b.width() as usize) + unsigned(&b));
        prop_assert_eq!(joined.extract(joined.width() - 1, b.width()), a);
        prop_assert_eq!(joined.extract(b.width() - 1, 0), b);
        let (low, high) = (from % joined.width(), to % joined.width());
        let (low, high) = (low.min(high), low.max(high));
        let expected = BitVector::from_bits(high - low + 1, |i| joined.bit(low + i));
        prop_assert_eq!(joined.extract(high, low), expected);
    }

    #[test]
    fn extension_and_repetition(a in one(), by in 0u32..200, times in 1u32..6) {
        prop_assert_eq!(unsigned(&a.zero_extend(by)), unsigned(&a));
        prop_assert_eq!(signed(&a.sign_extend(by)), signed(&a));
        prop_assert_eq!(a.sign_extend(by).width(), a.width() + by);
        let repeated = a.repeat(times);
        prop_assert_eq!(repeated.width(), a.width() * times);
        prop_assert_eq!(&repeated, &BitVector::from_bits(a.width() * times, |i| a.bit(i % a.width())));
    }

    #[test]
    fn bits_and_numbers(a in one(), i in any::<u32>(), bit in any::<bool>(), number in any::<u64>()) {
        let width = a.width();
        let i = i % width;
        prop_assert_eq!(a.with_bit(i, bit), BitVector::from_bits(width, |j| if j == i { bit } else { a.bit(j) }));
        prop_assert_eq!(a.is_zero(), unsigned(&a) == IBig::ZERO);
        prop_assert_eq!(a.is_ones(), unsigned(&a) == power(width) - 1);
        prop_assert_eq!(a.is_negative(), signed(&a) < IBig::ZERO);
        prop_assert_eq!(a.to_u64(), u64::try_from(unsigned(&a)).ok());
        prop_assert_eq!(BitVector::from_limbs(width, a.limbs()), a);
        prop_assert_eq!(BitVector::from_u64(width, number), wrapped(width, &number.into()));
    }

    #[test]
    fn text(a in one()) {
        let decimal = a.to_decimal();
        prop_assert_eq!(&decimal, &unsigned(&a).to_string());
        prop_assert_eq!(BitVector::from_decimal(a.width(), &decimal), Some(a.clone()));
        prop_assert_eq!(BitVector::from_decimal(a.width(), &format!("000{decimal}")), Some(a.clone()));
        let too_big = (unsigned(&a) + power(a.width())).to_string();
        prop_assert_eq!(BitVector::from_decimal(a.width(), &too_big), None);
        let literal = a.to_string();
        let read = match literal.split_at(2) {
            ("#x", digits) => BitVector::from_hexadecimal(digits),
            (_, digits) => BitVector::from_binary(digits),
        };
        prop_assert_eq!(read, Some(a));
    }
}

/// All pairs of all vectors of up to four bits: no corner can be missed there.
#[test]
fn small_widths_exhaustively() {
    for width in 1..=4 {
        for a in (0..1 << width).map(|number| BitVector::from_u64(width, number)) {
            for b in (0..1 << width).map(|number| BitVector::from_u64(width, number)) {
                check_division(&a, &b);
                let (sa, sb) = (signed(&a), signed(&b));
                assert_eq!(a.smulo(&b), !in_signed_range(width, &(&sa * &sb)));
                assert_eq!(a.sdivo(&b), a.nego() && b.is_ones());
            }
        }
    }
}

/// The step of long division that takes an estimated digit back needs operands made for it.
#[test]
fn division_with_corrected_digits() {
    let top = 1 << 63;
    let cases: [(&[u64], &[u64]); 4] = [
        (&[0, 0, top, top - 1], &[1, 0, top, 0]),
        (&[3, 0, top, 0], &[1, 0, 1 << 61, 0]),
        (&[0, u64::MAX - 1, top, 0], &[u64::MAX, top, 0, 0]),
        (&[u64::MAX, u64::MAX, u64::MAX, u64::MAX], &[u64::MAX, u64::MAX, 1, 0]),
    ];
    for (dividend, divisor) in cases {
        check_division(&BitVector::from_limbs(256, dividend), &BitVector::from_limbs(256, divisor));
    }
}

#[test]
fn malformed_text_is_refused() {
    assert_eq!(BitVector::from_binary(""), None);
    assert_eq!(BitVector::from_binary("012"), None);
    assert_eq!(BitVector::from_binary("0é"), None);
    assert_eq!(BitVector::from_hexadecimal(""), None);
    assert_eq!(BitVector::from_hexadecimal("0g"), None);
    assert_eq!(BitVector::from_hexadecimal("+1"), None);
    assert_eq!(BitVector::from_hexadecimal("aB"), BitVector::from_decimal(8, "171"));
    for text in ["", "-1", "+1", "1_000", " 1", "٣"] {
        assert_eq!(BitVector::from_decimal(8, text), None, "{text:?}");
    }
    assert_eq!(BitVector::from_decimal(8, "256"), None);
    assert_eq!(BitVector::from_decimal(8, "255"), Some(BitVector::ones(8)));
    assert_eq!(BitVector::from_decimal(1, "0"), Some(BitVector::zero(1)));
    assert_eq!(BitVector::from_decimal(1, "2"), None);
}

#[test]
fn widths_beyond_the_limit_are_refused() {
    let limit = MAX_WIDTH as usize;
    assert_eq!(BitVector::from_binary(&"1".repeat(limit)), Some(BitVector::ones(MAX_WIDTH)));
    assert_eq!(BitVector::from_binary(&"1".repeat(limit + 1)), None);
    assert_eq!(BitVector::from_hexadecimal(&"f".repeat(limit / 4 + 1)), None);
    // A number that is far too long is refused without computing it.
    assert_eq!(BitVector::from_decimal(64, &"9".repeat(10_000_000)), None);
}

#[test]
fn literals_are_spelled_by_width() {
    assert_eq!(BitVector::from_u64(8, 0xa5).to_string(), "#xa5");
    assert_eq!(BitVector::from_u64(3, 5).to_string(), "#b101");
    assert_eq!(format!("{:?}", BitVector::from_limbs(68, &[1, 2])), "#x20000000000000001");
}

#[test]
#[should_panic(expected = "different widths")]
fn different_widths_are_a_mistake_of_the_caller() {
    let _ = BitVector::zero(8).add(&BitVector::zero(9));
}

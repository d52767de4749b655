//! Bit-vectors as text: the literals of SMT-LIB, and decimal numbers.
//!
//! `Display` prints a literal that is read back as the same value.

use std::fmt;

use super::{BitVector, limbs};
use crate::sort::MAX_WIDTH;

/// Decimal digits that always fit into a limb.
const DECIMAL_CHUNK: usize = 19;

impl BitVector {
    /// The vector of a literal's digits after `#b`, one bit for each.
    ///
    /// `None` if there is no digit, a digit is not binary, or there are more than [`MAX_WIDTH`].
    pub fn from_binary(digits: &str) -> Option<Self> {
        Self::from_digits(digits, 1)
    }

    /// The vector of a literal's digits after `#x` (of either case), four bits for each.
    ///
    /// `None` if there is no digit, a digit is not hexadecimal, or the width exceeds [`MAX_WIDTH`].
    pub fn from_hexadecimal(digits: &str) -> Option<Self> {
        Self::from_digits(digits, 4)
    }

    fn from_digits(digits: &str, bits_per_digit: u32) -> Option<Self> {
        let width = u32::try_from(digits.len()).ok()?.checked_mul(bits_per_digit)?;
        if width == 0 || width > MAX_WIDTH {
            return None;
        }
        let mut limbs = vec![0; limbs::count(width)];
        let mut position = width;
        for digit in digits.chars() {
            position -= bits_per_digit;
            let digit = u64::from(digit.to_digit(1 << bits_per_digit)?);
            limbs[(position / 64) as usize] |= digit << (position % 64);
        }
        Some(Self::from_vec(width, limbs))
    }

    /// The vector of `width` bits that is this decimal number.
    ///
    /// `None` if there is no digit, a character is not a digit, or the number does not fit.
    pub fn from_decimal(width: u32, digits: &str) -> Option<Self> {
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let digits = digits.trim_start_matches('0');
        // A decimal digit is worth more than three bits: hopelessly long numbers end here, not
        // after a quadratic conversion.
        if digits.len() as u64 > u64::from(width) / 3 + 1 {
            return None;
        }
        let mut limbs = vec![0; limbs::count(width)];
        let mut rest = digits;
        while !rest.is_empty() {
            let (chunk, after) = rest.split_at((rest.len() - 1) % DECIMAL_CHUNK + 1);
            let number = chunk.parse().ok()?;
            if limbs::multiply_add_small(&mut limbs, 10u64.pow(chunk.len() as u32), number) != 0 {
                return None;
            }
            rest = after;
        }
        (limbs::bit_length(&limbs) <= width).then(|| Self::from_vec(width, limbs))
    }

    /// The unsigned number in decimal.
    pub fn to_decimal(&self) -> String {
        let mut rest = self.limbs().to_vec();
        let mut chunks = Vec::new();
        while !rest.is_empty() {
            chunks.push(limbs::divide_small(&mut rest, 10u64.pow(DECIMAL_CHUNK as u32)));
            while rest.last() == Some(&0) {
                rest.pop();
            }
        }
        let mut text = chunks.pop().unwrap_or(0).to_string();
        for chunk in chunks.iter().rev() {
            text.push_str(&format!("{chunk:0width$}", width = DECIMAL_CHUNK));
        }
        text
    }
}

impl fmt::Display for BitVector {
    /// The literal: `#x…` when the width is a multiple of four, else `#b…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits_per_digit = if self.width.is_multiple_of(4) { 4 } else { 1 };
        let mut text = String::with_capacity(2 + (self.width / bits_per_digit) as usize);
        text.push_str(if bits_per_digit == 4 { "#x" } else { "#b" });
        let mut position = self.width;
        while position > 0 {
            position -= bits_per_digit;
            let digit = self.limbs()[(position / 64) as usize] >> (position % 64);
            let digit = digit as u32 & ((1 << bits_per_digit) - 1);
            text.push(char::from_digit(digit, 16).expect("four bits are a hexadecimal digit"));
        }
        f.write_str(&text)
    }
}

impl fmt::Debug for BitVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

//! Formats of floating-point values, and modes of rounding.

use crate::sort::MAX_WIDTH;

/// The maximal number of exponent bits of a format: exponents and their sums fit `i64`.
pub const MAX_EXPONENT_BITS: u32 = 60;

/// A format: how many bits the exponent and the significand have.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FloatFormat {
    pub(super) exponent_bits: u32,
    pub(super) significand_bits: u32,
}

impl FloatFormat {
    /// The formats that SMT-LIB has a name for, which is `Float` with the [width](Self::width).
    pub const NAMED: [FloatFormat; 4] = [
        FloatFormat { exponent_bits: 5, significand_bits: 11 },
        FloatFormat { exponent_bits: 8, significand_bits: 24 },
        FloatFormat { exponent_bits: 11, significand_bits: 53 },
        FloatFormat { exponent_bits: 15, significand_bits: 113 },
    ];

    /// The format with `exponent_bits` and `significand_bits`, the hidden bit counted; `None` where one is
    /// below 2, the first above [`MAX_EXPONENT_BITS`], or both together above [`MAX_WIDTH`].
    pub fn new(exponent_bits: u32, significand_bits: u32) -> Option<FloatFormat> {
        let legal = (2..=MAX_EXPONENT_BITS).contains(&exponent_bits)
            && significand_bits >= 2
            && significand_bits <= MAX_WIDTH - exponent_bits;
        legal.then_some(FloatFormat { exponent_bits, significand_bits })
    }

    /// Bits of the exponent.
    pub fn exponent_bits(self) -> u32 {
        self.exponent_bits
    }

    /// Bits of the significand, the hidden one counted.
    pub fn significand_bits(self) -> u32 {
        self.significand_bits
    }

    /// Bits of the interchange format: sign, exponent, significand without its hidden bit.
    pub fn width(self) -> u32 {
        self.exponent_bits + self.significand_bits
    }

    /// The number of values; `u64::MAX` stands for that many or more.
    pub fn cardinality(self) -> u64 {
        if self.width() >= 64 {
            return u64::MAX;
        }
        let significands = 1u64 << (self.significand_bits - 1);
        let exponents = (1u64 << self.exponent_bits) - 1;
        // Both signs of every finite value and of infinity, and NaN.
        2 * (exponents * significands + 1) + 1
    }

    /// The greatest exponent of a finite value, as that of its leading digit. Stored exponents exceed real ones by
    /// the same amount.
    pub(super) fn bias(self) -> i64 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The exponent of the last digit of the smallest values.
    pub(super) fn least_exponent(self) -> i64 {
        1 - self.bias() - self.trailing_digits()
    }

    /// The exponent of the last digit of the greatest values.
    pub(super) fn greatest_exponent(self) -> i64 {
        self.bias() - self.trailing_digits()
    }

    /// The number of digits after the leading one.
    pub(super) fn trailing_digits(self) -> i64 {
        i64::from(self.significand_bits) - 1
    }
}

/// The way in which a result that is not a value of the format becomes one.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RoundingMode {
    /// Rounds to the nearest value; of two, to the one with an even significand.
    NearestTiesToEven,
    /// Rounds to the nearest value; of two, to the one further from zero.
    NearestTiesToAway,
    /// Rounds to the next value that is not smaller.
    TowardPositive,
    /// Rounds to the next value that is not greater.
    TowardNegative,
    /// Rounds to the next value that is not further from zero.
    TowardZero,
}

impl RoundingMode {
    /// All modes, in the order of the standard.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestTiesToEven,
        RoundingMode::NearestTiesToAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];

    /// The short SMT-LIB name.
    pub fn name(self) -> &'static str {
        match self {
            RoundingMode::NearestTiesToEven => "RNE",
            RoundingMode::NearestTiesToAway => "RNA",
            RoundingMode::TowardPositive => "RTP",
            RoundingMode::TowardNegative => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
    }

    /// The long SMT-LIB name.
    pub fn long_name(self) -> &'static str {
        match self {
            RoundingMode::NearestTiesToEven => "roundNearestTiesToEven",
            RoundingMode::NearestTiesToAway => "roundNearestTiesToAway",
            RoundingMode::TowardPositive => "roundTowardPositive",
            RoundingMode::TowardNegative => "roundTowardNegative",
            RoundingMode::TowardZero => "roundTowardZero",
        }
    }

    /// The mode with this short or long name.
    pub fn from_name(name: &str) -> Option<RoundingMode> {
        RoundingMode::ALL.into_iter().find(|mode| mode.name() == name || mode.long_name() == name)
    }
}

//! Circuits of floating-point operations, after Brain, Schanda & Sun, *Building better bit-blasting for floating-point
//! problems* (TACAS 2019).
//!
//! A value has two forms. *Packed*, it is the bits of its interchange format, least significant first, with one pattern for
//! NaN: equal values have equal bits. *Unpacked*, its special cases are flags, and the significand of every other value begins with a
//! set digit, so that an operation has no subnormal values to distinguish. Each operation computes a result that is exact but for one last
//! digit, which says whether anything follows, and one function, `round`, makes a value of the format from it.

mod add;
mod compare;
mod convert;
mod divide;
mod modes;
mod multiply;
mod packed;
mod round;
#[cfg(test)]
mod tests;
mod unpacked;
mod widths;

pub use add::add;
pub use compare::{ieee_equal, less, max_or_min};
pub use convert::{
    from_signed, from_unsigned, round_to_integral, to_format, to_signed, to_unsigned, with_mode,
};
pub use divide::{divide, remainder, remainder_steps, square_root};
pub use modes::{MODE_WIDTH, Modes, canonical_mode};
pub use multiply::{fused_multiply_add, multiply};
pub use packed::{Classes, absolute, canonical, negate};
pub use unpacked::Unpacked;

//! Theories other than Core, bit-vectors and arrays: one file for each, with its operators, their names, sorts and
//! meaning.
//!
//! If the standard leaves a result open, or the result is too large to compute, the meaning is an [`Open`] reason
//! instead of a value.

/// The operators of a theory with their SMT-LIB names: those without indices, and those with.
macro_rules! operators {
    (
        $(#[$attribute:meta])*
        enum $operators:ident;
        plain { $($(#[$plain_doc:meta])* $plain:ident = $plain_name:literal,)* }
        indexed { $($(#[$indexed_doc:meta])* $indexed:ident($($index:ty),*) = $indexed_name:literal,)* }
    ) => {
        $(#[$attribute])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $operators {
            $($(#[$plain_doc])* $plain,)*
            $($(#[$indexed_doc])* $indexed($($index),*),)*
        }

        impl $operators {
            /// All operators without indices.
            pub(crate) const PLAIN: &[$operators] = &[$($operators::$plain),*];

            /// The SMT-LIB name, without indices.
            pub fn name(self) -> &'static str {
                match self {
                    $($operators::$plain => $plain_name,)*
                    $($operators::$indexed(..) => $indexed_name,)*
                }
            }
        }
    };
}

pub(crate) mod arithmetic;
pub(crate) mod datatype;
pub(crate) mod float;
pub(crate) mod sequence;
pub(crate) mod string;

use std::fmt;

use crate::control::Stopped;

/// The reason for which an application has no value although its arguments have.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Open {
    /// Division by zero, or the remainder of it.
    DivisionByZero,
    /// The least or greatest of two zeros with different signs.
    ZeroSign,
    /// Conversion of a floating-point value to a sort that has no such value.
    OutOfRange,
    /// A field of a datatype value that has another constructor.
    WrongSelector,
    /// An element of a sequence beyond its end.
    OutOfBounds,
    /// A value that is given as the root of a polynomial, and not as a number.
    AlgebraicNumber,
    /// A bound variable, or a quantifier over a body that depends on it.
    Quantifier,
    /// An equality between regular expressions, or a regular expression that is not a literal.
    RegularExpression,
    /// A result too large to be computed.
    TooLarge,
    /// An application of a recursive function that is not unrolled to an end.
    Recursion,
    /// A value that the model names without defining it.
    Unnamed,
}

/// The reason for which the value of an application is not computed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// The application has no value of its own.
    Open(Open),
    /// Work has to stop.
    Stopped(Stopped),
}

impl From<Open> for Halt {
    fn from(reason: Open) -> Self {
        Halt::Open(reason)
    }
}

impl From<Stopped> for Halt {
    fn from(reason: Stopped) -> Self {
        Halt::Stopped(reason)
    }
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Open::DivisionByZero => "a division by zero",
            Open::ZeroSign => "the minimum or maximum of zeros with different signs",
            Open::OutOfRange => "a conversion of a floating-point value that is out of range",
            Open::WrongSelector => "a selector of another constructor",
            Open::OutOfBounds => "an element beyond the end of a sequence",
            Open::AlgebraicNumber => "an irrational number",
            Open::Quantifier => "a quantifier",
            Open::RegularExpression => "a comparison of regular expressions",
            Open::TooLarge => "a value too large to be computed",
            Open::Recursion => "a recursive function that is not unrolled to an end",
            Open::Unnamed => "a value that the model does not tell",
        })
    }
}

//! Reasons why the execution of a module ends before its entry point returns.

use std::fmt;

/// A trap of WebAssembly.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Trap {
    /// The instruction `unreachable`, which compilers put where a program has aborted or must never come.
    Unreachable,
    /// An integer divided by zero.
    DivisionByZero,
    /// A quotient or a converted float that is too large for its type.
    IntegerOverflow,
    /// A NaN converted to an integer.
    InvalidConversion,
    /// An access outside of the memory.
    MemoryOutOfBounds,
    /// An access outside of a table.
    TableOutOfBounds,
    /// A call through an element of a table that holds no function.
    NullFunction,
    /// A call through an element of a table that holds a function of another type.
    SignatureMismatch,
    /// Calls nested too deeply.
    StackExhausted,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trap::Unreachable => "unreachable code was reached",
            Trap::DivisionByZero => "integer division by zero",
            Trap::IntegerOverflow => "integer overflow",
            Trap::InvalidConversion => "conversion of a NaN to an integer",
            Trap::MemoryOutOfBounds => "access outside of the memory",
            Trap::TableOutOfBounds => "access outside of a table",
            Trap::NullFunction => "call of an element of a table that holds no function",
            Trap::SignatureMismatch => "call of a function of another type",
            Trap::StackExhausted => "stack exhausted",
        })
    }
}

impl std::error::Error for Trap {}

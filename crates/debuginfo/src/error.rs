//! Errors: a module that is none, and parts of its debug information that cannot be read.

use std::fmt;

/// A module that cannot be read as WebAssembly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The offset of the mistake in the module.
    pub offset: u64,
    /// The mistake, without a full stop.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a WebAssembly module: {} (at offset {:#x})", self.message, self.offset)
    }
}

impl std::error::Error for Error {}

impl From<wasmparser::BinaryReaderError> for Error {
    fn from(error: wasmparser::BinaryReaderError) -> Self {
        Error { offset: error.offset(), message: error.message().to_string() }
    }
}

/// A part of the debug information that was left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The part: a section, or a unit of it.
    pub part: String,
    /// The mistake in it, without a full stop.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.message)
    }
}

/// Warnings about one module; a number of them stand for all.
#[derive(Clone, Default, Debug)]
pub(crate) struct Warnings(Vec<Warning>);

impl Warnings {
    /// As many as anyone reads.
    const MOST: usize = 100;

    /// Notes that a part was left out.
    pub fn push(&mut self, part: impl fmt::Display, message: impl fmt::Display) {
        if self.0.len() < Warnings::MOST {
            self.0.push(Warning { part: part.to_string(), message: message.to_string() });
        }
    }

    /// All that were noted.
    pub fn into_inner(self) -> Vec<Warning> {
        self.0
    }
}

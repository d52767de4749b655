//! Errors of reading a module.

use std::fmt;

/// The reason why a module cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModuleError {
    /// The bytes are no valid module. The offset is from the start of the file.
    Invalid {
        /// The place of the mistake.
        offset: u64,
        /// The mistake, as the validator states it.
        message: String,
    },
    /// The module needs something that the interpreter does not have.
    Unsupported {
        /// The place where it is declared.
        offset: u64,
        /// The feature by name.
        feature: String,
    },
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModuleError::Invalid { offset, message } => {
                write!(f, "the module is not valid WebAssembly: {message} (at byte {offset})")
            }
            ModuleError::Unsupported { offset, feature } => {
                write!(f, "the module needs {feature}, which is not supported (at byte {offset})")
            }
        }
    }
}

impl std::error::Error for ModuleError {}

impl From<wasmparser::BinaryReaderError> for ModuleError {
    fn from(error: wasmparser::BinaryReaderError) -> Self {
        ModuleError::Invalid { offset: error.offset(), message: error.message().to_string() }
    }
}

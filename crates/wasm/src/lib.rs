//! WebAssembly: modules decoded to register code, and one interpreter for plain and for shadowed execution.
//!
//! Supported are WebAssembly 1.0 and sign extension, saturating conversions, bulk memory operations, several results, and mutable globals.
//! The crate knows nothing of formulas: whoever wants values beside the concrete ones implements [`Domain`].

mod code;
mod domain;
mod error;
mod interpret;
mod machine;
mod module;
mod numeric;
mod soft;
mod translate;
mod trap;

pub use code::{Function, Instruction, LoadOp, Slot};
pub use domain::{Access, Domain, Plain, Stop};
pub use error::ModuleError;
pub use machine::{Call, Machine, MachineLimits, Memory, PAGE};
pub use module::{
    Data, Elements, Exported, Global, Import, MemoryType, Module, Signature, Table, UnsupportedInstruction,
    ValueType,
};
pub use numeric::{
    BinaryOp, CANONICAL_NAN_32, CANONICAL_NAN_64, I32_RANGE, I64_RANGE, U32_RANGE, U64_RANGE, UnaryOp,
};
pub use soft::FloatCode;
pub use trap::Trap;

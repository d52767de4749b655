//! The names, source lines, variables and types that a WebAssembly module says of itself, and coverage of its sources.
//!
//! A module made by clang or rustc carries DWARF in custom sections, and names of functions and globals in a section of
//! its own. Both are read once, as a whole, into plain data ([`DebugInfo`]), so that queries need neither the module nor a
//! parser: an engine asks for the frames of an instruction, for the objects of a stack frame, for the static objects in
//! linear memory, and for the types of parameters. A reader that parses on demand was rejected: all of the information of
//! a module of some megabytes is read in a fraction of a second, and a mistake in it is known before a run and not in the
//! middle of one.
//!
//! # Addresses
//!
//! The address of an instruction is an *offset*: the number of bytes from the start of the contents of the code section,
//! where the number of functions stands, to the opcode. That is the convention of *DWARF for WebAssembly* (Yury Delendik,
//! WebAssembly tool conventions), so offsets are what the sections themselves contain. A function begins behind the field
//! with its size, at the declarations of its locals.
//!
//! # Limits
//!
//! Malformed DWARF is no error. Whatever can be read is kept, and [`DebugInfo::warnings`] says what was not. A number of
//! entries and an amount of text limit what one module can take of memory, whatever its sections refer to.
#![warn(missing_docs)]

pub mod coverage;
mod debug_info;
#[allow(non_upper_case_globals, reason = "the standard names its constants so")]
mod dwarf;
mod error;
mod module;
mod text;
mod types;

pub use debug_info::{
    DataObject, DebugInfo, FileId, Frame, FrameBase, Function, LineRange, Parameter, SourceFile, SourceLine,
    StackFrame, StackObject,
};
pub use error::{Error, Warning};
pub use types::{Bits, Enumerator, Member, Type, TypeId, TypeKind, Types};

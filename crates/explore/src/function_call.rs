//! A call of one function with symbolic arguments, in place of the start of a program: under-constrained symbolic execution.
//!
//! The objects that pointers lead to are made once, before the first run: by `malloc` where the module has it, so that the function may free them, else in memory that is added at
//! the end. They have the same addresses in all runs, and only the contents and which pointers are null differ.

use sundry_term::TermStore;
use sundry_wasm::Memory;

use crate::heap::Heap;
use crate::input::{Input, SourceKind, Variables};

/// The extension of a number of less than 32 bits to an argument.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Extension {
    /// With zeros.
    Zero,
    /// With the sign.
    Sign,
    /// Of a truth value, which is the lowest bit.
    Boolean,
}

/// An argument of the function in the module.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number of up to 64 bits, or the bits of a float: bytes of a part, lowest first.
    Number {
        /// The part.
        part: usize,
        /// The first byte in it.
        offset: u32,
        /// The number of bytes.
        bytes: u32,
        /// The extension, if there are less than four.
        extension: Extension,
    },
    /// A null pointer.
    Zero,
    /// The address of the object that a part is.
    Address {
        /// The part.
        part: usize,
    },
}

/// A parameter, or an object that pointers lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallPart {
    /// The expression for it in the source, which is different for each part.
    pub name: String,
    /// The number of symbolic bytes at its start.
    pub symbolic: u32,
    /// The size of the object, whose other bytes are 0; `None` for numbers, which are in no memory.
    pub size: Option<u32>,
    /// Whether the pointer to it may be null.
    pub is_nullable: bool,
    /// Pointers in the object: the offset of each, and the part that it leads to; none for those that are always null.
    pub pointers: Vec<(u32, Option<usize>)>,
}

/// A call of one function, and the shape of its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCall {
    /// The index of the function.
    pub function: u32,
    /// An argument for each parameter of the function in the module.
    pub arguments: Vec<Argument>,
    /// Parameters and objects.
    pub parts: Vec<CallPart>,
}

impl FunctionCall {
    /// Adds the sources of a call to variables.
    pub fn declare(&self, variables: &mut Variables, store: &mut TermStore) {
        for part in self.parts.iter().filter(|part| part.symbolic > 0 || part.is_nullable) {
            let kind = SourceKind::Parameter(part.name.clone());
            let source = variables.source(store, kind, part.symbolic, &[]);
            if part.is_nullable {
                variables.make_nullable(store, source);
            }
        }
    }
}

/// A call whose objects have addresses.
#[derive(Clone, Debug)]
pub struct PreparedCall {
    /// The call.
    pub call: FunctionCall,
    /// The addresses of parts that are objects.
    pub addresses: Vec<Option<u32>>,
    /// The blocks of the heap at the start of every run.
    pub heap: Heap,
}

/// A part that is an object, with its address.
pub struct PlacedPart<'c> {
    /// The expression for it in the source.
    pub name: &'c str,
    /// The address.
    pub address: u32,
    /// The number of symbolic bytes at its start.
    pub symbolic: u32,
    /// Pointers in the object: the offset of each, and the part that it leads to.
    pub pointers: &'c [(u32, Option<usize>)],
}

impl PreparedCall {
    /// The address of a part, or 0 for one that is no object.
    pub fn address(&self, part: usize) -> u32 {
        self.addresses[part].unwrap_or(0)
    }

    /// The parts that are objects.
    pub fn placed_parts(&self) -> impl Iterator<Item = PlacedPart<'_>> {
        self.call.parts.iter().zip(&self.addresses).filter_map(|(part, &address)| {
            Some(PlacedPart {
                name: &part.name,
                address: address?,
                symbolic: part.symbolic,
                pointers: &part.pointers,
            })
        })
    }

    /// Writes the objects of an input into memory, and returns the arguments.
    pub fn place(&self, input: &Input, variables: &Variables, memory: &mut Memory) -> Vec<u64> {
        let bytes = |name: &str| {
            let source = variables.find(&SourceKind::Parameter(name.to_string()));
            source.map_or_else(Vec::new, |source| variables.bytes(input, source))
        };
        let pointer = |part: usize| {
            let source = variables.find(&SourceKind::Parameter(self.call.parts[part].name.clone()));
            let is_null = source.is_some_and(|source| variables.is_null(input, source));
            if is_null { 0 } else { self.address(part) }
        };
        for part in self.placed_parts() {
            let bytes = bytes(part.name);
            let length = bytes.len().min(part.symbolic as usize);
            if let Some(range) = memory.get_mut(u64::from(part.address), length) {
                range.copy_from_slice(&bytes[..length]);
            }
            for &(offset, target) in part.pointers {
                if let Some(range) = memory.get_mut(u64::from(part.address) + u64::from(offset), 4) {
                    range.copy_from_slice(&target.map_or(0, pointer).to_le_bytes());
                }
            }
        }
        let argument = |argument: &Argument| match *argument {
            Argument::Zero => 0,
            Argument::Address { part } => u64::from(pointer(part)),
            Argument::Number { part, offset, bytes: count, extension } => {
                let bytes = bytes(&self.call.parts[part].name);
                let number = bytes.iter().skip(offset as usize).take(count as usize);
                let value = number.rev().fold(0, |value, &byte| (value << 8) | u64::from(byte));
                extended(value, count, extension)
            }
        };
        self.call.arguments.iter().map(argument).collect()
    }
}

/// A number of some bytes as the argument of a function.
fn extended(value: u64, bytes: u32, extension: Extension) -> u64 {
    match extension {
        Extension::Boolean => value & 1,
        Extension::Sign if bytes < 4 => {
            let unused = 32 - 8 * bytes;
            u64::from((((value as u32) << unused) as i32 >> unused) as u32)
        }
        _ => value,
    }
}

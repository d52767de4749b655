//! Errors in the use of memory.

use std::fmt;

/// An error in the use of memory.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MemoryError {
    /// An access at or near address 0.
    Null,
    /// An access beyond a block of the heap.
    HeapOverflow,
    /// An access to a block that was freed.
    UseAfterFree,
    /// A block that was freed is freed again.
    DoubleFree,
    /// Something is freed that is no block.
    InvalidFree,
    /// The stack has grown into other data.
    StackExhausted,
    /// An access beyond an object in the stack or in static memory.
    ObjectOverflow,
    /// A write to data that is constant.
    ConstantWrite,
    /// A block is neither freed nor reachable at the end.
    Leak,
}

impl MemoryError {
    /// A short name for files and tables.
    pub fn name(self) -> &'static str {
        match self {
            MemoryError::Null => "null-access",
            MemoryError::HeapOverflow => "heap-overflow",
            MemoryError::UseAfterFree => "use-after-free",
            MemoryError::DoubleFree => "double-free",
            MemoryError::InvalidFree => "invalid-free",
            MemoryError::StackExhausted => "stack-exhausted",
            MemoryError::ObjectOverflow => "object-overflow",
            MemoryError::ConstantWrite => "constant-write",
            MemoryError::Leak => "leak",
        }
    }
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MemoryError::Null => "access through a null pointer",
            MemoryError::HeapOverflow => "access beyond a block of the heap",
            MemoryError::UseAfterFree => "access to a block of the heap that was freed",
            MemoryError::DoubleFree => "a block of the heap is freed twice",
            MemoryError::ObjectOverflow => "access beyond an object in the stack or in static memory",
            MemoryError::StackExhausted => "the stack has grown beyond its room",
            MemoryError::InvalidFree => "something is freed that is no block of the heap",
            MemoryError::ConstantWrite => "a write to constant data, such as the text of a literal",
            MemoryError::Leak => "a block of the heap is never freed",
        })
    }
}

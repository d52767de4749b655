//! Errors of a program, each once.

use rustc_hash::FxHashSet;
use sundry_wasm::Trap;

use crate::heap::MemoryError;
use crate::host::Ending;
use crate::program::Program;
use crate::run::{Run, RunEnd};

/// A kind of error.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FindingKind {
    /// A trap of WebAssembly.
    Trap(Trap),
    /// An error in the use of memory.
    Memory(MemoryError),
    /// An assertion of `sundry.h` failed.
    Assertion(String),
    /// The program reported an error of its own.
    Reported(String),
    /// The program ended with a status that counts as an error.
    BadExit(u32),
    /// The program did not end within its budget of steps.
    NoEnd,
}

impl FindingKind {
    /// A short name for files and tables.
    pub fn name(&self) -> &'static str {
        match self {
            FindingKind::Trap(Trap::Unreachable) => "abort",
            FindingKind::Trap(Trap::DivisionByZero) => "division-by-zero",
            FindingKind::Trap(Trap::IntegerOverflow) => "integer-overflow",
            FindingKind::Trap(Trap::InvalidConversion) => "invalid-conversion",
            FindingKind::Trap(Trap::MemoryOutOfBounds) => "out-of-memory-bounds",
            FindingKind::Trap(Trap::TableOutOfBounds | Trap::NullFunction | Trap::SignatureMismatch) => {
                "bad-call"
            }
            FindingKind::Trap(Trap::StackExhausted) => "stack-exhausted",
            FindingKind::Memory(error) => error.name(),
            FindingKind::Assertion(_) => "assertion",
            FindingKind::Reported(_) => "reported",
            FindingKind::BadExit(_) => "bad-exit",
            FindingKind::NoEnd => "no-end",
        }
    }

    /// The error in a sentence's words.
    pub fn describe(&self) -> String {
        match self {
            FindingKind::Trap(trap) => trap.to_string(),
            FindingKind::Memory(error) => error.to_string(),
            FindingKind::Assertion(expression) => format!("assertion `{expression}` failed"),
            FindingKind::Reported(message) => format!("the program reports: {message}"),
            FindingKind::BadExit(status) => format!("exit status {status}"),
            FindingKind::NoEnd => "no end within the budget of steps".to_string(),
        }
    }
}

/// An error, and where it happens.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// The kind.
    pub kind: FindingKind,
    /// The part of the open calls that distinguishes the error from others, outermost first: position of the function, number of the instruction. Of several open calls of a function, the
    /// innermost counts, since recursion can be of any depth; and of functions of libraries, the instruction is 0, since loops that copy memory have several for it.
    pub stack: Vec<(u32, u32)>,
}

impl Finding {
    /// The error in which a run has ended, if any. `bad_exits` are the statuses that count as errors.
    pub fn of(run: &Run, bad_exits: &[u32], program: &Program) -> Option<Finding> {
        let kind = match &run.end {
            RunEnd::Trap(trap) => FindingKind::Trap(*trap),
            RunEnd::Steps => FindingKind::NoEnd,
            RunEnd::Exit(status) if bad_exits.contains(status) => FindingKind::BadExit(*status),
            RunEnd::Host(Ending::Memory(error)) => FindingKind::Memory(*error),
            RunEnd::Host(Ending::Assertion { expression, .. }) => FindingKind::Assertion(expression.clone()),
            RunEnd::Host(Ending::Reported { message, .. }) => FindingKind::Reported(message.clone()),
            _ => return None,
        };
        let stack = match kind {
            // Where a loop was when the budget ended is an accident.
            FindingKind::NoEnd => {
                let mut calls = distinct_calls(&run.stack, program);
                if let Some(innermost) = calls.last_mut() {
                    innermost.1 = 0;
                }
                calls
            }
            // Recursion has no single depth.
            FindingKind::Trap(Trap::StackExhausted) | FindingKind::Memory(MemoryError::StackExhausted) => {
                let mut functions: Vec<(u32, u32)> = run.stack.iter().rev().take(1).copied().collect();
                functions.iter_mut().for_each(|frame| frame.1 = 0);
                functions
            }
            _ => distinct_calls(&run.stack, program),
        };
        Some(Finding { kind, stack })
    }

    /// The finding that stands for all of the same error. What an address reaches that is computed wrongly is an accident: accesses at one place beyond a block, an object or the memory, and writes to constants, are one error.
    #[must_use]
    pub fn error(&self) -> Finding {
        let is_stray = matches!(
            self.kind,
            FindingKind::Trap(Trap::MemoryOutOfBounds)
                | FindingKind::Memory(
                    MemoryError::HeapOverflow | MemoryError::ObjectOverflow | MemoryError::ConstantWrite
                )
        );
        let kind = match is_stray {
            true => FindingKind::Trap(Trap::MemoryOutOfBounds),
            false => self.kind.clone(),
        };
        Finding { kind, stack: self.stack.clone() }
    }
}

/// The innermost open call of each function.
fn distinct_calls(stack: &[(u32, u32)], program: &Program) -> Vec<(u32, u32)> {
    let mut known = FxHashSet::default();
    let innermost = stack.iter().rev().filter(|(function, _)| known.insert(*function));
    let without_library = |&(function, place): &(u32, u32)| match program.is_in_library(place) {
        true => (function, 0),
        false => (function, place),
    };
    let mut distinct: Vec<(u32, u32)> = innermost.map(without_library).collect();
    distinct.reverse();
    distinct
}

//! Programs: the lists of steps over slots to which terms are compiled.

use std::fmt;
use std::ops::Range;

use rustc_hash::FxHashMap;
use sundry_term::{Op, SortId, Stopped, SymbolId, TermId};

use crate::integers::Cone;

/// The place of a term's values in a [`Memory`](crate::Memory).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Slot {
    /// A mask, for truth values.
    Mask(u32),
    /// Columns for the limbs of 64 bits of the width, the least significant first. Elements of declared sorts are
    /// numbers of 32 bits. Bits above the width are zero.
    Columns {
        /// The first of them.
        first: u32,
        /// The number of bits.
        width: u32,
    },
}

impl Slot {
    /// The number of limbs of a value, 1 for truth values.
    pub(crate) fn limbs(self) -> usize {
        match self {
            Slot::Mask(_) => 1,
            Slot::Columns { width, .. } => width.div_ceil(64) as usize,
        }
    }
}

/// The error that lanes do not support a term.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The term.
    pub term: TermId,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("arrays of arrays, integers, reals, floating point and other theories cannot be evaluated for many models at once")
    }
}

impl std::error::Error for Unsupported {}

/// The reason for which there is no program.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// Lanes do not support a term.
    Unsupported(Unsupported),
    /// A control has stopped the compiler.
    Stopped(Stopped),
}

impl From<Unsupported> for CompileError {
    fn from(error: Unsupported) -> Self {
        CompileError::Unsupported(error)
    }
}

impl From<Stopped> for CompileError {
    fn from(reason: Stopped) -> Self {
        CompileError::Stopped(reason)
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Unsupported(error) => error.fmt(f),
            CompileError::Stopped(reason) => write!(f, "{reason} before the formula was compiled"),
        }
    }
}

impl std::error::Error for CompileError {}

/// An array-sorted term. Its elements are looked up by walking down to the array that the model defines.
#[derive(Clone, Debug)]
pub(crate) struct ArrayNode {
    pub(crate) kind: ArrayKind,
    /// The sorts of indices and elements.
    pub(crate) sorts: (SortId, SortId),
}

#[derive(Clone, Debug)]
pub(crate) enum ArrayKind {
    /// A declared constant, by the number of its table.
    Table(usize),
    Store {
        array: usize,
        index: Slot,
        element: Slot,
    },
    Ite {
        condition: u32,
        consequent: usize,
        alternative: usize,
    },
    /// A constant array: the same element at all indices.
    Constant(Slot),
}

/// A computation from slots.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// An operator on operands that are not arrays, for which no other variant exists.
    Operator { op: Op, operands: Range<usize>, result: Slot },
    /// The element of an array.
    Select { array: usize, index: Slot, result: Slot },
    /// A declared function.
    Call { table: usize, operands: Range<usize>, result: Slot },
    /// Something that is said of integers.
    Integers { cone: Cone, result: Slot },
    /// Whether arrays are all equal, or all different.
    CompareArrays { op: Op, arrays: Vec<usize>, result: u32 },
}

/// The place of a term's values while it is compiled.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Place {
    Slot(Slot),
    /// The number of an array node.
    Array(usize),
    /// Nowhere: an integer is computed for each term that needs it.
    Integer,
}

/// Terms, ready to be evaluated under many models.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) steps: Vec<Step>,
    /// The operands of the steps.
    pub(crate) operands: Vec<Slot>,
    pub(crate) arrays: Vec<ArrayNode>,
    pub(crate) roots: Vec<Slot>,
    /// Literal values with their slots, as limbs.
    pub(crate) literals: Vec<(Slot, Vec<u64>)>,
    pub(crate) constants: Vec<(SymbolId, Slot)>,
    /// All declared constants, also arrays and those that are defined.
    pub(crate) places: FxHashMap<SymbolId, Place>,
    /// The declared sorts that constant arrays have as indices: how many elements these have matters.
    pub(crate) bounded: Vec<SortId>,
    /// The arrays and functions that models define, with the limbs of their keys and results.
    pub(crate) tables: Vec<(SymbolId, usize, usize)>,
    pub(crate) masks: u32,
    pub(crate) columns: u32,
}

impl Program {
    /// The declared constants that are neither arrays nor defined, with the slots in which their values are expected.
    pub fn constants(&self) -> &[(SymbolId, Slot)] {
        &self.constants
    }

    /// The declared arrays and functions that are not defined, in the order of the tables that are expected for them.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = SymbolId> + '_ {
        self.tables.iter().map(|&(symbol, _, _)| symbol)
    }

    /// The declared sorts of which the terms may depend on how many elements there are, in the order of the columns
    /// that are expected for them.
    pub fn bounded_sorts(&self) -> &[SortId] {
        &self.bounded
    }

    /// The slot of a constant's value after a run, unless it is an array or the terms do not depend on it.
    pub fn slot_of(&self, symbol: SymbolId) -> Option<Slot> {
        match self.places.get(&symbol) {
            Some(Place::Slot(slot)) => Some(*slot),
            _ => None,
        }
    }

    /// The slots of the roots, in the order in which they were given.
    pub fn roots(&self) -> &[Slot] {
        &self.roots
    }
}

//! Sorts: the types of terms.
//!
//! Sorts are interned in the [`TermStore`](crate::TermStore); a [`SortId`] is the identity of one.
//! The enum is open to further theories: integers, reals, floating point, strings and datatypes
//! become further variants, and every `match` on it decides what it does with them.

/// Widest bit-vector that is accepted, in bits. Above it a term has no practical circuit.
pub const MAX_WIDTH: u32 = 1 << 20;

/// Deepest nesting of sorts in sorts that is accepted. Values are nested like their sorts, and
/// comparing or dropping a value recurses that deep.
pub const MAX_SORT_DEPTH: u32 = 255;

/// Identity of an interned [`Sort`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortId(pub(crate) u32);

impl SortId {
    /// The sort `Bool`, which every store holds at the same place.
    pub const BOOL: SortId = SortId(0);

    /// Position of the sort in its store's table of sorts.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Identity of a sort declared with `declare-sort`; the store keeps its name and arity.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortDeclarationId(pub(crate) u32);

/// A sort of SMT-LIB.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of a width between 1 and [`MAX_WIDTH`] bits.
    BitVec(u32),
    /// Total maps from `index` to `element`.
    Array {
        /// Sort of the positions.
        index: SortId,
        /// Sort of what is stored.
        element: SortId,
    },
    /// A declared sort about which nothing is known except that it is not empty.
    Uninterpreted {
        /// Which declaration.
        declaration: SortDeclarationId,
        /// Arguments of a declaration with parameters.
        arguments: Box<[SortId]>,
    },
}

/// Name and number of parameters of a declared sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortDeclaration {
    /// The name as declared, without quotes.
    pub name: Box<str>,
    /// How many sorts it takes.
    pub arity: usize,
}

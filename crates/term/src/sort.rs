//! Sorts: the types of terms.
//!
//! Sorts are interned in the [`TermStore`](crate::TermStore); a [`SortId`] is the identity of one.

use crate::entity_id;
use crate::float::FloatFormat;

/// Widest bit-vector that is accepted, in bits. Above it a term has no practical circuit.
pub const MAX_WIDTH: u32 = 1 << 20;

/// Deepest nesting of sorts in sorts that is accepted. Values are nested like their sorts, and
/// comparing or dropping a value recurses that deep.
pub const MAX_SORT_DEPTH: u32 = 255;

/// The maximal number of parts of a sort when it is written out. Definitions share parts, so a few of them can name a
/// sort whose text, and the text of whose values, would be practically endless.
pub const MAX_SORT_PARTS: u32 = 1 << 16;

entity_id! {
    /// Identity of an interned [`Sort`].
    pub struct SortId, "sort"
}

impl SortId {
    /// The sort `Bool`.
    pub const BOOL: SortId = SortId::new(0);
    /// The sort `Int`.
    pub const INT: SortId = SortId::new(1);
    /// The sort `Real`.
    pub const REAL: SortId = SortId::new(2);
    /// The sort `RoundingMode`.
    pub const ROUNDING_MODE: SortId = SortId::new(3);
    /// The sort `String`.
    pub const STRING: SortId = SortId::new(4);
    /// The sort `RegLan` of regular expressions.
    pub const REG_LAN: SortId = SortId::new(5);

    /// The sorts that every store holds, in the order of their ids.
    pub(crate) const FIXED: [Sort; 6] =
        [Sort::Bool, Sort::Int, Sort::Real, Sort::RoundingMode, Sort::String, Sort::RegLan];
}

entity_id! {
    /// Identity of a sort declared with `declare-sort`; the store keeps its name and arity.
    pub struct SortDeclarationId, "declaration"
}

entity_id! {
    /// Identity of a declared datatype; the store keeps its declaration.
    pub struct DatatypeId, "datatype"
}

/// A sort of SMT-LIB.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Real numbers.
    Real,
    /// The rounding modes of floating-point operations.
    RoundingMode,
    /// Strings of characters.
    String,
    /// Regular expressions: sets of strings.
    RegLan,
    /// Floating-point values of a format.
    Float(FloatFormat),
    /// Bit-vectors of a width between 1 and [`MAX_WIDTH`] bits.
    BitVec(u32),
    /// Total maps from `index` to `element`.
    Array {
        /// Sort of the positions.
        index: SortId,
        /// Sort of the elements.
        element: SortId,
    },
    /// Finite sequences of elements of a sort.
    Sequence(SortId),
    /// A declared sort, of which only one thing is known: it is not empty.
    Uninterpreted {
        /// The declaration of the sort.
        declaration: SortDeclarationId,
        /// Arguments of a declaration with parameters.
        arguments: Box<[SortId]>,
    },
    /// Values built by the constructors of a declared datatype.
    Datatype {
        /// The declaration of the datatype.
        declaration: DatatypeId,
        /// Arguments of a declaration with parameters.
        arguments: Box<[SortId]>,
    },
}

impl Sort {
    /// The sorts that this one is built from.
    pub fn parts(&self) -> Vec<SortId> {
        match self {
            Sort::Array { index, element } => vec![*index, *element],
            Sort::Sequence(element) => vec![*element],
            Sort::Uninterpreted { arguments, .. } | Sort::Datatype { arguments, .. } => arguments.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The sort built in the same way from other sorts, of which there are as many.
    pub(crate) fn with_parts(&self, parts: Vec<SortId>) -> Sort {
        match self {
            Sort::Array { .. } => Sort::Array { index: parts[0], element: parts[1] },
            Sort::Sequence(_) => Sort::Sequence(parts[0]),
            Sort::Uninterpreted { declaration, .. } => {
                Sort::Uninterpreted { declaration: *declaration, arguments: parts.into() }
            }
            Sort::Datatype { declaration, .. } => {
                Sort::Datatype { declaration: *declaration, arguments: parts.into() }
            }
            other => other.clone(),
        }
    }
}

/// Name and number of parameters of a declared sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortDeclaration {
    /// The name as declared, without quotes.
    pub name: Box<str>,
    /// The number of sorts that the constructor takes.
    pub arity: usize,
}

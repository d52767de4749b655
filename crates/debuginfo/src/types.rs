//! Types of a program as a table: types refer to each other by index, so that no function recurses over them.

use std::sync::Arc;

use sundry_term::entity_id;

entity_id!(
    /// Identity of a type in [`Types`].
    pub struct TypeId, "type"
);

/// The types of a program. Typedefs and qualifiers are resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Types {
    pub(crate) types: Vec<Type>,
}

impl Types {
    /// The type of nothing: of a function without a result, and of what an untyped pointer leads to.
    pub const VOID: TypeId = TypeId::new(0);
    /// A type that the debug information does not say, or says in a way that is not understood.
    pub const UNKNOWN: TypeId = TypeId::new(1);

    /// A table of the two types that are always there.
    pub(crate) fn new() -> Self {
        let plain = |kind| Type { name: None, size: None, kind };
        Types { types: vec![plain(TypeKind::Void), plain(TypeKind::Unknown)] }
    }

    /// The type with this identity.
    ///
    /// # Panics
    /// If the identity is of another table.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// All types with their identities.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter().enumerate().map(|(index, r#type)| (TypeId::new(index), r#type))
    }

    /// The number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are none; the two that are always there count.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}

/// A type of the program.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    /// The name in the source, without `struct` and the like.
    pub name: Option<Arc<str>>,
    /// The size in bytes, if it is known.
    pub size: Option<u32>,
    /// The structure.
    pub kind: TypeKind,
}

/// The structure of a type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// No value.
    Void,
    /// Nothing is known.
    Unknown,
    /// A truth value.
    Boolean,
    /// An integer, or a character, in two's complement.
    Integer {
        /// Whether it has a sign.
        signed: bool,
    },
    /// A floating-point number: `float`, `double`, or `long double` of 16 bytes.
    Float,
    /// An address of a value, or a reference. The address of a [function](TypeKind::Function) is an index into a table.
    Pointer {
        /// The type of the value at the address.
        target: TypeId,
        /// Whether the pointer is a reference of C++, which is never null.
        is_reference: bool,
    },
    /// A struct, class or tuple.
    Struct {
        /// The members in the order of the source; the parts that a class inherits are members without names.
        members: Vec<Member>,
    },
    /// A union.
    Union {
        /// The members, all of which begin at the start.
        members: Vec<Member>,
    },
    /// An array.
    Array {
        /// The type of each element; an array of two dimensions is an array of arrays.
        element: TypeId,
        /// The number of elements; none for `[]`, and for arrays whose length is computed.
        count: Option<u32>,
    },
    /// An enumeration.
    Enumeration {
        /// Whether its integer has a sign.
        signed: bool,
        /// The values that have names.
        values: Vec<Enumerator>,
    },
    /// A function, as what pointers lead to.
    Function {
        /// The type of the result.
        result: TypeId,
        /// The types of the parameters.
        parameters: Vec<TypeId>,
    },
    /// A struct, class or union that is declared and defined nowhere in the program.
    Declared,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// The name; none for an anonymous struct or union, and for a part that is inherited.
    pub name: Option<Arc<str>>,
    /// Bytes from the start of the whole.
    pub offset: u32,
    /// The type.
    pub r#type: TypeId,
    /// The bits of a bit-field.
    pub bits: Option<Bits>,
}

/// The bits of a bit-field, counted from the least significant bit of the byte at the start of the whole.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The first bit.
    pub start: u32,
    /// The number of bits.
    pub width: u32,
}

/// A named value of an enumeration.
#[derive(Clone, PartialEq, Debug)]
pub struct Enumerator {
    /// The name.
    pub name: Option<Arc<str>>,
    /// The value.
    pub value: i64,
}

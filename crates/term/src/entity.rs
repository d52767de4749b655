//! Ids of the entries of tables: small numbers with a type for each table.
//!
//! An index into the wrong table is a mistake that types prevent, and 32 bits halve the size of a term. After Cranelift's
//! `entity_impl!`; here the macro defines the type too, so that no identity can be made of a number without a check.
//! Types whose numbers mean more than a position, such as literals with their sign, are not made by it.

/// Defines a type of ids: `entity_id!(/// Identity of a thing. pub struct ThingId, "thing");`. The output of `Debug`
/// is the text followed by the number.
#[macro_export]
macro_rules! entity_id {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident, $prefix:literal) => {
        $(#[$attribute])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $visibility struct $name(u32);

        impl $name {
            /// The id of the entry at this position of its table.
            ///
            /// # Panics
            /// When the position is 2^32 or more.
            #[inline]
            $visibility const fn new(index: usize) -> Self {
                assert!(index <= u32::MAX as usize, "identities have 32 bits");
                $name(index as u32)
            }

            /// The position in the table.
            #[inline]
            $visibility const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

//! Bounds of variables, and who asserted them.

use std::sync::Arc;

use crate::value::Value;

/// The name that the caller gives to an asserted bound: a number below 2^31.
pub type Tag = u32;

/// The first tag of bounds that the integer search makes for itself.
pub(crate) const FIRST_OF_BRANCHES: Tag = 1 << 31;

/// The side of a variable on which a bound is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The variable is at least the bound.
    Lower,
    /// The variable is at most the bound.
    Upper,
}

impl Side {
    /// The other side.
    pub fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// Whether a bound on this side forbids a value.
    pub(crate) fn forbids(self, bound: &Value, value: &Value) -> bool {
        match self {
            Side::Lower => value < bound,
            Side::Upper => value > bound,
        }
    }
}

/// The asserted bounds that a bound follows from.
#[derive(Clone, Debug)]
pub(crate) enum Cause {
    /// The bound holds for ever.
    Permanent,
    /// The bound was asserted.
    Asserted(Tag),
    /// The bound follows from asserted ones.
    Derived(Arc<[Tag]>),
}

impl Cause {
    /// Adds the tags of the cause.
    pub(crate) fn add_to(&self, tags: &mut Vec<Tag>) {
        match self {
            Cause::Permanent => {}
            Cause::Asserted(tag) => tags.push(*tag),
            Cause::Derived(several) => tags.extend_from_slice(several),
        }
    }
}

/// A bound of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Value,
    pub(crate) cause: Cause,
}

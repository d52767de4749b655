//! Lemmas: instances of theory axioms that a candidate assignment violates.
//!
//! Every lemma is valid in its theory, whatever is asserted or assumed, so it is kept for ever.

use sundry_circuit::Edge;

/// The axiom that a lemma instantiates.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LemmaKind {
    /// Two reads of connected arrays at equal indices give equal elements (read-over-write and
    /// congruence along a path of stores, ites and equalities).
    ReadCongruence,
    /// A read of an array connected to a constant array gives the constant.
    ReadConstant,
    /// Two connected constant arrays hold equal elements, unless stores between them write every index.
    ConstantArrays,
    /// A sort of at most some number of elements has at most any larger number.
    UniverseSize,
    /// The number of an element is below the size of its sort.
    UniverseMember,
    /// Unequal arrays differ at a witness index.
    Extensionality,
    /// Equal arguments give equal results.
    FunctionCongruence,
    /// Words that are all different are different, and of those that are not, two have a value in common.
    Distinct,
    /// A fact that is true of every product, or of every quotient.
    Product,
    /// Bounds of one number, of which the smaller implies the greater.
    NumberOrder,
    /// The meaning of a term that is no linear expression.
    NumberDefinition,
    /// Bounds of numbers that contradict each other.
    NumberConflict,
    /// Nothing but a bound that has to be decided.
    NumberBranch,
    /// A fact about a product of numbers.
    NumberProduct,
    /// An axiom of a theory that was plugged in, by its name there.
    Plugged(&'static str),
}

/// A clause over circuit edges that is valid in the theory.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lemma {
    /// The axiom.
    pub kind: LemmaKind,
    /// Disjunction of edges.
    pub clause: Vec<Edge>,
}

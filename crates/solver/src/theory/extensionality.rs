//! Arrays that are not equal differ at some index.
//!
//! An equality atom is false only where its arrays differ: at a *witness*, an index of its own, unless the atom is true. Each witness is an index to compare
//! with all others, and most arrays differ under most assignments anyway. So an equality waits for a witness until an assignment makes it false
//! although the arrays hold the same elements.

use sundry_circuit::{Aig, Edge};
use sundry_linear::Rational;
use sundry_term::Control;

use super::array_sorts::PartKind;
use super::arrays::{ArrayContents, ArrayId};
use super::arrays_and_functions::ArraysAndFunctions;
use super::datum::Key;
use super::lemma::{Lemma, LemmaKind};

/// An equality of two arrays.
#[derive(Copy, Clone, Debug)]
pub(super) struct ArrayEquality {
    pub(super) left: ArrayId,
    pub(super) right: ArrayId,
    /// The atom.
    pub(super) edge: Edge,
}

/// The equalities of arrays that wait for something.
#[derive(Clone, Default)]
pub(super) struct Extensionality {
    /// Those without a witness.
    without_witness: Vec<ArrayEquality>,
    /// The atoms of formulas that decisions do not know yet.
    new: Vec<Edge>,
}

impl Extensionality {
    /// Whether no equality waits for a witness.
    pub(super) fn is_settled(&self) -> bool {
        self.without_witness.is_empty()
    }

    /// Values that decisions should try first for new atoms: arrays that differ need less than those that are equal.
    pub(super) fn take_preferences(&mut self) -> impl Iterator<Item = (Edge, bool)> {
        std::mem::take(&mut self.new).into_iter().map(|edge| (edge, false))
    }
}

impl ArraysAndFunctions {
    /// Enters the atom of an equality in a formula.
    pub(super) fn enter_equality(&mut self, aig: &mut Aig, equality: ArrayEquality, lemmas: &mut Vec<Lemma>) {
        self.extensionality.new.push(equality.edge);
        if self.can_wait(equality.left) {
            self.arrays.add_equality(equality.left, equality.right, equality.edge);
            self.extensionality.without_witness.push(equality);
        } else {
            self.add_equality(aig, equality, lemmas);
        }
    }

    /// Enters an equality atom with its witness.
    pub(super) fn add_equality(&mut self, aig: &mut Aig, equality: ArrayEquality, lemmas: &mut Vec<Lemma>) {
        self.arrays.add_equality(equality.left, equality.right, equality.edge);
        self.add_witness(aig, equality, lemmas);
    }

    /// Gives an equality its witness.
    fn add_witness(&mut self, aig: &mut Aig, equality: ArrayEquality, lemmas: &mut Vec<Lemma>) {
        let ArrayEquality { left, right, edge } = equality;
        let shape = self.sorts[&self.arrays.node(left).sort];
        let witness = self.fresh(aig, shape.index);
        let left_element = self.fresh(aig, shape.element);
        let right_element = self.fresh(aig, shape.element);
        self.arrays.add_read(left, witness.clone(), left_element.clone());
        self.arrays.add_read(right, witness, right_element.clone());
        let equal_there = self.equal(aig, &left_element, &right_element, lemmas);
        lemmas.push(Lemma { kind: LemmaKind::Extensionality, clause: vec![edge, !equal_there] });
    }

    /// Whether arrays of the sort of this one always have an index that nothing mentions, with an element that is known: then what is mentioned tells
    /// whether two of them are equal.
    fn can_wait(&self, array: ArrayId) -> bool {
        let shape = self.sorts[&self.arrays.node(array).sort];
        matches!(shape.index.kind, PartKind::Number) && self.default_key(array).is_some()
    }

    /// The element of an array, in models, at an index that nothing mentions, unless the array is joined to a constant one.
    fn default_key(&self, array: ArrayId) -> Option<Key> {
        match self.sorts[&self.arrays.node(array).sort].element.kind {
            PartKind::Word(width) => Some(Key::of_bits(&vec![Edge::FALSE; width as usize], |_| false)),
            PartKind::Number => Some(Key::Number(Rational::ZERO)),
            PartKind::Coded(..) | PartKind::Element | PartKind::Array => None,
        }
    }

    /// Gives a witness to the equalities that are false under an assignment, which violates nothing else, though their arrays hold the same elements. Where
    /// arrays are keys, which only equality atoms tell apart, all equalities get a witness.
    pub(super) fn add_missing_witnesses(
        &mut self,
        aig: &mut Aig,
        value: &dyn Fn(Edge) -> bool,
        control: &Control,
    ) -> Vec<Lemma> {
        let mut lemmas = Vec::new();
        if self.extensionality.is_settled() {
            return lemmas;
        }
        let mut waiting = std::mem::take(&mut self.extensionality.without_witness);
        if !self.has_array_arguments && self.arrays.index_arrays().is_empty() {
            let contents = ArrayContents::new(&self.arrays, value, self.numbers.solution(), control);
            // Arrays of other sorts do not wait.
            let default = |array| self.default_key(array).unwrap_or(Key::Number(Rational::ZERO));
            let hashes = contents.hashes(default);
            let is_right = |&mut ArrayEquality { left, right, edge }: &mut ArrayEquality| {
                value(edge) || hashes[left.index()] != hashes[right.index()]
            };
            self.extensionality.without_witness = waiting.extract_if(.., is_right).collect();
        }
        for equality in waiting {
            self.add_witness(aig, equality, &mut lemmas);
        }
        lemmas
    }
}

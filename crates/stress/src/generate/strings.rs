//! Inputs about strings, in the shapes of the generators of StringFuzz (Blotsky, Mora, Berzish, Zheng, Kabir & Ganesh,
//! *StringFuzz: A Fuzzer for String Solvers*, CAV 2018): each stresses one part of a solver of strings.

use rand::Rng;
use rand::seq::IndexedRandom;
use sundry_term::{ArithmeticOp, Op, SortId, StringOp, TermId, TermStore, Text, Value};

use crate::generate::material::Material;
use crate::individual::Individual;

/// The longest literal.
const LETTERS: usize = 8;
/// The nesting of concatenations and regular expressions, at most.
const DEPTH: u32 = 4;
/// The assertions of an input, at most.
const ASSERTIONS: usize = 4;

/// A shape of inputs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum StringShape {
    /// A variable is a deep concatenation of others and of literals.
    Concatenations,
    /// Concatenations of variables have given lengths.
    Lengths,
    /// A literal in front of a variable is the same as another one behind it: both overlap.
    Overlaps,
    /// Two concatenations are equal.
    Equalities,
    /// A variable is in a regular expression of some depth, and has a length.
    RegularExpressions,
}

impl StringShape {
    /// All of them.
    pub const ALL: [StringShape; 5] = [
        StringShape::Concatenations,
        StringShape::Lengths,
        StringShape::Overlaps,
        StringShape::Equalities,
        StringShape::RegularExpressions,
    ];

    /// An input of this shape with one to four assertions. Nothing if the material has no strings.
    pub fn input(
        self,
        store: &mut TermStore,
        material: &Material,
        random: &mut impl Rng,
    ) -> Option<Individual> {
        if material.variables(SortId::STRING).is_empty() {
            return None;
        }
        let count = random.random_range(1..=ASSERTIONS);
        let mut builder = Builder { store, material, random };
        let assertions = (0..count).map(|_| builder.assertion(self)).collect();
        Some(Individual { assertions })
    }
}

struct Builder<'a, R> {
    store: &'a mut TermStore,
    material: &'a Material,
    random: &'a mut R,
}

impl<R: Rng> Builder<'_, R> {
    fn assertion(&mut self, shape: StringShape) -> TermId {
        match shape {
            StringShape::Concatenations => {
                let (variable, whole) = (self.variable(), self.concatenation(DEPTH));
                self.store.make(Op::Equal, &[variable, whole])
            }
            StringShape::Lengths => {
                let depth = self.random.random_range(0..3);
                let term = self.concatenation(depth);
                self.length(term)
            }
            StringShape::Overlaps => {
                let (variable, front, back) = (self.variable(), self.literal(), self.literal());
                let left = self.string(StringOp::Concat, &[front, variable]);
                let right = self.string(StringOp::Concat, &[variable, back]);
                self.store.make(Op::Equal, &[left, right])
            }
            StringShape::Equalities => {
                let (left, right) = (self.concatenation(3), self.concatenation(3));
                self.store.make(Op::Equal, &[left, right])
            }
            StringShape::RegularExpressions => {
                let variable = self.variable();
                let depth = self.random.random_range(1..=DEPTH);
                let expression = self.regular_expression(depth);
                let is_in = self.string(StringOp::InRe, &[variable, expression]);
                if self.random.random() {
                    return is_in;
                }
                let length = self.length(variable);
                self.store.make(Op::And, &[is_in, length])
            }
        }
    }

    fn string(&mut self, op: StringOp, arguments: &[TermId]) -> TermId {
        self.store.make(Op::String(op), arguments)
    }

    fn variable(&mut self) -> TermId {
        *self.material.variables(SortId::STRING).choose(self.random).expect("there are strings")
    }

    /// A few letters of a small alphabet, so that they often fit together.
    fn literal(&mut self) -> TermId {
        let length = self.random.random_range(1..=LETTERS);
        let letters: Vec<u32> =
            (0..length).map(|_| u32::from(b'a') + self.random.random_range(0..3)).collect();
        let text = Text::new(&letters).expect("letters are characters of the theory");
        self.store.constant(Value::String(text))
    }

    /// A tree of concatenations of this depth at most, which need not be balanced.
    fn concatenation(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            return if self.random.random_range(0..3) == 0 { self.literal() } else { self.variable() };
        }
        let (left, right) = (self.random.random_range(0..depth), depth - 1);
        let parts = [self.concatenation(left), self.concatenation(right)];
        self.string(StringOp::Concat, &parts)
    }

    /// A term has a length, or one less or greater than a variable.
    fn length(&mut self, term: TermId) -> TermId {
        let length = self.string(StringOp::Length, &[term]);
        let number = self.random.random_range(0..100_u32).to_string();
        let bound = match self.material.variables(SortId::INT).choose(self.random) {
            Some(&variable) if self.random.random_range(0..3) == 0 => variable,
            _ => self.store.numeral(&number),
        };
        let op = [Op::Equal, Op::Arithmetic(ArithmeticOp::Less), Op::Arithmetic(ArithmeticOp::Greater)];
        let op = *op.choose(self.random).expect("there are some");
        self.store.make(op, &[length, bound])
    }

    /// An expression of exactly this depth.
    fn regular_expression(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            let literal = self.literal();
            return self.string(StringOp::ReLiteral, &[literal]);
        }
        let below = self.regular_expression(depth - 1);
        match self.random.random_range(0..5) {
            0 => self.string(StringOp::ReStar, &[below]),
            1 => self.string(StringOp::RePlus, &[below]),
            choice => {
                let op = [StringOp::ReConcat, StringOp::ReUnion, StringOp::ReUnion][choice - 2];
                let depth = self.random.random_range(0..depth);
                let beside = self.regular_expression(depth);
                self.string(op, &[below, beside])
            }
        }
    }
}

//! Inputs about strings, in the shapes of the generators of StringFuzz (Blotsky, Mora, Berzish, Zheng, Kabir & Ganesh,
//! *StringFuzz: A Fuzzer for String Solvers*, CAV 2018, and the options of its `stringfuzzg`): each stresses one part of a solver of
//! strings. The options of a generator are drawn at random for each input. Its `random-text` is left out: an input is a legal script.

use rand::Rng;
use rand::seq::IndexedRandom;
use sundry_term::{ArithmeticOp, Op, SortId, StringOp, TermId, TermStore, Text, Value};

use crate::generate::material::Material;
use crate::generate::random::random_input;
use crate::individual::Individual;

/// The greatest length that is asked for.
const LENGTH: u32 = 60;

/// A shape of inputs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum StringShape {
    /// `concats`: a variable is a deep tree of concatenations, balanced or not; or variables are concatenations of one another.
    Concatenations,
    /// `lengths`: variables and concatenations have lengths.
    Lengths,
    /// `overlaps`: a literal in front of variables gives the same as another one behind them.
    Overlaps,
    /// `equality`: some concatenations of literals and variables are all equal.
    Equalities,
    /// `regex`: a variable is in some regular expressions of a given depth, or in none, and its length has bounds.
    RegularExpressions,
    /// `random-ast`: a random formula.
    RandomAst,
}

impl StringShape {
    /// All of them.
    pub const ALL: [StringShape; 6] = [
        StringShape::Concatenations,
        StringShape::Lengths,
        StringShape::Overlaps,
        StringShape::Equalities,
        StringShape::RegularExpressions,
        StringShape::RandomAst,
    ];

    /// An input of this shape. Nothing if the material has no strings.
    pub fn input(
        self,
        store: &mut TermStore,
        material: &Material,
        random: &mut impl Rng,
    ) -> Option<Individual> {
        if !material.has_strings() {
            return None;
        }
        if self == StringShape::RandomAst {
            return Some(random_input(store, material, random));
        }
        let is_increasing = random.random();
        let mut builder = Builder { store, material, random, is_increasing, next_letter: 0 };
        let assertions = match self {
            StringShape::Concatenations => builder.concatenations(),
            StringShape::Lengths => builder.lengths(),
            StringShape::Overlaps => builder.overlaps(),
            StringShape::Equalities => builder.equalities(),
            StringShape::RegularExpressions | StringShape::RandomAst => builder.memberships(),
        };
        Some(Individual { assertions })
    }
}

/// The test of a variable for membership.
#[derive(Copy, Clone)]
enum Membership {
    In,
    NotIn,
    Alternating,
    Random,
}

struct Builder<'a, R> {
    store: &'a mut TermStore,
    material: &'a Material,
    random: &'a mut R,
    /// Whether literals of regular expressions take the letters in turn, instead of at random.
    is_increasing: bool,
    next_letter: u32,
}

impl<R: Rng> Builder<'_, R> {
    fn concatenations(&mut self) -> Vec<TermId> {
        let depth = self.random.random_range(2..=6);
        let variable = self.variable();
        let mut assertions = Vec::new();
        if self.random.random_range(0..3) == 0 {
            // Depth by meaning: each variable is made of others.
            for _ in 0..depth {
                let parts = [self.variable(), self.variable()];
                let (whole, parts) = (self.variable(), self.string(StringOp::Concat, &parts));
                assertions.push(self.store.make(Op::Equal, &[whole, parts]));
            }
        } else {
            let tree =
                if self.random.random() { self.balanced(depth.min(4)) } else { self.unbalanced(depth) };
            assertions.push(self.store.make(Op::Equal, &[variable, tree]));
        }
        if self.random.random() {
            let solution = self.literal(1..=10);
            assertions.push(self.store.make(Op::Equal, &[variable, solution]));
        }
        for _ in 0..self.random.random_range(0..=2) {
            let position = self.number(10);
            let letter = self.literal(1..=1);
            let at = self.string(StringOp::At, &[variable, position]);
            assertions.push(self.store.make(Op::Equal, &[at, letter]));
        }
        assertions
    }

    fn lengths(&mut self) -> Vec<TermId> {
        let has_relations = self.random.random();
        let mut assertions = Vec::new();
        for &variable in self.material.variables(SortId::STRING) {
            assertions.push(self.length(variable, has_relations));
        }
        for _ in 0..self.random.random_range(0..=4) {
            let parts = [self.variable(), self.variable()];
            let whole = self.string(StringOp::Concat, &parts);
            assertions.push(self.length(whole, has_relations));
        }
        assertions
    }

    fn overlaps(&mut self) -> Vec<TermId> {
        let (mut front, mut back) = (Vec::new(), Vec::new());
        let length = self.random.random_range(1..=8);
        front.push(self.literal(length..=length));
        for _ in 0..self.random.random_range(1..=3) {
            let variable = self.variable();
            front.push(variable);
            back.push(variable);
        }
        back.push(self.literal(length..=length));
        let sides = [front, back].map(|parts| self.string(StringOp::Concat, &parts));
        vec![self.store.make(Op::Equal, &sides)]
    }

    fn equalities(&mut self) -> Vec<TermId> {
        let count = self.random.random_range(2..=4);
        let terms = self.random.random_range(2..=7);
        let (has_prefix, has_suffix) = (self.random.random::<bool>(), self.random.random_range(0..3) == 0);
        let expressions: Vec<TermId> = (0..count)
            .map(|_| {
                let mut parts = Vec::new();
                if has_prefix {
                    parts.push(self.literal(1..=5));
                }
                for _ in 0..terms {
                    let is_infix = self.random.random_range(0..5) == 0;
                    parts.push(if is_infix { self.literal(1..=3) } else { self.variable() });
                }
                if has_suffix {
                    parts.push(self.literal(1..=5));
                }
                self.string(StringOp::Concat, &parts)
            })
            .collect();
        expressions.windows(2).map(|pair| self.store.make(Op::Equal, pair)).collect()
    }

    fn memberships(&mut self) -> Vec<TermId> {
        use Membership::{Alternating, In, NotIn, Random};
        let variable = self.variable();
        let (depth, terms) = (self.random.random_range(0..=4), self.random.random_range(1..=3));
        let membership = *[In, In, NotIn, Alternating, Random].choose(self.random).expect("there are some");
        let shares_alphabet = self.random.random();
        let mut assertions = Vec::new();
        for number in 0..self.random.random_range(1..=3) {
            if shares_alphabet {
                self.next_letter = 0;
            }
            let parts: Vec<TermId> = (0..terms).map(|_| self.regular_expression(depth)).collect();
            let expression =
                if let [only] = parts[..] { only } else { self.string(StringOp::ReConcat, &parts) };
            let is_in = self.string(StringOp::InRe, &[variable, expression]);
            let is_negated = match membership {
                In => false,
                NotIn => true,
                Alternating => number % 2 == 1,
                Random => self.random.random(),
            };
            assertions.push(if is_negated { self.store.make(Op::Not, &[is_in]) } else { is_in });
        }
        if self.random.random() {
            assertions.push(self.length(variable, true));
        }
        assertions
    }

    fn string(&mut self, op: StringOp, arguments: &[TermId]) -> TermId {
        self.store.make(Op::String(op), arguments)
    }

    fn variable(&mut self) -> TermId {
        *self.material.variables(SortId::STRING).choose(self.random).expect("there are strings")
    }

    fn number(&mut self, limit: u32) -> TermId {
        let number = self.random.random_range(0..limit).to_string();
        self.store.numeral(&number)
    }

    /// Letters of a small alphabet, so that literals often fit together.
    fn literal(&mut self, lengths: std::ops::RangeInclusive<usize>) -> TermId {
        let length = self.random.random_range(lengths);
        let letters: Vec<u32> =
            (0..length).map(|_| u32::from(b'a') + self.random.random_range(0..3)).collect();
        self.text(&letters)
    }

    fn text(&mut self, letters: &[u32]) -> TermId {
        let text = Text::new(letters).expect("letters are characters of the theory");
        self.store.constant(Value::String(text))
    }

    fn part(&mut self) -> TermId {
        if self.random.random_range(0..3) == 0 { self.literal(1..=8) } else { self.variable() }
    }

    /// Each concatenation has two parts of the same depth.
    fn balanced(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            return self.part();
        }
        let parts = [self.balanced(depth - 1), self.balanced(depth - 1)];
        self.string(StringOp::Concat, &parts)
    }

    /// Each concatenation has one part that is another one.
    fn unbalanced(&mut self, depth: u32) -> TermId {
        (0..depth).fold(self.part(), |rest, _| {
            let first = self.part();
            self.string(StringOp::Concat, &[first, rest])
        })
    }

    /// A term has a length; with relations, the length may be less or greater than a number or a variable.
    fn length(&mut self, term: TermId, has_relations: bool) -> TermId {
        let length = self.string(StringOp::Length, &[term]);
        let number = self.number(LENGTH);
        if !has_relations {
            return self.store.make(Op::Equal, &[length, number]);
        }
        let bound = match self.material.variables(SortId::INT).choose(self.random) {
            Some(&variable) if self.random.random_range(0..3) == 0 => variable,
            _ => number,
        };
        let op = [Op::Equal, Op::Arithmetic(ArithmeticOp::Less), Op::Arithmetic(ArithmeticOp::Greater)];
        let op = *op.choose(self.random).expect("there are some");
        self.store.make(op, &[length, bound])
    }

    /// An expression of exactly this depth.
    fn regular_expression(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            let literal = match self.is_increasing {
                true => self.increasing_literal(),
                false => self.literal(1..=5),
            };
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

    /// One letter up to five times; the next literal has the next letter.
    fn increasing_literal(&mut self) -> TermId {
        let letter = u32::from(b'a') + self.next_letter;
        self.next_letter = (self.next_letter + 1) % 26;
        let letters = vec![letter; self.random.random_range(1..=5)];
        self.text(&letters)
    }
}

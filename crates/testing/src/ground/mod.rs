//! Random ground terms of every theory: operators on literals, two or three levels deep, whose values independent
//! solvers compute quickly.

mod applications;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_fuzz::random_literal;
use sundry_smtlib::{Command, SourceText, TheorySet, parse_script};
use sundry_term::{DatatypeId, FloatFormat, Op, Sort, SortId, StringOp, TermId, TermStore, Text, Value};

/// Datatypes that are finite, recursive, mutually recursive, and with a parameter.
const DATATYPES: &str = "(declare-datatypes ((Colour 0) (Row 0) (Tree 0) (Option 1)) (
    ((red) (green) (blue))
    ((nil) (cons (head Int) (tail Row)))
    ((leaf (colour Colour)) (node (left Tree) (values Row) (right Tree)))
    (par (T) ((none) (some (value T))))))";

/// The theory of the operators of a term, in addition to those of Core.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Integers and reals, and bit-vectors as integers.
    Arithmetic,
    /// Floating-point values of this format and conversions from and to it.
    Float(FloatFormat),
    /// Strings and regular expressions, and integers where they occur with those.
    Strings,
    /// Datatypes, and integers where they occur in those.
    Datatypes,
    /// Sequences of integers, of bit-vectors and of sequences.
    Sequences,
}

/// A source of random ground terms.
pub struct GroundTerms {
    random: ChaCha8Rng,
    theory: Theory,
    /// The datatypes of that theory.
    datatypes: Vec<DatatypeId>,
    /// Sorts of them, or of sequences.
    sorts: Vec<SortId>,
}

impl GroundTerms {
    /// Terms of a theory; the seed decides which.
    pub fn new(store: &mut TermStore, theory: Theory, seed: u64) -> Self {
        let random = ChaCha8Rng::seed_from_u64(seed);
        let mut terms = GroundTerms { random, theory, datatypes: Vec::new(), sorts: Vec::new() };
        if theory == Theory::Datatypes {
            terms.declare_datatypes(store);
        }
        if theory == Theory::Sequences {
            let bits = store.bit_vec_sort(3).expect("a legal width");
            let sequences = |store: &mut TermStore, sort| store.intern_sort(Sort::Sequence(sort));
            let ints = sequences(store, SortId::INT).expect("a legal sort");
            let nested = sequences(store, ints).expect("a legal sort");
            terms.sorts = vec![ints, sequences(store, bits).expect("a legal sort"), nested];
        }
        terms
    }

    fn declare_datatypes(&mut self, store: &mut TermStore) {
        let script = parse_script(store, &SourceText::new("datatypes", DATATYPES), TheorySet::ALL);
        let commands = script.expect("the declaration is legal").commands;
        let Some((Command::DeclareDatatypes(datatypes), _)) = commands.into_iter().next() else {
            unreachable!("it is a declaration of datatypes")
        };
        for &declaration in &datatypes {
            let arguments = match store.datatype(declaration).parameters.len() {
                0 => vec![Box::default()],
                _ => self.sorts.iter().chain(&[SortId::INT]).map(|&sort| [sort].into()).collect(),
            };
            for arguments in arguments {
                let sort = Sort::Datatype { declaration, arguments };
                self.sorts.push(store.intern_sort(sort).expect("a legal sort"));
            }
        }
        self.datatypes = datatypes;
    }

    /// The datatypes that terms may use, declared together.
    pub fn datatypes(&self) -> &[DatatypeId] {
        &self.datatypes
    }

    /// The next term, of a sort that has values to compare.
    pub fn next_term(&mut self, store: &mut TermStore) -> TermId {
        let depth = self.random.random_range(1..=4);
        let sort = match self.theory {
            Theory::Arithmetic => *self.one_of(&[SortId::INT, SortId::REAL, SortId::BOOL]),
            Theory::Float(format) => match self.random.random_range(0..6) {
                0 => SortId::BOOL,
                1 => SortId::REAL,
                2 => self.bits(store),
                _ => float_sort(store, format),
            },
            Theory::Strings => *self.one_of(&[SortId::STRING, SortId::INT, SortId::BOOL]),
            Theory::Datatypes => match self.random.random_range(0..4) {
                0 => SortId::INT,
                1 => SortId::BOOL,
                _ => self.own_sort(),
            },
            Theory::Sequences => match self.random.random_range(0..4) {
                0 => SortId::INT,
                1 => SortId::BOOL,
                _ => self.own_sort(),
            },
        };
        self.term(store, sort, depth)
    }

    fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        choices.choose(&mut self.random).expect("there are choices")
    }

    /// A sort of bit-vectors.
    fn bits(&mut self, store: &mut TermStore) -> SortId {
        let width = *self.one_of(&[1, 3, 8, 13, 16]);
        store.bit_vec_sort(width).expect("a legal width")
    }

    /// A term of this sort, at most `depth` levels deep.
    fn term(&mut self, store: &mut TermStore, sort: SortId, depth: u32) -> TermId {
        if depth == 0 {
            return self.literal(store, sort);
        }
        let depth = depth - 1;
        if sort != SortId::REG_LAN && self.random.random_range(0..12) == 0 {
            let condition = self.term(store, SortId::BOOL, depth);
            let branches = [self.term(store, sort, depth), self.term(store, sort, depth)];
            return store.make(Op::Ite, &[condition, branches[0], branches[1]]);
        }
        match (sort, store.sort(sort).clone()) {
            (SortId::BOOL, _) => self.truth(store, depth),
            (SortId::INT, _) => self.integer(store, depth),
            (SortId::REAL, _) => self.real(store, depth),
            (SortId::STRING, _) => self.string(store, depth),
            (SortId::REG_LAN, _) => self.regex(store, depth),
            (_, Sort::Float(format)) => self.float(store, format, depth),
            (_, Sort::BitVec(width)) => self.bit_vector(store, width, depth),
            (_, Sort::Datatype { .. }) => self.datatype(store, sort, depth),
            (_, Sort::Sequence(element)) => self.sequence(store, sort, element, depth),
            _ => self.literal(store, sort),
        }
    }

    /// An operator applied to terms of these sorts.
    fn apply(&mut self, store: &mut TermStore, op: Op, sorts: &[SortId], depth: u32) -> TermId {
        let arguments: Vec<TermId> = sorts.iter().map(|&sort| self.term(store, sort, depth)).collect();
        store.make(op, &arguments)
    }

    // ---- literals

    fn literal(&mut self, store: &mut TermStore, sort: SortId) -> TermId {
        match sort {
            SortId::REG_LAN if self.random.random_range(0..4) == 0 => {
                let op = *self.one_of(&[StringOp::ReNone, StringOp::ReAll, StringOp::ReAllChar]);
                store.make(Op::String(op), &[])
            }
            SortId::REG_LAN => {
                let text = self.literal(store, SortId::STRING);
                store.make(Op::String(StringOp::ReLiteral), &[text])
            }
            // Characters that older solvers do not have.
            SortId::STRING if self.random.random_range(0..8) == 0 => {
                let text = *self.one_of(&[&[0x1f600][..], &[0x61, 0x1f600], &[0x2ffff, 0x61]]);
                store.constant(Value::String(Text::new(text).expect("characters of the theory")))
            }
            _ => random_literal(store, sort, &mut self.random).expect("every other sort here has literals"),
        }
    }
}

/// The sort of a format.
fn float_sort(store: &mut TermStore, format: FloatFormat) -> SortId {
    store.intern_sort(Sort::Float(format)).expect("a legal format")
}

//! Random formulas over the terms of a seed, to be joined to its literals (live predicate injection: Yao,
//! Huang, Tang, Shi, Wu & Zhang, "Skeletal approximation enumeration for SMT solver testing", ESEC/FSE 2021,
//! Algorithm 1). Whether a snippet holds does not matter, so it may say anything.

use std::collections::BTreeMap;

use rand::Rng;
use rand::seq::IndexedRandom;
use sundry_term::{ArithmeticOp, Op, SortId, StringOp, TermId, TermStore, Text, Value};

use crate::mutate::random_literal::random_literal;
use crate::mutate::signature::{Signature, Signatures};
use crate::mutate::simplify::Simplifier;
use crate::mutate::vocabulary::{Vocabulary, is_linear};

/// Nesting of operators in an argument of a predicate, at most one of these.
const DEPTHS: [u32; 4] = [0, 1, 1, 2];
/// First and last characters.
const RANGES: [[u32; 2]; 3] = [[0x61, 0x62], [0x30, 0x39], [0x41, 0x7a]];
/// The number of attempts to choose a literal that is a valid divisor, or a formula that says something.
const ATTEMPTS: usize = 10;
/// New constants of each sort.
const FRESH: usize = 2;

/// A source of random formulas over one vocabulary. Linear arithmetic stays linear, and quantifiers are only made if
/// there are quantifiers already.
#[derive(Clone, Debug)]
pub struct Snippets {
    vocabulary: Vocabulary,
    signatures: Signatures,
    /// Sorts that predicates are about.
    sorts: Vec<SortId>,
    /// New constants.
    fresh: BTreeMap<SortId, Vec<TermId>>,
    /// A variable of each sort for a quantifier to bind.
    variables: BTreeMap<SortId, TermId>,
    /// The variable that the quantifier around the place binds.
    bound: Option<TermId>,
    simplifier: Simplifier,
}

impl Snippets {
    /// Formulas over these terms, and new constants.
    pub fn new(store: &mut TermStore, vocabulary: Vocabulary) -> Snippets {
        let signatures = Signatures::of(store, &vocabulary);
        let sorts: Vec<SortId> = vocabulary.sorts().filter(|&sort| sort != SortId::REG_LAN).collect();
        let mut names = vocabulary.fresh_names();
        let (mut fresh, mut variables) = (BTreeMap::new(), BTreeMap::new());
        for sort in signatures.sorts_of_arguments().into_iter().filter(|&sort| sort != SortId::REG_LAN) {
            let constants = (0..FRESH).map(|_| {
                let symbol = names.declare(store, sort);
                store.symbol_term(symbol)
            });
            fresh.insert(sort, constants.collect());
            if vocabulary.has_quantifiers() {
                let name = names.next_name();
                let variable = store.variable(&name, sort);
                variables.insert(sort, store.symbol_term(variable));
            }
        }
        Snippets {
            vocabulary,
            signatures,
            sorts,
            fresh,
            variables,
            bound: None,
            simplifier: Simplifier::default(),
        }
    }

    /// The new constants.
    pub(crate) fn fresh_constants(&self) -> impl Iterator<Item = TermId> + use<'_> {
        self.fresh.values().flatten().copied()
    }

    /// A formula that simplification does not decide, as far as one was found.
    pub fn formula(&mut self, store: &mut TermStore, random: &mut impl Rng) -> TermId {
        let mut formula = self.combination(store, random);
        for _ in 1..ATTEMPTS {
            let simplified = self.simplifier.conjunction(store, &[formula]);
            if store.value(simplified).is_none() {
                break;
            }
            formula = self.combination(store, random);
        }
        formula
    }

    /// An atom, or one or two of them under a connective.
    fn combination(&mut self, store: &mut TermStore, random: &mut impl Rng) -> TermId {
        match random.random_range(0..6) {
            0 => self.atom(store, random),
            1 => {
                let atom = self.atom(store, random);
                store.make(Op::Not, &[atom])
            }
            choice => {
                let op = [Op::And, Op::Or, Op::Implies, Op::Xor][choice - 2];
                let both = [self.atom(store, random), self.atom(store, random)];
                store.make(op, &both)
            }
        }
    }

    /// A predicate on terms of some sort that the seed has, sometimes quantified.
    fn atom(&mut self, store: &mut TermStore, random: &mut impl Rng) -> TermId {
        let sort = self.sorts.choose(random).copied().unwrap_or(SortId::BOOL);
        let variable = self.variables.get(&sort).copied();
        match variable.filter(|_| random.random_range(0..4) == 0) {
            None => self.predicate(store, sort, random),
            Some(variable) => {
                self.bound = Some(variable);
                let body = self.predicate(store, sort, random);
                self.bound = None;
                let symbol = store.constant_symbol(variable).expect("a variable takes no arguments");
                let binder = store.binder(&[symbol]);
                let op = if random.random() { Op::Forall(binder) } else { Op::Exists(binder) };
                store.make(op, &[body])
            }
        }
    }

    /// A predicate on terms of this sort first of all; on truth values, often one of them alone.
    fn predicate(&self, store: &mut TermStore, sort: SortId, random: &mut impl Rng) -> TermId {
        if sort == SortId::BOOL && random.random() {
            return self.leaf(store, sort, random);
        }
        match self.signatures.predicates_on(sort).choose(random) {
            Some(predicate) => {
                let depth = *DEPTHS.choose(random).expect("there are depths");
                self.application(store, predicate, depth, random)
            }
            None => self.leaf(store, SortId::BOOL, random),
        }
    }

    /// A term of this sort: one of the seed or a literal, or an operator on such.
    fn term(&self, store: &mut TermStore, sort: SortId, depth: u32, random: &mut impl Rng) -> TermId {
        if depth == 0 || random.random_range(0..3) == 0 {
            return self.leaf(store, sort, random);
        }
        match self.signatures.with_result(sort).choose(random) {
            Some(signature) => self.application(store, signature, depth - 1, random),
            None => self.leaf(store, sort, random),
        }
    }

    fn application(
        &self,
        store: &mut TermStore,
        signature: &Signature,
        depth: u32,
        random: &mut impl Rng,
    ) -> TermId {
        let mut arguments = Vec::with_capacity(signature.arguments.len());
        for (position, &sort) in signature.arguments.iter().enumerate() {
            // Products and quotients of linear arithmetic have one unknown.
            if position == 0 || !self.vocabulary.is_linear() || !is_product(signature.op) {
                arguments.push(self.term(store, sort, depth, random));
                continue;
            }
            let literal = (0..ATTEMPTS).find_map(|_| {
                let literal = random_literal(store, sort, random)?;
                is_linear(store, signature.op, &[literal, literal]).then_some(literal)
            });
            match literal {
                Some(literal) => arguments.push(literal),
                None => return arguments[0],
            }
        }
        store.make(signature.op, &arguments)
    }

    fn leaf(&self, store: &mut TermStore, sort: SortId, random: &mut impl Rng) -> TermId {
        if sort == SortId::REG_LAN {
            return self.regular_expression(store, random);
        }
        if let Some(bound) = self.bound.filter(|&bound| store.sort_of(bound) == sort)
            && random.random_range(0..2) == 0
        {
            return bound;
        }
        match random.random_range(0..12) {
            0 => self.fresh_constant(sort, random),
            1..4 => random_literal(store, sort, random).or_else(|| self.known(sort, random)),
            _ => self.known(sort, random),
        }
        .or_else(|| random_literal(store, sort, random))
        .or_else(|| self.fresh_constant(sort, random))
        .expect("there are new constants of every sort that is taken")
    }

    fn fresh_constant(&self, sort: SortId, random: &mut impl Rng) -> Option<TermId> {
        self.fresh.get(&sort)?.choose(random).copied()
    }

    /// A term of the seed.
    fn known(&self, sort: SortId, random: &mut impl Rng) -> Option<TermId> {
        let known = self.vocabulary.terms(sort);
        // Symbols and other short terms more often than long ones, which come later.
        let short = &known[..known.len().min(8)];
        let from = if random.random() { short } else { known };
        from.choose(random).copied()
    }

    /// A small one: one of the seed, a class of characters, or a string.
    fn regular_expression(&self, store: &mut TermStore, random: &mut impl Rng) -> TermId {
        let known = self.vocabulary.terms(SortId::REG_LAN);
        match random.random_range(0..6) {
            0 | 1 if !known.is_empty() => *known.choose(random).expect("there are some"),
            2 => store.make(Op::String(StringOp::ReAllChar), &[]),
            3 => store.make(Op::String(StringOp::ReAll), &[]),
            4 => {
                let borders = RANGES.choose(random).expect("there are ranges");
                let borders = borders.map(|border| {
                    let text = Text::new(&[border]).expect("a character of the theory");
                    store.constant(Value::String(text))
                });
                store.make(Op::String(StringOp::ReRange), &borders)
            }
            _ => {
                let text = random_literal(store, SortId::STRING, random).expect("strings have literals");
                store.make(Op::String(StringOp::ReLiteral), &[text])
            }
        }
    }
}

fn is_product(op: Op) -> bool {
    use ArithmeticOp::{Div, Divide, Mod, Mul};
    matches!(op, Op::Arithmetic(Mul | Div | Mod | Divide))
}

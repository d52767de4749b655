//! Mutants of a formula by approximation of some of its literals, all in one direction: skeletal approximation enumeration (Yao,
//! Huang, Tang, Shi, Wu & Zhang, "Skeletal approximation enumeration for SMT solver testing", ESEC/FSE 2021; Sparrow).
//!
//! A literal is approximated by predicate symbol transformation (PST, by the rules of
//! [`rules`](crate::mutate::rules)) or by live predicate injection (LPI, with the snippets of
//! [`injection`](crate::mutate::injection)). [`stream`](crate::mutate::stream) has the loop over mutants, and
//! [`seed_run`](crate::campaign::seed_run) puts each to the solvers.

use rand::Rng;
use rand::seq::IteratorRandom;
use sundry_term::{ArithmeticOp, FloatOp, Op, StringOp, TermId, TermStore};

use crate::mutate::injection::Snippets;
use crate::mutate::literal::{Counts, random_place};
use crate::mutate::random_literal::random_literal;
use crate::mutate::rules::{Direction, Rule, RuleBook, atom};
use crate::mutate::vocabulary::Vocabulary;

/// The number of literals that are tried for each literal to change, since some have no rules.
const ATTEMPTS: usize = 6;

/// Terms that are distinct, of which pairs are made, at most.
const MOST_DISTINCT: usize = 50;

/// The technique by which literals are approximated.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Technique {
    /// Predicate symbol transformation (PST): another predicate on the same terms.
    PredicateTransformation,
    /// Live predicate injection (LPI): a random formula is joined to the literal.
    PredicateInjection,
    /// Either, or both on the same literal.
    Both,
}

/// The change of one literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The number of the assertion.
    pub assertion: usize,
    /// The literal.
    pub from: TermId,
    /// The replacement.
    pub to: TermId,
    /// Whether that is implied or implies.
    pub direction: Direction,
}

/// Approximates formulas over one vocabulary.
pub struct Approximator {
    vocabulary: Vocabulary,
    /// Made of the vocabulary when the first is needed.
    snippets: Option<Box<Snippets>>,
    strategy: Technique,
    book: RuleBook,
    counts: Counts,
}

impl Approximator {
    /// Creates an approximator whose new terms come from this vocabulary; linear arithmetic stays linear.
    pub fn new(vocabulary: Vocabulary, strategy: Technique) -> Self {
        Approximator {
            vocabulary,
            snippets: None,
            strategy,
            book: RuleBook::default(),
            counts: Counts::default(),
        }
    }

    /// Changes up to `count` literals of these assertions, so that the old conjunction implies the new one, or the
    /// new one implies the old. Returns the changes.
    pub fn mutate(
        &mut self,
        store: &mut TermStore,
        assertions: &mut [TermId],
        direction: Direction,
        count: usize,
        random: &mut impl Rng,
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        for _ in 0..count {
            let change = (0..ATTEMPTS).find_map(|_| self.change(store, assertions, direction, random));
            changes.extend(change);
        }
        changes
    }

    /// Changes one literal; `None` if no literal was found that can be approximated.
    fn change(
        &mut self,
        store: &mut TermStore,
        assertions: &mut [TermId],
        direction: Direction,
        random: &mut impl Rng,
    ) -> Option<Change> {
        let assertion = (0..assertions.len()).choose(random)?;
        let place = random_place(store, &mut self.counts, assertions[assertion], direction, random);
        let to = self.approximate(store, place.literal, place.direction, random)?;
        if to == place.literal {
            return None;
        }
        assertions[assertion] = place.replace(store, to);
        Some(Change { assertion, from: place.literal, to, direction: place.direction })
    }

    /// A formula that a literal implies, or that implies it.
    fn approximate(
        &mut self,
        store: &mut TermStore,
        literal: TermId,
        direction: Direction,
        random: &mut impl Rng,
    ) -> Option<TermId> {
        let transformed = match self.strategy {
            Technique::PredicateTransformation => return self.transform(store, literal, direction, random),
            Technique::Both if random.random() => self.transform(store, literal, direction, random),
            Technique::Both | Technique::PredicateInjection => None,
        };
        if transformed.is_some() && random.random() {
            return transformed;
        }
        let literal = transformed.unwrap_or(literal);
        let vocabulary = &self.vocabulary;
        let snippets = self.snippets.get_or_insert_with(|| Snippets::new(store, vocabulary.clone()).into());
        let snippet = snippets.formula(store, random);
        let op = match direction {
            Direction::Over => Op::Or,
            Direction::Under => Op::And,
        };
        Some(store.make(op, &[literal, snippet]))
    }

    /// A literal approximated by a rule: one for the literal, one for an equivalent form of it, or one for its
    /// negation in the other direction.
    fn transform(
        &mut self,
        store: &mut TermStore,
        literal: TermId,
        direction: Direction,
        random: &mut impl Rng,
    ) -> Option<TermId> {
        let literal = as_binary(store, literal);
        let atom = atom(store, literal);
        let is_negated = atom != literal;
        let &first = store.args(atom).first()?;
        let sort = store.sort_of(first);
        let rules = self.book.of_sort(store, sort)?;
        let wanted = |rule: &&Rule| rule.direction.is_none_or(|found| found == direction);
        let own = rules.for_literal(store, literal).filter(wanted).map(|&rule| (rule, false));
        let dual = rules
            .for_literal(store, atom)
            .filter(|rule| is_negated && rule.direction == Some(direction.dual()))
            .map(|&rule| (rule, true));
        let (rule, is_dual) = own.chain(dual).choose(random)?;
        let target = if is_dual { atom } else { literal };
        let approximated = rules.apply(store, &rule, target, |store| {
            random_literal(store, sort, random).expect("sorts with rules have literals")
        })?;
        if is_dual {
            return Some(store.make(Op::Not, &[approximated]));
        }
        match rule.direction {
            Some(_) => Some(approximated),
            // Written otherwise it has other rules.
            None => self.transform(store, approximated, direction, random).or(Some(approximated)),
        }
    }
}

/// A literal whose atom relates two terms: `distinct` as a negated equality.
fn as_binary(store: &mut TermStore, literal: TermId) -> TermId {
    match (store.op(literal), store.args(literal)) {
        (Op::Distinct, &[left, right]) => {
            let equal = store.make(Op::Equal, &[left, right]);
            store.make(Op::Not, &[equal])
        }
        (Op::Not, &[atom]) if store.op(atom) == Op::Distinct && store.args(atom).len() == 2 => {
            let arguments = store.args(atom).to_vec();
            store.make(Op::Equal, &arguments)
        }
        _ => literal,
    }
}

/// Formulas with chains of relations split into relations of two terms, so that each is a separate literal. A
/// `distinct` of very many terms stays as it is. Exclusive ors of more than two formulas are nested.
pub fn split_chains(store: &mut TermStore, formulas: &[TermId]) -> Vec<TermId> {
    let mut results = rustc_hash::FxHashMap::default();
    for term in store.reachable(formulas) {
        let arguments: Vec<TermId> = store.args(term).iter().map(|argument| results[argument]).collect();
        let op = store.op(term);
        let split = match op {
            _ if arguments.len() < 3 => None,
            // Pairs grow with the square of the number.
            Op::Distinct if arguments.len() > MOST_DISTINCT => None,
            Op::Distinct => {
                let pairs = (0..arguments.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
                let pairs: Vec<[TermId; 2]> = pairs.map(|(j, i)| [arguments[j], arguments[i]]).collect();
                Some(pairs.iter().map(|pair| store.make(Op::Distinct, pair)).collect::<Vec<_>>())
            }
            _ if is_chainable(op) => {
                let pairs: Vec<TermId> = arguments.windows(2).map(|pair| store.make(op, pair)).collect();
                Some(pairs)
            }
            _ => None,
        };
        let result = match split {
            Some(parts) => store.make(Op::And, &parts),
            None if op == Op::Xor && arguments.len() > 2 => {
                let others = arguments[1..].iter();
                others.fold(arguments[0], |all, &next| store.make(Op::Xor, &[all, next]))
            }
            None if arguments == store.args(term) => term,
            None => store.make(op, &arguments),
        };
        results.insert(term, result);
    }
    formulas.iter().map(|formula| results[formula]).collect()
}

fn is_chainable(op: Op) -> bool {
    use ArithmeticOp::{Greater, GreaterOrEqual, Less, LessOrEqual};
    match op {
        Op::Equal => true,
        Op::Arithmetic(op) => matches!(op, Less | LessOrEqual | Greater | GreaterOrEqual),
        Op::Float(op) => {
            matches!(op, FloatOp::Leq | FloatOp::Lt | FloatOp::Geq | FloatOp::Gt | FloatOp::Eq)
        }
        Op::String(op) => matches!(op, StringOp::Less | StringOp::LessOrEqual),
        _ => false,
    }
}

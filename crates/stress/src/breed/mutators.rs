//! The seven mutators of MulStringFuzz, with what they mean for theories other than strings.

use std::fmt;

use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use rustc_hash::FxHashMap;
use sundry_fuzz::{OperatorMutator, Vocabulary, random_literal};
use sundry_term::{Op, SortId, TermId, TermStore, substitute};

use crate::breed::names::{Names, symbols};
use crate::breed::occurrence::Occurrence;
use crate::breed::statement;
use crate::breed::transplant::breed_alone;
use crate::individual::Individual;

/// The maximal number of statements that are tried until one has the new variable, and of pairs of places until two can be
/// exchanged.
const ATTEMPTS: usize = 20;

/// A kind of small change. The names are those of the paper.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mutator {
    /// A variable of a sort that occurs, or is needed by its operators, and an assertion about it.
    NewVariable,
    /// One variable takes the place of another one of its sort.
    DeleteVariable,
    /// A random assertion: over what occurs, or, as often, of an input that is made up anew.
    AddAssertion,
    /// An assertion goes, if it is not the last one.
    DeleteAssertion,
    /// Another literal in the place of one, everywhere in an assertion: numbers and strings in the paper, bit-vectors,
    /// floating-point numbers and rationals as well.
    FuzzLiterals,
    /// Another operator that takes the same arguments.
    ReplaceType,
    /// Two terms of the same sort change places in an assertion, at one place each: the assertion keeps its size.
    ExchangeNodes,
}

impl Mutator {
    /// All of them.
    pub const ALL: [Mutator; 7] = [
        Mutator::NewVariable,
        Mutator::DeleteVariable,
        Mutator::AddAssertion,
        Mutator::DeleteAssertion,
        Mutator::FuzzLiterals,
        Mutator::ReplaceType,
        Mutator::ExchangeNodes,
    ];

    /// The input after such a change; nothing if there is none to make, or it would change nothing. The change depends on the
    /// input, the logic of inputs that are made up, and the random choices alone, and not on the store. Without a logic, new
    /// assertions are over what occurs.
    pub fn apply(
        self,
        store: &mut TermStore,
        individual: &Individual,
        logic: Option<&str>,
        random: &mut impl Rng,
    ) -> Option<Individual> {
        let changed = breed_alone(store, [individual], |store, [individual]| {
            self.change(store, &individual, logic, random).map(|changed| [changed])
        });
        changed.map(|[changed]| changed)
    }

    /// The change in the store of the input.
    fn change(
        self,
        store: &mut TermStore,
        individual: &Individual,
        logic: Option<&str>,
        random: &mut impl Rng,
    ) -> Option<Individual> {
        let mut changed = individual.clone();
        match self {
            Mutator::NewVariable => new_variable(store, &mut changed.assertions, random)?,
            Mutator::DeleteVariable => delete_variable(store, &mut changed.assertions, random)?,
            Mutator::AddAssertion => {
                let added = statement::random_assertion(store, &changed.assertions, logic, random);
                changed.assertions.push(added);
            }
            Mutator::DeleteAssertion if changed.assertions.len() > 1 => {
                changed.assertions.remove(random.random_range(0..changed.assertions.len()));
            }
            Mutator::DeleteAssertion => return None,
            Mutator::FuzzLiterals => fuzz_literals(store, &mut changed.assertions, random)?,
            Mutator::ReplaceType => {
                OperatorMutator::default().mutate(store, &mut changed.assertions, 1, random);
            }
            Mutator::ExchangeNodes => exchange_nodes(store, &mut changed.assertions, random)?,
        }
        (changed != *individual).then_some(changed)
    }
}

impl fmt::Display for Mutator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mutator::NewVariable => "new variable",
            Mutator::DeleteVariable => "delete variable",
            Mutator::AddAssertion => "add assertion",
            Mutator::DeleteAssertion => "delete assertion",
            Mutator::FuzzLiterals => "fuzz numbers and characters",
            Mutator::ReplaceType => "replace type",
            Mutator::ExchangeNodes => "exchange the same node",
        })
    }
}

/// A small change of a random kind; the input itself if no kind can change it.
pub fn mutate(
    store: &mut TermStore,
    individual: &Individual,
    logic: Option<&str>,
    random: &mut impl Rng,
) -> (Option<Mutator>, Individual) {
    let mut mutators = Mutator::ALL;
    mutators.shuffle(random);
    for mutator in mutators {
        if let Some(changed) = mutator.apply(store, individual, logic, random) {
            return (Some(mutator), changed);
        }
    }
    (None, individual.clone())
}

fn new_variable(store: &mut TermStore, assertions: &mut Vec<TermId>, random: &mut impl Rng) -> Option<()> {
    let names = Names::of(store, assertions);
    let vocabulary = Vocabulary::of(store, assertions);
    let sort = vocabulary.sorts().filter(|&sort| sort != SortId::REG_LAN).choose(random)?;
    let symbol = store.declare(&names.fresh("v"), &[], sort);
    let variable = store.symbol_term(symbol);
    // The variable belongs to the material of the statement like all other terms.
    let itself = store.make(Op::Equal, &[variable, variable]);
    let material: Vec<TermId> = assertions.iter().copied().chain([itself]).collect();
    let mut snippets = statement::snippets(store, &material);
    for _ in 0..ATTEMPTS {
        let statement = snippets.formula(store, random);
        let below = store.reachable(&[statement]);
        if below.contains(&variable) && !below.contains(&itself) {
            assertions.push(statement);
            return Some(());
        }
    }
    let literal = random_literal(store, sort, random)?;
    assertions.push(store.make(Op::Equal, &[variable, literal]));
    Some(())
}

fn delete_variable(store: &mut TermStore, assertions: &mut [TermId], random: &mut impl Rng) -> Option<()> {
    let mut symbols = symbols(store, assertions);
    symbols.retain(|&symbol| store.symbol(symbol).arguments.is_empty());
    let constants: Vec<TermId> = symbols.into_iter().map(|symbol| store.symbol_term(symbol)).collect();
    let old = *constants.choose(random)?;
    let others = constants.iter().copied().filter(|&it| it != old && store.sort_of(it) == store.sort_of(old));
    let new = others.choose(random)?;
    replace_everywhere(store, assertions, &FxHashMap::from_iter([(old, new)]))
}

fn fuzz_literals(store: &mut TermStore, assertions: &mut [TermId], random: &mut impl Rng) -> Option<()> {
    let is_literal = |&term: &TermId| store.value(term).is_some() && !store.is_bool(term);
    let old = store.reachable(assertions).into_iter().filter(is_literal).choose(random)?;
    let new = random_literal(store, store.sort_of(old), random)?;
    let holders: Vec<usize> =
        (0..assertions.len()).filter(|&place| store.reachable(&[assertions[place]]).contains(&old)).collect();
    let place = *holders.choose(random)?;
    replace_everywhere(store, &mut assertions[place..=place], &FxHashMap::from_iter([(old, new)]))
}

fn exchange_nodes(store: &mut TermStore, assertions: &mut [TermId], random: &mut impl Rng) -> Option<()> {
    let place = random.random_range(0..assertions.len().max(1));
    let root = *assertions.get(place)?;
    // Below a quantifier a variable may be bound, which must not get out.
    let has_binder = |term: &TermId| matches!(store.op(*term), Op::Forall(_) | Op::Exists(_));
    if store.reachable(&[root]).iter().any(has_binder) {
        return None;
    }
    for _ in 0..ATTEMPTS {
        let one = Occurrence::random(store, root, None, random)?;
        let sort = store.sort_of(one.term());
        let other = Occurrence::random(store, root, Some(sort), random)?;
        if one.term() != other.term() && !one.overlaps(&other) {
            assertions[place] = Occurrence::exchange(store, root, &one, &other)?;
            return Some(());
        }
    }
    None
}

fn replace_everywhere(
    store: &mut TermStore,
    assertions: &mut [TermId],
    replacements: &FxHashMap<TermId, TermId>,
) -> Option<()> {
    for assertion in assertions {
        *assertion = substitute(store, *assertion, replacements).ok()?;
    }
    Some(())
}

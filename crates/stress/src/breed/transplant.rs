//! Terms that move from one store to another, so that breeding depends on nothing but the inputs.
//!
//! A campaign that is resumed reads its population into a new store, where terms and symbols have other numbers. Vocabularies,
//! random choices among terms and the order of declarations follow these numbers. So inputs are bred in a store of their own, in
//! which they have the numbers of the order in which they are read, and their children move back. Sorting everywhere by
//! structure was rejected: each new random choice could forget it.
//!
//! Symbols of equal names and sorts are one symbol: two scripts with `(declare-const x Int)` are about the same `x`.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{
    Op, SequenceOp, Sort, SortDeclarationId, SortError, SortId, SymbolId, SymbolKind, TermId, TermStore,
};

use crate::individual::Individual;

/// A reason why a formula cannot be an input of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// The formula is about a datatype of this name.
    Datatype(Box<str>),
    /// The formula applies a function of this name that is defined by recursion.
    Definition(Box<str>),
    /// A term is not legal.
    Term(SortError),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Datatype(name) => {
                write!(f, "datatypes cannot be bred, and '{name}' is one")
            }
            Unsupported::Definition(name) => {
                write!(f, "functions defined by recursion cannot be bred, and '{name}' is one")
            }
            Unsupported::Term(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Unsupported {}

impl From<SortError> for Unsupported {
    fn from(error: SortError) -> Self {
        Unsupported::Term(error)
    }
}

/// The name and sorts of a symbol.
type Signature = (Box<str>, Box<[SortId]>, SortId, bool);

/// Moves terms of one store into another.
pub(crate) struct Transplant<'a> {
    from: &'a TermStore,
    to: &'a mut TermStore,
    /// Symbols of the new store by their signature, with whether a quantifier binds them.
    known_symbols: FxHashMap<Signature, SymbolId>,
    /// Declared sorts of the new store by name and number of parameters.
    known_declarations: FxHashMap<(Box<str>, usize), SortDeclarationId>,
    sorts: FxHashMap<SortId, SortId>,
    symbols: FxHashMap<SymbolId, SymbolId>,
    terms: FxHashMap<TermId, TermId>,
}

impl<'a> Transplant<'a> {
    pub(crate) fn new(from: &'a TermStore, to: &'a mut TermStore) -> Self {
        let (mut known_symbols, mut known_declarations) = (FxHashMap::default(), FxHashMap::default());
        let mut sorts = FxHashSet::default();
        for number in 0..to.symbol_count() {
            let id = SymbolId::new(number);
            let symbol = to.symbol(id);
            let is_bound = match symbol.kind {
                SymbolKind::Declared => false,
                SymbolKind::Variable => true,
                _ => continue,
            };
            let mut open: Vec<SortId> = symbol.arguments.iter().copied().chain([symbol.result]).collect();
            while let Some(sort) = open.pop() {
                if !sorts.insert(sort) {
                    continue;
                }
                open.extend(to.sort(sort).parts());
                if let Sort::Uninterpreted { declaration, .. } = *to.sort(sort) {
                    let declared = to.sort_declaration(declaration);
                    known_declarations.entry((declared.name.clone(), declared.arity)).or_insert(declaration);
                }
            }
            let signature = (symbol.name.clone(), symbol.arguments.clone(), symbol.result, is_bound);
            known_symbols.entry(signature).or_insert(id);
        }
        Transplant {
            from,
            to,
            known_symbols,
            known_declarations,
            sorts: FxHashMap::default(),
            symbols: FxHashMap::default(),
            terms: FxHashMap::default(),
        }
    }

    /// The same input in the new store.
    pub(crate) fn individual(&mut self, individual: &Individual) -> Result<Individual, Unsupported> {
        let assertions = individual.assertions.iter().map(|&assertion| self.term(assertion));
        Ok(Individual { assertions: assertions.collect::<Result<_, _>>()? })
    }

    /// The same term in the new store. New terms and symbols get numbers in the order in which the term is read.
    fn term(&mut self, root: TermId) -> Result<TermId, Unsupported> {
        let mut stack = vec![(root, false)];
        while let Some((term, has_arguments)) = stack.pop() {
            if self.terms.contains_key(&term) {
                continue;
            }
            if !has_arguments {
                stack.push((term, true));
                stack.extend(self.from.args(term).iter().rev().map(|&argument| (argument, false)));
                continue;
            }
            let arguments: Vec<TermId> =
                self.from.args(term).iter().map(|argument| self.terms[argument]).collect();
            // Each operator of a datatype has an argument or a result of its sort, which is refused here.
            self.sort(self.from.sort_of(term))?;
            let new = match self.from.value(term) {
                Some(value) => self.to.constant(value.clone()),
                None => {
                    let op = self.op(self.from.op(term))?;
                    self.to.term(op, &arguments)?
                }
            };
            self.terms.insert(term, new);
        }
        Ok(self.terms[&root])
    }

    fn op(&mut self, op: Op) -> Result<Op, Unsupported> {
        let binder = |this: &mut Self, binder| {
            let variables = this.from.bound_variables(binder).to_vec();
            let variables: Result<Vec<SymbolId>, Unsupported> =
                variables.into_iter().map(|variable| this.symbol(variable)).collect();
            variables.map(|variables| this.to.binder(&variables))
        };
        Ok(match op {
            Op::Apply(symbol) => Op::Apply(self.symbol(symbol)?),
            Op::ConstArray(sort) => Op::ConstArray(self.sort(sort)?),
            Op::Sequence(SequenceOp::Empty(sort)) => Op::Sequence(SequenceOp::Empty(self.sort(sort)?)),
            Op::Forall(variables) => Op::Forall(binder(self, variables)?),
            Op::Exists(variables) => Op::Exists(binder(self, variables)?),
            other => other,
        })
    }

    fn symbol(&mut self, symbol: SymbolId) -> Result<SymbolId, Unsupported> {
        if let Some(&known) = self.symbols.get(&symbol) {
            return Ok(known);
        }
        let old = self.from.symbol(symbol).clone();
        let arguments: Vec<SortId> =
            old.arguments.iter().map(|&sort| self.sort(sort)).collect::<Result<_, _>>()?;
        let result = self.sort(old.result)?;
        let is_bound = match old.kind {
            SymbolKind::Declared => false,
            SymbolKind::Variable => true,
            _ => return Err(Unsupported::Definition(old.name)),
        };
        let signature = (old.name, arguments.into_boxed_slice(), result, is_bound);
        let new = match self.known_symbols.get(&signature) {
            Some(&known) => known,
            None if is_bound => self.to.variable(&signature.0, result),
            None => self.to.declare(&signature.0, &signature.1, result),
        };
        self.known_symbols.insert(signature, new);
        self.symbols.insert(symbol, new);
        Ok(new)
    }

    /// Recurses as deep as sorts are nested, which has a limit.
    fn sort(&mut self, sort: SortId) -> Result<SortId, Unsupported> {
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        let new = match self.from.sort(sort).clone() {
            Sort::Array { index, element } => {
                let (index, element) = (self.sort(index)?, self.sort(element)?);
                Sort::Array { index, element }
            }
            Sort::Sequence(element) => Sort::Sequence(self.sort(element)?),
            Sort::Uninterpreted { declaration, arguments } => {
                let old = self.from.sort_declaration(declaration);
                let arguments: Result<Box<[SortId]>, Unsupported> =
                    arguments.iter().map(|&argument| self.sort(argument)).collect();
                let key = (old.name.clone(), old.arity);
                let to = &mut *self.to;
                let declaration = *self
                    .known_declarations
                    .entry(key)
                    .or_insert_with_key(|(name, arity)| to.declare_sort(name, *arity));
                Sort::Uninterpreted { declaration, arguments: arguments? }
            }
            Sort::Datatype { declaration, .. } => {
                return Err(Unsupported::Datatype(self.from.datatype(declaration).name.clone()));
            }
            simple => simple,
        };
        let new = self.to.intern_sort(new)?;
        self.sorts.insert(sort, new);
        Ok(new)
    }
}

/// Some inputs in a new store that has nothing else. Nothing if one of them cannot move.
pub(crate) fn alone<const N: usize>(
    store: &TermStore,
    individuals: [&Individual; N],
) -> Result<(TermStore, [Individual; N]), Unsupported> {
    let mut fresh = TermStore::new();
    let mut moved = [const { Individual { assertions: Vec::new() } }; N];
    let mut transplant = Transplant::new(store, &mut fresh);
    for (moved, individual) in moved.iter_mut().zip(individuals) {
        *moved = transplant.individual(individual)?;
    }
    Ok((fresh, moved))
}

/// The results of breeding some inputs in a store that has nothing else; nothing if an input cannot move there.
pub(crate) fn breed_alone<const N: usize, const M: usize>(
    store: &mut TermStore,
    parents: [&Individual; N],
    breed: impl FnOnce(&mut TermStore, [Individual; N]) -> Option<[Individual; M]>,
) -> Option<[Individual; M]> {
    let (mut own, parents) = alone(store, parents).ok()?;
    let children = breed(&mut own, parents)?;
    let mut transplant = Transplant::new(&own, store);
    let mut moved = [const { Individual { assertions: Vec::new() } }; M];
    for (moved, child) in moved.iter_mut().zip(&children) {
        *moved = transplant.individual(child).ok()?;
    }
    Some(moved)
}

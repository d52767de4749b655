//! Terms that move from one store to another, so that breeding depends on nothing but the inputs.
//!
//! A campaign that is resumed reads its population into a new store, where terms and symbols have other numbers. Vocabularies,
//! random choices among terms and the order of declarations follow these numbers. So inputs are bred in a store of their own, in
//! which they have the numbers of the order in which they are read, and their children move back. Sorting everywhere by
//! structure was rejected: each new random choice could forget it.
//!
//! Equal declarations are one ([`Known`]): two scripts with `(declare-const x Int)` are about the same `x`.

use rustc_hash::FxHashMap;
use sundry_smtlib::Formula;
use sundry_term::{
    ConstructorId, DatatypeDefinition, DatatypeId, DatatypeOp, Field, Op, SequenceOp, Sort, SortError,
    SortId, SymbolId, SymbolKind, TermId, TermStore,
};

use crate::breed::known::{Known, text_of_datatypes, text_of_definitions};
use crate::individual::Individual;

/// Moves terms of one store into another.
pub(crate) struct Transplant<'a> {
    from: &'a TermStore,
    to: &'a mut TermStore,
    /// Declarations of the new store.
    known: Known,
    sorts: FxHashMap<SortId, SortId>,
    datatypes: FxHashMap<DatatypeId, DatatypeId>,
    constructors: FxHashMap<ConstructorId, ConstructorId>,
    symbols: FxHashMap<SymbolId, SymbolId>,
    terms: FxHashMap<TermId, TermId>,
}

impl<'a> Transplant<'a> {
    pub(crate) fn new(from: &'a TermStore, to: &'a mut TermStore) -> Self {
        Transplant {
            known: Known::of(to),
            from,
            to,
            sorts: FxHashMap::default(),
            datatypes: FxHashMap::default(),
            constructors: FxHashMap::default(),
            symbols: FxHashMap::default(),
            terms: FxHashMap::default(),
        }
    }

    /// The same input in the new store.
    pub(crate) fn individual(&mut self, individual: &Individual) -> Result<Individual, SortError> {
        let assertions = individual.assertions.iter().map(|&assertion| self.term(assertion));
        Ok(Individual { assertions: assertions.collect::<Result<_, _>>()? })
    }

    /// The same term in the new store. New terms and symbols get numbers in the order in which the term is read.
    fn term(&mut self, root: TermId) -> Result<TermId, SortError> {
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

    fn op(&mut self, op: Op) -> Result<Op, SortError> {
        let binder = |this: &mut Self, binder| {
            let variables = this.from.bound_variables(binder).to_vec();
            let variables: Result<Vec<SymbolId>, SortError> =
                variables.into_iter().map(|variable| this.symbol(variable)).collect();
            variables.map(|variables| this.to.binder(&variables))
        };
        Ok(match op {
            Op::Apply(symbol) => Op::Apply(self.symbol(symbol)?),
            Op::ConstArray(sort) => Op::ConstArray(self.sort(sort)?),
            Op::Sequence(SequenceOp::Empty(sort)) => Op::Sequence(SequenceOp::Empty(self.sort(sort)?)),
            Op::Forall(variables) => Op::Forall(binder(self, variables)?),
            Op::Exists(variables) => Op::Exists(binder(self, variables)?),
            Op::Datatype(op) => Op::Datatype(self.datatype_op(op)?),
            other => other,
        })
    }

    fn datatype_op(&mut self, op: DatatypeOp) -> Result<DatatypeOp, SortError> {
        let (DatatypeOp::Construct { constructor, .. }
        | DatatypeOp::Select { constructor, .. }
        | DatatypeOp::Test(constructor)) = op;
        self.datatype(self.from.constructor(constructor).datatype)?;
        let constructor = self.constructors[&constructor];
        Ok(match op {
            DatatypeOp::Construct { sort, .. } => {
                DatatypeOp::Construct { constructor, sort: self.sort(sort)? }
            }
            DatatypeOp::Select { field, .. } => DatatypeOp::Select { constructor, field },
            DatatypeOp::Test(_) => DatatypeOp::Test(constructor),
        })
    }

    fn symbol(&mut self, symbol: SymbolId) -> Result<SymbolId, SortError> {
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
            // Parameters stand in definitions, which move as a whole.
            SymbolKind::Defined | SymbolKind::Parameter => {
                self.definitions(symbol)?;
                return Ok(self.symbols[&symbol]);
            }
        };
        let signature = (old.name, arguments.into_boxed_slice(), result, is_bound);
        let new = match self.known.symbols.get(&signature) {
            Some(&known) => known,
            None if is_bound => self.to.variable(&signature.0, result),
            None => self.to.declare(&signature.0, &signature.1, result),
        };
        self.known.symbols.insert(signature, new);
        self.symbols.insert(symbol, new);
        Ok(new)
    }

    /// Recurses as deep as sorts are nested, which has a limit.
    fn sort(&mut self, sort: SortId) -> Result<SortId, SortError> {
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
                let arguments: Result<Box<[SortId]>, SortError> =
                    arguments.iter().map(|&argument| self.sort(argument)).collect();
                let key = (old.name.clone(), old.arity);
                let to = &mut *self.to;
                let declaration = *self
                    .known
                    .sorts
                    .entry(key)
                    .or_insert_with_key(|(name, arity)| to.declare_sort(name, *arity));
                Sort::Uninterpreted { declaration, arguments: arguments? }
            }
            Sort::Datatype { declaration, arguments } => {
                let arguments: Result<Box<[SortId]>, SortError> =
                    arguments.iter().map(|&argument| self.sort(argument)).collect();
                Sort::Datatype { declaration: self.datatype(declaration)?, arguments: arguments? }
            }
            simple => simple,
        };
        let new = self.to.intern_sort(new)?;
        self.sorts.insert(sort, new);
        Ok(new)
    }

    /// The same datatype in the new store, where those declared together with it are declared, too.
    fn datatype(&mut self, datatype: DatatypeId) -> Result<DatatypeId, SortError> {
        if let Some(&known) = self.datatypes.get(&datatype) {
            return Ok(known);
        }
        let group = self.from.datatype(datatype).together.clone();
        let text = text_of_datatypes(self.from, group[0]);
        let new = match self.known.datatypes.get(&text) {
            Some(known) => {
                let known = known.clone();
                self.datatypes.extend(group.iter().copied().zip(known.iter().copied()));
                known
            }
            None => self.declare_datatypes(&group)?,
        };
        for (old, &new) in group.iter().zip(&new) {
            let [old, new] = [self.from.datatype(*old), self.to.datatype(new)].map(|it| &it.constructors);
            self.constructors.extend(old.iter().copied().zip(new.iter().copied()));
        }
        self.known.datatypes.insert(text, new);
        Ok(self.datatypes[&datatype])
    }

    fn declare_datatypes(&mut self, group: &[DatatypeId]) -> Result<Box<[DatatypeId]>, SortError> {
        let mut new = Vec::with_capacity(group.len());
        for &old in group {
            let (name, parameters) = (&self.from.datatype(old).name, &self.from.datatype(old).parameters);
            let parameters: Result<Vec<SortId>, SortError> =
                parameters.iter().map(|&parameter| self.sort(parameter)).collect();
            let datatype = self.to.declare_datatype(name, &parameters?);
            self.datatypes.insert(old, datatype);
            new.push(datatype);
        }
        let mut definitions = Vec::with_capacity(group.len());
        for (&old, &datatype) in group.iter().zip(&new) {
            let mut constructors = Vec::new();
            for &constructor in &self.from.datatype(old).constructors {
                let constructor = self.from.constructor(constructor);
                let field = |field: &Field| {
                    Ok(Field { selector: field.selector.clone(), sort: self.sort(field.sort)? })
                };
                let fields: Result<Vec<Field>, SortError> = constructor.fields.iter().map(field).collect();
                constructors.push((constructor.name.clone(), fields?));
            }
            definitions.push(DatatypeDefinition { datatype, constructors });
        }
        self.to.define_datatypes(&definitions)?;
        Ok(new.into())
    }

    /// Moves the definition of a recursive function, with all that it needs. Definitions are moved in their order, so that no chain
    /// of them becomes a recursion here.
    fn definitions(&mut self, function: SymbolId) -> Result<(), SortError> {
        let Some(definition) = self.from.definition(function) else { return Ok(()) };
        let below = Formula::of_assertions(self.from, vec![definition.body]).definitions;
        for group in below.into_iter().chain([definition.together.to_vec()]) {
            if !self.symbols.contains_key(&group[0]) {
                self.definition(&group)?;
            }
        }
        Ok(())
    }

    /// Moves functions that are defined together.
    fn definition(&mut self, group: &[SymbolId]) -> Result<(), SortError> {
        let text = text_of_definitions(self.from, group[0]);
        if let Some(known) = self.known.definitions.get(&text) {
            self.symbols.extend(group.iter().copied().zip(known.iter().copied()));
            return Ok(());
        }
        for &function in group {
            let old = self.from.symbol(function);
            let arguments: Result<Vec<SortId>, SortError> =
                old.arguments.iter().map(|&sort| self.sort(sort)).collect();
            let result = self.sort(old.result)?;
            let new = self.to.declare_defined(&old.name, &arguments?, result);
            self.symbols.insert(function, new);
        }
        let mut definitions = Vec::with_capacity(group.len());
        for function in group {
            let Some(definition) = self.from.definition(*function) else { continue };
            let mut parameters = Vec::with_capacity(definition.parameters.len());
            for &parameter in &definition.parameters {
                let old = self.from.symbol(parameter);
                let sort = self.sort(old.result)?;
                let new = self.to.parameter(&old.name, sort);
                self.symbols.insert(parameter, new);
                parameters.push(new);
            }
            let body = self.term(definition.body)?;
            definitions.push((self.symbols[function], parameters, body));
        }
        self.to.define_functions(definitions);
        let new = group.iter().map(|function| self.symbols[function]).collect();
        self.known.definitions.insert(text, new);
        Ok(())
    }
}

/// Some inputs in a new store that has nothing else. Nothing if one of them cannot move.
pub(crate) fn alone<const N: usize>(
    store: &TermStore,
    individuals: [&Individual; N],
) -> Result<(TermStore, [Individual; N]), SortError> {
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

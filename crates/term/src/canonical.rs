//! Models up to the names of elements.
//!
//! The elements of a declared sort have no names of their own: two models that differ only in the numbers of elements
//! are the same. So this module renumbers elements by what a model says of them: first the elements of constants, in
//! the order of these constants, then the others by colours, which are refined until they distinguish no more
//! elements (Weisfeiler & Leman, *The reduction of a graph to canonical form*, 1968). If some elements are still
//! alike, the algorithm takes out the one after which the colours are least, and repeats this; if several lead to the
//! same colours, it takes any of them.
//!
//! Models with the same canonical form are the same up to names. The converse holds if elements that lead to the same
//! colours can be swapped, which is so unless arrays or functions among elements look like regular graphs: then the
//! same model may have several forms. A form that is always the same is as hard to find as an isomorphism of graphs,
//! and was rejected: no test needs it. The number of elements of a sort beyond those in values makes no difference.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::model::{FunctionValue, Model};
use crate::op::SymbolId;
use crate::sort::{Sort, SortId};
use crate::store::TermStore;
use crate::universe::Universes;
use crate::value::Value;

/// The maximal number of elements that look alike and are taken out one by one. If there are more, the rest keep the
/// order of their numbers.
const MAXIMAL_CHOICES: usize = 64;

/// The maximal number of elements that are tried among those that look alike.
const MAXIMAL_TRIALS: usize = 8;

/// An element of a declared sort.
type Element = (SortId, u32);

impl Model {
    /// The same model with the elements of declared sorts numbered by what the model says of them; `None` if the
    /// model has no elements. The model must be complete except for its universes: a value that it leaves out counts
    /// as element 0.
    pub fn canonical(&self, store: &TermStore) -> Option<Model> {
        let constants = self.constants().any(|(_, value)| has_elements(value));
        let functions = self.functions().any(|(symbol, _)| {
            let declared = store.symbol(symbol);
            declared.arguments.iter().chain([&declared.result]).any(|&sort| has_declared_sort(store, sort))
        });
        if !constants && !functions {
            return None;
        }
        let mut within = self.within_universes(store).0;
        // Equal functions have one table each, equal arrays are listed alike.
        let functions: Vec<SymbolId> = within.functions().map(|(symbol, _)| symbol).collect();
        for symbol in functions {
            let function = within.function(symbol).expect("just listed");
            let arguments = &store.symbol(symbol).arguments;
            if let Some(canonical) = function.canonical_but_for_order(store, arguments) {
                within.set_function(symbol, canonical);
            }
        }
        let numbers = Colouring::new(&within).numbers();
        let rename = |value: &Value, sort| {
            let listed = value.within(store, &Universes::default(), sort);
            listed.expect("sorts without bounds have every element")
        };
        let mut model = Model::new();
        for (sort, count) in self.universes().iter() {
            model.set_universe(sort, count);
        }
        // Chosen results are about numbers, which have no other names.
        if let Some(chosen) = self.chosen_results() {
            model.set_chosen_results(chosen.clone());
        }
        for (symbol, value) in within.constants() {
            model.set_constant(symbol, rename(&renamed(value, &numbers), store.symbol(symbol).result));
        }
        for (symbol, function) in within.functions() {
            let function = renamed_function(store, symbol, function, &numbers);
            let canonical = function.canonical(store, &store.symbol(symbol).arguments);
            model.set_function(symbol, canonical.unwrap_or(function));
        }
        Some(model)
    }
}

/// Whether values of a sort have elements of declared sorts.
fn has_declared_sort(store: &TermStore, sort: SortId) -> bool {
    let mut open = vec![sort];
    while let Some(sort) = open.pop() {
        match store.sort(sort) {
            Sort::Uninterpreted { .. } => return true,
            Sort::Array { index, element } => open.extend([*index, *element]),
            _ => {}
        }
    }
    false
}

fn has_elements(value: &Value) -> bool {
    match value {
        Value::Uninterpreted { .. } => true,
        Value::Array(array) => {
            has_elements(array.default())
                || array.entries().any(|(index, element)| has_elements(index) || has_elements(element))
        }
        _ => false,
    }
}

fn renamed(value: &Value, numbers: &BTreeMap<Element, u32>) -> Value {
    match value {
        Value::Uninterpreted { sort, index } => {
            Value::Uninterpreted { sort: *sort, index: numbers[&(*sort, *index)] }
        }
        Value::Array(array) => Value::Array(array.map(|value| renamed(value, numbers))),
        other => other.clone(),
    }
}

fn renamed_function(
    store: &TermStore,
    symbol: SymbolId,
    function: &FunctionValue,
    numbers: &BTreeMap<Element, u32>,
) -> FunctionValue {
    let FunctionValue::Table { entries, default } = function else { return function.clone() };
    let declared = store.symbol(symbol);
    let listed = |value: &Value, sort| {
        let value = renamed(value, numbers).within(store, &Universes::default(), sort);
        value.expect("sorts without bounds have every element")
    };
    let entries = entries.iter().map(|(point, result)| {
        let arguments = point.iter().zip(&*declared.arguments);
        (arguments.map(|(value, &sort)| listed(value, sort)).collect(), listed(result, declared.result))
    });
    FunctionValue::Table { entries: entries.collect(), default: listed(default, declared.result) }
}

/// The colours that distinguish elements so far.
struct Colouring<'a> {
    model: &'a Model,
    colours: BTreeMap<Element, u64>,
    /// A hash of the places of each element in the present round.
    seen: BTreeMap<Element, u64>,
}

fn mix(parts: &[u64]) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.iter().for_each(|&part| hasher.write_u64(part));
    hasher.finish()
}

impl<'a> Colouring<'a> {
    fn new(model: &'a Model) -> Self {
        let mut colouring = Colouring { model, colours: BTreeMap::new(), seen: BTreeMap::new() };
        colouring.look();
        colouring.colours = colouring.seen.keys().map(|&element| (element, 0)).collect();
        colouring
    }

    /// New numbers for all elements: by the constants that they are, then by their colours.
    fn numbers(mut self) -> BTreeMap<Element, u32> {
        let mut named: Vec<Element> = Vec::new();
        for (_, value) in self.model.constants() {
            if let Value::Uninterpreted { sort, index } = *value
                && !named.contains(&(sort, index))
            {
                named.push((sort, index));
            }
        }
        for (number, element) in named.iter().enumerate() {
            self.colours.insert(*element, mix(&[0, number as u64]));
        }
        self.refine();
        for choice in 0..MAXIMAL_CHOICES {
            let alike = self.alike();
            let before = self.colours.clone();
            let trials = alike.iter().take(MAXIMAL_TRIALS).map(|&element| {
                self.colours.clone_from(&before);
                self.colours.insert(element, mix(&[1, choice as u64]));
                self.refine();
                let mut sorted: Vec<u64> = self.colours.values().copied().collect();
                sorted.sort_unstable();
                (sorted, self.colours.clone())
            });
            match trials.min_by(|left, right| left.0.cmp(&right.0)) {
                Some((_, colours)) => self.colours = colours,
                None => break,
            }
        }
        let mut others: Vec<(u64, Element)> = (self.colours.iter())
            .filter(|(element, _)| !named.contains(element))
            .map(|(&element, &colour)| (colour, element))
            .collect();
        others.sort_unstable();
        let mut next: BTreeMap<SortId, u32> = BTreeMap::new();
        let in_order = named.into_iter().chain(others.into_iter().map(|(_, element)| element));
        in_order
            .map(|element| {
                let number = next.entry(element.0).or_default();
                *number += 1;
                (element, *number - 1)
            })
            .collect()
    }

    /// The elements of the least colour that several elements have; empty if there is no such colour.
    fn alike(&self) -> Vec<Element> {
        let mut by_colour: Vec<(SortId, u64, Element)> =
            self.colours.iter().map(|(&element, &colour)| (element.0, colour, element)).collect();
        by_colour.sort_unstable();
        let mut classes = by_colour.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1));
        let class = classes.find(|class| class.len() > 1).unwrap_or_default();
        class.iter().map(|&(_, _, element)| element).collect()
    }

    /// Refines the colours until they distinguish no more elements.
    fn refine(&mut self) {
        let mut before = self.count();
        while before < self.colours.len() {
            self.look();
            for (element, colour) in &mut self.colours {
                *colour = mix(&[2, *colour, self.seen[element]]);
            }
            let count = self.count();
            if count == before {
                break;
            }
            before = count;
        }
    }

    /// The number of elements that the colours distinguish.
    fn count(&self) -> usize {
        let mut colours: Vec<(SortId, u64)> =
            self.colours.iter().map(|(element, &colour)| (element.0, colour)).collect();
        colours.sort_unstable();
        colours.dedup();
        colours.len()
    }

    /// Collects the places of each element in the model.
    fn look(&mut self) {
        self.seen.clear();
        let model = self.model;
        let place = |symbol: SymbolId| mix(&[3, symbol.index() as u64]);
        for (symbol, value) in model.constants() {
            self.visit(value, place(symbol));
        }
        for (symbol, function) in model.functions() {
            let FunctionValue::Table { entries, default } = function else { continue };
            self.visit(default, mix(&[place(symbol), 4]));
            for (point, result) in entries {
                let all: Vec<&Value> = point.iter().chain([result]).collect();
                let hashes: Vec<u64> = all.iter().map(|value| self.hash(value)).collect();
                // The elements that are the same one, if several have its colour.
                let same =
                    all.iter().map(|value| all.iter().position(|other| other == value).unwrap_or(0) as u64);
                let context = mix(&[place(symbol), mix(&hashes), mix(&same.collect::<Vec<_>>())]);
                for (position, value) in point.iter().chain([result]).enumerate() {
                    self.visit(value, mix(&[context, position as u64]));
                }
            }
        }
    }

    /// Records the elements in a value that occurs in a context.
    fn visit(&mut self, value: &Value, context: u64) {
        match value {
            Value::Uninterpreted { sort, index } => {
                // A sum, which does not depend on the order.
                let seen = self.seen.entry((*sort, *index)).or_default();
                *seen = seen.wrapping_add(context);
            }
            Value::Array(array) => {
                let whole = mix(&[context, self.hash(value)]);
                if !array.is_listed() {
                    self.visit(array.default(), mix(&[whole, 5]));
                }
                for (index, element) in array.listed() {
                    let (left, right) = (self.hash(index), self.hash(element));
                    let same = u64::from(index == element);
                    self.visit(index, mix(&[whole, 6, right, same]));
                    self.visit(element, mix(&[whole, 7, left, same]));
                }
            }
            _ => {}
        }
    }

    /// A hash of a value in which elements count by their colours.
    fn hash(&self, value: &Value) -> u64 {
        match value {
            Value::Uninterpreted { sort, index } => {
                mix(&[8, self.colours.get(&(*sort, *index)).copied().unwrap_or(0)])
            }
            Value::Array(array) => {
                let default = if array.is_listed() { 0 } else { self.hash(array.default()) };
                let entries =
                    array.listed().map(|(index, element)| mix(&[self.hash(index), self.hash(element)]));
                mix(&[9, default, entries.fold(0, u64::wrapping_add)])
            }
            other => {
                let mut hasher = DefaultHasher::new();
                other.hash(&mut hasher);
                hasher.finish()
            }
        }
    }
}

//! Models: values for the declared symbols.
//!
//! A model is data without a store: symbols and values. Ordered maps keep every listing the same from run to run.
//! Functions come as tables (which the solver finds) or as bodies (which other solvers print). Turning one into the
//! other was rejected, since a body may cover a domain that no table can.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::bitvector::BitVector;
use crate::chosen::ChosenResults;
use crate::op::SymbolId;
use crate::sort::{Sort, SortId};
use crate::store::{TermId, TermStore};
use crate::theory::Open;
use crate::universe::Universes;
use crate::value::Value;

/// The meaning of a function symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FunctionValue {
    /// Finitely many points, and one value everywhere else.
    Table {
        /// Result by arguments.
        entries: BTreeMap<Vec<Value>, Value>,
        /// Result for all other arguments.
        default: Value,
    },
    /// The value of a term in which the parameters stand for the arguments.
    Body {
        /// Parameter symbols, one for each argument.
        parameters: Vec<SymbolId>,
        /// The term; it may use the parameters and any declared symbol.
        body: TermId,
    },
}

impl FunctionValue {
    /// The canonical table of the function, if it differs from this one: it has no entry with the default, and the
    /// default is the most frequent result, the least of several. This requires arguments that are Booleans and
    /// bit-vectors; for other functions, and if most arguments have the default, the canonical table only omits
    /// entries.
    pub fn canonical(&self, store: &TermStore, arguments: &[SortId]) -> Option<FunctionValue> {
        let FunctionValue::Table { entries, default } = self else { return None };
        match self.all_results(store, arguments) {
            Some(results) => {
                let (most, _) = most_frequent(&results)?;
                Some(table_but(&results, most))
            }
            None => entries.values().any(|result| result == default).then(|| table_but(entries, default)),
        }
    }

    /// [`canonical`](Self::canonical), but with every point where no result is that of more than half of them: then
    /// it depends on the order of the results which one is the default.
    pub(crate) fn canonical_but_for_order(
        &self,
        store: &TermStore,
        arguments: &[SortId],
    ) -> Option<FunctionValue> {
        let Some(entries) = self.all_results(store, arguments) else {
            return self.canonical(store, arguments);
        };
        let (most, count) = most_frequent(&entries)?;
        if 2 * count > entries.len() {
            return Some(table_but(&entries, most));
        }
        let default = entries.values().next()?.clone();
        Some(FunctionValue::Table { entries, default })
    }

    /// The results at all points, if they can be counted and half of them at least have an entry with another result
    /// than the default.
    fn all_results(&self, store: &TermStore, arguments: &[SortId]) -> Option<BTreeMap<Vec<Value>, Value>> {
        let FunctionValue::Table { entries, default } = self else { return None };
        let listed = entries.values().filter(|result| *result != default).count();
        let points = arguments
            .iter()
            .try_fold(1u64, |points, &sort| points.checked_mul(countable(store, sort)?))
            .filter(|&points| points <= 2 * listed as u64)?;
        let points = (0..points).map(|number| point(store, arguments, number));
        Some(
            points
                .map(|point| {
                    let result = entries.get(&point).unwrap_or(default).clone();
                    (point, result)
                })
                .collect(),
        )
    }
}

/// The most frequent result, the least of several, and how often it comes.
fn most_frequent(results: &BTreeMap<Vec<Value>, Value>) -> Option<(&Value, usize)> {
    let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
    results.values().for_each(|result| *counts.entry(result).or_default() += 1);
    counts.into_iter().max_by_key(|&(result, count)| (count, Reverse(result)))
}

/// A table with this default and the entries that have another result.
fn table_but(entries: &BTreeMap<Vec<Value>, Value>, default: &Value) -> FunctionValue {
    let kept = entries.iter().filter(|(_, result)| *result != default);
    FunctionValue::Table {
        entries: kept.map(|(point, result)| (point.clone(), result.clone())).collect(),
        default: default.clone(),
    }
}

impl FunctionValue {
    /// The same function in a model where declared sorts have these elements. `None` if the function has other
    /// elements.
    fn within(&self, store: &TermStore, universes: &Universes, symbol: SymbolId) -> Option<FunctionValue> {
        let FunctionValue::Table { entries, default } = self else { return Some(self.clone()) };
        let declared = store.symbol(symbol);
        let entries = entries.iter().map(|(point, result)| {
            let arguments = point.iter().zip(&*declared.arguments);
            let point: Option<Vec<Value>> =
                arguments.map(|(argument, &sort)| argument.within(store, universes, sort)).collect();
            Some((point?, result.within(store, universes, declared.result)?))
        });
        let entries = entries.collect::<Option<_>>()?;
        Some(FunctionValue::Table { entries, default: default.within(store, universes, declared.result)? })
    }
}

/// The number of values of a sort whose values can be enumerated.
fn countable(store: &TermStore, sort: SortId) -> Option<u64> {
    match store.sort(sort) {
        Sort::Bool | Sort::BitVec(_) => Some(store.cardinality(sort)),
        _ => None,
    }
}

/// The arguments with a number, of those that can be counted up.
fn point(store: &TermStore, arguments: &[SortId], mut number: u64) -> Vec<Value> {
    let digits = arguments.iter().map(|&sort| {
        let values = store.cardinality(sort);
        let digit = number % values;
        number /= values;
        match *store.sort(sort) {
            Sort::BitVec(width) => Value::BitVec(BitVector::from_u64(width, digit)),
            _ => Value::Bool(digit == 1),
        }
    });
    digits.collect()
}

/// Values of constants and functions. Symbols without a value have the default value of their sort. Values are
/// written as if every declared sort had more elements than can be listed; the universes name the sorts for which
/// this is not so.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    universes: Universes,
    constants: BTreeMap<SymbolId, Value>,
    functions: BTreeMap<SymbolId, FunctionValue>,
    open: BTreeMap<SymbolId, Open>,
    chosen: Option<ChosenResults>,
}

impl Model {
    /// The model that leaves everything out.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a declared sort the elements with numbers below `count`, and no others.
    ///
    /// # Panics
    /// When the count is zero: no sort is empty.
    pub fn set_universe(&mut self, sort: SortId, count: u32) {
        self.universes.set(sort, count);
    }

    /// The declared sorts that have finitely many elements.
    pub fn universes(&self) -> &Universes {
        &self.universes
    }

    /// The number of elements of a declared sort that the values need: one more than the highest number of any.
    pub fn named_elements(&self, sort: SortId) -> u32 {
        let functions = self.functions.values().flat_map(|function| match function {
            FunctionValue::Table { entries, default } => {
                let points = entries.iter().flat_map(|(point, result)| point.iter().chain([result]));
                points.chain([default]).collect()
            }
            FunctionValue::Body { .. } => Vec::new(),
        });
        let mut open: Vec<&Value> = self.constants.values().chain(functions).collect();
        let mut count = 0;
        while let Some(value) = open.pop() {
            match value {
                Value::Uninterpreted { sort: other, index } if *other == sort => count = count.max(index + 1),
                Value::Array(array) => {
                    open.push(array.default());
                    open.extend(array.entries().flat_map(|(index, element)| [index, element]));
                }
                _ => {}
            }
        }
        count
    }

    /// The same model with values within its universes, and the symbols whose values use elements outside them, which
    /// the model then omits.
    pub(crate) fn within_universes(&self, store: &TermStore) -> (Model, Vec<SymbolId>) {
        let mut model =
            Model { universes: self.universes.clone(), chosen: self.chosen.clone(), ..Model::default() };
        let mut outside = Vec::new();
        for (&symbol, value) in &self.constants {
            match value.within(store, &self.universes, store.symbol(symbol).result) {
                Some(value) => model.set_constant(symbol, value),
                None => outside.push(symbol),
            }
        }
        for (&symbol, function) in &self.functions {
            match function.within(store, &self.universes, symbol) {
                Some(function) => model.set_function(symbol, function),
                None => outside.push(symbol),
            }
        }
        (model, outside)
    }

    /// Sets the value of a constant, in place of any earlier value.
    pub fn set_constant(&mut self, symbol: SymbolId, value: Value) {
        self.constants.insert(symbol, value);
    }

    /// Leaves a constant out.
    pub fn remove_constant(&mut self, symbol: SymbolId) {
        self.constants.remove(&symbol);
    }

    /// Sets the value of a function, in place of any earlier value.
    pub fn set_function(&mut self, symbol: SymbolId, value: FunctionValue) {
        self.functions.insert(symbol, value);
    }

    /// Marks the value of a constant or function as unknown, for a reason.
    pub fn set_open(&mut self, symbol: SymbolId, reason: Open) {
        self.open.insert(symbol, reason);
    }

    /// The reason for which the value of a constant or function is unknown; `None` if the model does not mark it so.
    pub fn open(&self, symbol: SymbolId) -> Option<Open> {
        self.open.get(&symbol).copied()
    }

    /// Chooses results that the standard leaves open. Without a choice, terms that depend on such results have no value.
    pub fn set_chosen_results(&mut self, results: ChosenResults) {
        self.chosen = Some(results);
    }

    /// The choice of results that the standard leaves open, if there is one.
    pub fn chosen_results(&self) -> Option<&ChosenResults> {
        self.chosen.as_ref()
    }

    /// The value of a constant, `None` when the model leaves it out.
    pub fn constant(&self, symbol: SymbolId) -> Option<&Value> {
        self.constants.get(&symbol)
    }

    /// The value of a function, `None` when the model leaves it out.
    pub fn function(&self, symbol: SymbolId) -> Option<&FunctionValue> {
        self.functions.get(&symbol)
    }

    /// All constants with values, in the order of their declaration.
    pub fn constants(&self) -> impl Iterator<Item = (SymbolId, &Value)> {
        self.constants.iter().map(|(&symbol, value)| (symbol, value))
    }

    /// All functions with values, in the order of their declaration.
    pub fn functions(&self) -> impl Iterator<Item = (SymbolId, &FunctionValue)> {
        self.functions.iter().map(|(&symbol, value)| (symbol, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests all tables of functions from a bit and a Boolean to two bits: equal functions have one canonical table,
    /// and it is the same function.
    #[test]
    fn equal_functions_have_one_canonical_table() {
        let mut store = TermStore::new();
        let bit = store.bit_vec_sort(1).expect("legal width");
        let arguments = [bit, SortId::BOOL];
        let points: Vec<Vec<Value>> = (0..4).map(|number| point(&store, &arguments, number)).collect();
        let result = |number: u64| Value::BitVec(BitVector::from_u64(2, number));
        let mut tables: BTreeMap<Vec<Value>, FunctionValue> = BTreeMap::new();
        for code in 0..5u64.pow(4) * 4 {
            let digit = |position: u32| code / 4 / 5u64.pow(position) % 5;
            let listed = (0..4u32).filter(|&position| digit(position) < 4);
            let entries: BTreeMap<Vec<Value>, Value> =
                listed.map(|position| (points[position as usize].clone(), result(digit(position)))).collect();
            let meaning = |value: &FunctionValue| -> Vec<Value> {
                let FunctionValue::Table { entries, default } = value else { unreachable!("a table") };
                points.iter().map(|point| entries.get(point).unwrap_or(default).clone()).collect()
            };
            let table = FunctionValue::Table { entries, default: result(code % 4) };
            let canonical = table.canonical(&store, &arguments).unwrap_or_else(|| table.clone());
            assert_eq!(meaning(&canonical), meaning(&table));
            let first = tables.entry(meaning(&table)).or_insert_with(|| canonical.clone());
            assert_eq!(*first, canonical);
        }
        assert_eq!(tables.len(), 4usize.pow(4));
    }

    #[test]
    fn where_few_arguments_are_listed_nothing_changes() {
        let mut store = TermStore::new();
        let wide = store.bit_vec_sort(64).expect("legal width");
        let number = |number| Value::BitVec(BitVector::from_u64(64, number));
        let mut entries = BTreeMap::from([(vec![number(1)], Value::Bool(true))]);
        let table = FunctionValue::Table { entries: entries.clone(), default: Value::Bool(false) };
        assert_eq!(table.canonical(&store, &[wide]), None);
        entries.insert(vec![number(2)], Value::Bool(false));
        let other = FunctionValue::Table { entries, default: Value::Bool(false) };
        assert_eq!(other.canonical(&store, &[wide]), Some(table));
    }
}

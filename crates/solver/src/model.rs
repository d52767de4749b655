//! Models from satisfying assignments.
//!
//! Declared constants take their values from their bits in the circuit; arrays hold what their
//! reads say and a default elsewhere; functions become tables of their applications. Eliminated
//! symbols are computed from their definitions last, when theories have completed the model.

use std::cell::{LazyCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use sundry_circuit::{Edge, OpenFunction};
use sundry_linear::Rational;
use sundry_term::{
    ArithmeticOp, ArrayValue, BitVector, ChosenResults, Control, Evaluator, Float, FloatOp, FunctionValue,
    Model, Op, RoundingMode, Sort, SortId, SymbolId, TermId, TermStore, Universes, Value,
};

use crate::theory::arrays::{ArrayContents, ArrayId, ArrayKind, Region};
use crate::theory::arrays_and_functions::ArraysAndFunctions;
use crate::theory::datum::{Datum, Key};
use crate::theory::functions::{Application, Function, argument_keys};
use crate::theory::numbers::Solution;

pub(crate) struct ModelBuilder<'a> {
    store: &'a TermStore,
    arrays_and_functions: &'a ArraysAndFunctions,
    value: &'a dyn Fn(Edge) -> bool,
    numbers: &'a Solution,
    /// A control that never stops: a model that is being made is finished.
    control: Control,
    /// Numbers of elements of declared sorts by their bits, given as they come up, so that readers
    /// meet small numbers. No bit set is element 0, the default.
    elements: RefCell<FxHashMap<SortId, FxHashMap<u32, u32>>>,
}

/// The bits of a datum that is a word.
fn word_of(datum: &Datum) -> &[Edge] {
    match datum {
        Datum::Bits(bits) => bits,
        Datum::Array(_) | Datum::Number(_) => unreachable!("it is a word"),
    }
}

/// A number as a value of its sort.
fn number_value(sort: SortId, number: Rational) -> Value {
    match sort {
        SortId::REAL => Value::Real(Arc::new(number.to_big())),
        _ => Value::Int(number.to_big().floor()),
    }
}

impl<'a> ModelBuilder<'a> {
    pub(crate) fn new(
        store: &'a TermStore,
        arrays_and_functions: &'a ArraysAndFunctions,
        value: &'a dyn Fn(Edge) -> bool,
        numbers: &'a Solution,
    ) -> Self {
        ModelBuilder {
            store,
            arrays_and_functions,
            value,
            numbers,
            control: Control::default(),
            elements: RefCell::default(),
        }
    }

    /// Values of all symbols but those that definitions have eliminated.
    pub(crate) fn build(&self) -> Model {
        let mut model = Model::new();
        for entry in &self.arrays_and_functions.symbols {
            let sort = self.store.symbol(entry.symbol).result;
            model.set_constant(entry.symbol, self.bits_value(sort, &entry.bits));
        }
        for (symbol, number) in self.arrays_and_functions.numbers.symbols(self.numbers) {
            let sort = self.store.symbol(symbol).result;
            model.set_constant(symbol, number_value(sort, number.clone()));
        }
        // Nothing of arrays is computed where no symbol and no function needs one.
        let arrays = LazyCell::new(|| ArrayValues::new(self));
        for id in self.arrays_and_functions.arrays.node_ids() {
            if let ArrayKind::Symbol(symbol) = self.arrays_and_functions.arrays.node(id).kind {
                model.set_constant(symbol, arrays.value(id));
            }
        }
        self.add_functions(&arrays, &mut model);
        for (sort, size) in self.arrays_and_functions.universes.finite(self.value) {
            model.set_universe(sort, size as u32);
        }
        model
    }

    fn bits_value(&self, sort: SortId, bits: &[Edge]) -> Value {
        match self.store.sort(sort) {
            Sort::Bool => Value::Bool((self.value)(bits[0])),
            Sort::BitVec(width) => {
                Value::BitVec(BitVector::from_bits(*width, |bit| (self.value)(bits[bit as usize])))
            }
            Sort::Float(format) => {
                let bits = BitVector::from_bits(format.width(), |bit| (self.value)(bits[bit as usize]));
                Value::Float(Arc::new(Float::from_bits(*format, &bits)))
            }
            Sort::RoundingMode => {
                let number = bits.iter().rev().fold(0, |sum, &bit| sum << 1 | usize::from((self.value)(bit)));
                // Bits that stand for no mode are those of the first.
                Value::RoundingMode(*RoundingMode::ALL.get(number).unwrap_or(&RoundingMode::ALL[0]))
            }
            Sort::Uninterpreted { .. } => {
                let code = bits.iter().rev().fold(0, |code, &bit| code << 1 | u32::from((self.value)(bit)));
                Value::Uninterpreted { sort, index: self.element(sort, code) }
            }
            other => unreachable!("{other:?} has no bits"),
        }
    }

    fn element(&self, sort: SortId, code: u32) -> u32 {
        if code == 0 {
            return 0;
        }
        let mut elements = self.elements.borrow_mut();
        let known = elements.entry(sort).or_default();
        let next = known.len() as u32 + 1;
        *known.entry(code).or_insert(next)
    }

    fn datum_value(&self, sort: SortId, datum: &Datum, arrays: &ArrayValues<'_>) -> Value {
        match datum {
            Datum::Bits(bits) => self.bits_value(sort, bits),
            Datum::Number(expression) => number_value(sort, expression.value(self.numbers)),
            Datum::Array(id) => arrays.value(*id),
        }
    }

    fn add_functions<'b>(
        &'b self,
        arrays: &LazyCell<ArrayValues<'b>, impl FnOnce() -> ArrayValues<'b>>,
        model: &mut Model,
    ) {
        let mut chosen = BTreeMap::new();
        let mut tables: BTreeMap<SymbolId, BTreeMap<Vec<Value>, Value>> = BTreeMap::new();
        let mut seen: FxHashMap<(SymbolId, Vec<Key>), ()> = FxHashMap::default();
        for application in &self.arrays_and_functions.applications {
            let function = match application.function {
                Function::Declared(symbol) => symbol,
                Function::Open(function) => {
                    let (key, value) = self.chosen_result(function, application);
                    chosen.entry(key).or_insert(value);
                    continue;
                }
            };
            let keys = argument_keys(arrays.contents.view(), application);
            if seen.insert((function, keys), ()).is_some() {
                continue;
            }
            let symbol = self.store.symbol(function);
            let arguments = symbol
                .arguments
                .iter()
                .zip(&application.arguments)
                .map(|(&sort, argument)| self.datum_value(sort, argument, arrays))
                .collect();
            let result = self.datum_value(symbol.result, &application.result, arrays);
            tables.entry(function).or_default().insert(arguments, result);
        }
        model.set_chosen_results(ChosenResults::new(chosen));
        for (function, entries) in tables {
            let default = Value::default_of(self.store, self.store.symbol(function).result);
            model.set_function(function, FunctionValue::Table { entries, default });
        }
    }

    /// A result that the standard leaves open: the operation with its arguments, and the value.
    fn chosen_result(&self, function: OpenFunction, application: &Application) -> ((Op, Vec<Value>), Value) {
        if let Datum::Number(result) = &application.result {
            let dividend = match &application.arguments[0] {
                Datum::Number(dividend) => dividend,
                word => {
                    let value = self.bits_value(function.sort, word_of(word));
                    return (
                        (function.op, vec![value]),
                        number_value(SortId::REAL, result.value(self.numbers)),
                    );
                }
            };
            // A division by zero.
            let is_real = function.op == Op::Arithmetic(ArithmeticOp::Divide);
            let sort = if is_real { SortId::REAL } else { SortId::INT };
            let [dividend, result] =
                [dividend, result].map(|number| number_value(sort, number.value(self.numbers)));
            return ((function.op, vec![dividend, number_value(sort, Rational::ZERO)]), result);
        }
        let Sort::Float(format) = *self.store.sort(function.sort) else { unreachable!("it is of values") };
        let word = |bits: &[Edge]| {
            Value::BitVec(BitVector::from_bits(bits.len() as u32, |bit| (self.value)(bits[bit as usize])))
        };
        let float = |value: Float| Value::Float(Arc::new(value));
        let result = word_of(&application.result);
        let (arguments, value) = match function.op {
            // The argument is the sign of the first zero, the result says whether it is taken.
            Op::Float(FloatOp::Min | FloatOp::Max) => {
                let negative = (self.value)(word_of(&application.arguments[0])[0]);
                let zeros = [negative, !negative].map(|sign| float(Float::zero(format, sign)));
                let value = zeros[usize::from(!(self.value)(result[0]))].clone();
                (zeros.to_vec(), value)
            }
            Op::Float(FloatOp::ToIeeeBv) => (vec![float(Float::nan(format))], word(result)),
            _ => {
                let mode = self.bits_value(SortId::ROUNDING_MODE, word_of(&application.arguments[0]));
                let argument = self.bits_value(function.sort, word_of(&application.arguments[1]));
                (vec![mode, argument], word(result))
            }
        };
        ((function.op, arguments), value)
    }

    /// Evaluates the definitions of eliminated symbols, which mention remaining symbols only. Symbols whose definitions a
    /// theory leaves open are left out.
    pub(crate) fn add_defined(&self, definitions: &[(SymbolId, TermId)], model: &mut Model) {
        let roots: Vec<TermId> = definitions.iter().map(|&(_, term)| term).collect();
        let mut evaluator = Evaluator::new(self.store, model);
        evaluator.evaluate(&roots).expect("models of the solver have no function bodies");
        let values: Vec<Option<Value>> = roots.iter().map(|&term| evaluator.value(term).cloned()).collect();
        for (&(symbol, _), value) in definitions.iter().zip(values) {
            let Some(value) = value else { continue };
            let sort = self.store.symbol(symbol).result;
            let value = value.within(self.store, &Universes::default(), sort);
            model.set_constant(symbol, value.expect("sorts without bounds have every element"));
        }
    }
}

/// The values of array nodes under a satisfying assignment: of symbols, and of what is an index, an element or an argument
/// somewhere. Those of the other nodes, stores mostly, would take time in proportion to their square.
struct ArrayValues<'a> {
    builder: &'a ModelBuilder<'a>,
    contents: ArrayContents<'a>,
    values: Vec<Option<Value>>,
}

impl<'a> ArrayValues<'a> {
    /// Computes arrays of inner sorts before the arrays that hold or are indexed by them.
    fn new(builder: &'a ModelBuilder<'a>) -> Self {
        let graph = &builder.arrays_and_functions.arrays;
        let contents = ArrayContents::new(graph, builder.value, builder.numbers, &builder.control);
        let mut values = ArrayValues { builder, contents, values: vec![None; graph.node_ids().count()] };
        let regions = values.contents.regions();
        let constants = values.contents.joined_constants();
        let mut by_node: Vec<Vec<u32>> = vec![Vec::new(); values.values.len()];
        for (number, Region { nodes, .. }) in regions.iter().enumerate() {
            for node in nodes {
                by_node[node.index()].push(number as u32);
            }
        }
        let mut order: Vec<ArrayId> = builder.arrays_and_functions.arrays_with_values();
        let mut known = FxHashMap::default();
        order.sort_by_key(|&id| sort_depth(builder.store, graph.node(id).sort, &mut known));
        for id in order {
            let value = values.assemble(id, &by_node[id.index()], &regions, constants[id.index()].as_ref());
            values.values[id.index()] = Some(value);
        }
        values
    }

    fn assemble(&self, id: ArrayId, numbers: &[u32], regions: &[Region], default: Option<&Datum>) -> Value {
        let store = self.builder.store;
        let sort = self.builder.arrays_and_functions.arrays.node(id).sort;
        let (index_sort, element_sort) = store.array_parts(sort).expect("an array node");
        let default = match default {
            Some(element) => self.builder.datum_value(element_sort, element, self),
            None => Value::default_of(store, element_sort),
        };
        let mut array = ArrayValue::constant(store, index_sort, default);
        for &number in numbers {
            let region = &regions[number as usize];
            let index = self.builder.datum_value(index_sort, &region.index, self);
            let element = self.builder.datum_value(element_sort, &region.element, self);
            array = array.store(index, element);
        }
        Value::Array(array)
    }

    fn value(&self, id: ArrayId) -> Value {
        self.values[id.index()].clone().expect("inner arrays are assembled first")
    }
}

/// The depth to which array sorts are nested in a sort, over indices and elements. Sorts share their parts, so that
/// there may be exponentially many ways down: `known` has the depths of the sorts seen.
fn sort_depth(store: &TermStore, sort: SortId, known: &mut FxHashMap<SortId, usize>) -> usize {
    let mut stack = vec![sort];
    while let Some(&sort) = stack.last() {
        let Some((index, element)) = store.array_parts(sort) else {
            known.insert(sort, 0);
            stack.pop();
            continue;
        };
        match (known.get(&index), known.get(&element)) {
            (Some(&index), Some(&element)) => {
                known.insert(sort, 1 + index.max(element));
                stack.pop();
            }
            (None, _) => stack.push(index),
            (_, None) => stack.push(element),
        }
    }
    known[&sort]
}

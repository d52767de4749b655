//! Running a program: step by step, each step in all lanes.

mod operators;

use rustc_hash::FxHashSet;
use sundry_term::{
    ArrayValue, Control, FunctionValue, Model, Op, SortId, Stopped, SymbolId, TermStore, Universes, Value,
};

use crate::column::{Column, LANES, mask_where};
use crate::limbs::value_of;
use crate::memory::Memory;
use crate::program::{ArrayKind, Place, Program, Slot, Step};
use crate::table::Table;
use operators::operate;
pub(crate) use operators::{set_value, value_in_lane};

/// The least work of a step, in the units of [`Control::spend`].
const WORK_OF_STEP: u32 = 8;

impl Program {
    /// Computes all slots from those of the constants and from the tables.
    ///
    /// # Errors
    /// The reason for which the control stopped the work. The values of slots are then meaningless.
    pub fn run(&self, store: &TermStore, memory: &mut Memory, control: &Control) -> Result<(), Stopped> {
        for step in &self.steps {
            control.spend(WORK_OF_STEP)?;
            match step {
                Step::Operator { op, operands, result } => {
                    operate(store, *op, &self.operands[operands.clone()], *result, memory, control)?;
                }
                Step::Select { array, index, result } => {
                    self.select(*array, *index, *result, memory, control)?;
                }
                Step::Call { table, operands, result } => {
                    call(*table, &self.operands[operands.clone()], *result, memory);
                }
                Step::Integers { cone, result } => cone.run(store, *result, memory, control)?,
                Step::CompareArrays { op, arrays, result } => {
                    memory.masks[*result as usize] = self.compare_arrays(store, *op, arrays, memory);
                }
            }
        }
        Ok(())
    }

    /// The model of one lane, after a run: the values of these symbols, as far as the terms depend on them.
    pub fn model(&self, store: &TermStore, memory: &Memory, symbols: &[SymbolId], lane: usize) -> Model {
        let mut model = Model::new();
        for (sort, count) in self.universes(memory, lane).iter() {
            model.set_universe(sort, count);
        }
        for &symbol in symbols {
            let declared = store.symbol(symbol);
            match self.places.get(&symbol) {
                Some(Place::Slot(slot)) => {
                    model.set_constant(symbol, value_of(store, declared.result, &memory.limbs(*slot, lane)));
                }
                Some(Place::Array(array)) => {
                    model.set_constant(symbol, Value::Array(self.array_value(store, *array, memory, lane)));
                }
                Some(Place::Integer) | None => {}
            }
        }
        for (number, &(symbol, _, _)) in self.tables.iter().enumerate() {
            if !store.symbol(symbol).arguments.is_empty() && symbols.contains(&symbol) {
                model.set_function(symbol, function_value(store, symbol, &memory.tables[number], lane));
            }
        }
        model
    }

    /// The element at an index: the last one stored there, or the one in the model.
    fn select(
        &self,
        array: usize,
        index: Slot,
        result: Slot,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<(), Stopped> {
        let mut key = vec![0; index.limbs()];
        for lane in 0..LANES {
            for (limb, part) in key.iter_mut().enumerate() {
                *part = memory.limb(index, limb, lane);
            }
            let mut array = array;
            loop {
                control.spend(1)?;
                match self.arrays[array].kind {
                    ArrayKind::Store { array: before, index, element } => {
                        if key.iter().enumerate().all(|(limb, &part)| memory.limb(index, limb, lane) == part)
                        {
                            copy(memory, element, result, lane);
                            break;
                        }
                        array = before;
                    }
                    ArrayKind::Ite { condition, consequent, alternative } => {
                        let holds = memory.masks[condition as usize] >> lane & 1 == 1;
                        array = if holds { consequent } else { alternative };
                    }
                    ArrayKind::Constant(element) => {
                        copy(memory, element, result, lane);
                        break;
                    }
                    ArrayKind::Table(table) => {
                        look_up(memory, table, &key, result, lane);
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// The lanes in which arrays are all equal, or all different.
    fn compare_arrays(&self, store: &TermStore, op: Op, arrays: &[usize], memory: &Memory) -> u64 {
        mask_where(|lane| {
            let universes = self.universes(memory, lane);
            let mut values = arrays.iter().map(|&array| {
                let value = self.array_value(store, array, memory, lane);
                if universes.is_empty() {
                    return value;
                }
                let (index, element) = self.arrays[array].sorts;
                // Lanes with elements outside their universes are no models anyway, so any value will do.
                value.within(store, &universes, index, element).unwrap_or(value)
            });
            if op == Op::Equal {
                let first = values.next();
                values.all(|value| first.as_ref() == Some(&value))
            } else {
                let mut seen = FxHashSet::default();
                values.all(|value| seen.insert(value))
            }
        })
    }

    /// The numbers of elements of declared sorts in one lane.
    fn universes(&self, memory: &Memory, lane: usize) -> Universes {
        let mut universes = Universes::default();
        for (&sort, counts) in self.bounded.iter().zip(&memory.universes) {
            if let Ok(count) = u32::try_from(counts[lane])
                && count > 0
            {
                universes.set(sort, count);
            }
        }
        universes
    }

    /// The value of an array node in one lane, as if declared sorts had more elements than can be listed.
    fn array_value(&self, store: &TermStore, array: usize, memory: &Memory, lane: usize) -> ArrayValue {
        let (index_sort, element_sort) = self.arrays[array].sorts;
        let limbs = |slot: Slot| memory.limbs(slot, lane);
        let mut stored: Vec<(Slot, Slot)> = Vec::new();
        let mut node = array;
        let mut value = loop {
            match self.arrays[node].kind {
                ArrayKind::Store { array, index, element } => {
                    stored.push((index, element));
                    node = array;
                }
                ArrayKind::Ite { condition, consequent, alternative } => {
                    let holds = memory.masks[condition as usize] >> lane & 1 == 1;
                    node = if holds { consequent } else { alternative };
                }
                ArrayKind::Constant(element) => {
                    let element = value_of(store, element_sort, &limbs(element));
                    break ArrayValue::constant(store, index_sort, element);
                }
                ArrayKind::Table(table) => {
                    let table = &memory.tables[table];
                    let element = |columns: &[Column]| value_of(store, element_sort, &in_lane(columns, lane));
                    let default = ArrayValue::constant(store, index_sort, element(table.default()));
                    break table.keys().fold(default, |array, key| {
                        array.store(value_of(store, index_sort, key), element(table.look_up(key)))
                    });
                }
            }
        };
        for (index, element) in stored.into_iter().rev() {
            let (index, element) = (limbs(index), limbs(element));
            value = value.store(value_of(store, index_sort, &index), value_of(store, element_sort, &element));
        }
        value
    }
}

/// The function that a table represents in one lane.
fn function_value(store: &TermStore, symbol: SymbolId, table: &Table, lane: usize) -> FunctionValue {
    let declared = store.symbol(symbol);
    let result = |columns: &[Column]| value_of(store, declared.result, &in_lane(columns, lane));
    let arguments = |key: &[u64]| {
        let mut rest = key;
        let argument = |&sort: &SortId| {
            let (limbs, behind) = rest.split_at(store.bit_vec_width(sort).unwrap_or(1).div_ceil(64) as usize);
            rest = behind;
            value_of(store, sort, limbs)
        };
        declared.arguments.iter().map(argument).collect()
    };
    let default = result(table.default());
    let entries = table.keys().map(|key| (arguments(key), result(table.look_up(key))));
    FunctionValue::Table { entries: entries.filter(|(_, result)| *result != default).collect(), default }
}

fn in_lane(columns: &[Column], lane: usize) -> Vec<u64> {
    columns.iter().map(|column| column[lane]).collect()
}

fn copy(memory: &mut Memory, from: Slot, to: Slot, lane: usize) {
    for limb in 0..to.limbs() {
        let value = memory.limb(from, limb, lane);
        memory.set_limb(to, limb, lane, value);
    }
}

fn look_up(memory: &mut Memory, table: usize, key: &[u64], result: Slot, lane: usize) {
    for limb in 0..result.limbs() {
        let value = memory.tables[table].look_up(key)[limb][lane];
        memory.set_limb(result, limb, lane, value);
    }
}

fn call(table: usize, operands: &[Slot], result: Slot, memory: &mut Memory) {
    let mut key = Vec::new();
    for lane in 0..LANES {
        key.clear();
        for &operand in operands {
            key.extend((0..operand.limbs()).map(|limb| memory.limb(operand, limb, lane)));
        }
        look_up(memory, table, &key, result, lane);
    }
}

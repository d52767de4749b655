//! From rows to what they stand for: models, and fingerprints that distinguish them.

use std::hash::{DefaultHasher, Hash, Hasher};

use sundry_lanes::value_of;
use sundry_term::{ArrayValue, FunctionValue, Model, TermStore, Value};

use super::fingerprint::Fingerprint;
use super::layout::Layout;

impl Layout {
    /// Whether a row has only elements that there are.
    pub(crate) fn is_within_universes(&self, store: &TermStore, row: &[u64]) -> bool {
        if self.bounded.iter().enumerate().all(|(number, _)| row[self.constants + number] == 0) {
            return true;
        }
        let Some(model) = self.model(store, row) else { return false };
        model.constants().all(|(symbol, value)| {
            value.within(store, model.universes(), store.symbol(symbol).result).is_some()
        }) && model.functions().all(|(symbol, function)| {
            let FunctionValue::Table { entries, default } = function else { return false };
            let declared = store.symbol(symbol);
            let is_within = |value: &Value, sort| value.within(store, model.universes(), sort).is_some();
            is_within(default, declared.result)
                && entries.iter().all(|(point, result)| {
                    let mut arguments = point.iter().zip(&*declared.arguments);
                    arguments.all(|(value, &sort)| is_within(value, sort))
                        && is_within(result, declared.result)
                })
        })
    }

    /// The model that a row stands for, without symbols defined by terms; none where some of its words are no value.
    pub(crate) fn model(&self, store: &TermStore, row: &[u64]) -> Option<Model> {
        let mut model = match &self.rests {
            Some(rests) => rests.get(row[self.width - 1])?.clone(),
            None => Model::new(),
        };
        for (number, &sort) in self.bounded.iter().enumerate() {
            if let Ok(count @ 1..) = u32::try_from(row[self.constants + number]) {
                model.set_universe(sort, count);
            }
        }
        for (number, &(symbol, _)) in self.bools.iter().enumerate() {
            model.set_constant(symbol, Value::Bool(row[number / 64] >> (number % 64) & 1 == 1));
        }
        for word in &self.words {
            let limbs = &row[word.first..][..word.packing.limbs()];
            model.set_constant(word.symbol, word.packing.value(limbs)?);
        }
        for table in &self.tables {
            let elements = &row[table.first..][..table.limbs * (1 + table.points.len())];
            let mut elements =
                elements.chunks_exact(table.limbs).map(|limbs| value_of(store, table.element, limbs));
            let default = elements.next().expect("a table has a default");
            let points = table.points.iter().map(|key| table.point(store, key)).zip(elements);
            if store.symbol(table.symbol).arguments.is_empty() {
                let array = ArrayValue::constant(store, table.arguments[0], default);
                let array = points.fold(array, |array, (mut point, element)| {
                    array.store(point.pop().expect("an array has an index"), element)
                });
                model.set_constant(table.symbol, Value::Array(array));
            } else {
                let entries = points.collect();
                model.set_function(table.symbol, FunctionValue::Table { entries, default });
            }
        }
        Some(model)
    }

    /// The fingerprint that distinguishes assignments, whatever points the layout has, and however elements of declared sorts are
    /// numbered.
    pub(crate) fn fingerprint(&self, store: &TermStore, row: &[u64]) -> u128 {
        let mut fingerprint = Fingerprint::default();
        if self.has_elements
            && let Some(model) = self.model(store, row)
        {
            let model = model.canonical(store).unwrap_or(model);
            let mut hasher = DefaultHasher::new();
            for constant in model.constants() {
                constant.hash(&mut hasher);
                fingerprint.add(hasher.finish());
            }
            for function in model.functions() {
                function.hash(&mut hasher);
                fingerprint.add(hasher.finish());
            }
            return fingerprint.finish();
        }
        for &word in &row[..self.constants] {
            fingerprint.add(word);
        }
        for table in &self.tables {
            let elements = &row[table.first..][..table.limbs * (1 + table.points.len())];
            let (default, elements) = elements.split_at(table.limbs);
            let default = if table.is_full() { table.most_frequent(elements) } else { default };
            for &limb in default {
                fingerprint.add(limb);
            }
            // A sum does not depend on the order of the points, nor on those where there is the default.
            let mut sum: u128 = 0;
            for (point, element) in table.points.iter().zip(elements.chunks_exact(table.limbs)) {
                if element != default {
                    let mut entry = Fingerprint::default();
                    for &part in point.iter().chain(element) {
                        entry.add(part);
                    }
                    sum = sum.wrapping_add(entry.finish());
                }
            }
            fingerprint.add(sum as u64);
            fingerprint.add((sum >> 64) as u64);
        }
        if let Some(rests) = &self.rests {
            fingerprint.add(rests.fingerprint(row[self.width - 1]));
        }
        fingerprint.finish()
    }
}

//! What solutions say of symbols that have no words in a row.

use std::hash::{DefaultHasher, Hash, Hasher};

use sundry_term::{FunctionValue, Model, SymbolId, TermStore, Value};

/// The rests of some solutions, each of which has a number.
pub(super) struct Rests {
    symbols: Vec<SymbolId>,
    /// The rests, and a fingerprint of the values in each.
    models: Vec<(Model, u64)>,
}

impl Rests {
    /// No rests yet, of these symbols. The results that a solution chooses where the standard leaves them open, and the
    /// numbers of elements of its declared sorts, belong to its rest too.
    pub(super) fn of(symbols: impl Iterator<Item = SymbolId>) -> Rests {
        Rests { symbols: symbols.collect(), models: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.models.clear();
    }

    /// Adds the rest of a solution.
    pub(super) fn add(&mut self, store: &TermStore, model: &Model) {
        let rest = self.rest_of(store, model);
        if self.models.iter().any(|(known, _)| *known == rest) {
            return;
        }
        let mut hasher = DefaultHasher::new();
        rest.constants().for_each(|constant| constant.hash(&mut hasher));
        rest.functions().for_each(|function| function.hash(&mut hasher));
        self.models.push((rest, hasher.finish()));
    }

    fn rest_of(&self, store: &TermStore, model: &Model) -> Model {
        let mut rest = Model::new();
        model.universes().iter().for_each(|(sort, count)| rest.set_universe(sort, count));
        for &symbol in &self.symbols {
            let declared = store.symbol(symbol);
            let default = || Value::default_of(store, declared.result);
            if declared.arguments.is_empty() {
                rest.set_constant(symbol, model.constant(symbol).cloned().unwrap_or_else(default));
                continue;
            }
            let function = model
                .function(symbol)
                .cloned()
                .unwrap_or_else(|| FunctionValue::Table { entries: Default::default(), default: default() });
            let canonical = function.canonical(store, &declared.arguments);
            rest.set_function(symbol, canonical.unwrap_or(function));
        }
        if let Some(chosen) = model.chosen_results() {
            rest.set_chosen_results(chosen.clone());
        }
        rest
    }

    /// The number of the rest of a solution, which was added.
    pub(super) fn number(&self, store: &TermStore, model: &Model) -> u64 {
        let rest = self.rest_of(store, model);
        let known = self.models.iter().position(|(known, _)| *known == rest);
        known.expect("the rests of models were added") as u64
    }

    /// The rest with a number, if there is one.
    pub(super) fn get(&self, number: u64) -> Option<&Model> {
        self.models.get(number as usize).map(|(rest, _)| rest)
    }

    /// A fingerprint of the values in the rest with a number.
    pub(super) fn fingerprint(&self, number: u64) -> u64 {
        self.models.get(number as usize).map_or(number, |(_, fingerprint)| *fingerprint)
    }
}

//! Reading the model that a check has found.

use sundry_circuit::Edge;
use sundry_term::{Model, TermStore};

use super::Engine;
use crate::model::ModelBuilder;
use crate::theory::numbers::Solution;

/// A model that a check has found, to be read until the engine is asked again.
#[derive(Copy, Clone)]
pub struct ModelRef<'e> {
    pub(super) engine: &'e Engine,
}

impl ModelRef<'_> {
    /// The value of an edge of the circuit.
    pub fn value(self, edge: Edge) -> bool {
        self.engine.found.value(edge, 0)
    }

    /// The values of the circuit's inputs.
    pub fn inputs(self) -> Vec<bool> {
        self.engine.aig.inputs().iter().map(|&input| self.value(input)).collect()
    }

    /// Values of all declared symbols that the formula mentions. Symbols that occur nowhere are left out.
    pub fn model(self, store: &TermStore) -> Model {
        let value = |edge: Edge| {
            self.engine.read.set(self.engine.read.get() + 1);
            self.value(edge)
        };
        self.engine.model_of(store, &value, self.engine.theories.numbers().found())
    }
}

impl Engine {
    /// The model found last, for loops that ask more questions and then need the last model after all. `None` before a
    /// check has found a model, and after a check that has extended what the theories know; engines that [keep
    /// models](Self::keeps_models) never lose theirs.
    pub fn last_model(&self) -> Option<ModelRef<'_>> {
        (self.extent_of_found == Some(self.theories.extent())).then_some(ModelRef { engine: self })
    }

    /// Whether the last model found can still be read after checks that find none, whatever lemmas come with them.
    pub fn keeps_models(&self) -> bool {
        self.theories.keep_their_extent()
    }

    /// The model that an assignment of the circuit's inputs extends to, with these numbers.
    pub(super) fn model_of(
        &self,
        store: &TermStore,
        value: &dyn Fn(Edge) -> bool,
        numbers: &Solution,
    ) -> Model {
        let builder = ModelBuilder::new(store, &self.theories.arrays_and_functions, value, numbers);
        let mut model = builder.build();
        self.theories.complete(store, value, &mut model);
        builder.add_defined(&self.eliminated, &mut model);
        model
    }
}

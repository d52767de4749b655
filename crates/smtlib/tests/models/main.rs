//! Models in the forms in which z3, cvc5, Bitwuzla and older solvers print them.
//!
//! The formulas are small and our own; the answers are the output of those solvers for them, cut to the relevant
//! parts. The evaluator judges each.
//!
//! * [`forms`]: how solvers write elements, arrays and functions.
//! * [`other_theories`]: values of reals and sequences.
//! * [`texts`]: several models in one text, and texts that are not models.
//! * [`values`]: a text for each value.

mod forms;
mod other_theories;
mod texts;
mod values;

use sundry_smtlib::{
    Diagnostic, Formula, ReadModel, SourceText, TheorySet, parse_script, print_model, read_models,
};
use sundry_term::{Model, SymbolId, TermStore, Value, evaluate};

struct Case {
    store: TermStore,
    formula: Formula,
}

fn formula(text: &str) -> Case {
    let mut store = TermStore::new();
    let source = SourceText::new("formula", text);
    let script = parse_script(&mut store, &source, TheorySet::DECIDED)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    Case { formula: script.formula(), store }
}

impl Case {
    fn read(&mut self, text: &str) -> Vec<ReadModel> {
        let source = SourceText::new("models", text);
        let models = read_models(&mut self.store, &source, &self.formula.symbols);
        models.unwrap_or_else(|error| panic!("{}", error.render(&source)))
    }

    fn error(&mut self, text: &str) -> Diagnostic {
        let source = SourceText::new("models", text);
        read_models(&mut self.store, &source, &self.formula.symbols).expect_err(text)
    }

    fn satisfies(&self, model: &Model) -> bool {
        let holds = |&assertion: &_| evaluate(&self.store, model, assertion) == Ok(Value::Bool(true));
        self.formula.assertions.iter().all(holds)
    }

    /// Reads one model, checks it on the formula, and that printing keeps it.
    fn accept(&mut self, text: &str) -> ReadModel {
        let models = self.read(text);
        assert_eq!(models.len(), 1, "{text}");
        let read = models.into_iter().next().expect("one model");
        assert!(self.satisfies(&read.model), "{text}");
        let printed = print_model(&self.store, &read.model, &self.formula.symbols);
        let again = self.read(&printed).remove(0);
        assert!(self.satisfies(&again.model), "{printed}");
        assert_eq!(print_model(&self.store, &again.model, &self.formula.symbols), printed);
        read
    }

    fn symbol(&self, name: &str) -> SymbolId {
        let named = |&&symbol: &&SymbolId| &*self.store.symbol(symbol).name == name;
        *self.formula.symbols.iter().find(named).expect("a symbol of the formula")
    }
}

/// The formula of a text of any theory.
fn formula_of_any_theory(text: &str) -> Case {
    let mut store = TermStore::new();
    let source = SourceText::new("formula", text);
    let script = parse_script(&mut store, &source, TheorySet::ALL)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    Case { formula: script.formula(), store }
}

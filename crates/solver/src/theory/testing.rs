//! Helpers for tests of several theories.

use sundry_sat::Verdict;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{Control, Evaluator, TermStore, Value};

use crate::engine::{Engine, EngineOptions, EngineStatistics, Query};

/// Whether the assertions of a script have a model, which the evaluator judges, and what the engine counted.
pub(crate) fn judged_answer(text: &str, options: &EngineOptions) -> (Verdict, EngineStatistics) {
    let mut store = TermStore::new();
    let source = SourceText::new("formula", text);
    let script = parse_script(&mut store, &source, TheorySet::DECIDED)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    let asserted = script.formula().assertions;
    let mut engine = Engine::new(options, &Control::default());
    engine.assert_initial(&mut store, &asserted).expect("small circuits");
    let checked = engine.check(Query::default());
    let verdict = checked.verdict();
    if let Ok(found) = checked.model() {
        let model = found.model(&store);
        let mut evaluator = Evaluator::new(&store, &model);
        evaluator.evaluate(&asserted).expect("the model is complete");
        for &assertion in &asserted {
            assert_eq!(evaluator.value(assertion), Some(&Value::Bool(true)), "{text}");
        }
    }
    (verdict, engine.statistics())
}

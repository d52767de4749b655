//! Whether what a solver prints after `sat` is a model.

use sundry_smtlib::{Formula, SourceText, read_models};
use sundry_term::{EvaluationError, TermStore, Value, evaluate};

/// What becomes of a solver's model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelVerdict {
    /// All assertions hold.
    Valid,
    /// An assertion, by its number, is false however open values are taken.
    Invalid(usize),
    /// Some assertions depend on what the standard leaves open, or the model does not tell; none is false.
    NotComparable(String),
    /// The text cannot be read as a model.
    Unreadable(String),
}

/// Judges the model in a text by the assertions of a formula.
pub fn judge_model(store: &mut TermStore, formula: &Formula, text: &str) -> ModelVerdict {
    let source = SourceText::new("model", text);
    let model = match read_models(store, &source, &formula.symbols) {
        Ok(mut models) if models.len() == 1 => models.remove(0).model,
        Ok(models) => return ModelVerdict::Unreadable(format!("{} models instead of one", models.len())),
        Err(error) => return ModelVerdict::Unreadable(error.message),
    };
    let mut open = None;
    for (number, &assertion) in formula.assertions.iter().enumerate() {
        match evaluate(store, &model, assertion) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => return ModelVerdict::Invalid(number),
            Err(EvaluationError::Open { reason }) => {
                open.get_or_insert(format!("assertion {} depends on {reason}", number + 1));
            }
            Err(error) => return ModelVerdict::Unreadable(error.to_string()),
        }
    }
    open.map_or(ModelVerdict::Valid, ModelVerdict::NotComparable)
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{Language, parse_script};

    use super::*;

    const FORMULA: &str =
        "(declare-fun x () Int) (declare-fun y () Real) (assert (< x 3)) (assert (= (/ y 0) 1))";

    fn judge(model: &str) -> ModelVerdict {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("formula", FORMULA), Language::All);
        let formula = script.expect("a legal script").formula();
        judge_model(&mut store, &formula, model)
    }

    #[test]
    fn models_are_judged_as_far_as_they_tell() {
        let invalid = "((define-fun x () Int 5) (define-fun y () Real 0.0))";
        assert_eq!(judge(invalid), ModelVerdict::Invalid(0));
        let open = "((define-fun x () Int (- 5)) (define-fun y () Real 1.0))";
        let reason = "assertion 2 depends on a division by zero";
        assert_eq!(judge(open), ModelVerdict::NotComparable(reason.into()));
        assert!(matches!(judge("((define-fun x () Int 1.5))"), ModelVerdict::Unreadable(_)));
    }
}

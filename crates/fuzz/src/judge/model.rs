//! Whether the text that a solver prints after `sat` is a model.

use sundry_external::{Escapes, Inquiry, Reply, with_standard_escapes};
use sundry_smtlib::{Formula, SourceText, print_formula_with_model, read_models};
use sundry_term::{Control, EvaluationError, Evaluator, Model, Open, SymbolId, TermStore, Value};

/// The verdict on a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelVerdict {
    /// All assertions hold.
    Valid,
    /// An assertion, by its number, is false however open values are taken.
    Invalid(usize),
    /// Some assertions depend on a result that the standard leaves open or on a value that the model omits, or there
    /// was no time for them; no assertion is known to be false.
    NotComparable(String),
}

/// The model after a solver's only answer, judged. The solver means these escapes in strings. `None` if it prints no model.
pub fn judge_reply(
    store: &mut TermStore,
    formula: &Formula,
    (reply, escapes): (&Reply, Escapes),
    control: &Control,
) -> Option<(Model, ModelVerdict)> {
    judge_answer(store, formula, (reply.answers().first()?.behind.first()?, escapes), control)
}

/// Reads the model of a formula that a solver prints, and judges it. Symbols that it omits may have any value.
/// Strings have the escapes of the solver; where the model is right only with those of others, it counts as right: there are solvers that
/// print other escapes than they read. `None` if the text is not a model.
pub(crate) fn judge_answer(
    store: &mut TermStore,
    formula: &Formula,
    (text, escapes): (&str, Escapes),
    control: &Control,
) -> Option<(Model, ModelVerdict)> {
    let mut judge = |text: &str| {
        let model = read_model(store, formula, text).ok()?;
        let verdict = judge_model(store, formula, &model, control);
        Some((model, verdict))
    };
    let Some(older) = with_standard_escapes(text) else { return judge(text) };
    let [meant, other] = match escapes {
        Escapes::Standard => [text, older.as_str()],
        Escapes::Older => [older.as_str(), text],
    };
    let meant = judge(meant);
    let is_certain = matches!(meant, Some((_, ModelVerdict::Valid)));
    let other = if is_certain { None } else { judge(other) };
    let rank = |verdict: &ModelVerdict| match verdict {
        ModelVerdict::Valid => 0,
        ModelVerdict::NotComparable(_) => 1,
        ModelVerdict::Invalid(_) => 2,
    };
    // Of two that fit as well, the first is taken.
    meant.into_iter().chain(other).min_by_key(|(_, verdict)| rank(verdict))
}

/// Reads the model of a formula that a solver prints. Symbols that it omits may have any value.
///
/// # Errors
/// The reason for which the text is not a model.
pub fn read_model(store: &mut TermStore, formula: &Formula, text: &str) -> Result<Model, String> {
    let source = SourceText::new("model", text);
    let mut models = read_models(store, &source, &formula.symbols).map_err(|error| error.message)?;
    match (models.pop(), models.len()) {
        (Some(mut read), 0) => {
            for symbol in read.missing {
                read.model.set_open(symbol, Open::Unnamed);
            }
            Ok(read.model)
        }
        (_, others) => Err(format!("{} models instead of one", others + 1)),
    }
}

/// Judges a model by the assertions of a formula. Assertions for which there is no time are not comparable.
pub fn judge_model(store: &TermStore, formula: &Formula, model: &Model, control: &Control) -> ModelVerdict {
    let mut open = None;
    // Terms that assertions share, and the size of the store, count once.
    let mut evaluator = Evaluator::with_control(store, model, control);
    for (number, &assertion) in formula.assertions.iter().enumerate() {
        let reason = match evaluator.evaluate(&[assertion]) {
            Err(error @ EvaluationError::Stopped(_)) => {
                return ModelVerdict::NotComparable(error.to_string());
            }
            Err(error) => error.to_string(),
            Ok(()) => match (evaluator.value(assertion), evaluator.open(assertion)) {
                (Some(Value::Bool(true)), _) => continue,
                (_, Some(reason)) => format!("assertion {} depends on {reason}", number + 1),
                (_, None) => return ModelVerdict::Invalid(number),
            },
        };
        open.get_or_insert(reason);
    }
    open.map_or(ModelVerdict::Valid, ModelVerdict::NotComparable)
}

/// A script that asks whether the formula holds with the values of a model. Symbols without a value in the model stay
/// unknown.
pub fn inquiry_with_model(store: &TermStore, formula: &Formula, model: &Model) -> Inquiry {
    let told: Vec<SymbolId> =
        formula.symbols.iter().copied().filter(|&symbol| model.open(symbol).is_none()).collect();
    // A symbol needs the features that its value needs.
    let commands = formula.script(store).commands;
    let text = print_formula_with_model(store, formula, model, &told);
    Inquiry::printed(store, text, commands.iter().map(|(command, _)| command))
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{TheorySet, parse_script};

    use super::*;

    const FORMULA: &str =
        "(declare-fun x () Int) (declare-fun y () Real) (assert (< x 3)) (assert (= (/ y 0) 1))";

    fn formula(store: &mut TermStore) -> Formula {
        let script = parse_script(store, &SourceText::new("formula", FORMULA), TheorySet::ALL);
        script.expect("a legal script").formula()
    }

    fn judge(text: &str) -> Result<ModelVerdict, String> {
        let mut store = TermStore::new();
        let formula = formula(&mut store);
        let model = read_model(&mut store, &formula, text)?;
        Ok(judge_model(&store, &formula, &model, &Control::default()))
    }

    #[test]
    fn models_are_judged_as_far_as_they_tell() {
        let invalid = "((define-fun x () Int 5) (define-fun y () Real 0.0))";
        assert_eq!(judge(invalid), Ok(ModelVerdict::Invalid(0)));
        let open = "((define-fun x () Int (- 5)) (define-fun y () Real 1.0))";
        let reason = "assertion 2 depends on a division by zero";
        assert_eq!(judge(open), Ok(ModelVerdict::NotComparable(reason.into())));
        assert!(judge("((define-fun x () Int 1.5))").is_err());
        assert!(judge("").is_err());
    }

    #[test]
    fn what_there_is_no_time_for_is_not_comparable() {
        let mut store = TermStore::new();
        let factors = "x ".repeat(5_000);
        let text = format!("(declare-const x (_ BitVec 4096)) (assert (= x (bvmul {factors})))");
        let script = parse_script(&mut store, &SourceText::new("formula", text), TheorySet::ALL);
        let formula = script.expect("a legal script").formula();
        let stop = Control::default().with_deadline(Some(std::time::Instant::now()));
        let verdict = judge_model(&store, &formula, &Model::new(), &stop);
        assert!(matches!(verdict, ModelVerdict::NotComparable(_)), "{verdict:?}");
    }

    #[test]
    fn what_a_model_leaves_out_may_be_anything() {
        let reason = "assertion 1 depends on a value that the model does not tell";
        assert_eq!(judge("((define-fun y () Real 0.0))"), Ok(ModelVerdict::NotComparable(reason.into())));
    }

    #[test]
    fn a_model_can_be_put_to_another_solver() {
        let mut store = TermStore::new();
        let formula = formula(&mut store);
        let model = read_model(&mut store, &formula, "((define-fun x () Int 5))").expect("a model");
        let script = inquiry_with_model(&store, &formula, &model).text.into_string();
        assert_eq!(
            script,
            "(set-logic ALL)\n(declare-fun y () Real)\n(define-fun x () Int 5)\n\
             (assert (< x 3))\n(assert (= (/ y 0.0) 1.0))\n(check-sat)\n"
        );
    }

    #[test]
    fn names_that_look_like_commands_do_not_matter() {
        let mut store = TermStore::new();
        let text =
            "(declare-fun |(assert| () Int) (declare-fun |(define-fun| (Int) Int) (declare-fun y () Int)
            (define-fun-rec up ((n Int)) Int (ite (< n y) (up (+ n 1)) n))
            (assert (= |(assert| (|(define-fun| y))) (assert (< (up |(assert|) 9)) (check-sat)";
        let script = parse_script(&mut store, &SourceText::new("formula", text), TheorySet::ALL);
        let formula = script.expect("a legal script").formula();
        let model = "((define-fun |(define-fun| ((n Int)) Int (ite (= n 3) 4 5)) (define-fun y () Int 3))";
        let model = read_model(&mut store, &formula, model).expect("a model");
        let script = inquiry_with_model(&store, &formula, &model).text.into_string();
        let source = SourceText::new("with a model", script.as_str());
        let read = parse_script(&mut TermStore::new(), &source, TheorySet::ALL).expect(&script);
        assert_eq!(read.formula().symbols.len(), 1, "one is declared: {script}");
        assert_eq!(read.formula().assertions.len(), 2, "{script}");
        assert!(script.contains("\n(define-fun y () Int 3)\n"), "{script}");
    }

    /// The verdict on a value of a string of two characters, and the number of characters that is read.
    fn of_two_characters(value: &str, escapes: Escapes) -> Option<(ModelVerdict, usize)> {
        let mut store = TermStore::new();
        let text = "(declare-fun s () String) (assert (= (str.len s) 2))";
        let script = parse_script(&mut store, &SourceText::new("formula", text), TheorySet::ALL);
        let formula = script.expect("a legal script").formula();
        let answer = format!("((define-fun s () String \"{value}\"))");
        let (model, verdict) = judge_answer(&mut store, &formula, (&answer, escapes), &Control::default())?;
        let Some(Value::String(text)) = model.constant(formula.symbols[0]) else {
            panic!("{value} is a string")
        };
        Some((verdict, text.characters().len()))
    }

    #[test]
    fn escapes_of_others_count_where_they_fit() {
        for escapes in [Escapes::Standard, Escapes::Older] {
            let judge = |value| of_two_characters(value, escapes);
            assert_eq!(judge("\\x00\\\\"), Some((ModelVerdict::Valid, 2)));
            assert_eq!(judge("\\u{0}b"), Some((ModelVerdict::Valid, 2)));
            assert_eq!(judge("\""), None);
        }
    }

    #[test]
    fn a_wrong_model_is_read_as_its_solver_means_it() {
        let read = |escapes| of_two_characters("a\\x00\\x00", escapes);
        assert_eq!(read(Escapes::Standard), Some((ModelVerdict::Invalid(0), 9)));
        assert_eq!(read(Escapes::Older), Some((ModelVerdict::Invalid(0), 3)));
    }
}

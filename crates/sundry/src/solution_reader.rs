//! Solutions from their texts: what one process has found, another one gets back.

use std::sync::Arc;

use sundry_sample::Problem;
use sundry_smtlib::{ModelReader, ReadModel, SourceText};
use sundry_term::{Control, Evaluator, FunctionValue, Stopped, SymbolId, quote_symbol};

use crate::coverage::with_open_results;
use crate::error::{Error, ErrorKind};
use crate::formula::Formula;
use crate::solution::Solution;

/// Reads solutions from texts: see [`Formula::solution_reader`].
///
/// ```
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let mut reader = formula.solution_reader();
/// assert!(reader.read("((define-fun p () Bool true))", &sundry::Control::default()).is_ok());
/// # Ok::<(), sundry::Error>(())
/// ```
pub struct SolutionReader {
    formula: Formula,
    /// The formula, with the terms that models need.
    problem: Problem,
    models: ModelReader,
}

impl Formula {
    /// Reads solutions of this formula from texts, as [`Solution::to_smtlib`] writes them and as solvers print models. One reader
    /// is to read all texts, since each one copies the terms of the formula.
    ///
    /// ```
    /// use sundry::{Answer, Control, Formula};
    ///
    /// let formula = Formula::parse("(declare-const x Int) (assert (> x 5))")?;
    /// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("6 is greater") };
    /// let again = formula.solution_reader().read(&solution.to_smtlib(), &Control::default())?;
    /// assert_eq!(again.value("x"), solution.value("x"));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn solution_reader(&self) -> SolutionReader {
        let mut problem = self.parts().problem.clone();
        let models = ModelReader::new(&mut problem.store, &problem.symbols);
        SolutionReader { formula: self.clone(), problem, models }
    }
}

impl SolutionReader {
    /// The solution that a text contains. A symbol that the text leaves out has the default value of its sort: false or zero. Where the formula
    /// depends on a result that the standard leaves open, such as that of a division by zero, a solver looks for one under which the formula holds.
    ///
    /// # Errors
    /// The text is not one model, the evaluator does not accept the model, a function is neither constant nor a list of points, or
    /// the control has stopped the evaluator.
    ///
    /// ```
    /// use sundry::{Control, Formula};
    ///
    /// let formula = Formula::parse("(declare-const x Int)\n(assert (> x 5))")?;
    /// let mut reader = formula.solution_reader();
    /// let error = reader.read("((define-fun x () Int 5))", &Control::default()).unwrap_err();
    /// assert_eq!(error.to_string(), "the model is no solution: the assertion at formula:2:1 is false");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn read(&mut self, text: &str, control: &Control) -> Result<Solution, Error> {
        let source = SourceText::new("model", text);
        let models = self.models.models(&mut self.problem.store, &source);
        let mut models = models.map_err(|diagnostic| Error::at(&diagnostic, &source))?;
        let (Some(ReadModel { mut model, .. }), true) = (models.pop(), models.is_empty()) else {
            return Err(Error::new(ErrorKind::Input, "the text does not contain exactly one model"));
        };
        let stopped = |reason| stopped(&self.formula.parts().source, reason);
        let store = &self.problem.store;
        if !self.problem.satisfied(&mut Evaluator::with_control(store, &model, control)).map_err(stopped)? {
            let Some(completed) = with_open_results(&self.problem, &model, control).map_err(stopped)? else {
                let fault = self.formula.fault(store, &model, control).map_err(stopped)?;
                return Err(Error::new(ErrorKind::Input, format_args!("the model is no solution: {fault}")));
            };
            model = completed;
        }
        let is_body = |&symbol: &SymbolId| matches!(model.function(symbol), Some(FunctionValue::Body { .. }));
        if let Some(symbol) = self.problem.symbols.iter().copied().find(is_body) {
            // The body is a term of this reader, and no term of the formula.
            let name = quote_symbol(&store.symbol(symbol).name);
            let message = format_args!("the function {name} is not a list of points");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Ok(Solution::new(self.formula.clone(), Arc::new(model)))
    }
}

/// The error of a model that was read completely when the control stopped the evaluator.
fn stopped(source: &SourceText, reason: Stopped) -> Error {
    Error::new(ErrorKind::Limit, format_args!("{}: {reason} before the model was judged", source.name()))
}

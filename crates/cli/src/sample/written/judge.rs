//! From the text of a solution to a verdict.

use std::ops::Range;

use sundry::coverage::{Completion, Control, Model, Problem, RowReader, Stopped, Verifier};

use crate::arguments::OutputFormat;
use crate::formula::LoadedFormula;
use crate::output::Shape;

/// Terms that values may have been read as before they are forgotten.
const MOST_TERMS: usize = 1 << 20;

/// Why a text is not taken for a solution.
pub(super) enum Fault {
    /// The text is not a solution, for this reason.
    Wrong(String),
    /// The judge was stopped before the verdict.
    Stopped(Stopped),
}

impl From<Stopped> for Fault {
    fn from(reason: Stopped) -> Fault {
        Fault::Stopped(reason)
    }
}

/// Makes models of texts, and judges them.
pub(super) struct Judge {
    format: OutputFormat,
    /// A copy of the formula's, whose store grows while values are read.
    problem: Problem,
    rows: RowReader,
    /// Completes rows, which have no room for some values.
    completion: Option<Completion>,
    verifier: Verifier,
    /// Whether the places of values in the text are enough to read them.
    stands_alone: bool,
}

impl Judge {
    /// A judge of solutions of a formula, written in this format.
    pub(super) fn new(formula: &LoadedFormula, format: OutputFormat) -> Self {
        let mut problem = formula.problem().clone();
        let rows = match format {
            OutputFormat::Smt2 => RowReader::of_symbols(&formula.formula, &mut problem.store),
            _ => RowReader::new(&formula.formula, &mut problem.store),
        };
        let is_constant = |&symbol: &_| problem.store.symbol(symbol).arguments.is_empty();
        let stands_alone = format != OutputFormat::Smt2 || problem.symbols.iter().all(is_constant);
        let completion = (format != OutputFormat::Smt2).then(|| Completion::new(&problem));
        let completion = completion.filter(|completion| !completion.is_idle());
        Judge { format, rows, completion, verifier: Verifier::new(&problem), stands_alone, problem }
    }

    /// The model that a solution's text says, given where its values are.
    pub(super) fn model(
        &mut self,
        shape: &Shape,
        solution: &[u8],
        values: &[Range<usize>],
        control: &Control,
    ) -> Result<Model, Fault> {
        if !self.stands_alone || shape.has_universes(solution) {
            let text = std::str::from_utf8(solution).map_err(|error| Fault::Wrong(error.to_string()))?;
            return self.rows.printed(&mut self.problem.store, text).map_err(Fault::Wrong);
        }
        let texts = values.iter().map(|range| shape.value(&solution[range.clone()]));
        let texts = texts.collect::<Option<Vec<_>>>();
        let texts = texts.ok_or_else(|| Fault::Wrong("its values are not text".to_string()))?;
        let cells: Vec<(usize, &str)> =
            texts.iter().enumerate().map(|(cell, text)| (cell, &**text)).collect();
        let model = self.rows.model(&mut self.problem.store, &cells);
        let model = model.map_err(|error| Fault::Wrong(error.text(&self.rows, &cells)))?;
        match &mut self.completion {
            Some(completion) => Ok(completion.complete(&mut self.problem, model, control)?),
            None => Ok(model),
        }
    }

    /// Judges models together; of the first that is none, its position and why.
    pub(super) fn first_wrong(
        &mut self,
        formula: &LoadedFormula,
        models: &[Model],
        control: &Control,
    ) -> Result<(), (usize, Fault)> {
        let store = &self.problem.store;
        let wrong = self.verifier.first_wrong(&self.problem, store, models, control);
        match wrong.map_err(|reason| (0, reason.into()))? {
            Some(position) => {
                let fault = formula.formula.fault(store, &models[position], control);
                Err((position, fault.map_or_else(Fault::Stopped, |fault| Fault::Wrong(fault.to_string()))))
            }
            None => {
                self.forget(formula);
                Ok(())
            }
        }
    }

    /// Forgets the terms that values were read as, once there are many.
    fn forget(&mut self, formula: &LoadedFormula) {
        let grown = self.problem.store.term_count() - formula.problem().store.term_count();
        if grown > MOST_TERMS {
            *self = Judge::new(formula, self.format);
        }
    }
}

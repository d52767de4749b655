//! Formulas from files and standard input, ready to be sampled or measured.

use rustc_hash::FxHashMap;
use sundry::read::{Note, ReadFormula, read_formula_with, read_predicates};
use sundry::{Error, ErrorKind};
use sundry_coverage::Predicate;
use sundry_models::{Column, Group};
use sundry_sample::{PredicateError, Problem};
use sundry_smtlib::{Parser, SourceText, Span};
use sundry_solver::Refusal;
use sundry_term::{Evaluator, Stopped, SymbolId, TermId, TermStore};

use crate::arguments::{InputFormat, OutputFormat};
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::input::Input;
use crate::interrupt::Begun;
use crate::model::format_of;
use crate::output::SolutionWriter;

/// A formula with the text it was read from.
pub struct LoadedFormula {
    /// When reading it began, and what stops all work on it.
    pub begun: Begun,
    /// The text.
    pub source: SourceText,
    /// Where what is asserted stands in the text.
    pub places: FxHashMap<TermId, Span>,
    /// What is to be sampled or measured.
    pub problem: Problem,
    /// How solutions are shown in tables; none where that is as SMT-LIB has them.
    pub columns: Option<Vec<Column>>,
    /// Sub-models that the text asks for, with their places.
    pub groups: Vec<Group>,
}

impl LoadedFormula {
    /// Reads a formula: what is asserted at the first `check-sat`, or at the end where there is
    /// none. Tells which one was taken when there are several.
    ///
    /// # Errors
    /// It cannot be read, is no text, no SMT-LIB script, or uses what is not supported; or there was no time to read it.
    pub fn read(
        input: &Input,
        format: Option<InputFormat>,
        begun: Begun,
        console: &Console,
    ) -> Result<Self, Failure> {
        let (formula, ()) = Self::read_with(input, format, begun, console, |_, _| Ok(()))?;
        Ok(formula)
    }

    /// [`read`](Self::read), and the predicates of a file over the symbols of the formula.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), for both texts; or there is no predicate.
    pub fn read_with_predicates(
        input: &Input,
        format: Option<InputFormat>,
        predicates: &Input,
        begun: Begun,
        console: &Console,
    ) -> Result<(Self, Vec<Predicate>), Failure> {
        let source = predicates.read(&begun.control)?;
        let at_question = |parser: &mut Parser, store: &mut TermStore| {
            let (predicates, notes) =
                read_predicates(parser, store, &source).map_err(|error| Failure::from(&error))?;
            tell_notes(source.name(), &notes, console);
            Ok(predicates)
        };
        Self::read_with(input, format, begun, console, at_question)
    }

    fn read_with<T>(
        input: &Input,
        format: Option<InputFormat>,
        begun: Begun,
        console: &Console,
        at_question: impl FnOnce(&mut Parser, &mut TermStore) -> Result<T, Failure>,
    ) -> Result<(Self, T), Failure> {
        let source = input.read(&begun.control)?;
        let format = format_of(format, input, &source);
        let (formula, read) = read_formula_with(source, format, &begun.control, at_question)
            .map_err(|error| unreadable(&error, &input.to_string()))?;
        let ReadFormula { source, problem, places, columns, groups, notes } = formula;
        tell_notes(source.name(), &notes, console);
        Ok((LoadedFormula { begun, source, places, problem, columns, groups }, read?))
    }

    /// The name of the formula in messages and records.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The command that asserts a term, if any.
    pub fn place_of_assertion(&self, term: TermId) -> Option<Span> {
        self.places.get(&term).copied()
    }

    /// Why the model of an evaluator is no solution: names the first assertion that is false.
    ///
    /// # Errors
    /// There was no time to find it.
    pub fn fault(&self, evaluator: &mut Evaluator<'_>) -> Result<String, Stopped> {
        let position = self.problem.first_not_true(evaluator)?;
        let assertion = self.problem.assertions.get(position);
        Ok(match assertion.and_then(|&assertion| self.place_of_assertion(assertion)) {
            Some(span) => format!("the assertion at {} is false", place(&self.source, span.start)),
            None => format!("assertion {} is false", position + 1),
        })
    }

    /// Writes solutions in a format.
    pub fn writer(&self, format: OutputFormat) -> SolutionWriter<'_> {
        let writer = SolutionWriter::new(format, &self.problem.store, &self.problem.symbols);
        match &self.columns {
            Some(columns) => writer.with_columns(columns),
            None => writer,
        }
    }

    /// The constant that a name means: the name of a column, or else of the constant itself.
    pub fn constant_named(&self, name: &str) -> Option<SymbolId> {
        let column = self.columns.iter().flatten().find(|column| column.name == name);
        column.map(|column| column.symbol).or_else(|| {
            let problem = &self.problem;
            problem.symbols.iter().copied().find(|&symbol| *problem.store.symbol(symbol).name == *name)
        })
    }
}

/// A place of a text as messages name it.
pub fn place(source: &SourceText, offset: usize) -> String {
    let position = source.position(offset);
    format!("{}:{}:{}", source.name(), position.line, position.column)
}

/// Why predicates of a formula could not be decided.
pub fn predicate_failure(formula: &LoadedFormula, error: &PredicateError) -> Failure {
    let kind = match error {
        PredicateError::Refused(Refusal::TooLarge(_)) => FailureKind::Limit,
        PredicateError::Refused(Refusal::Unsupported(_)) => FailureKind::Unsupported,
        PredicateError::WrongModel(_) => FailureKind::Internal,
    };
    Failure::of(kind, formula.name(), error)
}

/// Tells what is worth knowing about a text.
pub fn tell_notes(name: &str, notes: &[Note], console: &Console) {
    for Note { place, message } in notes {
        match place {
            Some(place) => console.note(place, message),
            None => console.note(name, message),
        }
    }
}

/// The failure of a text that cannot be read.
fn unreadable(error: &Error, name: &str) -> Failure {
    let failure = match error.place() {
        Some(_) => Failure::from(error),
        None => Failure::from(error).mentioning(name),
    };
    match error.kind() {
        ErrorKind::Empty => failure.with_help(
            "a formula needs at least declarations and one (assert ...); \
             models of other formats need --input-format",
        ),
        _ => failure,
    }
}

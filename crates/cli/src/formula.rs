//! Formulas from files and standard input, ready to be sampled or measured.

use sundry::coverage::{Predicate, Problem};
use sundry::read::{Note, SourceText, read_formula_with, read_predicates};
use sundry::term::{Parser, TermStore};
use sundry::{Error, ErrorKind, Formula};

use crate::arguments::{InputFormat, OutputFormat};
use crate::console::Console;
use crate::failure::Failure;
use crate::input::Input;
use crate::interrupt::Begun;
use crate::model::format_of;
use crate::output::SolutionWriter;

/// A formula that a job works on.
pub struct LoadedFormula {
    /// When reading it began, and what stops all work on it.
    pub begun: Begun,
    /// The formula.
    pub formula: Formula,
}

impl LoadedFormula {
    /// Reads a formula: what is asserted at the first `check-sat`, or at the end where there is
    /// none. Tells which one was taken when there are several.
    ///
    /// # Errors
    /// The input cannot be read, is not text or not a script, or uses what is not supported; or time was up.
    pub fn read(
        input: &Input,
        format: Option<InputFormat>,
        begun: Begun,
        console: &Console,
    ) -> Result<Self, Failure> {
        Self::read_with(input, format, begun, console, |_, _| Ok(Vec::new()))
    }

    /// [`read`](Self::read), and the predicates of a file over the symbols of the formula.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), for both texts; or there is no predicate.
    pub fn read_with_predicates(
        input: &Input,
        format: Option<InputFormat>,
        predicates: &Input,
        begun: Begun,
        console: &Console,
    ) -> Result<Self, Failure> {
        let source = predicates.read(&begun.control)?;
        let at_question = |parser: &mut Parser, store: &mut TermStore| {
            let (predicates, notes) =
                read_predicates(parser, store, &source).map_err(|error| Failure::from(&error))?;
            tell_notes(source.name(), &notes, console);
            Ok(predicates)
        };
        Self::read_with(input, format, begun, console, at_question)
    }

    fn read_with(
        input: &Input,
        format: Option<InputFormat>,
        begun: Begun,
        console: &Console,
        at_question: impl FnOnce(&mut Parser, &mut TermStore) -> Result<Vec<Predicate>, Failure>,
    ) -> Result<Self, Failure> {
        let source = input.read(&begun.control)?;
        let format = format_of(format, input, &source);
        let (parts, predicates) = read_formula_with(source, format, &begun.control, at_question)
            .map_err(|error| unreadable(&error, &input.to_string()))?;
        tell_notes(parts.source.name(), &parts.notes, console);
        Ok(LoadedFormula { begun, formula: Formula::new(parts, predicates?) })
    }

    /// The same formula, in which each integer has so many low bits besides its sign.
    ///
    /// # Errors
    /// Time was up.
    pub fn with_integer_bits(self, integer_bits: u32) -> Result<Self, Failure> {
        let LoadedFormula { begun, formula } = self;
        let name = formula.parts().source.name().to_string();
        let formula = formula
            .with_integer_bits(integer_bits, &begun.control)
            .map_err(|error| Failure::from(&error).mentioning(&name))?;
        Ok(LoadedFormula { begun, formula })
    }

    /// The text of the formula.
    pub fn source(&self) -> &SourceText {
        &self.formula.parts().source
    }

    /// The terms of the formula.
    pub fn problem(&self) -> &Problem {
        &self.formula.parts().problem
    }

    /// The name of the formula in messages and records.
    pub fn name(&self) -> &str {
        self.source().name()
    }

    /// Writes solutions in a format.
    pub fn writer(&self, format: OutputFormat) -> SolutionWriter<'_> {
        let writer = SolutionWriter::new(format, &self.problem().store, &self.problem().symbols);
        match &self.formula.parts().columns {
            Some(columns) => writer.with_columns(columns),
            None => writer,
        }
    }
}

/// A place of a text as messages name it.
pub fn place(source: &SourceText, offset: usize) -> String {
    let position = source.position(offset);
    format!("{}:{}:{}", source.name(), position.line, position.column)
}

/// The failure of work on a formula that was read.
pub fn failure_of(formula: &LoadedFormula, error: &Error) -> Failure {
    let failure = Failure::from(error);
    match error.place() {
        Some(_) => failure,
        None => failure.naming(formula.name()),
    }
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

//! Texts of models, as solvers print them or as `sundry sample` writes them: whichever it is shows in the text.

use std::path::Path;

use sundry_smtlib::{Diagnostic, ModelReader, ModelText, ReadModel, SourceText};

use super::rows::{CsvRows, JsonRows, RowReader};
use super::{Completion, Control, MeasuredModel, Measurement, Stopped};
use crate::error::{Error, ErrorKind};

/// Words that solvers print before a model, or instead of one.
const VERDICTS: [&str; 5] = ["sat", "unsat", "unknown", "timeout", "success"];

/// The format of a text of models.
///
/// ```
/// use sundry::coverage::ModelFormat;
///
/// assert_eq!(ModelFormat::of_name("solutions.csv"), Some(ModelFormat::Csv));
/// assert_eq!(ModelFormat::of_name("answers"), None);
/// assert_eq!(ModelFormat::of_text("sat\n((define-fun p () Bool true))"), ModelFormat::Smt2);
/// assert_eq!(ModelFormat::of_text("{\"p\":\"true\"}"), ModelFormat::JsonLines);
/// assert_eq!(ModelFormat::of_text("p,q\ntrue,false\n"), ModelFormat::Csv);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ModelFormat {
    /// Lists of definitions in SMT-LIB, with anything that solvers print around them.
    Smt2,
    /// A table: the names of constants in the first line, their values in the others.
    Csv,
    /// Objects in JSON with a value in SMT-LIB for each constant, one in each line.
    JsonLines,
}

impl ModelFormat {
    /// The format that a file name says, if the name says one.
    ///
    /// ```
    /// use sundry::coverage::ModelFormat;
    ///
    /// assert_eq!(ModelFormat::of_name("out/million.csv"), Some(ModelFormat::Csv));
    /// ```
    pub fn of_name(path: impl AsRef<Path>) -> Option<ModelFormat> {
        match path.as_ref().extension()?.to_str()? {
            "csv" => Some(ModelFormat::Csv),
            "jsonl" | "ndjson" => Some(ModelFormat::JsonLines),
            _ => None,
        }
    }

    /// The format that the beginning of a text says.
    ///
    /// ```
    /// use sundry::coverage::ModelFormat;
    ///
    /// assert_eq!(ModelFormat::of_text("p,q\ntrue,false\n"), ModelFormat::Csv);
    /// ```
    pub fn of_text(text: &str) -> ModelFormat {
        let text = text.trim_start();
        let word = text.split([' ', '\t', '\r', '\n', '(', ';']).next().unwrap_or("");
        match text.chars().next() {
            Some('{') => ModelFormat::JsonLines,
            None | Some('(' | ';') => ModelFormat::Smt2,
            Some(_) if VERDICTS.contains(&word) => ModelFormat::Smt2,
            Some(_) => ModelFormat::Csv,
        }
    }
}

/// The models of a text, one by one: there may be millions.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Control, Measurement, ModelFormat, Models};
/// use sundry::read::SourceText;
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let (mut measurement, control) = (Measurement::new(&formula), Control::default());
/// let table = SourceText::new("table", "p,q\ntrue,false\nfalse,true\n");
/// let mut models = Models::new(&mut measurement, &table, ModelFormat::Csv, &control)?;
/// while let Some(mut model) = models.next(&mut measurement)? {
///     models.complete(&mut measurement, &mut model, &control)?;
///     assert!(measurement.add(&model.model, &control)?.fault.is_none());
/// }
/// assert_eq!(measurement.covered(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Models<'s> {
    source: &'s SourceText,
    text: Text<'s>,
    /// Finds what rows have no room for.
    completion: Option<Completion>,
}

enum Text<'s> {
    Printed(Box<(ModelText<'s>, ModelReader)>),
    Csv(Box<CsvRows<'s>>),
    Json(Box<JsonRows<'s>>),
}

impl<'s> Models<'s> {
    /// Begins to read a text.
    ///
    /// # Errors
    /// The text does not begin with models.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement, ModelFormat, Models};
    /// use sundry::read::SourceText;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let (mut measurement, control) = (Measurement::new(&formula), Control::default());
    /// let text = SourceText::new("table", "p\ntrue\n");
    /// assert!(Models::new(&mut measurement, &text, ModelFormat::Csv, &control).is_ok());
    /// let other = SourceText::new("table", "q\ntrue\n");
    /// assert!(Models::new(&mut measurement, &other, ModelFormat::Csv, &control).is_err());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn new(
        measurement: &mut Measurement,
        source: &'s SourceText,
        format: ModelFormat,
        control: &Control,
    ) -> Result<Self, Error> {
        let formula = measurement.formula.clone();
        let store = &mut measurement.problem.store;
        let text = match format {
            ModelFormat::Smt2 => {
                let reader = ModelReader::new(store, &formula.parts().problem.symbols);
                Text::Printed(Box::new((ModelText::new(source), reader.with_control(control))))
            }
            ModelFormat::Csv => {
                let rows = CsvRows::new(source, RowReader::new(&formula, store));
                Text::Csv(Box::new(rows.map_err(|diagnostic| Error::at(&diagnostic, source))?))
            }
            ModelFormat::JsonLines => {
                Text::Json(Box::new(JsonRows::new(source, RowReader::new(&formula, store))))
            }
        };
        let has_rows = format != ModelFormat::Smt2;
        let completion = has_rows.then(|| Completion::new(&measurement.problem));
        Ok(Models { source, text, completion: completion.filter(|completion| !completion.is_idle()) })
    }

    /// The next model, with a value for everything that the text says.
    ///
    /// # Errors
    /// The text is not a model.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement, ModelFormat, Models};
    /// use sundry::read::SourceText;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let (mut measurement, control) = (Measurement::new(&formula), Control::default());
    /// let text = SourceText::new("table", "p\ntrue\n");
    /// let mut models = Models::new(&mut measurement, &text, ModelFormat::Csv, &control)?;
    /// assert!(models.next(&mut measurement)?.is_some() && models.next(&mut measurement)?.is_none());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn next(&mut self, measurement: &mut Measurement) -> Result<Option<ReadModel>, Error> {
        self.next_of(measurement).map_err(|diagnostic| Error::at(&diagnostic, self.source))
    }

    fn next_of(&mut self, measurement: &mut Measurement) -> Result<Option<ReadModel>, Diagnostic> {
        let store = &mut measurement.problem.store;
        match &mut self.text {
            Text::Printed(printed) => {
                let (text, reader) = &mut **printed;
                reader.next(store, text)
            }
            Text::Csv(rows) => rows.next(store),
            Text::Json(rows) => rows.next(store),
        }
    }

    /// Adds what a row has no room for.
    ///
    /// # Errors
    /// The control has stopped the search.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement, ModelFormat, Models};
    /// use sundry::read::SourceText;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let (mut measurement, control) = (Measurement::new(&formula), Control::default());
    /// let text = SourceText::new("table", "p\ntrue\n");
    /// let mut models = Models::new(&mut measurement, &text, ModelFormat::Csv, &control)?;
    /// let mut model = models.next(&mut measurement)?.expect("there is one");
    /// models.complete(&mut measurement, &mut model, &control).unwrap();
    /// assert!(model.missing.is_empty());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn complete(
        &mut self,
        measurement: &mut Measurement,
        model: &mut ReadModel,
        control: &Control,
    ) -> Result<(), Stopped> {
        control.check()?;
        if let Some(completion) = &mut self.completion {
            model.model = completion.complete(&mut measurement.problem, model.model.clone(), control)?;
        }
        Ok(())
    }
}

impl Measurement {
    /// Adds all models of a text, in any format that `sundry sample` writes or solvers print; where none is given, the beginning of the
    /// text says which. A symbol that a model leaves out has the default value of its sort: false or zero.
    ///
    /// # Errors
    /// The text has something else than models, or the control has stopped the work.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut measurement = Measurement::new(&formula);
    /// let rows = measurement.add_text("p,q\ntrue,false\nfalse,false\n", None, &Control::default())?;
    /// assert_eq!(rows[0].gain, 3);
    /// assert_eq!(rows[1].fault.as_ref().map(ToString::to_string), Some("the assertion at formula:1:47 is false".to_string()));
    /// let objects = measurement.add_text("{\"p\":\"false\",\"q\":\"true\"}\n", None, &Control::default())?;
    /// assert_eq!((objects[0].gain, measurement.covered()), (2, 5));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn add_text(
        &mut self,
        text: &str,
        format: Option<ModelFormat>,
        control: &Control,
    ) -> Result<Vec<MeasuredModel>, Error> {
        let source = SourceText::new("models", text);
        let format = format.unwrap_or_else(|| ModelFormat::of_text(text));
        let mut models = Models::new(self, &source, format, control)?;
        let mut measured = Vec::new();
        let stopped = |reason: Stopped| {
            Error::new(ErrorKind::Limit, format!("{reason} before all models were measured"))
        };
        while let Some(mut model) = models.next(self)? {
            models.complete(self, &mut model, control).map_err(stopped)?;
            measured.push(self.add(&model.model, control).map_err(stopped)?);
        }
        Ok(measured)
    }
}

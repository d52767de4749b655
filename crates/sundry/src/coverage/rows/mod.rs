//! Rows of solutions, as `sample` writes them, read again: what CSV and JSON lines say of the constants of a formula.
//!
//! A row may leave open what a model says: auxiliary constants have no column, and there is no room for how many
//! elements declared sorts have. A row is a solution if it is one with some of these, so they are looked for
//! ([`Completion`](super::Completion)).

mod csv;
mod json;

use rustc_hash::FxHashMap;
use sundry_models::Column;
use sundry_report::untrusted::visible;
use sundry_smtlib::{Diagnostic, DiagnosticKind, ModelReader, SourceText, Span, print_value};
use sundry_term::{Model, SortDisplay, SymbolId, TermStore, Value};

pub(super) use self::csv::CsvRows;
pub(super) use json::JsonRows;

use crate::formula::Formula;

/// Values that are named in one message.
const NAMED: usize = 5;

/// Reads rows of a formula: texts of values by the cell that each is of, or the names of values where a model of a configurable
/// system gives them names.
///
/// ```
/// use sundry::coverage::RowReader;
/// use sundry::{Formula, Value};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const x (_ BitVec 8)) (assert p)")?;
/// let mut store = formula.parts().problem.store.clone();
/// let mut rows = RowReader::new(&formula, &mut store);
/// let x = rows.cell_named("x").expect("a constant");
/// let model = rows.model(&mut store, &[(x, "#x0f")]).unwrap();
/// assert_eq!(model.constant(formula.constant("x").unwrap()), Some(&Value::BitVec(sundry::BitVector::from_u64(8, 15))));
/// let cells = [(x, "15")];
/// let error = rows.model(&mut store, &cells).unwrap_err();
/// assert!(error.text(&rows, &cells).starts_with("the value of 'x'"));
/// # Ok::<(), sundry::Error>(())
/// ```
pub struct RowReader {
    cells: Vec<Cell>,
    by_name: FxHashMap<String, usize>,
    reader: ModelReader,
}

/// A column of a table, or a name in objects.
struct Cell {
    name: String,
    symbol: SymbolId,
    /// The names of its values, if they have any.
    column: Option<Column>,
}

/// The fault of a row.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::RowReader;
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x10))")?;
/// let mut store = formula.parts().problem.store.clone();
/// let error = RowReader::new(&formula, &mut store).model(&mut store, &[(0, "true")]).unwrap_err();
/// assert_eq!(error.position, Some(0));
/// assert_eq!(error.expected.as_deref(), Some("a value of sort (_ BitVec 8) in SMT-LIB, such as #x00"));
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowError {
    /// The number of the value among those that were given; none where they do not go together.
    pub position: Option<usize>,
    /// The description of the fault.
    pub message: String,
    /// The expected text, if that helps.
    pub expected: Option<String>,
}

impl RowError {
    /// The description of the fault, with the constant that it is about.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::RowReader;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert p)")?;
    /// let mut store = formula.parts().problem.store.clone();
    /// let mut rows = RowReader::new(&formula, &mut store);
    /// let error = rows.model(&mut store, &[(1, "#b1")]).unwrap_err();
    /// assert!(error.text(&rows, &[(1, "#b1")]).contains("'q'"));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn text(&self, rows: &RowReader, cells: &[(usize, &str)]) -> String {
        let about = self.position.map(|position| format!("the value of '{}'", rows.name(cells[position].0)));
        match about.filter(|about| !self.message.starts_with(about)) {
            Some(about) => format!("{about}: {}", self.message),
            None => self.message.clone(),
        }
    }

    /// The error at a place of a text.
    fn at(&self, span: Span, rows: &RowReader, cells: &[(usize, &str)]) -> Diagnostic {
        let message = self.text(rows, cells);
        let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message);
        match &self.expected {
            Some(expected) => diagnostic.with_expected(expected),
            None => diagnostic,
        }
    }
}

impl RowReader {
    /// A reader of rows of a formula, whose terms the store has. The cells are what solutions show: the columns of a model of a
    /// configurable system, or else all declared symbols.
    ///
    /// ```
    /// use sundry::coverage::RowReader;
    /// use sundry::{Format, Formula};
    ///
    /// // The second variable is auxiliary.
    /// let text = "c 1 p\nc 2$ helper\np cnf 2 2\n1 -2 0\n-1 2 0\n";
    /// let formula = Formula::reader().format(Format::Dimacs).read(text)?;
    /// let mut store = formula.parts().problem.store.clone();
    /// assert_eq!(RowReader::new(&formula, &mut store).width(), 1);
    /// assert_eq!(RowReader::of_symbols(&formula, &mut store).width(), 2);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn new(formula: &Formula, store: &mut TermStore) -> Self {
        let Some(columns) = &formula.parts().columns else { return RowReader::of_symbols(formula, store) };
        let cell = |column: &Column| Cell {
            name: column.name.clone(),
            symbol: column.symbol,
            column: (!column.levels.is_empty()).then(|| column.clone()),
        };
        Self::with_cells(formula, store, columns.iter().map(cell).collect())
    }

    /// A reader of rows that have a cell for each declared symbol, auxiliary ones too.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::RowReader;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert p)")?;
    /// let mut store = formula.parts().problem.store.clone();
    /// let rows = RowReader::of_symbols(&formula, &mut store);
    /// assert_eq!(rows.cell_named("q"), Some(1));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn of_symbols(formula: &Formula, store: &mut TermStore) -> Self {
        let problem = &formula.parts().problem;
        let name = |symbol| problem.store.symbol(symbol).name.to_string();
        let cells = problem.symbols.iter().map(|&symbol| Cell { name: name(symbol), symbol, column: None });
        Self::with_cells(formula, store, cells.collect())
    }

    fn with_cells(formula: &Formula, store: &mut TermStore, cells: Vec<Cell>) -> Self {
        let reader = ModelReader::new(store, &formula.parts().problem.symbols);
        let by_name = cells.iter().enumerate().map(|(number, cell)| (cell.name.clone(), number)).collect();
        RowReader { cells, by_name, reader }
    }

    /// The number of cells of a row that leaves nothing out.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::RowReader;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert p)")?;
    /// let mut store = formula.parts().problem.store.clone();
    /// let rows = RowReader::new(&formula, &mut store);
    /// assert_eq!(rows.width(), 2);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn width(&self) -> usize {
        self.cells.len()
    }

    /// The number of the cell with a name.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::RowReader;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert p)")?;
    /// let mut store = formula.parts().problem.store.clone();
    /// let rows = RowReader::new(&formula, &mut store);
    /// assert_eq!((rows.cell_named("q"), rows.cell_named("r")), (Some(1), None));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn cell_named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The name of a cell.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::RowReader;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert p)")?;
    /// let mut store = formula.parts().problem.store.clone();
    /// let rows = RowReader::new(&formula, &mut store);
    /// assert_eq!(rows.name(0), "p");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn name(&self, cell: usize) -> &str {
        &self.cells[cell].name
    }

    /// The constants of these cells.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::RowReader;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert p)")?;
    /// let mut store = formula.parts().problem.store.clone();
    /// let rows = RowReader::new(&formula, &mut store);
    /// assert_eq!(rows.symbols(0..2), formula.parts().problem.symbols);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn symbols(&self, cells: impl Iterator<Item = usize>) -> Vec<SymbolId> {
        cells.map(|cell| self.cells[cell].symbol).collect()
    }

    /// The model that a text is as it is printed in SMT-LIB.
    ///
    /// # Errors
    /// The text is not a model, or contains several models.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::RowReader;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert p)")?;
    /// let mut store = formula.parts().problem.store.clone();
    /// let mut rows = RowReader::new(&formula, &mut store);
    /// let model = rows.printed(&mut store, "((define-fun p () Bool true))").unwrap();
    /// assert_eq!(model.constants().count(), 1);
    /// assert!(rows.printed(&mut store, "() ()").is_err());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn printed(&mut self, store: &mut TermStore, text: &str) -> Result<Model, String> {
        let models = self.reader.models(store, &SourceText::new("", text));
        let mut models = models.map_err(|diagnostic| diagnostic.message)?;
        match models.pop() {
            Some(read) if models.is_empty() => Ok(read.model),
            _ => Err("it is not one model".to_string()),
        }
    }

    /// The model in which cells have the values of these texts.
    ///
    /// # Errors
    /// A text is no value of its cell.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::RowReader;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert p)")?;
    /// let mut store = formula.parts().problem.store.clone();
    /// let mut rows = RowReader::new(&formula, &mut store);
    /// let model = rows.model(&mut store, &[(0, "true"), (1, "false")]).unwrap();
    /// assert_eq!(model.constants().count(), 2);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn model(&mut self, store: &mut TermStore, texts: &[(usize, &str)]) -> Result<Model, RowError> {
        let mut values = Vec::with_capacity(texts.len());
        let mut positions = Vec::with_capacity(texts.len());
        let mut levels = Vec::new();
        for (position, &(number, text)) in texts.iter().enumerate() {
            let cell = &self.cells[number];
            match &cell.column {
                None => {
                    positions.push(position);
                    values.push((cell.symbol, text));
                }
                Some(column) => match column.value_named(store, text) {
                    Some(value) => levels.push((cell.symbol, value)),
                    None => return Err(no_level(column, text, position)),
                },
            }
        }
        let mut model = self.reader.values(store, &values).map_err(|error| {
            let position = error.position.map(|position| positions[position]);
            let expected = error.position.map(|position| expected(store, values[position].0));
            RowError { position, message: error.diagnostic.message, expected }
        })?;
        for (symbol, value) in levels {
            model.set_constant(symbol, value);
        }
        Ok(model)
    }
}

/// A text that names no value of its column.
fn no_level(column: &Column, text: &str, position: usize) -> RowError {
    let names: Vec<String> =
        column.levels.iter().take(NAMED).map(|level| format!("'{}'", level.name())).collect();
    let more = if column.levels.len() > NAMED { " and so on" } else { "" };
    RowError {
        position: Some(position),
        message: format!("there is no '{}'", visible(text)),
        expected: Some(format!("one of {}{more}", names.join(", "))),
    }
}

/// The expectation of a message: a sort, and an example of a value.
fn expected(store: &TermStore, symbol: SymbolId) -> String {
    let declared = store.symbol(symbol);
    let sort = SortDisplay::new(store, declared.result);
    if !declared.arguments.is_empty() {
        return "a function such as (lambda ((x SORT)) VALUE)".to_string();
    }
    let example = print_value(store, declared.result, &Value::default_of(store, declared.result));
    format!("a value of sort {sort} in SMT-LIB, such as {example}")
}

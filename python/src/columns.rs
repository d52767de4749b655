//! Solutions by columns, for numpy: millions of rows without an object for each value.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList};
use sundry::pipeline::{Event, PlainSolutions, PlainValue, Solutions, Summary};
use sundry::term::{Sort, SortId, SymbolId, TermStore};
use sundry::{Error, Formula, Model, Sampler, Value};

use crate::end::{self, End};
use crate::interruptible::{LOOK, Stop};
use crate::mailbox::{Mail, Mailbox};
use crate::names::{Named, Names};
use crate::values;

/// Tables that wait for a reader.
const ROOM: usize = 4;

/// The values of one constant in many solutions.
enum Column {
    Booleans(Vec<u8>),
    /// Bit-vectors of at most 64 bits.
    Words(Vec<u64>),
    /// Bit-vectors of more bits: so many words of 64 bits each, the least significant first.
    Wide(usize, Vec<u64>),
    Doubles(Vec<f64>),
    Floats(Vec<f32>),
    /// Anything else.
    Values(Vec<Value>),
}

impl Column {
    /// An empty column for values of a sort.
    fn new(sort: &Sort) -> Column {
        match sort {
            Sort::Bool => Column::Booleans(Vec::new()),
            Sort::BitVec(width) if *width <= 64 => Column::Words(Vec::new()),
            Sort::BitVec(width) => Column::Wide(width.div_ceil(64) as usize, Vec::new()),
            Sort::Float(format) => match (format.exponent_bits(), format.significand_bits()) {
                (11, 53) => Column::Doubles(Vec::new()),
                (8, 24) => Column::Floats(Vec::new()),
                _ => Column::Values(Vec::new()),
            },
            _ => Column::Values(Vec::new()),
        }
    }

    fn push(&mut self, value: &Value) {
        match (self, value) {
            (Column::Booleans(column), Value::Bool(value)) => column.push(u8::from(*value)),
            (Column::Words(column), Value::BitVec(bits)) => column.push(bits.limbs()[0]),
            (Column::Wide(_, column), Value::BitVec(bits)) => column.extend(bits.limbs()),
            (Column::Doubles(column), Value::Float(float)) => {
                column.push(float.to_f64().unwrap_or(f64::NAN));
            }
            (Column::Floats(column), Value::Float(float)) => {
                column.push(float.to_f64().unwrap_or(f64::NAN) as f32);
            }
            (Column::Values(column), value) => column.push(value.clone()),
            _ => unreachable!("a column has values of one sort"),
        }
    }

    fn push_plain(&mut self, value: &PlainValue<'_>) {
        match (self, value) {
            (Column::Booleans(column), PlainValue::Bool(value)) => column.push(u8::from(*value)),
            (Column::Words(column), PlainValue::Bits(bits)) => column.push(bits.limb(0)),
            (Column::Wide(words, column), PlainValue::Bits(bits)) => {
                column.extend((0..*words).map(|number| bits.limb(number)));
            }
            _ => unreachable!("plain values are truth values and bit-vectors"),
        }
    }

    /// The column as an object: the kind of its items, and the bytes or the list of them.
    fn object<'py>(
        &self,
        py: Python<'py>,
        store: &TermStore,
        sort: SortId,
    ) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
        let bytes = |bytes: &[u8]| PyByteArray::new(py, bytes).into_any();
        Ok(match self {
            Column::Booleans(column) => ("bool", bytes(column)),
            Column::Words(column) => ("uint64", bytes(&joined(column, |word| word.to_le_bytes()))),
            Column::Doubles(column) => ("float64", bytes(&joined(column, |number| number.to_le_bytes()))),
            Column::Floats(column) => ("float32", bytes(&joined(column, |number| number.to_le_bytes()))),
            Column::Wide(words, column) => {
                let numbers: PyResult<Vec<_>> =
                    column.chunks(*words).map(|words| values::from_words(py, words)).collect();
                ("object", PyList::new(py, numbers?)?.into_any())
            }
            Column::Values(column) => match small_integers(column) {
                Some(small) => ("int64", bytes(&joined(&small, |number| number.to_le_bytes()))),
                None => {
                    let objects: PyResult<Vec<_>> =
                        column.iter().map(|value| values::object(py, store, sort, value)).collect();
                    ("object", PyList::new(py, objects?)?.into_any())
                }
            },
        })
    }
}

/// Integers of 64 bits, if the values are such.
fn small_integers(column: &[Value]) -> Option<Vec<i64>> {
    let small = |value: &Value| match value {
        Value::Int(value) => i64::try_from(value).ok(),
        _ => None,
    };
    column.iter().map(small).collect()
}

/// The bytes of numbers, as memory has them on this kind of machine.
fn joined<T: Copy, const N: usize>(numbers: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| bytes(number)).collect()
}

/// Some rows.
struct Table {
    columns: Vec<Column>,
    rows: usize,
}

/// The layout of tables.
struct Layout {
    formula: Formula,
    /// The names of the columns.
    names: Vec<String>,
    /// The shown constants that have values of their own, functions left out.
    symbols: Vec<SymbolId>,
    /// The column of each symbol of the problem, for those that have one.
    columns: Vec<Option<usize>>,
}

impl Layout {
    fn new(formula: &Formula, names: &Names) -> Layout {
        let problem = &formula.parts().problem;
        let is_constant = |named: &&Named| problem.store.symbol(named.symbol).arguments.is_empty();
        let (names, symbols): (Vec<String>, Vec<SymbolId>) =
            names.all.iter().filter(is_constant).map(|named| (named.name.clone(), named.symbol)).unzip();
        let positions: HashMap<SymbolId, usize> =
            symbols.iter().enumerate().map(|(position, &symbol)| (symbol, position)).collect();
        let columns = problem.symbols.iter().map(|symbol| positions.get(symbol).copied()).collect();
        Layout { formula: formula.clone(), names, symbols, columns }
    }

    fn store(&self) -> &TermStore {
        &self.formula.parts().problem.store
    }

    fn table(&self) -> Table {
        let store = self.store();
        let column = |&symbol: &SymbolId| Column::new(store.sort(store.symbol(symbol).result));
        Table { columns: self.symbols.iter().map(column).collect(), rows: 0 }
    }

    fn add(&self, table: &mut Table, solutions: &Solutions<'_>) {
        match solutions.plain() {
            Some(plain) => self.add_plain(table, &plain),
            None => solutions.models().for_each(|model| self.add_model(table, &model)),
        }
    }

    fn add_plain(&self, table: &mut Table, plain: &PlainSolutions<'_>) {
        for lane in plain.lanes() {
            for (value, &column) in plain.values(lane).zip(&self.columns) {
                if let Some(column) = column {
                    table.columns[column].push_plain(&value);
                }
            }
            table.rows += 1;
        }
    }

    fn add_model(&self, table: &mut Table, model: &Model) {
        let store = self.store();
        for (column, &symbol) in table.columns.iter_mut().zip(&self.symbols) {
            match model.constant(symbol) {
                Some(value) => column.push(value),
                None => column.push(&Value::default_of(store, store.symbol(symbol).result)),
            }
        }
        table.rows += 1;
    }
}

/// A search in a thread of its own, and the iterator of tables of its solutions.
#[pyclass(frozen, module = "sundry._native")]
pub struct ColumnRun {
    layout: Arc<Layout>,
    stop: Stop,
    mailbox: Arc<Mailbox<Table, u64, End>>,
    /// Called with the number of solutions so far.
    on_progress: Option<Py<PyAny>>,
}

impl ColumnRun {
    /// Starts a search whose tables have so many rows each, but for the last one. The function is called with the number of
    /// solutions while it grows.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn start(
        formula: &Formula,
        names: &Names,
        sampler: Sampler,
        stop: Stop,
        rows: usize,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<ColumnRun> {
        let layout = Arc::new(Layout::new(formula, names));
        let mailbox = Arc::new(Mailbox::new(ROOM));
        let (own, sender) = (Arc::clone(&layout), Arc::clone(&mailbox));
        thread::Builder::new()
            .name("sundry-columns".to_string())
            .spawn(move || {
                let mut output = Output {
                    layout: &own,
                    mailbox: &sender,
                    rows,
                    table: own.table(),
                    sent: 0,
                    reported: Instant::now(),
                };
                let search = AssertUnwindSafe(|| search(&sampler, &mut output));
                let end = catch_unwind(search).ok();
                let Output { mut table, sent, .. } = output;
                if let Some(Ok(summary)) = &end {
                    summary.solutions().iter().for_each(|rated| own.add_model(&mut table, &rated.model));
                }
                sender.report(sent + table.rows as u64);
                sender.close((table.rows > 0).then_some(table), end);
            })
            .map_err(|error| PyOSError::new_err(format!("no thread can be started: {error}")))?;
        Ok(ColumnRun { layout, stop, mailbox, on_progress })
    }
}

/// The least time between two reports of the number of solutions.
const PAUSE: Duration = Duration::from_millis(100);

/// The tables of a search, on their way to the reader.
struct Output<'a> {
    layout: &'a Layout,
    mailbox: &'a Mailbox<Table, u64, End>,
    /// The number of rows of a full table.
    rows: usize,
    /// The table that is not yet full.
    table: Table,
    /// Rows in the tables that were sent.
    sent: u64,
    /// The time of the last report.
    reported: Instant,
}

impl Output<'_> {
    /// Adds solutions, sends the table if it is full, and reports their number now and then. Whether anybody wants more.
    fn add(&mut self, solutions: &Solutions<'_>) -> bool {
        self.layout.add(&mut self.table, solutions);
        if self.reported.elapsed() >= PAUSE {
            self.reported = Instant::now();
            self.mailbox.report(self.sent + self.table.rows as u64);
        }
        if self.table.rows < self.rows {
            return true;
        }
        self.sent += self.table.rows as u64;
        self.mailbox.send([std::mem::replace(&mut self.table, self.layout.table())])
    }
}

/// Searches and sends full tables.
fn search(sampler: &Sampler, output: &mut Output<'_>) -> Result<Summary, Error> {
    sampler.observe(&mut |event| match event {
        Event::Solutions(solutions) if !output.add(&solutions) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
}

#[pymethods]
impl ColumnRun {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// The next table: the number of rows, and for each column the kind of its items with their bytes or a list of them.
    #[expect(clippy::type_complexity, reason = "a tuple is what Python takes apart")]
    fn __next__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(usize, Vec<(&'static str, Bound<'py, PyAny>)>)>> {
        loop {
            match py.detach(|| self.mailbox.receive(LOOK)) {
                Mail::Item(table) => {
                    let store = self.layout.store();
                    let columns = table.columns.iter().zip(&self.layout.symbols);
                    let columns = columns
                        .map(|(column, &symbol)| column.object(py, store, store.symbol(symbol).result));
                    return Ok(Some((table.rows, columns.collect::<PyResult<_>>()?)));
                }
                Mail::Progress(solutions) => {
                    if let Some(callback) = &self.on_progress {
                        callback.call1(py, (solutions,)).inspect_err(|_| self.stop.set())?;
                    }
                }
                Mail::Nothing => {}
                Mail::End => break,
            }
            py.check_signals().inspect_err(|_| self.stop.set())?;
        }
        self.mailbox.at_end(|end| end::check(py, end)).map(|()| None)
    }

    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.layout.names.clone()
    }

    /// The figures of the run, once it has ended.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.mailbox.at_end(|end| end::figures(py, end, &self.layout.formula))
    }
}

impl Drop for ColumnRun {
    fn drop(&mut self) {
        self.stop.set();
        self.mailbox.abandon();
    }
}

//! Writes solutions as they come: whole ones only, and never one that the file has already.

use std::fs::File;
use std::io::Write;
use std::iter;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sundry::Model;
use sundry::pipeline::{Solutions, Unique};

use super::earlier::{Earlier, hash};
use crate::failure::Failure;
use crate::formula::LoadedFormula;
use crate::output::{OutputFile, PlainWriter, SolutionWriter, write_results};
use crate::progress::FormulaProgress;
use crate::values::{counted, grouped};

/// The time between two reports of progress.
const TICK: Duration = Duration::from_millis(200);

/// The place for solutions.
pub enum Output<'a> {
    /// Standard output.
    Standard,
    /// A file, in place of what it has.
    File(&'a OutputFile),
    /// A file, behind what it has.
    Continued(&'a OutputFile, Earlier),
    /// Only figures are wanted.
    Nowhere,
}

impl<'a> Output<'a> {
    /// Opens it. A file is opened when there is something to write, so there is none without solutions; but where an
    /// earlier run was cut while it wrote, its last solution is cut off now.
    fn open(self) -> Result<(Sink<'a>, Option<Earlier>), Failure> {
        match self {
            Output::Standard => Ok((Sink::Standard, None)),
            Output::Nowhere => Ok((Sink::Nowhere, None)),
            Output::File(name) => Ok((Sink::Waiting(name), None)),
            Output::Continued(name, earlier) if earlier.length == 0 => {
                Ok((Sink::Waiting(name), Some(earlier)))
            }
            Output::Continued(name, earlier) => {
                let length = earlier.length;
                let opened = name.continue_at(length);
                let file = opened.map_err(|error| Failure::writing(name.name(), &error))?;
                Ok((Sink::File { name, file, length }, Some(earlier)))
            }
        }
    }
}

/// The place for text.
enum Sink<'a> {
    Standard,
    Waiting(&'a OutputFile),
    File {
        name: &'a OutputFile,
        file: File,
        /// The number of its bytes.
        length: u64,
    },
    Nowhere,
}

impl Sink<'_> {
    /// Writes the text of whole solutions at once, so that a kill leaves whole ones but for the last.
    fn write(&mut self, text: &[u8]) -> Result<(), Failure> {
        match self {
            Sink::Nowhere => Ok(()),
            Sink::Standard => write_results(text, "-o FILE"),
            Sink::Waiting(name) => {
                let name = *name;
                let file = name.create().map_err(|error| Failure::writing(name.name(), &error))?;
                *self = Sink::File { name, file, length: 0 };
                self.write(text)
            }
            Sink::File { name, file, length } => {
                let result = file.write_all(text);
                match result {
                    Ok(()) => *length += text.len() as u64,
                    // A disk that is full has taken part of it. A device cannot be made shorter, and need not.
                    Err(_) if name.is_regular() => drop(file.set_len(*length)),
                    Err(_) => {}
                }
                result.map_err(|error| Failure::writing(name.name(), &error))
            }
        }
    }

    /// Whether what stands before the first solution has to be written together with it.
    fn starts_late(&self) -> bool {
        matches!(self, Sink::Waiting(_))
    }
}

/// Takes solutions, as long as more are wanted.
pub struct Receiver<'a> {
    formula: &'a LoadedFormula,
    writer: SolutionWriter<'a>,
    /// The writer of solutions without models, once there are some.
    plain: Option<PlainWriter>,
    sink: Sink<'a>,
    /// What an earlier run has written.
    earlier: Option<Earlier>,
    /// What was written, where solutions can differ and be written alike.
    written: Option<Unique>,
    /// How many are wanted at most, with those of earlier runs.
    wanted: Option<u64>,
    count: u64,
    failure: Option<Failure>,
    progress: &'a FormulaProgress<'a>,
    /// The time of the last report of progress.
    told: Instant,
}

/// What has become of all solutions.
#[derive(Default)]
pub struct Received {
    /// How many there are, with those of earlier runs.
    pub count: u64,
    /// What the file had before.
    pub earlier: Option<Earlier>,
}

impl<'a> Receiver<'a> {
    /// Receives solutions of a formula.
    ///
    /// # Errors
    /// What is to be continued cannot be opened, or standard output is closed.
    pub fn new(
        formula: &'a LoadedFormula,
        writer: SolutionWriter<'a>,
        output: Output<'a>,
        wanted: Option<u64>,
        progress: &'a FormulaProgress<'a>,
    ) -> Result<Self, Failure> {
        let (mut sink, earlier) = output.open()?;
        if matches!(sink, Sink::Standard) {
            sink.write(&writer.heading())?;
        }
        let count = earlier.as_ref().map_or(0, |earlier| earlier.count);
        let told = Instant::now();
        Ok(Receiver {
            formula,
            writer,
            plain: None,
            sink,
            earlier,
            written: None,
            wanted,
            count,
            failure: None,
            progress,
            told,
        })
    }

    /// Leaves out solutions that are written as another one is, as far as so many bytes can tell. With auxiliary
    /// constants there are such.
    pub fn without_repetitions(mut self, memory: usize) -> Self {
        self.written = Some(Unique::new(memory));
        self
    }

    /// What an earlier run has written.
    pub fn earlier(&self) -> Option<&Earlier> {
        self.earlier.as_ref()
    }

    /// How many more may come.
    fn left(&self) -> u64 {
        self.wanted.map_or(u64::MAX, |wanted| wanted.saturating_sub(self.count))
    }

    /// Whether there are as many as wanted.
    pub fn has_enough(&self) -> bool {
        self.left() == 0
    }

    /// Writes solutions that were found together; breaks when there are enough, or they cannot be written.
    pub fn take(&mut self, samples: &Solutions<'_>) -> ControlFlow<()> {
        if matches!(self.sink, Sink::Nowhere) && self.written.is_none() {
            self.count += self.left().min(samples.count() as u64);
            return self.go_on();
        }
        match samples.plain() {
            Some(plain) => {
                let writer = self.plain.take().unwrap_or_else(|| self.writer.plain());
                let flow = self.write(plain.lanes(), |_, lane, out| writer.write(out, plain.values(lane)));
                self.plain = Some(writer);
                flow
            }
            None => self.take_models(samples.models()),
        }
    }

    /// Writes solutions; breaks when there are enough, or they cannot be written.
    pub fn take_models(&mut self, models: impl Iterator<Item = Model>) -> ControlFlow<()> {
        self.write(models, |receiver, model, out| {
            out.extend(receiver.writer.rows(iter::once(&receiver.complete(model))));
        })
    }

    /// Writes solutions, given how each becomes text.
    fn write<T>(
        &mut self,
        solutions: impl Iterator<Item = T>,
        render: impl Fn(&Self, T, &mut Vec<u8>),
    ) -> ControlFlow<()> {
        let mut text = if self.sink.starts_late() { self.writer.heading() } else { Vec::new() };
        let left = self.left();
        let mut new = 0;
        for solution in solutions {
            if new == left {
                break;
            }
            let start = text.len();
            render(self, solution, &mut text);
            if self.earlier.as_ref().is_some_and(|earlier| earlier.has(&text[start..])) {
                text.truncate(start);
                continue;
            }
            if self.written.as_mut().is_some_and(|written| !written.insert(hash(&text[start..]))) {
                text.truncate(start);
                continue;
            }
            new += 1;
        }
        if new > 0
            && let Err(failure) = self.sink.write(&text)
        {
            self.failure = Some(failure);
            return ControlFlow::Break(());
        }
        self.count += new;
        self.go_on()
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        self.tell();
        if self.has_enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The model with all symbols, as it is printed whatever way it was found.
    fn complete(&self, mut model: Model) -> Model {
        let problem = self.formula.problem();
        problem.complete(&mut model);
        for &symbol in &problem.symbols {
            let arguments = &problem.store.symbol(symbol).arguments;
            let function = model.function(symbol);
            if let Some(canonical) =
                function.and_then(|function| function.canonical(&problem.store, arguments))
            {
                model.set_function(symbol, canonical);
            }
        }
        model
    }

    fn tell(&mut self) {
        if self.told.elapsed() < TICK {
            return;
        }
        self.told = Instant::now();
        let earlier = self.earlier.as_ref().map_or(0, |earlier| earlier.count);
        let seconds = self.formula.begun.start.elapsed().as_secs_f64();
        let rate = grouped(((self.count - earlier) as f64 / seconds) as u64);
        self.progress.tell(format!("{}, {rate} a second", counted(self.count as usize, "solution")));
    }

    /// Ends it.
    ///
    /// # Errors
    /// Solutions could not be written.
    pub fn finish(self) -> Result<Received, Failure> {
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(Received { count: self.count, earlier: self.earlier }),
        }
    }
}

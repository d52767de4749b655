//! Many formulas in parallel, each on one thread, and a table of all at the end.
//!
//! Formulas are taken in their order by whichever thread is free; results are put into that order
//! again before anything is written. What one formula does never stops another: failures are told
//! at once and counted at the end. Records are written as formulas finish, so that a batch that was
//! killed can be taken up again, and once more in order when all are done.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use sundry_report::{
    Alignment, BatchEntry, BatchTotals, FailureRecord, Table, percent, read_entries, write_entry,
    write_summary_csv,
};
use sundry_sample::{StopReason, StrategyKind};

use super::check_files;
use super::placement::{self, Item};
use super::records::options;
use super::task::{Places, Task};
use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::Input;
use crate::interrupt;
use crate::output::{OutputFile, OutputFolder, write_results};
use crate::panics;
use crate::progress::{BatchProgress, FormulaProgress};

/// Samples all formulas that the command line names.
///
/// # Errors
/// There are none, or an output cannot be written at all.
pub fn run(
    arguments: &SampleArguments,
    strategy: StrategyKind,
    console: &Console,
) -> Result<Status, Failure> {
    let found = placement::find(arguments)?;
    let folder = |path: &Option<PathBuf>| path.as_deref().map(OutputFolder::new).transpose();
    let folders = Folders {
        solutions: folder(&arguments.output.output)?,
        obligations: folder(&arguments.output.obligations)?,
    };
    let record = arguments.output.record.as_deref().map(OutputFile::new).transpose()?;
    let summary = arguments.output.summary.as_deref().map(OutputFile::new).transpose()?;
    check_files(&[record.as_ref(), summary.as_ref()], found.items.iter().map(|item| item.path.as_path()))?;
    if folders.solutions.is_none() && !arguments.output.json {
        console.line("note: only figures are printed; -o FOLDER keeps the solutions");
    }
    let mut status = Status::Done;
    for failure in &found.failures {
        console.failure(failure);
        status = status.max(failure.status());
    }
    let journal = Journal::open(arguments, record.as_ref())?;
    let stop = Arc::default();
    interrupt::watch(&stop);
    let task = Task { arguments, console, stop: &stop, strategy, threads: 1 };
    let entries = Workers { task, items: &found.items, folders: &folders, journal: &journal }.run();

    for result in [
        write_output(arguments, &entries),
        record.map_or(Ok(()), |file| file.replace(&lines(&entries))),
        summary.map_or(Ok(()), |file| file.replace(&csv(&entries))),
    ] {
        if let Err(failure) = result {
            console.failure(&failure);
            status = status.max(failure.status());
        }
    }
    let worst = entries.iter().map(|entry| Status::from_code(entry.status())).max();
    Ok(status.max(worst.unwrap_or(Status::Done)))
}

/// The folders that a batch writes into.
struct Folders {
    solutions: Option<OutputFolder>,
    obligations: Option<OutputFolder>,
}

impl Folders {
    /// The places for one formula.
    fn places(&self, item: &Item) -> Result<Places, Failure> {
        let solutions = self.solutions.as_ref().map(|folder| folder.file(&item.output)).transpose()?;
        let obligations = self.obligations.as_ref().map(|folder| folder.folder(&item.name)).transpose()?;
        Ok(Places { solutions, obligations })
    }
}

/// The threads of a batch and what they work on.
struct Workers<'a> {
    task: Task<'a>,
    items: &'a [Item],
    folders: &'a Folders,
    journal: &'a Journal,
}

impl Workers<'_> {
    /// Works through all formulas; the entries are in the order of the formulas.
    fn run(&self) -> Vec<BatchEntry> {
        let next = AtomicUsize::new(0);
        let entries: Vec<OnceLock<BatchEntry>> = self.items.iter().map(|_| OnceLock::new()).collect();
        let progress = BatchProgress::new(self.task.console, self.items.len());
        let workers = self.task.arguments.limits.threads().min(self.items.len());
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = self.items.get(number) else { break };
                        let _ = entries[number].set(self.entry(item, &progress));
                        progress.advance();
                    }
                });
            }
        });
        entries.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    /// What becomes of one formula.
    fn entry(&self, item: &Item, progress: &BatchProgress) -> BatchEntry {
        let name = item.path.display().to_string();
        if let Some(entry) = self.journal.finished(&name) {
            self.task.console.detail(format_args!("{name}: taken from the record"));
            return entry.clone();
        }
        if self.task.stop.load(Ordering::Relaxed) {
            return failed(&name, &Failure::new(Status::Limit, "interrupted before its turn"));
        }
        let entry = match panics::catch(|| self.sample(item, &name, progress)).and_then(|result| result) {
            Ok(entry) => entry,
            Err(failure) => {
                self.task.console.failure(&failure.about(&name));
                failed(&name, &failure)
            }
        };
        if let Err(failure) = self.journal.add(&entry) {
            self.task.console.failure(&failure);
        }
        entry
    }

    fn sample(&self, item: &Item, name: &str, batch: &BatchProgress) -> Result<BatchEntry, Failure> {
        let mut progress = FormulaProgress::in_batch(self.task.console, name, batch);
        let formula = self.task.read(&Input::File(item.path.clone()))?;
        let finished = self.task.run(formula, &self.folders.places(item)?, &mut progress)?;
        Ok(BatchEntry::Finished(finished.record))
    }
}

fn failed(name: &str, failure: &Failure) -> BatchEntry {
    BatchEntry::Failed(FailureRecord {
        formula: name.to_string(),
        error: failure.headline().to_string(),
        status: failure.status().code(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    })
}

/// The record file while the batch is running.
struct Journal {
    /// What an earlier run of the same batch has finished.
    earlier: Vec<BatchEntry>,
    file: Option<Mutex<File>>,
    path: Box<Path>,
}

impl Journal {
    fn open(arguments: &SampleArguments, record: Option<&OutputFile>) -> Result<Self, Failure> {
        let path: Box<Path> = arguments.output.record.as_deref().unwrap_or(Path::new("")).into();
        let mut journal = Journal { earlier: Vec::new(), file: None, path };
        let Some(record) = record.filter(|record| record.is_regular()) else { return Ok(journal) };
        if arguments.output.resume && journal.path.exists() {
            let file = File::open(&journal.path).map_err(|error| Failure::reading(&journal.path, &error))?;
            let entries = read_entries(BufReader::new(file));
            journal.earlier = entries.map_err(|error| Failure::reading(&journal.path, &error))?;
            journal.earlier.retain(|entry| is_finished(arguments, entry));
        }
        // Starts with what is taken over, and grows line by line.
        record.replace(&lines(&journal.earlier))?;
        let file = OpenOptions::new().append(true).open(&journal.path);
        journal.file = Some(Mutex::new(file.map_err(|error| Failure::writing(&journal.path, &error))?));
        Ok(journal)
    }

    fn finished(&self, name: &str) -> Option<&BatchEntry> {
        self.earlier.iter().find(|entry| entry.formula() == name)
    }

    fn add(&self, entry: &BatchEntry) -> Result<(), Failure> {
        let Some(file) = &self.file else { return Ok(()) };
        // One write for each line, so that a kill between two leaves whole lines.
        let line = lines(std::slice::from_ref(entry));
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(|error| Failure::writing(&self.path, &error))
    }
}

/// Whether an entry is the result of a run with the same options that was not cut short from outside.
fn is_finished(arguments: &SampleArguments, entry: &BatchEntry) -> bool {
    match entry {
        BatchEntry::Failed(_) => false,
        BatchEntry::Finished(record) => {
            record.stopped_by != StopReason::Interrupted.name()
                && record.strategy == arguments.strategy.name()
                && record.options == options(arguments)
                && record.seed == arguments.limits.seed
                && record.version == env!("CARGO_PKG_VERSION")
        }
    }
}

fn lines(entries: &[BatchEntry]) -> Vec<u8> {
    let mut text = Vec::new();
    for entry in entries {
        let result = write_entry(&mut text, entry);
        debug_assert!(result.is_ok(), "records can be written to memory");
    }
    text
}

fn csv(entries: &[BatchEntry]) -> Vec<u8> {
    let mut text = Vec::new();
    let result = write_summary_csv(&mut text, entries);
    debug_assert!(result.is_ok(), "rows of equal length can be written to memory");
    text
}

fn write_output(arguments: &SampleArguments, entries: &[BatchEntry]) -> Result<(), Failure> {
    if arguments.output.json {
        return write_results(&lines(entries));
    }
    write_results(format!("{}\n{}\n", table(entries), BatchTotals::new(entries)).as_bytes())
}

fn table(entries: &[BatchEntry]) -> Table {
    use Alignment::{Left, Right};
    let mut table = Table::new(&[
        ("formula", Left),
        ("solutions", Right),
        ("needed", Right),
        ("coverage", Right),
        ("unknown", Right),
        ("seconds", Right),
        ("ended by", Left),
    ]);
    for entry in entries {
        match entry {
            BatchEntry::Finished(record) => table.push([
                record.formula.clone(),
                record.solutions.to_string(),
                if record.lower_bound > 0 { format!(">= {}", record.lower_bound) } else { String::new() },
                if record.solutions > 0 {
                    percent(record.covered, record.valid + record.unknown)
                } else {
                    String::new()
                },
                record.unknown.to_string(),
                format!("{:.2}", record.seconds),
                record.stopped_by.clone(),
            ]),
            BatchEntry::Failed(failure) => {
                let mut cells = vec![failure.formula.clone()];
                cells.resize(6, String::new());
                // The message starts with the place, and the row with the name.
                let message = failure.error.strip_prefix(&format!("{}:", failure.formula));
                cells.push(message.unwrap_or(&failure.error).to_string());
                table.push(cells);
            }
        }
    }
    table
}

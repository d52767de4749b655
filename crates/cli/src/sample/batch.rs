//! Many formulas in parallel, each on one thread, and a table of all at the end.
//!
//! `sundry::batch` hands formulas to threads and keeps their order. What one formula does never stops another: failures are
//! reported at once and counted at the end. Records are written as formulas finish, so that a batch that was
//! killed can be taken up again, and once more in order when all are done.

use std::fs::{File, OpenOptions};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use sundry::batch::{self, Description, Item, Journal, Worker, lines};
use sundry_report::{BatchEntry, FailureRecord, RunKind, RunRecord, write_summary_csv};

use super::files::{self, Places, told};
use super::formulas;
use super::plan::SamplePlan;
use super::receiver::Output;
use super::tables;
use super::task::Task;
use super::written::{Written, read_solutions};
use crate::failure::{Failure, FailureKind, Status};
use crate::formula::LoadedFormula;
use crate::input::Input;
use crate::interrupt::{self, Begun};
use crate::output::{OutputFile, OutputFolder, write_results};
use crate::panics;
use crate::progress::{BatchProgress, FormulaProgress};

/// What the folder of solutions is for.
const SOLUTIONS: &str = "the solutions of several formulas go to a folder, one file for each";

/// Runs all formulas that the command line names, until `stop` is set, which a signal does from now on.
///
/// # Errors
/// There are no formulas, or an output cannot be written at all.
pub fn run(task: &Task<'_>) -> Result<Status, Failure> {
    let Task { plan, console, stop, .. } = *task;
    let found = formulas::find(plan)?;
    let folder = |path: &Option<PathBuf>, purpose| {
        path.as_deref().map(|path| OutputFolder::new(path, purpose)).transpose()
    };
    let folders = Folders {
        solutions: folder(&plan.output.solutions, SOLUTIONS)?,
        obligations: folder(&plan.output.obligations, files::OBLIGATIONS)?,
    };
    let record = plan.output.record.as_deref().map(OutputFile::new).transpose()?;
    let summary = plan.output.summary.as_deref().map(OutputFile::new).transpose()?;
    let formulas = found.items.iter().map(|item| item.path.as_path());
    let files = [record.as_ref(), summary.as_ref()];
    files::check(plan, &files, formulas)?;
    let _locks = files::lock(&files, &[folders.solutions.as_ref(), folders.obligations.as_ref()])?;
    if folders.solutions.is_none() && !plan.output.json {
        console.line("note: only figures are printed; -o FOLDER keeps the solutions");
    }
    let mut status = Status::Done;
    for failure in &found.failures {
        console.failure(failure);
        status = status.max(failure.status());
    }
    let journal = open_journal(plan, record.as_ref())?;
    interrupt::watch(stop);
    let progress = BatchProgress::new(console, found.items.len());
    let sampling = Sampling { task, folders: &folders, journal: &journal, progress: &progress };
    let entries = batch::run(&found.items, plan.threads, &sampling);
    drop(progress);

    let results = [
        write_output(plan, &entries),
        record.map_or(Ok(()), |file| file.replace(&lines(&entries))),
        summary.map_or(Ok(()), |file| file.replace(&csv(plan.kind(), &entries))),
    ];
    let status = told(results, status, console);
    let worst = entries.iter().map(BatchEntry::status).max();
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
        Ok(Places { solutions, obligations, predicates: None })
    }
}

/// Opens the record file, if there is to be one; with `--resume`, takes over what it has.
///
/// # Errors
/// The file cannot be read or written.
fn open_journal(plan: &SamplePlan, record: Option<&OutputFile>) -> Result<Journal<File>, Failure> {
    let path = plan.output.record.as_deref().unwrap_or(Path::new(""));
    let mut journal = Journal::new(None);
    let Some(record) = record.filter(|record| record.is_regular()) else { return Ok(journal) };
    if plan.output.resume && path.exists() {
        let reading = |error: std::io::Error| Failure::reading(path, &error);
        let text = BufReader::new(File::open(path).map_err(reading)?);
        let description = Description {
            strategy: plan.strategy.to_string(),
            options: plan.options.clone(),
            seed: plan.seed,
            version: env!("CARGO_PKG_VERSION").to_string(),
        };
        journal.take_over(text, &description).map_err(reading)?;
    }
    // Starts with what is taken over, and grows line by line.
    record.replace(&lines(journal.earlier()))?;
    let file = OpenOptions::new().append(true).open(path);
    journal.write_to(file.map_err(|error| Failure::writing(path, &error))?);
    Ok(journal)
}

/// Sampling one formula after the other, on several threads.
struct Sampling<'a> {
    task: &'a Task<'a>,
    folders: &'a Folders,
    journal: &'a Journal<File>,
    progress: &'a BatchProgress,
}

impl Worker for Sampling<'_> {
    type Item = Item;
    type Entry = BatchEntry;

    fn work(&self, item: &Item) -> BatchEntry {
        let name = item.path.display().to_string();
        match panics::catch(|| self.sample(item, &name)).and_then(|result| result) {
            Ok(record) => BatchEntry::Finished(Box::new(record)),
            Err(failure) => {
                self.task.console.failure(&failure.about(&name));
                failed(&name, &failure)
            }
        }
    }

    fn earlier(&self, item: &Item) -> Option<BatchEntry> {
        let name = item.path.display().to_string();
        let entry = self.journal.finished(&name).filter(|entry| self.is_kept(item, entry))?;
        self.task.console.detail(format_args!("{name}: taken from the record"));
        Some(entry.clone())
    }

    fn stopped(&self, item: &Item) -> Option<BatchEntry> {
        let failure = || Failure::new(FailureKind::Limit, "interrupted before its turn");
        self.task.stop.is_set().then(|| failed(&item.path.display().to_string(), &failure()))
    }

    fn keep(&self, entry: &BatchEntry) {
        if let Err(error) = self.journal.add(entry) {
            let path = self.task.plan.output.record.as_deref().unwrap_or(Path::new(""));
            self.task.console.failure(&Failure::writing(path, &error));
        }
    }

    fn advance(&self) {
        self.progress.advance();
    }
}

impl Sampling<'_> {
    /// Whether the solutions of an entry are where they belong, as many as it says, and each of them is one. They are
    /// not where the earlier run has kept none, or somebody has changed them.
    fn is_kept(&self, item: &Item, entry: &BatchEntry) -> bool {
        let (BatchEntry::Finished(record), Some(folder)) = (entry, &self.folders.solutions) else {
            return true;
        };
        let count = record.head.solutions;
        if count == 0 {
            return true;
        }
        if !folder.has(&item.output) {
            return false;
        }
        let is_kept = panics::catch(|| self.written(folder, item))
            .and_then(|written| written)
            .is_ok_and(|written| written.count == count && !written.is_torn);
        if !is_kept && !self.task.stop.is_set() {
            let message = format!("{} no longer has the solutions of its record", item.output.display());
            self.task.console.note(item.path.display(), message);
        }
        is_kept
    }

    /// What is in the file of a formula's solutions.
    fn written(&self, folder: &OutputFolder, item: &Item) -> Result<Written, Failure> {
        let input = Input::File(item.path.clone());
        // What is left of its time is for what is new.
        let begun = Begun::now(None, self.task.stop);
        let plan = self.task.plan;
        let formula = LoadedFormula::read(&input, plan.input_format, begun, self.task.console)?;
        let file = folder.file(&item.output)?;
        read_solutions(&file, &formula, plan.output.format, self.task.stop, |_| {})
    }

    fn sample(&self, item: &Item, name: &str) -> Result<RunRecord, Failure> {
        let mut progress = FormulaProgress::in_batch(self.task.console, name, self.progress);
        let formula = self.task.read(&Input::File(item.path.clone()))?;
        let places = self.folders.places(item)?;
        // A run on this formula alone may be writing the same file.
        let _locks = files::lock(&[places.solutions.as_ref()], &[places.obligations.as_ref()])?;
        let finished = self.task.run(formula, &places, Output::Nowhere, &mut progress)?;
        Ok(finished.record)
    }
}

fn failed(name: &str, failure: &Failure) -> BatchEntry {
    BatchEntry::Failed(FailureRecord {
        formula: name.to_string(),
        error: failure.headline().to_string(),
        status: failure.status(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    })
}

/// The summary of some formulas.
pub fn csv(kind: RunKind, entries: &[BatchEntry]) -> Vec<u8> {
    let mut text = Vec::new();
    let result = write_summary_csv(&mut text, kind, entries);
    debug_assert!(result.is_ok(), "rows of equal length can be written to memory");
    text
}

fn write_output(plan: &SamplePlan, entries: &[BatchEntry]) -> Result<(), Failure> {
    match plan.output.json {
        true => write_results(&lines(entries), "--record FILE"),
        false => write_results(tables::of_batch(plan.kind(), entries).as_bytes(), "--summary FILE"),
    }
}

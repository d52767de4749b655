//! The record file of a batch while it is running: it grows line by line, so that a batch that was killed can be
//! taken up again.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sundry_report::{BatchEntry, Ending, RunHead, read_entries, write_entry};

use super::plan::SamplePlan;
use crate::failure::Failure;
use crate::output::OutputFile;

/// The entries of earlier runs of the same batch, and the file that new ones go to.
pub struct Journal {
    /// What an earlier run has finished.
    earlier: Vec<BatchEntry>,
    file: Option<Mutex<File>>,
    path: Box<Path>,
}

impl Journal {
    /// Opens the record file, if there is to be one; with `--resume`, takes over what it has.
    ///
    /// # Errors
    /// It cannot be read or written.
    pub fn open(plan: &SamplePlan, record: Option<&OutputFile>) -> Result<Self, Failure> {
        let path: Box<Path> = plan.output.record.as_deref().unwrap_or(Path::new("")).into();
        let mut journal = Journal { earlier: Vec::new(), file: None, path };
        let Some(record) = record.filter(|record| record.is_regular()) else { return Ok(journal) };
        if plan.output.resume && journal.path.exists() {
            let file = File::open(&journal.path).map_err(|error| Failure::reading(&journal.path, &error))?;
            let entries = read_entries(BufReader::new(file));
            journal.earlier = entries.map_err(|error| Failure::reading(&journal.path, &error))?;
            journal.earlier.retain(|entry| is_finished(plan, entry));
        }
        // Starts with what is taken over, and grows line by line.
        record.replace(&lines(&journal.earlier))?;
        let file = OpenOptions::new().append(true).open(&journal.path);
        journal.file = Some(Mutex::new(file.map_err(|error| Failure::writing(&journal.path, &error))?));
        Ok(journal)
    }

    /// What an earlier run has finished of a formula.
    pub fn finished(&self, name: &str) -> Option<&BatchEntry> {
        self.earlier.iter().find(|entry| entry.formula() == name)
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&self, entry: &BatchEntry) -> Result<(), Failure> {
        let Some(file) = &self.file else { return Ok(()) };
        // One write for each line, so that a kill between two leaves whole lines.
        let line = lines(std::slice::from_ref(entry));
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(|error| Failure::writing(&self.path, &error))
    }
}

/// Whether an entry is the result of a run with the same options that was not cut short from outside.
fn is_finished(plan: &SamplePlan, entry: &BatchEntry) -> bool {
    match entry {
        BatchEntry::Failed(_) => false,
        BatchEntry::Finished(record) => {
            let RunHead { strategy, options, seed, version, stopped_by, .. } = &record.head;
            *stopped_by != Ending::Interrupted
                && strategy == plan.strategy
                && *options == plan.options
                && *seed == plan.seed
                && version == env!("CARGO_PKG_VERSION")
        }
    }
}

/// Entries as JSON lines.
pub fn lines(entries: &[BatchEntry]) -> Vec<u8> {
    let mut text = Vec::new();
    for entry in entries {
        let result = write_entry(&mut text, entry);
        debug_assert!(result.is_ok(), "records can be written to memory");
    }
    text
}

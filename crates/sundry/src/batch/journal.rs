//! The records of a running batch: they grow line by line, so that a batch that was killed can continue.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use sundry_report::{BatchEntry, Ending, RunHead, read_entries, write_entry};

/// The settings on which the results of a batch depend besides the formulas.
///
/// ```
/// use std::collections::BTreeMap;
/// use sundry::batch::{Description, Journal};
///
/// let description = Description {
///     strategy: "cover".to_string(),
///     options: BTreeMap::new(),
///     seed: 7,
///     version: "1".to_string(),
/// };
/// let mut journal: Journal<Vec<u8>> = Journal::new(None);
/// journal.take_over(&b""[..], &description)?;
/// assert!(journal.earlier().is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// The name of the strategy.
    pub strategy: String,
    /// The options by their long names.
    pub options: BTreeMap<String, Value>,
    /// The seed of all randomness.
    pub seed: u64,
    /// The version of the program.
    pub version: String,
}

impl Description {
    /// Whether an entry is the result of a run of this description that was not cut short from outside.
    fn covers(&self, entry: &BatchEntry) -> bool {
        match entry {
            BatchEntry::Failed(_) => false,
            BatchEntry::Finished(record) => {
                let RunHead { strategy, options, seed, version, stopped_by, .. } = &record.head;
                *stopped_by != Ending::Interrupted
                    && *strategy == self.strategy
                    && *options == self.options
                    && *seed == self.seed
                    && *version == self.version
            }
        }
    }
}

/// The entries of earlier runs of the same batch, and the place that new ones go to.
///
/// ```
/// use sundry::batch::Journal;
///
/// let entry = sundry::record::BatchEntry::Failed(sundry::record::FailureRecord {
///     formula: "door.smt2".to_string(),
///     error: "unknown symbol 'dor'".to_string(),
///     status: sundry::record::Status::Input,
///     version: "1".to_string(),
/// });
/// let mut written = Vec::new();
/// Journal::new(Some(&mut written)).add(&entry)?;
/// assert_eq!(written, sundry::batch::lines(&[entry]));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Journal<W> {
    /// The entries that an earlier run has finished.
    earlier: Vec<BatchEntry>,
    out: Option<Mutex<W>>,
}

impl<W: Write> Journal<W> {
    /// A journal without earlier entries. Without a place to write to, entries are not kept.
    ///
    /// ```
    /// use sundry::batch::Journal;
    ///
    /// let journal: Journal<Vec<u8>> = Journal::new(None);
    /// assert!(journal.earlier().is_empty());
    /// ```
    pub fn new(out: Option<W>) -> Self {
        Journal { earlier: Vec::new(), out: out.map(Mutex::new) }
    }

    /// Takes over the entries of the text that an earlier run has left, as far as they are finished runs of this description.
    ///
    /// # Errors
    /// The text cannot be read.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use sundry::batch::{Description, Journal};
    ///
    /// let description = Description {
    ///     strategy: "cover".to_string(),
    ///     options: BTreeMap::new(),
    ///     seed: 7,
    ///     version: "1".to_string(),
    /// };
    /// let entry = sundry::record::BatchEntry::Failed(sundry::record::FailureRecord {
    ///     formula: "door.smt2".to_string(),
    ///     error: "unknown symbol 'dor'".to_string(),
    ///     status: sundry::record::Status::Input,
    ///     version: "1".to_string(),
    /// });
    /// let mut journal: Journal<Vec<u8>> = Journal::new(None);
    /// // What has failed is worked on again.
    /// journal.take_over(&sundry::batch::lines(&[entry])[..], &description)?;
    /// assert!(journal.earlier().is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn take_over(&mut self, text: impl BufRead, description: &Description) -> io::Result<()> {
        self.earlier = read_entries(text)?;
        self.earlier.retain(|entry| description.covers(entry));
        Ok(())
    }

    /// Sets the place that new entries go to. It has those that were taken over already.
    ///
    /// ```
    /// use sundry::batch::Journal;
    ///
    /// let entry = sundry::record::BatchEntry::Failed(sundry::record::FailureRecord {
    ///     formula: "door.smt2".to_string(),
    ///     error: "unknown symbol 'dor'".to_string(),
    ///     status: sundry::record::Status::Input,
    ///     version: "1".to_string(),
    /// });
    /// let mut written = Vec::new();
    /// let mut journal = Journal::new(None);
    /// journal.write_to(&mut written);
    /// journal.add(&entry)?;
    /// assert!(!written.is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_to(&mut self, out: W) {
        self.out = Some(Mutex::new(out));
    }

    /// The entries that were taken over.
    ///
    /// ```
    /// use sundry::batch::Journal;
    ///
    /// assert!(Journal::<Vec<u8>>::new(None).earlier().is_empty());
    /// ```
    pub fn earlier(&self) -> &[BatchEntry] {
        &self.earlier
    }

    /// The entry of a formula that an earlier run has finished.
    ///
    /// ```
    /// use sundry::batch::Journal;
    ///
    /// assert!(Journal::<Vec<u8>>::new(None).finished("door.smt2").is_none());
    /// ```
    pub fn finished(&self, formula: &str) -> Option<&BatchEntry> {
        self.earlier.iter().find(|entry| entry.formula() == formula)
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// The journal cannot be written.
    ///
    /// ```
    /// use sundry::batch::Journal;
    ///
    /// let entry = sundry::record::BatchEntry::Failed(sundry::record::FailureRecord {
    ///     formula: "door.smt2".to_string(),
    ///     error: "unknown symbol 'dor'".to_string(),
    ///     status: sundry::record::Status::Input,
    ///     version: "1".to_string(),
    /// });
    /// let mut written = Vec::new();
    /// Journal::new(Some(&mut written)).add(&entry)?;
    /// assert!(written.ends_with(b"\n"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn add(&self, entry: &BatchEntry) -> io::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        // One write for each line, so that a kill between two leaves whole lines.
        let line = lines(std::slice::from_ref(entry));
        out.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line)
    }
}

/// Entries as JSON lines.
///
/// ```
/// let entry = sundry::record::BatchEntry::Failed(sundry::record::FailureRecord {
///     formula: "door.smt2".to_string(),
///     error: "unknown symbol 'dor'".to_string(),
///     status: sundry::record::Status::Input,
///     version: "1".to_string(),
/// });
/// let text = String::from_utf8(sundry::batch::lines(&[entry])).expect("JSON");
/// assert!(text.starts_with("{\"formula\":\"door.smt2\""));
/// ```
pub fn lines(entries: &[BatchEntry]) -> Vec<u8> {
    let mut text = Vec::new();
    for entry in entries {
        let result = write_entry(&mut text, entry);
        debug_assert!(result.is_ok(), "records can be written to memory");
    }
    text
}

#[cfg(test)]
mod tests {
    use sundry_report::{PartRecord, RunRecord, Status, TuplesRecord};

    use super::*;

    fn record(formula: &str, seed: u64, stopped_by: Ending) -> BatchEntry {
        let head = RunHead {
            formula: formula.to_string(),
            strategy: "t-wise".to_string(),
            options: BTreeMap::new(),
            seed,
            version: "1".to_string(),
            solutions: 4,
            seconds: 0.25,
            stopped_by,
            rejected: 0,
            status: Status::Done,
        };
        let tuples = TuplesRecord {
            strength: 2,
            factors: 3,
            tuples: 12,
            covered: 12,
            impossible: 0,
            open: 0,
            lower_bound: 4,
            all: false,
            gains: vec![3, 3, 3, 3],
        };
        BatchEntry::Finished(Box::new(RunRecord { head, part: PartRecord::Tuples(tuples) }))
    }

    #[test]
    fn only_finished_runs_of_the_same_description_count() {
        let description = Description {
            strategy: "t-wise".to_string(),
            options: BTreeMap::new(),
            seed: 7,
            version: "1".to_string(),
        };
        let mut text = lines(&[
            record("a", 7, Ending::Complete),
            record("b", 8, Ending::Complete),
            record("c", 7, Ending::Interrupted),
        ]);
        text.extend_from_slice(b"{\"formula\":\"d\",");
        let mut journal = Journal::new(None);
        journal.take_over(&text[..], &description).expect("readable");
        journal.write_to(Vec::new());
        assert_eq!(journal.earlier(), [record("a", 7, Ending::Complete)]);
        assert!(journal.finished("a").is_some());
        assert!(["b", "c", "d"].iter().all(|name| journal.finished(name).is_none()));
        journal.add(&record("b", 7, Ending::Complete)).expect("written");
        let written = journal.out.expect("a place").into_inner().expect("no thread has panicked");
        assert_eq!(written, lines(&[record("b", 7, Ending::Complete)]));
    }
}

//! Records of many formulas: one entry each, finished or failed, as JSON lines.
//!
//! JSON lines rather than one array: a batch adds a line when a formula is done, so a batch that
//! was killed has left all that it finished, and can be taken up again.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

use crate::ending::Ending;
use crate::record::Record;
use crate::run::RunRecord;

/// A formula that brought no run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FailureRecord {
    /// The formula as named on the command line.
    pub formula: String,
    /// The message.
    pub error: String,
    /// Exit status that the failure stands for.
    pub status: u8,
    /// Version of the program.
    pub version: String,
}

/// What became of one formula of a batch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BatchEntry<R> {
    /// It was run.
    Finished(R),
    /// It could not be run.
    Failed(FailureRecord),
}

impl<R: Record> BatchEntry<R> {
    /// The formula as named on the command line.
    pub fn formula(&self) -> &str {
        match self {
            BatchEntry::Finished(record) => record.head().formula,
            BatchEntry::Failed(failure) => &failure.formula,
        }
    }

    /// The exit status that it stands for.
    pub fn status(&self) -> u8 {
        match self {
            BatchEntry::Finished(record) => record.head().status,
            BatchEntry::Failed(failure) => failure.status,
        }
    }

    /// Why it ended, in one word.
    pub fn stopped_by(&self) -> &str {
        match self {
            BatchEntry::Finished(record) => record.head().stopped_by.name(),
            BatchEntry::Failed(_) => "error",
        }
    }
}

/// Writes an entry as one line of JSON.
///
/// # Errors
/// Those of the writer.
pub fn write_entry<R: Record>(out: &mut dyn Write, entry: &BatchEntry<R>) -> io::Result<()> {
    let mut line = serde_json::to_vec(entry).map_err(io::Error::other)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Reads entries from lines of JSON. Lines that are no entries are left out: a killed batch may
/// have written half of its last one, and one of another kind has other records.
///
/// # Errors
/// Those of the reader.
pub fn read_entries<R: Record>(input: impl BufRead) -> io::Result<Vec<BatchEntry<R>>> {
    let mut entries = Vec::new();
    for line in input.split(b'\n') {
        entries.extend(serde_json::from_slice(&line?).ok());
    }
    Ok(entries)
}

/// How many formulas of a batch ended in which way.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct BatchTotals {
    /// All of them.
    pub formulas: usize,
    /// Complete: everything that can be covered is.
    pub complete: usize,
    /// Complete with the fewest solutions possible.
    pub proved_minimal: usize,
    /// Sampled, but not completely.
    pub partial: usize,
    /// Run without any solution found.
    pub empty: usize,
    /// Without solutions, proved.
    pub unsatisfiable: usize,
    /// Not run.
    pub failed: usize,
    /// Solutions of all together.
    pub solutions: usize,
}

impl BatchTotals {
    /// Counts the entries.
    pub fn new(entries: &[BatchEntry<RunRecord>]) -> Self {
        let mut totals = BatchTotals { formulas: entries.len(), ..BatchTotals::default() };
        for entry in entries {
            let BatchEntry::Finished(record) = entry else {
                totals.failed += 1;
                continue;
            };
            totals.solutions += record.solutions;
            totals.proved_minimal += usize::from(record.proved_minimal);
            let count = match record {
                _ if record.stopped_by == Ending::Unsatisfiable => &mut totals.unsatisfiable,
                _ if record.complete => &mut totals.complete,
                _ if record.solutions > 0 => &mut totals.partial,
                _ => &mut totals.empty,
            };
            *count += 1;
        }
        totals
    }
}

impl std::fmt::Display for BatchTotals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural = if self.formulas == 1 { "" } else { "s" };
        write!(f, "{} formula{plural}: {} complete", self.formulas, self.complete)?;
        if self.proved_minimal > 0 {
            write!(f, " ({} proved minimal)", self.proved_minimal)?;
        }
        write_others(
            f,
            [
                (self.partial, "partly covered"),
                (self.empty, "without a solution yet"),
                (self.unsatisfiable, "unsatisfiable"),
                (self.failed, "failed"),
            ],
        )?;
        write!(f, "; {} solution{}", self.solutions, if self.solutions == 1 { "" } else { "s" })
    }
}

/// Writes those counts that are not zero, each behind a comma.
pub(crate) fn write_others<const N: usize>(
    f: &mut std::fmt::Formatter<'_>,
    counts: [(usize, &str); N],
) -> std::fmt::Result {
    counts
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .try_for_each(|(count, what)| write!(f, ", {count} {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example;

    fn failure() -> BatchEntry<RunRecord> {
        BatchEntry::Failed(FailureRecord {
            formula: "b.smt2".into(),
            error: "no such file".into(),
            status: 2,
            version: "0.1.0".into(),
        })
    }

    #[test]
    fn lines_are_read_back_and_half_lines_skipped() {
        let entries = vec![BatchEntry::Finished(example("a.smt2")), failure()];
        let mut text = Vec::new();
        for entry in &entries {
            write_entry(&mut text, entry).expect("writing to memory");
        }
        assert_eq!(text.iter().filter(|&&byte| byte == b'\n').count(), 2);
        text.extend_from_slice(b"{\"formula\":\"c.smt2\",\"strat");
        assert_eq!(read_entries(&text[..]).expect("reading from memory"), entries);
    }

    #[test]
    fn totals_name_what_there_is() {
        let partial =
            RunRecord { complete: false, proved_minimal: false, stopped_by: Ending::Timeout, ..example("c") };
        let entries = [BatchEntry::Finished(example("a")), failure(), BatchEntry::Finished(partial)];
        let text = BatchTotals::new(&entries).to_string();
        assert_eq!(
            text,
            "3 formulas: 1 complete (1 proved minimal), 1 partly covered, 1 failed; 4 solutions"
        );
    }
}

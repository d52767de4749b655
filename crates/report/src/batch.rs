//! Records of many formulas: one entry each, finished or failed, as JSON lines.
//!
//! JSON lines rather than one array: a batch adds a line when a formula is done, so a batch that
//! was killed has left all that it finished, and can be taken up again.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

use crate::record::RunRecord;
use crate::status::Status;

/// A formula that brought no run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FailureRecord {
    /// The formula as named on the command line.
    pub formula: String,
    /// The message.
    pub error: String,
    /// Exit status that the failure stands for.
    pub status: Status,
    /// Version of the program.
    pub version: String,
}

/// The result of one formula of a batch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BatchEntry {
    /// The formula was run.
    Finished(Box<RunRecord>),
    /// The formula could not be run.
    Failed(FailureRecord),
}

impl BatchEntry {
    /// The formula as named on the command line.
    pub fn formula(&self) -> &str {
        match self {
            BatchEntry::Finished(record) => &record.head.formula,
            BatchEntry::Failed(failure) => &failure.formula,
        }
    }

    /// The exit status that it stands for.
    pub fn status(&self) -> Status {
        match self {
            BatchEntry::Finished(record) => record.head.status,
            BatchEntry::Failed(failure) => failure.status,
        }
    }

    /// The reason why the run ended, in one word.
    pub fn stopped_by(&self) -> &str {
        match self {
            BatchEntry::Finished(record) => record.head.stopped_by.name(),
            BatchEntry::Failed(_) => "error",
        }
    }
}

/// Writes an entry as one line of JSON.
///
/// # Errors
/// The writer fails.
pub fn write_entry(out: &mut dyn Write, entry: &BatchEntry) -> io::Result<()> {
    let mut line = serde_json::to_vec(entry).map_err(io::Error::other)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Reads entries from lines of JSON. Lines that are not entries are left out: a killed batch may
/// have written half of its last one.
///
/// # Errors
/// The reader fails.
pub fn read_entries(input: impl BufRead) -> io::Result<Vec<BatchEntry>> {
    let mut entries = Vec::new();
    for line in input.split(b'\n') {
        entries.extend(serde_json::from_slice(&line?).ok());
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::tests::example;

    #[test]
    fn lines_are_read_back_and_half_lines_skipped() {
        let failure = BatchEntry::Failed(FailureRecord {
            formula: "b.smt2".into(),
            error: "no such file".into(),
            status: Status::Input,
            version: "0.1.0".into(),
        });
        let entries = vec![BatchEntry::Finished(Box::new(example("a.smt2"))), failure];
        let mut text = Vec::new();
        for entry in &entries {
            write_entry(&mut text, entry).expect("writing to memory");
        }
        assert_eq!(text.iter().filter(|&&byte| byte == b'\n').count(), 2);
        text.extend_from_slice(b"{\"formula\":\"c.smt2\",\"strat");
        assert_eq!(read_entries(&text[..]).expect("reading from memory"), entries);
    }
}

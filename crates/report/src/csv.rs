//! The summary of a batch as CSV: a row for each formula, the same columns for all.

use std::io::{self, Write};

use crate::batch::BatchEntry;
use crate::record::RunKind;

/// The columns of all kinds of records, behind their own.
const ENDING: [&str; 3] = ["stopped_by", "status", "error"];

/// Writes a heading and a row for each entry. What a failed formula has no value for stays empty.
///
/// # Errors
/// The writer fails.
pub fn write_summary_csv(out: impl Write, kind: RunKind, entries: &[BatchEntry]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["formula"].iter().chain(kind.columns()).chain(&ENDING))?;
    for entry in entries {
        let mut row = vec![entry.formula().to_string()];
        let error = match entry {
            BatchEntry::Finished(record) => {
                row.extend(record.cells());
                ""
            }
            BatchEntry::Failed(failure) => {
                row.resize(1 + kind.columns().len(), String::new());
                &failure.error
            }
        };
        row.extend([entry.stopped_by().to_string(), entry.status().code().to_string(), error.to_string()]);
        writer.write_record(row)?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use crate::batch::FailureRecord;
    use crate::{set, volume};

    #[test]
    fn rows_have_the_columns_of_the_heading() {
        let entries = [
            BatchEntry::Finished(Box::new(set::tests::example("a, b.smt2"))),
            BatchEntry::Failed(FailureRecord {
                formula: "c.smt2".into(),
                error: "two\nlines".into(),
                status: Status::Input,
                version: "0.1.0".into(),
            }),
        ];
        let mut text = Vec::new();
        write_summary_csv(&mut text, RunKind::Set, &entries).expect("writing to memory");
        let text = String::from_utf8(text).expect("text");
        assert!(text.starts_with("formula,strategy,seed,solutions,"), "{text}");
        assert!(text.contains("\n\"a, b.smt2\",cover,0,2,30,30,2,0,32,1,true,2,true,0.250,complete,0,\n"));
        assert!(text.ends_with("\nc.smt2,,,,,,,,,,,,,,error,2,\"two\nlines\"\n"), "{text}");
    }

    #[test]
    fn runs_at_volume_have_columns_of_their_own() {
        let mut text = Vec::new();
        let entries = [BatchEntry::Finished(Box::new(volume::tests::example("a")))];
        write_summary_csv(&mut text, RunKind::Volume, &entries).expect("writing to memory");
        assert_eq!(
            String::from_utf8(text).expect("text"),
            "formula,strategy,seed,solutions,earlier,candidates,valid,epochs,questions,rejected,window,seconds,\
             stopped_by,status,error\n\
             a,smtsampler,0,1000,400,2000,900,2,30,0,500,0.250,complete,0,\n"
        );
    }
}

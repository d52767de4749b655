//! The summary of a batch as CSV: a row for each formula, the same columns for all.

use std::io::{self, Write};

use crate::batch::BatchEntry;

const HEADER: [&str; 17] = [
    "formula",
    "strategy",
    "seed",
    "solutions",
    "covered",
    "valid",
    "impossible",
    "unknown",
    "total",
    "coverage",
    "complete",
    "lower_bound",
    "proved_minimal",
    "seconds",
    "stopped_by",
    "status",
    "error",
];

/// Writes a heading and a row for each entry. What a failed formula has no value for stays empty.
///
/// # Errors
/// Those of the writer.
pub fn write_summary_csv(out: impl Write, entries: &[BatchEntry]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(HEADER)?;
    for entry in entries {
        match entry {
            BatchEntry::Finished(record) => writer.write_record([
                &record.formula,
                &record.strategy,
                &record.seed.to_string(),
                &record.solutions.to_string(),
                &record.covered.to_string(),
                &record.valid.to_string(),
                &record.impossible.to_string(),
                &record.unknown.to_string(),
                &record.total.to_string(),
                &record.coverage.to_string(),
                &record.complete.to_string(),
                &record.lower_bound.to_string(),
                &record.proved_minimal.to_string(),
                &format!("{:.3}", record.seconds),
                &record.stopped_by,
                &record.status.to_string(),
                "",
            ])?,
            BatchEntry::Failed(failure) => {
                let mut row = vec![failure.formula.clone()];
                row.resize(HEADER.len() - 3, String::new());
                row.extend(["error".to_string(), failure.status.to_string(), failure.error.clone()]);
                writer.write_record(row)?;
            }
        }
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::FailureRecord;
    use crate::run::example;

    #[test]
    fn rows_have_the_columns_of_the_heading() {
        let entries = [
            BatchEntry::Finished(example("a, b.smt2")),
            BatchEntry::Failed(FailureRecord {
                formula: "c.smt2".into(),
                error: "two\nlines".into(),
                status: 2,
                version: "0.1.0".into(),
            }),
        ];
        let mut text = Vec::new();
        write_summary_csv(&mut text, &entries).expect("writing to memory");
        let text = String::from_utf8(text).expect("text");
        assert!(text.starts_with("formula,strategy,seed,solutions,"), "{text}");
        assert!(text.contains("\n\"a, b.smt2\",cover,0,2,30,30,2,0,32,1,true,2,true,0.250,complete,0,\n"));
        assert!(text.ends_with("\nc.smt2,,,,,,,,,,,,,,error,2,\"two\nlines\"\n"), "{text}");
    }
}

//! The tables that a batch ends with.

use sundry_report::{
    Alignment, BatchEntry, BatchTotals, FailureRecord, RunRecord, TWiseRecord, TWiseTotals, Table,
    VolumeRecord, VolumeTotals, percent,
};

use crate::values::grouped;

/// The table of sets of solutions.
pub fn of_sets(entries: &[BatchEntry<RunRecord>]) -> String {
    use Alignment::{Left, Right};
    let table = table(
        &[
            ("formula", Left),
            ("solutions", Right),
            ("needed", Right),
            ("coverage", Right),
            ("unknown", Right),
            ("seconds", Right),
            ("ended by", Left),
        ],
        entries,
        |record| {
            vec![
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
                record.stopped_by.to_string(),
            ]
        },
    );
    format!("{table}\n{}\n", BatchTotals::new(entries))
}

/// The table of solutions at volume.
pub fn of_volume(entries: &[BatchEntry<VolumeRecord>]) -> String {
    use Alignment::{Left, Right};
    let table = table(
        &[
            ("formula", Left),
            ("solutions", Right),
            ("new", Right),
            ("candidates", Right),
            ("valid", Right),
            ("questions", Right),
            ("seconds", Right),
            ("ended by", Left),
        ],
        entries,
        |record| {
            vec![
                record.formula.clone(),
                grouped(record.solutions),
                grouped(record.solutions - record.earlier.min(record.solutions)),
                grouped(record.candidates),
                if record.candidates > 0 { percent(record.valid, record.candidates) } else { String::new() },
                grouped(record.questions),
                format!("{:.2}", record.seconds),
                record.stopped_by.to_string(),
            ]
        },
    );
    format!("{table}\n{}\n", VolumeTotals::new(entries))
}

/// The table of sets that show combinations.
pub fn of_tuples(entries: &[BatchEntry<TWiseRecord>]) -> String {
    use Alignment::{Left, Right};
    let table = table(
        &[
            ("formula", Left),
            ("factors", Right),
            ("valid", Right),
            ("covered", Right),
            ("solutions", Right),
            ("needed", Right),
            ("seconds", Right),
            ("ended by", Left),
        ],
        entries,
        |record| {
            vec![
                record.formula.clone(),
                record.factors.to_string(),
                grouped(record.tuples - record.impossible),
                percent(record.covered, record.tuples - record.impossible),
                record.solutions.to_string(),
                format!(">= {}", record.lower_bound),
                format!("{:.2}", record.seconds),
                record.stopped_by.to_string(),
            ]
        },
    );
    format!("{table}\n{}\n", TWiseTotals::new(entries))
}

/// A row for each entry; the message of a failed one is in the last column.
fn table<R>(
    columns: &[(&str, Alignment)],
    entries: &[BatchEntry<R>],
    cells: impl Fn(&R) -> Vec<String>,
) -> Table {
    let mut table = Table::new(columns);
    for entry in entries {
        match entry {
            BatchEntry::Finished(record) => table.push(cells(record)),
            BatchEntry::Failed(failure) => table.push(failed(failure, columns.len())),
        }
    }
    table
}

fn failed(failure: &FailureRecord, columns: usize) -> Vec<String> {
    let mut cells = vec![failure.formula.clone()];
    cells.resize(columns - 1, String::new());
    // The message starts with the place, and the row with the name.
    let message = failure.error.strip_prefix(&format!("{}:", failure.formula));
    cells.push(message.unwrap_or(&failure.error).to_string());
    cells
}

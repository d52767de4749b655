//! The tables that a batch ends with.

use sundry_report::{
    Alignment, BatchEntry, FailureRecord, PartRecord, RunHead, RunKind, RunRecord, Table, Totals, percent,
};

use crate::values::grouped;

/// The table of a batch: a row for each formula, and totals. The message of a formula that failed is in its last column.
pub fn of_batch(kind: RunKind, entries: &[BatchEntry]) -> String {
    let columns = columns(kind);
    let mut table = Table::new(&columns);
    for entry in entries {
        match entry {
            BatchEntry::Finished(record) => table.push(cells(record)),
            BatchEntry::Failed(failure) => table.push(failed(failure, columns.len())),
        }
    }
    format!("{table}\n{}\n", Totals::new(kind, entries))
}

fn columns(kind: RunKind) -> Vec<(&'static str, Alignment)> {
    let numbers: &[&str] = match kind {
        RunKind::Set => &["solutions", "needed", "coverage", "unknown", "seconds"],
        RunKind::Tuples => &["factors", "valid", "covered", "solutions", "needed", "seconds"],
        RunKind::Volume => &["solutions", "new", "candidates", "valid", "questions", "seconds"],
    };
    let numbers = numbers.iter().map(|&name| (name, Alignment::Right));
    [("formula", Alignment::Left)].into_iter().chain(numbers).chain([("ended by", Alignment::Left)]).collect()
}

fn cells(record: &RunRecord) -> Vec<String> {
    let RunHead { formula, solutions, seconds, stopped_by, .. } = &record.head;
    let some = |is_known: bool, text: String| if is_known { text } else { String::new() };
    let mut cells = vec![formula.clone()];
    match &record.part {
        PartRecord::Set(set) => cells.extend([
            solutions.to_string(),
            some(set.lower_bound > 0, format!(">= {}", set.lower_bound)),
            some(*solutions > 0, percent(set.covered, set.valid + set.unknown)),
            set.unknown.to_string(),
        ]),
        PartRecord::Tuples(tuples) => cells.extend([
            tuples.factors.to_string(),
            grouped(tuples.tuples - tuples.impossible),
            percent(tuples.covered, tuples.tuples - tuples.impossible),
            solutions.to_string(),
            format!(">= {}", tuples.lower_bound),
        ]),
        PartRecord::Volume(volume) => cells.extend([
            grouped(*solutions),
            grouped(solutions - volume.earlier.min(*solutions)),
            grouped(volume.candidates),
            some(volume.candidates > 0, percent(volume.valid, volume.candidates)),
            grouped(volume.questions),
        ]),
    }
    cells.extend([format!("{seconds:.2}"), stopped_by.to_string()]);
    cells
}

fn failed(failure: &FailureRecord, columns: usize) -> Vec<String> {
    let mut cells = vec![failure.formula.clone()];
    cells.resize(columns - 1, String::new());
    // The message starts with the place, and the row with the name.
    let message = failure.error.strip_prefix(&format!("{}:", failure.formula));
    cells.push(message.unwrap_or(&failure.error).to_string());
    cells
}

//! The measure of other samplers: points of wires, of all models and of each file, so that files of several tools can be compared.

use sundry::coverage::{BitSet, WireCoverage, WirePoints, WiresSeen};
use sundry_report::{Alignment, Table, WiresOfFile, WiresRecord, percent};

use crate::values::grouped;

/// The points that models cover, together and by file.
pub(super) struct Wires {
    total: usize,
    together: WireCoverage,
    files: Vec<File>,
}

struct File {
    name: String,
    models: u64,
    coverage: WireCoverage,
}

impl Wires {
    pub(super) fn new(points: &WirePoints) -> Self {
        Wires { total: points.total(), together: WireCoverage::new(points), files: Vec::new() }
    }

    /// Models from here on are of this file.
    pub(super) fn begin(&mut self, name: &str, points: &WirePoints) {
        self.files.push(File { name: name.to_string(), models: 0, coverage: WireCoverage::new(points) });
    }

    /// Adds a model that satisfies the formula. Returns the number of points that it covers together with those before it, and
    /// that those alone do not.
    pub(super) fn add(&mut self, seen: &WiresSeen) -> u64 {
        if let Some(file) = self.files.last_mut() {
            file.models += 1;
            file.coverage.add(seen);
        }
        self.together.add(seen) as u64
    }

    pub(super) fn total(&self) -> u64 {
        self.total as u64
    }

    pub(super) fn covered(&self) -> u64 {
        self.together.covered() as u64
    }

    pub(super) fn record(&self) -> WiresRecord {
        let share = |part: usize, whole: usize| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
        // What files show only together is covered by none of them.
        let mut union = BitSet::new(self.total);
        self.files.iter().for_each(|file| union.union_with(&file.coverage.points()));
        let of_file = |file: &File| WiresOfFile {
            file: file.name.clone(),
            models: file.models,
            covered: file.coverage.covered() as u64,
            of_all: share(file.coverage.covered(), self.total),
            of_union: share(file.coverage.covered(), union.count()),
        };
        WiresRecord { union: union.count() as u64, files: self.files.iter().map(of_file).collect() }
    }
}

/// The record as text for people: a row for each file, where there are several.
pub(super) fn describe(record: &WiresRecord, total: u64) -> String {
    if record.files.len() < 2 {
        return String::new();
    }
    let mut table = Table::new(&[
        ("file", Alignment::Left),
        ("models", Alignment::Right),
        ("covered", Alignment::Right),
        ("of all", Alignment::Right),
        ("of union", Alignment::Right),
    ]);
    for file in &record.files {
        let [of_all, of_union] = [total, record.union].map(|whole| percent(file.covered, whole));
        table.push([file.file.clone(), grouped(file.models), grouped(file.covered), of_all, of_union]);
    }
    format!("\n{table}The union of what each file covers by itself has {} points.\n", grouped(record.union))
}

//! Figures from elsewhere, as CSV files.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

/// Coverage levels of the published tables, in percent as in these tables.
pub const LEVELS: [&str; 6] = ["80", "90", "95", "98", "99", "99.5"];

/// A level as a share.
pub fn share(level: &str) -> f64 {
    level.parse::<f64>().expect("levels are numbers") / 100.0
}

/// The number of solutions that a sampler needed, with its time.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Success {
    /// Number of solutions.
    pub solutions: usize,
    /// Seconds.
    pub seconds: f64,
}

/// The results for a formula, one entry for each of [`LEVELS`]; `None` if the level was not reached.
pub type Levels = [Option<Success>; LEVELS.len()];

#[derive(Deserialize)]
struct PublishedRow {
    benchmark: String,
    tool: String,
    coverage_percent: String,
    solutions: Option<usize>,
    seconds: Option<f64>,
}

/// Reads published figures of a sampler, by formula.
pub fn published(path: &Path, tool: &str) -> Result<BTreeMap<String, Levels>, String> {
    let mut found: BTreeMap<String, Levels> = BTreeMap::new();
    for row in rows::<PublishedRow>(path)?.into_iter().filter(|row| row.tool == tool) {
        let Some(level) = LEVELS.iter().position(|&level| level == row.coverage_percent) else { continue };
        let success =
            row.solutions.zip(row.seconds).map(|(solutions, seconds)| Success { solutions, seconds });
        found.entry(row.benchmark).or_default()[level] = success;
    }
    if found.is_empty() { Err(format!("{} has no figures of {tool}", path.display())) } else { Ok(found) }
}

/// The number of solutions that a tool needed to find a share of the known faults of a subject.
#[derive(Clone, Debug, Deserialize)]
pub struct FaultRow {
    /// The subject.
    pub subject: String,
    /// The tool.
    pub tool: String,
    /// The share, in percent.
    pub fault_detection_percent: String,
    /// Number of solutions; none where it did not get there.
    pub solutions: Option<usize>,
}

/// The result of the prototype on a formula.
#[derive(Clone, Debug, Deserialize)]
pub struct Prototype {
    benchmark: String,
    complete: String,
    /// Solutions in the end.
    pub solutions: Option<usize>,
    /// Solutions needed at some levels.
    pub at_80: Option<usize>,
    /// The number at 95 %.
    pub at_95: Option<usize>,
    /// The number at 99.5 %.
    #[serde(rename = "at_99.5")]
    pub at_99_5: Option<usize>,
}

impl Prototype {
    /// Whether the prototype decided everything.
    pub fn is_complete(&self) -> bool {
        self.complete == "True"
    }

    /// Solutions needed at those of [`LEVELS`] that it was measured at.
    pub fn levels(&self) -> [(&'static str, Option<usize>); 3] {
        [("80", self.at_80), ("95", self.at_95), ("99.5", self.at_99_5)]
    }
}

/// Reads the prototype's figures, by formula.
pub fn prototype(path: &Path) -> Result<BTreeMap<String, Prototype>, String> {
    Ok(rows::<Prototype>(path)?.into_iter().map(|row| (row.benchmark.clone(), row)).collect())
}

/// The rows of a CSV file.
pub fn rows<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>, String> {
    let fail = |error: csv::Error| format!("{}: {error}", path.display());
    let mut reader = csv::Reader::from_path(path).map_err(fail)?;
    reader.deserialize().collect::<Result<_, _>>().map_err(fail)
}

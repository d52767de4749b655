//! Runs of `sundry sample` as processes, and their stored results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sundry_report::{RunHead, SetRecord};
use sundry_testing::process;

use crate::published::{LEVELS, Levels, Success, share};
use crate::suite::Formula;

/// A process that has not ended so long after its own time limit is killed: that is a defect.
const GRACE: Duration = Duration::from_secs(60);

/// The result for one formula.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The formula.
    pub name: String,
    /// The command line after the name of the program.
    pub arguments: Vec<String>,
    /// The record, if it was run to the end.
    pub record: Option<SetRunRecord>,
    /// The message of a run that failed.
    pub error: String,
    /// Seconds of the whole process.
    pub seconds: f64,
    /// Greatest resident memory, in bytes.
    pub peak_memory: u64,
}

/// The record of a run that covers AST-bits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SetRunRecord {
    /// The figures that all runs have.
    #[serde(flatten)]
    pub head: RunHead,
    /// The coverage of the set.
    #[serde(flatten)]
    pub set: SetRecord,
}

/// The way in which formulas are run.
pub struct Runner {
    /// The program.
    pub program: PathBuf,
    /// Time limit of each run, in seconds.
    pub limit: f64,
    /// Options of `sundry sample`, besides the time limit.
    pub options: Vec<String>,
    /// The folder of stored runs.
    pub results: PathBuf,
}

impl Runner {
    /// The kept run of a formula with the same options, or a new one, which is kept.
    pub fn run(&self, formula: &Formula, further: &[String]) -> Result<Run, String> {
        let path = self.results.join(format!("{}.json", formula.file_name()));
        let mut arguments = vec!["sample".to_string(), formula.path.display().to_string()];
        arguments.extend(["--timeout".into(), self.limit.to_string(), "--json".into(), "--quiet".into()]);
        arguments.extend(self.options.iter().chain(further).cloned());
        if let Some(kept) = read(&path)
            && kept.arguments == arguments
        {
            return Ok(kept);
        }
        let limit = Duration::from_secs_f64(self.limit) + GRACE;
        let finished = process::run(Command::new(&self.program).args(&arguments), limit)
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        let record = serde_json::from_str(&finished.output.text).ok();
        let run = Run {
            name: formula.name.clone(),
            arguments,
            error: match finished.stopped {
                Some(_) => "did not end in time".into(),
                None => finished.errors.text,
            },
            record,
            seconds: finished.wall.as_secs_f64(),
            peak_memory: finished.memory,
        };
        let text = serde_json::to_string(&run).map_err(|error| error.to_string())?;
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(run)
    }
}

fn read(path: &Path) -> Option<Run> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// All runs that a folder keeps, in the order of the names.
pub fn kept(folder: &Path) -> Result<Vec<Run>, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut runs = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        runs.extend(read(&entry.map_err(fail)?.path()));
    }
    runs.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(runs)
}

impl Run {
    /// Solutions and seconds that each level took, of `base` AST-bits.
    ///
    /// A strategy that improves its set as a whole is measured by the prefixes of the set that it
    /// ends with; one that only adds solutions, as published samplers do, in the order in which it
    /// found them.
    pub fn levels(&self, base: u64) -> Levels {
        let mut levels = Levels::default();
        let Some(record) = &self.record else { return levels };
        for (level, percent) in levels.iter_mut().zip(LEVELS) {
            // A hair less, so that 99 % of 100 is 99.
            let reaches = |covered: u64| covered as f64 >= share(percent) * base as f64 - 1e-6;
            let Some(point) = record.set.curve.iter().find(|point| reaches(point.covered)) else { continue };
            let mut covered = 0;
            let prefix = record.set.per_solution.iter().position(|solution| {
                covered += solution.gain;
                reaches(covered)
            });
            let solutions = match (record.head.strategy.as_str(), prefix) {
                ("cover", Some(position)) => position + 1,
                ("cover", None) => continue,
                _ => point.solutions,
            };
            *level = Some(Success { solutions, seconds: point.seconds });
        }
        levels
    }

    /// The number of AST-bits that may be covered, as far as the run decided; 0 without a result.
    pub fn base(&self) -> u64 {
        self.record.as_ref().map_or(0, |record| record.set.valid + record.set.unknown)
    }

    /// A description of the run in one line.
    pub fn describe(&self) -> String {
        match &self.record {
            Some(record) => format!(
                "{}: {}, {} solutions (at least {}), {} unknown, {:.2} s, {} MiB",
                self.name,
                record.head.stopped_by,
                record.head.solutions,
                record.set.lower_bound,
                record.set.unknown,
                self.seconds,
                self.peak_memory >> 20,
            ),
            None => format!("{}: failed after {:.2} s: {}", self.name, self.seconds, self.error.trim()),
        }
    }
}

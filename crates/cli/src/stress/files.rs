//! The files of a campaign in its folder: the state after each generation, the runs since, findings and defects.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use sundry_fuzz::Finding;
use sundry_stress::{Cases, Keeper, NotedRun, State};

use super::DEFECTS;
use super::plan::Description;
use super::progress::Progress;
use super::report;
use crate::campaign;
use crate::campaign::findings::Findings;
use crate::campaign::json_file;
use crate::failure::{Failure, FailureKind};
use crate::output::OutputFolder;

/// The state after the last generation.
const STATE: &str = "state.json";
/// The runs since, a line for each.
const RUNS: &str = "runs.jsonl";

/// A state with all that decides on what is bred.
#[derive(Serialize, Deserialize)]
struct Saved<D, S> {
    description: D,
    state: S,
}

/// The first line of the runs: the generation from which they are bred.
#[derive(PartialEq, Serialize, Deserialize)]
struct RunsOf {
    generation: Option<u64>,
}

/// The files of a campaign, and the progress that is shown.
pub struct Files<'a> {
    output: &'a OutputFolder,
    description: &'a Description,
    runs: File,
    solvers: report::Solvers,
    /// Wrong answers, wrong models and crashes.
    pub defects: Findings,
    /// The line that shows progress.
    pub progress: Progress<'a>,
}

/// The state of the campaign in a folder, with the runs since; an empty state if there is none.
///
/// # Errors
/// The files cannot be read, or belong to a campaign with other options.
pub fn read(folder: &Path, description: &Description) -> Result<(State, Vec<NotedRun>), Failure> {
    let path = folder.join(STATE);
    let saved: Option<Saved<Description, State>> = json_file::read(&path)?;
    if saved.as_ref().is_some_and(|saved| saved.description != *description) {
        return Err(campaign::other_options(folder));
    }
    let state = saved.map(|saved| saved.state);
    let noted = read_runs(&folder.join(RUNS), state.as_ref().map(State::generation))?;
    Ok((state.unwrap_or_default(), noted))
}

/// The cases of the campaign in a folder; none if it is not the folder of such a campaign.
///
/// # Errors
/// The file cannot be read.
pub fn read_cases(folder: &Path) -> Result<Option<Cases>, Failure> {
    let saved: Option<Saved<IgnoredAny, State>> = json_file::read(&folder.join(STATE))?;
    Ok(match saved {
        Some(saved) => Some(saved.state.cases),
        // The campaign has ended before its first generation.
        None => folder.join(RUNS).exists().then(Cases::default),
    })
}

/// The runs that were noted since a generation. Those of another generation, and a line that a kill has cut, do not count.
fn read_runs(path: &Path, generation: Option<u64>) -> Result<Vec<NotedRun>, Failure> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::reading(path, &error)),
    };
    let mut lines = BufReader::new(file).lines();
    let first = lines.next().transpose().map_err(|error| Failure::reading(path, &error))?;
    let is_own =
        first.and_then(|line| serde_json::from_str::<RunsOf>(&line).ok()) == Some(RunsOf { generation });
    if !is_own {
        return Ok(Vec::new());
    }
    let mut runs = Vec::new();
    for line in lines {
        let line = line.map_err(|error| Failure::reading(path, &error))?;
        runs.extend(serde_json::from_str::<NotedRun>(&line).ok());
    }
    Ok(runs)
}

impl<'a> Files<'a> {
    /// Opens the files, of which the state and the runs were read.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn open(
        output: &'a OutputFolder,
        description: &'a Description,
        state: &State,
        noted: &[NotedRun],
        solvers: report::Solvers,
        defects: Findings,
        progress: Progress<'a>,
    ) -> Result<Files<'a>, Failure> {
        // What was noted is written again, without lines that do not count.
        let runs = start_runs(output, (!state.population.is_empty()).then(|| state.generation()))?;
        let mut files = Files { output, description, runs, solvers, defects, progress };
        noted.iter().try_for_each(|run| files.add_run(run))?;
        Ok(files)
    }

    fn add_run(&mut self, run: &NotedRun) -> Result<(), Failure> {
        // In one piece, so that a line is whole or the last.
        let written = self.runs.write_all(line(run)?.as_bytes());
        written.map_err(|error| Failure::writing(&self.output.path().join(RUNS), &error))
    }
}

/// A new file of runs, without any.
fn start_runs(output: &OutputFolder, generation: Option<u64>) -> Result<File, Failure> {
    let path = output.path().join(RUNS);
    let writing = |error: std::io::Error| Failure::writing(&path, &error);
    let mut runs = File::create(&path).map_err(writing)?;
    runs.write_all(line(&RunsOf { generation })?.as_bytes()).map_err(writing)?;
    Ok(runs)
}

fn line(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(|error| {
        Failure::new(FailureKind::Internal, format_args!("a run cannot be written: {error}"))
    })?;
    Ok(text + "\n")
}

impl Keeper for Files<'_> {
    type Error = Failure;

    fn note_run(&mut self, run: &NotedRun) -> Result<(), Failure> {
        self.add_run(run)?;
        self.progress.run();
        Ok(())
    }

    fn keep(&mut self, state: &State) -> Result<(), Failure> {
        let saved = Saved { description: self.description, state };
        let text = line(&saved)?;
        self.output.file(Path::new(STATE))?.replace(text.as_bytes())?;
        self.runs = start_runs(self.output, Some(state.generation()))?;
        Ok(())
    }

    fn defect(&mut self, finding: &Finding) -> Result<(), Failure> {
        if let Some(folder) = self.defects.add(finding)? {
            self.progress.defect(finding, &Path::new(DEFECTS).join(folder));
        }
        Ok(())
    }

    fn followed_up(&mut self, state: &State, case: usize) -> Result<(), Failure> {
        if let Some(folder) = report::write_finding(self.output, state, case, &self.solvers)? {
            self.progress.finding(state, case, &folder);
        }
        self.progress.update(state);
        Ok(())
    }

    fn generation(&mut self, state: &State) {
        self.progress.update(state);
    }
}

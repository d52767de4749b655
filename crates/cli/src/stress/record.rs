//! The record of a campaign as JSON, and its last population as files.

use std::path::{Path, PathBuf};

use serde::Serialize;
use sundry_external::{Meter, Respondent};
use sundry_stress::{Case, Effort, Generation, SlowInput, State, Status, Tally, Timed};

use super::plan::{Description, Plan};
use super::report;
use crate::campaign::{json_file, share_in_solvers};
use crate::failure::Failure;
use crate::output::OutputFolder;

/// The record in the folder of a campaign.
const RECORD: &str = "record.json";
/// The folder of the last population.
const POPULATION: &str = "population";

/// The reason for which a campaign ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// The last generation was bred.
    Generations,
    /// Solvers have computed for as long as they may.
    Budget,
    /// There are as many findings as were wanted.
    Findings,
    /// Its time is over.
    Timeout,
    /// Somebody stopped it.
    Interrupt,
    /// As much memory was in use as there may be.
    Memory,
}

/// All figures of a campaign.
#[derive(Serialize)]
struct Record<'a> {
    options: &'a Description,
    /// The variant that the search had in fact.
    effective_variant: String,
    unit: &'static str,
    ended_by: Option<Ended>,
    solvers: Vec<SolverRecord<'a>>,
    generations: &'a [Generation],
    population: Vec<MemberRecord<'a>>,
    cases: Vec<CaseRecord<'a>>,
    /// Seconds of this run.
    seconds: f64,
    /// The share of the threads' time that solvers took in this run.
    share_in_solvers: f64,
    solver_runs: u64,
    seconds_in_solvers: f64,
    seconds_of_triage: f64,
    threads: usize,
}

/// What a solver has answered in the search.
#[derive(Serialize)]
struct SolverRecord<'a> {
    command: &'a str,
    version: Option<&'a str>,
    is_reference: bool,
    #[serde(flatten)]
    tally: &'a Tally,
}

/// A member of the last population.
#[derive(Serialize)]
struct MemberRecord<'a> {
    file: PathBuf,
    front: usize,
    scores: &'a [f64],
    targets: &'a [Effort],
    references: &'a [Effort],
    lines: usize,
    bytes: usize,
}

/// A case, without its script.
#[derive(Serialize)]
struct CaseRecord<'a> {
    number: usize,
    generation: u64,
    /// Inputs that are much the same.
    count: usize,
    is_contradiction: bool,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest_bytes: Option<usize>,
    /// The efforts in the middle for the smallest input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    targets: Vec<&'a Effort>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    references: Vec<&'a Effort>,
}

impl<'a> CaseRecord<'a> {
    fn new(number: usize, case: &'a Case) -> Self {
        let confirmed: Option<&SlowInput> = match &case.status {
            Status::Confirmed(finding) => Some(finding),
            _ => None,
        };
        let medians = |all: &'a [Timed]| all.iter().filter_map(Timed::median).collect();
        CaseRecord {
            number,
            generation: case.generation,
            count: case.count,
            is_contradiction: case.is_contradiction,
            status: match case.status {
                Status::Waiting => "waiting",
                Status::Dropped(_) => "dropped",
                Status::Same(_) => "same",
                Status::Defect => "defect",
                Status::Confirmed(_) => "confirmed",
            },
            reason: match &case.status {
                Status::Dropped(reason) => Some(reason),
                _ => None,
            },
            same_as: match case.status {
                Status::Same(other) => Some(other),
                _ => None,
            },
            folder: confirmed.map(|finding| report::folder_of(finding, &case.script)),
            title: confirmed.map(report::title),
            smallest_bytes: confirmed.map(|finding| finding.smallest(&case.script).len()),
            targets: confirmed.map(|finding| medians(&finding.targets)).unwrap_or_default(),
            references: confirmed.map(|finding| medians(&finding.references)).unwrap_or_default(),
        }
    }
}

/// Writes the record and the population.
///
/// # Errors
/// A file cannot be written.
pub fn write(
    output: &OutputFolder,
    plan: &Plan,
    state: &State,
    meter: &Meter,
    ended_by: Option<Ended>,
) -> Result<(), Failure> {
    let path = output.path().join(POPULATION);
    if path.exists() {
        std::fs::remove_dir_all(&path).map_err(|error| Failure::writing(&path, &error))?;
    }
    let mut population = Vec::new();
    if !state.population.is_empty() {
        let folder = output.folder(Path::new(POPULATION))?;
        for (number, member) in state.population.iter().enumerate() {
            let name = format!("{number:04}.smt2");
            folder.file(Path::new(&name))?.replace(member.script.as_bytes())?;
            population.push(MemberRecord {
                file: Path::new(POPULATION).join(name),
                front: member.front,
                scores: &member.scores,
                targets: &member.measured.targets,
                references: &member.measured.references,
                lines: member.measured.lines(),
                bytes: member.script.len(),
            });
        }
    }
    let reading = meter.read();
    let record = Record {
        options: plan.description(),
        effective_variant: plan.effective_variant(),
        unit: plan.measure.unit(),
        ended_by,
        solvers: plan
            .tallies(state)
            .map(|(solver, is_reference, tally)| SolverRecord {
                command: &solver.name,
                version: solver.capabilities().version.as_deref(),
                is_reference,
                tally,
            })
            .collect(),
        generations: &state.history,
        population,
        cases: state.cases.0.iter().enumerate().map(|(number, case)| CaseRecord::new(number, case)).collect(),
        seconds: plan.start.elapsed().as_secs_f64(),
        share_in_solvers: share_in_solvers(meter, plan.start, plan.threads),
        solver_runs: reading.runs,
        seconds_in_solvers: reading.wall.as_secs_f64(),
        seconds_of_triage: state.seconds_of_triage,
        threads: plan.threads,
    };
    json_file::write(output, RECORD, &record)
}

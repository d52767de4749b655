//! The files that a run writes: checked before any work is done, written at its end.

use std::path::{Path, PathBuf};

use sundry_report::{BatchEntry, RunRecord};

use super::batch::csv;
use super::plan::SamplePlan;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::input::Input;
use crate::output::{Lock, OutputFile, OutputFolder};

/// What the folder of obligations is for.
pub const OBLIGATIONS: &str = "the claims of a run go to a folder, one script for each claim";

/// The places for the results of one formula, besides standard output.
#[derive(Default)]
pub struct Places {
    /// A file for the solutions.
    pub solutions: Option<OutputFile>,
    /// A folder for the scripts that must be unsatisfiable.
    pub obligations: Option<OutputFolder>,
    /// A file for the predicates that were made.
    pub predicates: Option<OutputFile>,
}

/// The files of a run on one formula.
pub struct Files {
    /// The places for the results of the formula.
    pub places: Places,
    record: Option<OutputFile>,
    summary: Option<OutputFile>,
    /// Keeps other processes from writing any of these.
    _locks: Vec<Lock>,
}

impl Files {
    /// The files that the command line names.
    ///
    /// # Errors
    /// A file cannot be written, is an input or another output, or is being written by another process.
    pub fn new(plan: &SamplePlan, input: &Input) -> Result<Self, Failure> {
        let output = &plan.output;
        let file = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::new).transpose();
        let obligations = output.obligations.as_deref().map(|path| OutputFolder::new(path, OBLIGATIONS));
        let places = Places {
            solutions: file(&output.solutions)?,
            obligations: obligations.transpose()?,
            predicates: file(&plan.predicates.saved)?,
        };
        let (record, summary) = (file(&output.record)?, file(&output.summary)?);
        let all = [&places.solutions, &places.predicates, &record, &summary].map(Option::as_ref);
        check(plan, &all, input.path().into_iter())?;
        let locks = lock(&all, &[places.obligations.as_ref()])?;
        Ok(Files { places, record, summary, _locks: locks })
    }

    /// Writes the record and the summary, and reports what could not be written, including solutions. The status of
    /// the run with all of that.
    pub fn finish(&self, record: &RunRecord, solutions: Result<(), Failure>, console: &Console) -> Status {
        let write = |file: &Option<OutputFile>, content: &dyn Fn() -> Vec<u8>| {
            file.as_ref().map_or(Ok(()), |file| file.replace(&content()))
        };
        let results = [
            solutions,
            write(&self.record, &|| record.to_json().into_bytes()),
            write(&self.summary, &|| csv(record.kind(), &[BatchEntry::Finished(Box::new(record.clone()))])),
        ];
        told(results, record.head.status, console)
    }
}

/// Reports the failures among these results. Returns the worst of their statuses and the given one.
pub fn told(
    results: impl IntoIterator<Item = Result<(), Failure>>,
    status: Status,
    console: &Console,
) -> Status {
    let failures = results.into_iter().filter_map(Result::err);
    failures.fold(status, |status, failure| {
        console.failure(&failure);
        status.max(failure.status())
    })
}

/// Locks outputs.
///
/// # Errors
/// Another process writes one of them.
pub fn lock(files: &[Option<&OutputFile>], folders: &[Option<&OutputFolder>]) -> Result<Vec<Lock>, Failure> {
    let files = files.iter().copied().flatten().map(OutputFile::lock);
    let folders = folders.iter().copied().flatten().map(OutputFolder::lock);
    files.chain(folders).filter_map(Result::transpose).collect()
}

/// Refuses outputs that would be written over an input or over one another.
///
/// # Errors
/// There is such an output.
pub fn check<'a>(
    plan: &SamplePlan,
    files: &[Option<&OutputFile>],
    formulas: impl Iterator<Item = &'a Path>,
) -> Result<(), Failure> {
    let files: Vec<&OutputFile> = files.iter().copied().flatten().collect();
    let predicates = plan.predicates.file.as_deref();
    let of_predicates = predicates.map(|path| (path, "file of predicates"));
    for (input, what) in formulas.map(|path| (path, "formula")).chain(of_predicates) {
        files.iter().try_for_each(|file| file.require_other_than(input, what))?;
    }
    for (position, file) in files.iter().enumerate() {
        if file.is_regular() && files[..position].contains(file) {
            let message = format!("two outputs would go to {}", file.name().display());
            return Err(Failure::usage(message));
        }
    }
    Ok(())
}

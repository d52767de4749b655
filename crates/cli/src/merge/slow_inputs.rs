//! The slow inputs of several campaigns of `sundry stress`.

use std::path::{Path, PathBuf};

use serde::Serialize;
use sundry_stress::{Cases, Status};

use crate::campaign::findings::copy_folder;
use crate::campaign::json_file;
use crate::failure::Failure;
use crate::output::OutputFolder;
use crate::stress::{folder_of, page_of_cases, title};

/// The list of findings.
const LIST: &str = "slow.json";

/// Findings, each with a folder.
pub struct SlowInputs<'a> {
    output: &'a OutputFolder,
    cases: Cases,
    /// The campaign of each case.
    campaigns: Vec<PathBuf>,
}

/// A finding in the list.
#[derive(Serialize)]
struct Entry<'a> {
    folder: PathBuf,
    title: String,
    /// The campaign whose files stand for the finding.
    campaign: &'a Path,
    /// The number of inputs that are much the same, in all campaigns.
    count: usize,
    smallest_bytes: usize,
}

impl<'a> SlowInputs<'a> {
    /// No findings yet.
    pub fn new(output: &'a OutputFolder) -> Self {
        SlowInputs { output, cases: Cases::default(), campaigns: Vec::new() }
    }

    /// The number of findings.
    pub fn count(&self) -> usize {
        self.cases.0.len()
    }

    /// Adds what a campaign has found, with the files of what is new.
    ///
    /// # Errors
    /// A file cannot be copied.
    pub fn join(&mut self, campaign: &Path, cases: Cases) -> Result<(), Failure> {
        for case in cases.0 {
            let Status::Confirmed(finding) = &case.status else { continue };
            let folder = folder_of(finding, &case.script);
            if self.cases.join(case) {
                copy_folder(&campaign.join(&folder), &self.output.folder(&folder)?)?;
                self.campaigns.push(campaign.to_path_buf());
            }
        }
        Ok(())
    }

    /// Writes the list and the page.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn close(&self) -> Result<(), Failure> {
        let entries =
            self.cases.confirmed().zip(&self.campaigns).map(|((_, case, finding), campaign)| Entry {
                folder: folder_of(finding, &case.script),
                title: title(finding),
                campaign,
                count: case.count,
                smallest_bytes: finding.smallest(&case.script).len(),
            });
        json_file::write(self.output, LIST, &entries.collect::<Vec<_>>())?;
        self.output.file(Path::new("index.html"))?.replace(page_of_cases(&self.cases).as_bytes())
    }
}

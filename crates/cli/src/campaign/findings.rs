//! Findings as folders, one for each bug: its formulas, and a text for people. An index lists all of them, for programs
//! and as a page.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sundry_fuzz::{Bug, Bugs, Evidence, Finding, Overruns};

use crate::failure::Failure;
use crate::output::OutputFolder;

use super::html_page::{Parts, page};
use super::issue::issue;
use super::json_file;
use super::replay::CampaignCommand;
use super::report::{WITH_MODEL, describe};

/// The list of bugs in the folder of a campaign.
const INDEX: &str = "index.json";
/// The formula of a finding as it was found.
pub const FORMULA: &str = "formula.smt2";
/// The formula of a finding as small as it became.
pub const REDUCED: &str = "reduced.smt2";

/// All files of a finding.
const FILES: [&str; 5] = [FORMULA, REDUCED, WITH_MODEL, "issue.md", "report.md"];

/// The bugs of a campaign, and the folders that they have.
pub struct Findings {
    folder: OutputFolder,
    /// The solvers by command.
    solvers: BTreeMap<String, SolverEntry>,
    bugs: Bugs,
    /// The scripts on which solvers are slow.
    slow: serde_json::Value,
    /// The command of this campaign, if it can print mutants again.
    command: Option<CampaignCommand>,
}

/// A solver in the index.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SolverEntry {
    /// What it says of its version.
    pub version: Option<String>,
    /// How often limits have ended it, on seeds and mutants, in the whole campaign.
    #[serde(flatten)]
    pub overruns: Overruns,
}

/// The list of all defects, as it is written.
#[derive(Serialize, Deserialize)]
struct Index {
    bugs: Vec<Bug>,
    /// Those of the last run; only written.
    #[serde(default)]
    solvers: BTreeMap<String, SolverEntry>,
    /// The scripts on which solvers are slow, as the campaign lists them.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    slow: serde_json::Value,
}

impl Findings {
    /// The bugs that a folder has already, with what solvers say of their version, by command.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn open(folder: &OutputFolder, versions: BTreeMap<String, Option<String>>) -> Result<Self, Failure> {
        let read: Option<Index> = json_file::read(&folder.path().join(INDEX))?;
        let (bugs, slow) = read.map_or_else(Default::default, |index| (index.bugs, index.slow));
        let entry = |(name, version)| (name, SolverEntry { version, ..SolverEntry::default() });
        let solvers = versions.into_iter().map(entry).collect();
        Ok(Findings {
            folder: folder.clone(),
            solvers,
            bugs: bugs.into_iter().collect(),
            slow,
            command: None,
        })
    }

    /// Sets the scripts on which solvers are slow, which the index lists as they are.
    pub fn set_slow(&mut self, slow: serde_json::Value) {
        self.slow = slow;
    }

    /// Sets the command of this campaign: with another option, it prints a mutant again.
    #[must_use]
    pub fn with_command(self, command: CampaignCommand) -> Self {
        Findings { command: Some(command), ..self }
    }

    /// A folder whose list begins anew, for what other campaigns have found.
    pub fn of_others(folder: &OutputFolder) -> Self {
        Findings {
            folder: folder.clone(),
            solvers: BTreeMap::new(),
            bugs: Bugs::default(),
            slow: serde_json::Value::Null,
            command: None,
        }
    }

    /// Adds all bugs in the folder of another campaign, with a label before the names of its seeds. Returns whether the folder is
    /// that of a campaign.
    ///
    /// # Errors
    /// The list of the campaign cannot be read, or a file cannot be copied.
    pub fn join(&mut self, campaign: &Path, label: &str) -> Result<bool, Failure> {
        let Some(Index { bugs, solvers, .. }) = json_file::read(&campaign.join(INDEX))? else {
            return Ok(false);
        };
        for (solver, entry) in solvers {
            let own = self.solvers.entry(solver).or_default();
            own.version = own.version.take().or(entry.version);
            own.overruns += entry.overruns;
        }
        let labelled = |seed: &str| format!("{label}: {seed}");
        for bug in bugs {
            let findings = bug.findings.iter().map(|(seed, mutant)| (labelled(seed), *mutant)).collect();
            let bug = Bug { seed: labelled(&bug.seed), findings, ..bug };
            let (output, from) = (&self.folder, campaign.join(&bug.folder));
            self.bugs.join(bug, |bug| {
                let to = output.folder(&bug.folder)?;
                FILES.iter().try_for_each(|name| remove_file(&to.path().join(name)))?;
                copy_folder(&from, &to)
            })?;
        }
        Ok(true)
    }

    /// Adds runs of solvers that limits have ended.
    pub fn add_overruns(&mut self, overruns: &BTreeMap<String, Overruns>) {
        for (solver, &runs) in overruns {
            self.solvers.entry(solver.clone()).or_default().overruns += runs;
        }
    }

    /// All bugs.
    pub fn bugs(&self) -> &Bugs {
        &self.bugs
    }

    /// Whether any bug is confirmed.
    pub fn has_confirmed(&self) -> bool {
        self.bugs.iter().any(|bug| bug.confirmed)
    }

    /// Adds a finding. The folder of its bug, if the bug is new.
    ///
    /// # Errors
    /// A file cannot be written or removed.
    pub fn add(&mut self, finding: &Finding) -> Result<Option<PathBuf>, Failure> {
        for folder in self.bugs.remove_cut_short(finding) {
            let path = self.folder.path().join(folder);
            std::fs::remove_dir_all(&path).map_err(|error| Failure::writing(&path, &error))?;
        }
        let (output, solvers) = (&self.folder, &self.solvers);
        let command = self.command.as_ref();
        let replay =
            command.and_then(|command| command.replay(&format!("{}:{}", finding.seed, finding.mutant)));
        let write = |bug: &Bug| write_folder(output, bug, finding, solvers, replay.as_deref());
        let added = self.bugs.add(finding, write)?;
        self.write_index()?;
        Ok(added.smallest.filter(|_| added.is_new))
    }

    fn write_index(&self) -> Result<(), Failure> {
        json_file::write(
            &self.folder,
            INDEX,
            &Index { bugs: self.bugs.sorted(), solvers: self.solvers.clone(), slow: self.slow.clone() },
        )
    }

    /// Writes the index and the page, which has further parts with other results of the campaign.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn close(&self, parts: Parts<'_>) -> Result<(), Failure> {
        self.write_index()?;
        let formula = |bug: &Bug| {
            std::fs::read_to_string(self.folder.path().join(&bug.folder).join(smallest(bug))).ok()
        };
        self.folder
            .file(Path::new("index.html"))?
            .replace(page(&self.bugs.sorted(), self.bugs.coarse(), &self.solvers, parts, formula).as_bytes())
    }
}

/// Copies the files of a finding.
///
/// # Errors
/// A file cannot be read or written.
pub fn copy_folder(from: &Path, to: &OutputFolder) -> Result<(), Failure> {
    let reading = |error: std::io::Error| Failure::reading(from, &error);
    for entry in from.read_dir().map_err(reading)? {
        let path = entry.map_err(reading)?.path();
        let content = std::fs::read(&path).map_err(|error| Failure::reading(&path, &error))?;
        to.file(Path::new(path.file_name().unwrap_or_default()))?.replace(&content)?;
    }
    Ok(())
}

/// Removes a file, if it is there.
fn remove_file(path: &Path) -> Result<(), Failure> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Failure::writing(path, &error)),
        _ => Ok(()),
    }
}

/// Writes the folder of a bug.
fn write_folder(
    output: &OutputFolder,
    bug: &Bug,
    finding: &Finding,
    solvers: &BTreeMap<String, SolverEntry>,
    replay: Option<&str>,
) -> Result<(), Failure> {
    let folder = output.folder(&bug.folder)?;
    let reduced = finding.reduction.as_ref().map(|reduction| reduction.script.as_str());
    let with_model = match &finding.evidence {
        Some(Evidence::Model { script, .. }) => Some(script.as_str()),
        _ => None,
    };
    let (issue, report) = (issue(finding, solvers), describe(finding, solvers, replay));
    let contents = [Some(&*finding.script), reduced, with_model, Some(&*issue), Some(&*report)];
    for (name, content) in FILES.into_iter().zip(contents) {
        match content {
            Some(content) => folder.file(Path::new(name))?.replace(content.as_bytes())?,
            // The smallest finding so far may have had this file.
            None => remove_file(&folder.path().join(name))?,
        }
    }
    Ok(())
}

/// The file with the smallest formula that shows a bug.
fn smallest(bug: &Bug) -> &'static str {
    if bug.reduced { REDUCED } else { FORMULA }
}

#[cfg(test)]
mod tests {
    use sundry_fuzz::Reduction;

    use super::super::report::tests;
    use super::*;

    /// A finding; without a reduction it was cut short.
    fn finding(reduction: Option<Reduction>) -> Finding {
        Finding { is_cut_short: reduction.is_none(), reduction, ..tests::finding("z3") }
    }

    #[test]
    fn files_of_an_earlier_finding_do_not_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = OutputFolder::new(folder.path(), "").expect("it can be used");
        let mut findings = Findings::open(&output, BTreeMap::new()).expect("it can be read");
        let bug = findings.add(&tests::finding("z3")).expect("written").expect("it is new");
        let has = |name: &str| folder.path().join(&bug).join(name).exists();
        assert!(FILES.into_iter().all(has));
        // The same bug with a smaller script, and without a model.
        let smaller = tests::finding("z3").reduction.map(|it| Reduction { script: "(mod)".into(), ..it });
        let smaller = Finding { mutant: 4, reduction: smaller, evidence: None, ..tests::finding("z3") };
        assert_eq!(findings.add(&smaller).expect("written"), None);
        assert!(has(REDUCED) && has("report.md") && !has(WITH_MODEL));
        // A merged list takes the files of one finding, too.
        let merged = tempfile::tempdir().expect("a folder");
        let others = OutputFolder::new(merged.path(), "").expect("it can be used");
        std::fs::create_dir_all(merged.path().join(&bug)).expect("a folder");
        std::fs::write(merged.path().join(&bug).join(WITH_MODEL), "left behind").expect("written");
        assert!(Findings::of_others(&others).join(folder.path(), "first").expect("it can be copied"));
        let has = |name: &str| merged.path().join(&bug).join(name).exists();
        assert!(has(REDUCED) && !has(WITH_MODEL));
    }

    #[test]
    fn the_folder_of_a_finding_that_was_cut_short_gives_way_to_what_it_becomes() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = OutputFolder::new(folder.path(), "").expect("it can be used");
        let open = || Findings::open(&output, BTreeMap::new()).expect("it can be read");
        let mut findings = open();
        let cut = findings.add(&finding(None)).expect("written").expect("it is new");
        assert!(folder.path().join(&cut).join(FORMULA).exists());
        let script = "(assert (mod))\n".to_string();
        let reduction = Reduction { script, skeleton: "mod".into(), checks: 3, is_finished: true };
        // Another run.
        let mut findings = open();
        let whole = findings.add(&finding(Some(reduction.clone()))).expect("written").expect("it is new");
        assert!(folder.path().join(&whole).join(REDUCED).exists() && !folder.path().join(&cut).exists());
        assert_eq!(open().add(&finding(Some(reduction))).expect("written"), None);
        assert!(open().has_confirmed());
    }
}

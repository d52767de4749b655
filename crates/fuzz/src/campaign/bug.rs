//! A bug as campaigns list it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sundry_external::{SolverOption, command_with_options};

use crate::judge::defect::Defect;
use crate::judge::finding::{DefectStatus, Finding};

/// A kind of defect, as bugs are counted.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `sat` instead of `unsat`, or the other way round.
    WrongAnswer,
    /// A model that does not satisfy the formula.
    InvalidModel,
    /// An unsatisfiable core that is none.
    WrongCore,
    /// A crash, a failed assertion or a sanitizer's report.
    Crash,
}

impl Kind {
    /// All kinds, the worst first.
    pub const ALL: [Kind; 4] = [Kind::WrongAnswer, Kind::InvalidModel, Kind::WrongCore, Kind::Crash];

    /// The kind of a defect.
    pub fn of(defect: &Defect) -> Kind {
        match defect {
            Defect::WrongAnswer { .. } => Kind::WrongAnswer,
            Defect::InvalidModel => Kind::InvalidModel,
            Defect::SatisfiableCore | Defect::StrayCore => Kind::WrongCore,
            Defect::Crash(_) => Kind::Crash,
        }
    }

    /// The name of one defect of this kind.
    pub fn name(self) -> &'static str {
        match self {
            Kind::WrongAnswer => "wrong answer",
            Kind::InvalidModel => "invalid model",
            Kind::WrongCore => "wrong core",
            Kind::Crash => "crash",
        }
    }
}

/// A bug: the smallest of its findings, with their number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bug {
    /// The name of its folder, which is the same in every run.
    pub folder: PathBuf,
    /// The command of the solver in the smallest finding.
    pub solver: String,
    /// The commands of all solvers under test with which it was found.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub shown_by: BTreeSet<String>,
    /// The options, behind the command, without any of which the bug does not show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<SolverOption>,
    /// Single options with which the bug goes away, if it shows without options.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cures: Vec<SolverOption>,
    /// The kind of the error.
    pub kind: Kind,
    /// A description of the error.
    pub defect: String,
    /// The witness of the error.
    pub witness: String,
    /// Whether the witness confirms the defect.
    pub confirmed: bool,
    /// The operators in the reduced formula. Crashes are identified by their signatures instead.
    pub skeleton: String,
    /// The first and the last release that show the bug, where releases were given.
    #[serde(default)]
    pub releases: Option<(String, String)>,
    /// Whether the newest release answers rightly, where releases were given.
    #[serde(default)]
    pub fixed: Option<bool>,
    /// Whether the formula was reduced.
    pub reduced: bool,
    /// Bytes of the reduced formula, or of the formula as it was found.
    pub bytes: usize,
    /// Whether the campaign ended while the formula was reduced: it may be another of these bugs.
    #[serde(default)]
    pub cut_short: bool,
    /// Whether reducing the formula took longer than it may: its operators may be others than those of the cause.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
    /// The seed of the smallest finding.
    pub seed: String,
    /// The number of the mutant of the smallest finding; 0 is the seed itself.
    pub mutant: usize,
    /// Whether some unchanged seed shows the bug.
    pub in_seed: bool,
    /// The number of seeds and mutants that show the bug.
    pub count: usize,
    /// The seeds and mutants that show the bug: names of seeds, and numbers of mutants.
    pub findings: BTreeSet<(String, usize)>,
}

impl Bug {
    /// The command of the solver with the options that the bug needs.
    pub fn command(&self) -> String {
        command_with_options(&self.solver, &self.options)
    }

    /// A bug with one finding, without a folder.
    pub(crate) fn of(finding: &Finding) -> Bug {
        let (skeleton, bytes) = match &finding.reduction {
            Some(reduction) => (reduction.skeleton.clone(), reduction.script.len()),
            None => (String::new(), finding.script.len()),
        };
        Bug {
            folder: PathBuf::new(),
            solver: finding.solver.clone(),
            shown_by: BTreeSet::from([finding.solver.clone()]),
            options: finding.options.clone(),
            cures: finding.cures.clone(),
            kind: Kind::of(&finding.defect),
            defect: finding.defect.to_string(),
            witness: finding.witness.to_string(),
            confirmed: finding.witness.confirms(&finding.defect),
            skeleton,
            releases: first_and_last(&finding.releases),
            fixed: finding.releases.last().map(|&(_, shown)| shown == DefectStatus::No),
            reduced: finding.reduction.is_some(),
            bytes,
            cut_short: finding.is_cut_short,
            unfinished: finding.reduction.as_ref().is_some_and(|reduction| !reduction.is_finished),
            seed: finding.seed.clone(),
            mutant: finding.mutant,
            in_seed: finding.in_seed,
            count: 1,
            findings: BTreeSet::from([(finding.seed.clone(), finding.mutant)]),
        }
    }
}

/// The first and the last of the releases that show a defect.
fn first_and_last(releases: &[(String, DefectStatus)]) -> Option<(String, String)> {
    let mut showing =
        releases.iter().filter(|(_, shown)| *shown == DefectStatus::Yes).map(|(name, _)| name.clone());
    let first = showing.next()?;
    Some((first.clone(), showing.next_back().unwrap_or(first)))
}

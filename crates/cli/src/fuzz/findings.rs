//! Findings as folders: formulas, and a text for people. One folder for each defect; findings that probably have
//! the same cause are counted with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use sundry_external::Verdict;
use sundry_fuzz::{Defect, DefectStatus, Finding, Overruns, Vote};

use crate::failure::Failure;
use crate::output::OutputFolder;
use crate::untrusted::{markdown, markdown_block, markdown_code};

use super::kept;
use super::kind::Kind;
use super::page::page;

/// A defect in the index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bug {
    /// Its folder.
    pub folder: PathBuf,
    /// The command of the solver.
    pub solver: String,
    /// What kind of thing is wrong.
    pub kind: Kind,
    /// What is wrong.
    pub defect: String,
    /// Who says so.
    pub witness: String,
    /// Whether that confirms it.
    pub confirmed: bool,
    /// The operators in the reduced formula. Crashes are told apart by their signatures instead.
    pub skeleton: String,
    /// The first and the last release that show it, where releases were given.
    #[serde(default)]
    pub releases: Option<(String, String)>,
    /// Whether the newest release answers rightly, where releases were given.
    #[serde(default)]
    pub fixed: Option<bool>,
    /// Whether the formula was reduced.
    pub reduced: bool,
    /// Bytes of the reduced formula, or of that as it was found.
    pub bytes: usize,
    /// Whether the campaign ended while it was reduced: it may be another of these defects.
    #[serde(default)]
    pub cut_short: bool,
    /// The seed of the smallest finding.
    pub seed: String,
    /// The number of its mutant; 0 is the seed itself.
    pub mutant: usize,
    /// Whether some unchanged seed shows it.
    pub in_seed: bool,
    /// How many seeds and mutants show it.
    pub count: usize,
    /// These: names of seeds, and numbers of mutants.
    pub findings: BTreeSet<(String, usize)>,
}

/// What findings of one defect have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    /// The last release that shows it, or the solver, and what is wrong.
    coarse: (String, String),
    /// The operators in the reduced formula.
    operators: String,
}

/// Defects so far.
pub struct Findings {
    folder: OutputFolder,
    /// The solvers by command.
    solvers: BTreeMap<String, SolverEntry>,
    bugs: BTreeMap<Key, Bug>,
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
}

impl Findings {
    /// Those that are kept in a folder already, with what solvers say of their version, by command.
    ///
    /// # Errors
    /// Their index cannot be read.
    pub fn open(folder: &OutputFolder, versions: BTreeMap<String, Option<String>>) -> Result<Self, Failure> {
        let read: Option<Index> = kept::read(&folder.path().join(INDEX))?;
        let bugs = read.map_or_else(Vec::new, |index| index.bugs);
        let bugs = bugs.into_iter().map(|bug| (key(&bug), bug)).collect();
        let entry = |(name, version)| (name, SolverEntry { version, ..SolverEntry::default() });
        Ok(Findings { folder: folder.clone(), solvers: versions.into_iter().map(entry).collect(), bugs })
    }

    /// Adds runs of solvers that limits have ended.
    pub fn add_overruns(&mut self, overruns: &BTreeMap<String, Overruns>) {
        for (solver, &runs) in overruns {
            self.solvers.entry(solver.clone()).or_default().overruns += runs;
        }
    }

    /// All defects.
    pub fn bugs(&self) -> impl ExactSizeIterator<Item = &Bug> {
        self.bugs.values()
    }

    /// Whether any is confirmed.
    pub fn has_confirmed(&self) -> bool {
        self.bugs().any(|bug| bug.confirmed)
    }

    /// Adds a finding: as a defect of its own, or to one that is known. Its folder if it is new, or the smallest
    /// of its kind.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn add(&mut self, finding: &Finding) -> Result<Option<PathBuf>, Failure> {
        let (skeleton, bytes) = match &finding.reduction {
            Some(reduction) => (reduction.skeleton.clone(), reduction.script.len()),
            None => (String::new(), finding.script.len()),
        };
        let mut bug = Bug {
            folder: PathBuf::new(),
            solver: finding.solver.clone(),
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
            seed: finding.seed.clone(),
            mutant: finding.mutant,
            in_seed: finding.mutant == 0,
            count: 1,
            findings: BTreeSet::from([(finding.seed.clone(), finding.mutant)]),
        };
        self.remove_cut_short(&bug)?;
        let key = key(&bug);
        bug.folder = folder_name(&finding.defect, &key);
        let mut is_best = true;
        if let Some(known) = self.bugs.get_mut(&key) {
            // After a kill, the last mutants are tried again.
            known.findings.append(&mut bug.findings);
            known.count = known.findings.len();
            known.in_seed |= bug.in_seed;
            // Which one was found first depends on the threads.
            let rank = |bug: &Bug| (bug.bytes, bug.seed.clone(), bug.mutant);
            is_best = rank(&bug) < rank(known);
            let findings = known.findings.clone();
            bug = Bug { count: known.count, in_seed: known.in_seed, findings, ..bug };
        }
        if is_best {
            let folder = self.folder.folder(&bug.folder)?;
            let write = |name: &str, text: &str| folder.file(Path::new(name))?.replace(text.as_bytes());
            write("formula.smt2", &finding.script)?;
            if let Some(reduction) = &finding.reduction {
                write("reduced.smt2", &reduction.script)?;
            }
            write("report.md", &self.describe(finding, &bug))?;
            self.bugs.insert(key, bug.clone());
        }
        self.write_list()?;
        Ok(is_best.then_some(bug.folder))
    }

    /// Removes what is left of a finding from when the campaign was stopped before.
    fn remove_cut_short(&mut self, again: &Bug) -> Result<(), Failure> {
        let is_same = |bug: &Bug| {
            bug.cut_short
                && bug.solver == again.solver
                && bug.seed == again.seed
                && bug.mutant == again.mutant
        };
        let keys: Vec<Key> =
            self.bugs.iter().filter(|(_, bug)| is_same(bug)).map(|(key, _)| key.clone()).collect();
        for bug in keys.iter().filter_map(|key| self.bugs.remove(key)) {
            let path = self.folder.path().join(&bug.folder);
            std::fs::remove_dir_all(&path).map_err(|error| Failure::writing(&path, &error))?;
        }
        Ok(())
    }

    /// The text for people, to be put into an issue tracker.
    fn describe(&self, finding: &Finding, bug: &Bug) -> String {
        let solver = markdown_code(&finding.solver);
        let mut text = format!("# {solver}: {}\n\n", markdown(&finding.defect.to_string()));
        let _ = writeln!(text, "{}.\n", markdown(&finding.witness.to_string()));
        let script = finding.reduction.as_ref().map_or(&finding.script, |reduction| &reduction.script);
        let _ = writeln!(text, "{}", markdown_block(script, "smt2"));
        text += "| solver | version | says |\n| --- | --- | --- |\n";
        for Vote { solver, word, .. } in &finding.said {
            let version = self.solvers.get(solver).and_then(|entry| entry.version.as_deref()).unwrap_or("");
            let word = match word {
                Ok(verdict) => verdict.to_string(),
                Err(Some(fault)) => fault.to_string(),
                Err(None) => "unknown".to_string(),
            };
            let (solver, version) = (markdown_code(solver), markdown(version));
            let _ = writeln!(text, "| {solver} | {version} | {} |", markdown(&shortened(&word, SHORT_WORD)));
        }
        for Vote { solver, output, .. } in finding.said.iter().filter(|said| !said.output.trim().is_empty()) {
            let output = markdown_block(&shortened(output.trim(), SHORT_OUTPUT), "");
            let _ = write!(text, "\n{} prints:\n\n{output}", markdown_code(solver));
        }
        if !finding.releases.is_empty() {
            text += "\n| release | shows it |\n| --- | --- |\n";
            for (release, shown) in &finding.releases {
                let shown = match shown {
                    DefectStatus::Yes => "yes",
                    DefectStatus::No => "no",
                    DefectStatus::Undecided => "no right answer",
                };
                let _ = writeln!(text, "| {} | {shown} |", markdown_code(release));
            }
        }
        let origin = match finding.mutant {
            0 => "the seed itself".to_string(),
            number => format!("mutant {number}"),
        };
        let rewritten = finding.rewritten.map_or_else(String::new, |how| format!(" of the seed {how}"));
        let _ = writeln!(
            text,
            "\nFound with {}, {origin}{rewritten}; that formula is `formula.smt2`.",
            markdown_code(&bug.seed)
        );
        if let Some(reduction) = finding.reduction.as_ref().filter(|reduction| !reduction.is_finished) {
            let _ = writeln!(text, "Reducing it was stopped after {} attempts.", reduction.checks);
        }
        if !finding.changes.is_empty() {
            text += "\nLiterals that were replaced, on the way from the seed:\n\n";
            for (from, to) in &finding.changes {
                let _ = writeln!(text, "- {}\n  by {}", markdown_code(from), markdown_code(to));
            }
        }
        text
    }

    /// How many confirmed and doubtful defects there are if operators do not count as a difference.
    pub fn coarse(&self) -> usize {
        self.bugs.keys().map(|Key { operators: _, coarse }| coarse).collect::<BTreeSet<_>>().len()
    }

    /// All defects in the order of their folders.
    fn sorted(&self) -> Vec<Bug> {
        let mut bugs: Vec<Bug> = self.bugs.values().cloned().collect();
        bugs.sort_by(|one, other| one.folder.cmp(&other.folder));
        bugs
    }

    fn write_list(&self) -> Result<(), Failure> {
        kept::write(&self.folder, INDEX, &Index { bugs: self.sorted(), solvers: self.solvers.clone() })
    }

    /// Writes the index and the page.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn close(&self) -> Result<(), Failure> {
        self.write_list()?;
        let formula = |bug: &Bug| {
            std::fs::read_to_string(self.folder.path().join(&bug.folder).join(smallest(bug))).ok()
        };
        self.folder
            .file(Path::new("index.html"))?
            .replace(page(&self.sorted(), self.coarse(), &self.solvers, formula).as_bytes())
    }
}

/// A name that is the same in every run: the solver, what is wrong, and a number for the rest.
fn folder_name(defect: &Defect, key: &Key) -> PathBuf {
    let program = key.coarse.0.split_whitespace().next().unwrap_or_default();
    let program = program.rsplit('/').next().unwrap_or_default();
    let is_plain =
        |character: &char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_');
    let program: String = program.chars().filter(is_plain).collect();
    let what = match defect {
        Defect::WrongAnswer { right: Verdict::Sat } => "wrong-unsat",
        Defect::WrongAnswer { .. } => "wrong-sat",
        Defect::InvalidModel => "invalid-model",
        Defect::SatisfiableCore | Defect::StrayCore => "wrong-core",
        Defect::Crash(_) => "crash",
    };
    let number = FxBuildHasher.hash_one(key) as u32;
    PathBuf::from(format!("{program}-{what}-{number:08x}"))
}

/// The file with the smallest formula that shows a defect.
fn smallest(bug: &Bug) -> &'static str {
    if bug.reduced { "reduced.smt2" } else { "formula.smt2" }
}

/// The list of defects in their folder.
const INDEX: &str = "index.json";

fn key(bug: &Bug) -> Key {
    // What nobody confirms is one kind: its formulas are not reduced.
    let defect = if bug.confirmed { bug.defect.clone() } else { format!("{}, not confirmed", bug.defect) };
    let operators = match bug.kind {
        _ if bug.cut_short => format!("{}, mutant {}", bug.seed, bug.mutant),
        Kind::Crash => String::new(),
        _ => bug.skeleton.clone(),
    };
    let culprit = bug.releases.as_ref().map_or(&bug.solver, |(_, last)| last);
    Key { coarse: (culprit.clone(), defect), operators }
}

/// Characters of a solver's answer in a table, and of its output, at most.
const SHORT_WORD: usize = 200;
const SHORT_OUTPUT: usize = 4000;

/// The first and the last of the releases that show a defect.
fn first_and_last(releases: &[(String, DefectStatus)]) -> Option<(String, String)> {
    let mut showing =
        releases.iter().filter(|(_, shown)| *shown == DefectStatus::Yes).map(|(name, _)| name.clone());
    let first = showing.next()?;
    Some((first.clone(), showing.next_back().unwrap_or(first)))
}

/// The beginning of a text.
fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use sundry_fuzz::{Reduction, Witness};

    use super::*;

    /// A finding with a mutant; without operators it was cut short.
    fn finding(mutant: usize, operators: Option<&str>) -> Finding {
        let reduction = operators.map(|operators| Reduction {
            script: format!("(assert ({operators}))\n"),
            skeleton: operators.to_string(),
            checks: 3,
            is_finished: true,
        });
        Finding {
            defect: Defect::InvalidModel,
            witness: Witness::Evaluator(0),
            solver: "z3".into(),
            seed: "s.smt2".into(),
            mutant,
            script: "(check-sat)\n".into(),
            rewritten: None,
            changes: Vec::new(),
            said: Vec::new(),
            releases: Vec::new(),
            is_cut_short: reduction.is_none(),
            reduction,
        }
    }

    #[test]
    fn what_is_found_again_counts_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = OutputFolder::new(folder.path(), "").expect("it can be used");
        let open = || Findings::open(&output, BTreeMap::new()).expect("it can be read");
        let counts = |findings: &Findings| findings.bugs().map(|bug| bug.count).collect::<Vec<_>>();
        let mut findings = open();
        for (mutant, operators) in [(3, "mod"), (4, "mod"), (3, "mod"), (5, "div")] {
            findings.add(&finding(mutant, Some(operators))).expect("written");
        }
        assert_eq!(counts(&findings), [1, 2]);
        // After a kill.
        let mut findings = open();
        findings.add(&finding(4, Some("mod"))).expect("written");
        assert_eq!(counts(&findings), [1, 2]);
    }

    #[test]
    fn what_was_cut_short_gives_way_to_what_it_becomes() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = OutputFolder::new(folder.path(), "").expect("it can be used");
        let mut findings = Findings::open(&output, BTreeMap::new()).expect("it can be read");
        findings.add(&finding(3, None)).expect("written");
        findings.add(&finding(4, None)).expect("written");
        assert!(findings.bugs().len() == 2 && findings.has_confirmed());
        let cut: Vec<PathBuf> = findings.bugs().map(|bug| bug.folder.clone()).collect();
        findings.add(&finding(3, Some("mod"))).expect("written");
        assert_eq!(findings.bugs().filter(|bug| bug.cut_short).count(), 1);
        assert!(!folder.path().join(&cut[0]).exists() && folder.path().join(&cut[1]).exists());
    }
}

//! Scripts on which a solver did not answer in time what another answered at once: kept for later.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use sundry_fuzz::{ReleasePace, SlowCase};

use super::slow_report::report;
use crate::campaign::json_file;
use crate::campaign::page_names::PageNames;
use crate::failure::Failure;
use crate::output::OutputFolder;
use crate::untrusted::html;
use crate::values::counted;

/// Scripts that are kept, at most; the others are counted.
const KEPT: usize = 200;
/// The folder of the scripts, and their list.
const FOLDER: &str = "slow";
const INDEX: &str = "slow.json";

/// A script in the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The command of the solver that is slow.
    pub solver: String,
    /// Seconds that it was let.
    pub seconds: f64,
    /// The command of one that is not.
    pub other: String,
    /// Seconds that it took.
    pub other_seconds: f64,
    /// The seed.
    pub seed: String,
    /// The number of the mutant; 0 is the seed itself.
    pub mutant: usize,
    /// The file with a smaller script that shows the same, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduced: Option<PathBuf>,
    /// The releases that were asked, with the pace of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub releases: Vec<(String, ReleasePace)>,
}

impl Entry {
    /// Names of its solvers and its seed.
    pub fn names(&self) -> PageNames {
        PageNames::of(self.commands(), [self.seed.as_str()])
    }

    /// The commands of its solvers.
    fn commands(&self) -> impl Iterator<Item = &str> {
        let releases = self.releases.iter().map(|(release, _)| release.as_str());
        [self.solver.as_str(), &self.other].into_iter().chain(releases)
    }

    /// The releases that were asked, by their paces.
    pub fn releases_in_words(&self, names: &PageNames) -> String {
        if self.releases.is_empty() {
            return "not asked".to_string();
        }
        let words =
            [(ReleasePace::Slow, "slow"), (ReleasePace::Fast, "fast"), (ReleasePace::Undecided, "undecided")];
        let of_pace = |(pace, word)| {
            let releases = self.releases.iter().filter(|(_, it)| *it == pace);
            let releases =
                releases.map(|(release, _)| names.solver(release)).collect::<Vec<&str>>().join(", ");
            (!releases.is_empty()).then(|| format!("{word}: {releases}"))
        };
        words.into_iter().filter_map(of_pace).collect::<Vec<String>>().join("; ")
    }
}

/// The list as it is written, by the names of the files.
#[derive(Default, Serialize, Deserialize)]
struct Index {
    /// How many there were, those that were not kept among them.
    count: usize,
    scripts: BTreeMap<PathBuf, Entry>,
}

/// What solvers are slow on.
pub struct SlowCases {
    campaign: OutputFolder,
    path: PathBuf,
    index: Index,
}

impl SlowCases {
    /// Those that are kept in the folder of a campaign.
    ///
    /// # Errors
    /// Their list cannot be read.
    pub fn open(campaign: &OutputFolder) -> Result<Self, Failure> {
        let path = campaign.path().join(FOLDER);
        let index = json_file::read(&path.join(INDEX))?.unwrap_or_default();
        Ok(SlowCases { campaign: campaign.clone(), path, index })
    }

    /// No scripts yet, for those of several campaigns to be joined; the list in the folder is written anew.
    pub fn of_others(folder: &OutputFolder) -> Self {
        SlowCases { campaign: folder.clone(), path: folder.path().join(FOLDER), index: Index::default() }
    }

    /// The number of scripts, those that were not kept among them.
    pub fn count(&self) -> usize {
        self.index.count
    }

    /// Adds those that another campaign keeps, each script once; their seeds get a label.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn join(&mut self, campaign: &Path, label: &str) -> Result<(), Failure> {
        let from = campaign.join(FOLDER);
        let Some(other) = json_file::read::<Index>(&from.join(INDEX))? else { return Ok(()) };
        let read = |name: &Path| {
            let path = from.join(name);
            std::fs::read(&path).map_err(|error| Failure::reading(&path, &error))
        };
        let folder = self.campaign.folder(Path::new(FOLDER))?;
        self.index.count += other.count;
        for (name, mut entry) in other.scripts {
            let script = read(&name)?;
            // Campaigns with other random seeds have other mutants by the same numbers.
            let mut own = name.clone();
            if self.index.scripts.contains_key(&own) {
                let hash = FxBuildHasher.hash_one(&script) as u32;
                own = name.with_extension(format!("{hash:08x}.smt2"));
            }
            let is_known = [&name, &own].into_iter().any(|name| {
                let is_kept = self.index.scripts.contains_key(name);
                is_kept && std::fs::read(self.path.join(name)).is_ok_and(|kept| kept == script)
            });
            if is_known {
                self.index.count -= 1;
                continue;
            }
            if self.index.scripts.len() == KEPT {
                continue;
            }
            folder.file(&own)?.replace(&script)?;
            if let Some(reduced) = &mut entry.reduced {
                let script = read(reduced)?;
                *reduced = reduced_name(&own);
                folder.file(reduced)?.replace(&script)?;
            }
            // Campaigns of earlier versions have none.
            if let Ok(report) = std::fs::read(from.join(report_name(&name))) {
                folder.file(&report_name(&own))?.replace(&report)?;
            }
            entry.seed = format!("{label}: {}", entry.seed);
            self.index.scripts.insert(own, entry);
        }
        json_file::write(&folder, INDEX, &self.index)
    }

    /// Keeps one more with a report, if there are not too many, given the versions of solvers by command. Returns its place if the
    /// script is a seed.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(
        &mut self,
        case: &SlowCase,
        versions: &BTreeMap<String, Option<String>>,
    ) -> Result<Option<PathBuf>, Failure> {
        let stem = Path::new(&case.seed).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let hash = FxBuildHasher.hash_one((&case.solver, &case.seed)) as u32;
        let name = format!("{}-{}-{hash:08x}.smt2", stem.unwrap_or_default(), case.mutant);
        if self.index.scripts.contains_key(Path::new(&name)) {
            // After a kill, the last mutants are tried again.
            return Ok(None);
        }
        self.index.count += 1;
        let folder = self.campaign.folder(Path::new(FOLDER))?;
        if self.index.scripts.len() < KEPT {
            folder.file(Path::new(&name))?.replace(case.script.as_bytes())?;
            let reduced = case.reduced.as_ref().map(|script| (reduced_name(Path::new(&name)), script));
            if let Some((name, script)) = &reduced {
                folder.file(name)?.replace(script.as_bytes())?;
            }
            let entry = Entry {
                solver: case.solver.clone(),
                seconds: case.time.as_secs_f64(),
                other: case.other.clone(),
                other_seconds: case.other_time.as_secs_f64(),
                seed: case.seed.clone(),
                mutant: case.mutant,
                reduced: reduced.map(|(name, _)| name),
                releases: case.releases.clone(),
            };
            let report = report(&entry, Path::new(&name), versions);
            folder.file(&report_name(Path::new(&name)))?.replace(report.as_bytes())?;
            self.index.scripts.insert(PathBuf::from(&name), entry);
        }
        json_file::write(&folder, INDEX, &self.index)?;
        let is_shown = case.mutant == 0 && self.index.scripts.contains_key(Path::new(&name));
        Ok(is_shown.then(|| self.path.join(report_name(Path::new(&name)))))
    }

    /// The list as JSON, for the index of the campaign; null if there are none.
    pub fn as_json(&self) -> serde_json::Value {
        if self.index.count == 0 {
            return serde_json::Value::Null;
        }
        serde_json::to_value(&self.index).expect("strings and numbers")
    }
}

impl SlowCases {
    /// Names of the solvers and seeds in the list.
    fn names(&self) -> PageNames {
        let entries = || self.index.scripts.values();
        PageNames::of(entries().flat_map(Entry::commands), entries().map(|entry| entry.seed.as_str()))
    }

    /// The scripts as a section of a page, those of unchanged seeds first; nothing if there are none.
    /// Names are those of the page; without them, the section has names of its own.
    pub fn section(&self, names: Option<&PageNames>) -> String {
        if self.index.scripts.is_empty() {
            return String::new();
        }
        let own = self.names();
        let names = names.unwrap_or(&own);
        let mut section = String::from(
            "<h2>Slow here, fast there</h2>\n<table>\n<tr><th>slow</th><th class=\"number\">seconds</th><th>fast</th>\
             <th class=\"number\">seconds</th><th>script</th><th>found with</th><th>releases</th></tr>\n",
        );
        let mut scripts: Vec<(&PathBuf, &Entry)> = self.index.scripts.iter().collect();
        scripts.sort_by_key(|(name, entry)| (entry.mutant > 0, *name));
        for (name, entry) in scripts {
            let file = entry.reduced.as_ref().unwrap_or(name).display().to_string();
            let origin = match entry.mutant {
                0 => "the seed itself".to_string(),
                number => format!("mutant {number}"),
            };
            let _ = writeln!(
                section,
                "<tr><td>{}</td><td class=\"number\">{:.2}</td><td>{}</td><td class=\"number\">{:.2}</td>\
                 <td><a href=\"{FOLDER}/{}\">{}</a></td><td>{}, {origin}</td><td>{}</td></tr>",
                html(names.solver(&entry.solver)),
                entry.seconds,
                html(names.solver(&entry.other)),
                entry.other_seconds,
                html(&file),
                html(&file),
                html(names.seed(&entry.seed)),
                html(&entry.releases_in_words(names)),
            );
        }
        section.push_str("</table>\n");
        section
    }
}

/// The name of the file with the report on a script.
fn report_name(name: &Path) -> PathBuf {
    name.with_extension("md")
}

/// The name of the file with the smaller script for the file of a script.
fn reduced_name(name: &Path) -> PathBuf {
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{stem}-reduced.smt2"))
}

impl fmt::Display for SlowCases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.index.scripts.len();
        match self.index.count {
            0 => Ok(()),
            count => write!(
                f,
                ", {count} where another solver took a tenth of the time; {} kept in {}",
                counted(kept, "script"),
                self.path.display()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_that_nobody_has_asked_are_not_called_fast() {
        let mut entry = Entry {
            solver: "/opt/z3-2".into(),
            seconds: 1.0,
            other: "/opt/cvc5".into(),
            other_seconds: 0.1,
            seed: "/home/s.smt2".into(),
            mutant: 0,
            reduced: None,
            releases: Vec::new(),
        };
        let names = PageNames::of(["/opt/z3-1", "/opt/z3-2"], []);
        assert_eq!(entry.releases_in_words(&names), "not asked");
        entry.releases =
            vec![("/opt/z3-1".into(), ReleasePace::Fast), ("/opt/z3-2".into(), ReleasePace::Undecided)];
        assert_eq!(entry.releases_in_words(&names), "fast: z3-1; undecided: z3-2");
        entry.releases[1].1 = ReleasePace::Slow;
        assert_eq!(entry.releases_in_words(&names), "slow: z3-2; fast: z3-1");
    }
}

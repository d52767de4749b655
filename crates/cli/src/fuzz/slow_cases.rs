//! Scripts on which a solver did not answer in time what another answered at once: kept for later.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use sundry_fuzz::SlowCase;

use crate::campaign::json_file;
use crate::failure::Failure;
use crate::output::OutputFolder;
use crate::values::counted;

/// Scripts that are kept, at most; the others are counted.
const KEPT: usize = 200;
/// The folder of the scripts, and their list.
const FOLDER: &str = "slow";
const INDEX: &str = "slow.json";

/// A script in the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Entry {
    /// The command of the solver that is slow.
    solver: String,
    /// Seconds that it was let.
    seconds: f64,
    /// The command of one that is not.
    other: String,
    /// Seconds that it took.
    other_seconds: f64,
    /// The seed.
    seed: String,
    /// The number of the mutant.
    mutant: usize,
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

    /// Keeps one more, if there are not too many.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, case: &SlowCase) -> Result<(), Failure> {
        let stem = Path::new(&case.seed).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let hash = FxBuildHasher.hash_one((&case.solver, &case.seed)) as u32;
        let name = format!("{}-{}-{hash:08x}.smt2", stem.unwrap_or_default(), case.mutant);
        if self.index.scripts.contains_key(Path::new(&name)) {
            // After a kill, the last mutants are tried again.
            return Ok(());
        }
        self.index.count += 1;
        let folder = self.campaign.folder(Path::new(FOLDER))?;
        if self.index.scripts.len() < KEPT {
            folder.file(Path::new(&name))?.replace(case.script.as_bytes())?;
            let entry = Entry {
                solver: case.solver.clone(),
                seconds: case.time.as_secs_f64(),
                other: case.other.clone(),
                other_seconds: case.other_time.as_secs_f64(),
                seed: case.seed.clone(),
                mutant: case.mutant,
            };
            self.index.scripts.insert(name.into(), entry);
        }
        json_file::write(&folder, INDEX, &self.index)
    }
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

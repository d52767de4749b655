//! How far a campaign is, so that it can go on after it was stopped or killed.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sundry_fuzz::{Overruns, Repeats};

use crate::arguments::{FormName, StrategyName};
use crate::failure::Failure;

/// The journal in the folder of a campaign.
const NAME: &str = "journal.jsonl";

/// What decides on the mutants of a campaign; another one cannot go on in its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Description {
    /// The commands of the solvers under test.
    pub solvers: Vec<String>,
    /// The commands of the references.
    pub references: Vec<String>,
    /// The commands of the releases.
    pub releases: Vec<String>,
    /// The seeds in order.
    pub seeds: Vec<PathBuf>,
    /// Changes in one step.
    pub changes: usize,
    /// How mutants are made.
    pub strategies: Vec<StrategyName>,
    /// How they are asked about.
    pub form: FormName,
    /// Seed of all random choices.
    pub seed: u64,
}

/// How far a seed is: a line behind the first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// The number of the seed.
    pub seed: usize,
    /// The last of its mutants that is done.
    pub mutant: usize,
    /// What was seen on it.
    #[serde(default, skip_serializing_if = "Repeats::is_empty")]
    pub seen: Repeats,
    /// What limits have ended since the line before of the same seed, by the command of the solver.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub overruns: BTreeMap<String, Overruns>,
}

/// A file that a line is added to after each turn.
pub struct Journal {
    path: PathBuf,
    file: File,
    /// How far the seeds are that were begun.
    pub done: BTreeMap<usize, Position>,
    /// What limits had ended in the whole campaign when it was opened, by the command of the solver.
    pub overruns: BTreeMap<String, Overruns>,
}

impl Journal {
    /// The journal in a folder, which exists.
    ///
    /// # Errors
    /// It cannot be read or written, or is that of another campaign.
    pub fn open(folder: &Path, description: &Description) -> Result<Journal, Failure> {
        let path = folder.join(NAME);
        let (mut done, mut overruns) = (BTreeMap::new(), BTreeMap::<String, Overruns>::new());
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::reading(&path, &error)),
        };
        // A line that a kill has cut is no turn; nor is what a full disk left of it.
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let first = lines.next();
        if let Some(first) = first {
            if serde_json::from_str::<Description>(first).ok().as_ref() != Some(description) {
                let message = format!("{} belongs to a campaign with other options", folder.display());
                return Err(
                    Failure::usage(message).with_help("choose another folder with -o, or remove this one")
                );
            }
            for position in lines.filter_map(|line| serde_json::from_str::<Position>(line).ok()) {
                for (solver, &runs) in &position.overruns {
                    *overruns.entry(solver.clone()).or_default() += runs;
                }
                done.insert(position.seed, position);
            }
        }
        let writing = |error: std::io::Error| Failure::writing(&path, &error);
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(writing)?;
        if first.is_none() {
            file.set_len(0).map_err(writing)?;
            writeln!(file, "{}", line(description)).map_err(writing)?;
        } else if !text.ends_with('\n') {
            writeln!(file).map_err(writing)?;
        }
        Ok(Journal { path, file, done, overruns })
    }

    /// Notes how far a seed is.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn note(&mut self, position: &Position) -> Result<(), Failure> {
        let text = format!("{}\n", line(position));
        self.file.write_all(text.as_bytes()).map_err(|error| Failure::writing(&self.path, &error))
    }
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings and numbers")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn description(seed: u64) -> Description {
        Description {
            solvers: vec!["z3".into()],
            references: Vec::new(),
            releases: Vec::new(),
            seeds: vec!["a.smt2".into()],
            changes: 5,
            strategies: vec![StrategyName::Both],
            form: FormName::Plain,
            seed,
        }
    }

    fn position(seed: usize, mutant: usize) -> Position {
        let seen = format!("{{\"slow\": {{\"z3\": {mutant}}}}}");
        let seen = serde_json::from_str(&seen).expect("what is written");
        let overruns = BTreeMap::from([("z3".into(), Overruns { timeouts: 1, memory_outs: seed })]);
        Position { seed, mutant, seen, overruns }
    }

    #[test]
    fn a_campaign_goes_on_where_it_was_killed() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |seed| Journal::open(folder.path(), &description(seed));
        let mut journal = open(1).expect("it is new");
        for (seed, mutant) in [(0, 10), (1, 10), (0, 20)] {
            journal.note(&position(seed, mutant)).expect("it is written");
        }
        let path = folder.path().join(NAME);
        let mut text = std::fs::read_to_string(&path).expect("it is there");
        text.push_str("{\"seed\":1,\"mut");
        std::fs::write(&path, text).expect("it is written");
        let done = |mutant| BTreeMap::from([(0, position(0, 20)), (1, position(1, mutant))]);
        assert_eq!(open(1).map(|journal| journal.done), Ok(done(10)));
        let mut journal = open(1).expect("the same");
        assert_eq!(journal.overruns["z3"], Overruns { timeouts: 3, memory_outs: 1 });
        journal.note(&position(1, 20)).expect("it is written");
        assert_eq!(open(1).map(|journal| journal.done), Ok(done(20)));
        assert!(open(2).is_err());
    }
}

//! Formulas of every theory survive being read and printed: the printed form of a seed is read back to the same text,
//! and z3 and cvc5 give the status that is recorded for the seed.
//!
//! The seeds are those in `crates/fuzz/seeds` and, where it stands beside the project, the collection
//! `../shared/seeds`. `cargo test -p sundry-testing --test seeds` asks the solvers about the former and about some of
//! the latter. About all:
//!
//! ```text
//! SUNDRY_ALL_SEEDS=1 cargo test --release -p sundry-testing --test seeds -- --nocapture
//! ```
//!
//! `SUNDRY_SECONDS` is how long a solver may work on a seed (3 unless given). Questions that it does not decide in
//! time, or answers with `unknown`, are counted. So are seeds that a solver refuses in their own words too.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sundry_external::Dialect;
use sundry_smtlib::{Attribute, Command, Script, SourceText, TheorySet, parse_script, print_script};
use sundry_term::TermStore;
use sundry_testing::oracle::{Answer, Answers, Oracle};
use sundry_testing::skipped::shared_folder;

/// One in this number of the shared seeds is tested, unless all are.
const SLICE: usize = 12;

/// A seed in its original and in its printed form.
struct Seed {
    path: PathBuf,
    text: String,
    printed: String,
    /// The recorded status of each question, if there is one.
    expected: Vec<Option<Answer>>,
}

/// The results of the questions that one solver was asked.
#[derive(Default)]
struct Tally {
    agreements: usize,
    undecided: usize,
    refused: usize,
    faults: Vec<String>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { agreements, undecided, refused, faults } = self;
        write!(f, "{agreements} questions answered as recorded, {undecided} undecided, ")?;
        write!(f, "{refused} seeds refused, {} faults", faults.len())
    }
}

/// All scripts below a folder, sorted; empty if the folder does not exist.
fn scripts_below(folder: PathBuf) -> Vec<PathBuf> {
    let mut folders = vec![folder];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("smt2") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// Our own seeds; those in `foreign` have theories that Sundry does not know.
fn own_seeds() -> Vec<PathBuf> {
    let mut seeds = scripts_below(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds"));
    seeds.retain(|path| !path.parent().is_some_and(|folder| folder.ends_with("foreign")));
    seeds
}

/// The seeds of the collection in a folder, each with the status that its index records.
fn recorded_seeds(folder: PathBuf) -> Vec<(PathBuf, Option<Answer>)> {
    let index = fs::read_to_string(folder.join("INDEX.csv")).unwrap_or_default();
    let entry = |line: &str| {
        let columns: Vec<&str> = line.split(',').collect();
        Some((folder.join(columns.first()?), answer(columns.get(4)?)?))
    };
    let recorded: BTreeMap<PathBuf, Answer> = index.lines().filter_map(entry).collect();
    let seeds = scripts_below(folder).into_iter();
    seeds.map(|path| (recorded.get(&path).copied(), path)).map(|(status, path)| (path, status)).collect()
}

fn answer(word: &str) -> Option<Answer> {
    match word {
        "sat" => Some(Answer::Sat),
        "unsat" => Some(Answer::Unsat),
        _ => None,
    }
}

/// Reads a script and prints it without its recorded status, because z3 treats a wrong status as an error.
fn reprint(path: &Path, text: &str) -> (String, Vec<Option<Answer>>) {
    let source = SourceText::new(path.display().to_string(), text);
    let mut store = TermStore::new();
    let mut script = parse_script(&mut store, &source, TheorySet::ALL)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    let expected = statuses(&script);
    for (command, _) in &mut script.commands {
        if matches!(command, Command::SetInfo(_)) {
            let attribute = Attribute { keyword: ":notes".to_string(), value: Some("none".to_string()) };
            *command = Command::SetInfo(attribute);
        }
    }
    (print_script(&store, &script), expected)
}

/// The status recorded in front of each question.
fn statuses(script: &Script) -> Vec<Option<Answer>> {
    let mut recorded = None;
    let mut statuses = Vec::new();
    for (command, _) in &script.commands {
        match command {
            Command::SetInfo(attribute) if attribute.keyword == ":status" => {
                recorded = attribute.text().as_deref().and_then(answer);
            }
            Command::CheckSat | Command::CheckSatAssuming(_) => statuses.push(recorded.take()),
            _ => {}
        }
    }
    statuses
}

impl Seed {
    /// Reads, prints and reads a seed again. An only question has the status given, where the seed itself records
    /// none.
    fn read(path: PathBuf, status: Option<Answer>) -> Seed {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (printed, mut expected) = reprint(&path, &text);
        if let [only @ None] = &mut expected[..] {
            *only = status;
        }
        let (again, _) = reprint(&path, &printed);
        assert!(
            again == printed,
            "{} is printed otherwise after reading:\n{printed}\n{again}",
            path.display()
        );
        Seed { path, text, printed, expected }
    }

    /// Asks a solver about the printed form.
    fn ask(&self, oracle: Oracle, limit: Duration, tally: &mut Tally) {
        let dialect = if oracle == Oracle::Z3 { Dialect::Former } else { Dialect::Current };
        let answers = oracle.run(&dialect.spell(&self.printed), limit);
        if let Some(error) = error_in(&answers) {
            // If the solver does not accept the original seed, its answer says nothing about the printed form.
            match error_in(&oracle.run(&self.text, limit)) {
                Some(_) => tally.refused += 1,
                None => tally.faults.push(format!("{oracle}, {}: {error}", self.path.display())),
            }
            return;
        }
        if answers.answers.len() != self.expected.len() && !answers.timed_out {
            tally.faults.push(format!(
                "{oracle}, {}: {} answers to {} questions",
                self.path.display(),
                answers.answers.len(),
                self.expected.len()
            ));
        }
        for (number, expected) in self.expected.iter().enumerate() {
            match (answers.answers.get(number), expected) {
                (None | Some(Answer::Unknown), _) => tally.undecided += 1,
                (Some(answer), Some(expected)) if answer != expected => tally.faults.push(format!(
                    "{oracle}, {}, question {}: {answer:?}, recorded is {expected:?}",
                    self.path.display(),
                    number + 1
                )),
                (Some(_), Some(_)) => tally.agreements += 1,
                (Some(_), None) => {}
            }
        }
    }
}

/// The first message about an error.
fn error_in(answers: &Answers) -> Option<&str> {
    answers.other.iter().map(String::as_str).find(|line| line.starts_with("(error"))
}

/// Asks both solvers about seeds; no answer differs from the recorded one.
fn agree(seeds: &[Seed]) {
    let seconds = std::env::var("SUNDRY_SECONDS").map_or(3.0, |text| text.parse().expect("a number"));
    let mut faults = Vec::new();
    for oracle in [Oracle::Z3, Oracle::Cvc5] {
        let mut tally = Tally::default();
        for seed in seeds {
            seed.ask(oracle, Duration::from_secs_f64(seconds), &mut tally);
        }
        println!("{} seeds, {oracle}: {tally}", seeds.len());
        assert!(tally.agreements > 0, "{oracle} answers nothing as recorded");
        faults.extend(tally.faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn own_seeds_are_read_printed_and_answered_as_recorded() {
    let seeds: Vec<Seed> = own_seeds().into_iter().map(|path| Seed::read(path, None)).collect();
    assert!(seeds.len() >= 20, "only {} seeds", seeds.len());
    for seed in &seeds {
        let is_recorded = !seed.expected.is_empty() && seed.expected.iter().all(Option::is_some);
        assert!(is_recorded, "{} has a question without status", seed.path.display());
    }
    agree(&seeds);
}

#[test]
fn shared_seeds_are_read_printed_and_answered_as_recorded() {
    let all = std::env::var_os("SUNDRY_ALL_SEEDS").is_some();
    let Some(folder) = shared_folder("shared_seeds_are_read_printed_and_answered_as_recorded", "seeds")
    else {
        return;
    };
    let mut seeds: Vec<Seed> =
        recorded_seeds(folder).into_iter().map(|(path, status)| Seed::read(path, status)).collect();
    println!("{} shared seeds are read and printed", seeds.len());
    if !all {
        seeds = seeds.into_iter().step_by(SLICE).collect();
    }
    agree(&seeds);
}

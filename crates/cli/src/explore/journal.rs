//! The journal of an exploration: every answer of the solver, in a file that only grows.
//!
//! An exploration is determined by its options and by the answers, so `--resume` needs nothing else: it takes the way of the earlier exploration with the answers
//! of the journal, runs the same tests under the same numbers, and goes on where the answers end. A process may be killed at any moment; what is lost then is the last
//! line, which is cut off if it has no end. The first line is about the options, so that no answer is taken for that of another exploration.
//!
//! Inputs are written as what they change of the input that reaches the branch, so that a line stays short where inputs are long.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;

use sundry_explore::{Changes, KnownAnswer, KnownKind, Question, VariableId};

use super::plan::ExplorePlan;
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::output::{OutputFile, OutputFolder};
use crate::values::counted;

/// The name of the journal in the output folder.
const JOURNAL: &str = "journal";

/// The journal of an exploration, to which answers are added.
pub struct Journal {
    file: File,
    output: OutputFile,
}

/// Answers by branch.
pub type Answers = Vec<(u64, KnownAnswer)>;

/// The first line, of an exploration with this number for its module and options.
fn header(fingerprint: u64) -> String {
    format!("answers of sundry {} for {fingerprint:016x}", env!("CARGO_PKG_VERSION"))
}

impl Journal {
    /// The journal in an output folder, and the answers that are there. The fingerprint is another one for other modules and options.
    ///
    /// # Errors
    /// There is a journal and `resumes` is not set, it is that of an exploration with other options, or it cannot be read or written.
    fn open(folder: &OutputFolder, fingerprint: u64, resumes: bool) -> Result<(Journal, Answers), Failure> {
        let header = header(fingerprint);
        let output = folder.file(Path::new(JOURNAL))?;
        let reading = |error| Failure::reading(output.name(), &error);
        let existing = output.open().map_err(reading)?;
        if existing.is_some() && !resumes {
            let message = format!("{} has the results of an earlier exploration", folder.path().display());
            let help = "continue it with --resume, choose another folder with -o, or remove this one";
            return Err(Failure::usage(message).with_help(help));
        }
        let (mut answers, mut length) = (Vec::new(), 0);
        if let Some(file) = existing {
            let mut reader = BufReader::new(file);
            let mut line = Vec::new();
            for number in 1.. {
                line.clear();
                reader.read_until(b'\n', &mut line).map_err(reading)?;
                let Some(text) = line.strip_suffix(b"\n") else { break };
                let text = std::str::from_utf8(text).unwrap_or_default();
                if number == 1 {
                    if text != header {
                        return Err(other_options(folder.path()));
                    }
                } else {
                    let answer = parse(text).ok_or_else(|| {
                        let place = format!("{}:{number}", output.name().display());
                        Failure::of(FailureKind::Input, place, "the line is no answer of an exploration")
                            .with_help("choose another folder with -o, or remove this one")
                    })?;
                    answers.push(answer);
                }
                length += line.len() as u64;
            }
        }
        let mut file = output.continue_at(length).map_err(|error| Failure::writing(output.name(), &error))?;
        if length == 0 {
            writeln!(file, "{header}").map_err(|error| Failure::writing(output.name(), &error))?;
        }
        Ok((Journal { file, output }, answers))
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, question: &Question<'_>) -> Result<(), Failure> {
        let line = print(question);
        // In one piece, which is there even if this process is killed right after.
        self.file.write_all(line.as_bytes()).map_err(|error| Failure::writing(self.output.name(), &error))
    }
}

/// The journal of a plan with a folder for results, and the answers that an exploration has left there.
///
/// # Errors
/// The folder belongs to another exploration, or the journal cannot be read or written.
pub fn open(plan: &ExplorePlan, console: &Console) -> Result<(Option<Journal>, Answers), Failure> {
    let Some(folder) = &plan.output else { return Ok((None, Vec::new())) };
    let (journal, answers) = Journal::open(folder, plan.fingerprint, plan.resumes)?;
    if !answers.is_empty() {
        let count = counted(answers.len(), "answer");
        console.note(folder.path().display(), format!("continues with {count} of an earlier run"));
    }
    Ok((Some(journal), answers))
}

fn other_options(folder: &Path) -> Failure {
    let message =
        format!("{} belongs to an exploration of another module or with other options", folder.display());
    let help = "repeat the options of that exploration, choose another folder with -o, or remove this one";
    Failure::usage(message).with_help(help)
}

/// An answer as a line: the branch, the answer as a letter with its work, and for each input the values that it changes.
fn print(question: &Question<'_>) -> String {
    let KnownAnswer { kind, work, partials } = question.known();
    let (letter, solution) = match &kind {
        KnownKind::Solution(changes) => ('s', Some(changes)),
        KnownKind::Impossible => ('i', None),
        KnownKind::Refuted => ('c', None),
        KnownKind::Unknown => ('u', None),
    };
    let mut line = format!("{:x} {letter}{work:x}", question.branch);
    for changes in solution.into_iter().chain(&partials) {
        line.push(' ');
        print_changes(&mut line, changes);
    }
    line.push('\n');
    line
}

fn print_changes(line: &mut String, changes: &[(VariableId, u64)]) {
    if changes.is_empty() {
        line.push('-');
    }
    for (number, (variable, value)) in changes.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(line, "{}{variable:x}={value:x}", if number > 0 { "," } else { "" });
    }
}

fn parse(line: &str) -> Option<(u64, KnownAnswer)> {
    let mut words = line.split(' ');
    let branch = u64::from_str_radix(words.next()?, 16).ok()?;
    let (letter, work) = words.next()?.split_at_checked(1)?;
    let work = u64::from_str_radix(work, 16).ok()?;
    let mut inputs = words.map(parse_changes);
    let kind = match letter {
        "s" => KnownKind::Solution(inputs.next()??),
        "i" => KnownKind::Impossible,
        "c" => KnownKind::Refuted,
        "u" => KnownKind::Unknown,
        _ => return None,
    };
    Some((branch, KnownAnswer { kind, work, partials: inputs.collect::<Option<_>>()? }))
}

fn parse_changes(word: &str) -> Option<Changes> {
    if word == "-" {
        return Some(Vec::new());
    }
    let change = |text: &str| {
        let (variable, value) = text.split_once('=')?;
        Some((VariableId::from_str_radix(variable, 16).ok()?, u64::from_str_radix(value, 16).ok()?))
    };
    word.split(',').map(change).collect()
}

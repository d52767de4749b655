//! Traces: folders with each question as a file that anybody can run again, and what each solver answered to it.
//!
//! A transcript is for programs; a trace is for people.

use std::collections::VecDeque;
use std::fmt::Write;
use std::fs::{self, OpenOptions};
use std::hash::BuildHasher;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxBuildHasher;

use super::{Inquiry, Recorder, Respondent};
use crate::reply::Reply;

/// Questions whose numbers are remembered: solvers are asked the same question one after the other.
const REMEMBERED: usize = 1000;

/// A folder for questions and answers. The script with number 7 is in `000007.smt2`, as solvers got it, and their answers are in
/// `000007.txt`. A script that solvers spell differently has several numbers.
#[derive(Debug)]
pub struct Trace {
    folder: PathBuf,
    numbers: Mutex<Numbers>,
}

#[derive(Debug)]
struct Numbers {
    last: u64,
    /// Hashes of the last scripts, with their numbers.
    recent: VecDeque<(u64, u64)>,
}

impl Trace {
    /// A trace in a folder, which is made if need be. Numbers go on behind those of the files that are there.
    ///
    /// # Errors
    /// The folder cannot be made or read.
    pub fn new(folder: &Path) -> io::Result<Trace> {
        fs::create_dir_all(folder)?;
        let mut last = 0;
        for entry in fs::read_dir(folder)? {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".smt2")?.parse().ok());
            last = last.max(number.unwrap_or_default());
        }
        let numbers = Mutex::new(Numbers { last, recent: VecDeque::new() });
        Ok(Trace { folder: folder.to_path_buf(), numbers })
    }
}

impl Recorder for Trace {
    fn record(&self, respondent: &dyn Respondent, inquiry: &Inquiry, reply: &Reply) -> io::Result<()> {
        let script = respondent.spelled(&inquiry.text);
        let hash = FxBuildHasher.hash_one(&*script);
        // Others wait, so that answers to one script do not mix.
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = numbers.recent.iter().rev().find(|(other, _)| *other == hash).map(|&(_, number)| number);
        let number = known.unwrap_or(numbers.last + 1);
        let path = |kind: &str| self.folder.join(format!("{number:06}.{kind}"));
        if known.is_none() {
            fs::write(path("smt2"), &*script)?;
            numbers.last = number;
            numbers.recent.push_back((hash, number));
            if numbers.recent.len() > REMEMBERED {
                numbers.recent.pop_front();
            }
        }
        let mut answers = OpenOptions::new().create(true).append(true).open(path("txt"))?;
        answers.write_all(described(respondent.name(), reply).as_bytes())
    }
}

/// The answer of a solver, with all that it printed.
fn described(name: &str, reply: &Reply) -> String {
    let verdicts = reply.answers().iter().map(|answer| answer.verdict.to_string());
    let words: Vec<String> = verdicts.chain(reply.fault.iter().map(ToString::to_string)).collect();
    let mut text = format!("== {name}\n== ");
    let seconds = reply.finished.processor.as_secs_f64();
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}; {seconds:.2} s of processor time", words.join(", "));
    for output in [&reply.finished.output.text, &reply.finished.errors.text] {
        text.push_str(output);
        if !output.is_empty() && !output.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Circumstances, Recorded};
    use super::*;
    use crate::{Limits, Profiles, Solver};

    #[test]
    fn scripts_can_be_run_again_and_answers_stand_beside_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("trace");
        let (limits, interrupted) = (Limits::default(), Arc::default());
        let here = Circumstances::new(folder.path(), &limits, &interrupted);
        let ask = |texts: &[&str]| {
            let trace = Arc::new(Trace::new(&place).expect("a folder"));
            for text in texts {
                for command in ["sh -c 'echo sat'", "sh -c 'echo unknown; echo why >&2'"] {
                    let solver = Solver::new(command, &Profiles::built_in()).expect("a command");
                    let inquiry = Inquiry::parse(text).expect("a script");
                    Recorded::new(solver, Arc::clone(&trace)).ask(&inquiry, here).expect("it answers");
                }
            }
        };
        ask(&["(assert true) (check-sat)", "(assert false) (check-sat)"]);
        // Another run goes on behind the files of this one.
        ask(&["(assert (not true)) (check-sat)"]);
        let read = |name: &str| fs::read_to_string(place.join(name)).expect("a file");
        assert!(
            read("000001.smt2").contains("(assert true)")
                && read("000003.smt2").contains("(assert (not true))")
        );
        let answers = read("000002.txt");
        let places = ["== sh -c 'echo sat'\n== sat; ", "\nsat\n", "== unknown; ", "unknown\nwhy\n"]
            .map(|text| answers.find(text).expect(&answers));
        assert!(places.is_sorted() && !place.join("000004.smt2").exists());
    }
}

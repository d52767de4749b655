//! Independent solvers as processes: many questions in one script, one answer each.
//!
//! A solver reads a script from a file and prints `sat`, `unsat` or `unknown` for each
//! `check-sat`. Starting a process costs more than most questions, so questions are asked together,
//! between `push` and `pop`. A library binding was rejected: a process can be stopped, its crash is
//! a result, and nothing needs to be linked.
//!
//! Answers are read here line by line, and not with the reader of `sundry-external`: tests compare that reader, and all
//! that stands on it, with these answers, and a mistake in common would go unseen.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sundry_term::{Op, Sort, TermId, TermStore};

use crate::process;

/// A solver that `tools/oracles` installs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Oracle {
    /// Z3.
    Z3,
    /// Bitwuzla.
    Bitwuzla,
    /// cvc5.
    Cvc5,
}

/// The answer of a solver to a `check-sat`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is no model.
    Unsat,
    /// The solver gave up.
    Unknown,
}

/// The reply of a solver to a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answers {
    /// The answers to the questions in order; fewer than the questions if the solver stopped.
    pub answers: Vec<Answer>,
    /// Other lines: messages about errors, output of other commands.
    pub other: Vec<String>,
    /// Whether the time was over before the solver ended.
    pub timed_out: bool,
}

impl fmt::Display for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Oracle::Z3 => "z3",
            Oracle::Bitwuzla => "bitwuzla",
            Oracle::Cvc5 => "cvc5",
        })
    }
}

impl Oracle {
    /// The solvers that are asked about formulas over bit-vectors, arrays and functions.
    pub const FOR_BIT_VECTORS: [Oracle; 2] = [Oracle::Z3, Oracle::Bitwuzla];

    /// The options with which it answers several questions over any theory.
    fn options(self) -> &'static [&'static str] {
        match self {
            Oracle::Z3 | Oracle::Bitwuzla => &[],
            Oracle::Cvc5 => &["--incremental", "--strings-exp", "--fp-exp"],
        }
    }

    /// The command that asks one of several questions. Between `push` and `pop`, z3's `check-sat` has a solver for
    /// all theories, which takes a minute for some formulas that the tactic for their theory decides in a second.
    fn question(self) -> &'static str {
        match self {
            Oracle::Z3 => "(check-sat-using default)",
            Oracle::Bitwuzla | Oracle::Cvc5 => "(check-sat)",
        }
    }

    /// The path of the solver: in `$SUNDRY_ORACLES/bin`, or in `.venv/bin` of the workspace.
    ///
    /// # Panics
    /// If the solver is missing, with a message that says how to install it.
    pub fn program(self) -> PathBuf {
        let installed = match std::env::var_os("SUNDRY_ORACLES") {
            Some(folder) => PathBuf::from(folder),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv"),
        };
        let program = installed.join("bin").join(self.to_string());
        assert!(
            program.is_file(),
            "{self} is not at {}: run tools/oracles in the workspace, or set SUNDRY_ORACLES to a folder that has bin/{self}",
            program.display()
        );
        program
    }

    /// Whether the solver decides formulas with this term. Bitwuzla knows no equality over
    /// uninterpreted sorts, nor over arrays together with constant arrays.
    pub fn supports(self, store: &TermStore, term: TermId) -> bool {
        let terms = store.reachable(&[term]);
        let any = |test: &dyn Fn(TermId) -> bool| terms.iter().any(|&term| test(term));
        let sort = |term: TermId| store.sort(store.sort_of(term));
        let uninterpreted = |term: TermId| matches!(sort(term), Sort::Uninterpreted { .. });
        let constant = |term: TermId| matches!(store.op(term), Op::ConstArray(_));
        let extensional = |term: TermId| {
            matches!(store.op(term), Op::Equal | Op::Distinct)
                && matches!(sort(store.args(term)[0]), Sort::Array { .. })
        };
        let unsupported = any(&uninterpreted) || any(&constant) && any(&extensional);
        self != Oracle::Bitwuzla || !unsupported
    }

    /// Runs a script, for at most `limit`.
    ///
    /// # Panics
    /// When the solver is missing or cannot be started.
    pub fn run(self, script: &str, limit: Duration) -> Answers {
        let file = ScriptFile::new(script);
        let mut command = Command::new(self.program());
        command.args(self.options()).arg(&file.path);
        let finished = process::run(&mut command, limit)
            .unwrap_or_else(|error| panic!("{self} does not start: {error}"));
        let timed_out = finished.stopped.is_some();
        let mut answers = Answers { answers: Vec::new(), other: Vec::new(), timed_out };
        for line in finished
            .output
            .text
            .lines()
            .chain(finished.errors.text.lines())
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            match line {
                "sat" => answers.answers.push(Answer::Sat),
                "unsat" => answers.answers.push(Answer::Unsat),
                // cvc5 says why.
                word if word == "unknown" || word.starts_with("unknown (") => {
                    answers.answers.push(Answer::Unknown)
                }
                other => answers.other.push(other.to_string()),
            }
        }
        answers
    }

    /// Asks whether each of the questions, lists of commands without `check-sat`, is satisfiable
    /// after the common commands; at most `limit` for all of them.
    ///
    /// # Panics
    /// When the solver reports an error or gives another number of answers in time.
    pub fn ask(self, common: &str, questions: &[String], limit: Duration) -> Vec<Answer> {
        let mut script = String::from(common);
        for question in questions {
            script.push_str("\n(push 1)\n");
            script.push_str(question);
            script.push('\n');
            script.push_str(self.question());
            script.push_str("\n(pop 1)\n");
        }
        let answers = self.run(&script, limit);
        if let Some(message) = answers.other.first() {
            panic!("{self} says {message}{}", line_of(message, &script));
        }
        assert!(
            answers.timed_out || answers.answers.len() == questions.len(),
            "{self} gives {} answers to {} questions",
            answers.answers.len(),
            questions.len()
        );
        let mut found = answers.answers;
        found.resize(questions.len(), Answer::Unknown);
        found
    }
}

/// The same term without features that the standard allows and some solver does not read: `bvsub` and `bvxnor` of
/// more than two arguments, connectives of one.
pub fn portable(store: &mut TermStore, term: TermId) -> TermId {
    let mut results: BTreeMap<TermId, TermId> = BTreeMap::new();
    for old in store.reachable(&[term]) {
        let arguments: Vec<TermId> = store.args(old).iter().map(|argument| results[argument]).collect();
        let op = store.op(old);
        let new = match (op, &arguments[..]) {
            (_, []) => old,
            (Op::And | Op::Or, &[only]) => only,
            (Op::BvSub | Op::BvXnor, &[first, ref rest @ ..]) => {
                rest.iter().fold(first, |result, &next| store.make(op, &[result, next]))
            }
            _ => store.make(op, &arguments),
        };
        results.insert(old, new);
    }
    results[&term]
}

/// The line of the script that a message mentions, if it does.
fn line_of(message: &str, script: &str) -> String {
    // Z3 writes "line 3", Bitwuzla "file.smt2:3:14".
    let behind =
        message.split_once("line ").or_else(|| message.split_once(".smt2:")).map(|(_, behind)| behind);
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    let number: Option<usize> = behind.and_then(|behind| digits(behind).parse().ok());
    match number.and_then(|number| script.lines().nth(number - 1)) {
        Some(line) => format!(" to {line}"),
        None => String::new(),
    }
}

/// A script in a file that is removed when no longer needed.
struct ScriptFile {
    path: PathBuf,
}

impl ScriptFile {
    fn new(script: &str) -> ScriptFile {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("sundry-oracle-{}-{number}.smt2", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, script).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        ScriptFile { path }
    }
}

impl Drop for ScriptFile {
    fn drop(&mut self) {
        // A file that is left over does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    const COMMON: &str = "(set-logic QF_BV)\n(declare-fun a () (_ BitVec 8))\n";

    #[test]
    fn every_oracle_answers_every_question() {
        let questions =
            ["(assert (= a #x01))", "(assert (distinct a a))", "(assert (bvnego a))"].map(String::from);
        for oracle in Oracle::FOR_BIT_VECTORS {
            let answers = oracle.ask(COMMON, &questions, Duration::from_secs(20));
            assert_eq!(answers, [Answer::Sat, Answer::Unsat, Answer::Sat], "{oracle}");
        }
    }

    #[test]
    fn a_slow_oracle_is_stopped() {
        // The factors of a product of two primes of 62 bits, which are random: others are found in less than a second.
        let script = "(set-logic QF_BV)\n(declare-fun a () (_ BitVec 62))\n(declare-fun b () (_ BitVec 62))\n\
            (define-fun product () (_ BitVec 124) (bvmul ((_ zero_extend 62) a) ((_ zero_extend 62) b)))\n\
            (assert (= product (_ bv7705883090301089205434108027373070379 124)))\n\
            (assert (bvugt a (_ bv1 62)))\n(assert (bvugt b (_ bv1 62)))\n(check-sat)\n";
        let begin = Instant::now();
        let answers = Oracle::Bitwuzla.run(script, Duration::from_millis(300));
        assert!(answers.timed_out, "{answers:?}");
        assert!(begin.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn errors_are_not_answers() {
        for oracle in Oracle::FOR_BIT_VECTORS {
            let answers =
                oracle.run("(set-logic QF_BV)\n(assert nonsense)\n(check-sat)\n", Duration::from_secs(20));
            assert!(!answers.other.is_empty(), "{oracle} reports an error: {answers:?}");
        }
    }
}

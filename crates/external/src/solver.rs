//! A solver as the user names it, and its answers, read strictly.
//!
//! What a solver prints counts only as far as it can be trusted: an answer behind an error is void, for the
//! solver may have left out what it did not understand; an error behind an answer makes only what was asked
//! after it void.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::dialect::Dialect;
use crate::feature::Feature;
use crate::probe::Capabilities;
use crate::process::{Finished, Limits, Stopped, command_in, run};
use crate::profile::{ModelWords, Profile, Profiles};
use crate::response::{Response, outside_expressions, responses};

/// How often a run is tried again for which the system lacks space or processes,
const PATIENCE: u32 = 20;
/// and how long is waited before that.
const PAUSE: Duration = Duration::from_millis(250);

/// A solver: a program with arguments, and what is known of its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solver {
    /// The command as the user wrote it.
    pub name: String,
    program: String,
    arguments: Vec<String>,
    profile: Profile,
    capabilities: Capabilities,
}

/// A command that names no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// Quotes that are not closed.
    Quotes(String),
    /// No words.
    Empty,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Quotes(command) => write!(f, "the command {command} has quotes that do not end"),
            CommandError::Empty => f.write_str("a command is empty"),
        }
    }
}

impl std::error::Error for CommandError {}

/// The program that a command line names, and its arguments. Words may be quoted as for a shell. The path of a
/// program, where it is one, is made absolute.
///
/// # Errors
/// A command without words, or with quotes that do not end.
pub fn split_command(command: &str) -> Result<(String, Vec<String>), CommandError> {
    let words = shlex::split(command).ok_or_else(|| CommandError::Quotes(command.to_string()))?;
    let mut words = words.into_iter();
    let program = words.next().filter(|program| !program.is_empty()).ok_or(CommandError::Empty)?;
    let absolute = program.contains('/').then(|| std::path::absolute(&program).ok()).flatten();
    let program = absolute.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or(program);
    Ok((program, words.collect()))
}

/// What a solver says to `check-sat`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver gave up.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        })
    }
}

/// Why a solver did not answer all that it was asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// Its time was over.
    Timeout,
    /// It took too much memory, or the system killed it, which it does where there is too little.
    Memory,
    /// It wrote too large a file.
    File,
    /// The caller stopped it.
    Interrupted,
    /// It crashed, failed an assertion, or a sanitizer stopped it: the [signature](signature) of that.
    Crash(String),
    /// It says itself that its model is wrong.
    InvalidModel(String),
    /// It does not know something in the input.
    Unsupported(String),
    /// It reports another error.
    Error(String),
    /// It ended without an answer or a message.
    NoAnswer,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Timeout => f.write_str("out of time"),
            Fault::Memory => f.write_str("out of memory"),
            Fault::File => f.write_str("too large a file"),
            Fault::Interrupted => f.write_str("interrupted"),
            Fault::Crash(signature) => write!(f, "crash: {signature}"),
            Fault::InvalidModel(message) => write!(f, "invalid model, as it says: {message}"),
            Fault::Unsupported(message) => write!(f, "not supported: {message}"),
            Fault::Error(message) => write!(f, "error: {message}"),
            Fault::NoAnswer => f.write_str("no answer"),
        }
    }
}

/// What a solver said to one `check-sat`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Its word.
    pub verdict: Verdict,
    /// The expressions that it printed behind it: models, values, cores. Nothing where an error came first.
    pub behind: Vec<String>,
}

/// What a solver said to a script.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Its answers to `check-sat`, in order; none behind an error.
    pub answers: Vec<Answer>,
    /// The first error that it reports, if any.
    pub error: Option<String>,
    /// What went wrong, if anything. An error behind an answer does not count: it says nothing of the answer.
    pub fault: Option<Fault>,
    /// The process.
    pub finished: Finished,
}

impl Reply {
    /// Of a solver that was not asked, and why.
    fn not_asked(reason: String) -> Reply {
        Reply {
            answers: Vec::new(),
            error: None,
            fault: Some(Fault::Unsupported(reason)),
            finished: Finished::default(),
        }
    }

    /// The answers that count: all that were printed, unless there was a crash.
    pub fn answers(&self) -> &[Answer] {
        match self.fault {
            None | Some(Fault::Timeout | Fault::Memory | Fault::File | Fault::InvalidModel(_)) => {
                &self.answers
            }
            _ => &[],
        }
    }

    /// The answer to the only `check-sat`; what happened after it was printed does not matter, unless that was
    /// a crash.
    pub fn verdict(&self) -> Option<Verdict> {
        match self.answers() {
            [answer] => Some(answer.verdict),
            _ => None,
        }
    }
}

impl Solver {
    /// The solver that a command line names; its words may be quoted as for a shell, which is never run. A program
    /// that is named by its path is found from the present folder, wherever it is run. The profile is that of the
    /// program's file name; other programs are called without special knowledge.
    ///
    /// # Errors
    /// A command without words, or with quotes that do not end.
    pub fn new(command: &str, profiles: &Profiles) -> Result<Solver, CommandError> {
        let (program, arguments) = split_command(command)?;
        let (name, known) = profiles.of_program(&program).unzip();
        let mut profile = known.cloned().unwrap_or_default();
        if profile.family.is_empty() {
            profile.family = name.unwrap_or_default().to_string();
        }
        let capabilities = Capabilities::default();
        Ok(Solver { name: command.to_string(), program, arguments, profile, capabilities })
    }

    /// The same solver with further arguments of every call. They are part of its name: it may answer otherwise.
    #[must_use]
    pub fn with_arguments(mut self, arguments: &[String]) -> Solver {
        self.arguments.extend_from_slice(arguments);
        for argument in arguments {
            self.name.push(' ');
            // Nothing but a zero byte cannot be quoted, and no argument has one.
            self.name.push_str(&shlex::try_quote(argument).unwrap_or(argument.into()));
        }
        self
    }

    /// The same solver, with scripts in another dialect than that of its kind.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Solver {
        self.profile.dialect = dialect;
        self
    }

    /// The same solver, of which this is known.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Solver {
        self.capabilities = capabilities;
        self
    }

    /// What is known of its kind.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Whether another is of the same family: another release, or the same with other arguments. A program without
    /// a profile may be of any.
    pub fn is_release_of(&self, other: &Solver) -> bool {
        let (own, theirs) = (&self.profile.family, &other.profile.family);
        own == theirs || own.is_empty() || theirs.is_empty()
    }

    /// What this build of it reads; everything, as long as it was not [`probed`](Self::probed).
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// A script in the words that the solver knows, given in those of version 2.7 of the standard.
    pub fn spell<'s>(&self, script: &'s str) -> Cow<'s, str> {
        let spelled = self.profile.dialect.spell(script);
        match self.word_models(&spelled) {
            Cow::Borrowed(_) => spelled,
            Cow::Owned(worded) => Cow::Owned(worded),
        }
    }

    /// A script that asks for models, on lines of their own, in the words of this solver; without these where it
    /// prints none.
    pub(crate) fn word_models<'s>(&self, script: &'s str) -> Cow<'s, str> {
        let standard = ModelWords::default();
        let lacks_models = self.capabilities.lacking.contains_key(&Feature::Models);
        if self.profile.models == standard && !lacks_models {
            return Cow::Borrowed(script);
        }
        let mut worded = String::with_capacity(script.len());
        for line in script.split_inclusive('\n') {
            let words = match line.trim_end() {
                _ if line.trim_end() == standard.option => &self.profile.models.option,
                _ if line.trim_end() == standard.command => &self.profile.models.command,
                _ => {
                    worded.push_str(line);
                    continue;
                }
            };
            if !lacks_models {
                worded.push_str(words);
                worded.push('\n');
            }
        }
        Cow::Owned(worded)
    }

    /// Whether the solver reads all of a script, in the words of version 2.7 of the standard, as far as is known.
    pub fn reads(&self, script: &str) -> bool {
        self.capabilities.refuses(script).is_none()
    }

    /// Gives the solver a script in the words of version 2.7 of the standard, if it reads all of it as far as is
    /// known. Its file is written to `folder`; the solver works in a folder below, which is removed with everything
    /// in it.
    ///
    /// # Errors
    /// The script cannot be written, or the solver not be started or watched.
    pub fn ask(
        &self,
        script: &str,
        folder: &Path,
        limits: &Limits,
        interrupted: &AtomicBool,
    ) -> io::Result<Reply> {
        if let Some(reason) = self.capabilities.refuses(script) {
            return Ok(Reply::not_asked(reason));
        }
        if let Some(character) = self.profile.dialect.lacks(script) {
            return Ok(Reply::not_asked(format!("the character {character}, in its older strings")));
        }
        self.run_script(&self.spell(script), folder, limits, interrupted)
    }

    /// Gives the solver a script as it is.
    pub(crate) fn run_script(
        &self,
        script: &str,
        folder: &Path,
        limits: &Limits,
        interrupted: &AtomicBool,
    ) -> io::Result<Reply> {
        let mut attempts = 0..PATIENCE;
        loop {
            let reply = self.try_script(script, folder, limits, interrupted);
            match &reply {
                // Another solver may have filled the disk, or started as many processes as there can be: it will be
                // stopped, and what it has left removed.
                Err(error) if is_shortage(error) && attempts.next().is_some() => thread::sleep(PAUSE),
                _ => return reply,
            }
        }
    }

    fn try_script(
        &self,
        script: &str,
        folder: &Path,
        limits: &Limits,
        interrupted: &AtomicBool,
    ) -> io::Result<Reply> {
        // A solver may have removed the folder above.
        let work = folder.join("work");
        let path = folder.join("question.smt2");
        let reply = fs::create_dir_all(&work)
            .and_then(|()| fs::write(&path, script))
            .and_then(|()| self.run(&path, &work, limits, interrupted));
        // What is left is removed with the folder above. A file that is written anew, instead of cut short and
        // written over, does not have to reach the disk at once.
        let _ = fs::remove_dir_all(&work);
        let _ = fs::remove_file(&path);
        reply
    }

    /// Runs the solver on a file with a script.
    ///
    /// # Errors
    /// It cannot be started, or not be watched.
    pub fn run(
        &self,
        script: &Path,
        folder: &Path,
        limits: &Limits,
        interrupted: &AtomicBool,
    ) -> io::Result<Reply> {
        let words = self.profile.arguments.iter().chain(&self.arguments).map(OsString::from);
        let arguments = words.chain([script.into()]);
        let finished = run(&mut command_in(&self.program, arguments, folder), limits, interrupted)?;
        Ok(self.read(finished))
    }

    /// The first line that it prints when asked for its version; nothing where nobody knows how to ask.
    ///
    /// # Errors
    /// It cannot be started, or not be watched.
    pub fn version(
        &self,
        folder: &Path,
        limits: &Limits,
        interrupted: &AtomicBool,
    ) -> io::Result<Option<String>> {
        if self.profile.version.is_empty() {
            return Ok(None);
        }
        let arguments = self.profile.version.iter().map(OsString::from);
        let finished = run(&mut command_in(&self.program, arguments, folder), limits, interrupted)?;
        let mut lines = finished.output.text.lines().map(str::trim);
        Ok(lines.find(|line| !line.is_empty()).map(String::from))
    }

    /// What a process that has ended says.
    pub(crate) fn read(&self, finished: Finished) -> Reply {
        let (mut answers, mut error) = (Vec::<Answer>::new(), None);
        for response in responses(&finished.output.text) {
            match response {
                // `unsupported` answers options and the like, which do not matter.
                Response::Word("success" | "unsupported") | Response::String(_) => {}
                Response::Expression(text) | Response::Unfinished(text) => {
                    if let Some(answer) = answers.last_mut() {
                        answer.behind.push(text.to_string());
                    }
                }
                // The model is printed behind it, and can be judged.
                Response::Error(text) if contains(text, &self.profile.invalid_model) => {}
                Response::Error(text) => error = Some(text.to_string()),
                Response::Word(word) => match verdict(word) {
                    Some(verdict) => answers.push(Answer { verdict, behind: Vec::new() }),
                    // A message in words of its own.
                    None => error = Some(line_with(&finished.output.text, word)),
                },
            }
            if error.is_some() {
                if let Some(answer) = answers.last_mut() {
                    answer.behind.clear();
                }
                break;
            }
        }
        if error.is_none() && !finished.status.success() {
            let mut lines = finished.errors.text.lines().map(str::trim);
            error = lines.find(|line| !line.is_empty()).map(String::from);
        }
        let fault = self.fault(&finished, error.as_deref(), answers.is_empty());
        Reply { answers, error, fault, finished }
    }

    /// What went wrong: the worst first.
    fn fault(&self, finished: &Finished, error: Option<&str>, is_silent: bool) -> Option<Fault> {
        // Symbols in a model may have any name.
        let said = outside_expressions(&finished.output.text);
        let texts = [&finished.errors.text, &said];
        let lines = || texts.into_iter().flat_map(|text| text.lines());
        if let Some(line) = lines().find(|line| is_sanitizer_report(line)) {
            return Some(Fault::Crash(signature(line)));
        }
        if let Some(line) = lines().find(|line| contains(line, &self.profile.invalid_model)) {
            return Some(Fault::InvalidModel(line.trim().to_string()));
        }
        for text in texts {
            let mut lines = text.lines();
            if let Some(line) = lines.find(|line| contains(line, &self.profile.crash)) {
                // What happened may be told behind where; Z3 tells the place on lines of their own.
                let behind = lines.clone().next().unwrap_or("");
                if let Some(line) =
                    [line, behind].into_iter().find(|line| contains(line, &self.profile.unsupported))
                {
                    return Some(Fault::Unsupported(line.trim().to_string()));
                }
                let place = lines.take_while(|line| line.starts_with("File:") || line.starts_with("Line:"));
                let whole: Vec<&str> = std::iter::once(line).chain(place).collect();
                return Some(Fault::Crash(signature(&whole.join(" "))));
            }
        }
        match finished.stopped {
            Some(Stopped::Interrupted) => return Some(Fault::Interrupted),
            Some(Stopped::Wall | Stopped::Processor) => return Some(Fault::Timeout),
            Some(Stopped::Memory) => return Some(Fault::Memory),
            Some(Stopped::File) => return Some(Fault::File),
            None => {}
        }
        match finished.signal() {
            // The system does that where memory is short, before it is seen from here.
            Some(signal) if signal == Signal::KILL.as_raw() => return Some(Fault::Memory),
            Some(signal) => return Some(Fault::Crash(format!("signal {signal}"))),
            None => {}
        }
        match error {
            _ if !is_silent => None,
            Some(error) if contains(error, &self.profile.unsupported) => {
                Some(Fault::Unsupported(error.to_string()))
            }
            Some(error) => Some(Fault::Error(error.to_string())),
            None => Some(Fault::NoAnswer),
        }
    }
}

/// Whether some text is in a line.
fn contains(line: &str, texts: &[String]) -> bool {
    texts.iter().any(|text| line.contains(text.as_str()))
}

/// Whether the system lacks something that it may soon have again.
fn is_shortage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory
    )
}

fn verdict(word: &str) -> Option<Verdict> {
    Some(match word {
        "sat" => Verdict::Sat,
        "unsat" => Verdict::Unsat,
        "unknown" => Verdict::Unknown,
        _ => return None,
    })
}

/// The first line with this word.
fn line_with(text: &str, word: &str) -> String {
    text.lines().find(|line| line.contains(word)).unwrap_or(word).trim().to_string()
}

fn is_sanitizer_report(line: &str) -> bool {
    line.contains("SUMMARY: ") && line.contains("Sanitizer") || line.contains("runtime error: ")
}

/// What stays the same where a crash happens again: the line without addresses, process numbers and folders.
pub fn signature(line: &str) -> String {
    let mut words = Vec::new();
    for word in line.split_whitespace() {
        // A folder says where it was built, not what happened.
        let word = word.rsplit_once('/').map_or(word, |(_, file)| file);
        let is_address = word.trim_start_matches(['(', '[']).starts_with("0x");
        if !is_address {
            words.push(without_process(word));
        }
    }
    words.join(" ")
}

/// A word without the number of the process in front, as sanitizers write it: `==77==`.
fn without_process(word: &str) -> &str {
    let number = word.strip_prefix("==").and_then(|rest| rest.split_once("=="));
    match number {
        Some((digits, rest)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    const PROFILE: &str = "[fake]\nprograms = ['sh']\nunsupported = ['unknown constant']\n\
        invalid_model = ['an invalid model was generated']\ncrash = ['ASSERTION VIOLATION']\n";

    /// What is read of a solver that is this line of shell.
    fn reply(line: &str) -> Reply {
        let mut profiles = Profiles::built_in();
        profiles.extend(PROFILE).expect("a legal profile");
        let command = shlex::try_join(["sh", "-c", line]).expect("no zero bytes");
        let solver = Solver::new(&command, &profiles).expect("a command");
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("script.smt2");
        fs::write(&script, "(check-sat)\n").expect("it is written");
        let limits = Limits { wall: Duration::from_millis(500), ..Limits::default() };
        solver.run(&script, folder.path(), &limits, &AtomicBool::new(false)).expect("a shell")
    }

    #[test]
    fn answers_and_what_is_behind_them() {
        let plain = reply("echo sat; echo '(model (define-fun x () Int 3))'");
        assert_eq!((plain.verdict(), &plain.fault), (Some(Verdict::Sat), &None));
        assert_eq!(plain.answers[0].behind, ["(model (define-fun x () Int 3))"]);
        let several = reply("echo success; echo unsat; echo '\"said\"'; echo unknown");
        let verdicts: Vec<Verdict> = several.answers.iter().map(|answer| answer.verdict).collect();
        assert_eq!(verdicts, [Verdict::Unsat, Verdict::Unknown]);
        assert_eq!(several.verdict(), None);
    }

    #[test]
    fn an_error_voids_what_is_behind_it() {
        let before = reply("echo '(error \"line 3: bad\")'; echo sat");
        assert_eq!((before.verdict(), before.fault), (None, Some(Fault::Error("line 3: bad".into()))));
        let behind = reply("echo unsat; echo '(error \"no model\")'; echo '(x)'; echo sat");
        assert_eq!((behind.verdict(), &behind.fault), (Some(Verdict::Unsat), &None));
        assert_eq!((behind.error.as_deref(), behind.answers[0].behind.len()), (Some("no model"), 0));
        let words = reply("echo 'Parse error: no idea'; echo sat");
        assert_eq!(words.fault, Some(Fault::Error("Parse error: no idea".into())));
        let status = reply("echo; echo 'something is wrong' >&2; exit 1");
        assert_eq!(status.fault, Some(Fault::Error("something is wrong".into())));
        assert_eq!(reply("true").fault, Some(Fault::NoAnswer));
    }

    #[test]
    fn what_is_not_supported_is_no_defect() {
        let message = "line 1 column 8: unknown constant divisible (Int)";
        let unsupported = reply(&format!("echo '(error \"{message}\")'; echo sat; exit 1"));
        assert_eq!(unsupported.fault, Some(Fault::Unsupported(message.into())));
    }

    #[test]
    fn crashes_are_told_by_their_signature() {
        let crash = |line: &str| match reply(line).fault {
            Some(Fault::Crash(signature)) => signature,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(crash("kill -SEGV $$"), "signal 11");
        assert_eq!(crash("echo sat; kill -ABRT $$"), "signal 6");
        let named = reply("echo sat; echo '((define-fun |ASSERTION VIOLATION| () Bool true))'");
        assert_eq!((named.verdict(), &named.fault), (Some(Verdict::Sat), &None));
        let violation =
            "echo 'ASSERTION VIOLATION at /home/me/z3/src/ast/ast.cpp:12 0x7f12 in f' >&2; sleep 9";
        assert_eq!(crash(violation), "ASSERTION VIOLATION at ast.cpp:12 in f");
        let places =
            "echo 'ASSERTION VIOLATION'; echo 'File: ../src/util/mpf.cpp'; echo 'Line: 13'; echo more";
        assert_eq!(crash(places), "ASSERTION VIOLATION File: mpf.cpp Line: 13");
        let report =
            "echo '==77==SUMMARY: AddressSanitizer: heap-use-after-free /a/b.cpp:3:4 in g' >&2; exit 1";
        assert_eq!(crash(report), "SUMMARY: AddressSanitizer: heap-use-after-free b.cpp:3:4 in g");
    }

    #[test]
    fn models_that_the_solver_itself_refutes() {
        let refuted =
            reply("echo sat; echo '(error \"line 9: an invalid model was generated\")'; echo '((x))'");
        assert_eq!(refuted.verdict(), Some(Verdict::Sat));
        assert_eq!(refuted.answers[0].behind, ["((x))"], "the model can be judged");
        assert!(matches!(refuted.fault, Some(Fault::InvalidModel(_))));
        let before = reply("echo '(error \"an invalid model was generated\")' >&2; exit 1");
        assert!(before.answers.is_empty() && matches!(before.fault, Some(Fault::InvalidModel(_))));
    }

    #[test]
    fn limits_are_no_defects() {
        assert_eq!(reply("sleep 9").fault, Some(Fault::Timeout));
        assert_eq!(reply("kill -KILL $$").fault, Some(Fault::Memory));
        let late = reply("echo unsat; sleep 9");
        assert_eq!((late.verdict(), late.fault), (Some(Verdict::Unsat), Some(Fault::Timeout)));
    }

    #[test]
    fn commands_are_split_into_words() {
        let profiles = Profiles::built_in();
        let solver = Solver::new("cvc5 --strings-exp 'a b'", &profiles).expect("a command");
        assert_eq!(
            (&solver.program[..], &solver.arguments[..]),
            ("cvc5", &["--strings-exp".into(), "a b".into()][..])
        );
        assert_eq!(Solver::new("z3 'a", &profiles), Err(CommandError::Quotes("z3 'a".into())));
        assert_eq!(Solver::new("  ", &profiles), Err(CommandError::Empty));
    }
}

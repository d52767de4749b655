//! Strict reading of the output of solvers.
//!
//! Output counts only as far as it can be trusted: an answer after an error is void, because the solver may have
//! ignored what it did not understand; an error after an answer invalidates only the answers to later questions.

use rustix::process::Signal;

use crate::process::{Finished, StoppedBy};
use crate::profile::Profile;
use crate::reply::{Answer, Fault, Reply, Verdict};
use crate::response::{Response, outside_expressions, responses};
use crate::sanitizer;

/// Texts with which the runtimes of programs, and shells that ran them, report a crash, whatever the program.
const CRASH_OF_ANY: [&str; 12] = [
    "terminate called",
    SEGMENTATION_FAULT,
    TRACEBACK,
    "panicked at",
    "has overflowed its stack",
    "Assertion `",
    "Assertion \"",
    "Assertion failed",
    "nternal error",
    "ASSERTION VIOLATION",
    "stack smashing detected",
    "double free or corruption",
];

/// The report of a shell about a program that has used memory which is not there; the number of its process is in front.
const SEGMENTATION_FAULT: &str = "Segmentation fault";

/// The head of the report of Python about a program that has failed. The error itself is in the last line.
const TRACEBACK: &str = "Traceback (most recent call last)";

/// The text in place of one with rounded values, which says nothing that can be judged.
const ROUNDED: &str = "(rounded)";

/// The number that a shell adds to that of a signal that has ended a program.
const SHELL_SIGNALS: i32 = 128;

impl Profile {
    /// Reads the reply of a process that has ended.
    pub(crate) fn read(&self, finished: Finished) -> Reply {
        let (mut answers, mut error) = (Vec::<Answer>::new(), None);
        for response in responses(&finished.output.text) {
            match response {
                // `unsupported` answers options and the like, which do not matter.
                Response::Word("success" | "unsupported") | Response::String(_) => {}
                // Statistics and other information, which is no model.
                Response::Expression(text) if text[1..].trim_start().starts_with(':') => {}
                Response::Expression(text) | Response::Unfinished(text) => {
                    if let Some(answer) = answers.last_mut() {
                        let is_rounded = self.rounds_reals && has_decimal(text);
                        answer.behind.push(if is_rounded { ROUNDED } else { text }.to_string());
                    }
                }
                // The model is printed after it, and can be judged.
                Response::Error(text) if contains(text, &self.invalid_model) => {}
                Response::Error(text) => error = Some(text.to_string()),
                Response::Word(word) => match verdict(word) {
                    Some(verdict) => answers.push(Answer { verdict, behind: Vec::new() }),
                    // A message of another form.
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
        self.reply(answers, error, finished)
    }

    /// The reply with these answers and the first error in the output.
    pub(crate) fn reply(&self, answers: Vec<Answer>, error: Option<String>, finished: Finished) -> Reply {
        let mut error = error;
        if error.is_none() && !finished.status.success() {
            let mut lines = finished.errors.text.lines().map(str::trim);
            error = lines.find(|line| !line.is_empty()).map(String::from);
        }
        let fault = self.fault(&finished, error.as_deref(), answers.is_empty());
        Reply { answers, error, fault, executed: None, finished }
    }

    /// The fault, the worst first.
    fn fault(&self, finished: &Finished, error: Option<&str>, is_silent: bool) -> Option<Fault> {
        // Symbols in a model may have any name.
        let said = outside_expressions(&finished.output.text);
        let texts = [&finished.errors.text, &said];
        let lines = || texts.into_iter().flat_map(|text| text.lines());
        if let Some(signature) = texts.into_iter().find_map(|text| sanitizer::report(text)) {
            return Some(Fault::Crash(signature));
        }
        if let Some(line) = lines().find(|line| contains(line, &self.invalid_model)) {
            return Some(Fault::InvalidModel(line.trim().to_string()));
        }
        for text in texts {
            let mut lines = text.lines();
            if let Some(line) = lines.find(|line| self.is_of_crash(line)) {
                // The reason may follow the place; Z3 prints the place on lines of its own.
                let behind = lines.clone().next().unwrap_or("");
                if let Some(line) = [line, behind].into_iter().find(|line| contains(line, &self.unsupported))
                {
                    return Some(Fault::Unsupported(line.trim().to_string()));
                }
                return Some(Fault::Crash(signature_of_crash(line, lines)));
            }
        }
        match finished.stopped {
            Some(StoppedBy::Interrupted) => return Some(Fault::Interrupted),
            Some(StoppedBy::Wall | StoppedBy::Processor) => return Some(Fault::Timeout),
            Some(StoppedBy::Memory) => return Some(Fault::Memory),
            Some(StoppedBy::File) => return Some(Fault::File),
            None => {}
        }
        match finished.signal().or_else(|| signal_of_child(finished.status.code()?)) {
            // The system does that where memory is short, before it is seen from here.
            Some(signal) if signal == Signal::KILL.as_raw() => return Some(Fault::Memory),
            Some(signal) => return Some(Fault::Crash(signature_of_signal(signal))),
            None => {}
        }
        match error {
            _ if !is_silent => None,
            Some(error) if contains(error, &self.unsupported) => Some(Fault::Unsupported(error.to_string())),
            Some(error) => Some(Fault::Error(error.to_string())),
            None => Some(Fault::NoAnswer),
        }
    }

    /// Whether a line reports a crash.
    fn is_of_crash(&self, line: &str) -> bool {
        contains(line, &self.crash) || CRASH_OF_ANY.iter().any(|text| line.contains(text))
    }
}

/// Whether a text has a number with digits behind a point.
fn has_decimal(text: &str) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    text.match_indices('.')
        .any(|(at, _)| at > 0 && is_digit(bytes.get(at - 1)) && is_digit(bytes.get(at + 1)))
}

/// The signal that has ended the solver below a script of the shell, which says so by its own exit status.
fn signal_of_child(status: i32) -> Option<i32> {
    let signals =
        [Signal::ILL, Signal::TRAP, Signal::ABORT, Signal::BUS, Signal::FPE, Signal::KILL, Signal::SEGV];
    signals.into_iter().map(Signal::as_raw).find(|signal| status == SHELL_SIGNALS + signal)
}

/// Whether some text is in a line.
fn contains(line: &str, texts: &[String]) -> bool {
    texts.iter().any(|text| line.contains(text.as_str()))
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

/// The signature of the crash that a line reports, with the lines behind it.
fn signature_of_crash<'t>(line: &'t str, mut behind: impl DoubleEndedIterator<Item = &'t str>) -> String {
    if line.contains(SEGMENTATION_FAULT) {
        return signature_of_signal(Signal::SEGV.as_raw());
    }
    if line.contains(TRACEBACK) {
        return signature(behind.rfind(|line| !line.trim().is_empty()).unwrap_or(line));
    }
    let place = behind.take_while(|line| line.starts_with("File:") || line.starts_with("Line:"));
    let whole: Vec<&str> = std::iter::once(line).chain(place).collect();
    signature(&whole.join(" "))
}

fn signature_of_signal(signal: i32) -> String {
    format!("signal {signal}")
}

/// The part of a line that stays the same if a crash happens again: without addresses, process numbers and folders.
pub fn signature(line: &str) -> String {
    let mut words = Vec::new();
    for word in line.split_whitespace() {
        // A folder names the place where the solver was built, not the fault.
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
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::{Circumstances, Limits, Profiles, Solver};

    const PROFILE: &str = "[fake]\nprograms = ['sh']\nunsupported = ['unknown constant']\n\
        invalid_model = ['an invalid model was generated']\ncrash = ['ASSERTION VIOLATION']\n";

    /// The reply of a solver that is this line of shell.
    fn reply(line: &str) -> Reply {
        reply_with(PROFILE, line)
    }

    /// The reply of a solver with this profile that is this line of shell.
    fn reply_with(profile: &str, line: &str) -> Reply {
        let mut profiles = Profiles::built_in();
        profiles.extend(profile).expect("a legal profile");
        let command = shlex::try_join(["sh", "-c", line]).expect("no zero bytes");
        let solver = Solver::new(&command, &profiles).expect("a command");
        let folder = tempfile::tempdir().expect("a folder");
        let limits = Limits { wall: Duration::from_millis(500), ..Limits::default() };
        let interrupted = Arc::default();
        let circumstances = Circumstances::new(folder.path(), &limits, &interrupted);
        solver.run_script("(check-sat)\n", circumstances).expect("a shell")
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
    fn rounded_values_are_no_model() {
        let rounding = format!("{PROFILE}rounds_reals = true\n");
        let model = |value: &str| format!("((define-fun x () Real {value}))");
        let behind = |profile: &str, value: &str| {
            let reply = reply_with(profile, &format!("echo sat; echo '{}'", model(value)));
            reply.answers[0].behind.concat()
        };
        assert_eq!(behind(&rounding, "-1.732051"), ROUNDED);
        assert_eq!(behind(&rounding, "(/ 3 2)"), model("(/ 3 2)"));
        assert_eq!(behind(PROFILE, "-1.732051"), model("-1.732051"));
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
        assert_eq!(crash("exit 139"), "signal 11");
        // The number of the process is another one each time.
        assert_eq!(crash("echo 'solver.sh: line 3: 4711 Segmentation fault' >&2; exit 1"), "signal 11");
        let traceback =
            "printf 'Traceback (most recent call last):\\n  File \"a.py\"\\nKeyError: 3\\n' >&2; exit 1";
        assert_eq!(crash(traceback), "KeyError: 3");
        assert_eq!(
            crash("echo '(error \"Internal error: index 3\")'; exit 1"),
            "(error \"Internal error: index 3\")"
        );
        assert_eq!(crash("sh -c 'kill -ABRT $$'; exit $?"), "signal 6");
        assert_eq!(
            crash("echo \"terminate called after throwing an instance of 'int'\" >&2; exit 1"),
            "terminate called after throwing an instance of 'int'"
        );
        let named = reply("echo sat; echo '((define-fun |ASSERTION VIOLATION| () Bool true))'");
        assert_eq!((named.verdict(), &named.fault), (Some(Verdict::Sat), &None));
        let violation =
            "echo 'ASSERTION VIOLATION at /home/me/z3/src/ast/ast.cpp:12 0x7f12 in f' >&2; sleep 9";
        assert_eq!(crash(violation), "ASSERTION VIOLATION at ast.cpp:12 in f");
        let places =
            "echo 'ASSERTION VIOLATION'; echo 'File: ../src/util/mpf.cpp'; echo 'Line: 13'; echo more";
        assert_eq!(crash(places), "ASSERTION VIOLATION File: mpf.cpp Line: 13");
        let report = "echo '==77==ERROR: AddressSanitizer: heap-use-after-free' >&2; \
                      echo '    #0 0x7f in g(int) /a/b.cpp:3:4' >&2; exit 1";
        assert_eq!(crash(report), "AddressSanitizer: heap-use-after-free in g");
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
}

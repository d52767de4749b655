//! The commands of a script and their answers.
//!
//! The parser keeps names and levels, the [`Session`] keeps assertions and the solver; this module has
//! what the standard adds to them: which answers may be asked for when, options, information, and
//! the words in which assertions and assumptions were written.

use std::time::{Duration, Instant};

use sundry_sample::Control;
use sundry_smtlib::{DiagnosticKind, Parser, SourceText, Span, TheorySet};
use sundry_solver::{Core, EngineOptions, FloatOptions, SatOptions, Session, UnknownReason};
use sundry_term::{Model, TermStore};

use super::channels::Channels;
use super::options::ScriptOptions;
use super::response::Response;

/// The options that hold whatever the script says.
///
/// ```
/// use std::time::Duration;
/// use sundry::script::{Conversation, InterpreterOptions};
///
/// let options = InterpreterOptions { timeout: Some(Duration::from_secs(10)), seed: 7, ..InterpreterOptions::default() };
/// let mut conversation = Conversation::new(options);
/// let responses = conversation.run("(get-option :random-seed)");
/// assert_eq!(conversation.lines(responses), "7\n");
/// ```
#[derive(Clone, Default, Debug)]
pub struct InterpreterOptions {
    /// The time limit of an answer, including reading the text since the last one. `None` means no limit.
    pub timeout: Option<Duration>,
    /// The seed at the start and after a `reset`.
    pub seed: u32,
    /// The way to decide formulas over floating-point values.
    pub floats: FloatOptions,
    /// The control that stops an answer besides the time: a flag, or memory.
    pub control: Control,
}

impl InterpreterOptions {
    /// The control of an answer that begins now.
    ///
    /// ```
    /// use std::time::Duration;
    /// use sundry::script::InterpreterOptions;
    ///
    /// assert!(InterpreterOptions::default().control().is_unlimited());
    /// let options = InterpreterOptions { timeout: Some(Duration::from_secs(10)), ..InterpreterOptions::default() };
    /// assert!(options.control().deadline().is_some());
    /// ```
    pub fn control(&self) -> Control {
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let first = [deadline, self.control.deadline()].into_iter().flatten().min();
        self.control.with_deadline(first)
    }
}

/// The status of a script so far: the worst that happened, in this order.
///
/// ```
/// use sundry::script::ScriptStatus;
///
/// // The worst comes last.
/// assert!(ScriptStatus::Done < ScriptStatus::Error && ScriptStatus::Limit < ScriptStatus::Defect);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ScriptStatus {
    /// Every command was carried out.
    Done,
    /// A command was wrong.
    Error,
    /// A limit stopped a command, or left a check without an answer.
    Limit,
    /// Sundry has a defect: a model did not satisfy the assertions, and was not printed.
    Defect,
}

/// An assertion as it was written.
pub(super) struct Written {
    /// The whole command.
    pub(super) span: Span,
    /// The name that the whole term was given.
    pub(super) name: Option<String>,
}

/// The mode of the interpreter, which decides what may be asked for: it depends on the last check, as long as the
/// assertions are the same.
pub(super) enum Mode {
    /// No check has run since the last change of the assertions.
    Assert,
    Sat(Model),
    Unsat {
        core: Core,
        /// The assumptions as they were written; none of a plain check.
        assumptions: Vec<String>,
    },
    Unknown(UnknownReason),
}

/// A solver that carries out the commands of a script, one by one.
///
/// ```
/// use sundry::read::SourceText;
/// use sundry::script::{Interpreter, InterpreterOptions, Silent};
///
/// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
/// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
/// let responses = std::iter::from_fn(|| interpreter.step(&source, true)).collect::<Vec<_>>();
/// let lines: String = responses.into_iter().filter_map(|response| interpreter.line(response)).collect();
/// assert_eq!(lines, "sat\n");
/// ```
pub struct Interpreter<C> {
    pub(super) conditions: InterpreterOptions,
    /// The control that stops the next answer.
    pub(super) control: Control,
    pub(super) channels: C,
    pub(super) store: TermStore,
    pub(super) parser: Parser,
    pub(super) session: Session,
    pub(super) options: ScriptOptions,
    /// The assertions on the stack of the session.
    pub(super) written: Vec<Written>,
    pub(super) mode: Mode,
    status: ScriptStatus,
    pub(super) finished: bool,
}

impl<C: Channels> Interpreter<C> {
    /// An interpreter at the start of a script. The time of the first answer begins now.
    ///
    /// ```
    /// use sundry::read::SourceText;
    /// use sundry::script::{Interpreter, InterpreterOptions, Silent};
    ///
    /// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// assert!(interpreter.step(&source, true).is_some());
    /// ```
    pub fn new(options: InterpreterOptions, channels: C) -> Self {
        let mut store = TermStore::new();
        let control = options.control();
        Interpreter {
            parser: Parser::new(&mut store, TheorySet::SOLVED).with_control(&control),
            control,
            store,
            session: session(options.seed, options.floats),
            options: ScriptOptions::new(options.seed),
            written: Vec::new(),
            mode: Mode::Assert,
            status: ScriptStatus::Done,
            finished: false,
            conditions: options,
            channels,
        }
    }

    /// The channels, to write answers to them.
    ///
    /// ```
    /// use sundry::read::SourceText;
    /// use sundry::script::{Interpreter, InterpreterOptions, Silent};
    ///
    /// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// interpreter.step(&source, true);
    /// assert_eq!(format!("{:?}", interpreter.channels()), "Silent");
    /// ```
    pub fn channels(&mut self) -> &mut C {
        &mut self.channels
    }

    /// The position up to which the script has been read.
    ///
    /// ```
    /// use sundry::read::SourceText;
    /// use sundry::script::{Interpreter, InterpreterOptions, Silent};
    ///
    /// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// interpreter.step(&source, true);
    /// assert_eq!(interpreter.position(), "(declare-const p Bool)".len());
    /// ```
    pub fn position(&self) -> usize {
        self.parser.position()
    }

    /// Whether the script has said `exit`.
    ///
    /// ```
    /// use sundry::read::SourceText;
    /// use sundry::script::{Interpreter, InterpreterOptions, Silent};
    ///
    /// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// while interpreter.step(&source, true).is_some() {}
    /// assert!(interpreter.is_finished());
    /// ```
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The status of the script so far.
    ///
    /// ```
    /// use sundry::read::SourceText;
    /// use sundry::script::{Interpreter, InterpreterOptions, ScriptStatus, Silent};
    ///
    /// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// while interpreter.step(&source, true).is_some() {}
    /// assert_eq!(interpreter.status(), ScriptStatus::Done);
    /// ```
    pub fn status(&self) -> ScriptStatus {
        self.status
    }

    /// Restarts the clock for the next answer.
    ///
    /// ```
    /// use sundry::read::SourceText;
    /// use sundry::script::{Interpreter, InterpreterOptions, Silent};
    ///
    /// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// interpreter.begin();
    /// assert!(interpreter.step(&source, true).is_some());
    /// ```
    pub fn begin(&mut self) {
        self.begin_with(self.conditions.control());
    }

    /// Lets this control stop the next answer. Its time may have begun before.
    ///
    /// ```
    /// use std::time::Instant;
    /// use sundry::Control;
    /// use sundry::read::SourceText;
    /// use sundry::script::{Interpreter, InterpreterOptions, ScriptStatus, Silent};
    ///
    /// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// while interpreter.position() < 30 {
    ///     interpreter.step(&source, true);
    /// }
    /// interpreter.begin_with(Control::default().with_deadline(Some(Instant::now())));
    /// interpreter.step(&source, true);
    /// assert_eq!(interpreter.status(), ScriptStatus::Limit);
    /// ```
    pub fn begin_with(&mut self, control: Control) {
        self.control = control;
        self.parser.set_control(&self.control);
    }

    /// The response to a piece of the script that is not text.
    ///
    /// ```
    /// use sundry::script::{Interpreter, InterpreterOptions, ScriptStatus, Silent};
    ///
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// let response = interpreter.refuse_text("byte 7 is not text".to_string());
    /// assert_eq!(interpreter.line(response).as_deref(), Some("(error \"byte 7 is not text\")\n"));
    /// assert_eq!(interpreter.status(), ScriptStatus::Error);
    /// ```
    pub fn refuse_text(&mut self, message: String) -> Response {
        self.judged(Response::Error(message))
    }

    /// The line that the script wants to see for a response, if there is one.
    ///
    /// ```
    /// use sundry::read::SourceText;
    /// use sundry::script::{Interpreter, InterpreterOptions, Silent};
    ///
    /// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// // Nobody has asked for `success`.
    /// let response = interpreter.step(&source, true).expect("a declaration");
    /// assert_eq!(interpreter.line(response), None);
    /// ```
    pub fn line(&self, response: Response) -> Option<String> {
        response.line(self.options.print_success)
    }

    /// Carries out the next command of the text, which may only grow at its end from call to call. Returns `None` when
    /// no command is left. Where time was up before a command was read, the script ends, unless it `goes_on` all the
    /// same: then its author sees the outcome of the command before sending another one.
    ///
    /// ```
    /// use sundry::read::SourceText;
    /// use sundry::script::{Interpreter, InterpreterOptions, Response, Silent};
    ///
    /// let source = SourceText::new("script", "(declare-const p Bool) (assert p) (check-sat) (exit)");
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
    /// assert_eq!(interpreter.step(&source, true), Some(Response::Success));
    /// assert_eq!(interpreter.step(&source, true), Some(Response::Success));
    /// assert_eq!(interpreter.step(&source, true), Some(Response::Text("sat".to_string())));
    /// ```
    pub fn step(&mut self, source: &SourceText, goes_on: bool) -> Option<Response> {
        let start = self.parser.position();
        let names = self.parser.named_terms().len();
        let response = match self.parser.next_command(&mut self.store, source) {
            Ok(None) => return None,
            Ok(Some((command, span))) => self.carry_out(command, span, names, source),
            Err(diagnostic) => {
                if let DiagnosticKind::Stopped(_) = diagnostic.kind {
                    self.finished = !goes_on;
                    self.parser.skip_command(source);
                }
                self.refuse(&diagnostic, start, source)
            }
        };
        if !matches!(response, Response::Success) {
            self.begin();
        }
        Some(self.judged(response))
    }

    /// The response, counted for the status.
    fn judged(&mut self, response: Response) -> Response {
        match response {
            Response::Error(_) => self.raise(ScriptStatus::Error),
            Response::Stopped(_) => self.raise(ScriptStatus::Limit),
            Response::Success | Response::Text(_) | Response::Unsupported => {}
        }
        response
    }

    pub(super) fn raise(&mut self, status: ScriptStatus) {
        self.status = self.status.max(status);
    }
}

pub(super) fn session(seed: u32, floats: FloatOptions) -> Session {
    let options = EngineOptions {
        sat: SatOptions { seed, ..SatOptions::default() },
        ..EngineOptions::for_single_questions()
    };
    Session::new(options).with_floats(floats)
}

#[cfg(test)]
mod tests {
    use super::super::Silent;
    use super::*;

    #[test]
    fn a_reset_leaves_no_terms() {
        let script =
            "(define-fun f ((x Int)) Int (+ x 1)) (declare-const a Int) (assert (! (< a (f 2)) :named n))
            (check-sat) (reset)";
        let source = SourceText::new("script", format!("{script}{script}(assert a)"));
        let mut interpreter = Interpreter::new(InterpreterOptions::default(), Silent);
        let mut steps = |count: usize| {
            let responses: Vec<_> = (0..count).filter_map(|_| interpreter.step(&source, false)).collect();
            (interpreter.store.term_count(), responses)
        };
        let (terms, responses) = steps(5);
        assert_eq!(responses[3], Response::Text("sat".to_string()));
        assert_eq!(steps(5), (terms, responses));
        // Nothing is declared any more.
        assert!(matches!(&steps(1).1[..], [Response::Error(_)]));
    }
}

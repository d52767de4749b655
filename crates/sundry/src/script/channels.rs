//! Channels of answers and messages: the options `:regular-output-channel`, `:diagnostic-output-channel` and
//! `:verbosity` (standard 2.7, section 4.1.7).
//!
//! The interpreter opens no files and writes nothing. Its caller implements [`Channels`].

use super::partial::Partial;
use crate::error::Place;

/// The name of standard output as a channel.
///
/// ```
/// assert_eq!(sundry::script::STANDARD_OUTPUT, "stdout");
/// ```
pub const STANDARD_OUTPUT: &str = "stdout";

/// The name of standard error as a channel.
///
/// ```
/// assert_eq!(sundry::script::STANDARD_ERROR, "stderr");
/// ```
pub const STANDARD_ERROR: &str = "stderr";

/// Takes the messages of an interpreter, and opens the channels that a script names. What the methods do unless they are
/// implemented is to ignore messages and to refuse files.
///
/// ```
/// use sundry::Place;
/// use sundry::read::SourceText;
/// use sundry::script::{Channels, Interpreter, InterpreterOptions};
///
/// /// Keeps the remarks.
/// #[derive(Default)]
/// struct Notes(Vec<String>);
///
/// impl Channels for Notes {
///     fn note(&mut self, place: &Place, text: &str) {
///         self.0.push(format!("{place}: {text}"));
///     }
/// }
///
/// let source = SourceText::new("script", "(get-proof)");
/// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Notes::default());
/// while interpreter.step(&source, true).is_some() {}
/// assert_eq!(interpreter.channels().0.len(), 1);
/// ```
pub trait Channels {
    /// Sends answers to the channel of this name from now on: [`STANDARD_OUTPUT`], [`STANDARD_ERROR`] or a file.
    ///
    /// # Errors
    /// The channel cannot be opened, for this reason.
    fn set_regular(&mut self, name: &str) -> Result<(), String> {
        only_standard(name)
    }

    /// Sends messages to the channel of this name from now on.
    ///
    /// # Errors
    /// The channel cannot be opened, for this reason.
    fn set_diagnostic(&mut self, name: &str) -> Result<(), String> {
        only_standard(name)
    }

    /// Sets how many messages the script asks for: from 1 on, every step.
    fn set_verbosity(&mut self, _verbosity: u32) {}

    /// Goes back to the channels and the verbosity at the start of a script.
    fn reset(&mut self) {}

    /// Whether every step is to be shown.
    fn is_detailed(&self) -> bool {
        false
    }

    /// Reports a step.
    fn detail(&mut self, _text: &str) {}

    /// Reports a remark about a place that is not a fault.
    fn note(&mut self, _place: &Place, _text: &str) {}

    /// The number of partial solutions that each check hands out at most. What the method does unless it is implemented is to want none, which
    /// costs nothing.
    fn partial_solutions(&self) -> usize {
        0
    }

    /// Takes a partial solution.
    fn partial(&mut self, _partial: Partial) {}

    /// Reports a defect of Sundry that showed at a place.
    fn defect(&mut self, _place: &Place, _text: &str) {}
}

/// Refuses a channel that is a file.
pub(crate) fn only_standard(name: &str) -> Result<(), String> {
    match name {
        STANDARD_OUTPUT | STANDARD_ERROR => Ok(()),
        _ => Err(format!("the channel '{name}' cannot be opened here")),
    }
}

/// Channels that ignore all messages.
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
#[derive(Copy, Clone, Default, Debug)]
pub struct Silent;

impl Channels for Silent {}

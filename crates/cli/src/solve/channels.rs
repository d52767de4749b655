//! Where answers and messages go: the options `:regular-output-channel`, `:diagnostic-output-channel` and `:verbosity`
//! (standard 2.7, section 4.1.7).
//!
//! Answers go to standard output, messages for people to standard error, unless the script names another place.
//! Programs that hold a conversation read messages from standard output too, so that one pipe has all there is, and
//! take each line for an answer. There a message is a comment, and written only where `:verbosity` asks for it.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::console::Console;
use crate::failure::Failure;
use crate::output::{REDIRECTION, write_results};

/// The name of standard output as a channel.
pub const STANDARD_OUTPUT: &str = "stdout";

/// The name of standard error as a channel.
pub const STANDARD_ERROR: &str = "stderr";

/// A place to write to.
pub enum Channel {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
    /// A file, which is written on at its end.
    File(String, File),
}

impl Channel {
    /// The channel with this name.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn open(name: &str) -> Result<Self, Failure> {
        match name {
            STANDARD_OUTPUT => Ok(Channel::Output),
            STANDARD_ERROR => Ok(Channel::Error),
            _ => match File::options().append(true).create(true).open(name) {
                Ok(file) => Ok(Channel::File(name.to_string(), file)),
                Err(error) => Err(Failure::writing(Path::new(name), &error)),
            },
        }
    }

    fn write(&mut self, text: &[u8]) -> Result<(), Failure> {
        match self {
            Channel::Output => write_results(text, REDIRECTION),
            Channel::Error => std::io::stderr()
                .write_all(text)
                .map_err(|error| Failure::writing(Path::new("stderr"), &error)),
            Channel::File(name, file) => {
                file.write_all(text).map_err(|error| Failure::writing(Path::new(name), &error))
            }
        }
    }
}

/// The channels in use.
pub struct Channels<'a> {
    regular: Channel,
    diagnostic: Channel,
    verbosity: u32,
    console: &'a Console,
}

impl<'a> Channels<'a> {
    /// Those at the start of a script.
    pub fn new(console: &'a Console) -> Self {
        Channels { regular: Channel::Output, diagnostic: Channel::Error, verbosity: 0, console }
    }

    /// Back to those at the start of a script.
    pub fn reset(&mut self) {
        *self = Channels::new(self.console);
    }

    /// Sends answers elsewhere.
    pub fn set_regular(&mut self, channel: Channel) {
        self.regular = channel;
    }

    /// Sends messages elsewhere.
    pub fn set_diagnostic(&mut self, channel: Channel) {
        self.diagnostic = channel;
    }

    /// Sets how much is told: from 1 on, every step.
    pub fn set_verbosity(&mut self, verbosity: u32) {
        self.verbosity = verbosity;
    }

    /// Writes answers.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn answer(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.regular.write(text)
    }

    /// Whether every step is told.
    pub fn is_detailed(&self) -> bool {
        self.console.is_verbose() || self.verbosity > 0
    }

    /// Tells a step.
    pub fn detail(&mut self, text: impl Display) {
        if !self.is_detailed() {
            return;
        }
        match self.diagnostic {
            Channel::Error => self.console.line(text),
            _ => self.comment(&text.to_string()),
        }
    }

    /// Tells something worth knowing that is no fault.
    pub fn note(&mut self, place: impl Display, text: impl Display) {
        match self.diagnostic {
            Channel::Error => self.console.note(place, text),
            Channel::Output if !self.is_detailed() => {}
            _ => self.comment(&format!("{place}: note: {text}")),
        }
    }

    /// Tells a failure, on standard error whatever the script says.
    pub fn failure(&self, failure: &Failure) {
        self.console.failure(failure);
    }

    fn comment(&mut self, text: &str) {
        let lines: String = text.lines().map(|line| format!("; {line}\n")).collect();
        if let Err(failure) = self.diagnostic.write(lines.as_bytes()) {
            self.console.failure(&failure);
        }
    }
}

//! Where answers and messages go: the options `:regular-output-channel`, `:diagnostic-output-channel` and `:verbosity`
//! (standard 2.7, section 4.1.7).
//!
//! Answers go to standard output, messages for people to standard error, unless the script names another place.
//! Programs that hold a conversation read messages from standard output too, so that one pipe has all there is, and
//! take each line for an answer. There a message is a comment, and written only where `:verbosity` asks for it.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use serde_json::json;
use sundry::Place;
use sundry::script::{Channels, Partial, STANDARD_ERROR, STANDARD_OUTPUT};

use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::output::{OutputFile, REDIRECTION, write_results};

/// A place to write to.
enum Channel {
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
    fn open(name: &str) -> Result<Self, Failure> {
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
pub struct ConsoleChannels<'a> {
    regular: Channel,
    diagnostic: Channel,
    verbosity: u32,
    console: &'a Console,
    partial: Option<PartialFile>,
}

/// The file of partial solutions.
struct PartialFile {
    channel: Channel,
    limit: usize,
    failure: Option<Failure>,
}

impl<'a> ConsoleChannels<'a> {
    /// The channels at the start of a script.
    pub fn new(console: &'a Console) -> Self {
        ConsoleChannels {
            regular: Channel::Output,
            diagnostic: Channel::Error,
            verbosity: 0,
            console,
            partial: None,
        }
    }

    /// Writes partial solutions to a file, up to a number for each check, in place of what it holds.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_partial_solutions(&mut self, output: &OutputFile, limit: usize) -> Result<(), Failure> {
        let file = output.create().map_err(|error| Failure::writing(output.name(), &error))?;
        let channel = Channel::File(output.name().display().to_string(), file);
        self.partial = Some(PartialFile { channel, limit, failure: None });
        Ok(())
    }

    /// The reason for which partial solutions are missing in their file, if some are.
    pub fn take_failure(&mut self) -> Option<Failure> {
        self.partial.as_mut()?.failure.take()
    }

    /// Writes answers.
    ///
    /// # Errors
    /// The answers cannot be written.
    pub fn answer(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.regular.write(text)
    }

    fn comment(&mut self, text: &str) {
        let lines: String = text.lines().map(|line| format!("; {line}\n")).collect();
        if let Err(failure) = self.diagnostic.write(lines.as_bytes()) {
            self.console.failure(&failure);
        }
    }
}

impl Channels for ConsoleChannels<'_> {
    fn set_regular(&mut self, name: &str) -> Result<(), String> {
        self.regular = Channel::open(name).map_err(|failure| failure.headline())?;
        Ok(())
    }

    fn set_diagnostic(&mut self, name: &str) -> Result<(), String> {
        self.diagnostic = Channel::open(name).map_err(|failure| failure.headline())?;
        Ok(())
    }

    fn set_verbosity(&mut self, verbosity: u32) {
        self.verbosity = verbosity;
    }

    fn reset(&mut self) {
        let partial = self.partial.take();
        *self = ConsoleChannels { partial, ..ConsoleChannels::new(self.console) };
    }

    fn is_detailed(&self) -> bool {
        self.console.is_verbose() || self.verbosity > 0
    }

    fn detail(&mut self, text: &str) {
        if !self.is_detailed() {
            return;
        }
        match self.diagnostic {
            Channel::Error => self.console.line(text),
            _ => self.comment(text),
        }
    }

    fn note(&mut self, place: &Place, text: &str) {
        match self.diagnostic {
            Channel::Error => self.console.note(place, text),
            Channel::Output if !self.is_detailed() => {}
            _ => self.comment(&format!("{place}: note: {text}")),
        }
    }

    fn partial_solutions(&self) -> usize {
        self.partial.as_ref().filter(|file| file.failure.is_none()).map_or(0, |file| file.limit)
    }

    fn partial(&mut self, partial: Partial) {
        let Some(file) = &mut self.partial else { return };
        let refuted_by = partial.refuted_by();
        let Partial { check, number, origin, satisfied, assertions, model } = partial;
        let line = json!({
            "check": check,
            "number": number,
            "origin": origin.name(),
            "refuted_by": refuted_by,
            "satisfied": satisfied,
            "assertions": assertions,
            "model": model,
        });
        if let Err(failure) = file.channel.write(format!("{line}\n").as_bytes()) {
            file.failure = Some(failure);
        }
    }

    /// On standard error whatever the script says.
    fn defect(&mut self, place: &Place, text: &str) {
        let failure = Failure::in_place(FailureKind::Internal, place.clone(), text);
        self.console.failure(
            &failure.with_help("this is a defect of sundry; please report it together with the script"),
        );
    }
}

//! Messages to people, on standard error only.
//!
//! Everything goes through one [`Console`], so that messages and progress bars do not write over
//! one another and `--quiet` holds everywhere. Colour only on a terminal (and not under `NO_COLOR`):
//! `anstream` takes it out elsewhere. Messages quote solvers, formulas and names of files, so
//! nothing but the styles of this module reaches a terminal as control characters. A logging
//! framework was rejected: these lines are the interface, not a log.

use std::fmt::Display;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::arguments::MessageFormat;
use crate::failure::Failure;
use crate::untrusted::visible;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// The amount of messages that the program prints.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Verbosity {
    /// Errors only.
    Quiet,
    /// Notes, progress on a terminal, a summary.
    #[default]
    Normal,
    /// Every step.
    Verbose,
}

/// Standard error.
pub struct Console {
    verbosity: Verbosity,
    format: MessageFormat,
    bars: MultiProgress,
}

impl Console {
    /// A console that reports as much as is asked for.
    pub fn new(verbosity: Verbosity) -> Self {
        let target = match verbosity {
            Verbosity::Quiet => ProgressDrawTarget::hidden(),
            // Draws nothing unless standard error is a terminal.
            _ => ProgressDrawTarget::stderr(),
        };
        Console { verbosity, format: MessageFormat::Text, bars: MultiProgress::with_draw_target(target) }
    }

    /// The same console, which writes failures in a format.
    pub fn with_format(self, format: MessageFormat) -> Self {
        Console { format, ..self }
    }

    /// The place for progress bars.
    pub fn bars(&self) -> &MultiProgress {
        &self.bars
    }

    /// Whether somebody sees progress bars.
    pub fn shows_progress(&self) -> bool {
        !self.bars.is_hidden()
    }

    /// Whether the program reports every step.
    pub fn is_verbose(&self) -> bool {
        self.verbosity == Verbosity::Verbose
    }

    /// A line that is always wanted, except under `--quiet`.
    pub fn line(&self, text: impl Display) {
        if self.verbosity >= Verbosity::Normal {
            self.write(&format!("{}\n", visible(&text.to_string())));
        }
    }

    /// Lines that another program has written, also under `--quiet`; nothing if there are none.
    pub fn lines_of_program(&self, text: &str) {
        if !text.is_empty() {
            self.write(&format!("{}\n", visible(text)));
        }
    }

    /// A line under `--verbose`.
    pub fn detail(&self, text: impl Display) {
        if self.is_verbose() {
            self.line(text);
        }
    }

    /// Something worth knowing that is no fault; `place` is a file, with line and column if known.
    pub fn note(&self, place: impl Display, text: impl Display) {
        if self.verbosity >= Verbosity::Normal {
            let [place, text] = [place.to_string(), text.to_string()];
            self.write(&format!("{}: {NOTE}note:{NOTE:#} {}\n", visible(&place), visible(&text)));
        }
    }

    /// A failure, also under `--quiet`.
    pub fn failure(&self, failure: &Failure) {
        match self.format {
            MessageFormat::Text => {
                let text = failure.to_string();
                self.write(&visible(&text).replacen("error:", &format!("{ERROR}error:{ERROR:#}"), 1));
            }
            MessageFormat::Json => self.write(&failure.json()),
        }
    }

    /// Writes whole lines. Nothing can be done where standard error is closed.
    fn write(&self, text: &str) {
        self.bars.suspend(|| {
            let mut out = anstream::stderr().lock();
            let _ = out.write_all(text.as_bytes());
            let _ = out.flush();
        });
    }
}

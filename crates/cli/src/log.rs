//! The log of what libraries do: spans of their phases, with times, for those who want to know where time goes.
//!
//! The log is something else than [messages](crate::console): messages are the interface of the program, and their words are
//! pinned by tests; the log follows the code. Without `--log` nothing is set up, and a span costs the comparison of a number.
//! Filters name levels and crates only. Those of `tracing-subscriber` know fields and regular expressions as well, for five
//! more crates.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Mutex;

use indicatif::MultiProgress;
use sundry_external::OwnFile;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::arguments::LogArguments;
use crate::console::Console;
use crate::failure::Failure;

/// The levels by name, each of which includes those before it.
const LEVELS: [(&str, LevelFilter); 6] = [
    ("off", LevelFilter::OFF),
    ("error", LevelFilter::ERROR),
    ("warn", LevelFilter::WARN),
    ("info", LevelFilter::INFO),
    ("debug", LevelFilter::DEBUG),
    ("trace", LevelFilter::TRACE),
];

/// The crates that write to the log. The program itself writes as `sundry_cli`.
const CRATES: [&str; 5] = ["sundry", "sundry_cli", "sundry_fuzz", "sundry_sample", "sundry_solver"];

/// What is logged: a level for everything, levels for crates or modules, or both with commas between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFilter {
    /// The level of all that no other directive names.
    level: LevelFilter,
    /// Levels of crates and modules.
    targets: Vec<(String, LevelFilter)>,
}

impl FromStr for LogFilter {
    type Err = UnknownFilter;

    fn from_str(text: &str) -> Result<Self, UnknownFilter> {
        let mut filter = LogFilter { level: LevelFilter::OFF, targets: Vec::new() };
        for directive in text.split(',').map(str::trim) {
            match directive.split_once('=') {
                None => filter.level = level(directive)?,
                Some((target, named)) => filter.targets.push((self::target(target)?, level(named)?)),
            }
        }
        Ok(filter)
    }
}

fn level(name: &str) -> Result<LevelFilter, UnknownFilter> {
    let found = LEVELS.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, level)| level).ok_or_else(|| UnknownFilter::Level(name.to_string()))
}

/// A crate, or a module of one.
fn target(path: &str) -> Result<String, UnknownFilter> {
    let name = path.split_once("::").map_or(path, |(name, _)| name);
    match CRATES.contains(&name) {
        true => Ok(path.to_string()),
        false => Err(UnknownFilter::Crate(name.to_string())),
    }
}

/// A filter that is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownFilter {
    /// There is no such level.
    Level(String),
    /// There is no such crate that writes to the log.
    Crate(String),
}

impl fmt::Display for UnknownFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownFilter::Level(name) => {
                let levels = LEVELS.map(|(name, _)| name).join(", ");
                write!(f, "'{name}' is not a level: levels are {levels}, alone or as CRATE=LEVEL")
            }
            UnknownFilter::Crate(name) => {
                write!(f, "'{name}' does not write to the log: crates that do are {}", CRATES.join(", "))
            }
        }
    }
}

impl std::error::Error for UnknownFilter {}

/// Starts the log, if one is wanted.
///
/// # Errors
/// The file of the log cannot be written.
pub fn start(arguments: &LogArguments, console: &Console) -> Result<(), Failure> {
    let Some(filter) = &arguments.log else { return Ok(()) };
    match &arguments.log_file {
        Some(path) => install(filter, Mutex::new(OwnFile::new(open(path)?))),
        None => install(filter, AboveBars(console.bars().clone())),
    }
    Ok(())
}

/// Opens the file of a log at its end: a log never replaces anything.
fn open(path: &Path) -> Result<File, Failure> {
    let file = File::options().append(true).create(true).open(path);
    file.map_err(|error| Failure::writing(path, &error))
}

fn install<W: for<'w> MakeWriter<'w> + Send + Sync + 'static>(filter: &LogFilter, writer: W) {
    let targets = Targets::new().with_default(filter.level).with_targets(filter.targets.clone());
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_timer(uptime())
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(writer);
    // Fails only where a log was started before, in the same process; that one goes on.
    let _ = tracing_subscriber::registry().with(lines.with_filter(targets)).try_init();
}

/// Standard error, where progress bars make room for each line.
struct AboveBars(MultiProgress);

impl<'w> MakeWriter<'w> for AboveBars {
    type Writer = &'w AboveBars;

    fn make_writer(&'w self) -> &'w AboveBars {
        self
    }
}

impl Write for &AboveBars {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(text))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_levels_alone_or_of_crates_and_modules() {
        let filter: LogFilter =
            "info, sundry_solver=debug,sundry_sample::cover=off".parse().expect("a filter");
        assert_eq!(filter.level, LevelFilter::INFO);
        let targets = [("sundry_solver", LevelFilter::DEBUG), ("sundry_sample::cover", LevelFilter::OFF)];
        assert_eq!(filter.targets, targets.map(|(target, level)| (target.to_string(), level)));
    }

    #[test]
    fn other_words_are_refused_with_those_that_are_allowed() {
        for (text, expected) in [
            ("loud", "'loud' is not a level: levels are off, error, warn, info, debug, trace"),
            ("", "'' is not a level"),
            ("sundry_solver=much", "'much' is not a level"),
            ("solver=debug", "'solver' does not write to the log: crates that do are sundry, sundry_cli"),
        ] {
            let error = text.parse::<LogFilter>().expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}

//! The trait of all kinds of instrumentation, and what its implementations return.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A line with the number of its executions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// The number of the line, or of the edge or value that is counted.
    pub line: u32,
    /// The number of executions, which is not zero.
    pub count: u64,
}

/// The executed lines of one file, in ascending order of lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileCounters {
    /// The number of the file.
    pub file: u32,
    /// The lines of the file.
    pub lines: Vec<Counter>,
}

impl FileCounters {
    /// Groups counters by their files. Counters of the same line add up.
    pub(crate) fn group(mut counters: Vec<(u32, Counter)>) -> Vec<FileCounters> {
        counters.sort_unstable_by_key(|(file, counter)| (*file, counter.line));
        let mut files: Vec<FileCounters> = Vec::new();
        for (file, counter) in counters {
            match files.last_mut().filter(|last| last.file == file) {
                None => files.push(FileCounters { file, lines: vec![counter] }),
                Some(FileCounters { lines, .. }) => {
                    match lines.last_mut().filter(|last| last.line == counter.line) {
                        Some(last) => last.count = last.count.saturating_add(counter.count),
                        None => lines.push(counter),
                    }
                }
            }
        }
        files
    }
}

/// All that a run needs so that its counters can be read afterwards.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Preparation {
    /// Environment variables of the program.
    pub environment: Vec<(String, OsString)>,
    /// Further arguments of the program, before the file that it reads.
    pub arguments: Vec<String>,
    /// Commands behind a script with which a process that answers several scripts prints the counters of that script; `None` if
    /// processes leave counters only at their end.
    pub closing_commands: Option<&'static str>,
    /// The signal at which the program writes its counters and ends, to be sent at a limit some time before it is killed;
    /// `None` if the counters survive a kill.
    pub farewell: Option<i32>,
}

/// The reason for which the counters of a run cannot be read.
#[derive(Debug)]
pub enum CounterError {
    /// The run left no counters: the program is not instrumented, or was killed before it wrote them.
    Missing,
    /// A file cannot be read or removed.
    File(PathBuf, io::Error),
    /// A file is not what it should be, with the reason: it may be of another build.
    Malformed(PathBuf, String),
}

impl fmt::Display for CounterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CounterError::Missing => f.write_str("the run left no counters"),
            CounterError::File(path, error) => write!(f, "{}: {error}", path.display()),
            CounterError::Malformed(path, reason) => write!(f, "{}: {reason}", path.display()),
        }
    }
}

impl std::error::Error for CounterError {}

/// A kind of instrumentation. Runs that take place concurrently have folders of their own.
pub trait CounterProvider: fmt::Debug + Send + Sync {
    /// The name of the kind, for records: `gcov`, say.
    fn name(&self) -> &'static str;

    /// The noun for what is counted, in the plural: `lines`, say.
    fn unit(&self) -> &'static str;

    /// Prepares a folder for the counters of a run, and says what the run needs. A folder in memory (`/dev/shm`) makes runs
    /// that write hundreds of files up to twice as fast.
    ///
    /// The preparation holds for every run of the instrumented program, also for one whose counters nobody wants:
    /// without its environment, a program built with gcov writes into the folder of its build.
    ///
    /// # Errors
    /// The folder cannot be prepared.
    fn prepare(&self, folder: &Path) -> io::Result<Preparation>;

    /// Takes the counters of the run that has ended out of its folder, or out of the output of the program. The numbers of
    /// files are the same in every run of the same build.
    ///
    /// # Errors
    /// There are no counters, or they cannot be read.
    fn take(&self, folder: &Path, output: &str) -> Result<Vec<FileCounters>, CounterError>;

    /// The name of a file by its number, if it is known.
    fn file_name(&self, file: u32) -> Option<String>;
}

/// The contents, also if another thread has panicked: they are buffers and a cache.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Counter, FileCounters};

    #[test]
    fn counters_of_one_line_add_up() {
        let counters = [(2, 5, 1), (0, 7, u64::MAX), (0, 3, 2), (0, 7, 4)];
        let counters = counters.map(|(file, line, count)| (file, Counter { line, count })).to_vec();
        let grouped = FileCounters::group(counters);
        let plain = |file: &FileCounters| {
            let lines: Vec<(u32, u64)> =
                file.lines.iter().map(|counter| (counter.line, counter.count)).collect();
            (file.file, lines)
        };
        let plain: Vec<_> = grouped.iter().map(plain).collect();
        assert_eq!(plain, [(0, vec![(3, 2), (7, u64::MAX)]), (2, vec![(5, 1)])]);
    }
}

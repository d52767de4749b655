//! Commands that are run on scripts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::{fmt, fs, io};

use sundry_external::{CommandError, Finished, Limits, command_in, run, split_command};

/// A command whose last argument is the file of a script.
#[derive(Clone, Debug)]
pub struct ScriptCommand {
    program: String,
    arguments: Vec<String>,
    folder: PathBuf,
}

impl ScriptCommand {
    /// Creates a command from the words of a command line; its scripts are written to this folder.
    ///
    /// # Errors
    /// The command line is empty, or quotes are not closed.
    pub fn new(command: &str, folder: &Path) -> Result<ScriptCommand, CommandError> {
        let (program, arguments) = split_command(command)?;
        Ok(ScriptCommand { program, arguments, folder: folder.to_path_buf() })
    }

    /// Runs the command on a script. Concurrent runs need different numbers.
    ///
    /// # Errors
    /// The script cannot be written, or the program cannot be started.
    pub fn run(
        &self,
        text: &str,
        number: usize,
        limits: &Limits,
        interrupted: &AtomicBool,
    ) -> Result<Finished, ScriptCommandError> {
        let folder = self.folder.join(number.to_string());
        let file = folder.join("script.smt2");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&file, text))
            .map_err(|error| ScriptCommandError::Write { path: file.clone(), error })?;
        let words = self.arguments.iter().map(OsString::from).chain([file.into()]);
        run(&mut command_in(&self.program, words, &folder), limits, interrupted)
            .map_err(|error| ScriptCommandError::Start { program: self.program.clone(), error })
    }
}

/// The reason for which a command was not run on a script.
#[derive(Debug)]
pub enum ScriptCommandError {
    /// The script could not be written.
    Write {
        /// The path of the script.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The program could not be started.
    Start {
        /// The program.
        program: String,
        /// The error of the system.
        error: io::Error,
    },
}

impl fmt::Display for ScriptCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScriptCommandError::Write { path, error } => {
                write!(f, "{} cannot be written: {error}", path.display())
            }
            ScriptCommandError::Start { program, error } => write!(f, "'{program}' cannot be run: {error}"),
        }
    }
}

impl std::error::Error for ScriptCommandError {}

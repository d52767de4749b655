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
    /// From the words of a command line; scripts are written to this folder.
    ///
    /// # Errors
    /// It is empty, or quotes are not closed.
    pub fn new(command: &str, folder: &Path) -> Result<ScriptCommand, CommandError> {
        let (program, arguments) = split_command(command)?;
        Ok(ScriptCommand { program, arguments, folder: folder.to_path_buf() })
    }

    /// Runs it on a script. Of runs at the same time, each needs a number of its own.
    ///
    /// # Errors
    /// The script cannot be written, or the program not be started.
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

/// Why a command was not run on a script.
#[derive(Debug)]
pub enum ScriptCommandError {
    /// The script could not be written.
    Write {
        /// Where to.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The program could not be started.
    Start {
        /// Which.
        program: String,
        /// What the system says.
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

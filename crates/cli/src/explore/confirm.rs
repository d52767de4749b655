//! Errors tried on a native build.
//!
//! WebAssembly is not the machine that the program is for: pointers have 32 bits, and accesses go wrong elsewhere. A native build, best with AddressSanitizer, shows which errors are there too.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;
use sundry_explore::{FindingKind, Input, SourceKind, Variables, name_of_path};
use sundry_external::{CommandError, Finished, Limits, StoppedBy, command_in, run_reading, split_command};

use super::world::FixedWorld;
use crate::failure::Failure;

/// The time that a native run may take.
const WALL: Duration = Duration::from_secs(10);

/// The outcome of an error's input on a native build.
#[derive(Serialize, Copy, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Confirmation {
    /// The native build fails too.
    Confirmed,
    /// The native build does not fail, as far as can be seen from outside.
    WasmOnly,
}

/// A native build of the program.
pub struct NativeBuild {
    program: String,
    arguments: Vec<String>,
    limits: Limits,
}

impl NativeBuild {
    /// The build that a command line runs.
    ///
    /// # Errors
    /// The command line has no words, or quotes that do not end.
    pub fn new(words: &str) -> Result<NativeBuild, Failure> {
        let split = split_command(words);
        let (program, arguments) =
            split.map_err(|error: CommandError| Failure::usage(format_args!("--native: {error}")))?;
        Ok(NativeBuild { program, arguments, limits: Self::limits() })
    }

    /// The limits of its runs. Memory has none, since sanitizers reserve the whole address space.
    pub fn limits() -> Limits {
        Limits { wall: WALL, memory: None, ..Limits::default() }
    }

    /// Runs the build with the input of an error, in a folder. `fixed` are the arguments that do not change.
    ///
    /// # Errors
    /// The input cannot be written, or the command not be started.
    pub fn confirm(
        &self,
        kind: &FindingKind,
        (input, variables): (&Input, &Variables),
        world: &FixedWorld,
        (folder, interrupted): (&Path, &AtomicBool),
    ) -> Result<Confirmation, Failure> {
        let written = |path: &Path, bytes: &[u8]| {
            let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
            folder.and_then(|()| fs::write(path, bytes)).map_err(|error| Failure::writing(path, &error))
        };
        let mut arguments: Vec<OsString> = self.arguments.iter().map(OsString::from).collect();
        let mut stdin: Option<PathBuf> = None;
        for (number, source) in variables.sources().iter().enumerate() {
            let bytes = variables.content(input, number);
            match &source.kind {
                SourceKind::Stdin => {
                    let path = folder.join("native-stdin");
                    written(&path, &bytes)?;
                    stdin = Some(path);
                }
                SourceKind::Argument(_) => arguments.push(OsString::from_vec(bytes)),
                SourceKind::File(name) => {
                    // Nothing is written outside of the folder, whatever the name says.
                    if let Some(name) = name_of_path(name) {
                        written(&folder.join(name), &bytes)?;
                    }
                }
                SourceKind::Memory(..)
                | SourceKind::Parameter(_)
                | SourceKind::Clock
                | SourceKind::Random => {}
            }
        }
        arguments.extend(world.arguments.iter().map(OsString::from));
        let mut command = command_in(&self.program, &arguments, folder);
        command.envs(world.environment.iter().filter_map(|variable| variable.split_once('=')));
        let stdin = match &stdin {
            Some(path) => File::open(path).map_err(|error| Failure::reading(path, &error))?.into(),
            None => Stdio::null(),
        };
        let finished = run_reading(&mut command, stdin, &self.limits, interrupted).map_err(|error| {
            Failure::usage(format_args!("--native: cannot run {}: {error}", self.program))
        })?;
        Ok(if fails(kind, &finished) { Confirmation::Confirmed } else { Confirmation::WasmOnly })
    }
}

/// Whether a native run has failed in a way that fits the error.
fn fails(kind: &FindingKind, finished: &Finished) -> bool {
    let is_reported = ["Sanitizer", "runtime error:"].iter().any(|word| finished.errors.text.contains(word));
    match kind {
        FindingKind::BadExit(status) => finished.status.code() == Some(*status as i32),
        FindingKind::NoEnd => finished.stopped == Some(StoppedBy::Wall),
        _ => is_reported || finished.signal().is_some(),
    }
}

//! A solver that is a program, as the user names it.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use sundry_smtlib::{ScriptText, Word};

use crate::capabilities::Capabilities;
use crate::command::{CommandError, split_command};
use crate::dialect::Dialect;
use crate::feature::Feature;
use crate::process::{Limits, command_in, run};
use crate::profile::{Profile, Profiles};
use crate::reply::Reply;
use crate::respondent::{Circumstances, Inquiry, Respondent};

/// How often a run is tried again for which the system lacks space or processes,
const PATIENCE: u32 = 20;
/// and how long is waited before that.
const PAUSE: Duration = Duration::from_millis(250);

/// A solver: a program with arguments, and what is known of its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solver {
    /// The command as the user wrote it.
    pub name: String,
    program: String,
    arguments: Vec<String>,
    profile: Profile,
    capabilities: Capabilities,
}

impl Solver {
    /// The solver that a command line names; its words may be quoted as for a shell, which is never run. A program
    /// that is named by its path is found from the present folder, wherever it is run. The profile is that of the
    /// program's file name; other programs are called without special knowledge.
    ///
    /// # Errors
    /// A command without words, or with quotes that do not end.
    pub fn new(command: &str, profiles: &Profiles) -> Result<Solver, CommandError> {
        let (program, arguments) = split_command(command)?;
        let (name, known) = profiles.of_program(&program).unzip();
        let mut profile = known.cloned().unwrap_or_default();
        if profile.family.is_empty() {
            profile.family = name.unwrap_or_default().to_string();
        }
        let capabilities = Capabilities::default();
        Ok(Solver { name: command.to_string(), program, arguments, profile, capabilities })
    }

    /// The same solver with further arguments of every call. They are part of its name: it may answer otherwise.
    #[must_use]
    pub fn with_arguments(mut self, arguments: &[String]) -> Solver {
        self.arguments.extend_from_slice(arguments);
        for argument in arguments {
            self.name.push(' ');
            // Nothing but a zero byte cannot be quoted, and no argument has one.
            self.name.push_str(&shlex::try_quote(argument).unwrap_or(argument.into()));
        }
        self
    }

    /// The same solver, with scripts in another dialect than that of its kind.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Solver {
        self.profile.dialect = dialect;
        self
    }

    /// The same solver, of which this is known.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Solver {
        self.capabilities = capabilities;
        self
    }

    /// What is known of its kind.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// A script in the words of this solver; without those that ask for models where it prints none.
    pub fn spell<'s>(&self, script: &'s ScriptText) -> Cow<'s, str> {
        let Profile { dialect, models, .. } = &self.profile;
        let has_models = !self.capabilities.lacking.contains_key(&Feature::Models);
        script.spelled(|word, text| match word {
            Word::ModelOption | Word::ModelCommand if !has_models => Some("".into()),
            Word::ModelOption => models.option_line(),
            Word::ModelCommand => models.command_line(),
            _ => dialect.spell_word(word, text),
        })
    }

    /// Gives the solver a script as it is.
    pub(crate) fn run_script(&self, script: &str, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        let mut attempts = 0..PATIENCE;
        loop {
            let reply = self.try_script(script, circumstances);
            match &reply {
                // Another solver may have filled the disk, or started as many processes as there can be: it will be
                // stopped, and what it has left removed.
                Err(error) if is_shortage(error) && attempts.next().is_some() => thread::sleep(PAUSE),
                _ => return reply,
            }
        }
    }

    fn try_script(&self, script: &str, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        let Circumstances { folder, limits, interrupted } = circumstances;
        // A solver may have removed the folder above.
        let work = folder.join("work");
        let path = folder.join("question.smt2");
        let reply = fs::create_dir_all(&work)
            .and_then(|()| fs::write(&path, script))
            .and_then(|()| self.run(&path, &work, limits, interrupted));
        // What is left is removed with the folder above. A file that is written anew, instead of cut short and
        // written over, does not have to reach the disk at once.
        let _ = fs::remove_dir_all(&work);
        let _ = fs::remove_file(&path);
        reply
    }

    /// Runs the solver on a file with a script.
    ///
    /// # Errors
    /// The solver cannot be started, or not be watched.
    pub fn run(
        &self,
        script: &Path,
        folder: &Path,
        limits: &Limits,
        interrupted: &AtomicBool,
    ) -> io::Result<Reply> {
        let words = self.profile.arguments.iter().chain(&self.arguments).map(OsString::from);
        let arguments = words.chain([script.into()]);
        let finished = run(&mut command_in(&self.program, arguments, folder), limits, interrupted)?;
        Ok(self.profile.read(finished))
    }

    /// The first line that it prints when asked for its version; nothing where nobody knows how to ask.
    ///
    /// # Errors
    /// The solver cannot be started, or not be watched.
    pub fn version(&self, circumstances: Circumstances<'_>) -> io::Result<Option<String>> {
        let Circumstances { folder, limits, interrupted } = circumstances;
        if self.profile.version.is_empty() {
            return Ok(None);
        }
        let arguments = self.profile.version.iter().map(OsString::from);
        let finished = run(&mut command_in(&self.program, arguments, folder), limits, interrupted)?;
        let mut lines = finished.output.text.lines().map(str::trim);
        Ok(lines.find(|line| !line.is_empty()).map(String::from))
    }
}

impl Respondent for Solver {
    fn name(&self) -> &str {
        &self.name
    }

    fn family(&self) -> &str {
        &self.profile.family
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Its file is written to the folder of the circumstances; the solver works in a folder below, which is removed with
    /// everything in it. A script of which it is known that the solver does not read all of it is not put to it.
    ///
    /// # Errors
    /// The script cannot be written, or the solver not be started or watched.
    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        if let Some(reason) = self.capabilities.refuses(inquiry.needs) {
            return Ok(Reply::not_asked(reason));
        }
        if let Some(character) = self.profile.dialect.lacks(&inquiry.text) {
            return Ok(Reply::not_asked(format!("the character {character}, in its older strings")));
        }
        self.run_script(&self.spell(&inquiry.text), circumstances)
    }
}

/// Whether the system lacks something that it may soon have again.
fn is_shortage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory
    )
}

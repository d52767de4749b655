//! Solvers: a program as the user names it, or code of this process, with the profile of its kind.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use sundry_smtlib::{ScriptText, Word};

use crate::capabilities::Capabilities;
use crate::command::{CommandError, command_with, split_command};
use crate::dialect::Dialect;
use crate::feature::Feature;
use crate::in_process::{self, InProcess};
use crate::process::{Dialogue, Finished, Limits, command_in, run};
use crate::profile::{Profile, Profiles};
use crate::reply::Reply;
use crate::respondent::{Circumstances, Inquiry, Respondent};
use crate::sanitizer;

/// The maximal number of times that a run is repeated for which the system lacks space or processes.
const PATIENCE: u32 = 20;
/// The time to wait before a repetition.
const PAUSE: Duration = Duration::from_millis(250);

/// A solver: a program with arguments or code of this process, with the profile of its kind.
#[derive(Clone, Debug)]
pub struct Solver {
    /// The command as the user wrote it.
    pub name: String,
    kind: Kind,
    profile: Profile,
    capabilities: Capabilities,
    /// Environment variables and further arguments, which do not change its answers.
    environment: Vec<(String, OsString)>,
    silent_arguments: Vec<String>,
    /// Commands behind each script in a process that answers several.
    closing_commands: &'static str,
}

/// The program or code that runs the scripts of a solver.
#[derive(Clone, Debug)]
enum Kind {
    Program { program: String, arguments: Vec<String> },
    InProcess(Arc<dyn InProcess>),
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
        let profile = profiles.of_program(&program).cloned().unwrap_or_default();
        Ok(Solver::of_kind(command, Kind::Program { program, arguments }, profile))
    }

    /// Creates a solver that is code of this process. The profile gives its family and the meaning of its messages.
    pub fn in_process(name: &str, profile: Profile, code: Arc<dyn InProcess>) -> Solver {
        Solver::of_kind(name, Kind::InProcess(code), profile)
    }

    fn of_kind(name: &str, kind: Kind, profile: Profile) -> Solver {
        Solver {
            name: name.to_string(),
            kind,
            profile,
            capabilities: Capabilities::default(),
            environment: Vec::new(),
            silent_arguments: Vec::new(),
            closing_commands: "",
        }
    }

    /// The same solver with more arguments for every call. They become part of its name, because they may change its
    /// answers. Code of this process takes no arguments.
    #[must_use]
    pub fn with_arguments(mut self, more: &[String]) -> Solver {
        let Kind::Program { arguments, .. } = &mut self.kind else { return self };
        arguments.extend_from_slice(more);
        self.name = command_with(&self.name, more.iter().map(String::as_str));
        self
    }

    /// The same solver with environment variables and further arguments that make it count or report its work. They do not
    /// become part of its name, since they must not change its answers. Code of this process takes neither.
    #[must_use]
    pub fn instrumented(self, environment: Vec<(String, OsString)>, arguments: Vec<String>) -> Solver {
        Solver { environment, silent_arguments: arguments, ..self }
    }

    /// The same solver with commands that make a process that answers several scripts report its work on each.
    #[must_use]
    pub(crate) fn closing_with(self, commands: &'static str) -> Solver {
        Solver { closing_commands: commands, ..self }
    }

    /// The same solver, with scripts in another dialect than that of its kind.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Solver {
        self.profile.dialect = dialect;
        self
    }

    /// The same solver with these capabilities.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Solver {
        self.capabilities = capabilities;
        self
    }

    /// The arguments in the command; code of this process has none.
    pub(crate) fn arguments(&self) -> &[String] {
        match &self.kind {
            Kind::Program { arguments, .. } => arguments,
            Kind::InProcess(_) => &[],
        }
    }

    /// The profile of the solver's kind.
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

    /// Gives the solver a script without changes.
    pub(crate) fn run_script(&self, script: &str, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        self.run_with(&[], script, circumstances).map(|finished| self.profile.read(finished))
    }

    /// Gives the solver a script without changes, and further arguments for this run, which code of this process ignores.
    pub(crate) fn run_with(
        &self,
        more: &[String],
        script: &str,
        circumstances: Circumstances<'_>,
    ) -> io::Result<Finished> {
        let mut attempts = 0..PATIENCE;
        loop {
            let finished = self.try_script(more, script, circumstances);
            match &finished {
                // Another solver may have filled the disk, or started as many processes as the system allows: it will
                // be stopped, and its files removed.
                Err(error) if is_shortage(error) && attempts.next().is_some() => thread::sleep(PAUSE),
                _ => return finished,
            }
        }
    }

    fn try_script(
        &self,
        more: &[String],
        script: &str,
        circumstances: Circumstances<'_>,
    ) -> io::Result<Finished> {
        let (program, arguments) = match &self.kind {
            Kind::Program { program, arguments } => (program, arguments),
            Kind::InProcess(code) => return Ok(in_process::run(&**code, script, circumstances)),
        };
        let Circumstances { folder, limits, interrupted, .. } = circumstances;
        // A solver may have removed the folder above.
        let work = folder.join("work");
        let path = folder.join("question.smt2");
        let more = self.silent_arguments.iter().chain(more).map(OsString::from).chain([path.clone().into()]);
        let mut command = self.command(program, arguments, more, &work);
        let finished = fs::create_dir_all(&work)
            .and_then(|()| fs::write(&path, script))
            .and_then(|()| run(&mut command, limits, interrupted));
        // Remaining files are removed with the folder above. A file that is created anew, instead of cut short and
        // overwritten, does not have to reach the disk immediately.
        let _ = fs::remove_dir_all(&work);
        let _ = fs::remove_file(&path);
        finished
    }

    fn command(
        &self,
        program: &str,
        arguments: &[String],
        more: impl Iterator<Item = OsString>,
        work: &Path,
    ) -> Command {
        let words = self.profile.arguments.iter().chain(arguments);
        let own = self.environment.iter().map(|(name, value)| (name, value));
        let mut command = command_in(program, words.map(OsString::from).chain(more), work);
        command.envs(sanitizer::environment()).envs(own);
        command
    }

    /// Starts a process that works in a folder and answers scripts from its standard input.
    ///
    /// # Errors
    /// The program cannot be started, or the solver is not known to do that.
    pub(crate) fn start_dialogue(&self, folder: &Path, limits: &Limits) -> io::Result<Dialogue> {
        let (Kind::Program { program, arguments }, Some(more)) = (&self.kind, &self.profile.dialogue) else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        Dialogue::start(
            &mut self.command(program, arguments, more.iter().map(OsString::from), folder),
            limits,
        )
    }

    /// The first line that the solver prints when asked for its version; `None` if the profile has no option for
    /// that.
    ///
    /// # Errors
    /// The solver cannot be started, or cannot be watched.
    pub fn version(&self, circumstances: Circumstances<'_>) -> io::Result<Option<String>> {
        if let Kind::InProcess(code) = &self.kind {
            return Ok(Some(code.version()));
        }
        if self.profile.version.is_empty() {
            return Ok(None);
        }
        let finished = self.call(&self.profile.version, circumstances)?;
        let mut lines = finished.output.text.lines().map(str::trim);
        Ok(lines.find(|line| !line.is_empty()).map(String::from))
    }

    /// Calls the program with these arguments in place of all others, and without a script. Code of this process prints
    /// nothing.
    pub(crate) fn call(
        &self,
        arguments: &[String],
        circumstances: Circumstances<'_>,
    ) -> io::Result<Finished> {
        let Circumstances { folder, limits, interrupted, .. } = circumstances;
        let Kind::Program { program, .. } = &self.kind else { return Ok(Finished::default()) };
        run(&mut command_in(program, arguments.iter().map(OsString::from), folder), limits, interrupted)
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

    fn spelled<'s>(&self, script: &'s ScriptText) -> Cow<'s, str> {
        self.spell(script)
    }

    /// The file for a program is written to the folder of the circumstances; the program works in a folder below, which is
    /// removed with everything in it. A script of which it is known that the solver does not read all of it is not put to it.
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
        let script = self.spell(&inquiry.text);
        if inquiry.needs.contains(Feature::Synthesis) {
            let Some(language) = &self.profile.synthesis else {
                return Ok(Reply::not_asked(format!(
                    "{}: its profile has no arguments for it",
                    Feature::Synthesis
                )));
            };
            let more = [&language[..], &inquiry.arguments].concat();
            let finished = self.run_with(&more, &script, circumstances)?;
            return Ok(self.profile.read_functions(finished));
        }
        // Each start has the arguments of a question.
        let shares = self.capabilities.answers_repeatedly && inquiry.arguments.is_empty();
        if let Some(processes) = circumstances.processes.filter(|_| shares)
            && let Some(reply) = processes.ask(self, &script, self.closing_commands, circumstances)?
        {
            return Ok(reply);
        }
        let finished = self.run_with(&inquiry.arguments, &script, circumstances)?;
        Ok(self.profile.read(finished))
    }
}

/// Whether the system lacks something that it may soon have again.
fn is_shortage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory
    )
}

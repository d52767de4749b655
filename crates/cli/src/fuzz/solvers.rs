//! Solvers as the command line names them.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use sundry_external::{Dialect, Limits, Profiles, Solver, Verdict};
use sundry_fuzz::Desk;

use crate::arguments::SolverArguments;
use crate::failure::{Failure, Status};

/// A script that every solver answers.
const TRIVIAL: &str = "(set-logic QF_UF)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n";

/// A script of strings that has a model only where names and escapes are those of the dialect.
const STRINGS: &str = "\
(set-logic ALL)
(declare-fun x () String)
(assert (= (str.len \"\\u{5c}\") 1))
(assert (= (str.to_int \"7\") 7))
(assert (str.in_re \"a\" (str.to_re \"a\")))
(check-sat)
";

/// The solvers under test, and those whose word counts.
pub struct Solvers {
    /// Those under test.
    pub tested: Vec<Solver>,
    /// The references.
    pub references: Vec<Solver>,
    /// Releases that defects are looked for in, the oldest first.
    pub releases: Vec<Solver>,
    /// What each run may use.
    pub limits: Limits,
}

impl Solvers {
    /// Those that the arguments name.
    ///
    /// # Errors
    /// Profiles that cannot be read, or a command that is none.
    pub fn read(arguments: &SolverArguments) -> Result<Solvers, Failure> {
        let profiles = read_profiles(arguments.profiles.as_deref())?;
        let read = |commands: &[String]| {
            let solver = |command: &String| Solver::new(command, &profiles);
            let solvers = commands.iter().map(solver).collect::<Result<Vec<_>, _>>();
            solvers.map_err(|error| Failure::new(Status::Input, error))
        };
        let limits = Limits {
            wall: arguments.solver_timeout,
            memory: Some((arguments.solver_memory.get() as u64) << 20),
            ..Limits::default()
        };
        Ok(Solvers {
            tested: read(&arguments.solvers)?,
            references: read(&arguments.references)?,
            releases: read(&arguments.releases)?,
            limits,
        })
    }

    fn all(&self) -> impl Iterator<Item = &Solver> {
        self.tested.iter().chain(&self.references).chain(&self.releases)
    }

    /// What the solvers say of their versions, by command.
    ///
    /// # Errors
    /// One of them cannot be run.
    pub fn versions(&self, desk: Desk<'_>) -> Result<BTreeMap<String, String>, Failure> {
        let mut versions = BTreeMap::new();
        for solver in self.all() {
            let version = solver.version(desk.folder, desk.limits, desk.interrupted);
            if let Some(version) = version.map_err(|error| unusable(solver, error))? {
                versions.insert(solver.name.clone(), version);
            }
        }
        Ok(versions)
    }

    /// Finds out which solvers know strings as they were before the standard: that depends on the build.
    ///
    /// # Errors
    /// One of them cannot be run.
    pub fn settle_dialects(&mut self, desk: Desk<'_>) -> Result<(), Failure> {
        for solver in self.tested.iter_mut().chain(&mut self.references).chain(&mut self.releases) {
            let older = solver.clone().with_dialect(Dialect::OlderStrings);
            let understands = |solver: &Solver| {
                let reply = desk.ask(solver, STRINGS).map_err(|error| unusable(solver, error))?;
                Ok::<bool, Failure>(reply.verdict() == Some(Verdict::Sat) && reply.error.is_none())
            };
            if !understands(solver)? && understands(&older)? {
                *solver = older;
            }
        }
        Ok(())
    }

    /// Refuses solvers that do not answer a trivial script: all that follows would be about that.
    ///
    /// # Errors
    /// The first such solver.
    pub fn check(&self, desk: Desk<'_>) -> Result<(), Failure> {
        for solver in self.all() {
            let reply = desk.ask(solver, TRIVIAL).map_err(|error| unusable(solver, error))?;
            match reply.verdict() {
                Some(Verdict::Sat) => {}
                Some(other) => {
                    return Err(unusable(
                        solver,
                        format_args!("it says {other} of a formula that is one variable"),
                    ));
                }
                None => {
                    let fault = reply.fault.map_or("nothing".to_string(), |fault| fault.to_string());
                    return Err(unusable(solver, format_args!("to a trivial script it says: {fault}")));
                }
            }
        }
        Ok(())
    }
}

fn unusable(solver: &Solver, why: impl Display) -> Failure {
    Failure::new(Status::Input, format_args!("the solver '{}' cannot be used: {why}", solver.name))
        .with_help("it gets a file in SMT-LIB as its last argument, and prints sat, unsat or unknown")
}

fn read_profiles(path: Option<&Path>) -> Result<Profiles, Failure> {
    let mut profiles = Profiles::built_in();
    if let Some(path) = path {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::reading(path, &error))?;
        profiles
            .extend(&text)
            .map_err(|error| Failure::new(Status::Input, format_args!("{}: {error}", path.display())))?;
    }
    Ok(profiles)
}

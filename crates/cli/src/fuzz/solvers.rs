//! Solvers as the command line names them.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::thread;

use sundry_external::{Limits, Profiles, Solver, Unusable};
use sundry_fuzz::Desk;

use crate::arguments::SolverArguments;
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::output::temporary_folder;

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
    /// Those that the arguments name. From now on, what is run starts with the limits that they name.
    ///
    /// # Errors
    /// Profiles that cannot be read, or a command that is none.
    pub fn read(arguments: &SolverArguments, console: &Console) -> Result<Solvers, Failure> {
        let profiles = read_profiles(arguments.profiles.as_deref())?;
        let read = |commands: &[String]| {
            let solver = |command: &String| Solver::new(command, &profiles);
            let solvers = commands.iter().map(solver).collect::<Result<Vec<_>, _>>();
            solvers.map_err(|error| Failure::new(Status::Input, error))
        };
        let limits = Limits {
            processor: arguments.solver_cpu_time,
            ..commands::limits(arguments.solver_timeout, arguments.solver_memory)
        };
        commands::prepare(&limits, console);
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
    pub fn versions(&self) -> BTreeMap<String, String> {
        let version = |solver: &Solver| Some((solver.name.clone(), solver.capabilities().version.clone()?));
        self.all().filter_map(version).collect()
    }

    /// Finds out what the builds of all solvers read, and has those under test check their own answers if
    /// `checks_itself`.
    ///
    /// # Errors
    /// A solver cannot be run, or does not answer a trivial script.
    pub fn probe(&mut self, desk: Desk<'_>, checks_itself: bool, console: &Console) -> Result<(), Failure> {
        if checks_itself {
            for solver in &mut self.tested {
                let checking = solver.clone().with_self_checks(desk.folder, desk.limits, desk.interrupted);
                *solver = checking.map_err(|error| unusable(solver, error))?;
            }
        }
        // Each waits for its solver most of the time.
        let solvers = self.tested.iter_mut().chain(&mut self.references).chain(&mut self.releases);
        thread::scope(|scope| {
            let probes: Vec<_> = solvers.map(|solver| scope.spawn(|| probe(solver, desk))).collect();
            probes.into_iter().try_for_each(|probe| probe.join().expect("probing does not panic"))
        })?;
        for solver in self.all() {
            let lacking = &solver.capabilities().lacking;
            let lacking: Vec<String> = lacking.keys().map(|feature| feature.to_string()).collect();
            if !lacking.is_empty() {
                console.detail(format_args!("{} does not know: {}", solver.name, lacking.join(", ")));
            }
        }
        Ok(())
    }
}

fn probe(solver: &mut Solver, desk: Desk<'_>) -> Result<(), Failure> {
    let folder = temporary_folder()?;
    let probed = solver.clone().probed(folder.path(), desk.limits, desk.interrupted);
    *solver = probed.map_err(|error: Unusable| unusable(solver, error))?;
    Ok(())
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

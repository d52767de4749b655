//! Solvers as the command line names them.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use sundry::Control;
use sundry::{BUILT_IN, built_in_solver};
use sundry_counters::CounterProvider;
use sundry_external::{
    Cached, Circumstances, Counted, Fault, Limits, Measured, Meter, OptionPool, OwnFile, Profiles, Recorded,
    Recorder, Respondent, Solver, Trace, Unusable,
};
use sundry_fuzz::wall_time;

use crate::arguments::SolverArguments;
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::interrupt::{self, Stop};
use crate::output::RunFolder;

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
    /// The solvers that the arguments name. The control stops the built-in one.
    ///
    /// # Errors
    /// Profiles that cannot be read, or a command that is none.
    pub fn read(arguments: &SolverArguments, control: &Control) -> Result<Solvers, Failure> {
        let processor = arguments.solver_timeout;
        let wall = arguments.solver_wall_time.unwrap_or_else(|| wall_time(processor));
        let limits = Limits { processor: Some(processor), ..commands::limits(wall, arguments.solver_memory) };
        let SolverArguments { solvers, references, releases, profiles, .. } = arguments;
        Solvers::named([solvers, references, releases], profiles.as_deref(), limits, control)
    }

    /// The solvers under test, the references and the releases with these commands. The control stops the built-in one.
    ///
    /// # Errors
    /// Profiles that cannot be read, or a command that is none.
    pub fn named(
        [tested, references, releases]: [&[String]; 3],
        profiles: Option<&Path>,
        limits: Limits,
        control: &Control,
    ) -> Result<Solvers, Failure> {
        let profiles = read_profiles(profiles)?;
        let read = |commands: &[String]| {
            let solver = |command: &String| match command.as_str() {
                BUILT_IN => Ok(built_in_solver(control)),
                command => Solver::new(command, &profiles),
            };
            let solvers = commands.iter().map(solver).collect::<Result<Vec<_>, _>>();
            solvers.map_err(Failure::usage)
        };
        Ok(Solvers {
            tested: read(tested)?,
            references: read(references)?,
            releases: read(releases)?,
            limits,
        })
    }

    /// The solvers under test, the references and the releases, as a campaign asks them. The meter adds up their runs. What
    /// references and releases answer is remembered; a solver under test is asked each time, since a defect has to show
    /// again, with its counters if it has any. Recorders keep all that is asked.
    pub fn respondents(
        &self,
        meter: &Arc<Meter>,
        recorders: &[Arc<dyn Recorder>],
        counters: &[Option<Arc<dyn CounterProvider>>],
    ) -> [Vec<Arc<dyn Respondent>>; 3] {
        let asked = |solver: Arc<dyn Respondent>| {
            let measured = Measured::new(solver, Arc::clone(meter));
            recorders.iter().fold(Arc::new(measured) as Arc<dyn Respondent>, |inner, recorder| {
                Arc::new(Recorded::new(inner, Arc::clone(recorder)))
            })
        };
        let remembered =
            |solver: &Solver| Arc::new(Cached::new(asked(Arc::new(solver.clone())))) as Arc<dyn Respondent>;
        let counted = |(solver, counters): (&Solver, &Option<Arc<dyn CounterProvider>>)| match counters {
            Some(counters) => asked(Arc::new(Counted::new(solver.clone(), Arc::clone(counters)))),
            None => asked(Arc::new(solver.clone())),
        };
        [
            self.tested.iter().zip(counters).map(counted).collect(),
            self.references.iter().map(remembered).collect(),
            self.releases.iter().map(remembered).collect(),
        ]
    }

    fn all(&self) -> impl Iterator<Item = &Solver> {
        self.tested.iter().chain(&self.references).chain(&self.releases)
    }

    /// What the solvers say of their versions, if they do, by command.
    pub fn versions(&self) -> BTreeMap<String, Option<String>> {
        self.all().map(|solver| (solver.name.clone(), solver.capabilities().version.clone())).collect()
    }

    /// Finds out what the builds of all solvers read, and has those under test check their own answers if
    /// `checks_itself`. Files go to folders in `place`.
    ///
    /// # Errors
    /// A solver cannot be run, or does not answer a trivial script, or time is up.
    pub fn probe(
        &mut self,
        place: &RunFolder,
        deadline: Option<Instant>,
        checks_itself: bool,
        console: &Console,
    ) -> Result<(), Failure> {
        let late = Stop::default();
        let ask = || self.ask_builds(place, &late.interrupted, checks_itself);
        let result = interrupt::until(deadline, &late, ask);
        if late.is_set() {
            return Err(stopped_early());
        }
        result?;
        for solver in self.all() {
            let lacking = &solver.capabilities().lacking;
            let lacking: Vec<String> = lacking.keys().map(|feature| feature.to_string()).collect();
            if !lacking.is_empty() {
                console.detail(format_args!("{} does not know: {}", solver.name, lacking.join(", ")));
            }
        }
        Ok(())
    }

    /// The options that the solvers under test take, by command; without solvers that take none. Nothing when somebody stops it.
    ///
    /// # Errors
    /// A solver cannot be run, or time is up.
    pub fn option_pools(
        &self,
        place: &RunFolder,
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Result<BTreeMap<String, OptionPool>, Failure> {
        let find = |solver: &Solver| {
            let folder = place.folder()?;
            let (limits, interrupted) = (&self.limits, &stop.interrupted);
            let pool = solver.find_options(Circumstances::new(folder.path(), limits, interrupted));
            Ok((solver.name.clone(), pool.map_err(|error| unusable(solver, error))?))
        };
        // Each waits for its solver most of the time.
        let find_all = || {
            thread::scope(|scope| {
                let threads: Vec<_> =
                    self.tested.iter().map(|solver| scope.spawn(move || find(solver))).collect();
                let join = |it: thread::ScopedJoinHandle<'_, _>| it.join().expect("it does not panic");
                threads.into_iter().map(join).collect::<Result<BTreeMap<_, _>, Failure>>()
            })
        };
        let found = interrupt::until(deadline, stop, find_all);
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(stopped_early());
        }
        if stop.is_set() {
            return Ok(BTreeMap::new());
        }
        let mut pools = found?;
        pools.retain(|_, pool| !pool.is_empty());
        Ok(pools)
    }

    fn ask_builds(
        &mut self,
        place: &RunFolder,
        interrupted: &Arc<AtomicBool>,
        checks_itself: bool,
    ) -> Result<(), Failure> {
        let limits = &self.limits;
        if checks_itself {
            let folder = place.folder()?;
            for solver in &mut self.tested {
                let circumstances = Circumstances::new(folder.path(), limits, interrupted);
                let checking = solver.clone().with_self_checks(circumstances);
                *solver = checking.map_err(|error| unusable(solver, error))?;
            }
        }
        // Each waits for its solver most of the time.
        let solvers = self.tested.iter_mut().chain(&mut self.references).chain(&mut self.releases);
        thread::scope(|scope| {
            let probe = |solver| {
                scope.spawn(move || {
                    let folder = place.folder()?;
                    probe(solver, Circumstances::new(folder.path(), limits, interrupted))
                })
            };
            let probes: Vec<_> = solvers.map(probe).collect();
            probes.into_iter().try_for_each(|probe| probe.join().expect("probing does not panic"))
        })
    }
}

fn stopped_early() -> Failure {
    Failure::new(FailureKind::Limit, "--timeout stopped the campaign before the solvers were probed")
}

/// The recorders of a campaign: a transcript, and a folder for a trace, where these are wanted.
///
/// # Errors
/// The file or the folder cannot be written.
pub fn recorders(transcript: Option<&Path>, trace: Option<&Path>) -> Result<Vec<Arc<dyn Recorder>>, Failure> {
    let mut recorders: Vec<Arc<dyn Recorder>> = Vec::new();
    if let Some(path) = transcript {
        let file = File::create(path).map_err(|error| Failure::writing(path, &error))?;
        recorders.push(Arc::new(Mutex::new(OwnFile::new(file))));
    }
    if let Some(path) = trace {
        recorders.push(Arc::new(Trace::new(path).map_err(|error| Failure::writing(path, &error))?));
    }
    Ok(recorders)
}

fn probe(solver: &mut Solver, circumstances: Circumstances<'_>) -> Result<(), Failure> {
    let probed = solver.clone().probed(circumstances);
    *solver = probed.map_err(|error| {
        let is_late = matches!(error, Unusable::NoAnswer(Fault::Timeout));
        let failure = unusable(solver, error);
        match is_late {
            true => failure.with_help(
                "a busy machine may need longer to start it; a larger limit on its time allows that",
            ),
            false => failure,
        }
    })?;
    Ok(())
}

fn unusable(solver: &Solver, why: impl Display) -> Failure {
    Failure::usage(format_args!("the solver '{}' cannot be used: {why}", solver.name))
        .with_help("a solver gets a file in SMT-LIB as its last argument, and prints sat, unsat or unknown")
}

fn read_profiles(path: Option<&Path>) -> Result<Profiles, Failure> {
    let mut profiles = Profiles::built_in();
    if let Some(path) = path {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::reading(path, &error))?;
        profiles.extend(&text).map_err(|error| Failure::of(FailureKind::Input, path.display(), error))?;
    }
    Ok(profiles)
}

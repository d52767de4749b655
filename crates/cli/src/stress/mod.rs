//! `sundry stress`: breeds inputs on which a solver is slow, and a folder for each finding.
//!
//! The campaign itself is library code ([`sundry_stress::Campaign`]). This module has its files, its messages, and the exit code.

mod files;
mod page;
mod plan;
mod progress;
mod record;
mod report;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry::term::TermStore;
use sundry_external::Meter;
use sundry_stress::{
    End, FirstGeneration, Individual, SEED_COMPLEXITY, State, Stop as Stopped, Unfit, WorkerFolders, Workers,
};

use crate::arguments::StressArguments;
use crate::campaign::findings::Findings;
use crate::campaign::html_page::Parts;
use crate::campaign::replay::CampaignCommand;
use crate::campaign::{cannot_run, share_in_solvers};
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::input::Input;
use crate::interrupt::{self, Stop};
use crate::output::{OutputFolder, REDIRECTION, RunFolder, write_results};
use crate::values::counted;
use files::Files;
pub use files::read_cases;
pub use page::page_of_cases;
use plan::Plan;
use progress::Progress;
use record::Ended;
pub use report::{folder_of, title};

/// The use of the folder of a campaign.
const PURPOSE: &str = "a campaign writes to a folder, with a folder in it for each finding";
/// The folder of wrong answers, wrong models and crashes.
pub const DEFECTS: &str = "defects";

/// Runs the job.
///
/// # Errors
/// A solver or seed cannot be used, another campaign is at work in the folder, or a finding cannot be written.
pub fn run(arguments: &StressArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    if let Some(folder) = &arguments.write_runtime {
        return write_runtime(folder);
    }
    let mut plan = Plan::resolve(arguments, stop, console)?;
    if let Some(number) = plan.replay {
        return replay(&plan, number);
    }
    // What somebody else is writing is left alone, before any solver is asked.
    let output = OutputFolder::new(&plan.output, PURPOSE)?;
    let _lock = output.lock()?;
    let (mut state, noted) = files::read(output.path(), plan.description())?;
    let workplace = commands::prepare(&plan.solvers.limits, console)?;
    let in_memory = RunFolder::in_memory()?;
    plan.instrument(in_memory.path())?;
    plan.solvers.probe(&workplace.folder, plan.deadline, false, console)?;
    let meter = Arc::new(Meter::default());
    let contest = plan.contest(&meter);
    let campaign = plan.campaign(&contest);
    let places = (0..plan.threads)
        .map(|_| Ok((workplace.folder.folder()?, in_memory.folder()?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let folders = places.iter().map(|(files, counters)| {
        let (files, counters) = (files.path().to_path_buf(), counters.path().to_path_buf());
        WorkerFolders { files, counters }
    });
    let workers = Workers { contest, folders: folders.collect(), interrupted: Arc::clone(&stop.interrupted) };
    let defects = Findings::open(&output.folder(DEFECTS.as_ref())?, plan.solvers.versions())?;
    let progress = Progress::new(console, plan.start, &meter, plan.threads, plan.measure);
    if state.population.is_empty() {
        console.detail(format_args!("the variant is {}", plan.effective_variant()));
        if !noted.is_empty() {
            let runs = counted(noted.len(), "run");
            let message =
                format_args!("continuing the campaign of this folder, with {runs} of its first generation");
            console.note(plan.output.display(), message);
        }
    } else {
        let generation = state.generation();
        console.note(
            plan.output.display(),
            format_args!("continuing the campaign of this folder after generation {generation}"),
        );
    }
    let solvers = report::Solvers {
        versions: plan.solvers.versions(),
        counters: plan.counters.clone(),
        command: CampaignCommand::of_this_process(),
    };
    interrupt::watch(stop);
    let mut files = Files::open(&output, plan.description(), &state, &noted, solvers, defects, progress)?;
    let result = interrupt::until(plan.deadline, stop, || {
        let first = || first_generation(&plan, console);
        campaign.run(first, &mut state, noted, &workers, &mut files)
    });
    let (ended, failure) = match result {
        Ok(End::Generations) => (Some(Ended::Generations), None),
        Ok(End::Budget) => (Some(Ended::Budget), None),
        Ok(End::Findings) => (Some(Ended::Findings), None),
        Err(Stopped::Interrupted) => (Some(ended_by(&plan, stop)), None),
        Err(Stopped::Keeping(failure)) => (None, Some(failure)),
        Err(Stopped::Unfit(unfit)) => (None, Some(unusable(&unfit))),
        Err(Stopped::Solver(error)) => (None, Some(cannot_run(&error))),
        Err(Stopped::Damaged(reason)) => {
            let message = format_args!("the state of the campaign is damaged: {reason}");
            (None, Some(Failure::new(FailureKind::Input, message)))
        }
    };
    files.progress.finish();
    // What was found before an error is reported all the same.
    let closed = files.defects.close(Parts::default());
    record::write(&output, &plan, &state, &meter, ended)?;
    let page = page::page(&plan, &state);
    output.file(Path::new("index.html"))?.replace(page.as_bytes())?;
    closed?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    summarise(&plan, &state, &files, &meter, ended, console);
    let has_found = state.cases.confirmed().next().is_some() || files.defects.has_confirmed();
    Ok(match ended {
        _ if has_found => Status::Attention,
        Some(Ended::Generations | Ended::Budget | Ended::Findings) => Status::Done,
        _ => Status::Limit,
    })
}

/// The failure for solvers that are of no use, with a remedy.
fn unusable(unfit: &Unfit) -> Failure {
    let help = match unfit {
        Unfit::Fails(..) => {
            "name a --logic that the solver knows, or options that it needs; -v lists what it does not know"
        }
        Unfit::GivesUp(..) => {
            "the option that you test may not exist in this build; name another --target, or another --logic"
        }
        Unfit::Undecided => {
            "a reference has to decide what the solver under test is slow on; raise --limit or choose another"
        }
        Unfit::NoCounters(..) => {
            "name a build that counts, and its own files, with --counters; sundry stress --help lists the kinds"
        }
        Unfit::NoUnits(_) => {
            "use --measure processor, or a profile that says how the solver reports its work"
        }
    };
    Failure::usage(unfit).with_help(help)
}

fn ended_by(plan: &Plan, stop: &Stop) -> Ended {
    if stop.memory.load(Ordering::Relaxed) {
        Ended::Memory
    } else if plan.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline) {
        Ended::Timeout
    } else {
        Ended::Interrupt
    }
}

/// The inputs of the first generation. Seeds that cannot be bred are reported.
fn first_generation(plan: &Plan, console: &Console) -> Result<(TermStore, Vec<Individual>), Failure> {
    let mut store = TermStore::new();
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed());
    let (mut seeds, mut names) = (Vec::new(), Vec::new());
    for path in &plan.seeds.0 {
        let source = Input::from_argument(path).read(&plan.control)?;
        match Individual::read(&mut store, &source) {
            Ok(seed) => {
                seeds.push(seed);
                names.push(path.display());
            }
            Err(reason) => console.line(format_args!("{}: left out: {reason}", path.display())),
        }
    }
    if seeds.is_empty() && !plan.seeds.0.is_empty() {
        return Err(Failure::usage("none of the seeds can be bred"));
    }
    let FirstGeneration { individuals, too_complex } =
        FirstGeneration::make(&mut store, &plan.logic, plan.mix, &seeds, plan.population, &mut random)
            .map_err(Failure::usage)?;
    for number in too_complex {
        console.line(format_args!(
            "{}: left out: each of its assertions is more complex than {SEED_COMPLEXITY}",
            names[number]
        ));
    }
    Ok((store, individuals))
}

/// Writes the sources to link into solvers, and prints their names.
fn write_runtime(folder: &Path) -> Result<Status, Failure> {
    let output = OutputFolder::new(folder, "the sources to link into a solver are written to a folder")?;
    let mut names = String::new();
    for (name, text) in sundry_counters::runtime::FILES {
        output.file(Path::new(name))?.replace(text.as_bytes())?;
        names += &format!("{}\n", folder.join(name).display());
    }
    write_results(names.as_bytes(), REDIRECTION).map(|()| Status::Done)
}

/// Prints the input of a case.
fn replay(plan: &Plan, number: usize) -> Result<Status, Failure> {
    let (state, _) = files::read(&plan.output, plan.description())?;
    match state.cases.0.get(number) {
        Some(case) => write_results(case.script.as_bytes(), REDIRECTION).map(|()| Status::Done),
        None => Err(Failure::usage(format_args!(
            "there is no case {number} in {}: the campaign has {} so far",
            plan.output.display(),
            counted(state.cases.0.len(), "case")
        ))),
    }
}

/// The last words mention a solver that fails on more than one in this many of its runs.
const MANY_FAILURES: u64 = 10;

/// The last words.
fn summarise(
    plan: &Plan,
    state: &State,
    files: &Files<'_>,
    meter: &Meter,
    ended: Option<Ended>,
    console: &Console,
) {
    let last = state.history.last().copied().unwrap_or_default();
    console.line(format_args!(
        "{}, {} of inputs in {:.1} s ({:.2} of it in solvers)",
        counted(last.number as usize, "generation"),
        counted(last.runs as usize, "run"),
        plan.start.elapsed().as_secs_f64(),
        share_in_solvers(meter, plan.start, plan.threads),
    ));
    if state.population.is_empty() {
        console.line(format_args!(
            "the first generation of {} was not complete; with a smaller --population or --limit, it takes less time",
            counted(plan.population, "input")
        ));
    }
    if last.lost_counters > 0 {
        console.line(format_args!("{} left no counters", counted(last.lost_counters as usize, "run")));
    }
    if let Some(warning) = progress::no_gap_warning(&last).filter(|_| last.number > 0) {
        console.line(warning);
    }
    // Inputs on which a solver fails, or whose time is not known, are lost to the search.
    for (solver, _, tally) in plan.tallies(state) {
        if tally.unmeasured > 0 {
            console.line(format_args!(
                "{} of {} ended at another limit than that of the measure, such as memory or the time on the clock: the solver waits without working, \
                 or the machine has too much other work",
                counted(tally.unmeasured as usize, "run"),
                solver.name,
            ));
        }
        if tally.failed * MANY_FAILURES > tally.runs() {
            console.line(format_args!(
                "{} failed on {} of {}; another --logic or an option of the solver may help (-v lists what it does not know)",
                solver.name,
                tally.failed,
                counted(tally.runs() as usize, "input"),
            ));
        }
    }
    if let Some(why) = ended.and_then(|ended| match ended {
        Ended::Timeout => Some("stopped by --timeout"),
        Ended::Interrupt => Some("interrupted"),
        Ended::Memory => Some("stopped by --memory"),
        Ended::Generations | Ended::Budget | Ended::Findings => None,
    }) {
        console.line(format_args!("{why}; the same command continues"));
    }
    let waiting = state.cases.waiting().count();
    if waiting > 0 {
        console.line(format_args!("{} not followed up", counted(waiting, "case")));
    }
    let found = state.cases.confirmed().count();
    let defects = files.defects.bugs().iter().len();
    match (found, defects) {
        (0, 0) => console.line("no slow input found"),
        _ => console.line(format_args!(
            "{}, {}, in {}",
            counted(found, "slow input"),
            counted(defects, "defect"),
            plan.output.display()
        )),
    }
}

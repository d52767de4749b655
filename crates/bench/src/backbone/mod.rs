//! The time until every AST-bit is covered or proved impossible, compared with a backbone extractor.
//!
//! An AST-bit is impossible if the opposite literal is in the backbone of the formula's clauses. The clauses are
//! those that the search holds when it starts; the experiment keeps them as DIMACS files (`NAME.cnf`), so that any
//! program can be compared on them. This belongs to the experiments and not to `sundry sample`, because clauses say
//! something about the solver and nothing about a user's formula. The extractor is [`extract()`]; sampling, with one
//! thread, is measured from the formula, including its circuits and clauses, until its set is known to be complete.
//! If clauses are exact (no arrays, no functions), both have to find the same literals. The time of a hard refutation
//! is a matter of chance for both, so both can be measured with several seeds.

mod extract;

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use sundry_coverage::BitSet;
use sundry_report::{Alignment, Table};
use sundry_sample::{Encoding, Event, Problem, Request, sample};
use sundry_sat::{AddClauses, Cadical, Interrupt, Limits, Lit, Options};
use sundry_term::Control;

use crate::SuiteArguments;
use crate::statistics::{cell, geometric_mean};
use crate::suite::{self, Formula};
use crate::workers;
use extract::{Backbone, extract};

/// Arguments of the experiment.
#[derive(Args)]
pub struct BackboneArguments {
    #[command(flatten)]
    suite: SuiteArguments,
    /// Time limit of either program on each formula
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    seconds: f64,
    /// Formulas on which both take less are left out of means
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1)]
    floor: f64,
    /// Number of measurements of both programs, in turns and each with another seed; the geometric means count
    #[arg(long, value_name = "N", default_value = "1")]
    runs: NonZeroU32,
}

/// The measurements on one formula.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Comparison {
    name: String,
    candidates: usize,
    /// Whether every model of the clauses is one of the formula.
    exact: bool,
    /// Seconds until the clauses and a first model existed, which both programs need.
    preparation_seconds: f64,
    /// Variables with the same value in all models of the clauses; none where time was up.
    backbone: Option<usize>,
    extractor_seconds: f64,
    /// AST-bits proved impossible; none where time was up.
    impossible: Option<usize>,
    sampling_seconds: f64,
    /// Solutions when the set was complete.
    solutions: usize,
    /// AST-bits that one side calls impossible and the other possible.
    disagreements: usize,
}

impl Comparison {
    /// Sampling's time as a multiple of the extractor's, which did not have to make the clauses; with the limit for
    /// those that did not end.
    fn ratio(&self) -> f64 {
        self.sampling_seconds / self.extractor_seconds
    }

    /// The ratio with the preparation of the clauses on both sides.
    fn whole_ratio(&self) -> f64 {
        self.sampling_seconds / (self.preparation_seconds + self.extractor_seconds)
    }
}

/// Runs the experiment and prints its table.
///
/// # Errors
/// The two disagree, or something cannot be read or written.
pub fn run(arguments: &BackboneArguments) -> Result<(), String> {
    let formulas = suite::formulas(&arguments.suite)?;
    let results = arguments.suite.runs.results()?;
    let work = |formula: &Formula| compare(arguments, formula, &results);
    let tell = |formula: &Formula, result: &Result<Option<Comparison>, String>| match result {
        Ok(Some(one)) => format!(
            "{}: sampling {:.3} s, extractor {:.3} s",
            formula.name, one.sampling_seconds, one.extractor_seconds
        ),
        Ok(None) => format!("{}: not prepared in time", formula.name),
        Err(message) => format!("{}: {message}", formula.name),
    };
    let mut comparisons = Vec::new();
    for result in workers::map(&formulas, arguments.suite.runs.jobs, work, tell) {
        comparisons.extend(result?);
    }
    print_tables(&comparisons, arguments.floor);
    let disagreeing: Vec<&str> =
        comparisons.iter().filter(|one| one.disagreements > 0).map(|one| one.name.as_str()).collect();
    if disagreeing.is_empty() { Ok(()) } else { Err(format!("disagreement on {}", disagreeing.join(", "))) }
}

/// Runs both programs on one formula, or reads the stored result.
fn compare(
    arguments: &BackboneArguments,
    formula: &Formula,
    results: &Path,
) -> Result<Option<Comparison>, String> {
    let kept = results.join(format!("{}.json", formula.file_name()));
    if let Ok(text) = fs::read_to_string(&kept)
        && let Ok(comparison) = serde_json::from_str(&text)
    {
        return Ok(Some(comparison));
    }
    let write = |path: &Path, text: String| {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    let problem = formula.read()?;
    let limit = Duration::from_secs_f64(arguments.seconds);
    let control = until(Instant::now() + limit);
    let clock = ProcessorClock::start();
    let encoding = Encoding::new(&problem, 0, &control).map_err(|error| error.to_string())?;
    let preparation_seconds = clock.seconds();
    let Some(encoding) = encoding else { return Ok(None) };
    write(&results.join(format!("{}.cnf", formula.file_name())), encoding.to_string())?;
    let runs: Vec<Run> = (0..arguments.runs.get())
        .map(|seed| {
            let (backbone, extractor_seconds) = extracted(&encoding, seed, limit);
            Ok(Run { backbone, extractor_seconds, sampled: sampled(&problem, seed, limit)? })
        })
        .collect::<Result<_, String>>()?;
    let first = &runs[0];
    let comparison = Comparison {
        name: formula.name.clone(),
        candidates: encoding.candidates.len(),
        exact: encoding.is_exact,
        preparation_seconds,
        disagreements: runs.iter().map(|run| run.disagreements(&encoding)).sum(),
        backbone: (runs.iter().all(|run| run.backbone.undecided == 0))
            .then_some(first.backbone.literals.len()),
        extractor_seconds: geometric_mean(runs.iter().map(|run| run.extractor_seconds)),
        impossible: (runs.iter().all(|run| run.sampled.complete)).then_some(first.sampled.impossible.count()),
        sampling_seconds: geometric_mean(runs.iter().map(|run| run.sampled.seconds)),
        solutions: first.sampled.solutions,
    };
    write(&kept, serde_json::to_string(&comparison).map_err(|error| error.to_string())?)?;
    Ok(Some(comparison))
}

fn until(deadline: Instant) -> Control {
    Control::default().with_deadline(Some(deadline))
}

/// The backbone among the candidates, and how long it took from the clauses.
fn extracted(encoding: &Encoding, seed: u32, limit: Duration) -> (Backbone, f64) {
    let (start, clock) = (Instant::now(), ProcessorClock::start());
    let mut solver = Cadical::new(&Options { seed, ..Options::default() });
    solver.set_limits(Limits::new(&until(start + limit), None));
    for _ in 0..encoding.clauses.var_count() {
        solver.new_var();
    }
    encoding.clauses.clauses().for_each(|clause| solver.add_clause(clause));
    let literals: Vec<Lit> = encoding.candidates.iter().map(|candidate| candidate.literal).collect();
    let found = extract(&mut solver, &literals);
    (found, clock.seconds())
}

/// Processor seconds of this thread: the clock of a shared machine would measure other work too.
struct ProcessorClock(Duration);

impl ProcessorClock {
    fn start() -> Self {
        ProcessorClock(Self::now())
    }

    fn now() -> Duration {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
    }

    fn seconds(&self) -> f64 {
        (Self::now() - self.0).as_secs_f64()
    }
}

/// The result of sampling.
struct Sampled {
    complete: bool,
    /// AST-bits by number.
    impossible: BitSet,
    seconds: f64,
    solutions: usize,
}

/// Samples until the set is complete and known to be.
fn sampled(problem: &Problem, seed: u32, limit: Duration) -> Result<Sampled, String> {
    let (start, clock) = (Instant::now(), ProcessorClock::start());
    let stop = Arc::new(AtomicBool::new(false));
    let control = until(start + limit).with_stop(stop.clone());
    let request = Request { control, seed: seed.into(), ..Request::cover() };
    let mut complete = None;
    let summary = sample(problem, &request, &mut |event| {
        if let Event::Set(progress) = event
            && complete.is_none()
            && progress.is_complete()
        {
            complete = Some((clock.seconds(), progress.solutions.len()));
            stop.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())?;
    let set = summary.set().ok_or("no set that covers AST-bits")?;
    let (seconds, solutions) = match complete {
        Some(found) => found,
        None => (clock.seconds(), set.solutions.len()),
    };
    Ok(Sampled { complete: set.is_complete(), impossible: set.impossible.clone(), seconds, solutions })
}

/// The results of both programs with one seed.
struct Run {
    backbone: Backbone,
    extractor_seconds: f64,
    sampled: Sampled,
}

impl Run {
    /// AST-bits on which the two differ, where both have decided all of them. Clauses that are not exact may have
    /// models that the formula has not.
    fn disagreements(&self, encoding: &Encoding) -> usize {
        let Run { backbone, sampled, .. } = self;
        if backbone.undecided > 0 || !sampled.complete {
            return 0;
        }
        let fixed: BTreeSet<Lit> = backbone.literals.iter().copied().collect();
        let is_impossible = |number: usize| sampled.impossible.contains(number);
        let differs = |literal: Lit, number: usize| match (fixed.contains(&!literal), is_impossible(number)) {
            (true, false) => true,
            (false, true) => encoding.is_exact,
            _ => false,
        };
        (encoding.candidates.iter())
            .flat_map(|candidate| {
                [(candidate.literal, candidate.ast_bit), (!candidate.literal, candidate.ast_bit ^ 1)]
            })
            .filter(|&(literal, number)| differs(literal, number))
            .count()
    }
}

fn print_tables(comparisons: &[Comparison], floor: f64) {
    use Alignment::{Left, Right};
    let mut table = Table::new(&[
        ("formula", Left),
        ("clauses", Left),
        ("variables", Right),
        ("backbone", Right),
        ("preparation s", Right),
        ("extractor s", Right),
        ("sampling s", Right),
        ("ratio", Right),
        ("with preparation", Right),
        ("solutions", Right),
    ]);
    let mut sorted: Vec<&Comparison> = comparisons.iter().collect();
    sorted.sort_by(|left, right| right.ratio().total_cmp(&left.ratio()));
    for one in &sorted {
        let seconds = |value: f64, ended: bool| format!("{}{value:.3}", if ended { "" } else { "> " });
        table.push([
            one.name.clone(),
            if one.exact { "exact" } else { "lemmas" }.into(),
            one.candidates.to_string(),
            one.backbone.map_or("?".into(), |count| count.to_string()),
            seconds(one.preparation_seconds, true),
            seconds(one.extractor_seconds, one.backbone.is_some()),
            seconds(one.sampling_seconds, one.impossible.is_some()),
            cell(one.ratio(), 2),
            cell(one.whole_ratio(), 2),
            one.solutions.to_string(),
        ]);
    }
    print!("{table}");
    for (kind, exact) in [("all", None), ("exact clauses", Some(true)), ("lemmas on demand", Some(false))] {
        let counted: Vec<&&Comparison> = sorted
            .iter()
            .filter(|one| one.sampling_seconds.max(one.extractor_seconds) >= floor)
            .filter(|one| exact.is_none_or(|exact| one.exact == exact))
            .collect();
        println!(
            "{kind}: {} formulas that take {floor} s, mean {} ({} with preparation), above 2: {} ({})",
            counted.len(),
            cell(geometric_mean(counted.iter().map(|one| one.ratio())), 2),
            cell(geometric_mean(counted.iter().map(|one| one.whole_ratio())), 2),
            counted.iter().filter(|one| one.ratio() > 2.0).count(),
            counted.iter().filter(|one| one.whole_ratio() > 2.0).count(),
        );
    }
}

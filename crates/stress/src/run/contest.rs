//! The solvers of a search, and the way in which one worker runs an input on all of them.
//!
//! Solvers under test come first. A reference is of interest only if it is faster, so its limit is what the solvers under test
//! took (and at least a share of the whole limit, since its answer is compared with theirs): the score is the same, and slow
//! references cost no more than the solver under test.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sundry_counters::{CounterError, CounterProvider, FileCounters, Preparation};
use sundry_external::{
    Circumstances, Farewell, Inquiry, Limits, Measured as Metered, Meter, Reply, Respondent, Solver,
};

use crate::own_work::Stopwatches;
use crate::run::effort::{Ceiling, Effort, Measure};
use crate::run::measured::Measured;

/// The seconds on the clock that are allowed for each second of processor time, because other programs compute too.
const WALL: u32 = 4;
/// The time on the clock that is allowed in any case.
const LEAST_WALL: Duration = Duration::from_secs(1);
/// The time that a solver gets for its last counters.
const PATIENCE: Duration = Duration::from_secs(10);
/// The share of the limit that a reference gets in any case.
const LEAST_SHARE: f64 = 0.1;

/// The limits of one run in a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RunLimits {
    /// Processor time: what is measured, or the net.
    pub processor: Duration,
    /// Bytes of memory: what is measured, or the net.
    pub memory: u64,
}

impl RunLimits {
    /// The limits of the process, of which the wall is only a net.
    pub(crate) fn of_process(self, farewell: Option<Farewell>) -> Limits {
        let RunLimits { processor, memory } = self;
        let wall = (processor * WALL).saturating_add(LEAST_WALL);
        Limits { wall, processor: Some(processor), memory: Some(memory), farewell, ..Limits::default() }
    }
}

/// A solver in a search, with the units of work that it gets where these are measured.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The solver, which was probed.
    pub solver: Solver,
    /// The limit in the solver's own units of work.
    pub units: Option<u64>,
    /// The counters that its build has, if any.
    pub counters: Option<Arc<dyn CounterProvider>>,
}

/// The solvers of a search, and how they are measured.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The solvers under test: all of them have to be slow.
    pub targets: Vec<Contestant>,
    /// The references: one of them has to be fast.
    pub references: Vec<Contestant>,
    /// The measure of effort.
    pub measure: Measure,
    /// The limits of each run.
    pub limits: RunLimits,
    /// The limits on units of work are those of the contestants this many times; 1 unless limits were [raised](Contest::raised).
    pub multiple: u32,
    /// Adds up all runs.
    pub meter: Arc<Meter>,
    /// Measures the work beside them.
    pub stopwatches: Arc<Stopwatches>,
}

/// The place of a worker.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place<'a> {
    /// A folder that no other worker uses.
    pub folder: &'a Path,
    /// A folder for counters that no other worker uses.
    pub counters: &'a Path,
    /// A flag that is set when work has to end.
    pub interrupted: &'a Arc<AtomicBool>,
}

impl Place<'_> {
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

impl Contest {
    /// The limit on what is measured, for a solver.
    pub fn ceiling(&self, contestant: &Contestant) -> Ceiling {
        match (self.measure, contestant.solver.profile().resource.as_ref()) {
            (Measure::Resource, Some(resource)) => Ceiling::Resource {
                units: contestant.units.unwrap_or(resource.units),
                count: resource.count.clone(),
                multiple: self.multiple,
            },
            (Measure::Memory, _) => Ceiling::Memory(self.limits.memory as f64 / f64::from(1 << 20)),
            _ => Ceiling::Processor(self.limits.processor.as_secs_f64()),
        }
    }

    /// The amount at which a solver under test has reached its limit.
    pub fn limit_amount(&self) -> f64 {
        self.targets.first().map_or(f64::INFINITY, |target| self.ceiling(target).amount())
    }

    /// The same contest with limits on time and work that are so many times as high. Units of work remain shares of the limit before,
    /// so efforts of both contests compare.
    pub fn raised(&self, multiple: u32) -> Contest {
        let processor = self.limits.processor.saturating_mul(multiple);
        let multiple = self.multiple.saturating_mul(multiple);
        Contest { limits: RunLimits { processor, ..self.limits }, multiple, ..self.clone() }
    }

    /// Runs an input on all solvers; `None` if somebody stops it.
    pub(crate) fn run(&self, inquiry: &Inquiry, place: Place<'_>) -> io::Result<Option<Measured>> {
        let mut measured = Measured::default();
        for target in &self.targets {
            let effort = self.run_target(target, inquiry, place, &mut measured)?;
            measured.targets.push(effort);
        }
        let taken = measured.target();
        let limits = self.limits_of_references(taken);
        for reference in &self.references {
            let reply = self.ask(reference, limits, inquiry, place)?;
            measured.references.push(self.ceiling(reference).effort(&reply));
        }
        measured.wrong_model = self.has_wrong_model(inquiry, &measured, place)?;
        Ok((!place.is_interrupted()).then_some(measured))
    }

    /// Measures a solver under test once more, and keeps the smaller effort of two: what disturbs a run makes it longer.
    pub(crate) fn run_again(
        &self,
        inquiry: &Inquiry,
        measured: &mut Measured,
        place: Place<'_>,
    ) -> io::Result<()> {
        for (target, before) in self.targets.iter().zip(&mut measured.targets) {
            let reply = self.ask(target, self.limits, inquiry, place)?;
            let again = self.ceiling(target).effort(&reply);
            if !place.is_interrupted() && again.amount < before.amount {
                *before = again;
            }
        }
        Ok(())
    }

    fn run_target(
        &self,
        target: &Contestant,
        inquiry: &Inquiry,
        place: Place<'_>,
        measured: &mut Measured,
    ) -> io::Result<Effort> {
        let mut reply = self.ask(target, self.limits, inquiry, place)?;
        if let Some(taken) = self.stopwatches.counters.time(|| target.take_counters(&reply, place)) {
            // A run without counters is no error of the search: they are counted.
            match taken {
                Ok(files) => measured.counters = files,
                Err(_) => measured.counters_lost = true,
            }
        }
        if self.measure == Measure::Processor && is_disturbed(&reply) && !place.is_interrupted() {
            let again = self.ask(target, self.limits, inquiry, place)?;
            if again.finished.processor < reply.finished.processor || again.finished.stopped.is_none() {
                reply = again;
            }
        }
        Ok(self.ceiling(target).effort(&reply))
    }

    fn limits_of_references(&self, taken: f64) -> RunLimits {
        if self.measure != Measure::Processor {
            return self.limits;
        }
        let whole = self.limits.processor.as_secs_f64();
        let processor = Duration::from_secs_f64(taken.clamp(LEAST_SHARE * whole, whole));
        RunLimits { processor, ..self.limits }
    }

    /// Asks a solver within limits.
    pub(crate) fn ask(
        &self,
        contestant: &Contestant,
        limits: RunLimits,
        inquiry: &Inquiry,
        place: Place<'_>,
    ) -> io::Result<Reply> {
        let Preparation { environment, mut arguments, farewell, .. } = contestant.prepare(place)?;
        let resource = contestant.solver.profile().resource.as_ref();
        if let Some(resource) = resource.filter(|_| self.measure == Measure::Resource) {
            let units = contestant.units.unwrap_or(resource.units);
            arguments.extend(resource.arguments(units.saturating_mul(self.multiple.into())));
        }
        let solver = contestant.solver.clone().instrumented(environment, arguments);
        let farewell = farewell.map(|signal| Farewell { signal, patience: PATIENCE });
        let limits = limits.of_process(farewell);
        let circumstances = Circumstances::new(place.folder, &limits, place.interrupted);
        Metered::new(solver, Arc::clone(&self.meter)).ask(inquiry, circumstances).map_err(|error| {
            // Later code would not know which of them failed.
            io::Error::new(error.kind(), format!("'{}': {error}", contestant.solver.name))
        })
    }
}

impl Contestant {
    /// All that a run needs. A program that counts does so in every run: it must not write beside its objects.
    fn prepare(&self, place: Place<'_>) -> io::Result<Preparation> {
        let counters = self.counters.as_deref();
        Ok(counters.map(|counters| counters.prepare(place.counters)).transpose()?.unwrap_or_default())
    }

    /// The solver as it is to be called in a place by others than the contest.
    pub(crate) fn prepared(&self, place: Place<'_>) -> io::Result<Solver> {
        let Preparation { environment, arguments, .. } = self.prepare(place)?;
        Ok(self.solver.clone().instrumented(environment, arguments))
    }

    /// The counters of a run that has ended, if the build has any.
    pub(crate) fn take_counters(
        &self,
        reply: &Reply,
        place: Place<'_>,
    ) -> Option<Result<Vec<FileCounters>, CounterError>> {
        let output = format!("{}{}", reply.finished.output.text, reply.finished.errors.text);
        Some(self.counters.as_deref()?.take(place.counters, &output))
    }
}

/// Whether a run waited for a processor so long that its time says little.
fn is_disturbed(reply: &Reply) -> bool {
    let (wall, processor) = (reply.finished.wall.as_secs_f64(), reply.finished.processor.as_secs_f64());
    wall > 2.0 * processor + 0.5
}

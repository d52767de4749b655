//! The objective as strategies see it: a point in, a distance out, and every evaluation is counted.

use sundry_term::{Control, Stopped, TermStore};

use crate::program::{Program, Registers};

/// Positions of all variables.
pub type Point = Vec<u64>;

/// The work of ten nanoseconds, the unit of a control, in steps of a program.
const STEPS_OF_UNIT: u64 = 4;

/// The reason for which a strategy has to stop in the middle.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The last point has distance zero.
    Solved,
    /// A control has stopped the search.
    Stopped(Stopped),
}

impl From<Stopped> for End {
    fn from(reason: Stopped) -> Self {
        End::Stopped(reason)
    }
}

/// A point that a search shows on its way.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Waypoint {
    /// The point was accepted as the next one.
    Accepted,
    /// No step that was tried leads from the point to a smaller distance.
    LocalMinimum,
}

/// The receiver of the points that a search passes.
pub type Spectator<'a, 's> = &'a mut (dyn FnMut(Waypoint, &[u64]) + 's);

/// Counts of a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Points whose distance was computed.
    pub evaluations: u64,
    /// The work of that, in steps of the processor's arithmetic.
    pub work: u64,
    /// Starts of strategies.
    pub starts: u64,
}

/// The landscape that strategies search: the sum of the distances of all assertions.
pub struct Landscape<'a, 's> {
    pub(crate) program: &'a Program,
    pub(crate) registers: &'a mut Registers,
    /// The point that the registers are computed for; empty if they are not.
    pub(crate) loaded: &'a mut Point,
    /// The variables that the last point has changed.
    pub(crate) changed: Vec<usize>,
    pub(crate) store: &'a TermStore,
    pub(crate) control: &'a Control,
    pub(crate) counts: &'a mut Counts,
    pub(crate) solution: &'a mut Option<Point>,
    pub(crate) spectator: Option<Spectator<'a, 's>>,
}

impl Landscape<'_, '_> {
    /// The distance of a point from satisfying all assertions.
    ///
    /// # Errors
    /// The distance is zero, or the search has to stop.
    pub fn distance(&mut self, point: &[u64]) -> Result<f64, End> {
        let work = self.load(point);
        self.counts.evaluations += 1;
        self.counts.work += work;
        self.control.spend(1 + u32::try_from(work / STEPS_OF_UNIT).unwrap_or(u32::MAX))?;
        self.run(point, work)?;
        let roots = self.program.roots.iter();
        let distance = roots.map(|&root| self.registers.distances[root as usize].to_true).sum();
        if distance == 0.0 {
            *self.solution = Some(point.to_vec());
            return Err(End::Solved);
        }
        Ok(distance)
    }

    /// Loads a point and notes which variables have changed. The work of computing what depends on them.
    fn load(&mut self, point: &[u64]) -> u64 {
        self.changed.clear();
        let mut work = 0;
        for (number, (variable, &position)) in self.program.variables.iter().zip(point).enumerate() {
            if self.loaded.get(number) != Some(&position) {
                variable.load(position, self.registers);
                self.changed.push(number);
                work += self.program.cones.get(number).map_or(0, |cone| cone.work);
            }
        }
        let is_partial = !self.loaded.is_empty() && !self.program.cones.is_empty();
        let roots = self.program.roots.len() as u64;
        if is_partial { (work + roots).min(self.program.work) } else { self.program.work }
    }

    /// Computes what depends on changed variables, or everything where that is less work. A register that depends on several of them is
    /// computed for each, and last when all that it depends on is right.
    fn run(&mut self, point: &[u64], work: u64) -> Result<(), Stopped> {
        let Landscape { program, registers, store, control, changed, .. } = self;
        // Registers are of no use if the evaluator stops between them.
        let mut loaded = std::mem::take(self.loaded);
        if work == program.work {
            program.run(store, registers, control)?;
        } else {
            for &variable in &**changed {
                program.run_cone(&program.cones[variable], store, registers, control)?;
            }
        }
        loaded.clear();
        loaded.extend_from_slice(point);
        *self.loaded = loaded;
        Ok(())
    }

    /// Shows a point to whoever watches.
    pub(crate) fn show(&mut self, waypoint: Waypoint, point: &[u64]) {
        if let Some(spectator) = &mut self.spectator {
            spectator(waypoint, point);
        }
    }
}

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

/// What the strategies search: the sum of the distances of all assertions.
pub struct Landscape<'a, 's> {
    pub(crate) program: &'a Program,
    pub(crate) registers: &'a mut Registers,
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
        for (variable, &position) in self.program.variables.iter().zip(point) {
            variable.load(position, self.registers);
        }
        self.counts.evaluations += 1;
        self.counts.work += self.program.work;
        self.control.spend(1 + u32::try_from(self.program.work / STEPS_OF_UNIT).unwrap_or(u32::MAX))?;
        self.program.run(self.store, self.registers, self.control)?;
        let roots = self.program.roots.iter();
        let distance = roots.map(|&root| self.registers.distances[root as usize].to_true).sum();
        if distance == 0.0 {
            *self.solution = Some(point.to_vec());
            return Err(End::Solved);
        }
        Ok(distance)
    }

    /// Shows a point to whoever watches.
    pub(crate) fn show(&mut self, waypoint: Waypoint, point: &[u64]) {
        if let Some(spectator) = &mut self.spectator {
            spectator(waypoint, point);
        }
    }
}

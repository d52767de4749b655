//! Basin hopping (Wales & Doye, *Global optimization by basin-hopping and the lowest energy structures of Lennard-Jones clusters*,
//! 1997): a Markov chain over local minima, as in XSat.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::landscape::{End, Landscape, Point, Waypoint};
use crate::local::minimise;
use crate::moves::Moves;
use crate::strategy::{Strategy, luby};

/// Hops of the shortest start without a smaller distance.
const HOPS: u64 = 50;
/// The temperature: a minimum with twice as many floats to go is accepted every third time.
const TEMPERATURE: f64 = 1.0;

pub(crate) struct BasinHopping {
    number: u64,
    state: Option<State>,
}

struct State {
    point: Point,
    distance: f64,
    best: f64,
    /// Hops since the distance was the smallest.
    hops: u64,
}

impl BasinHopping {
    pub(crate) fn new(number: u64) -> BasinHopping {
        BasinHopping { number, state: None }
    }
}

impl Strategy for BasinHopping {
    fn step(
        &mut self,
        landscape: &mut Landscape<'_, '_>,
        moves: &Moves,
        random: &mut ChaCha8Rng,
    ) -> Result<bool, End> {
        let Some(state) = &mut self.state else {
            let mut point = moves.random_point(random);
            let distance = landscape.distance(&point)?;
            let distance = minimise(&mut point, distance, &[], landscape, moves, random)?;
            self.state = Some(State { point, distance, best: distance, hops: 0 });
            return Ok(true);
        };
        let mut point = state.point.clone();
        let changed = perturb(&mut point, moves, random);
        let start = landscape.distance(&point)?;
        let distance = minimise(&mut point, start, &changed, landscape, moves, random)?;
        landscape.show(Waypoint::LocalMinimum, &point);
        state.hops += 1;
        if distance < state.best {
            state.best = distance;
            state.hops = 0;
        }
        let accepted = distance <= state.distance
            || random.random::<f64>() < ((state.distance - distance) / TEMPERATURE).exp();
        if accepted {
            landscape.show(Waypoint::Accepted, &point);
            state.point = point;
            state.distance = distance;
        }
        Ok(state.hops < HOPS * luby(self.number))
    }
}

/// Changes some variables: a few of them, mostly one. Returns which.
fn perturb(point: &mut [u64], moves: &Moves, random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut changed = Vec::new();
    loop {
        let variable = random.random_range(0..point.len());
        point[variable] = match random.random_range(0..3) {
            0 => moves.draw(variable, random),
            _ => moves.step(variable, point[variable], random),
        };
        changed.push(variable);
        if random.random() {
            return changed;
        }
    }
}

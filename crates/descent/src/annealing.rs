//! Simulated annealing (Kirkpatrick, Gelatt & Vecchi, *Optimization by simulated annealing*, 1983), the Markov chain of XSat with a falling temperature.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::landscape::{End, Landscape, Point, Waypoint};
use crate::moves::Moves;
use crate::strategy::{Strategy, luby};

/// Steps between two looks of the caller.
const STEPS: u64 = 1000;
/// The temperature at the start: a step that multiplies the number of floats to go by 16 is accepted every third time.
const HOTTEST: f64 = 4.0;
/// The temperature at the end.
const COLDEST: f64 = 0.02;
/// The steps of the shortest descent for each variable.
const STEPS_OF_VARIABLE: u64 = 4000;

pub(crate) struct Annealing {
    number: u64,
    state: Option<State>,
}

struct State {
    point: Point,
    distance: f64,
    temperature: f64,
    /// The factor of the temperature after [`STEPS`].
    cooling: f64,
}

impl Annealing {
    pub(crate) fn new(number: u64) -> Annealing {
        Annealing { number, state: None }
    }
}

impl Strategy for Annealing {
    fn step(
        &mut self,
        landscape: &mut Landscape<'_, '_>,
        moves: &Moves,
        random: &mut ChaCha8Rng,
    ) -> Result<bool, End> {
        let State { point, distance, temperature, cooling } = match &mut self.state {
            Some(state) => state,
            state => {
                let point = moves.random_point(random);
                let distance = landscape.distance(&point)?;
                let steps = point.len() as u64 * STEPS_OF_VARIABLE * luby(self.number);
                let cooling = (COLDEST / HOTTEST).powf(STEPS as f64 / steps as f64);
                state.insert(State { point, distance, temperature: HOTTEST, cooling })
            }
        };
        for _ in 0..STEPS {
            let variable = random.random_range(0..point.len());
            let before = point[variable];
            point[variable] = match random.random_range(0..16) {
                0 => moves.draw(variable, random),
                _ => moves.step(variable, before, random),
            };
            let next = landscape.distance(point)?;
            if next <= *distance || random.random::<f64>() < ((*distance - next) / *temperature).exp() {
                *distance = next;
                landscape.show(Waypoint::Accepted, point);
            } else {
                point[variable] = before;
            }
        }
        *temperature *= *cooling;
        let goes_on = *temperature > COLDEST;
        if !goes_on {
            landscape.show(Waypoint::LocalMinimum, point);
        }
        Ok(goes_on)
    }
}

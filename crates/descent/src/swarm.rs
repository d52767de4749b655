//! Particle swarm optimisation (Kennedy & Eberhart, *Particle swarm optimization*, 1995), as in CORAL (Souza, Borges, d'Amorim &
//! Păsăreanu, NFM 2011): for comparison.
//!
//! Particles fly through positions, so that a velocity is a number of floats. The weights are the usual ones (Clerc & Kennedy, 2002).

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::landscape::{End, Landscape, Point, Waypoint};
use crate::moves::Moves;
use crate::strategy::{Strategy, luby};

const PARTICLES: usize = 40;
/// The part of its velocity that a particle keeps.
const INERTIA: f64 = 0.7298;
/// The pull of the best point of the particle, and of the swarm.
const PULL: f64 = 1.4962;
/// Generations of the shortest start without a smaller distance.
const GENERATIONS: u64 = 100;

pub(crate) struct Swarm {
    number: u64,
    particles: Vec<Particle>,
    best: Option<(f64, Point)>,
    /// Generations since the distance was the smallest.
    generations: u64,
}

struct Particle {
    point: Point,
    velocity: Vec<f64>,
    best: (f64, Point),
}

impl Swarm {
    pub(crate) fn new(number: u64) -> Swarm {
        Swarm { number, particles: Vec::new(), best: None, generations: 0 }
    }

    /// The next particle at a random point, at rest.
    fn add(
        &mut self,
        landscape: &mut Landscape<'_, '_>,
        moves: &Moves,
        random: &mut ChaCha8Rng,
    ) -> Result<(), End> {
        let point = moves.random_point(random);
        let best = (landscape.distance(&point)?, point.clone());
        self.note(&best);
        self.particles.push(Particle { velocity: vec![0.0; point.len()], point, best });
        Ok(())
    }

    fn note(&mut self, reached: &(f64, Point)) {
        if self.best.as_ref().is_none_or(|(best, _)| reached.0 < *best) {
            self.best = Some(reached.clone());
            self.generations = 0;
        }
    }
}

impl Strategy for Swarm {
    fn step(
        &mut self,
        landscape: &mut Landscape<'_, '_>,
        moves: &Moves,
        random: &mut ChaCha8Rng,
    ) -> Result<bool, End> {
        while self.particles.len() < PARTICLES {
            self.add(landscape, moves, random)?;
        }
        self.generations += 1;
        for number in 0..PARTICLES {
            let Some((_, leader)) = &self.best else { unreachable!("particles were added") };
            let particle = &mut self.particles[number];
            let Particle { point, velocity, best } = particle;
            for (variable, velocity) in velocity.iter_mut().enumerate() {
                let position = point[variable];
                let mut pull = |to: u64| {
                    let size = to.abs_diff(position) as f64;
                    PULL * random.random::<f64>() * if to > position { size } else { -size }
                };
                let pulls = pull(best.1[variable]) + pull(leader[variable]);
                *velocity = INERTIA * *velocity + pulls;
                let size = velocity.abs().round() as u64;
                point[variable] = moves.shift(variable, position, size, *velocity > 0.0);
            }
            let reached = landscape.distance(&particle.point)?;
            if reached < particle.best.0 {
                particle.best = (reached, particle.point.clone());
                landscape.show(Waypoint::Accepted, &particle.point);
                let best = particle.best.clone();
                self.note(&best);
            }
        }
        let goes_on = self.generations < GENERATIONS * luby(self.number);
        if let (false, Some((_, point))) = (goes_on, &self.best) {
            landscape.show(Waypoint::LocalMinimum, point);
        }
        Ok(goes_on)
    }
}

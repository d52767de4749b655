//! The search: a strategy from one random start after the other, in turns of counted work.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_term::{Control, Model, Stopped, TermStore};

use crate::landscape::{Counts, End, Landscape, Point, Spectator};
use crate::moves::Moves;
use crate::program::{Program, Registers};
use crate::strategy::{Strategy, StrategyKind};
use crate::variable::Variable;

/// The result of a turn.
#[derive(Clone, PartialEq, Debug)]
pub enum Turn {
    /// The assertions hold under this assignment, as far as the arithmetic of the processor says.
    Found(Point),
    /// The work of the turn is done.
    Over,
    /// The control has stopped the search.
    Stopped(Stopped),
}

/// A search for an assignment under which assertions hold. Equal seeds make equal searches, however the work is divided into turns.
pub struct Search {
    program: Program,
    registers: Registers,
    loaded: Point,
    moves: Moves,
    random: ChaCha8Rng,
    kind: StrategyKind,
    strategy: Option<Box<dyn Strategy>>,
    counts: Counts,
}

impl Search {
    /// A search for an assignment of a program's variables.
    pub fn new(program: Program, kind: StrategyKind, seed: u64) -> Search {
        Search {
            registers: program.registers.clone(),
            loaded: Point::new(),
            moves: Moves::new(&program),
            random: ChaCha8Rng::seed_from_u64(seed),
            program,
            kind,
            strategy: None,
            counts: Counts::default(),
        }
    }

    /// Searches until an assignment is found, or about this much work is done. After an assignment was found, another turn starts elsewhere.
    pub fn turn(
        &mut self,
        store: &TermStore,
        work: u64,
        control: &Control,
        spectator: Option<Spectator<'_, '_>>,
    ) -> Turn {
        let last = self.counts.work.saturating_add(work);
        let mut solution = None;
        let mut landscape = Landscape {
            program: &self.program,
            registers: &mut self.registers,
            loaded: &mut self.loaded,
            changed: Vec::new(),
            store,
            control,
            counts: &mut self.counts,
            solution: &mut solution,
            spectator,
        };
        let end = loop {
            let strategy = self.strategy.get_or_insert_with(|| {
                landscape.counts.starts += 1;
                self.kind.start(landscape.counts.starts - 1)
            });
            let goes_on = if self.program.variables.is_empty() {
                landscape.distance(&[]).map(|_| false)
            } else {
                strategy.step(&mut landscape, &self.moves, &mut self.random)
            };
            match goes_on {
                Ok(true) => {}
                Ok(false) => self.strategy = None,
                Err(end) => break end,
            }
            if landscape.counts.work >= last {
                return Turn::Over;
            }
        };
        match end {
            End::Solved => {
                self.strategy = None;
                Turn::Found(solution.expect("a point was solved"))
            }
            End::Stopped(reason) => Turn::Stopped(reason),
        }
    }

    /// The model that an assignment is. Symbols that the program does not have are left out.
    pub fn model(&self, point: &[u64]) -> Model {
        Search::model_of(&self.program.variables, point)
    }

    /// The model that an assignment of these variables is.
    pub fn model_of(variables: &[Variable], point: &[u64]) -> Model {
        let mut model = Model::new();
        for (variable, &position) in variables.iter().zip(point) {
            model.set_constant(variable.symbol, variable.value(position));
        }
        model.set_chosen_results(sundry_term::ChosenResults::default());
        model
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Counts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

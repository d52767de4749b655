//! Propagators: clauses that a solver hears of only while it searches are as good as clauses that it was given.

use std::cell::RefCell;
use std::rc::Rc;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_sat::{
    AddClauses, Assignment, Cadical, Lit, Options, Propagate, Propagator, ReusedTrail, SatSolver, Solve,
    Turns, Var, Verdict,
};

/// A theory that consists of clauses. It says whatever follows from one of them alone.
#[derive(Default)]
struct Clauses {
    clauses: Vec<Vec<Lit>>,
    trail: Vec<Lit>,
    levels: Vec<usize>,
    refuted: Option<usize>,
    propagated: usize,
}

impl Clauses {
    fn is(&self, literal: Lit) -> bool {
        self.trail.contains(&literal)
    }
}

impl Propagator for Clauses {
    fn begin(&mut self) {
        self.trail.clear();
        self.levels.clear();
        self.refuted = None;
    }

    fn assign(&mut self, literals: &[Lit]) {
        assert!(literals.iter().all(|&literal| !self.is(!literal)), "a variable has two values");
        self.trail.extend(literals);
    }

    fn open_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: usize) {
        self.trail.truncate(self.levels[level]);
        self.levels.truncate(level);
        self.refuted = None;
    }

    fn propagate(&mut self) -> Option<Lit> {
        for (number, clause) in self.clauses.iter().enumerate() {
            if clause.iter().any(|&literal| self.is(literal)) {
                continue;
            }
            let open: Vec<Lit> = clause.iter().copied().filter(|&literal| !self.is(!literal)).collect();
            match open[..] {
                [] => {
                    self.refuted = Some(number);
                    return None;
                }
                [literal] => {
                    self.propagated += 1;
                    return Some(literal);
                }
                _ => {}
            }
        }
        None
    }

    fn reason(&mut self, literal: Lit) -> Vec<Lit> {
        // The literal may have followed in an earlier search, which goes on.
        let place = |literal| self.trail.iter().position(|&other| other == literal);
        let end = place(literal).unwrap_or(self.trail.len());
        let was_false = |&other: &Lit| other == literal || place(!other).is_some_and(|place| place < end);
        let is_reason = |clause: &&Vec<Lit>| clause.contains(&literal) && clause.iter().all(was_false);
        self.clauses.iter().find(is_reason).expect("the literal follows").clone()
    }

    fn refutation(&mut self) -> Option<Vec<Lit>> {
        Some(self.clauses[self.refuted.take()?].clone())
    }
}

fn random_clause(random: &mut ChaCha8Rng, variables: usize) -> Vec<Lit> {
    let indices: Vec<usize> = (0..variables).collect();
    let length = random.random_range(2..=3);
    let chosen = indices.choose_multiple(random, length);
    chosen.map(|&index| Var::from_index(index).literal(random.random())).collect()
}

/// Random calls with clauses that come and variables that are new, against a solver that is given all clauses. Returns the number of propagations.
fn story<S: SatSolver>(mut solver: S, seed: u64) -> usize {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let theory = Rc::new(RefCell::new(Clauses::default()));
    assert!(solver.connect_propagator(Rc::clone(&theory) as Rc<RefCell<dyn Propagator>>));
    let mut all: Vec<Vec<Lit>> = Vec::new();
    let mut variables = 0;
    for _ in 0..8 {
        let new: Vec<Var> = (0..6).map(|_| solver.new_var()).collect();
        variables += new.len();
        solver.observe(&new);
        for _ in 0..22 {
            let clause = random_clause(&mut random, variables);
            all.push(clause.clone());
            if random.random_bool(0.5) {
                solver.add_clause(&clause);
            } else {
                theory.borrow_mut().clauses.push(clause);
            }
        }
        if random.random_bool(0.3) {
            solver.watch_restarts(&new, 10);
        } else {
            solver.stop_watching();
        }
        let assumptions = random_clause(&mut random, variables);
        let mut judge = Cadical::default();
        (0..variables).for_each(|_| {
            judge.new_var();
        });
        all.iter().for_each(|clause| judge.add_clause(clause));
        let solve = |solver: &mut dyn SatSolver| solver.solve(&assumptions);
        let verdict = solve(&mut solver);
        assert_eq!(verdict, solve(&mut judge), "seed {seed}");
        match verdict {
            Verdict::Sat => {
                let mut model = Assignment::new();
                solver.assignment(&mut model);
                let holds = |clause: &Vec<Lit>| clause.iter().any(|&literal| model.value(literal));
                assert!(all.iter().all(holds), "seed {seed}");
                assert!(assumptions.iter().all(|&literal| model.value(literal)), "seed {seed}");
            }
            Verdict::Unsat if assumptions.iter().all(|&literal| !solver.failed(literal)) => break,
            _ => {}
        }
    }
    theory.borrow().propagated
}

fn suite<S: SatSolver>(make: impl Fn() -> S) {
    let propagated: usize = (0..300).map(|seed| story(make(), seed)).sum();
    assert!(propagated > 500, "{propagated} propagations");
}

#[test]
fn cadical_asks_propagators() {
    suite(Cadical::default);
}

#[test]
fn cadical_asks_propagators_for_many_calls() {
    suite(|| Cadical::new(&Options::for_many_calls()));
}

#[test]
fn cadical_that_goes_on_where_it_ended_asks_propagators() {
    let options = Options { reused_trail: ReusedTrail::Everything, ..Options::default() };
    suite(|| Cadical::new(&options));
    suite(|| Cadical::new(&Options { stabilize_only: true, ..options.clone() }));
}

#[test]
fn solvers_that_take_turns_ask_propagators() {
    suite(|| Turns::with_first_turn(&Options::default(), 1));
    let options = Options { reused_trail: ReusedTrail::Everything, ..Options::default() };
    suite(|| Turns::with_first_turn(&options, 1));
}

#[test]
#[should_panic(expected = "may be simplified away")]
fn variables_of_earlier_searches_are_not_observed() {
    let mut solver = Cadical::default();
    let var = solver.new_var();
    solver.add_clause(&[var.positive()]);
    solver.solve(&[]);
    solver.observe(&[var]);
}

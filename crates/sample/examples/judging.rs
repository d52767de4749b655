//! The cost of judging 64 assignments of a formula: one by one with the evaluator, all at once with the program that
//! sampling at volume uses, and all at once on the circuit.
//!
//! usage: cargo run --release -p sundry-sample --example judging -- FORMULA...

mod formula;

use std::ops::ControlFlow;
use std::time::Instant;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_circuit::Simulation;
use sundry_lanes::{LANES, Program};
use sundry_sample::{Control, Event, Granularity, Problem, Request, sample};
use sundry_solver::{Engine, EngineOptions};
use sundry_term::{Evaluator, Model};

/// The number of times that each way is timed.
const ROUNDS: usize = 20;

fn main() {
    println!("microseconds for 64 assignments: evaluator program circuit (gates), formula");
    for path in std::env::args().skip(1) {
        let problem = formula::read(&path);
        let models = solutions(&problem);
        if models.len() < LANES {
            println!("- - - {path} has fewer solutions");
            continue;
        }
        let evaluator = timed(|| {
            for model in &models {
                let mut evaluator = Evaluator::new(&problem.store, model);
                evaluator.evaluate(&problem.assertions).expect("solutions can be evaluated");
            }
        });
        let program = Program::new(&problem.store, &problem.assertions).expect("it was sampled");
        let mut memory = program.memory();
        program.load(&problem.store, &mut memory, &models.iter().collect::<Vec<_>>());
        let lanes = timed(|| {
            program.run(&problem.store, &mut memory, &Control::default()).expect("nothing stops it");
        });
        let (circuit, gates) = on_the_circuit(&problem);
        println!("{evaluator:.1} {lanes:.1} {circuit:.1} ({gates}) {path}");
    }
}

/// 64 solutions.
fn solutions(problem: &Problem) -> Vec<Model> {
    let request = Request { max_solutions: Some(LANES as u64), ..Request::smtsampler(Granularity::Bit) };
    let mut models = Vec::new();
    let result = sample(problem, &request, &mut |event| {
        if let Event::Solutions(solutions) = event {
            models.extend(solutions.models());
        }
        ControlFlow::Continue(())
    });
    result.expect("a formula that can be sampled");
    models
}

/// Times the circuit of all assertions, with arrays and functions as its inputs. Values are random: they make
/// no difference to the time.
fn on_the_circuit(problem: &Problem) -> (f64, usize) {
    let mut engine = Engine::new(&EngineOptions::default(), &Control::default());
    let mut store = problem.store.clone();
    engine.bits_of_all(&mut store, &problem.assertions).expect("a circuit that is not too large");
    let circuit = engine.circuit();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let inputs: Vec<u64> = circuit.inputs().iter().map(|_| random.random()).collect();
    let mut simulation = Simulation::default();
    (timed(|| simulation.run(circuit, &inputs)), circuit.and_count())
}

/// The least time of several rounds, in microseconds.
fn timed(mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

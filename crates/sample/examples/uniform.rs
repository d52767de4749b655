//! The uniformity of samples, and their number per second.
//!
//! usage: cargo run --release -p sundry-sample --example uniform -- METHOD TOLERANCE SAMPLES_PER_SOLUTION FORMULA...
//!
//! METHOD is `hashing`, `cells` (hashing also where the number of solutions is small) or `quick`. Formulas with more
//! than about 2^17 solutions are not counted; of each of those up to 1000 samples are drawn in half a minute.

mod formula;
#[path = "formula/uniformity.rs"]
mod uniformity;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sundry_sample::{
    Control, Event, Problem, Request, SolutionCount, UniformMethod, UniformOptions, UniformStatistics, sample,
};
use uniformity::{ChiSquare, Tally};

/// Up to how many solutions are counted.
const COUNTED: u64 = 1 << 17;

fn run(problem: &Problem, request: &Request, tally: &mut Tally) -> UniformStatistics {
    let summary = sample(problem, request, &mut |event| {
        if let Event::Solutions(solutions) = event {
            solutions.models().for_each(|model| tally.add(problem, &model));
        }
        ControlFlow::Continue(())
    })
    .expect("a formula that can be sampled");
    assert_eq!(summary.rejected, 0, "wrong models");
    summary.uniform().expect("draws").clone()
}

fn within(seconds: u64) -> Control {
    Control::default().with_deadline(Some(Instant::now() + Duration::from_secs(seconds)))
}

/// The number of solutions, if it is not too large.
fn count(problem: &Problem, tolerance: f64) -> Option<u64> {
    let options =
        UniformOptions { listed: COUNTED, ..UniformOptions::new(UniformMethod::Hashing, tolerance) };
    let request = Request { max_solutions: Some(1), control: within(30), ..Request::draws(options) };
    let statistics = run(problem, &request, &mut Tally::default());
    match statistics.solutions {
        Some(SolutionCount::Exact(count)) if statistics.free_bits < 20 => Some(count << statistics.free_bits),
        _ => None,
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [method, tolerance, per_solution, paths @ ..] = &arguments[..] else {
        panic!("METHOD TOLERANCE SAMPLES_PER_SOLUTION FORMULA...")
    };
    let (method, listed) = match method.as_str() {
        "hashing" => (UniformMethod::Hashing, 1 << 14),
        "cells" => (UniformMethod::Hashing, 0),
        "quick" => (UniformMethod::Quick, 0),
        other => panic!("no method '{other}'"),
    };
    let tolerance = tolerance.parse().expect("a tolerance");
    let per_solution: u64 = per_solution.parse().expect("a number of samples");
    println!("solutions draws different chi_square degrees quantile seconds per_second cells misses formula");
    for path in paths {
        let problem = formula::read(path);
        let solutions = count(&problem, tolerance);
        let mut request = Request::draws(UniformOptions { method, tolerance, listed });
        request.max_solutions = Some(solutions.map_or(1000, |solutions| solutions * per_solution));
        let start = Instant::now();
        if solutions.is_none() {
            request.control = within(30);
        }
        let mut tally = Tally::default();
        let statistics = run(&problem, &request, &mut tally);
        let seconds = start.elapsed().as_secs_f64();
        let UniformStatistics { samples, cells, misses, .. } = statistics;
        let test = solutions.map(|solutions| ChiSquare::new(tally.0.values().copied(), solutions));
        let numbers = match (solutions, test) {
            (Some(solutions), Some(ChiSquare { statistic, degrees, quantile })) => {
                (solutions.to_string(), format!("{statistic:.1} {degrees} {quantile:.1}"))
            }
            _ => (format!("{:?}+{}", statistics.solutions, statistics.free_bits), "- - -".to_string()),
        };
        println!(
            "{} {samples} {} {} {seconds:.3} {:.0} {cells} {misses} {path}",
            numbers.0,
            tally.0.len(),
            numbers.1,
            samples as f64 / seconds,
        );
    }
}

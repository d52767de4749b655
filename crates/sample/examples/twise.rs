//! The number of solutions that it takes to show all combinations of a number of values.
//!
//! usage: cargo run --release -p sundry-sample --example twise -- STRENGTH FORMULA...

mod formula;

use std::ops::ControlFlow;
use std::time::Instant;

use sundry_sample::{Request, sample};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let strength = arguments.next().and_then(|text| text.parse().ok()).expect("STRENGTH FORMULA...");
    println!("factors tuples impossible open bound solutions seconds formula");
    for path in arguments {
        let problem = formula::read(&path);
        let start = Instant::now();
        match sample(&problem, &Request::twise(strength), &mut |_| ControlFlow::Continue(())) {
            Ok(summary) => {
                let outcome = summary.tuples().expect("a t-wise run");
                println!(
                    "{} {} {} {} {} {} {:.1} {path}",
                    outcome.factors,
                    outcome.tuples.all,
                    outcome.tuples.impossible,
                    outcome.tuples.open(),
                    outcome.lower_bound,
                    outcome.solutions.len(),
                    start.elapsed().as_secs_f64(),
                );
            }
            Err(error) => println!("- - - - - - - {path} {error:?}"),
        }
    }
}

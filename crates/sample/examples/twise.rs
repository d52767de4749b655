//! How many solutions it takes to show all combinations of so many values.
//!
//! usage: cargo run --release -p sundry-sample --example twise -- STRENGTH FORMULA...

mod formula;

use std::time::Instant;

use sundry_sample::{Control, Over, TWiseOptions, sample_twise};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let strength = arguments.next().and_then(|text| text.parse().ok()).expect("STRENGTH FORMULA...");
    println!("factors tuples impossible open bound solutions seconds formula");
    for path in arguments {
        let problem = formula::read(&path);
        let start = Instant::now();
        let options = TWiseOptions {
            strength,
            over: Over::Values,
            predicates: Vec::new(),
            max_solutions: None,
            fill: false,
            obligations: false,
            seed: 0,
            control: Control::default(),
        };
        match sample_twise(&problem, &options, &mut |_| {}) {
            Ok(outcome) => println!(
                "{} {} {} {} {} {} {:.1} {path}",
                outcome.factors,
                outcome.tuples.all,
                outcome.tuples.impossible,
                outcome.tuples.open(),
                outcome.lower_bound,
                outcome.solutions.len(),
                start.elapsed().as_secs_f64(),
            ),
            Err(error) => println!("- - - - - - - {path} {error:?}"),
        }
    }
}

//! How many solutions a second sampling at volume brings, and what they are made of.
//!
//! usage: cargo run --release -p sundry-sample --example volume -- SECONDS FORMULA...

mod formula;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sundry_sample::{Control, Granularity, VolumeOptions, VolumeStrategy, sample_volume};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().and_then(|text| text.parse().ok()).expect("SECONDS FORMULA...");
    println!("nodes bits epochs questions candidates valid unique seconds per_second formula");
    for path in arguments {
        let problem = formula::read(&path);
        let start = Instant::now();
        let control = Control::default().with_deadline(Some(start + Duration::from_secs_f64(seconds)));
        let strategy = VolumeStrategy::Combine;
        let options = VolumeOptions {
            strategy,
            granularity: Granularity::Bit,
            predicates: Vec::new(),
            project: None,
            seed: 0,
            stream: 0,
            memory: 1 << 30,
            control,
        };
        let mut told = 0;
        let result = sample_volume(&problem, &options, &mut |samples| {
            told += samples.count() as u64;
            ControlFlow::Continue(())
        });
        let taken = start.elapsed().as_secs_f64();
        match result {
            Ok((reason, statistics)) => {
                assert_eq!(told, statistics.unique);
                println!(
                    "{} {} {} {} {} {:.3} {} {taken:.1} {:.0} {path} {reason:?} {}",
                    problem.ast_bits.nodes().len(),
                    problem.ast_bits.total() / 2,
                    statistics.epochs,
                    statistics.questions,
                    statistics.candidates,
                    statistics.valid as f64 / statistics.candidates.max(1) as f64,
                    statistics.unique,
                    told as f64 / taken,
                    statistics.rejected,
                );
            }
            Err(error) => println!("- - - - - - - {taken:.1} - {path} {error:?}"),
        }
    }
}

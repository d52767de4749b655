//! The number of solutions per second from sampling at volume, and their origins.
//!
//! usage: cargo run --release -p sundry-sample --example volume -- SECONDS FORMULA...

mod formula;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sundry_sample::{Control, Event, Granularity, Request, sample};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().and_then(|text| text.parse().ok()).expect("SECONDS FORMULA...");
    println!("nodes bits epochs questions candidates valid unique seconds per_second formula");
    for path in arguments {
        let problem = formula::read(&path);
        let start = Instant::now();
        let control = Control::default().with_deadline(Some(start + Duration::from_secs_f64(seconds)));
        let request = Request { control, ..Request::smtsampler(Granularity::Bit) };
        let mut told = 0;
        let result = sample(&problem, &request, &mut |event| {
            if let Event::Solutions(solutions) = event {
                told += solutions.count() as u64;
            }
            ControlFlow::Continue(())
        });
        let taken = start.elapsed().as_secs_f64();
        match result {
            Ok(summary) => {
                let statistics = summary.volume().expect("a run at volume");
                assert_eq!(told, statistics.unique);
                println!(
                    "{} {} {} {} {} {:.3} {} {taken:.1} {:.0} {path} {:?} {}",
                    problem.ast_bits.nodes().len(),
                    problem.ast_bits.total() / 2,
                    statistics.epochs,
                    statistics.questions,
                    statistics.candidates,
                    statistics.valid as f64 / statistics.candidates.max(1) as f64,
                    statistics.unique,
                    told as f64 / taken,
                    summary.stopped_by,
                    summary.rejected,
                );
            }
            Err(error) => println!("- - - - - - - {taken:.1} - {path} {error:?}"),
        }
    }
}

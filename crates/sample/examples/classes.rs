//! The number of classes of random predicates that each way to sample at volume meets.
//!
//! usage: cargo run --release -p sundry-sample --example classes -- SECONDS PREDICATES FORMULA...

mod formula;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sundry_coverage::{PredicateCoverage, random_predicates};
use sundry_sample::{
    Control, Event, Guidance, Possibility, Request, VolumeOptions, VolumeStrategy, decide_predicates, sample,
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number =
        || arguments.next().and_then(|text| text.parse::<f64>().ok()).expect("SECONDS PREDICATES FORMULA...");
    let (seconds, count) = (number(), number() as usize);
    println!("strategy predicates classes entropy unique valid questions epochs formula");
    for path in arguments {
        let mut problem = formula::read(&path);
        // More than are wanted, since some cannot vary.
        let drawn =
            random_predicates(&mut problem.store, &problem.symbols, 4 * count, 1, &Control::default());
        let control = |seconds: f64| {
            Control::default().with_deadline(Some(Instant::now() + Duration::from_secs_f64(seconds)))
        };
        let decided = decide_predicates(&problem, &drawn, 1, &control(30.0)).expect("decided");
        let varying = drawn.into_iter().zip(decided).filter(|(_, possible)| {
            (possible.holds, possible.fails) == (Possibility::Possible, Possibility::Possible)
        });
        let predicates: Vec<_> = varying.map(|(predicate, _)| predicate).take(count).collect();
        for (name, strategy) in [
            ("BH", VolumeStrategy::ClassesHard),
            ("BS", VolumeStrategy::ClassesSoft),
            ("S0", VolumeStrategy::Combine),
            ("S1", VolumeStrategy::Guide(Guidance::Neighbours)),
            ("S2", VolumeStrategy::Guide(Guidance::Classes)),
            ("S3", VolumeStrategy::Guide(Guidance::Bases)),
        ] {
            let predicates = predicates.clone();
            let mut coverage = PredicateCoverage::new(predicates.len());
            let count = predicates.len();
            let options = VolumeOptions { predicates, ..VolumeOptions::new(strategy) };
            let request = Request { control: control(seconds), ..Request::volume(options) };
            let result = sample(&problem, &request, &mut |event| {
                if let Event::Solutions(solutions) = event {
                    solutions.classes().for_each(|class| coverage.add(class));
                }
                ControlFlow::Continue(())
            });
            match result {
                Ok(summary) => {
                    let statistics = summary.volume().expect("a run at volume");
                    println!(
                        "{name} {} {} {:.2} {} {:.3} {} {} {path}",
                        count,
                        coverage.class_count(),
                        coverage.entropy(),
                        statistics.unique,
                        statistics.valid as f64 / statistics.candidates.max(1) as f64,
                        statistics.questions,
                        statistics.epochs,
                    );
                    assert_eq!(summary.rejected, 0);
                }
                Err(error) => println!("{name} {path} {error:?}"),
            }
        }
    }
}

//! Minimises the distance of each formula given, and says how many evaluations a second that takes.
//!
//! `cargo run --release -p sundry-descent --example minimise -- STRATEGY SECONDS FILE...`, where the strategy is `basin-hopping`,
//! `annealing` or `swarm`.

use std::time::{Duration, Instant};

use sundry_descent::{Program, Search, StrategyKind, Turn};
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{Control, TermStore, Value, evaluate};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kind = match arguments.next().as_deref() {
        Some("annealing") => StrategyKind::Annealing,
        Some("swarm") => StrategyKind::Swarm,
        _ => StrategyKind::BasinHopping,
    };
    let seconds: f64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10.0);
    for file in arguments {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let source = SourceText::new(&file, text);
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &source, TheorySet::SOLVED).expect("the script is right");
        let assertions = script.formula().assertions;
        let program = match Program::new(&store, &assertions, &Control::default()) {
            Ok(program) => program,
            Err(error) => {
                println!("{file}: {error:?}");
                continue;
            }
        };
        let work = program.work();
        let mut search = Search::new(program, kind, 0);
        let start = Instant::now();
        let control = Control::default().with_deadline(Some(start + Duration::from_secs_f64(seconds)));
        let turn = search.turn(&store, u64::MAX, &control, None);
        let (elapsed, counts) = (start.elapsed().as_secs_f64(), search.counts());
        let outcome = match turn {
            Turn::Found(point) => {
                let model = search.model(&point);
                let holds = |&assertion| evaluate(&store, &model, assertion) == Ok(Value::Bool(true));
                if assertions.iter().all(holds) { "found" } else { "rejected" }
            }
            _ => "not found",
        };
        let rate = counts.evaluations as f64 / elapsed;
        println!(
            "{file}: {outcome} in {elapsed:.3} s, {} starts, {} evaluations of {work} steps, {rate:.0} per second",
            counts.starts, counts.evaluations,
        );
    }
}

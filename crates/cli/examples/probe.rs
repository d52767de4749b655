//! Development probe: runs the cover strategy on one file and prints one line.
use std::time::{Duration, Instant};
use sundry_sample::{Control, Problem, SampleOptions, sample};
use sundry_smtlib::{SourceText, parse_script};
use sundry_term::TermStore;

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap();
    let seconds: f64 = args.next().map_or(20.0, |s| s.parse().unwrap());
    let begin = Instant::now();
    let source = SourceText::new(path.clone(), std::fs::read_to_string(&path).unwrap());
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &source).unwrap_or_else(|e| panic!("{e:?}"));
    let formula = script.formula();
    let parsed = begin.elapsed().as_secs_f64();
    let problem = Problem::new(store, formula.assertions.clone(), formula.symbols.clone());
    let control = Control { deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)), stop: None };
    let seed = std::env::var("SEED").map_or(0, |s| s.parse().unwrap());
    let threads = std::env::var("THREADS").map_or(1, |s| s.parse().unwrap());
    let options = SampleOptions { control, seed, threads, ..SampleOptions::default() };
    let verbose = std::env::var("V").is_ok();
    let outcome = sample(&problem, &options, &mut |p| if verbose {
        eprintln!("{:.3} n={} lb={} covered={} {:?}", p.seconds, p.solutions.len(), p.lower_bound, p.covered, p.validity);
    }).unwrap();
    for wrong in &outcome.rejected { eprintln!("WRONG {wrong}"); }
    let base = (outcome.validity.valid + outcome.validity.unknown) as f64;
    let mut sum = 0;
    let levels: Vec<f64> = outcome.solutions.iter().map(|r| { sum += r.gain; sum as f64 / base }).collect();
    if verbose { eprintln!("gains {:?}", outcome.solutions.iter().map(|r| r.gain).collect::<Vec<_>>()); }
    let at = |level: f64| levels.iter().position(|&l| l >= level - 1e-12).map_or("-".to_string(), |p| (p + 1).to_string());
    println!(
        "{path},{:?},n={},lb={},80={},90={},95={},98={},99={},99.5={},valid={},unknown={},total={},cov={:.5},parse={parsed:.2},t={:.2}",
        outcome.stopped_by, levels.len(), outcome.lower_bound, at(0.8), at(0.9), at(0.95), at(0.98), at(0.99), at(0.995),
        outcome.validity.valid, outcome.validity.unknown, problem.ast_bits.total(), outcome.coverage(), begin.elapsed().as_secs_f64()
    );
}

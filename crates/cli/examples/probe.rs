//! Development probe: runs the cover strategy on one file and prints one line.
use std::time::{Duration, Instant};
use sundry_coverage::Coverage;
use sundry_sample::{Control, Cover, Problem, Step, Strategy};
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
    let mut cover = Cover::new(&problem, 0, 0, &control).unwrap();
    let setup = begin.elapsed().as_secs_f64();
    let mut set = Vec::new();
    let verbose = std::env::var("V").is_ok();
    let reason = loop {
        match cover.step() {
            Step::Found(solution) => {
                set.push(*solution);
                if verbose { eprintln!("{:.3} found {}", begin.elapsed().as_secs_f64(), set.len()); }
            }
            Step::Replaced(better) => {
                set = better;
                if verbose { eprintln!("{:.3} replaced {}", begin.elapsed().as_secs_f64(), set.len()); }
            }
            Step::Stopped(reason) => break reason,
            Step::Failed(wrong) => eprintln!("WRONG {wrong}"),
        }
    };
    let validity = cover.validity();
    let base = (validity.valid + validity.unknown) as f64;
    let mut rest = set.clone();
    let mut coverage = Coverage::new(&problem.ast_bits);
    let mut levels = vec![];
    while !rest.is_empty() {
        let best = (0..rest.len()).rev().max_by_key(|&i| coverage.gain(&rest[i].bits)).unwrap();
        let solution = rest.remove(best);
        coverage.add(&solution.bits);
        levels.push(coverage.covered() as f64 / base);
    }
    let at = |level: f64| levels.iter().position(|&l| l >= level - 1e-12).map_or("-".to_string(), |p| (p + 1).to_string());
    println!(
        "{path},{:?},n={},lb={},80={},90={},95={},98={},99={},99.5={},valid={},unknown={},total={},cov={:.5},parse={parsed:.2},setup={setup:.2},t={:.2}",
        reason, set.len(), cover.lower_bound(), at(0.8), at(0.9), at(0.95), at(0.98), at(0.99), at(0.995),
        validity.valid, validity.unknown, problem.ast_bits.total(), levels.last().copied().unwrap_or(0.0), begin.elapsed().as_secs_f64()
    );
}

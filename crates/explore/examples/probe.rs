//! Explores a program from the command line, for experiments.
use sundry_explore::*;
use sundry_term::Control;
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&arguments[1]).unwrap();
    let size: u32 = arguments[2].parse().unwrap();
    let strategy = StrategyKind::ALL.into_iter().find(|s| s.name() == arguments[3]).unwrap();
    let partials: usize = arguments[4].parse().unwrap();
    let program = Program::read(&bytes, sundry_wasm::MachineLimits::default()).unwrap();
    println!("missing {:?} unsupported {}", program.missing_imports(), program.module.unsupported.len());
    let mut terms = Terms::default();
    let mut variables = Variables::default();
    variables.source(&mut terms.store, SourceKind::Stdin, size, &[]);
    let options = WorldOptions { arguments: vec![Some("prog".into())], ..WorldOptions::default() };
    let runner = Runner::new(&program, options, 100_000_000, &Control::default());
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let control = Control::default().with_deadline(Some(deadline));
    let options = ExploreOptions {
        strategy,
        solve: SolveOptions { partials, ticks: 100_000_000, is_incremental: true },
        filters_candidates: true,
        most_paths: u64::MAX,
        most_depth: 1_000_000,
        seed: 1,
        bad_exits: vec![],
    };
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    let begin = std::time::Instant::now();
    let end = explorer.explore(&mut |test| {
        if test.number < 20 || test.finding.is_some() && test.number < 200 {
            let bytes = test.variables.bytes(test.input, 0);
            println!(
                "{} {:?} new {} edges {} {:?} {:?} {:?}",
                test.number,
                test.origin,
                test.is_new_path,
                test.new_edges,
                String::from_utf8_lossy(&bytes),
                test.run.end,
                String::from_utf8_lossy(&test.run.output.stdout),
            );
        }
    });
    if let Ok(list) = std::env::var("NAMES") {
        for place in list.split(',') {
            let (f, at) = program.module.locate(place.parse().unwrap());
            println!("{place} {:?} {:?}", program.names[f], program.module.functions[f].code[at]);
        }
    }
    println!("{end:?} {:?} {:#?}", begin.elapsed(), explorer.statistics());
}

//! Modules with arbitrary changes: refused, or run to some end, without a panic.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_explore::{
    ExploreOptions, Explorer, Input, Origin, Program, Runner, SolveOptions, SourceKind, StrategyKind, Terms,
    Test, Variables, WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::{FloatCode, MachineLimits, Module};

const MUTATIONS: usize = 1_500;

/// Limits that keep a run of a changed module short.
const LIMITS: MachineLimits = MachineLimits { pages: 64, calls: 500, slots: 100_000 };

/// Explores a module for a moment. Whether it can be read.
fn explore(bytes: &[u8], floats: FloatCode) -> bool {
    let Ok(module) = Module::read_with(bytes, floats) else { return false };
    let Ok(program) = Program::of_command(module, LIMITS) else { return false };
    let control = Control::default();
    let mut terms = Terms::default();
    let mut variables = Variables::default();
    variables.source(&mut terms.store, SourceKind::Stdin, 4, &[]);
    let runner = Runner::new(&program, WorldOptions::default(), 50_000, &control);
    let options = ExploreOptions {
        strategy: StrategyKind::BreadthFirst,
        solve: SolveOptions { partials: 4, ticks: 1_000_000, ..SolveOptions::default() },
        most_paths: 4,
        most_depth: 100,
        seed: 0,
        ..ExploreOptions::default()
    };
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    explorer.explore(&mut |_: &Test<'_>| ());
    true
}

#[test]
fn changed_modules_do_no_harm() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/explore/labels.wasm");
    let module = fs::read(path).expect("the example is there");
    assert!(explore(&module, FloatCode::Instructions) && explore(&module, FloatCode::Library));
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut read = 0;
    for _ in 0..MUTATIONS {
        let mut changed = module.clone();
        for _ in 0..random.random_range(1..4) {
            // The code is in front; what follows is debug information.
            let place = random.random_range(8..changed.len().min(9_000));
            match random.random_range(0..4) {
                0 => changed[place] = random.random(),
                1 => changed[place] ^= 1 << random.random_range(0..8),
                2 => drop(changed.remove(place)),
                _ => changed.truncate(place),
            }
        }
        let floats = if random.random() { FloatCode::Library } else { FloatCode::Instructions };
        match panic::catch_unwind(AssertUnwindSafe(|| explore(&changed, floats))) {
            Ok(is_read) => read += usize::from(is_read),
            Err(_) => {
                let place = std::env::temp_dir().join("sundry-hostile.wasm");
                fs::write(&place, &changed).expect("written");
                panic!("a panic on the module in {}", place.display());
            }
        }
    }
    println!("{read} of {MUTATIONS} changed modules are read");
    assert!(20 * read > MUTATIONS, "only {read} of {MUTATIONS} changed modules are read");
}

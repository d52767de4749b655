//! Blocks of the heap whose sizes depend on the input.

use sundry_explore::{
    ExploreEnd, ExploreOptions, Explorer, Input, Origin, Program, Runner, SolveOptions, SourceKind,
    StrategyKind, Terms, Test, Variables, WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::MachineLimits;
use wast::parser::{ParseBuffer, parse};

/// Asks for a block of 8 to 15 bytes, as the first byte of the input says, and writes to the one at 13. No branch depends on the input.
const PROGRAM: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 1400) "\00\10\00\00")
  (func $malloc (param $size i32) (result i32)
    (local $start i32)
    (local.set $start (i32.load (i32.const 1400)))
    (i32.store (i32.const 1400) (i32.add (local.get $start) (i32.const 32)))
    (local.get $start))
  (func (export "_start") (local $size i32)
    (i32.store (i32.const 1100) (i32.const 1200))
    (i32.store (i32.const 1104) (i32.const 1))
    (drop (call $read (i32.const 0) (i32.const 1100) (i32.const 1) (i32.const 1108)))
    (local.set $size (i32.or (i32.const 8) (i32.and (i32.const 7) (i32.load8_u (i32.const 1200)))))
    (i32.store (i32.const 1300) (call $malloc (local.get $size)))
    (i32.store8 (i32.add (i32.load (i32.const 1300)) (i32.const 13)) (i32.const 1))))"#;

#[test]
fn other_sizes_of_a_block_are_open_branches() {
    let bytes = parse::<wast::Wat<'_>>(&ParseBuffer::new(PROGRAM).expect("text"))
        .expect("a module")
        .encode()
        .expect("a module in binary");
    let program = Program::read(&bytes, MachineLimits::default()).expect("a program");
    for strategy in StrategyKind::ALL {
        let (mut terms, mut variables) = (Terms::default(), Variables::default());
        let stdin = variables.source(&mut terms.store, SourceKind::Stdin, 1, &[]);
        let mut seed = Input::default();
        variables.set_bytes(&mut seed, stdin, &[7]);
        let control = Control::default();
        let runner = Runner::new(&program, WorldOptions::default(), 1_000_000, &control);
        let options = ExploreOptions {
            strategy,
            solve: SolveOptions { partials: 8, ticks: u64::MAX, ..SolveOptions::default() },
            seed: 3,
            ..ExploreOptions::default()
        };
        let mut explorer = Explorer::new(runner, variables, terms, options, &control);
        explorer.add(seed, Origin::Seed);
        let mut sizes_with_errors = Vec::new();
        let end = explorer.explore(&mut |test: &Test<'_>| {
            if test.finding.is_some() {
                let byte = test.variables.bytes(test.input, stdin).first().copied().unwrap_or(0);
                sizes_with_errors.push(8 | byte & 7);
            }
        });
        sizes_with_errors.sort_unstable();
        sizes_with_errors.dedup();
        assert_eq!(end, ExploreEnd::Complete, "{}", strategy.name());
        assert_eq!(sizes_with_errors, [8, 9, 10, 11, 12, 13], "{}", strategy.name());
    }
}

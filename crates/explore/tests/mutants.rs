//! Tests that are random changes of other inputs.

use sundry_explore::{
    ExploreOptions, Explorer, Input, Origin, Program, Runner, SolveOptions, SourceKind, Terms, Test,
    Variables, WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::MachineLimits;
use wast::parser::{ParseBuffer, parse};

/// Reads eight bytes, and takes one of several branches by a hash of all of them.
const PROGRAM: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local $hash i32) (local $place i32)
    (i32.store (i32.const 1100) (i32.const 1200))
    (i32.store (i32.const 1104) (i32.const 8))
    (drop (call $read (i32.const 0) (i32.const 1100) (i32.const 1) (i32.const 1108)))
    (loop $next
      (local.set $hash (i32.mul (i32.const 0x9e3779b1)
        (i32.xor (local.get $hash) (i32.load8_u (i32.add (local.get $place) (i32.const 1200))))))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $place) (i32.const 8))))
    (local.set $hash (i32.shr_u (local.get $hash) (i32.const 26)))
    (if (i32.eq (local.get $hash) (i32.const 33)) (then nop))
    (if (i32.eq (local.get $hash) (i32.const 7)) (then unreachable))))"#;

/// The tests of an exploration whose solver may not search: origins and bytes.
fn tests(mutants: f64, seed: u64) -> Vec<(Origin, Vec<u8>)> {
    let buffer = ParseBuffer::new(PROGRAM).expect("text");
    let bytes = parse::<wast::Wat<'_>>(&buffer).expect("a module").encode().expect("a module in binary");
    let program = Program::read(&bytes, MachineLimits::default()).expect("a program");
    let (mut terms, mut variables) = (Terms::default(), Variables::default());
    variables.source(&mut terms.store, SourceKind::Stdin, 8, b"a seed");
    let control = Control::default();
    let runner = Runner::new(&program, WorldOptions::default(), 1_000_000, &control);
    let solve = SolveOptions { partials: 0, ticks: 1, is_incremental: false, ..SolveOptions::default() };
    let options = ExploreOptions { mutants, solve, seed, most_paths: 20, ..ExploreOptions::default() };
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    let mut tests = Vec::new();
    explorer.explore(&mut |test: &Test<'_>| tests.push((test.origin, test.variables.bytes(test.input, 0))));
    tests
}

#[test]
fn mutants_take_edges_that_the_solver_does_not_reach() {
    let is_mutant = |test: &&(Origin, Vec<u8>)| test.0 == Origin::Mutant;
    assert_eq!(tests(0.0, 1).iter().filter(is_mutant).count(), 0);
    let tests = tests(0.9, 1);
    assert!(tests.iter().any(|test| is_mutant(&test)), "{tests:?}");
}

#[test]
fn the_seed_determines_the_mutants() {
    assert_eq!(tests(0.9, 5), tests(0.9, 5));
    assert_ne!(tests(0.9, 5), tests(0.9, 6));
}

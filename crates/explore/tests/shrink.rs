//! Shorter inputs with the same error.

use sundry_explore::{
    ExploreOptions, Explorer, Input, Observer, Origin, Program, Runner, SourceKind, Terms, Test, Variables,
    WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::MachineLimits;
use wast::parser::{ParseBuffer, parse};

/// Reads up to eight bytes, and fails if the sum of all is 77.
const PROGRAM: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local $sum i32) (local $place i32)
    (i32.store (i32.const 1100) (i32.const 1200))
    (i32.store (i32.const 1104) (i32.const 8))
    (drop (call $read (i32.const 0) (i32.const 1100) (i32.const 1) (i32.const 1108)))
    (loop $next
      (local.set $sum (i32.add (local.get $sum) (i32.load8_u (i32.add (local.get $place) (i32.const 1200)))))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $place) (i32.const 8))))
    (if (i32.eq (local.get $sum) (i32.const 77)) (then unreachable))))"#;

/// Collects shortened inputs.
#[derive(Default)]
struct Shortened {
    inputs: Vec<Vec<u8>>,
}

impl Observer for Shortened {
    fn test(&mut self, _test: &Test<'_>) {}

    fn shortened(&mut self, test: &Test<'_>) {
        assert!(test.finding.is_some() && test.origin == Origin::Shortened);
        self.inputs.push(test.variables.bytes(test.input, 0));
    }
}

/// Reads up to eight bytes, and fails if the first four are a number above 10, and the fifth is a k.
const PROGRAM_OF_NUMBER: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start")
    (i32.store (i32.const 1100) (i32.const 1200))
    (i32.store (i32.const 1104) (i32.const 8))
    (drop (call $read (i32.const 0) (i32.const 1100) (i32.const 1) (i32.const 1108)))
    (if (i32.and (i32.gt_s (i32.load (i32.const 1200)) (i32.const 10)) (i32.eq (i32.load8_u (i32.const 1204)) (i32.const 107)))
      (then unreachable))))"#;

/// The shortened inputs of the errors that an exploration of a program finds, given its first input.
fn shortened(program: &str, seed: &[u8]) -> Vec<Vec<u8>> {
    let buffer = ParseBuffer::new(program).expect("text");
    let bytes = parse::<wast::Wat<'_>>(&buffer).expect("a module").encode().expect("a module in binary");
    let program = Program::read(&bytes, MachineLimits::default()).expect("a program");
    let (mut terms, mut variables) = (Terms::default(), Variables::default());
    let stdin = variables.source(&mut terms.store, SourceKind::Stdin, 8, &[]);
    let mut input = Input::default();
    variables.set_bytes(&mut input, stdin, seed);
    let control = Control::default();
    let runner = Runner::new(&program, WorldOptions::default(), 1_000_000, &control);
    let options = ExploreOptions { most_paths: 10, ..ExploreOptions::default() };
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(input, Origin::Seed);
    let mut shortened = Shortened::default();
    explorer.explore(&mut shortened);
    shortened.inputs
}

#[test]
fn what_an_error_does_not_need_is_left_out() {
    assert_eq!(shortened(PROGRAM, &[0, 70, 0, 0, 5, 0, 2, 0]), [[70, 5, 2]]);
}

#[test]
fn values_become_simple() {
    assert_eq!(shortened(PROGRAM_OF_NUMBER, &[0x34, 0x12, 0xb7, 8, b'k', 9, 9]), [[11, 0, 0, 0, b'k']]);
}

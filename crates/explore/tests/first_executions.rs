//! The functions that a function can call, and the first test that executes an instruction.

use std::collections::BTreeSet;

use sundry_explore::{
    ExploreOptions, Explorer, Input, Origin, Program, Runner, SolveOptions, SourceKind, StrategyKind, Terms,
    Test, Variables, WorldOptions, possible_calls,
};
use sundry_term::Control;
use sundry_wasm::MachineLimits;
use wast::parser::{ParseBuffer, parse};

/// Calls the first function with the byte 7, the second one otherwise, and nothing calls the fourth one; the third one is in the table with the type of the indirect call.
const PROGRAM: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (table funcref (elem $third))
  (func $first)
  (func $second (drop (call_indirect (result i32) (i32.const 0))))
  (func $third (result i32) (i32.const 1))
  (func $fourth)
  (func (export "_start")
    (i32.store (i32.const 1100) (i32.const 1200))
    (i32.store (i32.const 1104) (i32.const 1))
    (drop (call $read (i32.const 0) (i32.const 1100) (i32.const 1) (i32.const 1108)))
    (if (i32.eq (i32.load8_u (i32.const 1200)) (i32.const 7))
      (then (call $first))
      (else (call $second)))))"#;

#[test]
fn instructions_belong_to_the_first_test_that_executed_them() {
    let bytes = parse::<wast::Wat<'_>>(&ParseBuffer::new(PROGRAM).expect("text"))
        .expect("a module")
        .encode()
        .expect("a module in binary");
    let program = Program::read(&bytes, MachineLimits::default()).expect("a program");
    assert_eq!(possible_calls(&program.module), [vec![], vec![2], vec![], vec![], vec![0, 1]]);

    let (mut terms, mut variables) = (Terms::default(), Variables::default());
    variables.source(&mut terms.store, SourceKind::Stdin, 1, &[]);
    let control = Control::default();
    let runner = Runner::new(&program, WorldOptions::default(), 1_000_000, &control);
    let options = ExploreOptions {
        strategy: StrategyKind::BreadthFirst,
        solve: SolveOptions { partials: 0, ticks: u64::MAX, ..SolveOptions::default() },
        seed: 0,
        ..ExploreOptions::default()
    };
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    let mut with_first = Vec::new();
    let first = program.module.functions[0].first;
    explorer.explore(&mut |test: &Test<'_>| {
        if test.run.edges.iter().any(|&edge| (edge >> 32) as u32 == first) {
            with_first.push(test.number);
        }
    });
    let executions = explorer.first_executions();
    let tests_of = |function: usize| -> BTreeSet<u64> {
        let operators = &program.module.functions[function].operators;
        operators.iter().filter_map(|(offset, _)| executions.get(offset).copied()).collect()
    };
    assert_eq!(tests_of(0), BTreeSet::from([with_first[0]]));
    assert!(with_first[0] > 1);
    assert_eq!((tests_of(1), tests_of(2)), (BTreeSet::from([1]), BTreeSet::from([1])));
    assert!(tests_of(3).is_empty());
    assert_eq!(tests_of(4), BTreeSet::from([1, with_first[0]]));
}

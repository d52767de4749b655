//! Branches that only special floats take.

use sundry_explore::{
    ExploreOptions, Explorer, FloatMethod, Input, Origin, Program, RunEnd, Runner, SolveOptions, SourceKind,
    StrategyKind, Terms, Test, Variables, WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::MachineLimits;
use wast::parser::{ParseBuffer, parse};

/// A program that reads a double `x` and stops where a condition holds.
fn program(condition: &str) -> Program {
    let text = format!(
        r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local $x f64)
    (i32.store (i32.const 1100) (i32.const 1200))
    (i32.store (i32.const 1104) (i32.const 8))
    (drop (call $read (i32.const 0) (i32.const 1100) (i32.const 1) (i32.const 1108)))
    (local.set $x (f64.load (i32.const 1200)))
    (if {condition} (then unreachable))))"#
    );
    let buffer = ParseBuffer::new(&text).expect("text");
    let bytes = parse::<wast::Wat<'_>>(&buffer).expect("a module").encode().expect("a module in binary");
    Program::read(&bytes, MachineLimits::default()).expect("a program")
}

/// The double that reaches the end of a program, and the number of questions that the search answered.
fn found(condition: &str, floats: FloatMethod) -> (Option<f64>, u64) {
    let program = program(condition);
    let (mut terms, mut variables) = (Terms::default(), Variables::default());
    let stdin = variables.source(&mut terms.store, SourceKind::Stdin, 8, &[]);
    let control = Control::default();
    let runner = Runner::new(&program, WorldOptions::default(), 1_000_000, &control);
    let options = ExploreOptions {
        strategy: StrategyKind::Coverage,
        solve: SolveOptions { partials: 8, ticks: 100_000_000, floats, ..SolveOptions::default() },
        seed: 3,
        ..ExploreOptions::default()
    };
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    let mut found = None;
    explorer.explore(&mut |test: &Test<'_>| {
        if matches!(test.run.end, RunEnd::Trap(_)) {
            let mut bytes = test.variables.bytes(test.input, stdin);
            bytes.resize(8, 0);
            found = Some(f64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        }
    });
    (found, explorer.statistics().solve.optimised)
}

const ROOT: &str = "(i32.and
    (f64.gt (f64.mul (f64.sqrt (local.get $x)) (local.get $x)) (f64.const 2))
    (f64.lt (local.get $x) (f64.const 1.6)))";

#[test]
fn special_floats_are_found() {
    for floats in [FloatMethod::Both, FloatMethod::Circuit] {
        let find = |condition| found(condition, floats).0.expect(condition);
        let root = find(ROOT);
        assert!(root.sqrt() * root > 2.0 && root < 1.6, "{root}");
        assert!(find("(f64.ne (local.get $x) (local.get $x))").is_nan());
        let zero = find(
            "(i32.and (f64.eq (local.get $x) (f64.const 0))
              (f64.lt (f64.div (f64.const 1) (local.get $x)) (f64.const 0)))",
        );
        assert!(zero == 0.0 && zero.is_sign_negative());
        let converted =
            find("(i32.eq (i32.trunc_sat_f64_s (f64.mul (local.get $x) (f64.const 1000))) (i32.const 3141))");
        assert_eq!((converted * 1000.0) as i32, 3141);
    }
}

#[test]
fn the_search_finds_them_without_circuits() {
    let (root, optimised) = found(ROOT, FloatMethod::Search);
    let root = root.expect("a root");
    assert!(root.sqrt() * root > 2.0 && root < 1.6, "{root}");
    assert!(optimised > 0);
}

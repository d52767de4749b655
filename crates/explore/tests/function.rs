//! Functions that are explored by themselves, with symbolic arguments.

use std::collections::BTreeSet;

use sundry_explore::{
    Argument, CallPart, ExploreEnd, ExploreOptions, Explorer, Extension, FindingKind, FunctionCall, Input,
    MemoryError, Origin, Program, ProgramError, RunEnd, Runner, SolveOptions, SourceKind, StrategyKind,
    Terms, Test, Variables, WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::{MachineLimits, Module};
use wast::parser::{ParseBuffer, parse};

const STEPS: u64 = 100_000;

fn module(text: &str) -> Module {
    let bytes = parse::<wast::Wat<'_>>(&ParseBuffer::new(text).unwrap()).expect(text).encode().unwrap();
    Module::read(&bytes).expect("a module")
}

/// A program that calls the exported function `f` of a module.
fn program(text: &str, arguments: Vec<Argument>, parts: Vec<CallPart>) -> Result<Program, ProgramError> {
    let module = module(text);
    let function = module.exported_function("f").expect("a function");
    let call = FunctionCall { function, arguments, parts };
    let (world, control) = (WorldOptions::default(), Control::default());
    Program::of_call(module, MachineLimits::default(), call, &world, STEPS, &control)
}

fn number(name: &str, bytes: u32) -> CallPart {
    CallPart { name: name.to_string(), symbolic: bytes, size: None, is_nullable: false, pointers: Vec::new() }
}

fn object(name: &str, bytes: u32, pointers: &[(u32, Option<usize>)]) -> CallPart {
    CallPart { size: Some(bytes), is_nullable: true, pointers: pointers.to_vec(), ..number(name, bytes) }
}

/// The argument that is all of a part.
fn whole(part: usize, bytes: u32, extension: Extension) -> Argument {
    Argument::Number { part, offset: 0, bytes, extension }
}

/// The result of an exploration.
struct Explored {
    end: ExploreEnd,
    paths: u64,
    /// Errors with the inputs that showed them first.
    findings: Vec<(FindingKind, Input)>,
    variables: Variables,
}

fn explore(program: &Program, parts: &[CallPart]) -> Explored {
    let call = FunctionCall { function: program.entry, arguments: Vec::new(), parts: parts.to_vec() };
    let (mut terms, mut variables) = (Terms::default(), Variables::default());
    call.declare(&mut variables, &mut terms.store);
    let control = Control::default();
    let runner = Runner::new(program, WorldOptions::default(), STEPS, &control);
    let options = ExploreOptions {
        strategy: StrategyKind::Coverage,
        solve: SolveOptions { partials: 16, ticks: 100_000_000, ..SolveOptions::default() },
        most_paths: 10_000,
        most_depth: 1000,
        seed: 0,
        ..ExploreOptions::default()
    };
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    let mut findings: Vec<(FindingKind, Input)> = Vec::new();
    let end = explorer.explore(&mut |test: &Test<'_>| {
        if let Some(finding) = test.finding
            && !findings.iter().any(|known| known.0 == finding.kind)
        {
            findings.push((finding.kind.clone(), test.input.clone()));
        }
    });
    let paths = explorer.statistics().paths;
    Explored { end, paths, findings, variables: explorer.variables().clone() }
}

#[test]
fn numbers_of_all_types_are_found() {
    let text = r#"(module (func (export "f") (param i32 i32 i64 f32 f64)
        (if (i32.eq (local.get 0) (i32.const -5)) (then
        (if (local.get 1) (then
        (if (i64.eq (local.get 2) (i64.const 0x123456789abcdef0)) (then
        (if (f32.eq (local.get 3) (f32.const 1.5)) (then
        (if (f64.eq (local.get 4) (f64.const -0.25)) (then unreachable))))))))))))"#;
    let parts = vec![number("c", 1), number("b", 1), number("l", 8), number("x", 4), number("y", 8)];
    let arguments = vec![
        whole(0, 1, Extension::Sign),
        whole(1, 1, Extension::Boolean),
        whole(2, 8, Extension::Zero),
        whole(3, 4, Extension::Zero),
        whole(4, 8, Extension::Zero),
    ];
    let program = program(text, arguments, parts.clone()).expect("a program");
    let explored = explore(&program, &parts);
    assert_eq!((explored.end, explored.paths), (ExploreEnd::Complete, 6));
    let [(FindingKind::Trap(_), input)] = &explored.findings[..] else { panic!("{:?}", explored.findings) };
    let bytes = |name: &str| {
        let source = explored.variables.find(&SourceKind::Parameter(name.to_string())).expect("a source");
        explored.variables.bytes(input, source)
    };
    assert_eq!(bytes("c"), [0xfb]);
    assert_eq!(bytes("b")[0] & 1, 1);
    assert_eq!(bytes("l"), 0x1234_5678_9abc_def0_u64.to_le_bytes());
    assert_eq!(bytes("x"), 1.5_f32.to_le_bytes());
    assert_eq!(bytes("y"), (-0.25_f64).to_le_bytes());
}

/// A list of nodes: a byte, and at 4 the pointer to the next. The function adds the bytes, and fails for the sum 9 of two.
const LIST: &str = r#"(module (memory (export "memory") 1) (func (export "f") (param $list i32) (result i32)
    (local $sum i32) (local $count i32)
    (block $end (loop $next
        (br_if $end (i32.eqz (local.get $list)))
        (local.set $sum (i32.add (local.get $sum) (i32.load8_u (local.get $list))))
        (local.set $count (i32.add (local.get $count) (i32.const 1)))
        (local.set $list (i32.load offset=4 (local.get $list)))
        (br $next)))
    (if (i32.and (i32.eq (local.get $count) (i32.const 2)) (i32.eq (local.get $sum) (i32.const 9)))
        (then unreachable))
    (local.get $sum)))"#;

#[test]
fn pointers_in_objects_lead_to_objects_or_are_null() {
    let parts = vec![
        object("list", 8, &[(4, Some(1))]),
        object("list->next", 8, &[(4, Some(2))]),
        object("list->next->next", 8, &[(4, None)]),
    ];
    let program = program(LIST, vec![Argument::Address { part: 0 }], parts.clone()).expect("a program");
    let explored = explore(&program, &parts);
    // Lists of 0 to 3 nodes, and those of two with the sum 9.
    assert_eq!((explored.end, explored.paths), (ExploreEnd::Complete, 5));
    assert_eq!(explored.findings.len(), 1);
    let (kind, input) = &explored.findings[0];
    assert_eq!(kind.name(), "abort");
    let is_null: Vec<bool> = (0..3).map(|source| explored.variables.is_null(input, source)).collect();
    assert_eq!(is_null, [false, false, true]);
}

#[test]
fn accesses_outside_of_objects_and_through_null_are_errors() {
    for (body, expected) in [
        ("(drop (i32.load8_u (local.get 0)))", &[MemoryError::Null][..]),
        ("(drop (i32.load8_u offset=8 (local.get 0)))", &[MemoryError::HeapOverflow, MemoryError::Null]),
        (
            "(if (i32.lt_u (local.get 1) (i32.const 20)) (then
                (i32.store8 (i32.add (local.get 0) (local.get 1)) (i32.const 1))))",
            &[MemoryError::HeapOverflow, MemoryError::Null],
        ),
        (
            "(if (i32.lt_u (local.get 1) (i32.const 8)) (then
                (i32.store8 (i32.add (local.get 0) (local.get 1)) (i32.const 1))))",
            &[MemoryError::Null],
        ),
        (
            "(if (local.get 0) (then (memory.fill (local.get 0) (i32.const 1) (i32.const 9))))",
            &[MemoryError::HeapOverflow],
        ),
    ] {
        let text = format!("(module (memory 1) (func (export \"f\") (param i32 i32) {body}))");
        let parts = vec![object("p", 8, &[]), number("n", 4)];
        let arguments = vec![Argument::Address { part: 0 }, whole(1, 4, Extension::Zero)];
        let program = program(&text, arguments, parts.clone()).expect("a program");
        let explored = explore(&program, &parts);
        let mut kinds: Vec<FindingKind> = explored.findings.into_iter().map(|finding| finding.0).collect();
        kinds.sort();
        let mut expected: Vec<FindingKind> = expected.iter().map(|&it| FindingKind::Memory(it)).collect();
        expected.sort();
        assert_eq!(kinds, expected, "{body}");
        assert_eq!(explored.end, ExploreEnd::Complete, "{body}");
    }
}

/// An allocator that never takes anything back, and a function that uses what it has freed.
const FREES: &str = r#"(module (memory 1) (global $next (mut i32) (i32.const 4096))
    (func $malloc (param i32) (result i32)
        (global.get $next)
        (global.set $next (i32.add (global.get $next) (local.get 0))))
    (func $free (param i32))
    (func (export "f") (param i32) (result i32)
        (call $free (local.get 0))
        (if (result i32) (local.get 0) (then (i32.load (local.get 0))) (else (i32.const 0)))))"#;

#[test]
fn functions_may_free_their_objects_and_leave_them() {
    let parts = vec![object("p", 8, &[])];
    let program = program(FREES, vec![Argument::Address { part: 0 }], parts.clone()).expect("a program");
    let explored = explore(&program, &parts);
    let kinds: Vec<&FindingKind> = explored.findings.iter().map(|finding| &finding.0).collect();
    assert_eq!(kinds, [&FindingKind::Memory(MemoryError::UseAfterFree)]);
}

#[test]
fn modules_are_initialised_once() {
    let text = |body: &str| {
        format!(
            "(module (memory 1) (global $count (mut i32) (i32.const 0))
                (func $__wasm_call_ctors (global.set $count (i32.add (global.get $count) (i32.const 1))) {body})
                (func (export \"f\") (param i32) (result i32)
                    (if (i32.ne (global.get $count) (i32.const 1)) (then unreachable))
                    (local.get 0)))"
        )
    };
    let parts = vec![number("n", 4)];
    let arguments = vec![whole(0, 4, Extension::Zero)];
    let calls = program(&text(""), arguments.clone(), parts.clone()).expect("a program");
    let explored = explore(&calls, &parts);
    assert_eq!((explored.end, explored.findings.len()), (ExploreEnd::Complete, 0));
    for (body, expected) in [("unreachable", "unreachable"), ("(loop (br 0))", "--steps")] {
        let Err(error) = program(&text(body), arguments.clone(), parts.clone()) else { panic!("{body}") };
        let message = error.to_string();
        assert!(message.contains("__wasm_call_ctors") && message.contains(expected), "{message}");
    }
    let parts = vec![object("p", u32::MAX - 100, &[])];
    let error = program(LIST, vec![Argument::Address { part: 0 }], parts);
    assert!(matches!(error, Err(ProgramError::NoRoom)));
}

#[test]
fn explorations_find_the_paths_of_runs_with_all_arguments() {
    let text = r#"(module (memory 1) (func (export "f") (param $c i32) (param $p i32) (result i32)
        (if (i32.lt_s (local.get $c) (i32.const -100)) (then (return (i32.const 1))))
        (if (i32.eqz (local.get $p)) (then (return (i32.div_u (i32.const 7) (local.get $c)))))
        (if (i32.eq (i32.load8_s (local.get $p)) (local.get $c)) (then (return (i32.const 2))))
        (i32.load8_u (i32.add (local.get $p) (i32.and (local.get $c) (i32.const 1))))))"#;
    let parts = vec![number("c", 1), object("p", 1, &[])];
    let arguments = vec![whole(0, 1, Extension::Sign), Argument::Address { part: 1 }];
    let program = program(text, arguments, parts.clone()).expect("a program");
    let explored = explore(&program, &parts);
    assert_eq!(explored.end, ExploreEnd::Complete);
    let mut runner = Runner::new(&program, WorldOptions::default(), STEPS, &Control::default());
    let mut ends: BTreeSet<(u64, String)> = BTreeSet::new();
    for number in 0..=255 {
        for byte in [0, 1, number, 254] {
            for is_null in [false, true] {
                let mut input = Input::default();
                explored.variables.set_bytes(&mut input, 0, &[number]);
                explored.variables.set_bytes(&mut input, 1, &[byte]);
                explored.variables.set_null(&mut input, 1, is_null);
                let run = runner.replay(&input, &explored.variables, true);
                let end = match run.end {
                    RunEnd::Returned => "returned".to_string(),
                    end => format!("{end:?}"),
                };
                ends.insert((run.path, end));
            }
        }
    }
    assert_eq!(explored.paths, ends.len() as u64, "{ends:?}");
}

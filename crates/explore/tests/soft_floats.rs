//! Explorations with floats in software: conditions are about words, and nothing of the library is seen from outside.

use std::collections::BTreeSet;

use sundry_explore::{
    Decision, DecisionKind, Edge, ExecutedCode, ExploreEnd, ExploreOptions, Explorer, FloatMethod, Input,
    Observer, Origin, Program, Question, RunEnd, Runner, SolveOptions, SourceKind, StrategyKind, Terms, Test,
    Variables, WorldOptions,
};
use sundry_term::{Control, Sort, TermId, TermStore};
use sundry_wasm::{FloatCode, MachineLimits, Module, Trap};
use wast::parser::{ParseBuffer, parse};

const STEPS: u64 = 1_000_000;

/// A program that reads doubles `x` and `y` and does something with them.
fn program(body: &str, floats: FloatCode) -> Program {
    let text = format!(
        r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local $x f64) (local $y f64)
    (i32.store (i32.const 1100) (i32.const 1200))
    (i32.store (i32.const 1104) (i32.const 16))
    (drop (call $read (i32.const 0) (i32.const 1100) (i32.const 1) (i32.const 1108)))
    (local.set $x (f64.load (i32.const 1200)))
    (local.set $y (f64.load (i32.const 1208)))
    {body}))"#
    );
    let buffer = ParseBuffer::new(&text).expect("text");
    let bytes = parse::<wast::Wat<'_>>(&buffer).expect("a module").encode().expect("a module in binary");
    let module = Module::read_with(&bytes, floats).expect("a module");
    Program::of_command(module, MachineLimits::default()).expect("a program")
}

/// Everything of an exploration that is seen from outside.
#[derive(Default)]
struct Seen {
    inputs: Vec<Input>,
    ends: Vec<RunEnd>,
    paths: Vec<u64>,
    edges: Vec<BTreeSet<Edge>>,
    conditions: usize,
}

impl Observer for Seen {
    fn test(&mut self, test: &Test<'_>) {
        self.inputs.push(test.input.clone());
        self.ends.push(test.run.end.clone());
        self.paths.push(test.run.path);
        self.edges.push(test.run.edges.iter().copied().collect());
    }

    fn question(&mut self, question: &Question<'_>) {
        self.conditions += question.conditions.len();
        assert!(!has_floats(question.store, question.conditions));
    }

    fn wants_conditions(&self) -> bool {
        true
    }
}

fn has_floats(store: &TermStore, terms: &[TermId]) -> bool {
    store.reachable(terms).iter().any(|&term| matches!(store.sort(store.sort_of(term)), Sort::Float(_)))
}

fn runner<'p>(program: &'p Program, control: &Control) -> Runner<'p> {
    Runner::new(program, WorldOptions::default(), STEPS, control)
}

fn variables(terms: &mut Terms) -> Variables {
    let mut variables = Variables::default();
    let zeros = [0; 16];
    variables.source(&mut terms.store, SourceKind::Stdin, 16, &zeros);
    variables
}

/// Explores a program, and checks that plain runs of the tests take the same paths and edges.
fn explored(program: &Program, strategy: StrategyKind, seed: u64) -> (Seen, ExploreEnd, ExecutedCode) {
    let mut terms = Terms::default();
    let variables = variables(&mut terms);
    let control = Control::default();
    let options = ExploreOptions {
        strategy,
        solve: SolveOptions { floats: FloatMethod::Circuit, ..SolveOptions::default() },
        seed,
        ..ExploreOptions::default()
    };
    let mut explorer = Explorer::new(runner(program, &control), variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    let mut seen = Seen::default();
    let end = explorer.explore(&mut seen);
    let statistics = explorer.statistics();
    assert_eq!(statistics.diverged, 0);
    let edges: BTreeSet<Edge> = seen.edges.iter().flatten().copied().collect();
    assert_eq!(statistics.edges, edges.len());
    let mut plain = runner(program, &control);
    for (number, input) in seen.inputs.iter().enumerate() {
        let run = plain.replay(input, explorer.variables(), true);
        assert_eq!((&run.end, run.path), (&seen.ends[number], seen.paths[number]));
        assert_eq!(run.edges.into_iter().collect::<BTreeSet<Edge>>(), seen.edges[number]);
    }
    (seen, end, explorer.executed())
}

/// Runs the inputs on the float instructions themselves.
fn native_ends(body: &str, inputs: &[Input]) -> Vec<RunEnd> {
    let native = program(body, FloatCode::Instructions);
    let mut terms = Terms::default();
    let variables = variables(&mut terms);
    let control = Control::default();
    let mut runner = runner(&native, &control);
    inputs.iter().map(|input| runner.replay(input, &variables, true).end).collect()
}

/// Conditions that some doubles meet.
const GUARDS: [&str; 7] = [
    "(i32.and
        (f64.gt (f64.mul (f64.sqrt (local.get $x)) (local.get $x)) (f64.const 2))
        (f64.lt (local.get $x) (f64.const 1.6)))",
    "(f64.ne (local.get $x) (local.get $x))",
    "(i32.and (f64.eq (local.get $x) (f64.const 0))
        (f64.lt (f64.div (f64.const 1) (local.get $x)) (f64.const 0)))",
    "(i32.eq (i32.trunc_sat_f64_s (f64.mul (local.get $x) (f64.const 1000))) (i32.const 3141))",
    "(f64.eq (f64.add (local.get $x) (local.get $y)) (f64.const 3.75))",
    "(f64.ne (f64.sub (local.get $x) (local.get $x)) (f64.const 0))",
    "(i32.and (f64.gt (local.get $x) (local.get $y))
        (f32.eq (f32.demote_f64 (local.get $x)) (f32.demote_f64 (local.get $y))))",
];

#[test]
fn guarded_paths_are_found_without_floats_in_conditions() {
    for guard in GUARDS {
        let body = format!("(if {guard} (then unreachable))");
        let program = program(&body, FloatCode::Library);
        let seen = explored(&program, StrategyKind::Coverage, 3).0;
        let trap = RunEnd::Trap(Trap::Unreachable);
        assert!(seen.ends.contains(&trap), "{guard}");
        assert!(seen.conditions > 0, "{guard}");
        assert_eq!(seen.ends, native_ends(&body, &seen.inputs), "{guard}");
    }
}

#[test]
fn traps_of_conversions_are_those_of_the_instruction() {
    let body = "(drop (i32.trunc_f64_s (local.get $x)))";
    let soft = program(body, FloatCode::Library);
    let (seen, end, _) = explored(&soft, StrategyKind::BreadthFirst, 0);
    assert!(matches!(end, ExploreEnd::Complete | ExploreEnd::Exhausted), "{end:?}");
    for trap in [Trap::InvalidConversion, Trap::IntegerOverflow] {
        assert!(seen.ends.contains(&RunEnd::Trap(trap)), "{trap}");
    }
    assert_eq!(seen.ends, native_ends(body, &seen.inputs));
    let mut terms = Terms::default();
    let control = Control::default();
    let variables = variables(&mut terms);
    let places = [FloatCode::Instructions, FloatCode::Library].map(|floats| {
        let program = program(body, floats);
        let mut runner = runner(&program, &control);
        let position = seen.ends.iter().position(|end| matches!(end, RunEnd::Trap(_))).expect("a trap");
        let run = runner.replay(&seen.inputs[position], &variables, true);
        let offsets = run.stack.iter().map(|&(function, place)| (function, program.module.offset_of(place)));
        offsets.collect::<Vec<(u32, u32)>>()
    });
    assert_eq!(places[0].len(), 1);
    assert_eq!(places[0], places[1]);
}

#[test]
fn branches_of_the_library_are_decisions_but_neither_edges_nor_executed_code() {
    let body = "(if (f64.gt (f64.mul (local.get $x) (local.get $y)) (f64.const 2)) (then (call $exit (i32.const 7))))";
    let [native, soft] = [FloatCode::Instructions, FloatCode::Library].map(|floats| program(body, floats));
    let mut terms = Terms::default();
    let mut variables = variables(&mut terms);
    let control = Control::default();
    let runs = [&native, &soft]
        .map(|program| runner(program, &control).execute(&Input::default(), &mut variables, &mut terms));
    let in_library =
        |decision: &&Decision| soft.is_in_library(decision.place) && decision.kind == DecisionKind::Branch;
    assert!(runs[1].decisions.iter().filter(in_library).count() >= 2);
    let conditions: Vec<TermId> = runs[1].decisions.iter().map(|decision| decision.condition).collect();
    assert!(!has_floats(&terms.store, &conditions));
    let [native_run, soft_run] = runs.map(|run| run.run);
    assert_eq!(native_run.edges.len(), soft_run.edges.len());
    assert!(soft_run.steps < native_run.steps + 10, "{} and {}", soft_run.steps, native_run.steps);
    let executed = explored(&soft, StrategyKind::Coverage, 1).2;
    let all: BTreeSet<u32> = soft.module.functions[0].operators.iter().map(|operator| operator.0).collect();
    assert_eq!(executed.instructions.keys().copied().collect::<BTreeSet<u32>>(), all);
}

//! Instructions that each stage of the toolkit executes on small formulas, counted by Callgrind.
//!
//! Times vary with the machine and its load; counts of instructions are almost the same in every run, so a difference
//! of 1 % between two commits comes from the code. `tools/instructions` runs these benches, prints a table of them,
//! and compares commits. A count says nothing about caches, and a run spends most of it in the
//! SAT solver: `sundry-bench` measures the times of whole runs on real formulas.
//!
//! The work before a stage is its `setup`, which is not counted; neither is dropping its result.

#![expect(missing_docs, reason = "the macros of gungraun make public modules")]

mod formulas;
mod stages;

use std::hint::black_box;
use std::ops::ControlFlow;

use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use sundry_circuit::CnfEncoder;
use sundry_coverage::{AstBits, Coverage, ModelBits};
use sundry_lanes::Program;
use sundry_sample::{Event, Granularity, Problem, Request, Summary};
use sundry_smtlib::{Lexer, SourceText, TheorySet, Token, parse_script};
use sundry_solver::{Cnf, simplify};
use sundry_term::{Control, Evaluator, TermId, TermStore, Value};

use formulas::Formula;
use stages::{Circuit, Compiled, Judged, Terms};

/// Makes a benchmark of a function: what a stage does with each formula, once `$setup` has prepared it.
macro_rules! on_all_formulas {
    ($setup:path, $($function:tt)*) => {
        #[library_benchmark]
        #[bench::arithmetic($setup(Formula::Arithmetic))]
        #[bench::logic($setup(Formula::Logic))]
        #[bench::memory($setup(Formula::Memory))]
        #[bench::packets($setup(Formula::Packets))]
        #[bench::wide($setup(Formula::Wide))]
        $($function)*
    };
}

// Text to tokens.
on_all_formulas! { stages::text,
    fn lexer(source: SourceText) -> (SourceText, usize) {
        let mut lexer = Lexer::new(source.text(), 0);
        let mut tokens = 0;
        while lexer.next_token().expect("a legal script").0 != Token::End {
            tokens += 1;
        }
        (source, tokens)
    }
}

// Text to terms, tokens among it.
on_all_formulas! { stages::text,
    fn parser(source: SourceText) -> (SourceText, TermStore) {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &source, TheorySet::DECIDED).expect("a legal script");
        black_box(script);
        (source, store)
    }
}

// Terms to their normal forms.
on_all_formulas! { stages::terms,
    fn rewriter(mut terms: Terms) -> (Terms, Vec<TermId>) {
        let normal =
            simplify(&mut terms.store, &terms.assertions, &Control::default()).expect("nothing stops it");
        (terms, normal)
    }
}

// The values of all terms under 16 random models.
on_all_formulas! { stages::judged,
    fn evaluator(judged: Judged) -> (Judged, usize) {
        let mut satisfied = 0;
        for model in &judged.models[..16] {
            let mut evaluator = Evaluator::new(&judged.terms.store, model);
            evaluator.evaluate(&judged.terms.assertions).expect("models of tables");
            satisfied += usize::from(
                judged.terms.assertions.iter().all(|&term| evaluator.value(term) == Some(&Value::Bool(true))),
            );
        }
        (judged, satisfied)
    }
}

// Which AST-bits 16 random models cover.
on_all_formulas! { stages::judged,
    fn coverage(judged: Judged) -> (Judged, usize) {
        let ast_bits = AstBits::new(&judged.terms.store, &judged.terms.assertions);
        let mut coverage = Coverage::new(&ast_bits);
        for model in &judged.models[..16] {
            let bits = ModelBits::evaluate(&judged.terms.store, model, &judged.terms.assertions, &ast_bits);
            coverage.add(&bits.expect("models of tables").0);
        }
        let covered = coverage.covered();
        (judged, covered)
    }
}

// Terms to a circuit (bit-blasting), with arrays as inputs of it.
on_all_formulas! { stages::terms,
    fn blaster(terms: Terms) -> (Terms, Circuit) {
        let circuit = Circuit::new(&terms);
        (terms, circuit)
    }
}

// A circuit to clauses.
on_all_formulas! { stages::circuit,
    fn clauses(circuit: Circuit) -> (Circuit, CnfEncoder, Cnf) {
        let (mut encoder, mut clauses) = (CnfEncoder::new(), Cnf::new());
        for &edge in &circuit.outputs {
            encoder.literal(&circuit.aig, &mut clauses, edge);
        }
        (circuit, encoder, clauses)
    }
}

// All nodes of a circuit under 64 assignments.
on_all_formulas! { stages::circuit,
    fn simulation(mut circuit: Circuit) -> Circuit {
        circuit.simulation.run(&circuit.aig, &circuit.rows);
        circuit
    }
}

// Terms to a program for 64 models at once.
on_all_formulas! { stages::terms,
    fn lanes_compile(terms: Terms) -> (Terms, Program) {
        let program = Program::new(&terms.store, &terms.assertions).expect("a formula that the lanes know");
        (terms, program)
    }
}

// A program run for 64 random models.
on_all_formulas! { stages::compiled,
    fn lanes_run(mut compiled: Compiled) -> Compiled {
        let Compiled { judged, program, memory } = &mut compiled;
        program.run(&judged.terms.store, memory, &Control::default()).expect("nothing stops it");
        compiled
    }
}

// A whole run: twenty solutions at volume, with all that searches for them, the SAT solver included.
on_all_formulas! { stages::problem,
    fn sample(problem: Problem) -> (Problem, Summary) {
        let request = Request { max_solutions: Some(20), ..Request::smtsampler(Granularity::Bit) };
        let receive = &mut |_: Event<'_>| ControlFlow::Continue(());
        let summary = sundry_sample::sample(&problem, &request, receive).expect("a formula with circuits");
        (problem, summary)
    }
}

library_benchmark_group!(name = reader, benchmarks = [lexer, parser]);
library_benchmark_group!(name = terms, benchmarks = [rewriter, evaluator, coverage]);
library_benchmark_group!(name = circuits, benchmarks = [blaster, clauses, simulation]);
library_benchmark_group!(name = lanes, benchmarks = [lanes_compile, lanes_run]);
library_benchmark_group!(name = runs, benchmarks = [sample]);

// Caches are not simulated, which takes longer than counting.
main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
    library_benchmark_groups = [reader, terms, circuits, lanes, runs]
);

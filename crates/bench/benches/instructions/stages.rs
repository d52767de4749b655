//! The inputs of each stage.

use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_circuit::{Aig, Blaster, Edge, FreeInputs, Simulation};
use sundry_lanes::{LANES, Memory, Program};
use sundry_sample::Problem;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{Model, TermId, TermStore};
use sundry_testing::generate::random_model;

use crate::formulas::Formula;

/// A formula as text.
pub fn text(formula: Formula) -> SourceText {
    SourceText::new("formula", formula.script())
}

/// A formula that was read.
pub struct Terms {
    pub store: TermStore,
    pub assertions: Vec<TermId>,
}

pub fn terms(formula: Formula) -> Terms {
    let Problem { store, assertions, .. } = problem(formula);
    Terms { store, assertions }
}

/// A formula to sample.
pub fn problem(formula: Formula) -> Problem {
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &text(formula), TheorySet::DECIDED).expect("a legal script");
    let formula = script.formula();
    Problem::new(store, formula.assertions, formula.symbols)
}

/// A formula with 64 random models, of which hardly any satisfies it.
pub struct Judged {
    pub terms: Terms,
    pub models: Vec<Model>,
}

pub fn judged(formula: Formula) -> Judged {
    let terms = terms(formula);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let models = (0..LANES).map(|_| random_model(&terms.store, &terms.assertions, &mut random)).collect();
    Judged { terms, models }
}

/// A program with the models in its memory.
pub struct Compiled {
    pub judged: Judged,
    pub program: Program,
    pub memory: Memory,
}

pub fn compiled(formula: Formula) -> Compiled {
    let judged = judged(formula);
    let program = Program::new(&judged.terms.store, &judged.terms.assertions).expect("a known formula");
    let mut memory = program.memory();
    program.load(&judged.terms.store, &mut memory, &judged.models.iter().collect::<Vec<_>>());
    Compiled { judged, program, memory }
}

/// The circuit of a formula, and 64 random assignments of its inputs.
pub struct Circuit {
    pub aig: Aig,
    pub outputs: Vec<Edge>,
    pub rows: Vec<u64>,
    pub simulation: Simulation,
}

impl Circuit {
    pub fn new(terms: &Terms) -> Self {
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
        blaster.blast(&terms.store, &mut aig, &mut FreeInputs, &terms.assertions).expect("a small circuit");
        let output = |&assertion| blaster.bits(assertion).expect("a Boolean term")[0];
        let outputs = terms.assertions.iter().map(output).collect();
        Circuit { aig, outputs, rows: Vec::new(), simulation: Simulation::new() }
    }
}

pub fn circuit(formula: Formula) -> Circuit {
    let mut circuit = Circuit::new(&terms(formula));
    let mut random = ChaCha8Rng::seed_from_u64(2);
    circuit.rows = circuit.aig.inputs().iter().map(|_| random.random()).collect();
    circuit
}

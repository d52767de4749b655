//! All nodes of random formulas under 64 random models, beside the evaluator.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_lanes::{LANES, Memory, Program, Slot};
use sundry_smtlib::{Command, SourceText, TheorySet, parse_script};
use sundry_term::{BitVector, Control, Evaluator, Model, Sort, SymbolId, TermId, TermStore, Value};
use sundry_testing::generate::{Generator, Options, random_model};

/// The number of formulas for each kind of options, unless the environment sets another.
const FORMULAS: u64 = 150;

fn formulas() -> u64 {
    match std::env::var("SUNDRY_FORMULAS") {
        Ok(text) => text.parse().expect("SUNDRY_FORMULAS is a number"),
        Err(_) => FORMULAS,
    }
}

/// The value in one lane of a slot, of a sort.
fn value(store: &TermStore, memory: &Memory, slot: Slot, term: TermId, lane: usize) -> Value {
    let sort = store.sort_of(term);
    match *store.sort(sort) {
        Sort::Bool => Value::Bool(memory.mask(slot) >> lane & 1 == 1),
        Sort::BitVec(width) => {
            let limbs: Vec<u64> = memory.columns(slot).iter().map(|column| column[lane]).collect();
            assert!(
                width.is_multiple_of(64) || limbs[limbs.len() - 1] >> (width % 64) == 0,
                "bits above the width"
            );
            Value::BitVec(BitVector::from_limbs(width, &limbs))
        }
        _ => Value::Uninterpreted { sort, index: memory.columns(slot)[0][lane] as u32 },
    }
}

/// Compares all nodes of random formulas; how many formulas could be compiled.
fn compare(options: &Options) -> u64 {
    let mut compiled = 0;
    for seed in 0..formulas() {
        let mut store = TermStore::new();
        let formula = Generator::new(&mut store, seed, options.clone()).formula(&mut store);
        let mut nodes = store.reachable(&[formula]);
        nodes.retain(|&term| !matches!(store.sort(store.sort_of(term)), Sort::Array { .. }));
        let Ok(program) = Program::new(&store, &nodes) else { continue };
        compiled += 1;
        let mut memory = program.memory();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // The program runs twice, to see that nothing is left over from the first time; the second time not all lanes
        // are used.
        for count in [LANES, LANES - 3] {
            let models: Vec<Model> =
                (0..count).map(|_| random_model(&store, &[formula], &mut random)).collect();
            program.load(&store, &mut memory, &models.iter().collect::<Vec<_>>());
            program.run(&store, &mut memory, &Control::default()).expect("nothing stops it");
            for (lane, model) in models.iter().enumerate() {
                let mut evaluator = Evaluator::new(&store, model);
                evaluator.evaluate(&nodes).expect("tables only");
                for (&node, &slot) in nodes.iter().zip(program.roots()) {
                    let expected = evaluator.value(node).expect("evaluated");
                    let found = value(&store, &memory, slot, node, lane);

                    assert_eq!(found, *expected, "seed {seed}, lane {lane}: {}", describe(&store, node));
                }
            }
        }
    }
    compiled
}

/// A node for people: its operator over the operators of its arguments.
fn describe(store: &TermStore, node: TermId) -> String {
    let arguments: Vec<String> =
        store.args(node).iter().map(|&term| format!("{:?}", store.op(term))).collect();
    format!("{:?} of {}", store.op(node), arguments.join(", "))
}

#[test]
fn small_formulas_have_the_values_of_the_evaluator() {
    let compiled = compare(&Options::default());
    assert!(compiled > formulas() / 2, "{compiled} of {} formulas compiled", formulas());
}

#[test]
fn words_up_to_the_greatest_width_have_the_values_of_the_evaluator() {
    let options = Options { widths: 30..=64, wide_percent: 0, operations: 60, ..Options::bit_vectors() };
    assert_eq!(compare(&options), formulas());
}

#[test]
fn wide_values_have_the_values_of_the_evaluator() {
    let options = Options { widths: 60..=140, greatest_width: 300, operations: 60, ..Options::bit_vectors() };
    assert_eq!(compare(&options), formulas());
}

#[test]
fn arrays_and_functions_have_the_values_of_the_evaluator() {
    let options = Options { unusual_arrays: false, operations: 60, ..Options::default() };
    // Functions that take arrays are left out.
    let compiled = compare(&options);
    assert!(compiled > formulas() * 4 / 5, "{compiled} of {} formulas compiled", formulas());
}

#[test]
fn what_is_loaded_is_the_model_of_its_lane() {
    for seed in 0..formulas() {
        let mut store = TermStore::new();
        let formula = Generator::new(&mut store, seed, Options::default()).formula(&mut store);
        let Ok(program) = Program::new(&store, &[formula]) else { continue };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let models: Vec<Model> = (0..LANES).map(|_| random_model(&store, &[formula], &mut random)).collect();
        let mut memory = program.memory();
        program.load(&store, &mut memory, &models.iter().collect::<Vec<_>>());
        let symbols: Vec<SymbolId> = models[0].constants().map(|(symbol, _)| symbol).collect();
        for (lane, model) in models.iter().enumerate() {
            let read = program.model(&store, &memory, &symbols, lane);
            assert!(read.constants().eq(model.constants()), "seed {seed}, lane {lane}: {read:?}");
        }
    }
}

/// Constants that have values of terms, arrays among them, are computed, also where one is defined by another.
#[test]
fn definitions_are_computed() {
    let mut store = TermStore::new();
    let text = "(declare-const a (Array (_ BitVec 8) (_ BitVec 8))) (declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
        (declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const z (_ BitVec 8))
        (define-fun y-is () (_ BitVec 8) (bvadd x #x01)) (define-fun b-is () (Array (_ BitVec 8) (_ BitVec 8)) (store a y x))
        (assert (= (select b (bvadd x #x01)) (bvsub y #x01)))
        (assert (= z (bvmul y y)))";
    let source = SourceText::new("test", text);
    let script = parse_script(&mut store, &source, TheorySet::DECIDED).expect("reads");
    let defined = script.commands.iter().filter_map(|(command, _)| match command {
        Command::Define(definition) => Some(definition.body),
        _ => None,
    });
    let (defined, formula): (Vec<TermId>, _) = (defined.collect(), script.formula());
    let symbols = formula.symbols;
    let definitions = [(symbols[3], defined[0]), (symbols[1], defined[1])];
    let program = Program::with_definitions(&store, &formula.assertions, &definitions, &Control::default())
        .expect("compiles");
    let mut memory = program.memory();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let models: Vec<Model> =
        (0..LANES).map(|_| random_model(&store, &formula.assertions, &mut random)).collect();
    program.load(&store, &mut memory, &models.iter().collect::<Vec<_>>());
    program.run(&store, &mut memory, &Control::default()).expect("nothing stops it");
    assert_eq!(memory.mask(program.roots()[0]), u64::MAX);
    for lane in 0..LANES {
        let model = program.model(&store, &memory, &symbols, lane);
        let mut evaluator = Evaluator::new(&store, &model);
        evaluator.evaluate(&formula.assertions).expect("a model");
        assert_eq!(evaluator.value(formula.assertions[0]), Some(&Value::Bool(true)));
        let expected = memory.mask(program.roots()[1]) >> lane & 1 == 1;
        assert_eq!(evaluator.value(formula.assertions[1]), Some(&Value::Bool(expected)));
    }
    let in_a_circle = [(symbols[3], defined[0]), (symbols[2], store.symbol_term(symbols[3]))];
    assert!(
        Program::with_definitions(&store, &formula.assertions, &in_a_circle, &Control::default()).is_err()
    );
}

/// Predicates and functions of integers, under all models of two bit-vectors.
#[test]
fn integers_beside_the_evaluator() {
    let text = "(declare-const x (_ BitVec 3)) (declare-const y (_ BitVec 3))
        (define-fun n () Int (+ (ubv_to_int x) (* 3 (sbv_to_int y)) (- 2)))
        (assert (< n (ubv_to_int y) 7)) (assert (= (abs n) (ite (bvult x y) (div n (- 3)) (mod n 4))))
        (assert (distinct n 5 (ubv_to_int x))) (assert ((_ divisible 3) n))
        (assert (= ((_ int_to_bv 70) n) ((_ sign_extend 67) x))) (assert (= (bvinc x) (ext_rotate_left y x)))
        (assert (= (bvredxor x) ((_ extract 0 0) (bvdec (ext_rotate_right x y)))))";
    let source = SourceText::new("integers", text);
    let mut store = TermStore::new();
    let formula = parse_script(&mut store, &source, TheorySet::DECIDED).expect("legal").formula();
    let mut nodes = store.reachable(&formula.assertions);
    nodes.retain(|&term| store.bits(term) > 0);
    let program = Program::new(&store, &nodes).expect("supported");
    let mut memory = program.memory();
    let models: Vec<Model> = (0..LANES as u64)
        .map(|lane| {
            let mut model = Model::new();
            for (&symbol, value) in formula.symbols.iter().zip([lane % 8, lane / 8]) {
                model.set_constant(symbol, Value::BitVec(BitVector::from_u64(3, value)));
            }
            model
        })
        .collect();
    program.load(&store, &mut memory, &models.iter().collect::<Vec<_>>());
    program.run(&store, &mut memory, &Control::default()).expect("nothing stops it");
    for (lane, model) in models.iter().enumerate() {
        let mut evaluator = Evaluator::new(&store, model);
        evaluator.evaluate(&nodes).expect("nothing is open");
        for (&node, &slot) in nodes.iter().zip(program.roots()) {
            let expected = evaluator.value(node).expect("evaluated");
            assert_eq!(
                &value(&store, &memory, slot, node, lane),
                expected,
                "{:?} in lane {lane}",
                store.op(node)
            );
        }
    }
}

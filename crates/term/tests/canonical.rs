//! Models up to the names of elements: renaming changes nothing, and different models stay different.

use std::collections::{BTreeMap, BTreeSet};

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_term::{
    ArithmeticOp, ArrayValue, BitVector, ChosenResults, Evaluator, FunctionValue, Model, Op, Sort, SortId,
    SymbolId, TermStore, Value,
};

/// A store with a declared sort, and one symbol of each shape.
struct World {
    store: TermStore,
    sort: SortId,
    bit: SortId,
    constants: Vec<SymbolId>,
    functions: Vec<SymbolId>,
}

impl World {
    fn new() -> World {
        let mut store = TermStore::new();
        let declaration = store.declare_sort("U", 0);
        let sort =
            store.intern_sort(Sort::Uninterpreted { declaration, arguments: [].into() }).expect("a sort");
        let bit = store.bit_vec_sort(1).expect("a width");
        let arrays =
            [store.array_sort(sort, SortId::BOOL), store.array_sort(sort, sort), store.array_sort(bit, sort)];
        let constants = [&arrays[..], &[sort, sort]].concat();
        let constants =
            (0..).zip(constants).map(|(number, sort)| store.declare(&format!("c{number}"), &[], sort));
        let constants = constants.collect();
        let two_bits = store.bit_vec_sort(2).expect("a width");
        let functions = vec![
            store.declare("f", &[sort, sort], SortId::BOOL),
            store.declare("g", &[sort], sort),
            store.declare("h", &[two_bits], sort),
        ];
        World { store, sort, bit, constants, functions }
    }

    fn element(&self, index: u32) -> Value {
        Value::Uninterpreted { sort: self.sort, index }
    }

    /// A random value of a sort with `count` elements.
    fn value(&self, sort: SortId, count: u32, random: &mut ChaCha8Rng) -> Value {
        match *self.store.sort(sort) {
            Sort::Bool => Value::Bool(random.random()),
            Sort::BitVec(width) => Value::BitVec(BitVector::from_bits(width, |_| random.random())),
            Sort::Array { index, element } => {
                let default = self.value(element, count, random);
                let mut array = ArrayValue::constant(&self.store, index, default);
                for _ in 0..random.random_range(0..=count) {
                    array = array.store(self.value(index, count, random), self.value(element, count, random));
                }
                Value::Array(array)
            }
            _ => self.element(random.random_range(0..count)),
        }
    }

    fn model(&self, count: u32, random: &mut ChaCha8Rng) -> Model {
        let mut model = Model::new();
        if random.random() {
            model.set_universe(self.sort, count);
        }
        for &symbol in &self.constants {
            model.set_constant(symbol, self.value(self.store.symbol(symbol).result, count, random));
        }
        for &symbol in &self.functions {
            let declared = self.store.symbol(symbol);
            let mut entries = BTreeMap::new();
            for _ in 0..random.random_range(0..=count) {
                let point = declared.arguments.iter().map(|&sort| self.value(sort, count, random)).collect();
                entries.insert(point, self.value(declared.result, count, random));
            }
            let default = self.value(declared.result, count, random);
            model.set_function(symbol, FunctionValue::Table { entries, default });
        }
        model
    }

    fn renamed(&self, value: &Value, names: &[u32]) -> Value {
        match value {
            Value::Uninterpreted { index, .. } => self.element(names[*index as usize]),
            Value::Array(array) => {
                let index = if array.domain_size() == 2 { self.bit } else { self.sort };
                let copy = ArrayValue::constant(&self.store, index, self.renamed(array.default(), names));
                Value::Array(array.entries().fold(copy, |copy, (index, element)| {
                    copy.store(self.renamed(index, names), self.renamed(element, names))
                }))
            }
            other => other.clone(),
        }
    }

    /// The same model with other names.
    fn shuffled(&self, model: &Model, names: &[u32]) -> Model {
        let mut copy = Model::new();
        model.universes().iter().for_each(|(sort, count)| copy.set_universe(sort, count));
        for (symbol, value) in model.constants() {
            copy.set_constant(symbol, self.renamed(value, names));
        }
        for (symbol, function) in model.functions() {
            let FunctionValue::Table { entries, default } = function else { unreachable!("tables only") };
            let entries = entries.iter().map(|(point, result)| {
                let point = point.iter().map(|value| self.renamed(value, names)).collect();
                (point, self.renamed(result, names))
            });
            let entries = entries.collect();
            copy.set_function(
                symbol,
                FunctionValue::Table { entries, default: self.renamed(default, names) },
            );
        }
        copy
    }
}

#[test]
fn names_make_no_difference() {
    let world = World::new();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut forms = BTreeSet::new();
    for _ in 0..2_000 {
        let count = random.random_range(1..=5);
        let model = world.model(count, &mut random);
        let canonical = model.canonical(&world.store).expect("it has elements");
        let mut names: Vec<u32> = (0..count).collect();
        names.shuffle(&mut random);
        let other = world.shuffled(&model, &names);
        assert_eq!(other.canonical(&world.store).as_ref(), Some(&canonical), "{model:?} as {names:?}");
        assert_eq!(canonical.canonical(&world.store).as_ref(), Some(&canonical), "{model:?}");
        forms.insert(format!("{canonical:?}"));
    }
    assert!(forms.len() > 1_500, "different models have one form: {}", forms.len());
}

/// The canonical form makes the same statements true.
#[test]
fn the_canonical_form_is_the_same_model() {
    let mut world = World::new();
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let terms: Vec<_> =
        world.constants.clone().iter().map(|&symbol| world.store.symbol_term(symbol)).collect();
    let (truths, among, of_bits, x, y) = (terms[0], terms[1], terms[2], terms[3], terms[4]);
    let store = &mut world.store;
    let read = store.make(Op::Select, &[among, x]);
    let again = store.make(Op::Select, &[among, read]);
    let bit = store.bit_vector(BitVector::one(1));
    let of_one = store.make(Op::Select, &[of_bits, bit]);
    let written = store.make(Op::Store, &[among, y, x]);
    let array = store.sort_of(among);
    let everywhere = store.make(Op::ConstArray(array), &[x]);
    let called = store.make(Op::Apply(world.functions[1]), &[y]);
    let statements = [
        store.make(Op::Select, &[truths, again]),
        store.make(Op::Equal, &[again, y]),
        store.make(Op::Equal, &[of_one, x]),
        store.make(Op::Equal, &[written, everywhere]),
        store.make(Op::Equal, &[called, read]),
        store.make(Op::Apply(world.functions[0]), &[called, x]),
    ];
    let mut seen = BTreeSet::new();
    for _ in 0..500 {
        let model = world.model(random.random_range(1..=3), &mut random);
        let canonical = model.canonical(&world.store).expect("it has elements");
        let [before, after] = [&model, &canonical].map(|model| {
            let mut evaluator = Evaluator::new(&world.store, model);
            evaluator.evaluate(&statements).expect("within the universe");
            statements.map(|statement| evaluator.value(statement).cloned().expect("known"))
        });
        assert_eq!(before, after, "{model:?}");
        seen.insert(before);
    }
    assert!(seen.len() > 30, "{}", seen.len());
}

#[test]
fn chosen_results_stay() {
    let mut store = TermStore::new();
    let declaration = store.declare_sort("S", 0);
    let sort = store.intern_sort(Sort::Uninterpreted { declaration, arguments: [].into() }).expect("a sort");
    let element = store.declare("a", &[], sort);
    let [three, zero] = [3, 0].map(|number| Value::Int(number.into()));
    let quotient = (Op::Arithmetic(ArithmeticOp::Div), vec![three.clone(), zero]);
    let mut model = Model::new();
    model.set_constant(element, Value::Uninterpreted { sort, index: 4 });
    model.set_chosen_results(ChosenResults::new(BTreeMap::from([(quotient, three)])));
    let canonical = model.canonical(&store).expect("it has an element");
    assert_eq!(canonical.chosen_results(), model.chosen_results());
    assert_ne!(canonical.constant(element), model.constant(element));
}

#[test]
fn without_declared_sorts_nothing_changes() {
    let mut store = TermStore::new();
    let bit = store.bit_vec_sort(1).expect("a width");
    let x = store.declare("x", &[], bit);
    let mut model = Model::new();
    model.set_constant(x, Value::BitVec(BitVector::one(1)));
    assert_eq!(model.canonical(&store), None);
}

/// The number of elements decides whether arrays are equal, and an element beyond them does not exist.
#[test]
fn universes_bound_arrays() {
    let mut world = World::new();
    let array = world.store.symbol(world.constants[0]).result;
    let truths = world.store.symbol_term(world.constants[0]);
    let yes = world.store.bool(true);
    let all = world.store.make(Op::ConstArray(array), &[yes]);
    let equal = world.store.make(Op::Equal, &[truths, all]);
    let one_true = ArrayValue::constant(&world.store, world.sort, Value::Bool(false))
        .store(world.element(0), Value::Bool(true));
    for (count, expected) in [(Some(1), true), (Some(2), false), (None, false)] {
        let mut model = Model::new();
        count.into_iter().for_each(|count| model.set_universe(world.sort, count));
        model.set_constant(world.constants[0], Value::Array(one_true.clone()));
        let mut evaluator = Evaluator::new(&world.store, &model);
        evaluator.evaluate(&[equal]).expect("within the universe");
        assert_eq!(evaluator.value(equal), Some(&Value::Bool(expected)), "{count:?}");
    }
    let mut model = Model::new();
    model.set_universe(world.sort, 1);
    model.set_constant(world.constants[0], Value::Array(one_true.store(world.element(1), Value::Bool(true))));
    assert!(Evaluator::new(&world.store, &model).evaluate(&[equal]).is_err());
}

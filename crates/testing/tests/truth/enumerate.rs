//! All models of a formula with a small number of bits, by trying every assignment.

use std::collections::{BTreeMap, BTreeSet};

use sundry_coverage::ModelBits;
use sundry_sample::Problem;
use sundry_term::{
    ArrayValue, BitVector, FunctionValue, Model, Sort, SortId, SymbolId, TermStore, Universes, Value,
};

/// The number of assignments of the symbols, saturating.
pub fn assignment_count(store: &TermStore, symbols: &[SymbolId]) -> u64 {
    symbols.iter().fold(1, |count: u64, &symbol| {
        let declared = store.symbol(symbol);
        let points = declared
            .arguments
            .iter()
            .fold(1, |points: u64, &sort| points.saturating_mul(store.cardinality(sort)));
        let points = u32::try_from(points).unwrap_or(u32::MAX);
        count.saturating_mul(store.cardinality(declared.result).saturating_pow(points))
    })
}

/// The assignments of the formula's bits in its models, each once, in a fixed order.
pub fn all_model_bits(problem: &Problem) -> Vec<ModelBits> {
    let mut found = BTreeSet::new();
    for_each_model(problem, &mut |_, bits| {
        found.insert(bits.ones.iter().collect::<Vec<usize>>());
    });
    found
        .into_iter()
        .map(|ones| {
            let mut bits = ModelBits { ones: sundry_coverage::BitSet::new(problem.ast_bits.positions()) };
            ones.into_iter().for_each(|position| bits.ones.insert(position));
            bits
        })
        .collect()
}

/// Shows all models of the formula, which has no declared sorts, in a fixed order.
pub fn for_each_model(problem: &Problem, visit: &mut dyn FnMut(&Model, ModelBits)) {
    for_each_model_within(problem, &Universes::default(), visit);
}

/// Shows all models of the formula in which declared sorts have these elements, in a fixed order.
pub fn for_each_model_within(
    problem: &Problem,
    universes: &Universes,
    visit: &mut dyn FnMut(&Model, ModelBits),
) {
    let store = &problem.store;
    let meanings: Vec<(SymbolId, Vec<Meaning>)> =
        problem.symbols.iter().map(|&symbol| (symbol, meanings(store, universes, symbol))).collect();
    let mut digits = vec![0; meanings.len()];
    loop {
        let mut model = Model::new();
        for (sort, count) in universes.iter() {
            model.set_universe(sort, count);
        }
        for (&digit, (symbol, meanings)) in digits.iter().zip(&meanings) {
            match &meanings[digit] {
                Meaning::Constant(value) => model.set_constant(*symbol, value.clone()),
                Meaning::Function(function) => model.set_function(*symbol, function.clone()),
            }
        }
        let (bits, satisfied) =
            ModelBits::evaluate(store, &model, &problem.assertions, &problem.ast_bits).expect("tables only");
        if satisfied {
            visit(&model, bits);
        }
        let Some(position) =
            (0..digits.len()).find(|&position| digits[position] + 1 < meanings[position].1.len())
        else {
            break;
        };
        digits[..position].fill(0);
        digits[position] += 1;
    }
}

/// The values of a symbol.
enum Meaning {
    Constant(Value),
    Function(FunctionValue),
}

fn meanings(store: &TermStore, universes: &Universes, symbol: SymbolId) -> Vec<Meaning> {
    let declared = store.symbol(symbol);
    if declared.arguments.is_empty() {
        return values(store, universes, declared.result).into_iter().map(Meaning::Constant).collect();
    }
    let mut points = vec![Vec::new()];
    for &sort in &declared.arguments {
        let values = values(store, universes, sort);
        points = points
            .iter()
            .flat_map(|point: &Vec<Value>| {
                values.iter().map(|value| [&point[..], std::slice::from_ref(value)].concat())
            })
            .collect();
    }
    let default = Value::default_of(store, declared.result);
    maps(&points, &values(store, universes, declared.result))
        .into_iter()
        .map(|entries| Meaning::Function(FunctionValue::Table { entries, default: default.clone() }))
        .collect()
}

/// All values of a sort with a small number of them. Recurses as deep as sorts are nested.
fn values(store: &TermStore, universes: &Universes, sort: SortId) -> Vec<Value> {
    match *store.sort(sort) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => {
            (0..1u64 << width).map(|number| Value::BitVec(BitVector::from_u64(width, number))).collect()
        }
        Sort::Array { index, element } => {
            maps(&values(store, universes, index), &values(store, universes, element))
                .into_iter()
                .map(|entries| {
                    let mut array = ArrayValue::constant(store, index, Value::default_of(store, element));
                    for (index, element) in entries {
                        array = array.store(index, element);
                    }
                    Value::Array(array)
                })
                .collect()
        }
        Sort::Uninterpreted { .. } => {
            let count = universes.count(sort).expect("few elements");
            (0..count).map(|index| Value::Uninterpreted { sort, index }).collect()
        }
        ref other => unreachable!("{other:?} has too many values to try"),
    }
}

/// All maps from these points to these values.
fn maps<K: Ord + Clone>(points: &[K], values: &[Value]) -> Vec<BTreeMap<K, Value>> {
    let mut maps = vec![BTreeMap::new()];
    for point in points {
        maps = maps
            .iter()
            .flat_map(|map| {
                values.iter().map(|value| {
                    let mut longer: BTreeMap<K, Value> = map.clone();
                    longer.insert(point.clone(), value.clone());
                    longer
                })
            })
            .collect();
    }
    maps
}

//! Values of models as limbs: words of 64 bits, the least significant first.

use sundry_term::{BitVector, FunctionValue, Model, Sort, SortId, SymbolId, TermStore, Value};

/// The value of an array or a function in a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    /// The points with another value than the default: the limbs of index or arguments, and of the value.
    pub entries: Vec<(Vec<u64>, Vec<u64>)>,
    /// The value at all other points.
    pub default: Vec<u64>,
}

impl Content {
    /// The value of a declared array or function in a model. A symbol without a value has the default value of its
    /// sort.
    ///
    /// # Panics
    /// If there are no slots for a value, or the function has a body.
    pub fn of(store: &TermStore, symbol: SymbolId, model: &Model) -> Content {
        let declared = store.symbol(symbol);
        if declared.arguments.is_empty() {
            return match model.constant(symbol) {
                Some(value) => Content::of_array(value),
                None => Content::of_array(&Value::default_of(store, declared.result)),
            };
        }
        match model.function(symbol) {
            None => {
                Content { entries: Vec::new(), default: limbs(&Value::default_of(store, declared.result)) }
            }
            Some(FunctionValue::Table { entries, default }) => Content {
                entries: entries
                    .iter()
                    .map(|(arguments, result)| (arguments.iter().flat_map(limbs).collect(), limbs(result)))
                    .collect(),
                default: limbs(default),
            },
            Some(FunctionValue::Body { .. }) => panic!("a body is no table"),
        }
    }

    fn of_array(value: &Value) -> Content {
        let array = value.as_array().expect("an array");
        Content {
            entries: array.entries().map(|(index, element)| (limbs(index), limbs(element))).collect(),
            default: limbs(array.default()),
        }
    }
}

/// The limbs of a value of a sort that was compiled.
fn limbs(value: &Value) -> Vec<u64> {
    limbs_of(value).expect("compiled sorts have limbs")
}

/// The limbs of a value; `None` for a value without slots.
pub fn limbs_of(value: &Value) -> Option<Vec<u64>> {
    Some(match value {
        Value::Bool(value) => vec![u64::from(*value)],
        Value::BitVec(value) => value.limbs().to_vec(),
        Value::Uninterpreted { index, .. } => vec![u64::from(*index)],
        _ => return None,
    })
}

/// The value of a sort that has these limbs.
pub fn value_of(store: &TermStore, sort: SortId, limbs: &[u64]) -> Value {
    match *store.sort(sort) {
        Sort::Bool => Value::Bool(limbs[0] != 0),
        Sort::BitVec(width) => Value::BitVec(BitVector::from_limbs(width, limbs)),
        _ => Value::Uninterpreted { sort, index: limbs[0] as u32 },
    }
}

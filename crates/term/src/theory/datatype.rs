//! Datatypes: constructors, selectors and testers (SMT-LIB 2.6, section 4.2.3).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Halt, Open};
use crate::arguments::Arguments;
use crate::array::ArrayValue;
use crate::entity_id;
use crate::sort::{DatatypeId, Sort, SortId};
use crate::store::TermStore;
use crate::typecheck::{Checker, ResultSort, SortError};
use crate::value::Value;

/// Deepest nesting of values of datatypes and sequences that is computed; comparing and dropping recurse that deep.
pub(crate) const MAX_DEPTH: u32 = 500;

entity_id! {
    /// Identity of a constructor in a store.
    pub struct ConstructorId, "constructor"
}

/// A datatype as declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// The name without quotes.
    pub name: Box<str>,
    /// Sorts that stand for the parameters in the fields of constructors.
    pub parameters: Box<[SortId]>,
    /// The datatypes that were declared together with it, itself among them, in order.
    pub together: Box<[DatatypeId]>,
    /// The constructors; none between the declaration of the name and that of the constructors.
    pub constructors: Box<[ConstructorId]>,
}

/// The constructors that a declared datatype gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatatypeDefinition {
    /// The datatype.
    pub datatype: DatatypeId,
    /// The name of each constructor, without quotes, and its fields.
    pub constructors: Vec<(Box<str>, Vec<Field>)>,
}

/// A constructor of a datatype as declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    /// The name without quotes.
    pub name: Box<str>,
    /// The datatype that it belongs to.
    pub datatype: DatatypeId,
    /// The selectors with the sorts of their fields, which may contain parameters of the datatype.
    pub fields: Box<[Field]>,
}

/// A field of a constructor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name of the selector, without quotes.
    pub selector: Box<str>,
    /// The sort of the field.
    pub sort: SortId,
}

/// An operator of a declared datatype.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum DatatypeOp {
    /// The value of this sort with this constructor and these fields.
    Construct {
        /// The constructor.
        constructor: ConstructorId,
        /// The sort of the result: the fields do not always determine the arguments of a datatype with parameters.
        sort: SortId,
    },
    /// A field of a value; open where that has another constructor.
    Select {
        /// The constructor.
        constructor: ConstructorId,
        /// The position of the field.
        field: u32,
    },
    /// Whether a value has this constructor.
    Test(ConstructorId),
}

impl DatatypeOp {
    /// A word for the kind of operator; the names are those that were declared.
    pub fn name(self) -> &'static str {
        match self {
            DatatypeOp::Construct { .. } => "constructor",
            DatatypeOp::Select { .. } => "selector",
            DatatypeOp::Test(_) => "is",
        }
    }

    /// The name as declared.
    pub fn declared_name(self, store: &TermStore) -> &str {
        match self {
            DatatypeOp::Construct { constructor, .. } | DatatypeOp::Test(constructor) => {
                &store.constructor(constructor).name
            }
            DatatypeOp::Select { constructor, field } => {
                &store.constructor(constructor).fields[field as usize].selector
            }
        }
    }

    pub(crate) fn result_sort(self, check: &Checker<'_>) -> Result<ResultSort, SortError> {
        let store = check.store();
        match self {
            DatatypeOp::Construct { constructor, sort } => {
                let Some(fields) = store.field_sorts(sort, constructor) else {
                    let found = crate::print::SortDisplay::new(store, sort);
                    return Err(check.index(format!("{found} is no sort of the constructor's datatype")));
                };
                check.arity(fields.len(), fields.len())?;
                for (position, &field) in fields.iter().enumerate() {
                    check.is_sort(position, field)?;
                }
                Ok(ResultSort::Interned(sort))
            }
            DatatypeOp::Select { constructor, field } => {
                check.arity(1, 1)?;
                let sorts = check.is_of_datatype(constructor)?;
                Ok(ResultSort::Interned(sorts[field as usize]))
            }
            DatatypeOp::Test(constructor) => {
                check.arity(1, 1)?;
                check.is_of_datatype(constructor)?;
                Ok(ResultSort::Interned(SortId::BOOL))
            }
        }
    }

    pub(crate) fn apply<'v, F: Fn(usize) -> &'v Value + Copy>(
        self,
        a: Arguments<'_, F>,
    ) -> Result<Value, Halt> {
        match self {
            DatatypeOp::Construct { constructor, .. } => {
                let fields = (0..a.count()).map(|i| a.get(i).clone()).collect();
                DatatypeValue::new(constructor, fields).map(Value::Datatype).ok_or(Open::TooLarge.into())
            }
            DatatypeOp::Select { constructor, field } => {
                let value = a.datatype(0);
                let found = (value.constructor() == constructor).then(|| &value.fields()[field as usize]);
                found.cloned().ok_or(Open::WrongSelector.into())
            }
            DatatypeOp::Test(constructor) => Ok(Value::Bool(a.datatype(0).constructor() == constructor)),
        }
    }
}

impl Checker<'_> {
    /// The only argument is of the datatype of a constructor: the sorts of the fields.
    fn is_of_datatype(&self, constructor: ConstructorId) -> Result<&[SortId], SortError> {
        let store = self.store();
        store.field_sorts(self.argument_sort(0), constructor).ok_or_else(|| {
            let datatype = store.datatype(store.constructor(constructor).datatype);
            self.argument_error(0, format!("the datatype {}", datatype.name))
        })
    }
}

/// A value of a datatype.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DatatypeValue(Arc<Content>);

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Content {
    constructor: ConstructorId,
    fields: Box<[Value]>,
    depth: u32,
}

impl DatatypeValue {
    /// The value with this constructor and these fields; `None` when it is nested too deep.
    pub fn new(constructor: ConstructorId, fields: Box<[Value]>) -> Option<DatatypeValue> {
        let depth = fields.iter().map(Value::depth).max().unwrap_or(0);
        (depth <= MAX_DEPTH).then(|| DatatypeValue(Arc::new(Content { constructor, fields, depth })))
    }

    /// The constructor.
    pub fn constructor(&self) -> ConstructorId {
        self.0.constructor
    }

    /// The fields.
    pub fn fields(&self) -> &[Value] {
        &self.0.fields
    }

    /// The depth to which values are nested in the fields.
    pub(crate) fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Whether the value belongs to a sort, down to the last field.
    pub(crate) fn has_sort(&self, store: &TermStore, sort: SortId) -> bool {
        store.field_sorts(sort, self.constructor()).is_some_and(|sorts| {
            sorts.len() == self.fields().len()
                && self.fields().iter().zip(sorts).all(|(field, &sort)| field.has_sort(store, sort))
        })
    }
}

/// The constructor that ends soonest, for each sort of a datatype reachable from the first one, so that choosing it
/// everywhere makes a finite value; `None` if there is no finite value.
pub(crate) fn least_value(store: &TermStore, sort: SortId) -> Option<Value> {
    let mut known: BTreeMap<SortId, Value> = BTreeMap::new();
    let mut waiting = vec![sort];
    let mut position = 0;
    while let Some(&next) = waiting.get(position) {
        position += 1;
        let parts: Vec<SortId> = match store.sort(next) {
            Sort::Datatype { declaration, .. } => {
                let constructors = store.datatype(*declaration).constructors.iter();
                constructors
                    .flat_map(|&it| store.field_sorts(next, it).unwrap_or_default())
                    .copied()
                    .collect()
            }
            Sort::Array { element, .. } => vec![*element],
            _ => Vec::new(),
        };
        for part in parts {
            if !waiting.contains(&part) {
                waiting.push(part);
            }
        }
    }
    // Each round finds the values that are one level deeper; a sort with a value has one with at most as many levels
    // as there are sorts.
    for _ in 0..=waiting.len() {
        let round: Vec<(SortId, Value)> = waiting
            .iter()
            .filter(|sort| !known.contains_key(sort))
            .filter_map(|&sort| {
                let declaration = match store.sort(sort) {
                    Sort::Datatype { declaration, .. } => declaration,
                    Sort::Array { index, element } => {
                        let element = known.get(element)?.clone();
                        return Some((sort, Value::Array(ArrayValue::constant(store, *index, element))));
                    }
                    _ => return Some((sort, Value::default_of(store, sort))),
                };
                store.datatype(*declaration).constructors.iter().find_map(|&constructor| {
                    let sorts = store.field_sorts(sort, constructor)?;
                    let fields: Option<Box<[Value]>> =
                        sorts.iter().map(|sort| known.get(sort).cloned()).collect();
                    Some((sort, Value::Datatype(DatatypeValue::new(constructor, fields?)?)))
                })
            })
            .collect();
        known.extend(round);
        if let Some(value) = known.get(&sort) {
            return Some(value.clone());
        }
    }
    None
}

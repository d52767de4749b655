//! The content of a text: a formula, and the way in which people see its solutions.

use sundry_smtlib::Span;
use sundry_term::{BitVector, SymbolId, TermId, TermStore, Value};

/// A model as a formula.
#[derive(Clone, Debug)]
pub struct SystemModel {
    /// Holds the assertions.
    pub store: TermStore,
    /// The conditions of the model.
    pub assertions: Vec<Assertion>,
    /// All constants, in the order of the text.
    pub symbols: Vec<SymbolId>,
    /// The constants that people see, in the order of the text. The others are auxiliary.
    pub columns: Vec<Column>,
    /// Sets of parameters whose values are combined with a separate strength.
    pub groups: Vec<Group>,
    /// Remarks about the text.
    pub notes: Vec<Note>,
}

/// Something that has to hold, and where the text says so.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// A Boolean term.
    pub term: TermId,
    /// The place in the text.
    pub span: Span,
}

/// The way in which a constant is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name in the text; no two columns have the same.
    pub name: String,
    /// The constant.
    pub symbol: SymbolId,
    /// The names of each value of a bit-vector. Empty for a Boolean, which is shown as true or false.
    pub levels: Vec<Level>,
}

/// A value of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Level {
    /// The names of the level, the first of which is shown. There is at least one.
    pub names: Vec<String>,
    /// Whether the system has to refuse the value. No solution has two such values.
    pub is_negative: bool,
    /// The weight with which the value is preferred if the choice makes no other difference.
    pub weight: u32,
}

impl Level {
    /// The name that is shown.
    pub fn name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }
}

/// Parameters whose values are combined with a separate strength.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The parameters.
    pub symbols: Vec<SymbolId>,
    /// The number of values that are combined.
    pub strength: usize,
    /// The place of the group in the text.
    pub span: Span,
}

/// A remark about a place of a text that can be read all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// The text of the remark.
    pub message: String,
}

impl Column {
    /// The name of a value; `None` if the value has no meaning.
    pub fn name_of(&self, value: &Value) -> Option<&str> {
        match value {
            Value::Bool(value) if self.levels.is_empty() => Some(if *value { "true" } else { "false" }),
            Value::BitVec(bits) => {
                let code = usize::try_from(bits.to_u64()?).ok()?;
                self.levels.get(code).map(Level::name)
            }
            _ => None,
        }
    }

    /// The value that has a name; the first one if several have it.
    pub fn value_named(&self, store: &TermStore, name: &str) -> Option<Value> {
        if self.levels.is_empty() {
            return match name {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            };
        }
        let width = store.bit_vec_width(store.symbol(self.symbol).result)?;
        // The text contains the first name, so a first name takes precedence over other names.
        let first = self.levels.iter().position(|level| level.name() == name);
        let code = first
            .or_else(|| self.levels.iter().position(|level| level.names.iter().any(|other| other == name)))?;
        Some(Value::BitVec(BitVector::from_u64(width, code as u64)))
    }
}

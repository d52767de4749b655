//! The record of measuring models of a formula.

use serde::{Deserialize, Serialize};

/// The coverage of a formula by models.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CoverageRecord {
    /// The formula as named on the command line.
    pub formula: String,
    /// Version of the program.
    pub version: String,
    /// The units in which coverage is measured.
    pub measure: Measure,
    /// The number of low bits of each integer that are AST-bits, besides its sign; of points of wires, 64 without a sign.
    pub integer_bits: u32,
    /// All units.
    pub total: u64,
    /// Units that the models cover which satisfy the formula.
    pub covered: u64,
    /// The decision which AST-bits can be covered, where it was asked for.
    pub decided: Option<DecisionRecord>,
    /// Covered units as a share of those not proved impossible.
    pub coverage: f64,
    /// The points that each file covers by itself, where points of wires are measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wires: Option<WiresRecord>,
    /// The coverage of predicates, where some were given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub predicates: Option<PredicatesRecord>,
    /// The entries of the models, in the order of the command line.
    pub models: Vec<ModelRecord>,
}

/// The units of coverage.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// AST-bits.
    Ast,
    /// Points of wires.
    Wire,
}

/// The points of wires that the models of each file cover.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WiresRecord {
    /// Points that some file covers by itself.
    pub union: u64,
    /// The entries of the files, in the order of the command line.
    pub files: Vec<WiresOfFile>,
}

/// The points of wires that the models of a file cover by themselves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WiresOfFile {
    /// The file as named on the command line.
    pub file: String,
    /// Its models that satisfy the formula.
    pub models: u64,
    /// Points that these models cover.
    pub covered: u64,
    /// The share of all points that the file covers.
    pub of_all: f64,
    /// The share of the points that some file covers by itself.
    pub of_union: f64,
}

/// The coverage of predicates by models. Only models that satisfy the formula count.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PredicatesRecord {
    /// The file as named on the command line.
    pub file: String,
    /// The predicates in the order of the file.
    pub predicates: Vec<PredicateRecord>,
    /// Predicates that hold in some model.
    pub held: u64,
    /// Predicates that fail in some model.
    pub failed: u64,
    /// Predicates that hold in one model and fail in another.
    pub both_ways: u64,
    /// Entropy of the distribution of models over classes, in bits.
    pub entropy: f64,
    /// The classes of the models, the most frequent first.
    pub classes: Vec<ClassRecord>,
}

/// The coverage of one predicate by models.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PredicateRecord {
    /// The name of the predicate.
    pub name: String,
    /// Models in which it holds.
    pub holds: u64,
    /// Models in which it fails.
    pub fails: u64,
    /// Whether the predicate can hold at all, where that was asked for and is decided.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub can_hold: Option<bool>,
    /// Whether the predicate can fail at all, where that was asked for and is decided.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub can_fail: Option<bool>,
}

/// Models that give all predicates the same values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClassRecord {
    /// A digit for each predicate in order, 1 where it holds.
    pub class: String,
    /// The number of models.
    pub models: u64,
}

/// The numbers of AST-bits that can be covered, that cannot, and that are undecided.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// AST-bits that some solution is known to cover.
    pub valid: u64,
    /// AST-bits proved impossible.
    pub impossible: u64,
    /// AST-bits that are neither.
    pub unknown: u64,
    /// The models cover everything that can be covered.
    pub complete: bool,
}

/// The coverage of a formula by one model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ModelRecord {
    /// File and number of the model in it.
    pub model: String,
    /// Whether the model satisfies the formula; other models cover nothing.
    pub satisfies: bool,
    /// Units that are covered with it and not with those before it alone.
    pub gain: u64,
    /// Units covered by it and those before it.
    pub covered: u64,
    /// The contribution to the coverage of predicates, where some were given and the model satisfies the formula.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub predicates: Option<ModelPredicatesRecord>,
    /// The reason why the model does not satisfy the formula.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
    /// Declared symbols that it leaves out, which count as zero.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub missing: Vec<String>,
}

/// The contribution of one model to the coverage of predicates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ModelPredicatesRecord {
    /// The class of the model: a digit for each predicate in order, 1 where it holds.
    pub class: String,
    /// Predicates that hold in it or in one before it.
    pub held: u64,
    /// Predicates seen both ways in it and those before it.
    pub both_ways: u64,
    /// Classes of it and those before it.
    pub classes: u64,
}

impl CoverageRecord {
    /// The record as indented JSON with a line break at the end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

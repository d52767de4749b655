//! The record of measuring models of a formula.

use serde::{Deserialize, Serialize};

/// What models cover of a formula.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CoverageRecord {
    /// The formula as named on the command line.
    pub formula: String,
    /// Version of the program.
    pub version: String,
    /// All AST-bits.
    pub total: u64,
    /// AST-bits that the models cover which satisfy the formula.
    pub covered: u64,
    /// What is decided about the AST-bits, where that was asked for.
    pub decided: Option<DecisionRecord>,
    /// Covered AST-bits as a share of those not proved impossible.
    pub coverage: f64,
    /// One entry for each model, in the order of the command line.
    pub models: Vec<ModelRecord>,
}

/// Which AST-bits can be covered at all.
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

/// What one model covers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ModelRecord {
    /// File and number of the model in it.
    pub model: String,
    /// Whether it satisfies the formula; others cover nothing.
    pub satisfies: bool,
    /// AST-bits that it covers and none before it does.
    pub gain: u64,
    /// AST-bits covered by it and those before it.
    pub covered: u64,
    /// Why it does not satisfy the formula.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
    /// Declared symbols that it leaves out, which count as zero.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub missing: Vec<String>,
}

impl CoverageRecord {
    /// The record as indented JSON with a line break at the end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

//! What records of all kinds of runs have in common, so that a batch can be made of any of them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ending::Ending;

/// What a run was asked for, and how it ended.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Head<'a> {
    /// The formula as named on the command line.
    pub formula: &'a str,
    /// The strategy.
    pub strategy: &'a str,
    /// Options of the run by their long names.
    pub options: &'a BTreeMap<String, Value>,
    /// Seed of all randomness.
    pub seed: u64,
    /// Version of the program.
    pub version: &'a str,
    /// Number of solutions.
    pub solutions: u64,
    /// Why the run ended.
    pub stopped_by: Ending,
    /// Exit status of the run.
    pub status: u8,
}

/// The record of a run on one formula.
pub trait Record: Serialize + DeserializeOwned {
    /// The columns of a summary between the name of the formula and how its run ended.
    const COLUMNS: &'static [&'static str];

    /// What the run was asked for, and how it ended.
    fn head(&self) -> Head<'_>;

    /// A cell for each of the [`COLUMNS`](Self::COLUMNS).
    fn cells(&self) -> Vec<String>;

    /// The record as indented JSON with a line break at the end.
    fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

//! Pearson's chi-square test of whether samples are uniform.

use std::collections::BTreeMap;

use sundry_sample::Problem;
use sundry_term::{Model, Value};

/// Pearson's statistic: the distance of the numbers of samples of each solution from equal numbers.
#[derive(Copy, Clone, Debug)]
pub struct ChiSquare {
    /// The sum of squared differences from the expected numbers, over the expected number.
    pub statistic: f64,
    /// The number of solutions less one.
    pub degrees: f64,
    /// The value that the statistic exceeds with a probability of 0.001 if the samples are uniform.
    pub quantile: f64,
}

impl ChiSquare {
    /// The statistic of the numbers of samples of solutions that came, among this number of solutions.
    pub fn new(counts: impl Iterator<Item = u64>, solutions: u64) -> Self {
        let (mut total, mut squares) = (0.0, 0.0);
        for count in counts {
            total += count as f64;
            squares += (count as f64).powi(2);
        }
        let statistic = squares * solutions as f64 / total - total;
        let degrees = solutions as f64 - 1.0;
        ChiSquare { statistic, degrees, quantile: quantile(degrees) }
    }
}

/// The 0.999 quantile, after Wilson & Hilferty, *The distribution of chi-square* (1931).
fn quantile(degrees: f64) -> f64 {
    const NORMAL: f64 = 3.090_232_306;
    let part = 2.0 / (9.0 * degrees);
    if degrees == 0.0 { 0.0 } else { degrees * (1.0 - part + NORMAL * part.sqrt()).powi(3) }
}

/// The number of times that each solution came: the values of its Boolean and bit-vector constants.
#[derive(Default)]
pub struct Tally(pub BTreeMap<Vec<Value>, u64>);

impl Tally {
    /// Counts a solution.
    pub fn add(&mut self, problem: &Problem, model: &Model) {
        let is_plain = |value: &&Value| matches!(value, Value::Bool(_) | Value::BitVec(_));
        let values =
            problem.symbols.iter().filter_map(|&symbol| model.constant(symbol)).filter(is_plain).cloned();
        *self.0.entry(values.collect()).or_default() += 1;
    }
}

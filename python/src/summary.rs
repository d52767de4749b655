//! Figures of a run as a dictionary, from which `sundry.result` makes an object.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sundry::Formula;
use sundry::pipeline::{Covered, Part, Summary};
use sundry::record::{CurveRecord, PartRecord, SetRecord, TuplesRecord, UniformRecord, VolumeRecord, ending};

/// Progress of a set on its way: solutions, covered, what can be covered, lower bound, seconds.
pub type Progress = (usize, u64, u64, usize, f64);

/// The figures of a set.
pub fn progress(solutions: usize, covered: Covered, lower_bound: usize, seconds: f64) -> Progress {
    (solutions, covered.count(), covered.base(), lower_bound, seconds)
}

/// All figures of a run of a formula: those of its record, under the names of `sundry.result`.
pub fn figures<'py>(py: Python<'py>, summary: &Summary, formula: &Formula) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("stopped_by", ending(summary.stopped_by).name())?;
    dict.set_item("rejected", summary.rejected)?;
    dict.set_item("seconds", summary.seconds)?;
    match formula.figures(summary) {
        PartRecord::Set(set) => add_set(&dict, &set)?,
        PartRecord::Tuples(tuples) => add_tuples(&dict, &tuples, summary)?,
        PartRecord::Volume(VolumeRecord { questions, uniform: Some(uniform), .. }) => {
            add_uniform(&dict, questions, &uniform)?;
        }
        PartRecord::Volume(volume) => add_volume(&dict, &volume)?,
    }
    Ok(dict)
}

fn add_set(dict: &Bound<'_, PyDict>, set: &SetRecord) -> PyResult<()> {
    dict.set_item("kind", "set")?;
    dict.set_item("covered", set.covered)?;
    dict.set_item("possible", set.valid)?;
    dict.set_item("impossible", set.impossible)?;
    dict.set_item("unknown", set.unknown)?;
    dict.set_item("coverage", set.coverage)?;
    dict.set_item("complete", set.complete)?;
    dict.set_item("minimal", set.proved_minimal)?;
    dict.set_item("bound", set.lower_bound)?;
    let point = |point: &CurveRecord| (point.seconds, point.solutions, point.covered);
    dict.set_item("curve", set.curve.iter().map(point).collect::<Vec<_>>())?;
    let rated = set.per_solution.iter().map(|solution| (solution.gain, solution.seconds));
    dict.set_item("rated", rated.collect::<Vec<_>>())
}

fn add_tuples(dict: &Bound<'_, PyDict>, set: &TuplesRecord, summary: &Summary) -> PyResult<()> {
    let base = set.tuples - set.impossible;
    let is_complete = set.open == 0 && !set.gains.is_empty();
    // A search that has ended before it made the factors does not know what there is to cover.
    let known = |count: u64| (set.factors > 0 || is_complete).then_some(count);
    let coverage = if base == 0 { 1.0 } else { set.covered as f64 / base as f64 };
    dict.set_item("kind", "tuples")?;
    dict.set_item("covered", set.covered)?;
    dict.set_item("possible", known(base - set.open))?;
    dict.set_item("impossible", known(set.impossible))?;
    dict.set_item("unknown", known(set.open))?;
    dict.set_item("coverage", known(0).map(|_| coverage))?;
    dict.set_item("complete", is_complete)?;
    dict.set_item("minimal", is_complete && set.gains.len() <= set.lower_bound)?;
    dict.set_item("bound", set.lower_bound)?;
    dict.set_item("factors", set.factors)?;
    dict.set_item("strength", set.strength)?;
    // Records of combinations have no times.
    let seconds = match &summary.part {
        Part::Tuples(tuples) => tuples.solutions.iter().map(|rated| rated.seconds).collect(),
        _ => Vec::new(),
    };
    let rated: Vec<(u64, f64)> = set.gains.iter().copied().zip(seconds).collect();
    let mut covered = 0;
    let mut curve = Vec::new();
    for (position, (gain, seconds)) in rated.iter().enumerate() {
        covered += gain;
        curve.push((*seconds, position + 1, covered));
    }
    dict.set_item("curve", curve)?;
    dict.set_item("rated", rated)
}

fn add_volume(dict: &Bound<'_, PyDict>, volume: &VolumeRecord) -> PyResult<()> {
    dict.set_item("kind", "volume")?;
    dict.set_item("candidates", volume.candidates)?;
    dict.set_item("valid", volume.valid)?;
    dict.set_item("epochs", volume.epochs)?;
    dict.set_item("questions", volume.questions)?;
    dict.set_item("window", volume.window)
}

fn add_uniform(dict: &Bound<'_, PyDict>, questions: u64, uniform: &UniformRecord) -> PyResult<()> {
    dict.set_item("kind", "uniform")?;
    dict.set_item("questions", questions)?;
    dict.set_item("misses", uniform.misses)?;
    dict.set_item("undrawn", uniform.undrawn)?;
    dict.set_item("exact", uniform.exact)?;
    dict.set_item("free_bits", uniform.free_bits)?;
    dict.set_item("solutions_log2", uniform.solutions_log2)
}

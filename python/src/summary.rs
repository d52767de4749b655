//! Figures of a run as a dictionary, from which `sundry.result` makes an object.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sundry::StopReason;
use sundry::pipeline::{
    Covered, CurvePoint, Part, RatedSolution, SetSummary, SolutionCount, Summary, TupleSummary,
    UniformStatistics, VolumeStatistics,
};

/// Progress of a set on its way: solutions, covered, what can be covered, lower bound, seconds.
pub type Progress = (usize, u64, u64, usize, f64);

/// The figures of a set.
pub fn progress(solutions: usize, covered: Covered, lower_bound: usize, seconds: f64) -> Progress {
    (solutions, covered.count(), covered.base(), lower_bound, seconds)
}

/// The word for the end of a run, the same as in records of the command line.
fn word(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Complete => "complete",
        StopReason::Target => "target",
        StopReason::MaximalSolutions => "max-solutions",
        StopReason::Deadline => "timeout",
        StopReason::Interrupted => "interrupted",
        StopReason::Memory => "memory",
        StopReason::Unsatisfiable => "unsatisfiable",
        StopReason::Effort => "effort",
        StopReason::NothingNew => "nothing-new",
    }
}

/// All figures of a run. `total` is the number of AST-bits of the formula.
pub fn figures<'py>(py: Python<'py>, summary: &Summary, total: usize) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("stopped_by", word(summary.stopped_by))?;
    dict.set_item("rejected", summary.rejected)?;
    dict.set_item("seconds", summary.seconds)?;
    match &summary.part {
        Part::Set(set) => add_set(&dict, set, total, summary.stopped_by)?,
        Part::Tuples(tuples) => add_tuples(&dict, tuples)?,
        Part::Volume(statistics) => add_volume(&dict, statistics)?,
        Part::Uniform(statistics) => add_uniform(&dict, statistics)?,
    }
    Ok(dict)
}

fn add_set(dict: &Bound<'_, PyDict>, set: &SetSummary, total: usize, reason: StopReason) -> PyResult<()> {
    let validity = set.validity;
    // A formula without solutions covers nothing.
    let is_unsatisfiable = reason == StopReason::Unsatisfiable;
    dict.set_item("kind", "set")?;
    dict.set_item("covered", set.covered())?;
    dict.set_item("possible", if is_unsatisfiable { 0 } else { validity.valid })?;
    dict.set_item("impossible", if is_unsatisfiable { total as u64 } else { validity.impossible })?;
    dict.set_item("unknown", if is_unsatisfiable { 0 } else { validity.unknown })?;
    dict.set_item("coverage", set.share())?;
    dict.set_item("complete", set.is_complete())?;
    dict.set_item("minimal", set.is_proved_minimal())?;
    dict.set_item("bound", set.lower_bound)?;
    let point = |point: &CurvePoint| (point.seconds, point.solutions, point.covered);
    dict.set_item("curve", set.curve.iter().map(point).collect::<Vec<_>>())?;
    add_rated(dict, &set.solutions)
}

fn add_tuples(dict: &Bound<'_, PyDict>, set: &TupleSummary) -> PyResult<()> {
    let tuples = set.tuples;
    let base = tuples.all - tuples.impossible;
    let is_complete = tuples.open() == 0 && !set.solutions.is_empty();
    dict.set_item("kind", "tuples")?;
    dict.set_item("covered", tuples.covered)?;
    dict.set_item("possible", base - tuples.open())?;
    dict.set_item("impossible", tuples.impossible)?;
    dict.set_item("unknown", tuples.open())?;
    dict.set_item("coverage", if base == 0 { 1.0 } else { tuples.covered as f64 / base as f64 })?;
    dict.set_item("complete", is_complete)?;
    dict.set_item("minimal", is_complete && set.solutions.len() <= set.lower_bound)?;
    dict.set_item("bound", set.lower_bound)?;
    dict.set_item("factors", set.factors)?;
    dict.set_item("strength", set.strength)?;
    let mut covered = 0;
    let mut curve = Vec::new();
    for (position, rated) in set.solutions.iter().enumerate() {
        covered += rated.gain;
        curve.push((rated.seconds, position + 1, covered));
    }
    dict.set_item("curve", curve)?;
    add_rated(dict, &set.solutions)
}

/// Gains and times of solutions, in their order.
fn add_rated(dict: &Bound<'_, PyDict>, solutions: &[RatedSolution]) -> PyResult<()> {
    let rated = solutions.iter().map(|rated| (rated.gain, rated.seconds));
    dict.set_item("rated", rated.collect::<Vec<_>>())
}

fn add_volume(dict: &Bound<'_, PyDict>, statistics: &VolumeStatistics) -> PyResult<()> {
    dict.set_item("kind", "volume")?;
    dict.set_item("candidates", statistics.candidates)?;
    dict.set_item("valid", statistics.valid)?;
    dict.set_item("epochs", statistics.epochs)?;
    dict.set_item("questions", statistics.questions)?;
    dict.set_item("window", statistics.window)
}

fn add_uniform(dict: &Bound<'_, PyDict>, statistics: &UniformStatistics) -> PyResult<()> {
    dict.set_item("kind", "uniform")?;
    dict.set_item("questions", statistics.questions)?;
    dict.set_item("misses", statistics.misses)?;
    dict.set_item("exact", statistics.exact)?;
    dict.set_item("free_bits", statistics.free_bits)?;
    let log2 = statistics.solutions.map(|count| match count {
        SolutionCount::Exact(count) => (count as f64).log2(),
        SolutionCount::AboutLog2(log2) => log2,
    });
    dict.set_item("solutions_log2", log2.map(|log2| log2 + statistics.free_bits as f64))
}

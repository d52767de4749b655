//! Records of runs as plain data, which `serde` reads and writes: the JSON that `sundry sample --record` and batches write.
//!
//! ```
//! use sundry::record::{BatchEntry, FailureRecord, Status, read_entries};
//!
//! let failed = FailureRecord {
//!     formula: "door.smt2".to_string(),
//!     error: "unknown symbol 'dor'".to_string(),
//!     status: Status::Input,
//!     version: "1".to_string(),
//! };
//! let entries = [BatchEntry::Failed(failed)];
//! assert_eq!(read_entries(&sundry::batch::lines(&entries)[..])?, entries);
//! # Ok::<(), std::io::Error>(())
//! ```

use sundry_sample::{
    CurvePoint, Part, SetSummary, SolutionCount, StopReason, Summary, TupleCounts, TupleSummary,
    UniformStatistics, Validity, VolumeStatistics,
};

use crate::formula::Formula;

pub use crate::below::records::{
    BatchEntry, ClassRecord, CoverageRecord, CurveRecord, DecisionRecord, Ending, FailureRecord, Measure,
    ModelRecord, PartRecord, PredicateRecord, PredicatesRecord, RunHead, RunKind, RunRecord, SetRecord,
    SolutionRecord, Status, TuplesRecord, UniformRecord, VolumeRecord, read_entries, write_entry,
};

impl Formula {
    /// The figures of a run of this formula as plain data: of a set its coverage, bound, milestones and curve; of combinations their
    /// counts; of a search at volume its effort.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sundry::Formula;
    /// use sundry::record::PartRecord;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let summary = formula.sampler().observe(&mut |_| ControlFlow::Continue(()))?;
    /// let PartRecord::Set(set) = formula.figures(&summary) else { panic!("a set") };
    /// assert_eq!((set.covered, set.valid, set.impossible, set.proved_minimal), (5, 5, 1, true));
    /// assert_eq!(set.curve.last().map(|point| point.covered), Some(5));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn figures(&self, summary: &Summary) -> PartRecord {
        match &summary.part {
            Part::Set(set) => PartRecord::Set(self.set_record(summary.stopped_by, set)),
            Part::Tuples(tuples) => PartRecord::Tuples(tuples_record(tuples)),
            Part::Volume(statistics) => PartRecord::Volume(volume_record(statistics)),
            Part::Uniform(statistics) => {
                let volume = volume_record(&VolumeStatistics::default());
                let uniform = Some(uniform_record(statistics));
                PartRecord::Volume(VolumeRecord { questions: statistics.questions, uniform, ..volume })
            }
        }
    }

    fn set_record(&self, stopped_by: StopReason, set: &SetSummary) -> SetRecord {
        let total = self.parts().problem.ast_bits.total() as u64;
        let validity = match stopped_by {
            // Where there is no solution, nothing can be covered.
            StopReason::Unsatisfiable => Validity { valid: 0, impossible: total, unknown: 0 },
            _ => set.validity,
        };
        let curve = set.curve.iter();
        SetRecord {
            covered: set.covered(),
            valid: validity.valid,
            impossible: validity.impossible,
            unknown: validity.unknown,
            total,
            coverage: set.share(),
            complete: set.is_complete(),
            lower_bound: set.lower_bound,
            proved_minimal: set.is_proved_minimal(),
            seconds_to_target: set.milestones.target,
            seconds_complete: set.milestones.complete,
            seconds_minimal: set.milestones.minimal,
            per_solution: set
                .solutions
                .iter()
                .map(|rated| SolutionRecord { gain: rated.gain, seconds: rated.seconds })
                .collect(),
            curve: curve
                .map(|&CurvePoint { seconds, solutions, covered }| CurveRecord {
                    seconds,
                    solutions,
                    covered,
                })
                .collect(),
        }
    }
}

fn volume_record(statistics: &VolumeStatistics) -> VolumeRecord {
    VolumeRecord {
        earlier: 0,
        candidates: statistics.candidates,
        valid: statistics.valid,
        epochs: statistics.epochs,
        questions: statistics.questions,
        window: statistics.window.map(|window| window as u64),
        uniform: None,
    }
}

fn tuples_record(outcome: &TupleSummary) -> TuplesRecord {
    let TupleCounts { all, covered, impossible } = outcome.tuples;
    TuplesRecord {
        strength: outcome.strength,
        factors: outcome.factors,
        tuples: all,
        covered,
        impossible,
        open: outcome.tuples.open(),
        lower_bound: outcome.lower_bound,
        all: outcome.is_all,
        gains: outcome.solutions.iter().map(|solution| solution.gain).collect(),
    }
}

/// The distribution of independent draws as plain data.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry::pipeline::Part;
/// use sundry::{Formula, Strategy, record};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 4))")?;
/// let sampler = formula.sampler().strategy(Strategy::Uniform(0.3)).max_solutions(10);
/// let Part::Uniform(statistics) = sampler.observe(&mut |_| ControlFlow::Continue(()))?.part else { panic!("draws") };
/// let uniform = record::uniform_record(&statistics);
/// assert!(uniform.exact && uniform.solutions_log2 == Some(4.0));
/// # Ok::<(), sundry::Error>(())
/// ```
pub fn uniform_record(statistics: &UniformStatistics) -> UniformRecord {
    let log2 = |count| match count {
        SolutionCount::Exact(count) => (count as f64).log2(),
        SolutionCount::AboutLog2(log2) => log2,
    };
    UniformRecord {
        exact: statistics.exact,
        solutions_log2: statistics.solutions.map(|count| log2(count) + statistics.free_bits as f64),
        free_bits: statistics.free_bits,
        undrawn: statistics.undrawn,
        hash_bits: statistics.hash_bits,
        threshold: statistics.threshold,
        cells: statistics.cells,
        misses: statistics.misses,
    }
}

/// The reason why a run ended, in the words of records.
///
/// ```
/// use sundry::StopReason;
/// use sundry::record::{Ending, ending};
///
/// assert_eq!(ending(StopReason::Deadline), Ending::Timeout);
/// ```
pub fn ending(reason: StopReason) -> Ending {
    match reason {
        StopReason::Complete => Ending::Complete,
        StopReason::Target => Ending::Target,
        StopReason::MaximalSolutions => Ending::MaximalSolutions,
        StopReason::Deadline => Ending::Timeout,
        StopReason::Interrupted => Ending::Interrupted,
        StopReason::Memory => Ending::Memory,
        StopReason::Unsatisfiable => Ending::Unsatisfiable,
        StopReason::Effort => Ending::Effort,
        StopReason::NothingNew => Ending::NothingNew,
    }
}

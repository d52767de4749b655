//! The results of a run: one summary, with a part for each kind of run.

use sundry_coverage::{BitSet, Coverage};

use super::event::RatedSolution;
use crate::obligations::Obligation;
use crate::problem::Problem;
use crate::strategy::{StopReason, Validity};
use crate::twise::TupleCounts;
use crate::uniform::UniformStatistics;
use crate::volume::VolumeStatistics;

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The reason why the run ended.
    pub stopped_by: StopReason,
    /// Models that the solver proposed and the evaluator rejected: defects of the solver.
    pub rejected: u64,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The part that is particular to the kind of run.
    pub part: Part,
}

/// The part of a summary that is particular to the kind of run.
#[derive(Clone, Debug)]
pub enum Part {
    /// A set that covers AST-bits.
    Set(SetSummary),
    /// A set that shows combinations of values.
    Tuples(TupleSummary),
    /// Solutions that were handed out as they were found.
    Volume(VolumeStatistics),
    /// Independent draws.
    Uniform(UniformStatistics),
}

impl Summary {
    /// The set of solutions; none where solutions were handed out as they were found.
    pub fn solutions(&self) -> &[RatedSolution] {
        match &self.part {
            Part::Set(set) => &set.solutions,
            Part::Tuples(tuples) => &tuples.solutions,
            Part::Volume(_) | Part::Uniform(_) => &[],
        }
    }

    /// The part of a run that covers AST-bits.
    pub fn set(&self) -> Option<&SetSummary> {
        match &self.part {
            Part::Set(set) => Some(set),
            _ => None,
        }
    }

    /// The part of a run that covers combinations of values.
    pub fn tuples(&self) -> Option<&TupleSummary> {
        match &self.part {
            Part::Tuples(tuples) => Some(tuples),
            _ => None,
        }
    }

    /// The part of a run that hands out solutions as they are found.
    pub fn volume(&self) -> Option<&VolumeStatistics> {
        match &self.part {
            Part::Volume(statistics) => Some(statistics),
            _ => None,
        }
    }

    /// The part of a run that draws solutions.
    pub fn uniform(&self) -> Option<&UniformStatistics> {
        match &self.part {
            Part::Uniform(statistics) => Some(statistics),
            _ => None,
        }
    }
}

/// A set that covers AST-bits.
#[derive(Clone, Debug)]
pub struct SetSummary {
    /// The solutions, each adding at least as much as any later one would have in its place.
    pub solutions: Vec<RatedSolution>,
    /// The AST-bits that the solutions cover.
    pub coverage: Coverage,
    /// The state of knowledge about all AST-bits.
    pub validity: Validity,
    /// The AST-bits proved impossible, by number.
    pub impossible: BitSet,
    /// The proved lower bound on the size of sets that cover as much; 0 where nothing is known.
    pub lower_bound: usize,
    /// Numbers of AST-bits behind the lower bound: no model covers two of them.
    pub exclusive: Vec<usize>,
    /// Whether the target coverage is reached.
    pub has_reached_target: bool,
    /// The points of the coverage curve, one for each time that more was covered than ever before.
    pub curve: Vec<CurvePoint>,
    /// The times when the run reached its milestones.
    pub milestones: Milestones,
}

impl SetSummary {
    /// The set of a run that was stopped before it began.
    pub(super) fn nothing(problem: &Problem) -> Self {
        let total = problem.ast_bits.total();
        SetSummary {
            solutions: Vec::new(),
            coverage: Coverage::new(&problem.ast_bits),
            validity: Validity { unknown: total as u64, ..Validity::default() },
            impossible: BitSet::new(total),
            lower_bound: 0,
            exclusive: Vec::new(),
            has_reached_target: false,
            curve: Vec::new(),
            milestones: Milestones::default(),
        }
    }

    /// The number of AST-bits that the solutions cover.
    pub fn covered(&self) -> u64 {
        self.coverage.covered() as u64
    }

    /// Whether everything that can be covered is covered, and the rest proved impossible.
    pub fn is_complete(&self) -> bool {
        !self.solutions.is_empty() && self.validity.unknown == 0 && self.covered() == self.validity.valid
    }

    /// Whether it is proved that no complete set has fewer solutions.
    pub fn is_proved_minimal(&self) -> bool {
        self.is_complete() && self.solutions.len() <= self.lower_bound
    }

    /// Covered AST-bits as a share of those not proved impossible; 1 where there are none.
    pub fn share(&self) -> f64 {
        let base = self.validity.valid + self.validity.unknown;
        if base == 0 { 1.0 } else { self.covered() as f64 / base as f64 }
    }
}

/// A set that shows combinations of values.
#[derive(Clone, Debug)]
pub struct TupleSummary {
    /// The solutions, the best first.
    pub solutions: Vec<RatedSolution>,
    /// The number of factors.
    pub factors: usize,
    /// The number of values in a tuple: the requested strength, or the number of factors if that is less.
    pub strength: usize,
    /// Whether some tuples have more values, those of groups that are combined more closely.
    pub is_mixed: bool,
    /// The counts of tuples that the solutions cover.
    pub tuples: TupleCounts,
    /// The proved lower bound on the size of sets that cover as much.
    pub lower_bound: usize,
    /// Whether these are all solutions of the formula.
    pub is_all: bool,
    /// The reasons, if wanted, why tuples are impossible: no solutions exist (`unsatisfiable`), none besides those
    /// listed (`further`), or some sets of values exclude one another (`impossible`).
    pub obligations: Vec<Obligation>,
}

impl TupleSummary {
    /// The set of a run for tuples of this strength that was stopped before it began.
    pub(super) fn nothing(strength: usize) -> Self {
        TupleSummary {
            solutions: Vec::new(),
            factors: 0,
            strength,
            is_mixed: false,
            tuples: TupleCounts::default(),
            lower_bound: 0,
            is_all: false,
            obligations: Vec::new(),
        }
    }
}

/// The times when a run reached its milestones, in seconds from its start; `None` for those never reached.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Milestones {
    /// The target coverage.
    pub target: Option<f64>,
    /// Complete coverage, with everything else proved impossible.
    pub complete: Option<f64>,
    /// A complete set, and the proof that no smaller one is complete.
    pub minimal: Option<f64>,
}

/// The coverage of a run at some time.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct CurvePoint {
    /// Seconds since the start.
    pub seconds: f64,
    /// Number of solutions.
    pub solutions: usize,
    /// AST-bits that the solutions cover.
    pub covered: u64,
}

//! Kinds of defects, as findings are counted.

use serde::{Deserialize, Serialize};
use sundry_fuzz::Defect;

/// A kind of defect.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `sat` instead of `unsat`, or the other way round.
    WrongAnswer,
    /// A model that does not satisfy the formula.
    InvalidModel,
    /// An unsatisfiable core that is none.
    WrongCore,
    /// A crash, a failed assertion or a sanitizer's report.
    Crash,
}

impl Kind {
    /// All kinds, the worst first.
    pub const ALL: [Kind; 4] = [Kind::WrongAnswer, Kind::InvalidModel, Kind::WrongCore, Kind::Crash];

    /// That of a defect.
    pub fn of(defect: &Defect) -> Kind {
        match defect {
            Defect::WrongAnswer { .. } => Kind::WrongAnswer,
            Defect::InvalidModel => Kind::InvalidModel,
            Defect::SatisfiableCore | Defect::StrayCore => Kind::WrongCore,
            Defect::Crash(_) => Kind::Crash,
        }
    }

    /// What one of them is called.
    pub fn name(self) -> &'static str {
        match self {
            Kind::WrongAnswer => "wrong answer",
            Kind::InvalidModel => "invalid model",
            Kind::WrongCore => "wrong core",
            Kind::Crash => "crash",
        }
    }
}

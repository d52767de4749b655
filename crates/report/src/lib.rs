//! Records of runs: plain data that outlives the run, and the ways to write it down.
//!
//! Everything here is strings, numbers and lists with the names that stand in the files. It knows
//! nothing of formulas and solvers, so that records can be read by programs that have neither; the
//! command line fills them in. JSON comes from `serde`, CSV and text tables from here.

mod batch;
mod coverage;
mod csv;
mod ending;
pub mod page;
mod record;
mod set;
mod status;
mod table;
mod totals;
mod tuples;
pub mod untrusted;
mod volume;

pub use batch::{BatchEntry, FailureRecord, read_entries, write_entry};
pub use coverage::{
    ClassRecord, CoverageRecord, DecisionRecord, Measure, ModelPredicatesRecord, ModelRecord,
    PredicateRecord, PredicatesRecord, WiresOfFile, WiresRecord,
};
pub use csv::write_summary_csv;
pub use ending::Ending;
pub use record::{PartRecord, RunHead, RunKind, RunRecord};
pub use set::{CurveRecord, SetRecord, SolutionRecord};
pub use status::Status;
pub use table::{Alignment, Table};
pub use totals::Totals;
pub use tuples::TuplesRecord;
pub use volume::{UniformRecord, VolumeRecord};

/// A share as a percentage with two digits, never rounded up to 100 %.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part >= whole {
        return "100 %".to_string();
    }
    // Hundredths of a percent, rounded down.
    let hundredths = u128::from(part) * 10_000 / u128::from(whole);
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn only_everything_is_a_hundred_percent() {
        assert_eq!(percent(3, 3), "100 %");
        assert_eq!(percent(0, 0), "100 %");
        assert_eq!(percent(0, 7), "0.00 %");
        assert_eq!(percent(1, 3), "33.33 %");
        assert_eq!(percent(2, 3), "66.66 %");
        assert_eq!(percent(999_999, 1_000_000), "99.99 %");
        assert_eq!(percent(u64::MAX - 1, u64::MAX), "99.99 %");
    }
}

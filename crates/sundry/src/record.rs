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

pub use sundry_report::{
    BatchEntry, ClassRecord, CoverageRecord, CurveRecord, DecisionRecord, Ending, FailureRecord, Measure,
    ModelRecord, PartRecord, PredicateRecord, PredicatesRecord, RunHead, RunKind, RunRecord, SetRecord,
    SolutionRecord, Status, TuplesRecord, UniformRecord, VolumeRecord, read_entries, write_entry,
};

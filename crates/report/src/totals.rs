//! Counts of the endings of a batch's formulas.

use std::fmt;

use crate::batch::BatchEntry;
use crate::ending::Ending;
use crate::record::{PartRecord, RunKind, RunRecord};

/// The number of formulas of a batch for each way of ending.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Totals {
    kind: RunKind,
    /// All formulas.
    pub formulas: usize,
    /// The formulas of which everything that can be covered is covered; for runs at volume, those that have solutions.
    pub complete: usize,
    /// The complete formulas with the fewest solutions possible.
    pub proved_minimal: usize,
    /// The formulas sampled, but not completely.
    pub partial: usize,
    /// The formulas run without any solution found.
    pub empty: usize,
    /// The formulas without solutions, by proof.
    pub unsatisfiable: usize,
    /// The formulas that were not run.
    pub failed: usize,
    /// The number of solutions of all formulas together.
    pub solutions: u64,
}

impl Totals {
    /// Counts the entries of a batch of one kind.
    pub fn new(kind: RunKind, entries: &[BatchEntry]) -> Self {
        let mut totals = Totals {
            kind,
            formulas: entries.len(),
            complete: 0,
            proved_minimal: 0,
            partial: 0,
            empty: 0,
            unsatisfiable: 0,
            failed: 0,
            solutions: 0,
        };
        for entry in entries {
            let BatchEntry::Finished(record) = entry else {
                totals.failed += 1;
                continue;
            };
            totals.solutions += record.head.solutions;
            totals.proved_minimal += usize::from(record.set().is_some_and(|set| set.proved_minimal));
            let count = match record {
                _ if record.head.stopped_by == Ending::Unsatisfiable => &mut totals.unsatisfiable,
                _ if record.head.solutions == 0 && !is_complete(record) => &mut totals.empty,
                _ if is_complete(record) => &mut totals.complete,
                _ => &mut totals.partial,
            };
            *count += 1;
        }
        totals
    }
}

fn is_complete(record: &RunRecord) -> bool {
    match &record.part {
        PartRecord::Set(set) => set.complete,
        PartRecord::Tuples(tuples) => record.head.solutions > 0 && tuples.open == 0,
        PartRecord::Volume(_) => record.head.solutions > 0,
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let done = match self.kind {
            RunKind::Set | RunKind::Tuples => "complete",
            RunKind::Volume => "sampled",
        };
        write!(f, "{} formula{}: {} {done}", self.formulas, plural(self.formulas as u64), self.complete)?;
        if self.proved_minimal > 0 {
            write!(f, " ({} proved minimal)", self.proved_minimal)?;
        }
        let others = [
            (self.partial, "partly covered"),
            (self.empty, "without a solution yet"),
            (self.unsatisfiable, "unsatisfiable"),
            (self.failed, "failed"),
        ];
        for (count, what) in others.into_iter().filter(|&(count, _)| count > 0) {
            write!(f, ", {count} {what}")?;
        }
        write!(f, "; {} solution{}", self.solutions, plural(self.solutions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use crate::batch::FailureRecord;
    use crate::{set, volume};

    fn failure() -> BatchEntry {
        BatchEntry::Failed(FailureRecord {
            formula: "b.smt2".into(),
            error: "no such file".into(),
            status: Status::Input,
            version: "0.1.0".into(),
        })
    }

    #[test]
    fn totals_of_sets_name_what_there_is() {
        let complete = set::tests::example("a");
        let mut partial = set::tests::example("c");
        if let PartRecord::Set(set) = &mut partial.part {
            (set.complete, set.proved_minimal) = (false, false);
        }
        partial.head.stopped_by = Ending::Timeout;
        let entries =
            [BatchEntry::Finished(Box::new(complete)), failure(), BatchEntry::Finished(Box::new(partial))];
        let text = Totals::new(RunKind::Set, &entries).to_string();
        assert_eq!(
            text,
            "3 formulas: 1 complete (1 proved minimal), 1 partly covered, 1 failed; 4 solutions"
        );
    }

    #[test]
    fn totals_at_volume_name_what_there_is() {
        let mut none = volume::tests::example("b");
        (none.head.solutions, none.head.stopped_by) = (0, Ending::Unsatisfiable);
        let entries = [
            BatchEntry::Finished(Box::new(volume::tests::example("a"))),
            BatchEntry::Finished(Box::new(none)),
        ];
        let text = Totals::new(RunKind::Volume, &entries).to_string();
        assert_eq!(text, "2 formulas: 1 sampled, 1 unsatisfiable; 1000 solutions");
    }
}

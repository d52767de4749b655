//! The results of an exploration so far.

use std::collections::BTreeMap;

use super::{ExploreStatistics, Explorer};
use crate::executed::{ExecutedCode, first_executions};

impl Explorer<'_> {
    /// Counters so far.
    pub fn statistics(&self) -> ExploreStatistics {
        ExploreStatistics {
            paths: self.tree.paths(),
            open: self.frontier.len() + self.put_off.len(),
            edges: self.covered.len(),
            mutants: self.mutants.runs,
            findings: self.findings.len(),
            ..self.statistics.clone()
        }
    }

    /// The instructions that tests executed.
    pub fn executed(&self) -> ExecutedCode {
        let counts = self.covered.iter().map(|(&edge, covered)| (edge, covered.tests)).collect();
        ExecutedCode::new(self.runner.program, &counts)
    }

    /// For each instruction that a test executed, by offset in the code section, the number of the first such test.
    pub fn first_executions(&self) -> BTreeMap<u32, u64> {
        let first_tests = self.covered.iter().map(|(&edge, covered)| (edge, covered.first_test));
        first_executions(self.runner.program, first_tests)
    }
}

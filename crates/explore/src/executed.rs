//! Executed instructions, from the edges of control flow that runs have taken.
//!
//! Runs record edges only: into a function, out of a branch, back from a call. Everything between two edges is executed with the first of them, so the instructions follow by a walk from the edges that
//! were taken. Where a run ends in the middle, as a trap does, the rest of the straight piece of code counts too.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sundry_wasm::{Function, Instruction};

use crate::host::HostFunction;
use crate::program::Program;
use crate::trace::{Edge, branch_edge, entry_edge, return_edge, target_edge};

/// Counts of tests, by offset in the code section.
#[derive(Clone, Default, Debug)]
pub struct ExecutedCode {
    /// For each instruction of the binary format, the number of tests that executed it, as far as edges say.
    pub instructions: BTreeMap<u32, u64>,
    /// For each branch, the numbers of tests that took its outcomes: of conditions zero and others, of tables each index and the default. A test that took
    /// one index of a table counts for all indices with the same target.
    pub branches: BTreeMap<u32, Vec<u64>>,
}

impl ExecutedCode {
    /// Walks through a program along the edges that tests have taken, each with the number of tests.
    pub fn new(program: &Program, edges: &FxHashMap<Edge, u64>) -> ExecutedCode {
        let mut executed = ExecutedCode::default();
        for function in &program.module.functions {
            if let Some(&count) = edges.get(&entry_edge(function.first)) {
                executed.walk(program, function, count, edges);
            }
        }
        executed
    }

    fn walk(&mut self, program: &Program, function: &Function, count: u64, edges: &FxHashMap<Edge, u64>) {
        let mut counts = vec![0_u64; function.code.len()];
        let mut open: Vec<(usize, u64)> = vec![(0, count)];
        while let Some((mut position, count)) = open.pop() {
            while position < counts.len() && counts[position] < count {
                counts[position] = count;
                let place = function.first + position as u32;
                let taken = |edge: Edge| edges.get(&edge).copied();
                let next = position + 1;
                match function.code[position] {
                    Instruction::Jump { target } => {
                        position = target as usize;
                        continue;
                    }
                    Instruction::Branch { target, is_inverted, .. } => {
                        for is_nonzero in [false, true] {
                            let to = if is_nonzero != is_inverted { target as usize } else { next };
                            open.extend(taken(branch_edge(place, is_nonzero)).map(|count| (to, count)));
                        }
                        break;
                    }
                    Instruction::Table { first, count, .. } => {
                        let targets = &function.targets[first as usize..(first + count) as usize];
                        let edges = targets.iter().map(|&target| (target, taken(target_edge(place, target))));
                        open.extend(edges.filter_map(|(target, count)| Some((target as usize, count?))));
                        break;
                    }
                    Instruction::Call { .. } | Instruction::CallIndirect { .. } => {
                        match taken(return_edge(place)) {
                            Some(_) => position = next,
                            None => break,
                        }
                    }
                    Instruction::CallImport { import, .. } if ends(program, import) => break,
                    Instruction::Return | Instruction::Trap { .. } | Instruction::Unsupported { .. } => break,
                    _ => position = next,
                }
            }
        }
        self.note(function, &counts, edges);
    }

    /// Notes the counts of a function's instructions and branches.
    fn note(&mut self, function: &Function, counts: &[u64], edges: &FxHashMap<Edge, u64>) {
        for &(offset, position) in &function.operators {
            let count = counts.get(position as usize).copied().unwrap_or(0);
            if count > 0 {
                self.instructions.insert(offset, count);
            }
        }
        for (position, instruction) in
            function.code.iter().enumerate().filter(|&(position, _)| counts[position] > 0)
        {
            let place = function.first + position as u32;
            let taken = |edge: Edge| edges.get(&edge).copied().unwrap_or(0);
            let outcomes = match *instruction {
                Instruction::Branch { .. } | Instruction::Select { .. } => {
                    [false, true].map(|is_nonzero| taken(branch_edge(place, is_nonzero))).to_vec()
                }
                Instruction::Table { first, count, .. } => {
                    let targets = &function.targets[first as usize..(first + count) as usize];
                    targets.iter().map(|&target| taken(target_edge(place, target))).collect()
                }
                _ => continue,
            };
            self.branches.insert(function.offsets[position], outcomes);
        }
    }
}

/// For each executed instruction, by offset in the code section, the number of the first test that executed it, from edges with the first test that took each.
pub fn first_executions(
    program: &Program,
    first_tests: impl Iterator<Item = (Edge, u64)>,
) -> BTreeMap<u32, u64> {
    // The walk keeps the greatest number that reaches an instruction, so earlier tests get greater ones.
    let ranks = first_tests.map(|(edge, test)| (edge, u64::MAX - test)).collect();
    let executed = ExecutedCode::new(program, &ranks);
    executed.instructions.into_iter().map(|(offset, rank)| (offset, u64::MAX - rank)).collect()
}

/// Whether an imported function never returns.
fn ends(program: &Program, import: u32) -> bool {
    use HostFunction::{AssertFail, ProcExit, ReportError, SilentExit};
    matches!(program.host[import as usize], None | Some(ProcExit | AssertFail | ReportError | SilentExit))
}

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
        // A test that passes a join has come by one of the edges into it, or by several, and through all that dominates it.
        ExecutedCode::walk(program, edges, |incoming, dominator| {
            incoming.iter().fold(0_u64, |sum, count| sum.saturating_add(*count)).min(dominator)
        })
    }

    /// Gives the instructions of functions that were entered their counts: `join` says what several ways to an instruction mean, given their counts and that of the
    /// closest instruction that all of them pass.
    fn walk(
        program: &Program,
        edges: &FxHashMap<Edge, u64>,
        join: impl Fn(&[u64], u64) -> u64,
    ) -> ExecutedCode {
        let mut executed = ExecutedCode::default();
        for function in &program.module.functions {
            if let Some(&count) = edges.get(&entry_edge(function.first)) {
                let flow = Flow { program, function, edges };
                executed.note(function, &flow.counts(count, &join), edges);
            }
        }
        executed
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

/// The flow of control in a function, as far as tests have taken it.
struct Flow<'a> {
    program: &'a Program,
    function: &'a Function,
    edges: &'a FxHashMap<Edge, u64>,
}

/// What is known of an instruction while counts flow to it.
#[derive(Clone)]
struct Node {
    /// The position in reverse postorder, from 1 on; 0 where tests do not come.
    order: usize,
    count: u64,
    /// The first instruction of the straight code to which it belongs, all of which has one count.
    leader: usize,
    /// The leader that is passed last on all ways to this leader.
    dominator: usize,
    /// The ways to it, as far as they are no loops: the leader of the instruction before, and the count.
    incoming: Vec<(usize, u64)>,
}

impl Flow<'_> {
    /// Where control goes on after an instruction, each with its count, where that is another one than that of the instruction.
    fn successors(&self, position: usize) -> Vec<(usize, Option<u64>)> {
        let place = self.function.first + position as u32;
        let taken = |edge: Edge| self.edges.get(&edge).copied();
        let next = position + 1;
        match self.function.code[position] {
            Instruction::Jump { target } => vec![(target as usize, None)],
            Instruction::Branch { target, is_inverted, .. } => {
                let outcomes = [false, true].into_iter().filter_map(|is_nonzero| {
                    let to = if is_nonzero != is_inverted { target as usize } else { next };
                    Some((to, Some(taken(branch_edge(place, is_nonzero))?)))
                });
                outcomes.collect()
            }
            Instruction::Table { first, count, .. } => {
                let targets = &self.function.targets[first as usize..(first + count) as usize];
                let mut targets: Vec<u32> = targets.to_vec();
                targets.sort_unstable();
                targets.dedup();
                let outcomes = targets
                    .into_iter()
                    .filter_map(|target| Some((target as usize, Some(taken(target_edge(place, target))?))));
                outcomes.collect()
            }
            Instruction::Call { .. } | Instruction::CallIndirect { .. } => {
                taken(return_edge(place)).map(|count| (next, Some(count))).into_iter().collect()
            }
            Instruction::CallImport { import, .. } if ends(self.program, import) => Vec::new(),
            Instruction::Return | Instruction::Trap { .. } | Instruction::Unsupported { .. } => Vec::new(),
            _ => vec![(next, None)],
        }
    }

    /// The instructions to which tests come, each behind all from which control comes to it other than by a loop.
    fn reverse_postorder(&self) -> Vec<usize> {
        let mut is_known = vec![false; self.function.code.len()];
        let mut order = Vec::new();
        let mut open = vec![(0, self.successors(0))];
        is_known[0] = true;
        while let Some((position, successors)) = open.last_mut() {
            match successors.pop() {
                Some((next, _)) if !is_known[next] => {
                    is_known[next] = true;
                    open.push((next, self.successors(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*position);
                    open.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// The count of each instruction, given that of the function. Loops have one entry each in WebAssembly, so that one pass suffices: jumps back to it bring nothing that
    /// was not there.
    fn counts(&self, count: u64, join: impl Fn(&[u64], u64) -> u64) -> Vec<u64> {
        let order = self.reverse_postorder();
        let unknown = Node { order: 0, count: 0, leader: 0, dominator: 0, incoming: Vec::new() };
        let mut nodes = vec![unknown; self.function.code.len()];
        for (number, &position) in (1..).zip(&order) {
            nodes[position].order = number;
            nodes[position].leader = position;
        }
        nodes[0].count = count;
        for &position in &order {
            settle(&mut nodes, position, &join);
            let Node { order, count, leader, .. } = nodes[position];
            for (next, taken) in self.successors(position) {
                if nodes[next].order > order {
                    nodes[next].incoming.push((leader, taken.unwrap_or(count)));
                }
            }
        }
        nodes.into_iter().map(|node| node.count).collect()
    }
}

/// Gives an instruction its count and dominator, once all ways to it have theirs.
fn settle(nodes: &mut [Node], position: usize, join: impl Fn(&[u64], u64) -> u64) {
    let incoming = std::mem::take(&mut nodes[position].incoming);
    match incoming[..] {
        // The entry of the function.
        [] => {}
        [(leader, count)] if count == nodes[leader].count => {
            (nodes[position].leader, nodes[position].count) = (leader, count);
        }
        [(leader, count)] => (nodes[position].dominator, nodes[position].count) = (leader, count),
        [(first, _), ..] => {
            let dominator =
                incoming.iter().fold(first, |one, &(other, _)| common_dominator(nodes, one, other));
            let counts: Vec<u64> = incoming.into_iter().map(|(_, count)| count).collect();
            nodes[position].dominator = dominator;
            nodes[position].count = join(&counts, nodes[dominator].count);
        }
    }
}

/// The last leader that is passed on all ways to two leaders (Cooper, Harvey & Kennedy, *A simple, fast dominance algorithm*, 2001).
fn common_dominator(nodes: &[Node], mut one: usize, mut other: usize) -> usize {
    while one != other {
        if nodes[one].order > nodes[other].order {
            one = nodes[one].dominator;
        } else {
            other = nodes[other].dominator;
        }
    }
    one
}

/// For each executed instruction, by offset in the code section, the number of the first test that executed it, from edges with the first test that took each.
pub fn first_executions(
    program: &Program,
    first_tests: impl Iterator<Item = (Edge, u64)>,
) -> BTreeMap<u32, u64> {
    // Earlier tests get greater numbers, of which the greatest counts.
    let ranks = first_tests.map(|(edge, test)| (edge, u64::MAX - test)).collect();
    let executed =
        ExecutedCode::walk(program, &ranks, |incoming, _| incoming.iter().copied().fold(0, u64::max));
    executed.instructions.into_iter().map(|(offset, rank)| (offset, u64::MAX - rank)).collect()
}

/// Whether an imported function never returns.
fn ends(program: &Program, import: u32) -> bool {
    use HostFunction::{AssertFail, ProcExit, ReportError, SilentExit};
    matches!(program.host[import as usize], None | Some(ProcExit | AssertFail | ReportError | SilentExit))
}

//! Coverage of sources: executed instructions in, lines, branches and functions out.
//!
//! An engine counts offsets of instructions and outcomes of branches; [`Sites`] says which there are at all, and
//! [`measure`] puts both on the lines of the source. A line has been executed as often as the most frequent of its
//! instructions: one whose code lies in several places, as the head of a loop does, would be counted twice by a sum.
//! Instructions that the compiler has added belong to no line. Functions of which only inlined copies are left have
//! lines, but are not counted as functions.

mod html;
mod lcov;
mod sites;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use html::page;
pub use lcov::tracefile;
pub use sites::Sites;

use crate::debug_info::DebugInfo;

/// The number of executions of instructions and branches, by offset. Counts of several runs can be added up.
#[derive(Clone, Default, Debug)]
pub struct Executed {
    /// The number of executions of each instruction.
    pub instructions: BTreeMap<u32, u64>,
    /// The numbers of times that the outcomes of each branch were taken: `br_if`, `if` and `select` have that of zero, then that of all
    /// other values; `br_table` has one for each index and the default.
    pub branches: BTreeMap<u32, Vec<u64>>,
}

/// Coverage of all source files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// The files that have code, by path.
    pub files: Vec<FileCoverage>,
}

/// Coverage of one source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileCoverage {
    /// The path.
    pub path: Arc<str>,
    /// The number of executions of each line with code.
    pub lines: BTreeMap<u32, u64>,
    /// The branches, by line, then by offset.
    pub branches: Vec<BranchCoverage>,
    /// The functions, by line.
    pub functions: Vec<FunctionCoverage>,
}

/// Coverage of one branch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BranchCoverage {
    /// The line that it is in.
    pub line: u32,
    /// The offset of its instruction.
    pub offset: u32,
    /// Whether it was executed at all.
    pub is_reached: bool,
    /// The number of times that each outcome was taken.
    pub outcomes: Vec<u64>,
}

/// Coverage of one function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FunctionCoverage {
    /// The line of its declaration.
    pub line: u32,
    /// The name.
    pub name: Arc<str>,
    /// The number of calls.
    pub count: u64,
}

/// Some of all.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Share {
    /// The number of those that were executed.
    pub covered: usize,
    /// The number of all.
    pub all: usize,
}

impl Share {
    fn of(counts: impl Iterator<Item = u64>) -> Share {
        counts.fold(Share::default(), |share, count| Share {
            covered: share.covered + usize::from(count > 0),
            all: share.all + 1,
        })
    }
}

impl std::ops::Add for Share {
    type Output = Share;

    fn add(self, other: Share) -> Share {
        Share { covered: self.covered + other.covered, all: self.all + other.all }
    }
}

impl std::iter::Sum for Share {
    fn sum<I: Iterator<Item = Share>>(shares: I) -> Share {
        shares.fold(Share::default(), |sum, share| sum + share)
    }
}

impl FileCoverage {
    /// The lines that were executed.
    pub fn line_share(&self) -> Share {
        Share::of(self.lines.values().copied())
    }

    /// The outcomes of branches that were taken.
    pub fn branch_share(&self) -> Share {
        Share::of(self.branches.iter().flat_map(|branch| branch.outcomes.iter().copied()))
    }

    /// The functions that were called.
    pub fn function_share(&self) -> Share {
        Share::of(self.functions.iter().map(|function| function.count))
    }
}

impl Coverage {
    /// The coverage of those files only whose path is wanted: of the program without its library, say.
    pub fn of_files(mut self, is_wanted: impl Fn(&str) -> bool) -> Coverage {
        self.files.retain(|file| is_wanted(&file.path));
        self
    }
}

/// Puts what was executed on the lines of the sources.
pub fn measure(info: &DebugInfo, sites: &Sites, executed: &Executed) -> Coverage {
    let empty = |path: &Arc<str>| FileCoverage {
        path: path.clone(),
        lines: BTreeMap::new(),
        branches: Vec::new(),
        functions: Vec::new(),
    };
    let mut files: Vec<FileCoverage> = info.files().iter().map(|file| empty(&file.path)).collect();
    let count_at = |offset: &u32| executed.instructions.get(offset).copied().unwrap_or_default();
    let source_at = |offset: u32| info.line_at(offset).and_then(|line| line.source);
    for offset in sites.instructions() {
        let Some(source) = source_at(*offset) else { continue };
        let count = files[source.file.index()].lines.entry(source.line).or_default();
        *count = (*count).max(count_at(offset));
    }
    for (&offset, &outcomes) in sites.branches() {
        let Some(source) = source_at(offset) else { continue };
        let mut counts = executed.branches.get(&offset).cloned().unwrap_or_default();
        counts.resize(outcomes as usize, 0);
        let is_reached = count_at(&offset) > 0 || counts.iter().any(|&count| count > 0);
        let branch = BranchCoverage { line: source.line, offset, is_reached, outcomes: counts };
        files[source.file.index()].branches.push(branch);
    }
    for function in info.functions() {
        let (Some(declared), Some(name)) = (function.declared, &function.name) else { continue };
        let count = sites.first_of(&function.range).map_or(0, |first| count_at(&first));
        let function = FunctionCoverage { line: declared.line, name: name.clone(), count };
        files[declared.file.index()].functions.push(function);
    }
    files.retain(|file| !file.lines.is_empty());
    for file in &mut files {
        file.branches.sort();
        file.functions.sort();
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Coverage { files }
}

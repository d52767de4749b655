//! Coverage as a tracefile of LCOV, which genhtml, editors and services for coverage read (`man geninfo`, section "FILES").

use std::fmt::Write;

use sundry_report::untrusted::visible;

use super::{BranchCoverage, Coverage, FileCoverage};

/// The tracefile. Each file of the program has a record; a name that would break its line is escaped.
pub fn tracefile(coverage: &Coverage) -> String {
    let mut text = String::from("TN:\n");
    for file in &coverage.files {
        record(file, &mut text);
    }
    text
}

fn record(file: &FileCoverage, text: &mut String) {
    let one_line = |name: &str| visible(name).replace('\n', " ");
    let _ = writeln!(text, "SF:{}", one_line(&file.path));
    for function in &file.functions {
        let _ = writeln!(text, "FN:{},{}", function.line, one_line(&function.name));
    }
    for function in &file.functions {
        let _ = writeln!(text, "FNDA:{},{}", function.count, one_line(&function.name));
    }
    let functions = file.function_share();
    let _ = writeln!(text, "FNF:{}\nFNH:{}", functions.all, functions.covered);
    for (block, branch) in file.branches.iter().enumerate() {
        branch_lines(block, branch, text);
    }
    let branches = file.branch_share();
    let _ = writeln!(text, "BRF:{}\nBRH:{}", branches.all, branches.covered);
    for (line, count) in &file.lines {
        let _ = writeln!(text, "DA:{line},{count}");
    }
    let lines = file.line_share();
    let _ = writeln!(text, "LF:{}\nLH:{}\nend_of_record", lines.all, lines.covered);
}

/// A line for each outcome: a dash says that the branch was never reached.
fn branch_lines(block: usize, branch: &BranchCoverage, text: &mut String) {
    for (outcome, count) in branch.outcomes.iter().enumerate() {
        let _ = match branch.is_reached {
            true => writeln!(text, "BRDA:{},{block},{outcome},{count}", branch.line),
            false => writeln!(text, "BRDA:{},{block},{outcome},-", branch.line),
        };
    }
}

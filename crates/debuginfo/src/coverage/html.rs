//! Coverage as a page: a table of files, and each source beside its counts.

use std::collections::BTreeMap;
use std::fmt::Write;

use sundry_report::untrusted::html;
use sundry_report::{page, percent};

use super::{Coverage, FileCoverage, Share};

const STYLE: &str =
    "table.source td { border: 0; padding: 0 .6em; white-space: pre; font: 13px/1.3 monospace }
table.source tr.hit { background: #e6f5e6 }
table.source tr.part { background: #fff6d5 }
table.source tr.missed { background: #fbe3e3 }
td.number { color: #555 }";

/// The page. `source` gives the text of a file by its path, if there is one: otherwise the lines with code stand there by
/// their numbers.
pub fn page(title: &str, coverage: &Coverage, source: impl Fn(&str) -> Option<String>) -> String {
    let mut body = String::from("<table>\n<tr><th>file</th>");
    for head in ["lines", "branches", "functions"] {
        let _ = write!(body, "<th class=\"number\">{head}</th>");
    }
    body.push_str("</tr>\n");
    for (number, file) in coverage.files.iter().enumerate() {
        let name = format!("<a href=\"#file{number}\">{}</a>", html(&file.path));
        row(&mut body, &name, [file.line_share(), file.branch_share(), file.function_share()]);
    }
    let sum = |share: fn(&FileCoverage) -> Share| coverage.files.iter().map(share).sum();
    let total = [FileCoverage::line_share, FileCoverage::branch_share, FileCoverage::function_share].map(sum);
    row(&mut body, "all", total);
    body.push_str("</table>\n");
    for (number, file) in coverage.files.iter().enumerate() {
        section(&mut body, number, file, source(&file.path).as_deref());
    }
    page::page(title, STYLE, &body)
}

/// A row of the table of files.
fn row(body: &mut String, name: &str, shares: [Share; 3]) {
    let _ = write!(body, "<tr><td>{name}</td>");
    for share in shares {
        let Share { covered, all } = share;
        let percent = percent(covered as u64, all as u64);
        let _ = write!(body, "<td class=\"number\">{percent} ({covered} of {all})</td>");
    }
    body.push_str("</tr>\n");
}

/// The lines of a file.
fn section(body: &mut String, number: usize, file: &FileCoverage, source: Option<&str>) {
    let _ = writeln!(body, "<h2 id=\"file{number}\">{}</h2>", html(&file.path));
    for function in &file.functions {
        if function.count == 0 {
            let _ = writeln!(body, "<p>never called: {} (line {})</p>", html(&function.name), function.line);
        }
    }
    let mut outcomes: BTreeMap<u32, Share> = BTreeMap::new();
    for branch in &file.branches {
        let share = Share::of(branch.outcomes.iter().copied());
        let sum = outcomes.entry(branch.line).or_default();
        *sum = *sum + share;
    }
    body.push_str("<table class=\"source\">\n");
    match source {
        Some(text) => {
            for (line, text) in (1..).zip(text.lines()) {
                source_line(body, file, &outcomes, line, text);
            }
        }
        None => {
            for &line in file.lines.keys() {
                source_line(body, file, &outcomes, line, "");
            }
        }
    }
    body.push_str("</table>\n");
    if source.is_none() {
        body.push_str("<p>The source is not there.</p>\n");
    }
}

/// A line with its number, its count, the outcomes of its branches and its text.
fn source_line(
    body: &mut String,
    file: &FileCoverage,
    outcomes: &BTreeMap<u32, Share>,
    line: u32,
    text: &str,
) {
    let count = file.lines.get(&line);
    let branches = outcomes.get(&line).filter(|_| count.is_some());
    let class = match (count, branches) {
        (None, _) => "",
        (Some(0), _) => " class=\"missed\"",
        (Some(_), Some(share)) if share.covered < share.all => " class=\"part\"",
        (Some(_), _) => " class=\"hit\"",
    };
    let count = count.map_or_else(String::new, u64::to_string);
    let taken = branches.map_or_else(String::new, |share| format!("{}/{}", share.covered, share.all));
    let _ = writeln!(
        body,
        "<tr{class}><td class=\"number\">{line}</td><td class=\"number\">{count}</td>\
         <td class=\"number\">{taken}</td><td>{}</td></tr>",
        html(text)
    );
}

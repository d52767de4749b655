//! The parts of the page of a campaign beside its defects: what was run, curves, and seeds that are not decided.

use std::fmt::{Display, Write};
use std::path::PathBuf;

use sundry_fuzz::Standing;

use super::course::{Course, Point};
use super::progress::why;
use crate::charts::{Bars, Chart, Mark, Series, side_by_side};
use crate::untrusted::html;
use crate::values::{counted, grouped};

/// Seeds that are listed, at most; the others are counted.
const LISTED: usize = 200;

/// A campaign with its course.
pub struct Campaign<'c> {
    /// The words of the command.
    pub command: &'c [String],
    /// The files of the seeds, by their numbers.
    pub seeds: &'c [PathBuf],
    /// The seed of all random choices.
    pub random_seed: u64,
    /// The number of threads that share the work.
    pub threads: usize,
    /// The course of all runs.
    pub course: &'c Course,
}

impl Campaign<'_> {
    /// The command, the seeds, the machine, and the time that the campaign took.
    pub fn head(&self) -> String {
        let Campaign { command, seeds, random_seed, threads, course } = self;
        let command =
            shlex::try_join(command.iter().map(String::as_str)).unwrap_or_else(|_| command.join(" "));
        let mut head = String::from("<table>\n");
        let mut row = |name: &str, value: &dyn Display| {
            let _ = writeln!(head, "<tr><th>{name}</th><td>{}</td></tr>", html(&value.to_string()));
        };
        row("program", &format_args!("Sundry {}", env!("CARGO_PKG_VERSION")));
        row("command", &command);
        row("seeds", &grouped(seeds.len() as u64));
        row("mutants", &grouped(course.mutants() as u64));
        row("time", &format_args!("{:.0} s", course.seconds()));
        row("random seed", random_seed);
        row("machine", &format_args!("{}, {}", machine(), counted(*threads, "thread")));
        head + "</table>\n"
    }

    /// Curves, the seeds that somebody does not decide, and what else the campaign has.
    pub fn foot(&self, slow: &str) -> String {
        format!("<h2>The campaign</h2>\n{}{slow}{}", side_by_side(self.charts()), self.undecided())
    }

    fn charts(&self) -> [Option<String>; 3] {
        let points = self.course.points();
        let curve = |title, name: &str, figure: fn(&Point) -> usize| {
            let points = points.iter().map(|point| (point.seconds, figure(point) as f64)).collect();
            let series = vec![Series { name: name.to_string(), points }];
            Chart { title, axes: ["seconds", "so far"], mark: Mark::Line, series }.svg()
        };
        let groups = self.course.answers().iter().map(|(strategy, it)| {
            let heights = [it.sat, it.unsat, it.undecided, it.refused].map(|count| count as f64);
            (strategy.clone(), heights.to_vec())
        });
        let parts = &["sat", "unsat", "undecided", "refused"];
        let groups = groups.collect();
        let answers = Bars { title: "Answers by strategy", axis: "replies to mutants", parts, groups };
        [
            curve("Mutants", "mutants", |point| point.mutants),
            curve("Confirmed defects", "defects", |point| point.defects),
            answers.svg(),
        ]
    }

    /// A row for each seed that cannot be read, was ended by a defect, has no mutants, or is not decided by some solver under test.
    fn undecided(&self) -> String {
        let mut rows: Vec<(usize, String, String)> = Vec::new();
        for (&seed, (words, reason)) in self.course.failures() {
            rows.push((seed, words.to_string(), reason.clone()));
        }
        for (&seed, standing) in self.course.standings() {
            let Standing { status, left_out, undecided } = standing;
            if left_out.is_none() && undecided.is_empty() {
                continue;
            }
            let status = status.map_or_else(|| "unknown".to_string(), |status| status.to_string());
            let left_out = left_out.map(|reason| format!("left out, as one {}", why(reason)));
            let solvers = undecided.iter().map(|(solver, reason)| format!("{solver}: {reason}"));
            rows.push((seed, status, left_out.into_iter().chain(solvers).collect::<Vec<_>>().join("; ")));
        }
        if rows.is_empty() {
            return String::new();
        }
        rows.sort();
        let mut section = String::from(
            "<h2>Seeds that are not decided</h2>\n<table>\n<tr><th>seed</th><th>status</th><th>who does not decide it</th></tr>\n",
        );
        for (seed, status, reasons) in rows.iter().take(LISTED) {
            let name = self.seeds.get(*seed).map_or_else(String::new, |path| path.display().to_string());
            let _ = writeln!(
                section,
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
                html(&name),
                html(status),
                html(reasons)
            );
        }
        section.push_str("</table>\n");
        if rows.len() > LISTED {
            let _ = writeln!(section, "<p>{} more are not listed.</p>", rows.len() - LISTED);
        }
        section
    }
}

/// The system and the processor.
fn machine() -> String {
    let system = format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("", |line| line.trim_start_matches([' ', '\t', ':']));
    format!("{system}, {processors} processors {model}").trim_end().to_string()
}

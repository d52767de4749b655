//! The parts of the page of a campaign beside its defects: what was run, curves, and seeds that are not decided.

use std::fmt::{Display, Write};
use std::path::PathBuf;

use sundry_fuzz::Standing;

use super::course::{Course, Point};
use super::progress::why;
use crate::campaign::output_text::without_folders;
use crate::campaign::page_names::PageNames;
use crate::charts::{Bars, Chart, Mark, Series, side_by_side};
use crate::untrusted::html;
use crate::values::{counted, grouped};

/// Seeds that are listed, at most; the others are counted.
const LISTED: usize = 200;

/// A campaign with its course.
pub struct Campaign<'c> {
    /// The words of the command.
    pub command: &'c [String],
    /// The names of solvers and seeds.
    pub names: &'c PageNames,
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
    /// The command with names in place of paths, the seeds, the machine, and the time that the campaign took.
    pub fn head(&self) -> String {
        let Campaign { command, names, seeds, random_seed, threads, course } = self;
        let command = names.of_words(command);
        let command =
            shlex::try_join(command.iter().map(String::as_str)).unwrap_or_else(|_| command.join(" "));
        let mut head = String::from("<table>\n");
        let mut row = |name: &str, value: &dyn Display| {
            let _ = writeln!(head, "<tr><th>{name}</th><td>{}</td></tr>", html(&value.to_string()));
        };
        row("program", &format_args!("Sundry {}", env!("CARGO_PKG_VERSION")));
        row("command", &command);
        if let Some(began) = course.began() {
            row("start", &date(began));
        }
        let not_begun = match course.not_begun(seeds.len()) {
            0 => String::new(),
            count => format!(", of which {} had no turn", grouped(count as u64)),
        };
        row("seeds", &format_args!("{}{not_begun}", grouped(seeds.len() as u64)));
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
            // A line along the axis says less than its absence.
            points.iter().find(|point| figure(point) > 0)?;
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
            let solvers = undecided.iter().map(|(solver, reason)| {
                format!("{}: {}", self.names.solver(solver), without_folders(reason))
            });
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
                html(self.names.seed(&name)),
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

/// The date and the time of this many seconds after the beginning of 1970, in UTC.
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let length = |year: u64| {
        if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) {
            366
        } else {
            365
        }
    };
    let (mut year, mut day) = (1970, days);
    while day >= length(year) {
        day -= length(year);
        year += 1;
    }
    let february = length(year) - 337;
    let mut month = 1;
    for of_month in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < of_month {
            break;
        }
        day -= of_month;
        month += 1;
    }
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year}-{month:02}-{:02} {hour:02}:{minute:02} UTC", day + 1)
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use sundry_fuzz::{Journal, Moment};

    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let dates = [0, 951_782_399, 951_782_400, 1_709_251_140, 4_107_542_400].map(date);
        let expected = [
            "1970-01-01 00:00 UTC",
            "2000-02-28 23:59 UTC",
            "2000-02-29 00:00 UTC",
            "2024-02-29 23:59 UTC",
            "2100-03-01 00:00 UTC",
        ];
        assert_eq!(dates, expected);
    }

    #[test]
    fn the_head_says_what_was_run_and_what_was_not() {
        let moment = Moment { seconds: 60.0, clock: Some(951_782_460), mutants: 7, ..Moment::default() };
        let standings = [(1, Standing::default())].into();
        let journal = Journal { history: vec![moment], standings, ..Journal::default() };
        let course = Course::of(&journal, Instant::now());
        let command = ["sundry", "fuzz", "--solver", "/opt/z3", "/home/seeds"].map(String::from);
        let seeds = ["/home/seeds/a.smt2", "/home/seeds/b.smt2"].map(PathBuf::from);
        let names = PageNames::of(["/opt/z3"], ["/home/seeds/a.smt2", "/home/seeds/b.smt2"]);
        let campaign = Campaign {
            command: &command,
            names: &names,
            seeds: &seeds,
            random_seed: 0,
            threads: 1,
            course: &course,
        };
        let head = campaign.head();
        assert!(head.contains("<td>sundry fuzz --solver z3 seeds</td>"), "{head}");
        assert!(head.contains("<th>start</th><td>2000-02-29 00:00 UTC</td>"), "{head}");
        assert!(head.contains("<th>seeds</th><td>2, of which 1 had no turn</td>"), "{head}");
        let drawn: Vec<bool> = campaign.charts().iter().map(Option::is_some).collect();
        assert_eq!(drawn, [true, false, false], "there are mutants, and neither defects nor answers");
    }
}

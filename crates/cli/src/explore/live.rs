//! The line that shows how an exploration goes.

use std::time::Duration;

use indicatif::ProgressBar;
use sundry_explore::ExploreStatistics;

use crate::console::Console;
use crate::progress::style;
use crate::values::{counted, grouped};

/// The time between two changes of the line.
const PAUSE: Duration = Duration::from_millis(100);

/// The time over which questions a second are counted.
const WINDOW: Duration = Duration::from_secs(2);

/// The line on a terminal.
pub struct LiveLine {
    bar: Option<ProgressBar>,
    next: Duration,
    /// The time at which the window began, and the number of questions then.
    window: (Duration, u64),
    rate: f64,
}

impl LiveLine {
    /// The line of a console, if somebody sees it.
    pub fn new(console: &Console) -> LiveLine {
        let bar = console.shows_progress().then(|| {
            let bar = console.bars().add(ProgressBar::new_spinner());
            bar.set_style(style("{elapsed:>5} {spinner} {wide_msg}"));
            bar
        });
        LiveLine { bar, next: Duration::ZERO, window: (Duration::ZERO, 0), rate: 0.0 }
    }

    /// Whether the line wants to be changed.
    pub fn is_due(&self, elapsed: Duration) -> bool {
        self.bar.is_some() && elapsed >= self.next
    }

    /// Shows counters.
    pub fn show(&mut self, elapsed: Duration, statistics: &ExploreStatistics) {
        let Some(bar) = &self.bar else { return };
        self.next = elapsed + PAUSE;
        let questions = statistics.solve.questions;
        let since = elapsed.saturating_sub(self.window.0);
        if since >= WINDOW || self.window.0 == Duration::ZERO {
            self.rate = questions.saturating_sub(self.window.1) as f64 / since.as_secs_f64().max(0.001);
        }
        if since >= WINDOW {
            self.window = (elapsed, questions);
        }
        bar.set_message(line(statistics, self.rate));
        bar.tick();
    }

    /// Removes the line.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn line(statistics: &ExploreStatistics, rate: f64) -> String {
    format!(
        "{}, {}, {}, {} directions, {} open, {rate:.0} questions/s, {}, {}",
        counted(statistics.paths as usize, "path"),
        counted(statistics.tests as usize, "test"),
        counted(statistics.findings, "error"),
        grouped(statistics.edges as u64),
        grouped(statistics.open as u64),
        counted(statistics.solve.partials as usize, "partial solution"),
        counted(statistics.mutants as usize, "mutant"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_all_counters() {
        let statistics = ExploreStatistics {
            tests: 12,
            paths: 1,
            edges: 3456,
            open: 7,
            findings: 2,
            mutants: 1,
            ..Default::default()
        };
        let expected = "1 path, 12 tests, 2 errors, 3,456 directions, 7 open, 89 questions/s, 0 partial solutions, 1 mutant";
        assert_eq!(line(&statistics, 89.4), expected);
    }
}

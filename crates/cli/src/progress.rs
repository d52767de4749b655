//! Progress of running formulas, on a terminal only.
//!
//! One formula has a bar of its coverage; a batch has a line for each formula that is running and a
//! bar of those done. `indicatif` draws nothing where standard error is no terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use sundry::pipeline::{Covered, Preparation, Progress, Purpose};
use sundry_report::percent;

use crate::console::Console;
use crate::values::counted;

/// What a run does first, where nothing more is known of it.
pub const STARTING: &str = "building the circuit, and looking for a first solution";

const TICK: Duration = Duration::from_millis(200);

/// The line of one running formula.
pub struct FormulaProgress<'a> {
    console: &'a Console,
    name: &'a str,
    bar: ProgressBar,
    last: String,
}

impl<'a> FormulaProgress<'a> {
    /// The bar of the only formula.
    pub fn single(console: &'a Console, name: &'a str) -> Self {
        Self::new(console, name, "{elapsed:>5} [{bar:30}] {msg}", None)
    }

    /// The line of the only formula, where there is no goal to come near to.
    pub fn counting(console: &'a Console, name: &'a str) -> Self {
        Self::new(console, name, "{elapsed:>5} {spinner} {msg}", None)
    }

    /// The line of a formula among others, above the bar of the batch.
    pub fn in_batch(console: &'a Console, name: &'a str, batch: &BatchProgress) -> Self {
        Self::new(console, name, "{elapsed:>5} {prefix}: {msg}", Some(&batch.bar))
    }

    fn new(console: &'a Console, name: &'a str, template: &str, above: Option<&ProgressBar>) -> Self {
        let bar = ProgressBar::no_length();
        let bar = match above {
            Some(below) => console.bars().insert_before(below, bar),
            None => console.bars().add(bar),
        };
        bar.set_style(style(template));
        bar.set_prefix(name.to_string());
        bar.set_message("reading");
        if console.shows_progress() {
            bar.enable_steady_tick(TICK);
        }
        FormulaProgress { console, name, bar, last: String::new() }
    }

    /// Tells something of the run.
    pub fn tell(&self, text: String) {
        if self.console.is_verbose() {
            self.console.detail(format_args!("{}: {text}", self.name));
        }
        self.bar.set_message(text);
    }

    /// Reports what is made ready.
    pub fn prepare(&self, preparation: Preparation) {
        self.tell(phase(preparation).to_string());
    }

    /// Reports where the run is.
    pub fn update(&mut self, progress: &Progress<'_>) {
        if !self.console.shows_progress() && !self.console.is_verbose() {
            return;
        }
        let (base, covered) = (progress.covered.base(), progress.covered.count());
        let solutions = counted(progress.solutions.len(), "solution");
        let share = percent(covered, base);
        let mut text = match progress.covered {
            Covered::AstBits { .. } => format!("coverage {share}, {solutions}"),
            Covered::Tuples(_) => format!("{solutions}, {share} of the combinations"),
        };
        if progress.lower_bound > 0 {
            text.push_str(&format!(", at least {} needed", progress.lower_bound));
        }
        text.push_str(outlook(progress));
        self.bar.set_length(base);
        self.bar.set_position(covered);
        if self.console.is_verbose() && text != self.last {
            self.console.detail(format_args!("{}: {:.2} s: {text}", self.name, progress.seconds));
        }
        self.bar.set_message(text.clone());
        self.last = text;
    }
}

/// The purpose of the rest of the run.
fn outlook(progress: &Progress<'_>) -> &'static str {
    let is_minimal = progress.solutions.len() <= progress.lower_bound;
    match progress.purpose {
        Purpose::Improving if progress.is_complete() && is_minimal => {
            "; complete and minimal; improving the order, Ctrl-C keeps this set"
        }
        Purpose::Improving if progress.is_complete() => {
            "; complete; looking for a smaller set, Ctrl-C keeps this set"
        }
        Purpose::Improving => "; looking for a smaller set, Ctrl-C keeps this set",
        Purpose::Deciding => "; retrying AST-bits that were too hard",
        Purpose::Covering => "",
    }
}

/// What is done before there is a solution.
fn phase(preparation: Preparation) -> &'static str {
    match preparation {
        Preparation::Circuit => "building the circuit of the assertions",
        Preparation::FirstModel => "looking for a first solution",
        Preparation::AstBits => "building the circuits of all AST-bits",
    }
}

impl Drop for FormulaProgress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        self.console.bars().remove(&self.bar);
    }
}

/// The bar of a batch.
pub struct BatchProgress {
    bar: ProgressBar,
}

impl BatchProgress {
    /// A bar for this many formulas.
    pub fn new(console: &Console, formulas: usize) -> Self {
        let bar = console.bars().add(ProgressBar::new(formulas as u64));
        bar.set_style(style("{elapsed:>5} [{bar:30}] {pos} of {len} formulas"));
        if console.shows_progress() {
            bar.enable_steady_tick(TICK);
        }
        BatchProgress { bar }
    }

    /// Counts one more formula as done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }
}

impl Drop for BatchProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The style of a bar.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use indicatif::ProgressStyle;

    #[test]
    fn templates_are_valid() {
        for template in
            ["{elapsed:>5} [{bar:30}] {msg}", "{elapsed:>5} {prefix}: {msg}", "{pos} of {len} formulas"]
        {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}

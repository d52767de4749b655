//! Counters of programs that nobody can rebuild: the statistics that solvers print.
//!
//! A statistic is a file, and the powers of two up to its value are its executed lines, each of which counts once. So a
//! value that is much higher than before means new lines, and runs of which the values have the same size have the same
//! trace. Taking the value as the count of a single line would give every run a new coverage score.
//!
//! Times, memory and everything with a fraction are left out, since they differ between runs of the same input.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::str::FromStr;
use std::sync::Mutex;

use crate::provider::{Counter, CounterError, CounterProvider, FileCounters, Preparation, locked};

/// The longest name of a statistic. Longer ones are something else.
const LONGEST: usize = 200;
/// The most names that are kept. Later ones count, but have no name.
const MOST_NAMES: usize = 1 << 16;
/// Parts of names that say that the value depends on the machine, or on what the process has done before.
const UNSTEADY: [&str; 6] = ["time", "memory", "seconds", "filename", "elapsed", "num-allocs"];

/// The options at which a solver prints statistics.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// z3: `-st`.
    Z3,
    /// cvc4 and cvc5: `--stats`.
    Cvc,
    /// No option: the solver prints statistics anyway, or its command has the option.
    Plain,
}

impl Dialect {
    /// The names of the dialects.
    pub const NAMES: [&str; 3] = ["z3", "cvc", "plain"];
}

impl FromStr for Dialect {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "z3" => Ok(Dialect::Z3),
            "cvc" | "cvc4" | "cvc5" => Ok(Dialect::Cvc),
            "plain" => Ok(Dialect::Plain),
            _ => Err(()),
        }
    }
}

/// The provider of statistics.
#[derive(Debug)]
pub struct Statistics {
    dialect: Dialect,
    /// The names that runs have shown, by their numbers.
    names: Mutex<BTreeMap<u32, String>>,
}

impl Statistics {
    /// Statistics of a solver.
    pub fn new(dialect: Dialect) -> Statistics {
        Statistics { dialect, names: Mutex::default() }
    }
}

impl CounterProvider for Statistics {
    fn name(&self) -> &'static str {
        "statistics"
    }

    fn unit(&self) -> &'static str {
        "sizes of statistics"
    }

    fn prepare(&self, _folder: &Path) -> io::Result<Preparation> {
        let arguments = match self.dialect {
            Dialect::Z3 => vec!["-st".to_string()],
            Dialect::Cvc => vec!["--stats".to_string()],
            Dialect::Plain => Vec::new(),
        };
        // z3, cvc4 and cvc5 print their statistics when they are interrupted.
        let farewell = Some(rustix::process::Signal::INT.as_raw());
        let closing_commands = match self.dialect {
            Dialect::Z3 | Dialect::Cvc => Some("(get-info :all-statistics)\n"),
            Dialect::Plain => None,
        };
        Ok(Preparation { environment: Vec::new(), arguments, closing_commands, farewell })
    }

    fn take(&self, _folder: &Path, output: &str) -> Result<Vec<FileCounters>, CounterError> {
        let mut values = BTreeMap::new();
        let mut names = locked(&self.names);
        for_each(output, &mut |name, value| {
            let number = number(name);
            if names.len() < MOST_NAMES {
                names.entry(number).or_insert_with(|| name.to_string());
            }
            let highest = values.entry(number).or_insert(value);
            *highest = value.max(*highest);
        });
        if values.is_empty() {
            return Err(CounterError::Missing);
        }
        Ok(values
            .into_iter()
            .map(|(file, value)| FileCounters {
                file,
                lines: (0..=value.ilog2()).map(|line| Counter { line, count: 1 }).collect(),
            })
            .collect())
    }

    fn file_name(&self, file: u32) -> Option<String> {
        locked(&self.names).get(&file).cloned()
    }
}

/// The number of a statistic, which depends on nothing but its name (FNV-1a).
fn number(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Visits the statistics in an output that have a whole value other than zero: `:name value` of z3, `name = value` of cvc5,
/// `name, value` of cvc4, `name: value`, and `("name" value)` of cvc4 and cvc5 where they were asked.
fn for_each(output: &str, visit: &mut dyn FnMut(&str, u64)) {
    let (printed, answered) = output.rsplit_once(":all-statistics").unwrap_or((output, ""));
    for pair in answered.split("(\"").skip(1) {
        let Some((name, value)) = pair.split_once('"') else { continue };
        let value = match value.trim_start().strip_prefix('"') {
            Some(text) => text.split_once('"'),
            None => value.split_once(')'),
        };
        note(name, value.map_or("", |(value, _)| value), visit);
    }
    for line in printed.lines() {
        let line = line.trim();
        let line = line.strip_prefix('(').filter(|rest| rest.starts_with(':')).unwrap_or(line);
        let split = match line.strip_prefix(':') {
            Some(line) => {
                line.split_once(char::is_whitespace).map(|(name, value)| (name, value.trim_end_matches(')')))
            }
            // Bars of histograms have separators too.
            None => [" = ", ": ", ", "]
                .iter()
                .filter_map(|separator| line.split_once(separator))
                .min_by_key(|(name, _)| name.len()),
        };
        if let Some((name, value)) = split {
            note(name, value, visit);
        }
    }
}

/// Visits a statistic if it has a whole value other than zero. Histograms, such as `{ A: 1, B: 2 }`, have a statistic for each
/// bar.
fn note(name: &str, value: &str, visit: &mut dyn FnMut(&str, u64)) {
    let (name, value) = (name.trim(), value.trim().trim_matches('"'));
    if !is_steady_name(name) {
        return;
    }
    let bars = [('{', '}'), ('[', ']')]
        .iter()
        .find_map(|&(open, close)| value.strip_prefix(open).and_then(|value| value.strip_suffix(close)));
    if let Some(bars) = bars {
        for bar in bars.split(',') {
            let bar = bar.trim().trim_matches(['(', ')']);
            if let Some((label, count)) = bar.rsplit_once(':')
                && let Some(count) = whole(count)
            {
                visit(&format!("{name}::{}", label.trim()), count);
            }
        }
    } else if let Some(value) = whole(value) {
        visit(name, value);
    }
}

fn whole(value: &str) -> Option<u64> {
    value.trim().parse().ok().filter(|&value| value > 0)
}

fn is_steady_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.contains(['"', '(', ')'])
        && !UNSTEADY.iter().any(|part| lower.contains(part))
}

#[cfg(test)]
mod tests {
    use super::{for_each, number};

    fn statistics(output: &str) -> Vec<(String, u64)> {
        let mut found = Vec::new();
        for_each(output, &mut |name, value| found.push((name.to_string(), value)));
        found
    }

    fn expect(output: &str, expected: &[(&str, u64)]) {
        let expected: Vec<_> = expected.iter().map(|&(name, value)| (name.to_string(), value)).collect();
        assert_eq!(statistics(output), expected);
    }

    #[test]
    fn a_block_of_z3_is_read() {
        let block = "sat\n(:added-eqs     293\n :conflicts 3\n :memory 17.18\n :max-memory 18\n :num-checks 2\n :time 0.01)\n";
        expect(block, &[("added-eqs", 293), ("conflicts", 3), ("num-checks", 2)]);
        expect("(:decisions 8)", &[("decisions", 8)]);
    }

    #[test]
    fn lines_of_cvc_are_read() {
        expect(
            "global::totalTime = 4ms\nsat::conflicts = 12\nresource::resourceUnitsUsed = 0\n\
             theory::strings::rewrites = { CTN: 3, EQ_SYM: 1 }\ntheory::arith::inferences = {}\n",
            &[
                ("sat::conflicts", 12),
                ("theory::strings::rewrites::CTN", 3),
                ("theory::strings::rewrites::EQ_SYM", 1),
            ],
        );
        expect(
            "sat::starts, 1\nsmt::SmtEngine::solveTime, 0.004636\ntheory::arith::lastPivots, \"7\"\n\
             theory::strings::rewrites, \"[(CTN : 3), (EQ_SYM : 1)]\"\n\
             expr::ExprManager::VARIABLE:integer type, 3\n",
            &[
                ("sat::starts", 1),
                ("theory::arith::lastPivots", 7),
                ("theory::strings::rewrites::CTN", 3),
                ("theory::strings::rewrites::EQ_SYM", 1),
                ("expr::ExprManager::VARIABLE:integer type", 3),
            ],
        );
    }

    #[test]
    fn answers_of_cvc_are_read() {
        expect(
            "sat\n( :all-statistics\n  ( (\"sat::conflicts\" 12)\n    (\"sat::starts\" 1)\n    (\"theory::arith::checkTime\" 0.000058)\n    (\"theory::strings::rewrites\" \"[(CTN : 3)]\")\n    (\"theory::arith::lastPivots\" \"7\") ) )\n",
            &[
                ("sat::conflicts", 12),
                ("sat::starts", 1),
                ("theory::strings::rewrites::CTN", 3),
                ("theory::arith::lastPivots", 7),
            ],
        );
        expect(
            "sat\n(:all-statistics ((\"sat::conflicts\" 12) (\"global::totalTime\" \"4ms\") (\"sat::starts\" 1)))\n",
            &[("sat::conflicts", 12), ("sat::starts", 1)],
        );
    }

    #[test]
    fn other_output_is_no_statistic() {
        expect("unsat\nconflicts: 12\nruntime: 3\n", &[("conflicts", 12)]);
        expect("(error \"line 3 column 4: unknown, 3\")\n((x 4))\n(define-fun x () Int = 4)\nsat\n", &[]);
        expect(&format!("{} = 3\n:\n: \n= 4\n, 3\n{{}}\na = {{\nb = [:1]", "x".repeat(1000)), &[("b::", 1)]);
    }

    #[test]
    fn numbers_never_change() {
        assert_eq!(number("conflicts"), 0xedbe_2ef4);
    }
}

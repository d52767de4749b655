//! Names for a page of results: commands of solvers without the folders of their programs, and seeds without the folders that
//! tell them from no other seed.

use std::collections::HashMap;

use sundry_external::command_with_options;
use sundry_fuzz::Bug;

use super::solver_names::{SolverNames, last_parts};

/// Short names of the solvers and the seeds on a page.
pub struct PageNames {
    solvers: SolverNames,
    seeds: HashMap<String, String>,
}

impl PageNames {
    /// The names of these solvers and seeds.
    pub fn of<'n>(
        solvers: impl IntoIterator<Item = &'n str>,
        seeds: impl IntoIterator<Item = &'n str>,
    ) -> PageNames {
        PageNames { solvers: SolverNames::of(solvers), seeds: unique_ends(seeds.into_iter().collect()) }
    }

    /// The name of a solver.
    pub fn solver<'n>(&'n self, command: &'n str) -> &'n str {
        self.solvers.get(command)
    }

    /// The name of a seed.
    pub fn seed<'n>(&'n self, seed: &'n str) -> &'n str {
        self.seeds.get(seed).map_or_else(|| last_parts(seed, 1), String::as_str)
    }

    /// The name of the solver of a bug, with the options that the bug needs.
    pub fn of_bug(&self, bug: &Bug) -> String {
        command_with_options(self.solver(&bug.solver), &bug.options)
    }

    /// A text with the names of solvers in place of their commands.
    pub fn in_text(&self, text: &str) -> String {
        self.solvers.in_text(text)
    }

    /// The words of a command, with the name of a solver in place of its command, and without folders elsewhere.
    pub fn of_words(&self, words: &[String]) -> Vec<String> {
        let value = |word: &str| match self.solver(word) {
            name if name != word => name.to_string(),
            _ => last_parts(word.trim_end_matches('/'), 1).to_string(),
        };
        let short = |word: &String| match word.split_once('=') {
            Some((option, text)) if word.starts_with("--") => format!("{option}={}", value(text)),
            _ if word.starts_with('-') => word.clone(),
            _ => value(word),
        };
        words.iter().map(short).collect()
    }
}

/// The ends of paths, each with as many folders as it takes to be unlike all others.
fn unique_ends(mut paths: Vec<&str>) -> HashMap<String, String> {
    paths.sort_unstable();
    paths.dedup();
    let mut ends = HashMap::new();
    let (mut left, mut parts) = (paths.clone(), 1);
    while !left.is_empty() {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        paths.iter().for_each(|path| *counts.entry(last_parts(path, parts)).or_default() += 1);
        left.retain(|&path| {
            let end = last_parts(path, parts);
            let is_done = counts[end] == 1 || end == path;
            if is_done {
                ends.insert(path.to_string(), end.to_string());
            }
            !is_done
        });
        parts += 1;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_folders_that_they_do_not_need() {
        let seeds = ["/home/me/a/x.smt2", "/home/me/b/x.smt2", "/home/me/b/y.smt2", "x.smt2"];
        let names = PageNames::of(["/opt/z3-4.8 -st", "/opt/cvc5"], seeds);
        assert_eq!(seeds.map(|seed| names.seed(seed)), ["a/x.smt2", "b/x.smt2", "y.smt2", "x.smt2"]);
        assert_eq!(names.seed("/somewhere/else.smt2"), "else.smt2");
        let words = ["fuzz", "--solver", "/opt/z3-4.8 -st", "-o", "/home/me/out", "--trace=/tmp/t", "seeds/"];
        let short = names.of_words(&words.map(String::from));
        assert_eq!(short, ["fuzz", "--solver", "z3-4.8 -st", "-o", "out", "--trace=t", "seeds"]);
    }
}

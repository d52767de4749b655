//! The lines of a solver that an input executes and earlier inputs did not (the coverage score, Algorithm 2).
//!
//! The listing and the text of the paper differ in three points. By the text, which is the default here ([`CoverageRules`]),
//! a line that was executed more often than ever before scores ten times the *growth* of its count; the lines of a file that is
//! new score as well; and a new line scores a hundred times its count. By the listing a grown line scores ten times its whole
//! count, a new file scores 1000 and nothing else, and a new line gets the point of the last branch on top. The growth of a
//! count is what is new, as with lines and files, while the whole count would reward the longest loop again and again.

use rustc_hash::FxHashMap;
use sundry_counters::{Counter, FileCounters};

/// The version of Algorithm 2 that the score follows.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum CoverageRules {
    /// As the text of the paper has it.
    #[default]
    Text,
    /// As the listing of Algorithm 2 has it.
    Listing,
}

/// The points for a file that is new.
const NEW_FILE: u128 = 1000;
/// The points for each execution of a line that is new.
const NEW_LINE: u128 = 100;
/// The points for each execution of a line more than in any run before.
const GROWN_LINE: u128 = 10;
/// The points for any other line.
const KNOWN_LINE: u128 = 1;

/// The largest number of executions of each line in one of the runs so far.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CoverageMap {
    files: FxHashMap<u32, FxHashMap<u32, u64>>,
}

impl CoverageMap {
    /// The score of a run against the runs so far, to which the run is added. A score that is too large is the largest number
    /// there is.
    pub fn score_and_add(&mut self, run: &[FileCounters], rules: CoverageRules) -> u128 {
        let score = self.score(run, rules);
        self.add(run);
        score
    }

    /// The score of a run against the runs so far.
    pub fn score(&self, run: &[FileCounters], rules: CoverageRules) -> u128 {
        let scores = run.iter().map(|file| self.score_of_file(file, rules));
        scores.fold(0, u128::saturating_add)
    }

    fn score_of_file(&self, file: &FileCounters, rules: CoverageRules) -> u128 {
        let known = self.files.get(&file.file);
        if known.is_none() && rules == CoverageRules::Listing {
            return NEW_FILE;
        }
        let lines = file.lines.iter().map(|&Counter { line, count }| {
            let before = known.and_then(|lines| lines.get(&line)).copied();
            score_of_line(count, before, rules)
        });
        let bonus = if known.is_none() { NEW_FILE } else { 0 };
        lines.fold(bonus, u128::saturating_add)
    }

    /// Adds a run.
    pub fn add(&mut self, run: &[FileCounters]) {
        for file in run {
            let known = self.files.entry(file.file).or_default();
            for &Counter { line, count } in &file.lines {
                let most = known.entry(line).or_default();
                *most = count.max(*most);
            }
        }
    }

    /// The largest number of executions of each line, in ascending order of files and lines.
    pub fn counters(&self) -> Vec<FileCounters> {
        let counters = |(&file, lines): (&u32, &FxHashMap<u32, u64>)| {
            let mut lines: Vec<Counter> =
                lines.iter().map(|(&line, &count)| Counter { line, count }).collect();
            lines.sort_unstable_by_key(|counter| counter.line);
            FileCounters { file, lines }
        };
        let mut files: Vec<FileCounters> = self.files.iter().map(counters).collect();
        files.sort_unstable_by_key(|file| file.file);
        files
    }

    /// The number of lines that were executed in some run.
    pub fn lines(&self) -> usize {
        self.files.values().map(FxHashMap::len).sum()
    }
}

fn score_of_line(count: u64, before: Option<u64>, rules: CoverageRules) -> u128 {
    let executions = u128::from(count);
    match (before, rules) {
        (None, CoverageRules::Text) => NEW_LINE.saturating_mul(executions),
        (None, CoverageRules::Listing) => NEW_LINE.saturating_mul(executions).saturating_add(KNOWN_LINE),
        (Some(before), CoverageRules::Text) if count > before => {
            GROWN_LINE.saturating_mul(executions - u128::from(before))
        }
        (Some(before), CoverageRules::Listing) if count > before => GROWN_LINE.saturating_mul(executions),
        (Some(_), _) => KNOWN_LINE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(files: &[(u32, &[(u32, u64)])]) -> Vec<FileCounters> {
        let counters = |lines: &[(u32, u64)]| {
            lines.iter().map(|&(line, count)| Counter { line, count }).collect::<Vec<Counter>>()
        };
        files.iter().map(|&(file, lines)| FileCounters { file, lines: counters(lines) }).collect()
    }

    fn scores(rules: CoverageRules) -> Vec<u128> {
        let mut map = CoverageMap::default();
        let runs = [
            // A new file with two lines.
            run(&[(1, &[(10, 2), (11, 5)])]),
            // The first line grows by 3, the second is executed less often, the third is new.
            run(&[(1, &[(10, 5), (11, 1), (12, 4)])]),
            // Nothing is new, and the counts are those of before.
            run(&[(1, &[(10, 5), (12, 4)])]),
        ];
        let scores = runs.iter().map(|run| map.score_and_add(run, rules)).collect();
        assert_eq!(map.lines(), 3);
        scores
    }

    #[test]
    fn the_text_and_the_listing_differ() {
        assert_eq!(scores(CoverageRules::Text), [1000 + 700, 30 + 1 + 400, 2]);
        assert_eq!(scores(CoverageRules::Listing), [1000, 50 + 1 + 401, 2]);
    }

    #[test]
    fn scores_do_not_overflow() {
        let endless = run(&[(1, &[(1, u64::MAX), (2, u64::MAX)]), (2, &[(1, u64::MAX)])]);
        let mut map = CoverageMap::default();
        let score = map.score_and_add(&endless, CoverageRules::Text);
        assert_eq!(score, 2 * 1000 + 3 * 100 * u128::from(u64::MAX));
        assert_eq!(map.score(&endless, CoverageRules::Text), 3);
    }
}

//! The part of a report about what solvers and releases say.

use std::collections::HashSet;
use std::fmt::Write;

use sundry_external::Fault;
use sundry_fuzz::{Decision, DefectStatus, Vote};

use super::output_text::readable;
use super::report::{Report, shortened};
use crate::untrusted::{markdown, markdown_block, markdown_code};

/// Characters of a solver's answer in a table, and of its output, at most.
const SHORT_WORD: usize = 200;
const SHORT_OUTPUT: usize = 4000;

/// Texts without those that are there already.
fn unique(texts: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.into_iter().filter(|text| seen.insert(text.clone())).collect()
}

impl Report<'_> {
    /// Appends the answers of all solvers, and in full only those that are about something else than the script. A solver that is a reference too
    /// has one row, unless its answers differ.
    pub fn append_answers(&self, text: &mut String) {
        let Report { finding, names, solvers, command, .. } = self;
        let level = self.level;
        let _ = write!(text, "\n{level} Solvers\n\n| solver | version | answers |\n| --- | --- | --- |\n");
        let mut rows: Vec<String> = Vec::new();
        for Vote { solver, word, .. } in &finding.said {
            let plain = if solver == command { &finding.solver } else { solver };
            let version = solvers.get(plain).and_then(|entry| entry.version.as_deref()).unwrap_or("");
            let (solver, version) = (markdown_code(names.get(solver)), markdown(version));
            let word = readable(&answer_of(word), self.file);
            let word = markdown(&shortened(&word, SHORT_WORD));
            rows.push(format!("| {solver} | {version} | {word} |\n"));
        }
        text.extend(unique(rows));
        for (others, commands) in self.preambles() {
            let others: Vec<String> = others.iter().map(|other| markdown_code(names.get(other))).collect();
            let commands: Vec<String> = commands.iter().map(|command| markdown_code(command)).collect();
            let _ = writeln!(text, "\n{} got {} before the script.", others.join(", "), commands.join(" "));
        }
        let others = finding.said.iter().filter(|vote| vote.solver != *command);
        let outputs = others.filter(|vote| is_worth_reading(vote)).map(|vote| {
            format!("\n{} prints\n\n{}", markdown_code(names.get(&vote.solver)), self.printed(vote))
        });
        text.extend(unique(outputs.collect()));
    }

    /// The solvers that got commands before the script, by these commands.
    fn preambles(&self) -> Vec<(Vec<&str>, &[&'static str])> {
        let mut preambles: Vec<(Vec<&str>, &[&'static str])> = Vec::new();
        for vote in self.finding.said.iter().filter(|vote| !vote.preamble.is_empty()) {
            match preambles.iter_mut().find(|(_, commands)| *commands == vote.preamble) {
                Some((solvers, _)) => solvers.push(&vote.solver),
                None => preambles.push((vec![&vote.solver], &vote.preamble)),
            }
        }
        preambles
    }

    /// Appends the releases that were asked.
    pub fn append_releases(&self, text: &mut String) {
        let Report { finding, names, level, .. } = self;
        if finding.releases.is_empty() {
            return;
        }
        let _ = write!(text, "\n{level} Releases\n\n| release | shows it |\n| --- | --- |\n");
        for (release, shown) in &finding.releases {
            let shown = match shown {
                DefectStatus::Yes => "yes",
                DefectStatus::No => "no",
                DefectStatus::Undecided => "not decided",
                DefectStatus::OptionsRefused => "does not take the options",
            };
            let _ = writeln!(text, "| {} | {shown} |", markdown_code(names.get(release)));
        }
    }

    /// The output of a solver as a block.
    pub fn printed(&self, vote: &Vote) -> String {
        markdown_block(&shortened(readable(&vote.output, self.file).trim(), SHORT_OUTPUT), "")
    }
}

/// Whether the output of another solver says more than the table: a crash, or an error that is too long for it.
fn is_worth_reading(vote: &Vote) -> bool {
    match &vote.word {
        Err(Some(Fault::Crash(_))) => true,
        Err(Some(fault @ Fault::Error(_))) => fault.to_string().chars().count() > SHORT_WORD,
        _ => false,
    }
}

/// The answer of a solver in a word, or the reason for which there is none.
pub fn answer_of(word: &Decision) -> String {
    match word {
        Ok(verdict) => verdict.to_string(),
        Err(Some(fault)) => fault.to_string(),
        Err(None) => "unknown".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sundry_external::Verdict;

    use super::super::report::tests::finding;
    use super::*;

    fn vote(solver: &str, word: Decision, output: &str) -> Vote {
        Vote { solver: solver.into(), word, output: output.into(), preamble: Vec::new() }
    }

    #[test]
    fn others_are_heard_in_a_word_unless_they_crash() {
        let mut finding = finding("/opt/z3");
        let quiet = vote("/opt/cvc5", Ok(Verdict::Sat), "sat\n((define-fun x () Int 1))\n");
        let completed = Vote { preamble: vec!["(set-logic ALL)"], ..quiet };
        let crash = vote("/opt/yices", Err(Some(Fault::Crash("boom".into()))), "boom in question.smt2\n");
        let error =
            vote("/opt/mathsat", Err(Some(Fault::Error("/tmp/7/question.smt2:2.1: no".into()))), "no\n");
        finding.said.extend([completed, crash, error]);
        let solvers = BTreeMap::new();
        let mut text = String::new();
        Report::new(&finding, &solvers, "####").append_answers(&mut text);
        assert!(text.starts_with("\n#### Solvers\n\n| solver |"), "{text}");
        assert!(text.contains("| `cvc5` |  | sat |\n") && !text.contains("define-fun"), "{text}");
        assert!(text.contains("\n`cvc5` got `(set-logic ALL)` before the script.\n"), "{text}");
        assert!(text.contains("`yices` prints\n\n```\nboom in reduced.smt2\n```\n"), "{text}");
        assert!(
            text.contains("| error: reduced.smt2:2.1: no |") && !text.contains("`mathsat` prints"),
            "{text}"
        );
    }

    #[test]
    fn releases_that_do_not_decide_are_not_called_wrong() {
        let mut finding = finding("z3");
        finding.releases = vec![("z3-1".into(), DefectStatus::Undecided), ("z3-2".into(), DefectStatus::No)];
        let solvers = BTreeMap::new();
        let mut text = String::new();
        Report::new(&finding, &solvers, "##").append_releases(&mut text);
        let table = "| `z3-1` | not decided |\n| `z3-2` | no |\n";
        assert!(text.starts_with("\n## Releases\n") && text.ends_with(table), "{text}");
    }
}

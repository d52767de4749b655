//! The text about a finding that people read, and can put into an issue tracker.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use sundry_external::{Fault, Verdict};
use sundry_fuzz::{Decision, Defect, DefectStatus, Evidence, Finding, Vote};

use super::findings::SolverEntry;
use super::options_section::options_section;
use super::solver_names::{SolverNames, without_folders};
use crate::untrusted::{markdown, markdown_block, markdown_code};

/// Characters of a solver's answer in a table, of its output, and of a term, at most.
const SHORT_WORD: usize = 200;
const SHORT_OUTPUT: usize = 4000;
const SHORT_TERM: usize = 300;

/// The script of a finding with the values of a model as definitions.
pub const WITH_MODEL: &str = "with-model.smt2";

/// The text about a finding, with what its solvers say of their versions. `script` is the name of the file with its smallest
/// script, and `replay` is the command that prints the formula as it was found, if the campaign has one.
pub fn describe(
    finding: &Finding,
    solvers: &BTreeMap<String, SolverEntry>,
    script: &str,
    replay: Option<&str>,
) -> String {
    let report = Report::new(finding, solvers);
    let mut text = String::new();
    report.append_head(&mut text);
    report.append_reproduction(&mut text, script);
    report.append_evidence(&mut text, false);
    text.push_str(&options_section(finding));
    report.append_answers(&mut text);
    report.append_releases(&mut text);
    origin(&mut text, finding, replay);
    text
}

/// The reply that is expected of a solver, and the one that it gives.
pub fn outcome(finding: &Finding) -> (&'static str, String) {
    match &finding.defect {
        Defect::WrongAnswer { right: Verdict::Sat } => ("`sat`", "`unsat`".to_string()),
        Defect::WrongAnswer { .. } => ("`unsat`", "`sat`".to_string()),
        Defect::InvalidModel => {
            ("a model that satisfies all assertions", "a model that does not".to_string())
        }
        Defect::SatisfiableCore => ("an unsatisfiable core", "a satisfiable one".to_string()),
        Defect::StrayCore => ("a core of assertions", "one with something that was not asserted".to_string()),
        Defect::Crash(signature) => ("an answer", format!("a crash: {}", markdown(signature))),
    }
}

/// The pieces of texts about a finding.
pub struct Report<'f> {
    finding: &'f Finding,
    solvers: &'f BTreeMap<String, SolverEntry>,
    /// The command of the solver, with the options that the defect needs.
    pub command: String,
    /// Short names of the solvers.
    pub names: SolverNames,
}

impl<'f> Report<'f> {
    /// The pieces about a finding, with what its solvers say of their versions.
    pub fn new(finding: &'f Finding, solvers: &'f BTreeMap<String, SolverEntry>) -> Report<'f> {
        let releases = finding.releases.iter().map(|(release, _)| release.as_str());
        let command = finding.command();
        let commands = [&*finding.solver, &command];
        let names = SolverNames::of(solvers.keys().map(String::as_str).chain(commands).chain(releases));
        Report { finding, solvers, command, names }
    }

    /// The smallest script.
    pub fn script(&self) -> &'f str {
        self.finding.reduction.as_ref().map_or(&self.finding.script, |reduction| &reduction.script)
    }

    /// The vote of the solver with the defect.
    pub fn own(&self) -> Option<&'f Vote> {
        self.finding.said.iter().find(|vote| vote.solver == self.command)
    }

    /// The version of the solver with the defect.
    pub fn version(&self) -> &'f str {
        let entry = self.solvers.get(&self.finding.solver);
        entry.and_then(|entry| entry.version.as_deref()).unwrap_or("unknown")
    }

    /// Appends the defect, and the version that has it.
    fn append_head(&self, text: &mut String) {
        let Report { finding, names, command, .. } = self;
        let solver = markdown_code(names.get(command));
        let _ = writeln!(text, "# {solver}: {}\n", markdown(&finding.defect.to_string()));
        let (expected, actual) = outcome(finding);
        let witness = markdown(&names.in_text(&finding.witness.to_string()));
        let _ = writeln!(text, "- Expected: {expected}; {witness}.");
        let _ = writeln!(text, "- Actual: {actual}.");
        let _ = writeln!(text, "- Version: {}.", markdown(self.version()));
        let _ = writeln!(text, "- Platform: {} on {}.\n", std::env::consts::OS, std::env::consts::ARCH);
    }

    /// Appends the script, and the output of the solver.
    fn append_reproduction(&self, text: &mut String, script: &str) {
        let Report { finding, names, command, .. } = self;
        let _ = writeln!(text, "## Reproduction\n\n`{script}`:\n\n{}", markdown_block(self.script(), "smt2"));
        text.push_str(&markdown_block(&format!("{} {script}", names.get(command)), "sh"));
        if let Some(own) = self.own() {
            let _ = write!(text, "\nprints\n\n{}", printed(own));
        }
        if let Some(reduction) = finding.reduction.as_ref().filter(|reduction| !reduction.is_finished) {
            let _ = writeln!(
                text,
                "\nThe script may become smaller: reducing was stopped after {} attempts.",
                reduction.checks
            );
        }
    }

    /// Appends the reason why the reply is wrong; with the script that has values of a model, or with the name of its file.
    pub fn append_evidence(&self, text: &mut String, has_script: bool) {
        let Report { finding, names, .. } = self;
        match &finding.evidence {
            None => {}
            Some(Evidence::Model { whose, script, answer }) => {
                let is_own = finding.defect == Defect::InvalidModel;
                let origin = match is_own {
                    true => "The solver denies its own model.".to_string(),
                    false => {
                        format!("The script has a model ({} prints it).", markdown_code(names.get(whose)))
                    }
                };
                let (name, block) = match has_script {
                    true => ("The following".to_string(), format!("\n{}", markdown_block(script, "smt2"))),
                    false => (format!("`{WITH_MODEL}`"), String::new()),
                };
                let _ = writeln!(
                    text,
                    "\n## Evidence\n\n{origin} {name} is the script with the values of that model as definitions; {} answers \
                     `{}` to it{}.",
                    markdown_code(names.get(&self.command)),
                    markdown(&answer_of(answer)),
                    if is_own || *answer == Ok(Verdict::Sat) {
                        ", which contradicts its other answer"
                    } else {
                        ""
                    }
                );
                text.push_str(&block);
            }
            Some(Evidence::FalseAssertion { assertion, values }) => {
                let _ = writeln!(
                    text,
                    "\n## Evidence\n\nUnder the model that the solver prints, this assertion is false:\n\n{}\n\
                     | term | value |\n| --- | --- |",
                    markdown_block(assertion, "smt2")
                );
                for (term, value) in values {
                    let cell = |term: &str| markdown_code(&shortened(term, SHORT_TERM));
                    let _ = writeln!(text, "| {} | {} |", cell(term), cell(value));
                }
            }
        }
    }

    /// Appends the answers of all solvers.
    pub fn append_answers(&self, text: &mut String) {
        let Report { finding, names, solvers, command } = self;
        text.push_str("\n## Solvers\n\n| solver | version | answers |\n| --- | --- | --- |\n");
        for Vote { solver, word, .. } in &finding.said {
            let plain = if solver == command { &finding.solver } else { solver };
            let version = solvers.get(plain).and_then(|entry| entry.version.as_deref()).unwrap_or("");
            let (solver, version) = (markdown_code(names.get(solver)), markdown(version));
            let word = markdown(&shortened(&answer_of(word), SHORT_WORD));
            let _ = writeln!(text, "| {solver} | {version} | {word} |");
        }
        let others = finding.said.iter().filter(|vote| vote.solver != *command);
        // What solvers say that do not know the script helps nobody.
        let others = others.filter(|vote| !matches!(vote.word, Err(Some(Fault::Unsupported(_)))));
        for vote in others.filter(|vote| !vote.output.trim().is_empty()) {
            let _ = write!(text, "\n{} prints\n\n{}", markdown_code(names.get(&vote.solver)), printed(vote));
        }
    }

    /// Appends the releases that were asked.
    pub fn append_releases(&self, text: &mut String) {
        let Report { finding, names, .. } = self;
        if finding.releases.is_empty() {
            return;
        }
        text.push_str("\n## Releases\n\n| release | shows it |\n| --- | --- |\n");
        for (release, shown) in &finding.releases {
            let shown = match shown {
                DefectStatus::Yes => "yes",
                DefectStatus::No => "no",
                DefectStatus::Undecided => "no right answer",
                DefectStatus::OptionsRefused => "does not take the options",
            };
            let _ = writeln!(text, "| {} | {shown} |", markdown_code(names.get(release)));
        }
    }
}

/// Appends the origin of the script.
fn origin(text: &mut String, finding: &Finding, replay: Option<&str>) {
    let origin = match finding.mutant {
        0 => "the seed itself".to_string(),
        number => format!("mutant {number}"),
    };
    let rewritten = finding.rewritten.map_or_else(String::new, |how| format!(" of the seed {how}"));
    let seed = Path::new(&finding.seed)
        .file_name()
        .map_or_else(|| finding.seed.clone(), |name| name.to_string_lossy().into());
    let _ = writeln!(
        text,
        "\n## Origin\n\nFound by Sundry {} with the seed {}, {origin}{rewritten}; that formula is `formula.smt2`.",
        env!("CARGO_PKG_VERSION"),
        markdown_code(&seed)
    );
    if let Some(replay) = replay.filter(|_| finding.mutant > 0) {
        let _ = write!(text, "The following prints it again, as long as the folder of the campaign is there:\n\n{}", markdown_block(replay, "sh"));
    }
    if !finding.changes.is_empty() {
        text.push_str("\nTerms that were replaced, on the way from the seed:\n\n");
        for (from, to) in &finding.changes {
            let _ = writeln!(text, "- {}\n  by {}", markdown_code(from), markdown_code(to));
        }
    }
}

/// The output of a solver as a block.
pub fn printed(vote: &Vote) -> String {
    markdown_block(&shortened(without_folders(&vote.output).trim(), SHORT_OUTPUT), "")
}

/// The answer of a solver in a word, or the reason for which there is none.
fn answer_of(word: &Decision) -> String {
    match word {
        Ok(verdict) => verdict.to_string(),
        Err(Some(fault)) => fault.to_string(),
        Err(None) => "unknown".to_string(),
    }
}

/// The beginning of a text.
fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
pub mod tests {
    use sundry_fuzz::{Reduction, Witness};

    use super::*;

    /// A wrong `unsat` of a solver, with a model as evidence.
    pub fn finding(solver: &str) -> Finding {
        let script = "(assert (mod))\n(check-sat)\n".to_string();
        let reduction = Reduction { script, skeleton: "mod".into(), checks: 3, is_finished: true };
        let script = "(define-fun x () Int 0)\n(check-sat)\n".to_string();
        let word = Ok(Verdict::Unsat);
        let output = "unsat\n".to_string();
        Finding {
            defect: Defect::WrongAnswer { right: Verdict::Sat },
            witness: Witness::Solvers(vec!["/home/me/other".into()]),
            evidence: Some(Evidence::Model {
                whose: "/home/me/other".into(),
                script,
                answer: Ok(Verdict::Sat),
            }),
            solver: solver.to_string(),
            options: Vec::new(),
            cures: Vec::new(),
            seed: "/home/me/s.smt2".into(),
            mutant: 3,
            script: "(check-sat)\n".into(),
            rewritten: None,
            in_seed: false,
            changes: Vec::new(),
            said: vec![Vote { solver: solver.to_string(), word, output }],
            releases: vec![(solver.to_string(), DefectStatus::Yes)],
            is_cut_short: false,
            reduction: Some(reduction),
        }
    }
}

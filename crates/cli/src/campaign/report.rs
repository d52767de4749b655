//! The text about a finding that people read.

use std::collections::BTreeMap;
use std::fmt::Write;

use sundry_external::Verdict;
use sundry_fuzz::{Defect, Evidence, Finding, Reduction, Vote};

use super::answers::answer_of;
use super::findings::{FORMULA, REDUCED, SolverEntry};
use super::options_section::options_section;
use super::origin::origin_section;
use super::solver_names::SolverNames;
use super::wording::{Wording, reason};
use crate::untrusted::{markdown, markdown_block, markdown_code};
use crate::values::counted;

/// Characters of a term in a table, at most.
const SHORT_TERM: usize = 300;

/// The script of a finding with the values of a model as definitions.
pub const WITH_MODEL: &str = "with-model.smt2";

/// The text about a finding, with what its solvers say of their versions. `replay` are the lines for a shell that print the formula as it
/// was found, if the campaign has them.
pub fn describe(finding: &Finding, solvers: &BTreeMap<String, SolverEntry>, replay: Option<&str>) -> String {
    let report = Report::new(finding, solvers, "##");
    let mut text = String::new();
    report.append_head(&mut text);
    report.append_reproduction(&mut text);
    report.append_evidence(&mut text, false);
    text.push_str(&options_section(finding, report.level));
    report.append_answers(&mut text);
    report.append_releases(&mut text);
    text + &origin_section(finding, replay)
}

/// The pieces of texts about a finding.
pub struct Report<'f> {
    /// The finding.
    pub finding: &'f Finding,
    /// The solvers by command.
    pub solvers: &'f BTreeMap<String, SolverEntry>,
    /// The command of the solver, with the options that the defect needs.
    pub command: String,
    /// Short names of the solvers.
    pub names: SolverNames,
    /// The name of the file with the smallest script.
    pub file: &'static str,
    /// The marks before the headings of sections.
    pub level: &'static str,
}

impl<'f> Report<'f> {
    /// The pieces about a finding, with what its solvers say of their versions, and with these marks before headings.
    pub fn new(
        finding: &'f Finding,
        solvers: &'f BTreeMap<String, SolverEntry>,
        level: &'static str,
    ) -> Report<'f> {
        let releases = finding.releases.iter().map(|(release, _)| release.as_str());
        let command = finding.command();
        let said = finding.said.iter().map(|vote| vote.solver.as_str());
        let commands = [&*finding.solver, &command].into_iter().chain(releases).chain(said);
        let names = SolverNames::of(solvers.keys().map(String::as_str).chain(commands));
        let file = if finding.reduction.is_some() { REDUCED } else { FORMULA };
        Report { finding, solvers, command, names, file, level }
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

    /// The command that shows the defect, as a block.
    pub fn command_block(&self) -> String {
        markdown_block(&format!("{} {}", self.names.get(&self.command), self.file), "sh")
    }

    /// Appends the defect, and the version that has it.
    fn append_head(&self, text: &mut String) {
        let Report { finding, names, command, .. } = self;
        let solver = markdown_code(names.get(command));
        let _ = writeln!(text, "# {solver}: {}\n", markdown(&finding.defect.to_string()));
        let Wording { expected, actual, .. } = Wording::of(finding);
        let reason = reason(finding).map(|reason| format!("; {}", markdown(&names.in_text(&reason))));
        let _ = writeln!(text, "- Expected: {expected}{}.", reason.unwrap_or_default());
        let _ = writeln!(text, "- Actual: {actual}.");
        let _ = writeln!(text, "- Version: {}.", markdown(self.version()));
        let _ = writeln!(text, "- Platform: {} on {}.\n", std::env::consts::OS, std::env::consts::ARCH);
    }

    /// Appends the script, and the output of the solver.
    fn append_reproduction(&self, text: &mut String) {
        let Report { file, level, .. } = self;
        let script = markdown_block(self.script(), "smt2");
        let _ = writeln!(text, "{level} Reproduction\n\n`{file}`:\n\n{script}");
        text.push_str(&self.command_block());
        if let Some(own) = self.own() {
            let _ = write!(text, "\nprints\n\n{}", self.printed(own));
        }
        if let Some(remark) = reduction_remark(self.finding) {
            let _ = writeln!(text, "\n{remark}");
        }
    }

    /// Appends the reason why the reply is wrong; with the script that has values of a model, or with the name of its file.
    pub fn append_evidence(&self, text: &mut String, has_script: bool) {
        let Report { finding, names, level, .. } = self;
        match &finding.evidence {
            None => {}
            Some(Evidence::Model { whose, script, answer }) => {
                let is_own = finding.defect == Defect::InvalidModel;
                let with_model = "is the script with the values of that model as definitions";
                let (origin, content) = match (is_own, answer) {
                    // Values that violate the constraints on functions refute these, and no values refute a model.
                    (true, Ok(Verdict::Sat)) => (
                        "The solver denies its own functions.".to_string(),
                        "asks for values under which these functions violate a constraint",
                    ),
                    (true, _) => ("The solver denies its own model.".to_string(), with_model),
                    (false, _) => {
                        let whose = markdown_code(names.get(whose));
                        (format!("The script has a model ({whose} prints it)."), with_model)
                    }
                };
                let (name, block) = match has_script {
                    true => ("The following".to_string(), format!("\n{}", markdown_block(script, "smt2"))),
                    false => (format!("`{WITH_MODEL}`"), String::new()),
                };
                let _ = writeln!(
                    text,
                    "\n{level} Evidence\n\n{origin} {name} {content}; {} answers \
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
                    "\n{level} Evidence\n\nUnder the model that the solver prints, this assertion is false:\n\n{}\n\
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
}

/// The reason for which the script may be larger than it has to be; none if it was reduced to the end.
fn reduction_remark(finding: &Finding) -> Option<String> {
    match &finding.reduction {
        Some(Reduction { is_finished: true, .. }) => None,
        Some(Reduction { checks, .. }) => {
            let attempts = counted(*checks, "attempt");
            Some(format!("The script may become smaller: reducing was stopped after {attempts}."))
        }
        None if !finding.witness.confirms(&finding.defect) => {
            Some("The script is not reduced, because nobody confirms the defect.".to_string())
        }
        None if finding.is_cut_short => Some(
            "The script is not reduced, because the campaign ended before; it reduces the script when it continues."
                .to_string(),
        ),
        None => Some(
            "The script is not reduced: the defect depends on the way in which the script is written, and does not show once \
             Sundry prints it anew."
                .to_string(),
        ),
    }
}

/// The beginning of a text.
pub fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
pub mod tests {
    use sundry_external::Verdict;
    use sundry_fuzz::{DefectStatus, Witness};

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
            said: vec![Vote { solver: solver.to_string(), word, output, preamble: Vec::new() }],
            releases: vec![(solver.to_string(), DefectStatus::Yes)],
            is_cut_short: false,
            reduction: Some(reduction),
        }
    }

    #[test]
    fn a_report_says_why_a_script_is_large() {
        let remark = |finding: Finding| reduction_remark(&finding).unwrap_or_default();
        assert_eq!(remark(finding("z3")), "");
        let stopped =
            finding("z3").reduction.map(|reduction| Reduction { checks: 1, is_finished: false, ..reduction });
        let stopped = Finding { reduction: stopped, ..finding("z3") };
        assert!(remark(stopped).ends_with("was stopped after 1 attempt."));
        let unreduced = Finding { reduction: None, ..finding("z3") };
        assert!(remark(unreduced.clone()).contains("does not show once Sundry prints it anew"));
        assert!(
            remark(Finding { is_cut_short: true, ..unreduced.clone() }).contains("the campaign ended before")
        );
        let doubtful = Finding { witness: Witness::Construction, ..unreduced };
        assert!(remark(doubtful).contains("nobody confirms"));
    }

    #[test]
    fn the_file_of_the_command_is_that_of_the_script() {
        let whole = Finding { reduction: None, ..finding("/opt/z3 -st") };
        let solvers = BTreeMap::from([("/home/me/other".to_string(), SolverEntry::default())]);
        for (finding, file) in [(finding("/opt/z3 -st"), REDUCED), (whole, FORMULA)] {
            let text = describe(&finding, &solvers, None);
            assert!(text.contains(&format!("`{file}`:\n\n```smt2\n")), "{text}");
            assert!(text.contains(&format!("```sh\nz3 -st {file}\n```")), "{text}");
            assert!(text.contains("- Expected: `sat`; other says so.\n- Actual: `unsat`.\n"), "{text}");
        }
    }
}

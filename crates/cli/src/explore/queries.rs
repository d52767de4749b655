//! Questions to the solver as files in SMT-LIB, which every solver reads.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sundry_explore::{Answer, Input, Question, VariableId, Variables};
use sundry_fuzz::logic_of;
use sundry_report::untrusted::visible;
use sundry_smtlib::{Formula, print_formula};

use super::seeds::entries;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::OutputFolder;

/// The greatest number of files: folders with more are slow everywhere.
const MOST_FILES: usize = 50_000;

/// Writes each question into a file of its own.
pub struct Queries {
    folder: PathBuf,
    written: usize,
    is_full: bool,
}

impl Queries {
    /// A writer of questions into a folder, which is made where it is missing. Formulas that are there stay where an exploration is continued.
    ///
    /// # Errors
    /// The folder has formulas of another exploration, or cannot be read or written to.
    pub fn new(folder: &Path, resumes: bool) -> Result<Queries, Failure> {
        let output = OutputFolder::new(folder, "--queries names the folder for questions to the solver")?;
        let is_formula = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "smt2");
        let written = entries(folder)?.iter().filter(|path| is_formula(path)).count();
        if written > 0 && !resumes {
            let message = format!("{} has formulas already", folder.display());
            let help = "choose another folder with --queries, or remove this one";
            return Err(Failure::usage(message).with_help(help));
        }
        Ok(Queries { folder: output.path().to_path_buf(), written, is_full: false })
    }

    /// Writes a question that was put to the solver.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, question: &Question<'_>, console: &Console) -> Result<(), Failure> {
        if !question.was_asked || self.is_full {
            return Ok(());
        }
        if self.written >= MOST_FILES {
            self.is_full = true;
            let text =
                format!("{MOST_FILES} questions are written; the folder gets none of those that follow");
            console.note(self.folder.display(), text);
            return Ok(());
        }
        self.written += 1;
        let path = self.folder.join(format!("{:06}-{}.smt2", question.number, status(question.answer)));
        // Nothing reads these files before the run ends, and there may be thousands a second: they are not flushed to the disk.
        fs::write(&path, text(question)).map_err(|error| Failure::writing(&path, &error))
    }
}

fn status(answer: &Answer) -> &'static str {
    match answer {
        Answer::Solution(_) => "sat",
        Answer::Impossible => "unsat",
        Answer::Unknown => "unknown",
    }
}

/// The script of a question: its answer and the partial solutions as comments, declarations, and an assertion for each condition.
fn text(question: &Question<'_>) -> String {
    let Question { number, test, variables, store, .. } = question;
    let mut formula = Formula::of_assertions(store, question.conditions.to_vec());
    formula.logic = Some(logic_of(store, question.conditions));
    let concerned: Vec<VariableId> =
        formula.symbols.iter().filter_map(|&symbol| variables.of_symbol(symbol)).collect();
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "; question {number}: another way out of the path of test {test}");
    let inputs = |name, inputs: &[Input], text: &mut String| {
        for input in inputs {
            let _ = writeln!(text, "; {name}: {}", values(input, &concerned, (variables, question)));
        }
    };
    if let Answer::Solution(solution) = question.answer {
        inputs("solution", std::slice::from_ref(solution), &mut text);
    }
    inputs("partial solution", question.partials, &mut text);
    text.push_str("(set-info :smt-lib-version 2.6)\n");
    let _ = writeln!(text, "(set-info :status {})", status(question.answer));
    text.push_str(&print_formula(store, &formula));
    text
}

/// The values of variables in an input.
fn values(
    input: &Input,
    concerned: &[VariableId],
    (variables, question): (&Variables, &Question<'_>),
) -> String {
    let value = |&id: &VariableId| {
        let variable = variables.variable(id);
        let digits = variable.width as usize / 4;
        let name = &question.store.symbol(variable.symbol).name;
        format!("{} = #x{:0digits$x}", visible(name), variables.value(input, id))
    };
    concerned.iter().map(value).collect::<Vec<_>>().join(", ")
}

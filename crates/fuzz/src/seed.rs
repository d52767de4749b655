//! Formulas to start from.

use sundry_smtlib::{Command, Diagnostic, Formula, Language, SourceText, parse_script};
use sundry_term::TermStore;

/// A formula to start from.
pub struct Seed {
    /// Where it comes from, for messages.
    pub name: String,
    /// Its text.
    pub(crate) text: String,
    pub(crate) store: TermStore,
    pub(crate) formula: Formula,
    /// Soft assertions and objectives, which only some solvers know.
    pub(crate) objectives: Vec<Command>,
}

/// Other seeds, to be fused with one.
pub trait Partners: Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// The one with this number; nothing if it cannot be read.
    fn read(&self, number: usize) -> Option<SourceText>;
}

impl Seed {
    /// The first question of a script.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(source: &SourceText) -> Result<Seed, Diagnostic> {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, source, Language::All)?;
        let is_question =
            |command: &Command| matches!(command, Command::CheckSat | Command::CheckSatAssuming(_));
        let asserted = script.commands.iter().map(|(command, _)| command).take_while(|it| !is_question(it));
        let is_objective =
            |command: &&Command| matches!(command, Command::Other { terms, .. } if !terms.is_empty());
        let objectives = asserted.filter(is_objective).cloned().collect();
        let formula = script.formula();
        Ok(Seed {
            name: source.name().to_string(),
            text: source.text().to_string(),
            store,
            formula,
            objectives,
        })
    }
}

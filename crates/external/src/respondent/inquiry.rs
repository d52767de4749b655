//! Questions to solvers: a script with what it takes to read it.

use sundry_smtlib::{
    Command, Diagnostic, Script, ScriptText, Sharing, SourceText, TheorySet, parse_script, print_script_text,
};
use sundry_term::TermStore;

use crate::feature::Features;

/// A script as it is put to whoever answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inquiry {
    /// The script in the words of version 2.7 of the standard.
    pub text: ScriptText,
    /// What it takes to read it.
    pub needs: Features,
}

impl Inquiry {
    /// A script as it is printed.
    pub fn new(store: &TermStore, script: &Script, sharing: Sharing) -> Inquiry {
        let commands = script.commands.iter().map(|(command, _)| command);
        Inquiry::printed(store, print_script_text(store, script, sharing), commands)
    }

    /// A script that somebody wrote, as it is printed once it is read.
    ///
    /// # Errors
    /// The text is no script.
    pub fn parse(text: &str) -> Result<Inquiry, Diagnostic> {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("script", text), TheorySet::ALL)?;
        Ok(Inquiry::new(&store, &script, Sharing::All))
    }

    /// A script that was printed, with its commands. Declarations may be missing of what occurs in terms.
    pub fn printed<'c>(
        store: &TermStore,
        text: ScriptText,
        commands: impl IntoIterator<Item = &'c Command>,
    ) -> Inquiry {
        Inquiry { text, needs: Features::of_commands(store, commands) }
    }
}

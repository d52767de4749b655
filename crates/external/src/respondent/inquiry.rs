//! Questions to solvers: a script with the features that it needs.

use std::borrow::Cow;

use sundry_smtlib::{
    Command, Diagnostic, Script, ScriptText, Sharing, SourceText, TheorySet, parse_script, print_script_text,
};
use sundry_term::TermStore;

use crate::feature::Features;

/// A script as respondents get it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inquiry {
    /// The script in the words of version 2.7 of the standard.
    pub text: ScriptText,
    /// The features that the script needs.
    pub needs: Features,
    /// Further arguments of the command line for this question; none for most.
    pub arguments: Vec<String>,
    /// Whether the reply should say what was executed, where that is [counted](super::Counted).
    pub is_counted: bool,
}

impl Inquiry {
    /// A script in printed form.
    pub fn new(store: &TermStore, script: &Script, sharing: Sharing) -> Inquiry {
        let commands = script.commands.iter().map(|(command, _)| command);
        Inquiry::printed(store, print_script_text(store, script, sharing), commands)
    }

    /// Parses a script that a person wrote, and prints it.
    ///
    /// # Errors
    /// The text is not a legal script.
    pub fn parse(text: &str) -> Result<Inquiry, Diagnostic> {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("script", text), TheorySet::ALL)?;
        Ok(Inquiry::new(&store, &script, Sharing::All))
    }

    /// A script that was printed, with its commands. Declarations of symbols in its terms may be missing.
    pub fn printed<'c>(
        store: &TermStore,
        text: ScriptText,
        commands: impl IntoIterator<Item = &'c Command>,
    ) -> Inquiry {
        Inquiry {
            text,
            needs: Features::of_commands(store, commands),
            arguments: Vec::new(),
            is_counted: false,
        }
    }

    /// The same question, with these further arguments of the command line.
    #[must_use]
    pub fn with_arguments(&self, arguments: Vec<String>) -> Inquiry {
        Inquiry { arguments, ..self.clone() }
    }

    /// The same question, with a reply that says what was executed.
    #[must_use]
    pub fn counted(&self) -> Inquiry {
        Inquiry { is_counted: true, ..self.clone() }
    }

    /// A text that is the same only for the same question: the script, behind the further arguments if there are any.
    pub(crate) fn key(&self) -> Cow<'_, str> {
        key(&self.text, &self.arguments)
    }
}

/// The key of a question with these parts.
pub(super) fn key<'t>(script: &'t str, arguments: &[String]) -> Cow<'t, str> {
    if arguments.is_empty() { script.into() } else { format!("; {}\n{script}", arguments.join(" ")).into() }
}

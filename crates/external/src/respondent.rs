//! Whoever answers scripts, and what is asked.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sundry_smtlib::{
    Command, Diagnostic, Script, ScriptText, Sharing, SourceText, TheorySet, parse_script, print_script_text,
};
use sundry_term::TermStore;

use crate::capabilities::Capabilities;
use crate::feature::Features;
use crate::process::Limits;
use crate::reply::Reply;

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

/// Where a script is answered, and within which limits.
#[derive(Copy, Clone, Debug)]
pub struct Circumstances<'a> {
    /// A folder for the files of this question and no other at the same time.
    pub folder: &'a Path,
    /// What the answer may take.
    pub limits: &'a Limits,
    /// Set when work is to end.
    pub interrupted: &'a AtomicBool,
}

/// Whoever answers scripts: a program, our own solver, or a record of what somebody has answered. Respondents that
/// stand before others (remembering, writing down) are respondents as well.
pub trait Respondent: fmt::Debug + Send + Sync {
    /// The name that distinguishes this respondent from others: for a program, its command.
    fn name(&self) -> &str;

    /// The family that it is of: releases of one solver are. Nothing where that is not known.
    fn family(&self) -> &str;

    /// What it reads; everything, as long as nobody has found out.
    fn capabilities(&self) -> &Capabilities;

    /// Answers a script.
    ///
    /// # Errors
    /// The respondent cannot be asked at all.
    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply>;

    /// Whether another is of the same family: another release, or the same with other arguments. A program whose family
    /// is not known may be of any.
    fn is_release_of(&self, other: &dyn Respondent) -> bool {
        let (own, theirs) = (self.family(), other.family());
        own == theirs || own.is_empty() || theirs.is_empty()
    }
}

impl<R: Respondent + ?Sized> Respondent for Arc<R> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn family(&self) -> &str {
        (**self).family()
    }

    fn capabilities(&self) -> &Capabilities {
        (**self).capabilities()
    }

    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        (**self).ask(inquiry, circumstances)
    }
}

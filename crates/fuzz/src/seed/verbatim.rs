//! A seed as its author wrote it: with its options, its definitions (also those that nothing uses), its names and its
//! lets, all of which printing a formula replaces or leaves out.

use std::fmt::Write;

use sundry_external::{Inquiry, Verdict};
use sundry_smtlib::{Command, Script, ScriptText, SourceText};
use sundry_term::TermStore;

use crate::ask::question::{Asked, Question, asked};
use crate::reduce::Subject;
use crate::seed::OUTPUT_OPTIONS;

/// A script as it is written, without the commands that ask for anything but answers.
#[derive(Debug)]
pub(crate) struct Verbatim {
    /// The text of each command that is kept.
    commands: Vec<Written>,
    /// The same script as commands, for the reducer.
    subject: Subject,
    /// The questions of the script.
    asked: Vec<Asked>,
}

/// The text of a command.
#[derive(Debug)]
struct Written {
    text: String,
    kind: Kind,
}

/// The kind of a command, as far as the request for models depends on it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Question,
    /// The option whether solvers make models.
    ModelOption,
    Other,
}

impl Verbatim {
    /// The script of a text. `None` if it asks nothing, or if the questions do not follow from its commands.
    pub(crate) fn of(store: &TermStore, source: &SourceText, script: &Script) -> Option<Verbatim> {
        let subject = Subject::of_script(script).without_lookups();
        let mut asked = asked(store, &subject)?;
        asked.iter_mut().for_each(|asked| asked.cores.clear());
        let until_exit = script.commands.iter().take_while(|(command, _)| *command != Command::Exit);
        let kept = until_exit.filter(|(command, _)| is_kept(command));
        let commands = kept.map(|(command, span)| Written {
            text: source.slice(*span).to_string(),
            kind: Kind::of(command),
        });
        let commands = commands.collect();
        (!asked.is_empty()).then_some(Verbatim { commands, subject, asked })
    }

    /// The number of questions.
    pub(crate) fn count(&self) -> usize {
        self.asked.len()
    }

    /// The script as a question, given what is expected of each question, and whether it asks for a model after each
    /// that is answered `sat`.
    pub(crate) fn question(
        &self,
        store: &TermStore,
        expected: &[Option<Verdict>],
        wants_model: impl Fn(usize) -> bool,
    ) -> Question {
        let wanted: Vec<bool> = (0..self.count()).map(wants_model).collect();
        let wants_any = wanted.contains(&true);
        let mut text = String::new();
        if wants_any {
            text.push_str("(set-option :produce-models true)\n");
        }
        let mut models = wanted.iter();
        for Written { text: command, kind } in &self.commands {
            if wants_any && *kind == Kind::ModelOption {
                continue;
            }
            // Writing to a string does not fail.
            let _ = writeln!(text, "{command}");
            if *kind == Kind::Question && models.next() == Some(&true) {
                text.push_str("(get-model)\n");
            }
        }
        let commands = self.subject.commands().map(|(command, _)| command);
        let inquiry = Inquiry::printed(store, ScriptText::verbatim(text), commands);
        let asked = self.asked.iter().zip(expected);
        let asked = asked.map(|(asked, &expected)| Asked { expected, ..asked.clone() }).collect();
        // The reducer asks for the same models, without which a wrong one does not show.
        let subject = if wants_any { self.subject.with_models(&wanted) } else { self.subject.clone() };
        Question { inquiry, subject, asked, definitions: Vec::new() }
    }
}

impl Kind {
    fn of(command: &Command) -> Kind {
        match command {
            command if command.is_question() => Kind::Question,
            command if command.is_about_models() => Kind::ModelOption,
            _ => Kind::Other,
        }
    }
}

/// Whether a command says what is asked, rather than asks for something beside the answer. An annotated status may
/// contradict the answer, which some solvers take for an error.
fn is_kept(command: &Command) -> bool {
    match command {
        Command::SetInfo(attribute) => attribute.keyword != ":status",
        Command::SetOption(attribute) => !OUTPUT_OPTIONS.contains(&attribute.keyword.as_str()),
        Command::Other { terms, .. } => !terms.is_empty(),
        Command::GetModel
        | Command::GetValue(_)
        | Command::GetUnsatAssumptions
        | Command::GetAssertions
        | Command::GetAssignment
        | Command::GetUnsatCore
        | Command::GetInfo(_)
        | Command::GetOption(_)
        | Command::Echo(_)
        | Command::Exit => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{TheorySet, parse_script};

    use super::*;

    #[test]
    fn the_text_stays_as_it_is_written() {
        let text = "(set-info :status sat) (set-option :print-success true) (set-logic QF_LIA)
            (set-option :produce-models false) (declare-fun |x| () Int)
            (define-fun unused ((y Int)) Int (let ((z (+ y 1))) (* 2 z)))
            (assert (! (< x 3) :named first)) ; a remark
            (check-sat) (get-value (x)) (push 1) (assert (> x 5)) (check-sat) (get-unsat-core) (pop 1)
            (check-sat) (exit) (check-sat)";
        let (mut store, source) = (TermStore::new(), SourceText::new("seed", text));
        let script = parse_script(&mut store, &source, TheorySet::ALL).expect("a legal script");
        let verbatim = Verbatim::of(&store, &source, &script).expect("three questions");
        assert_eq!(verbatim.count(), 3);
        let expected = [Some(Verdict::Sat), None, None];
        let plain = verbatim.question(&store, &expected, |_| false);
        let common = "(define-fun unused ((y Int)) Int (let ((z (+ y 1))) (* 2 z)))\n\
            (assert (! (< x 3) :named first))\n(check-sat)\n";
        let after = "(push 1)\n(assert (> x 5))\n(check-sat)\n(pop 1)\n(check-sat)\n";
        assert_eq!(
            plain.script(),
            format!(
                "(set-logic QF_LIA)\n(set-option :produce-models false)\n(declare-fun |x| () Int)\n{common}{after}"
            )
        );
        assert_eq!(plain.asked[0].expected, Some(Verdict::Sat));
        assert_eq!(plain.asked[1].formula.assertions.len(), 2);
        assert!(plain.asked.iter().all(|asked| asked.cores.is_empty()));
        let with_models = verbatim.question(&store, &expected, |number| number != 1);
        assert_eq!(
            with_models.script(),
            format!(
                "(set-option :produce-models true)\n(set-logic QF_LIA)\n(declare-fun |x| () Int)\n\
                 {common}(get-model)\n{after}(get-model)\n"
            )
        );
        // The reducer sees the same requests.
        let requests: Vec<&Command> = with_models
            .subject
            .commands()
            .map(|(command, _)| command)
            .filter(|command| command.is_question() || command.is_about_models())
            .collect();
        let check = &Command::CheckSat;
        assert!(matches!(requests[0], Command::SetOption(option) if option.value.as_deref() == Some("true")));
        assert_eq!(requests[1..], [check, &Command::GetModel, check, check, &Command::GetModel]);
    }
}

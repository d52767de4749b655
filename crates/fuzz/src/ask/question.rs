//! Scripts for solvers, with the questions that they ask.

use sundry_external::{Inquiry, Verdict};
use sundry_smtlib::{Command, Formula, Script, ScriptText, Sharing, Span, print_term};
use sundry_term::{SymbolId, TermId, TermStore};

use crate::reduce::Subject;

/// The question of a script at one point.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The assertions and assumptions at that point.
    pub formula: Formula,
    /// Whether that is satisfiable, where it follows from how the script was made.
    pub expected: Option<Verdict>,
    /// The cores that are asked for behind it, in order.
    pub cores: Vec<Core>,
}

/// A core that a script asks for, of assertions or of assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// The number of responses between the answer and the core.
    pub place: usize,
    /// The assertions that belong to every core, because they have no name.
    pub rest: Vec<TermId>,
    /// Assertions by their names, or assumptions in their spelling.
    pub parts: Vec<(String, TermId)>,
}

/// A script with its questions.
#[derive(Clone, Debug)]
pub struct Question {
    /// The script as solvers are asked it.
    pub inquiry: Inquiry,
    /// The commands.
    pub subject: Subject,
    /// The questions, in order.
    pub asked: Vec<Asked>,
    /// Constants that the seed does not have, with the terms that define them, so that a model of the seed determines
    /// their values.
    pub definitions: Vec<(SymbolId, TermId)>,
}

impl Question {
    /// Asks whether a formula is satisfiable, and for a model unless the formula is known to have none.
    pub fn plain(store: &TermStore, formula: Formula, expected: Option<Verdict>) -> Question {
        let inquiry = inquiry(store, &formula, expected != Some(Verdict::Unsat));
        let subject = Subject::of_formula(&formula);
        let asked = vec![Asked { formula, expected, cores: Vec::new() }];
        Question { inquiry, subject, asked, definitions: Vec::new() }
    }

    /// The questions of a script, given its text; `None` if it asks for more than answers, models and cores.
    pub fn of_subject(store: &TermStore, subject: Subject, text: ScriptText) -> Option<Question> {
        let asked = asked(store, &subject)?;
        let inquiry = subject.inquiry(store, text);
        Some(Question { inquiry, subject, asked, definitions: Vec::new() })
    }

    /// The text of the script.
    pub fn script(&self) -> &str {
        &self.inquiry.text
    }

    /// Whether the question asks about one formula, which is asserted unchanged.
    pub fn is_plain(&self) -> bool {
        let is_other = |command: &Command| {
            matches!(
                command,
                Command::Push(_)
                    | Command::CheckSatAssuming(_)
                    | Command::GetUnsatCore
                    | Command::GetAssignment
                    | Command::Other { .. }
            )
        };
        self.asked.len() == 1 && !self.subject.commands().any(|(command, _)| is_other(command))
    }
}

/// Follows the commands and collects the questions, each with the assertions at that point.
pub(crate) fn asked(store: &TermStore, subject: &Subject) -> Option<Vec<Asked>> {
    let (mut asked, mut logic) = (Vec::<Asked>::new(), None);
    let mut asserted: Vec<(Option<&str>, TermId)> = Vec::new();
    let (mut assumed, mut levels) = (Vec::<TermId>::new(), Vec::new());
    // The number of responses since the last answer, if it is known.
    let mut place = None;
    for (command, name) in subject.commands() {
        match command {
            Command::SetLogic(name) => logic = Some(name.clone()),
            Command::Assert(term) => asserted.push((name, *term)),
            Command::Push(count) => levels.extend((0..*count).map(|_| asserted.len())),
            Command::Pop(count) => {
                for _ in 0..*count {
                    asserted.truncate(levels.pop()?);
                }
            }
            Command::CheckSat | Command::CheckSatAssuming(_) => {
                assumed = match command {
                    Command::CheckSatAssuming(terms) => terms.clone(),
                    _ => Vec::new(),
                };
                let all = asserted.iter().map(|&(_, term)| term).chain(assumed.iter().copied()).collect();
                let formula = Formula { logic: logic.clone(), ..Formula::of_assertions(store, all) };
                asked.push(Asked { formula, expected: None, cores: Vec::new() });
                place = Some(0);
            }
            Command::GetUnsatCore => {
                let (named, unnamed): (Vec<_>, Vec<_>) =
                    asserted.iter().partition(|(name, _)| name.is_some());
                let rest =
                    unnamed.into_iter().map(|&(_, term)| term).chain(assumed.iter().copied()).collect();
                let part = |&(name, term): &(Option<&str>, TermId)| Some((name?.to_string(), term));
                let parts = named.into_iter().filter_map(part).collect();
                asked.last_mut()?.cores.extend(place.map(|place| Core { place, rest, parts }));
                place = place.map(|place| place + 1);
            }
            Command::GetUnsatAssumptions => {
                let rest = asserted.iter().map(|&(_, term)| term).collect();
                let parts = assumed.iter().map(|&term| (print_term(store, term), term)).collect();
                asked.last_mut()?.cores.extend(place.map(|place| Core { place, rest, parts }));
                place = place.map(|place| place + 1);
            }
            Command::Reset => {
                (asserted, levels, logic) = Default::default();
            }
            Command::ResetAssertions => (asserted, levels) = Default::default(),
            Command::Exit => break,
            Command::GetModel | Command::GetAssignment => place = place.map(|place| place + 1),
            // Nobody knows how many responses another command has.
            Command::Other { .. } => place = None,
            Command::SetOption(_) | Command::Define(_) => {}
            _ => return None,
        }
    }
    Some(asked)
}

/// The inquiry whether a formula is satisfiable; with `get-model` if a model is wanted.
pub fn inquiry(store: &TermStore, formula: &Formula, wants_model: bool) -> Inquiry {
    Inquiry::new(store, &script(store, formula, wants_model), Sharing::All)
}

/// The commands of [`inquiry`], with definitions for terms that several assertions share.
pub(crate) fn script(store: &TermStore, formula: &Formula, wants_model: bool) -> Script {
    let mut commands = formula.script(store).commands;
    if wants_model {
        commands.insert(0, (Command::switch_on(":produce-models"), Span::default()));
        commands.push((Command::GetModel, Span::default()));
    }
    Script { commands, named_terms: Vec::new() }
}

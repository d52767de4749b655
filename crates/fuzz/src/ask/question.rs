//! Scripts as they are put to solvers, with what they ask.

use sundry_external::{Inquiry, Verdict};
use sundry_smtlib::{Attribute, Command, Formula, Script, ScriptText, Sharing, Span, print_term};
use sundry_term::{SymbolId, TermId, TermStore};

use crate::reduce::Subject;

/// What a script asks at one point.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What is asserted then, and assumed.
    pub formula: Formula,
    /// Whether that is satisfiable, where it follows from how the script was made.
    pub expected: Option<Verdict>,
    /// What of it a core may leave out, if one is asked for.
    pub core: Option<Core>,
}

/// What a core is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// What belongs to every core, because it has no name.
    pub rest: Vec<TermId>,
    /// Assertions by their names, or assumptions as they are written.
    pub parts: Vec<(String, TermId)>,
}

/// A script, and what it asks.
#[derive(Clone, Debug)]
pub struct Question {
    /// The script as solvers are asked it.
    pub inquiry: Inquiry,
    /// Its commands.
    pub subject: Subject,
    /// What it asks, in order.
    pub asked: Vec<Asked>,
    /// Constants that are not those of the seed, with what they stand for: so a model of the seed says what their
    /// values are.
    pub definitions: Vec<(SymbolId, TermId)>,
}

impl Question {
    /// Whether a formula is satisfiable; a model is asked for unless it is known that there is none.
    pub fn plain(store: &TermStore, formula: Formula, expected: Option<Verdict>) -> Question {
        let inquiry = inquiry(store, &formula, expected != Some(Verdict::Unsat));
        let subject = Subject::of_formula(&formula);
        let asked = vec![Asked { formula, expected, core: None }];
        Question { inquiry, subject, asked, definitions: Vec::new() }
    }

    /// All that a script asks, given its text; nothing where more is asked for than answers, models and cores.
    pub fn of_subject(store: &TermStore, subject: Subject, text: ScriptText) -> Option<Question> {
        let asked = asked(store, &subject)?;
        let inquiry = subject.inquiry(store, text);
        Some(Question { inquiry, subject, asked, definitions: Vec::new() })
    }

    /// The text of the script.
    pub fn script(&self) -> &str {
        &self.inquiry.text
    }

    /// Whether it asks about one formula, which is asserted as it is.
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

/// Follows the commands, with what is asserted between them.
pub(crate) fn asked(store: &TermStore, subject: &Subject) -> Option<Vec<Asked>> {
    let (mut asked, mut logic) = (Vec::<Asked>::new(), None);
    let mut asserted: Vec<(Option<&str>, TermId)> = Vec::new();
    let (mut assumed, mut levels) = (Vec::<TermId>::new(), Vec::new());
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
                asked.push(Asked { formula, expected: None, core: None });
            }
            Command::GetUnsatCore => {
                let (named, unnamed): (Vec<_>, Vec<_>) =
                    asserted.iter().partition(|(name, _)| name.is_some());
                let rest =
                    unnamed.into_iter().map(|&(_, term)| term).chain(assumed.iter().copied()).collect();
                let part = |&(name, term): &(Option<&str>, TermId)| Some((name?.to_string(), term));
                let parts = named.into_iter().filter_map(part).collect();
                asked.last_mut()?.core = Some(Core { rest, parts });
            }
            Command::GetUnsatAssumptions => {
                let rest = asserted.iter().map(|&(_, term)| term).collect();
                let parts = assumed.iter().map(|&term| (print_term(store, term), term)).collect();
                asked.last_mut()?.core = Some(Core { rest, parts });
            }
            Command::Exit => break,
            Command::SetOption(_)
            | Command::Define(_)
            | Command::GetModel
            | Command::GetAssignment
            | Command::Other { .. } => {}
            _ => return None,
        }
    }
    Some(asked)
}

/// The inquiry whether a formula is satisfiable; with `get-model` if a model is wanted.
pub fn inquiry(store: &TermStore, formula: &Formula, wants_model: bool) -> Inquiry {
    Inquiry::new(store, &script(store, formula, wants_model), Sharing::All)
}

/// The commands of [`inquiry`], with definitions of what several assertions share.
pub(crate) fn script(store: &TermStore, formula: &Formula, wants_model: bool) -> Script {
    let mut commands = formula.script(store).commands;
    if wants_model {
        let value = Some("true".to_string());
        let option = Command::SetOption(Attribute { keyword: ":produce-models".to_string(), value });
        commands.insert(0, (option, Span::default()));
        commands.push((Command::GetModel, Span::default()));
    }
    Script { commands, named_terms: Vec::new() }
}

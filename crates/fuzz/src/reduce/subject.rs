//! A script while it is reduced.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_external::Inquiry;
use sundry_smtlib::{
    Command, Definition, Formula, NamedTerm, Script, ScriptText, Sharing, Span, print_script_text,
};
use sundry_term::{Sort, TermId, TermStore, substitute};

use super::Reducible;

/// A script without declarations, which follow from its terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    commands: Vec<Entry>,
}

/// A command, with the name that an annotation gives to its term.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    /// The number of the command, which stays the same when others are removed.
    number: u32,
    command: Command,
    name: Option<String>,
}

/// The size of a subject: of two subjects, the one with the smaller size is the simpler.
///
/// Sizes compare, in this order: the number of commands and applications, the number of symbols and literals, the
/// length of the text, and the widths of symbols and literals with the indices of operators.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Size {
    /// Commands, and different applications of operators in their terms.
    pub applications: usize,
    /// Different symbols and literals.
    pub leaves: usize,
    /// Bytes of the text.
    pub bytes: usize,
    /// Bits of the symbols and literals, where they are bit-vectors or floating-point values, and the sum of the
    /// indices of operators.
    pub numbers: u64,
}

impl Subject {
    /// Creates a subject from a script, without the commands that matter to no solver.
    pub fn of_script(script: &Script) -> Subject {
        // The first name that the whole term of an assertion gets.
        let mut names: FxHashMap<usize, &str> = FxHashMap::default();
        for named in &script.named_terms {
            if matches!(script.commands[named.command].0, Command::Assert(term) if term == named.term) {
                names.entry(named.command).or_insert(&named.name);
            }
        }
        let entry = |(position, (command, _)): (usize, &(Command, Span))| {
            (command.clone(), names.get(&position).map(|&name| name.to_string()))
        };
        let matters = |(command, _): &(Command, Option<String>)| {
            !matches!(
                command,
                Command::SetInfo(_)
                    | Command::DeclareSort(_)
                    | Command::DefineSort(_)
                    | Command::DeclareDatatypes(_)
                    | Command::DeclareSymbol(_)
                    | Command::DefineRecursive(_)
                    | Command::Echo(_)
            )
        };
        Subject::of_commands(script.commands.iter().enumerate().map(entry).filter(matters))
    }

    /// Commands, each with the name that its term gets, if any.
    pub fn of_commands(commands: impl IntoIterator<Item = (Command, Option<String>)>) -> Subject {
        let entry = |((command, name), number)| Entry { number, command, name };
        Subject { commands: commands.into_iter().zip(0..).map(entry).collect() }
    }

    /// The script that asks about a formula, and for a model.
    pub fn of_formula(formula: &Formula) -> Subject {
        let commands = formula.assertions.iter().map(|&assertion| Command::Assert(assertion));
        let logic = formula.logic.clone().map(Command::SetLogic);
        let all = logic.into_iter().chain(commands).chain([Command::CheckSat, Command::GetModel]);
        Subject::of_commands(all.map(|command| (command, None)))
    }

    /// The script with other commands in front, in place of the choice of a logic.
    pub(crate) fn with_front(self, front: impl Iterator<Item = Command>) -> Subject {
        let rest = self.commands.into_iter().filter(|entry| !matches!(entry.command, Command::SetLogic(_)));
        let rest = rest.map(|entry| (entry.command, entry.name));
        Subject::of_commands(front.map(|command| (command, None)).chain(rest))
    }

    /// The script that asks for a model behind those of its questions for which there is `true`, and behind no other.
    pub(crate) fn with_models(&self, wanted: &[bool]) -> Subject {
        let mut commands = vec![(Command::switch_on(":produce-models"), None)];
        let mut wanted = wanted.iter();
        for Entry { command, name, .. } in &self.commands {
            let is_question = command.is_question();
            if !command.is_about_models() {
                commands.push((command.clone(), name.clone()));
            }
            if is_question && wanted.next() == Some(&true) {
                commands.push((Command::GetModel, None));
            }
        }
        Subject::of_commands(commands)
    }

    /// The script without commands that ask for anything but answers, models and cores.
    #[must_use]
    pub(crate) fn without_lookups(mut self) -> Subject {
        self.commands.retain(|entry| {
            !matches!(
                entry.command,
                Command::GetValue(_) | Command::GetAssertions | Command::GetInfo(_) | Command::GetOption(_)
            )
        });
        self
    }

    /// The terms of all commands.
    pub(crate) fn roots(&self) -> Vec<TermId> {
        self.commands.iter().flat_map(|entry| entry.command.terms()).collect()
    }

    /// The commands, each with the name that its term gets, if any.
    pub(crate) fn commands(&self) -> impl Iterator<Item = (&Command, Option<&str>)> {
        self.commands.iter().map(|entry| (&entry.command, entry.name.as_deref()))
    }

    /// Names besides those of symbols: of definitions, and those that annotations give.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let defined = self.commands.iter().filter_map(|entry| match &entry.command {
            Command::Define(definition) => Some(&definition.name),
            _ => None,
        });
        defined.chain(self.commands.iter().filter_map(|entry| entry.name.as_ref())).cloned().collect()
    }

    /// The commands that can be removed alone, and those that must go together: the ones that open and close a level.
    pub(super) fn removable(&self) -> (Vec<u32>, Vec<[u32; 2]>) {
        let (mut alone, mut pairs) = (Vec::new(), Vec::new());
        let mut open = Vec::new();
        for entry in &self.commands {
            match entry.command {
                Command::Push(1) => open.push(entry.number),
                Command::Pop(1) => pairs.extend(open.pop().map(|push| [push, entry.number])),
                // The levels that these commands open or close are not examined.
                Command::Push(_) | Command::Pop(_) | Command::Reset | Command::ResetAssertions => {
                    open.clear()
                }
                _ => {}
            }
            alone.push(entry.number);
        }
        (alone, pairs)
    }

    /// The subject without some of its commands, by their numbers.
    pub(super) fn without(&self, removed: &FxHashSet<u32>) -> Subject {
        let kept = self.commands.iter().filter(|entry| !removed.contains(&entry.number));
        Subject { commands: kept.cloned().collect() }
    }

    /// The commands whose terms have names.
    pub(super) fn named(&self) -> Vec<u32> {
        self.commands.iter().filter(|entry| entry.name.is_some()).map(|entry| entry.number).collect()
    }

    /// The subject without the names of the terms of some commands.
    pub(super) fn without_names(&self, of: &FxHashSet<u32>) -> Subject {
        let mut subject = self.clone();
        for entry in subject.commands.iter_mut().filter(|entry| of.contains(&entry.number)) {
            entry.name = None;
        }
        subject
    }

    /// The assumptions of questions: the number of the command, and their position in it.
    pub(super) fn assumptions(&self) -> Vec<(u32, usize)> {
        let of_entry = |entry: &Entry| match &entry.command {
            Command::CheckSatAssuming(terms) => {
                (0..terms.len()).map(|position| (entry.number, position)).collect()
            }
            _ => Vec::new(),
        };
        self.commands.iter().flat_map(of_entry).collect()
    }

    /// The subject without some assumptions; a question without any is a plain one.
    pub(super) fn without_assumptions(&self, removed: &FxHashSet<(u32, usize)>) -> Subject {
        let mut subject = self.clone();
        for entry in &mut subject.commands {
            if let Command::CheckSatAssuming(terms) = &mut entry.command {
                let mut position = 0..;
                terms.retain(|_| !removed.contains(&(entry.number, position.next().unwrap_or_default())));
                if terms.is_empty() {
                    entry.command = Command::CheckSat;
                }
            }
        }
        subject
    }

    /// The script with terms replaced by others of the same sort; `None` if a sort does not fit.
    pub(super) fn replaced(
        &self,
        store: &mut TermStore,
        replacements: &FxHashMap<TermId, TermId>,
    ) -> Option<Subject> {
        self.mapped(&mut |term| substitute(store, term, replacements).ok())
    }

    /// The subject with every term of a command mapped.
    pub(super) fn mapped(&self, map: &mut dyn FnMut(TermId) -> Option<TermId>) -> Option<Subject> {
        let mut commands = Vec::with_capacity(self.commands.len());
        for Entry { number, command, name } in &self.commands {
            let command = match command {
                Command::Assert(term) => Command::Assert(map(*term)?),
                Command::Define(definition) => {
                    Command::Define(Definition { body: map(definition.body)?, ..definition.clone() })
                }
                Command::CheckSatAssuming(terms) => {
                    Command::CheckSatAssuming(terms.iter().map(|&term| map(term)).collect::<Option<_>>()?)
                }
                Command::GetValue(terms) => {
                    let mapped = |(term, text): &(TermId, String)| Some((map(*term)?, text.clone()));
                    Command::GetValue(terms.iter().map(mapped).collect::<Option<_>>()?)
                }
                other => other.clone(),
            };
            commands.push(Entry { number: *number, command, name: name.clone() });
        }
        Some(Subject { commands })
    }

    /// The commands up to and with each reset: declarations do not outlive it.
    fn parts(&self) -> impl Iterator<Item = &[Entry]> {
        self.commands.split_inclusive(|entry| entry.command == Command::Reset)
    }

    /// Whether two symbols of one name are needed at the same time.
    pub(super) fn has_clash(&self, store: &TermStore) -> bool {
        let has_clash = |part: &[Entry]| {
            let symbols = needed(store, part).symbols;
            let names: BTreeSet<&str> = symbols.iter().map(|&symbol| &*store.symbol(symbol).name).collect();
            names.len() < symbols.len()
        };
        self.parts().any(has_clash)
    }

    /// The script with the declarations that it needs, as text.
    pub fn text(&self, store: &TermStore) -> ScriptText {
        let mut script = Script::default();
        self.parts().for_each(|part| append_part(&mut script, store, part));
        print_script_text(store, &script, Sharing::WhereShorter)
    }

    /// The script as solvers are asked it, given its text.
    pub fn inquiry(&self, store: &TermStore, text: ScriptText) -> Inquiry {
        Inquiry::printed(store, text, self.commands.iter().map(|entry| &entry.command))
    }

    /// The size of the subject, given its text.
    pub(super) fn size(&self, store: &TermStore, text: &str) -> Size {
        let terms = store.reachable(&self.roots());
        let (leaves, applications): (Vec<TermId>, Vec<TermId>) =
            terms.into_iter().partition(|&term| store.args(term).is_empty());
        let width = |&leaf: &TermId| match *store.sort(store.sort_of(leaf)) {
            Sort::BitVec(width) => u64::from(width),
            Sort::Float(format) => u64::from(format.width()),
            _ => 0,
        };
        let widths: u64 = leaves.iter().map(width).sum();
        let indices: u64 =
            applications.iter().flat_map(|&term| store.op(term).indices()).map(u64::from).sum();
        Size {
            applications: self.commands.len() + applications.len(),
            leaves: leaves.len(),
            bytes: text.len(),
            numbers: widths + indices,
        }
    }
}

impl Reducible for Subject {
    type Size = Size;

    fn text(&self, store: &TermStore) -> ScriptText {
        Subject::text(self, store)
    }

    fn size(&self, store: &TermStore, text: &str) -> Size {
        Subject::size(self, store, text)
    }
}

/// The symbols and sorts in some commands.
fn needed(store: &TermStore, part: &[Entry]) -> Formula {
    Formula::of_assertions(store, part.iter().flat_map(|entry| entry.command.terms()).collect())
}

/// Appends commands up to a reset, with declarations in front of the first that needs any.
fn append_part(script: &mut Script, store: &TermStore, part: &[Entry]) {
    let is_heading = |entry: &&Entry| matches!(entry.command, Command::SetLogic(_) | Command::SetOption(_));
    let heading = part.iter().take_while(is_heading).count();
    let needed = needed(store, part);
    let declarations = (needed.sorts.into_iter().map(Command::DeclareSort))
        .chain(needed.datatypes.into_iter().map(Command::DeclareDatatypes))
        .chain(needed.symbols.into_iter().map(Command::DeclareSymbol))
        .chain(needed.definitions.into_iter().map(Command::DefineRecursive));
    let mut push = |command: Command, name: Option<&String>| {
        if let (Command::Assert(term), Some(name)) = (&command, name) {
            let command = script.commands.len();
            script.named_terms.push(NamedTerm { name: name.clone(), term: *term, command });
        }
        script.commands.push((command, Span::default()));
    };
    let (front, rest) = part.split_at(heading);
    front.iter().for_each(|entry| push(entry.command.clone(), None));
    declarations.for_each(|command| push(command, None));
    rest.iter().for_each(|entry| push(entry.command.clone(), entry.name.as_ref()));
}

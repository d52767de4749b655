//! A script while it is reduced.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use sundry_smtlib::{Command, Definition, Formula, NamedTerm, Script, Span, print_script};
use sundry_term::{Sort, TermId, TermStore, substitute};

/// A script without declarations: they are made of what occurs in its terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    commands: Vec<Entry>,
}

/// A command, with the name that an annotation gives to its term.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    command: Command,
    name: Option<String>,
}

/// How much is left to remove: of two subjects the one with the smaller size is the simpler.
///
/// Compared are, in this order: the number of commands and applications, the number of symbols and literals,
/// their widths, and the length of the text.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Size {
    /// Commands, and different applications of operators in their terms.
    pub applications: usize,
    /// Different symbols and literals.
    pub leaves: usize,
    /// Bits of these, where they are bit-vectors or floating-point values.
    pub bits: u64,
    /// Bytes of the text.
    pub bytes: usize,
}

impl Subject {
    /// A script; what does not matter to any solver is left out.
    pub fn of_script(script: &Script) -> Subject {
        let entry = |(position, (command, _)): (usize, &(Command, Span))| {
            let name = script.named_terms.iter().find(|named| {
                named.command == position && matches!(command, Command::Assert(term) if *term == named.term)
            });
            Entry { command: command.clone(), name: name.map(|named| named.name.clone()) }
        };
        let matters = |entry: &Entry| match &entry.command {
            Command::SetInfo(_)
            | Command::DeclareSort(_)
            | Command::DefineSort(_)
            | Command::DeclareDatatypes(_)
            | Command::DeclareSymbol(_)
            | Command::DefineRecursive(_)
            | Command::Echo(_) => false,
            // Calls of definitions with parameters are expanded.
            Command::Define(definition) => definition.parameters.is_empty(),
            _ => true,
        };
        Subject { commands: script.commands.iter().enumerate().map(entry).filter(matters).collect() }
    }

    /// The script that asks about a formula, and for a model.
    pub fn of_formula(formula: &Formula) -> Subject {
        let commands = formula.assertions.iter().map(|&assertion| Command::Assert(assertion));
        let logic = formula.logic.clone().map(Command::SetLogic);
        let all = logic.into_iter().chain(commands).chain([Command::CheckSat, Command::GetModel]);
        Subject { commands: all.map(|command| Entry { command, name: None }).collect() }
    }

    /// The terms of all commands.
    pub(crate) fn roots(&self) -> Vec<TermId> {
        self.commands.iter().flat_map(|entry| terms_of(&entry.command)).collect()
    }

    /// Commands, each with the name that its term gets, if any.
    pub fn of_commands(commands: Vec<(Command, Option<String>)>) -> Subject {
        Subject { commands: commands.into_iter().map(|(command, name)| Entry { command, name }).collect() }
    }

    /// The commands, each with the name that its term gets, if any.
    pub(crate) fn commands(&self) -> impl Iterator<Item = (&Command, Option<&str>)> {
        self.commands.iter().map(|entry| (&entry.command, entry.name.as_deref()))
    }

    /// How many commands there are.
    pub(super) fn count(&self) -> usize {
        self.commands.len()
    }

    /// Without some of its commands, by their numbers.
    pub(super) fn without(&self, removed: &[usize]) -> Subject {
        let removed: BTreeSet<usize> = removed.iter().copied().collect();
        let kept = self.commands.iter().enumerate().filter(|(number, _)| !removed.contains(number));
        Subject { commands: kept.map(|(_, entry)| entry.clone()).collect() }
    }

    /// With terms replaced by others of the same sort; nothing where a sort does not fit.
    pub(super) fn replaced(
        &self,
        store: &mut TermStore,
        replacements: &FxHashMap<TermId, TermId>,
    ) -> Option<Subject> {
        self.mapped(&mut |term| substitute(store, term, replacements).ok())
    }

    /// With every term of a command mapped.
    pub(super) fn mapped(&self, map: &mut dyn FnMut(TermId) -> Option<TermId>) -> Option<Subject> {
        let mut commands = Vec::with_capacity(self.commands.len());
        for Entry { command, name } in &self.commands {
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
            commands.push(Entry { command, name: name.clone() });
        }
        Some(Subject { commands })
    }

    /// The same with every assertion of a conjunction as an assertion of each part.
    pub(super) fn split(&self, parts: impl Fn(TermId) -> Vec<TermId>) -> Subject {
        let split = |entry: &Entry| match entry.command {
            Command::Assert(term) => {
                let parts = parts(term).into_iter().map(Command::Assert);
                parts.map(|command| Entry { command, name: None }).collect()
            }
            _ => vec![entry.clone()],
        };
        Subject { commands: self.commands.iter().flat_map(split).collect() }
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
    pub fn text(&self, store: &TermStore) -> String {
        let mut script = Script::default();
        self.parts().for_each(|part| append_part(&mut script, store, part));
        print_script(store, &script)
    }

    /// How much there is to remove, given the text.
    pub(super) fn size(&self, store: &TermStore, text: &str) -> Size {
        let terms = store.reachable(&self.roots());
        let (leaves, applications): (Vec<TermId>, Vec<TermId>) =
            terms.into_iter().partition(|&term| store.args(term).is_empty());
        let width = |&leaf: &TermId| match *store.sort(store.sort_of(leaf)) {
            Sort::BitVec(width) => u64::from(width),
            Sort::Float(format) => u64::from(format.width()),
            _ => 0,
        };
        Size {
            applications: self.commands.len() + applications.len(),
            leaves: leaves.len(),
            bits: leaves.iter().map(width).sum(),
            bytes: text.len(),
        }
    }
}

/// The terms of a command.
fn terms_of(command: &Command) -> Vec<TermId> {
    match command {
        Command::Assert(term) => vec![*term],
        Command::Define(definition) => vec![definition.body],
        Command::CheckSatAssuming(terms) => terms.clone(),
        Command::GetValue(terms) => terms.iter().map(|&(term, _)| term).collect(),
        Command::Other { terms, .. } => terms.clone(),
        _ => Vec::new(),
    }
}

/// The symbols and sorts in some commands.
fn needed(store: &TermStore, part: &[Entry]) -> Formula {
    Formula::of_assertions(store, part.iter().flat_map(|entry| terms_of(&entry.command)).collect())
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

/// The terms below these roots by their greatest distance from a root, the nearest first.
///
/// No term of a level contains another of the same level, so replacing one leaves the others as they are.
pub(super) fn levels(store: &TermStore, roots: &[TermId]) -> Vec<Vec<TermId>> {
    let mut depths: FxHashMap<TermId, usize> = roots.iter().map(|&root| (root, 0)).collect();
    let mut terms = store.reachable(roots);
    terms.sort_unstable_by_key(|&term| Reverse(term));
    let mut levels: Vec<Vec<TermId>> = Vec::new();
    for term in terms {
        let depth = depths[&term];
        for &argument in store.args(term) {
            let below = depths.entry(argument).or_insert(0);
            *below = (*below).max(depth + 1);
        }
        if levels.len() <= depth {
            levels.resize(depth + 1, Vec::new());
        }
        levels[depth].push(term);
    }
    levels
}

//! Formulas: what is asked at one point of a script.

use std::collections::BTreeSet;

use sundry_term::{DatatypeId, Op, SortDeclarationId, SortId, SymbolId, SymbolKind, TermId, TermStore};

use crate::script::{Command, Script};
use crate::sorts::{datatypes_in, declarations_in};

/// The question of a script at one point, without the commands that led there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formula {
    /// The logic that the script names.
    pub logic: Option<String>,
    /// The declared sorts in scope, in order of declaration.
    pub sorts: Vec<SortDeclarationId>,
    /// The datatypes in scope, those declared together in one group, in order of declaration.
    pub datatypes: Vec<Vec<DatatypeId>>,
    /// The declared constants and functions in scope, in order of declaration.
    pub symbols: Vec<SymbolId>,
    /// The recursively defined functions in scope, those defined together in one group, in order of definition.
    pub definitions: Vec<Vec<SymbolId>>,
    /// The assertions in force, in order; assumptions of the question come last.
    pub assertions: Vec<TermId>,
    /// The number of times that the whole script asks for satisfiability.
    pub check_sats: usize,
}

impl Formula {
    /// The formula of these assertions, with the symbols that occur in them, in order of declaration, and the
    /// declared sorts of those. Symbols in the definitions of used recursive functions occur too.
    pub fn of_assertions(store: &TermStore, assertions: Vec<TermId>) -> Formula {
        let mut symbols = BTreeSet::new();
        let (terms, definitions) = below_with_definitions(store, &assertions);
        for &term in &terms {
            if let Op::Apply(symbol) = store.op(term)
                && store.symbol(symbol).kind == SymbolKind::Declared
            {
                symbols.insert(symbol);
            }
        }
        let symbols: Vec<SymbolId> = symbols.into_iter().collect();
        let defined = || definitions.iter().flatten().flat_map(|&symbol| &store.symbol(symbol).arguments);
        let used = || terms.iter().map(|&term| store.sort_of(term)).chain(defined().copied());
        let sorts = declarations_in(store, used());
        let datatypes = datatypes_in(store, used());
        Formula { sorts, datatypes, symbols, definitions, assertions, ..Formula::default() }
    }

    /// The same formula, which declares these symbols and the sorts that their declarations need. All symbols of the
    /// assertions have to be among them.
    pub fn declaring(mut self, store: &TermStore, symbols: &[SymbolId]) -> Formula {
        let signature = |&symbol: &SymbolId| {
            let declared = store.symbol(symbol);
            declared.arguments.iter().copied().chain([declared.result]).collect::<Vec<_>>()
        };
        let signatures: Vec<SortId> = symbols.iter().flat_map(signature).collect();
        self.sorts.extend(declarations_in(store, signatures.iter().copied()));
        self.sorts.sort_unstable();
        self.sorts.dedup();
        for group in datatypes_in(store, signatures) {
            if !self.datatypes.contains(&group) {
                self.datatypes.push(group);
            }
        }
        self.datatypes.sort_unstable();
        Formula { symbols: symbols.to_vec(), ..self }
    }
}

/// The terms below some terms, also through the definitions of recursive functions; and those functions, in groups
/// defined together, in order of definition.
fn below_with_definitions(store: &TermStore, roots: &[TermId]) -> (Vec<TermId>, Vec<Vec<SymbolId>>) {
    let mut roots = roots.to_vec();
    let mut groups: BTreeSet<Vec<SymbolId>> = BTreeSet::new();
    loop {
        let terms = store.reachable(&roots);
        let before = roots.len();
        for &term in &terms {
            if let Op::Apply(symbol) = store.op(term)
                && let Some(definition) = store.definition(symbol)
                && groups.insert(definition.together.to_vec())
            {
                let bodies = definition.together.iter().filter_map(|&symbol| store.definition(symbol));
                roots.extend(bodies.map(|definition| definition.body));
            }
        }
        if roots.len() == before {
            return (terms, groups.into_iter().collect());
        }
    }
}

impl Script {
    /// The formula of the first question (`check-sat` or `check-sat-assuming`), or the one in
    /// force at the end when the script asks none. The assumptions of the question are among its
    /// assertions.
    pub fn formula(&self) -> Formula {
        let check_sats = self.commands.iter().filter(|(command, _)| command.is_question()).count();
        let mut state = Replay::default();
        for (command, _) in &self.commands {
            match command {
                Command::CheckSat => break,
                Command::CheckSatAssuming(assumptions) => {
                    state.formula.assertions.extend(assumptions);
                    break;
                }
                _ => state.step(command),
            }
        }
        Formula { check_sats, ..state.formula }
    }
}

/// The assertions and declarations in force while commands are followed.
#[derive(Default)]
struct Replay {
    formula: Formula,
    levels: Vec<Level>,
    global_declarations: bool,
}

/// The numbers of sorts, symbols and assertions at the opening of a level.
#[derive(Copy, Clone, Default)]
struct Level {
    sorts: usize,
    datatypes: usize,
    symbols: usize,
    definitions: usize,
    assertions: usize,
}

impl Replay {
    fn step(&mut self, command: &Command) {
        let formula = &mut self.formula;
        match command {
            Command::SetLogic(logic) => formula.logic = Some(logic.clone()),
            Command::SetOption(attribute) if attribute.keyword == ":global-declarations" => {
                self.global_declarations = attribute.value.as_deref() == Some("true");
            }
            Command::DeclareSort(sort) => formula.sorts.push(*sort),
            Command::DeclareDatatypes(group) => formula.datatypes.push(group.clone()),
            Command::DeclareSymbol(symbol) => formula.symbols.push(*symbol),
            Command::DefineRecursive(group) => formula.definitions.push(group.clone()),
            Command::Assert(term) => formula.assertions.push(*term),
            Command::Push(count) => {
                let level = Level {
                    sorts: formula.sorts.len(),
                    datatypes: formula.datatypes.len(),
                    symbols: formula.symbols.len(),
                    definitions: formula.definitions.len(),
                    assertions: formula.assertions.len(),
                };
                self.levels.extend((0..*count).map(|_| level));
            }
            Command::Pop(count) => {
                for _ in 0..*count {
                    let level = self.levels.pop().unwrap_or_default();
                    self.leave(level);
                }
            }
            Command::ResetAssertions => {
                self.levels.clear();
                self.leave(Level::default());
            }
            Command::Reset => *self = Replay::default(),
            _ => {}
        }
    }

    fn leave(&mut self, level: Level) {
        self.formula.assertions.truncate(level.assertions);
        if !self.global_declarations {
            self.formula.sorts.truncate(level.sorts);
            self.formula.datatypes.truncate(level.datatypes);
            self.formula.symbols.truncate(level.symbols);
            self.formula.definitions.truncate(level.definitions);
        }
    }
}

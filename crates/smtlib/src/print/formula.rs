//! Formulas as complete scripts.
//!
//! A term that several assertions share is defined once in front of the first that needs it, so that the text stays
//! as small as the graph of terms.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Control, Model, SymbolId, TermId, TermStore};

use super::ScriptText;
use super::free_variables::FreeVariables;
use super::model::write_definitions;
use super::script::{print_script, write_commands};
use super::term::Sharing;
use crate::formula::Formula;
use crate::script::{Command, Definition, Script};
use crate::walk::post_order;

/// A script that declares the sorts and symbols of a formula, asserts its assertions and asks
/// for satisfiability once.
pub fn print_formula(store: &TermStore, formula: &Formula) -> String {
    print_script(store, &formula.script(store))
}

/// The script of [`print_formula`] with the values of a model: the `defined` symbols are not declared, but defined as the
/// model has them.
pub fn print_formula_with_model(
    store: &TermStore,
    formula: &Formula,
    model: &Model,
    defined: &[SymbolId],
) -> ScriptText {
    let undeclared: FxHashSet<SymbolId> = defined.iter().copied().collect();
    let symbols = formula.symbols.iter().filter(|symbol| !undeclared.contains(symbol)).copied().collect();
    let declared = Formula { symbols, ..formula.clone() };
    let mut out = ScriptText::default();
    write_commands(&mut out, store, &declared.declarations(), Sharing::All);
    let written = write_definitions(&mut out, store, model, defined, "", &Control::default());
    debug_assert!(written.is_ok(), "nothing stops this control");
    write_commands(&mut out, store, &declared.question(store), Sharing::All);
    out
}

impl Formula {
    /// The script that declares the sorts and symbols of the formula, asserts its assertions and asks for
    /// satisfiability once. Terms that several assertions share have definitions.
    pub fn script(&self, store: &TermStore) -> Script {
        let mut script = self.declarations();
        script.commands.append(&mut self.question(store).commands);
        script
    }

    /// The logic, and the declarations of sorts and symbols.
    fn declarations(&self) -> Script {
        let logic = self.logic.clone().unwrap_or_else(|| "ALL".to_string());
        let commands = std::iter::once(Command::SetLogic(logic))
            .chain(self.sorts.iter().copied().map(Command::DeclareSort))
            .chain(self.datatypes.iter().cloned().map(Command::DeclareDatatypes))
            .chain(self.symbols.iter().copied().map(Command::DeclareSymbol));
        Script::of_commands(commands)
    }

    /// The definitions of functions, the assertions with the definitions of their shared terms, and the question.
    fn question(&self, store: &TermStore) -> Script {
        let prefix = definition_prefix(store, self);
        let shared = shared_between(store, &self.assertions);
        let mut commands: Vec<Command> =
            self.definitions.iter().cloned().map(Command::DefineRecursive).collect();
        let mut count = 0;
        let mut seen = FxHashSet::default();
        for &assertion in &self.assertions {
            for body in post_order(store, assertion, |term| seen.insert(term)) {
                if shared.contains(&body) {
                    let (name, sort) = (format!("{prefix}{count}"), store.sort_of(body));
                    commands.push(Command::Define(Definition { name, parameters: Vec::new(), sort, body }));
                    count += 1;
                }
            }
            commands.push(Command::Assert(assertion));
        }
        commands.push(Command::CheckSat);
        Script::of_commands(commands)
    }
}

/// A prefix with which no declared or defined symbol starts.
fn definition_prefix(store: &TermStore, formula: &Formula) -> String {
    let mut prefix = String::from("_def_");
    let symbols = || formula.symbols.iter().chain(formula.definitions.iter().flatten());
    let is_taken = |prefix: &str| symbols().any(|&symbol| store.symbol(symbol).name.starts_with(prefix));
    while is_taken(&prefix) {
        prefix.push('_');
    }
    prefix
}

/// The applications that several assertions use and that are not merely part of another such one.
fn shared_between(store: &TermStore, assertions: &[TermId]) -> FxHashSet<TermId> {
    let mut owners: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut visited = FxHashSet::default();
    let mut shared = FxHashSet::default();
    let free = FreeVariables::below(store, assertions, |_| false);
    for (owner, &assertion) in assertions.iter().enumerate() {
        post_order(store, assertion, |term| {
            let first = *owners.entry(term).or_insert(owner);
            let is_closed = free.are_among(term, &[]);
            if first != owner && is_closed && !store.args(term).is_empty() {
                shared.insert(term);
            }
            // The owner looks below once; a later occurrence has been looked at, unless it is written out.
            (first == owner || !is_closed) && visited.insert((term, owner))
        });
    }
    shared
}

//! Declarations of a store by what they say, so that equal declarations of two scripts are one.
//!
//! Constants and functions are known by name and sorts, declared sorts by name and number of parameters. Datatypes and functions
//! that are defined by recursion are known by the text of their declarations, with all declarations that these mention.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_smtlib::{Command, Formula, print_command, print_formula};
use sundry_term::{DatatypeId, Sort, SortDeclarationId, SortId, SymbolId, SymbolKind, TermStore};

/// The name and sorts of a symbol, and whether a quantifier binds it.
pub(crate) type Signature = (Box<str>, Box<[SortId]>, SortId, bool);

/// The declarations of a store.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Declared symbols and variables of quantifiers.
    pub(crate) symbols: FxHashMap<Signature, SymbolId>,
    /// Declared sorts by name and number of parameters.
    pub(crate) sorts: FxHashMap<(Box<str>, usize), SortDeclarationId>,
    /// Datatypes that were declared together, by [`text_of_datatypes`].
    pub(crate) datatypes: FxHashMap<String, Box<[DatatypeId]>>,
    /// Functions that were defined together, by [`text_of_definitions`].
    pub(crate) definitions: FxHashMap<String, Box<[SymbolId]>>,
}

impl Known {
    /// All declarations of a store. Of equal ones the first counts.
    pub(crate) fn of(store: &TermStore) -> Known {
        let mut known = Known::default();
        let mut sorts = FxHashSet::default();
        for symbol in (0..store.symbol_count()).map(SymbolId::new) {
            known.add_symbol(store, symbol, &mut sorts);
        }
        for datatype in (0..store.datatype_count()).map(DatatypeId::new) {
            let together = &store.datatype(datatype).together;
            if together.first() == Some(&datatype) {
                known.datatypes.entry(text_of_datatypes(store, datatype)).or_insert_with(|| together.clone());
            }
        }
        known
    }

    fn add_symbol(&mut self, store: &TermStore, id: SymbolId, sorts: &mut FxHashSet<SortId>) {
        let symbol = store.symbol(id);
        let is_bound = match symbol.kind {
            SymbolKind::Declared => false,
            SymbolKind::Variable => true,
            SymbolKind::Defined => {
                let Some(definition) = store.definition(id) else { return };
                if definition.together.first() == Some(&id) {
                    let text = text_of_definitions(store, id);
                    self.definitions.entry(text).or_insert_with(|| definition.together.clone());
                }
                return;
            }
            SymbolKind::Parameter => return,
        };
        let mut open: Vec<SortId> = symbol.arguments.iter().copied().chain([symbol.result]).collect();
        while let Some(sort) = open.pop() {
            if !sorts.insert(sort) {
                continue;
            }
            open.extend(store.sort(sort).parts());
            if let Sort::Uninterpreted { declaration, .. } = *store.sort(sort) {
                let declared = store.sort_declaration(declaration);
                self.sorts.entry((declared.name.clone(), declared.arity)).or_insert(declaration);
            }
        }
        let signature = (symbol.name.clone(), symbol.arguments.clone(), symbol.result, is_bound);
        self.symbols.entry(signature).or_insert(id);
    }
}

/// The declaration of a datatype and of those declared together with it, and of all others that their fields mention.
pub(crate) fn text_of_datatypes(store: &TermStore, datatype: DatatypeId) -> String {
    let mut text = String::new();
    let (mut open, mut seen) = (vec![datatype], FxHashSet::default());
    while let Some(datatype) = open.pop() {
        let group = store.datatype(datatype).together.to_vec();
        if !seen.insert(group[0]) {
            continue;
        }
        text.push_str(&print_command(store, &Command::DeclareDatatypes(group.clone())));
        let constructors = group.iter().flat_map(|&datatype| store.datatype(datatype).constructors.iter());
        let fields = constructors.flat_map(|&constructor| store.constructor(constructor).fields.iter());
        let mut sorts: Vec<SortId> = fields.map(|field| field.sort).collect();
        while let Some(sort) = sorts.pop() {
            sorts.extend(store.sort(sort).parts());
            if let Sort::Datatype { declaration, .. } = *store.sort(sort) {
                open.push(declaration);
            }
        }
    }
    text
}

/// The definition of a recursive function and of those defined together with it, with all declarations that their bodies need.
pub(crate) fn text_of_definitions(store: &TermStore, function: SymbolId) -> String {
    let Some(definition) = store.definition(function) else { return String::new() };
    let own = print_command(store, &Command::DefineRecursive(definition.together.to_vec()));
    let bodies = definition.together.iter().filter_map(|&function| store.definition(function));
    let bodies = bodies.map(|definition| definition.body).collect();
    own + &print_formula(store, &Formula::of_assertions(store, bodies))
}

//! The sorts of expressions, as far as declarations and well-known operators say.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Tree;

/// Operators whose applications are truth values.
const PREDICATES: [&str; 20] = [
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "=",
    "distinct",
    "<",
    "<=",
    ">",
    ">=",
    "forall",
    "exists",
    "bvult",
    "bvule",
    "bvugt",
    "bvuge",
    "set.member",
    "set.subset",
    "is_int",
];
/// Operators whose applications have the sort of their first argument.
const CLOSED: [&str; 12] =
    ["+", "-", "*", "div", "mod", "abs", "bvadd", "bvand", "bvor", "bvmul", "bvnot", "store"];

/// The sorts of the symbols of a tree.
pub(super) struct Sorts {
    /// The result sort of each symbol that is declared, defined or bound, as text; symbols with several are left out.
    results: FxHashMap<Arc<str>, Arc<str>>,
    /// Constants by their sorts, in the order of the text.
    constants: FxHashMap<Arc<str>, Vec<Arc<str>>>,
}

impl Sorts {
    pub(super) fn of(tree: &Tree) -> Sorts {
        let mut sorts = Sorts { results: FxHashMap::default(), constants: FxHashMap::default() };
        let mut start = 0;
        while start < tree.pieces.len() {
            sorts.declare(tree, start);
            start = tree.end_of(start);
        }
        sorts
    }

    /// Notes the symbol of a declaration or definition.
    fn declare(&mut self, tree: &Tree, start: usize) {
        let parts = tree.parts(start);
        let word = parts.first().and_then(|&part| tree.atom(part));
        let (place, is_constant) = match (word, parts.len()) {
            (Some("declare-const" | "define-const"), 3..) => (2, true),
            (Some("declare-fun" | "define-fun" | "define-fun-rec"), 4..) => {
                (3, tree.parts(parts[2]).is_empty())
            }
            _ => return,
        };
        let Some(name) = tree.atom(parts[1]) else { return };
        let (name, sort): (Arc<str>, Arc<str>) = (name.into(), tree.expression(parts[place]).into());
        if is_constant && word.is_some_and(|word| word.starts_with("declare")) {
            self.constants.entry(Arc::clone(&sort)).or_default().push(Arc::clone(&name));
        }
        self.results.insert(name, sort);
    }

    /// The sort of the expression that begins at a position, if that is known.
    pub(super) fn of_expression(&self, tree: &Tree, start: usize) -> Option<Arc<str>> {
        let mut start = start;
        // Conditionals and lets have the sort of a part; nesting may be deep.
        loop {
            if let Some(atom) = tree.atom(start) {
                return self.of_atom(atom);
            }
            let parts = tree.parts(start);
            let head = tree.atom(*parts.first()?)?;
            match head {
                _ if PREDICATES.contains(&head) => return Some("Bool".into()),
                "ite" => start = *parts.get(2)?,
                "let" | "!" if parts.len() >= 2 => {
                    start = if head == "let" { *parts.last()? } else { parts[1] }
                }
                _ if CLOSED.contains(&head) => start = *parts.get(1)?,
                _ => return self.results.get(head).cloned(),
            }
        }
    }

    fn of_atom(&self, atom: &str) -> Option<Arc<str>> {
        let first = atom.chars().next()?;
        match first {
            _ if atom == "true" || atom == "false" => Some("Bool".into()),
            '0'..='9' if atom.contains('.') => Some("Real".into()),
            '0'..='9' => Some("Int".into()),
            '"' => Some("String".into()),
            '#' => {
                let digits = atom.len().saturating_sub(2);
                let width = if atom.starts_with("#x") { 4 * digits } else { digits };
                Some(format!("(_ BitVec {width})").into())
            }
            _ => self.results.get(atom).cloned(),
        }
    }

    /// Small expressions of a sort: literals, and the first constants.
    pub(super) fn small(&self, sort: &str) -> Vec<Arc<str>> {
        const CONSTANTS: usize = 3;
        let mut small: Vec<Arc<str>> = match sort {
            "Bool" => vec!["true".into(), "false".into()],
            "Int" => vec!["0".into(), "1".into()],
            "Real" => vec!["0.0".into(), "1.0".into()],
            "String" => vec!["\"\"".into()],
            _ => Vec::new(),
        };
        let width =
            sort.strip_prefix("(_ BitVec ").and_then(|rest| rest.strip_suffix(')')?.parse::<usize>().ok());
        small.extend(
            width
                .filter(|&width| width > 0 && width <= 8)
                .map(|width| format!("#b{}", "0".repeat(width)).into()),
        );
        small.extend(width.filter(|&width| width > 8).map(|width| format!("(_ bv0 {width})").into()));
        small.extend(self.constants.get(sort).into_iter().flatten().take(CONSTANTS).cloned());
        small
    }

    /// The names of all declared and defined symbols.
    pub(super) fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.results.keys()
    }
}

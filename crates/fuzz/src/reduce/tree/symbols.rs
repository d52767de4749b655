//! The declarations of a script, each of one symbol: which are needed, and what stands for a symbol that goes.

use crate::tree::sorting::Sorting;
use crate::tree::{Edit, Replacement, Tree};

/// Commands that declare or define one symbol, and need all their parts.
pub(super) const OF_ONE_SYMBOL: [&str; 6] =
    ["declare-const", "declare-fun", "declare-sort", "define-const", "define-fun", "define-sort"];

/// The trees without a declared constant, in which small terms of its sort stand for it, as far as they are shorter.
pub(super) fn without_symbol(tree: &Tree, name: &str) -> Vec<Tree> {
    let declares = |&start: &usize| {
        let (command, parts) = (tree.command_name(start), tree.parts(start));
        let is_constant = command == Some("declare-const") && parts.len() == 3
            || command == Some("declare-fun") && parts.len() == 4 && tree.parts(parts[2]).is_empty();
        is_constant && tree.atom(parts[1]) == Some(name)
    };
    let Some(declaration) = tree.commands().into_iter().find(declares) else { return Vec::new() };
    let sorting = Sorting::of(tree);
    let place = *tree.parts(declaration).last().expect("a declaration has a sort");
    let Some(sort) = sorting.declared.sort_at(tree, place) else { return Vec::new() };
    let end = tree.end_of(declaration);
    let occurrences = (0..tree.pieces.len())
        .filter(|place| !(declaration..end).contains(place) && tree.atom(*place) == Some(name))
        .map(|place| Edit { number: tree.pieces[place].number, replacement: Replacement::Text(0) });
    let removed = Edit { number: tree.pieces[declaration].number, replacement: Replacement::Nothing };
    let edits: Vec<Edit> = std::iter::once(removed).chain(occurrences).collect();
    let length = tree.to_string().len();
    let small = sorting.small(&sort).into_iter().filter(|text| **text != *name);
    let trees = small.map(|text| tree.edited(&edits, &[text]));
    trees.filter(|tree| tree.to_string().len() < length).collect()
}

/// Whether a symbol occurs in a script besides its declaration.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Use {
    Used,
    Unused,
}

/// Whether a command, if it declares or defines one symbol, is needed for others.
pub(super) fn declares(tree: &Tree, start: usize) -> Option<Use> {
    tree.command_name(start).filter(|name| OF_ONE_SYMBOL.contains(name))?;
    let name = tree.atom(*tree.parts(start).get(1)?)?;
    let own = start..tree.end_of(start);
    let is_used = (0..tree.pieces.len()).any(|place| !own.contains(&place) && tree.atom(place) == Some(name));
    Some(if is_used { Use::Used } else { Use::Unused })
}

//! The kinds of changes of a tree, and in which order they are tried.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use sundry_term::TermStore;

use crate::reduce::Check;
use crate::reduce::search::{Change, Search};
use crate::tree::declared::Declared;
use crate::tree::sorting::Sorting;
use crate::tree::{Edit, PieceKind, Replacement, Tree};

/// Parts of a list that are tried in its place, by their positions: arguments first.
const PARTS: [usize; 5] = [1, 2, 3, 4, 0];
/// Expressions that are tried where the sort is unknown.
const ANYTHING: [&str; 5] = ["true", "0", "0.0", "\"\"", "#b0"];

/// A symbol, by its number in a list, that gets a short name.
#[derive(Copy, Clone)]
struct Renaming(usize);

impl Change for Renaming {
    type Place = usize;

    fn place(self) -> usize {
        self.0
    }
}

/// Tries all kinds of changes again and again.
pub(super) struct TreePasses<'r, C> {
    pub(super) search: Search<'r, C, Tree>,
}

/// An expression with its place in the tree.
struct Place {
    /// The position of its first piece.
    start: usize,
    number: u32,
    depth: usize,
    /// Whether it is the first part of a list: the name of an operator or command.
    is_head: bool,
}

impl<'r, C: Check<Tree>> TreePasses<'r, C> {
    pub(super) fn new(search: Search<'r, C, Tree>) -> Self {
        TreePasses { search }
    }

    /// Tries changes until none is of use.
    pub(super) fn run(&mut self) -> Result<(), C::Error> {
        while self.search.goes_on() {
            let mut changed = self.remove_levels()?;
            changed |= self.remove_pairs()?;
            changed |= self.take_parts()?;
            changed |= self.eliminate_symbols()?;
            changed |= self.take_small_ones()?;
            if !changed {
                break;
            }
        }
        self.shorten_names()
    }

    /// Applies edits in groups, with texts that they mean. Whether any was of use.
    fn apply(&mut self, groups: &[Vec<Edit>], texts: &[Arc<str>]) -> Result<bool, C::Error> {
        let build = |_: &mut TermStore, tree: &Tree, edits: &[Edit]| Some(tree.edited(edits, texts));
        Ok(!self.search.apply_most(groups, build)?.applied.is_empty())
    }

    /// Removes expressions, those of the script first, then level by level.
    fn remove_levels(&mut self) -> Result<bool, C::Error> {
        let (mut changed, mut depth) = (false, 0);
        loop {
            let places = places(&self.search.subject);
            let level = places.iter().filter(|place| place.depth == depth);
            if level.clone().next().is_none() || !self.search.goes_on() {
                return Ok(changed);
            }
            let removed = level.filter(|place| !place.is_head);
            let remove = |place: &Place| Edit { number: place.number, replacement: Replacement::Nothing };
            changed |= self.apply(&[removed.map(remove).collect()], &[])?;
            depth += 1;
        }
    }

    /// Removes pairs of `push` and `pop`, neither of which may go alone.
    fn remove_pairs(&mut self) -> Result<bool, C::Error> {
        let tree = &self.search.subject;
        let (mut open, mut pairs) = (Vec::new(), Vec::new());
        for place in places(tree).into_iter().filter(|place| place.depth == 0) {
            let head = tree.parts(place.start).first().and_then(|&part| tree.atom(part));
            match head {
                Some("push") => open.push(place.number),
                Some("pop") => pairs.extend(open.pop().map(|push| [push, place.number])),
                _ => {}
            }
        }
        let mut changed = false;
        for pair in pairs {
            let edits = pair.map(|number| Edit { number, replacement: Replacement::Nothing });
            let candidate = self.search.subject.edited(&edits, &[]);
            changed |= self.search.take(candidate)?;
        }
        Ok(changed)
    }

    /// Replaces lists by one of their parts, from the outermost to the innermost.
    fn take_parts(&mut self) -> Result<bool, C::Error> {
        let (mut changed, mut depth) = (false, 1);
        loop {
            let places = places(&self.search.subject);
            if !places.iter().any(|place| place.depth == depth) || !self.search.goes_on() {
                return Ok(changed);
            }
            for part in PARTS {
                let tree = &self.search.subject;
                let edits =
                    self::places(tree).into_iter().filter(|place| place.depth == depth).filter_map(|place| {
                        let position = *tree.parts(place.start).get(part)?;
                        let replacement = Replacement::Part(tree.pieces[position].number);
                        (tree.pieces[place.start].kind == PieceKind::Open)
                            .then_some(Edit { number: place.number, replacement })
                    });
                let edits: Vec<Edit> = edits.collect();
                changed |= self.apply(&[edits], &[])?;
            }
            depth += 1;
        }
    }

    /// Replaces declared constants everywhere by small terms of their sorts, so that their declarations may go: one occurrence alone may have to be the
    /// same as the others.
    fn eliminate_symbols(&mut self) -> Result<bool, C::Error> {
        let mut changed = false;
        let names: Vec<Arc<str>> = Declared::of(&self.search.subject).names().to_vec();
        for name in names {
            if !self.search.goes_on() {
                break;
            }
            for candidate in without_symbol(&self.search.subject, &name) {
                if self.search.take(candidate)? {
                    changed = true;
                    break;
                }
            }
        }
        Ok(changed)
    }

    /// Replaces expressions by small ones of the same sort, or by anything where the sort is unknown.
    fn take_small_ones(&mut self) -> Result<bool, C::Error> {
        let tree = &self.search.subject;
        let sorting = Sorting::of(tree);
        let mut texts: Vec<Arc<str>> = Vec::new();
        let mut rounds: Vec<Vec<Edit>> = Vec::new();
        for place in places(tree).into_iter().filter(|place| place.depth > 0 && !place.is_head) {
            let length = tree.expression(place.start).len();
            let small = match sorting.sort(place.start) {
                Some(sort) => sorting.small(sort),
                None => ANYTHING.map(Arc::from).to_vec(),
            };
            // Of one length, only symbols are replaced, by what is none: others would be exchanged for ever.
            let is_symbol = |text: &str| sorting.declared.names().iter().any(|name| **name == *text);
            let is_of_symbol = tree.atom(place.start).is_some_and(is_symbol);
            let is_simpler = |text: &Arc<str>| {
                text.len() < length || text.len() == length && is_of_symbol && !is_symbol(text)
            };
            for (round, text) in small.into_iter().filter(is_simpler).enumerate() {
                let known = texts.iter().position(|known| *known == text);
                let number = known.unwrap_or_else(|| {
                    texts.push(text);
                    texts.len() - 1
                });
                if rounds.len() <= round {
                    rounds.push(Vec::new());
                }
                rounds[round].push(Edit { number: place.number, replacement: Replacement::Text(number) });
            }
        }
        let mut changed = false;
        for edits in rounds {
            changed |= self.apply(&[edits], &texts)?;
        }
        Ok(changed)
    }

    /// Gives declared symbols short names.
    fn shorten_names(&mut self) -> Result<(), C::Error> {
        let tree = &self.search.subject;
        let atoms = |wanted: &str| {
            tree.pieces.iter().any(|piece| matches!(&piece.kind, PieceKind::Atom(text) if &**text == wanted))
        };
        let mut names: Vec<Arc<str>> =
            Declared::of(tree).names().iter().filter(|name| atoms(name)).cloned().collect();
        names.sort();
        names.dedup();
        let letters = ('a'..='z').map(|letter| letter.to_string());
        let more = (0..).flat_map(|number| ('a'..='z').map(move |letter| format!("{letter}{number}")));
        let mut free = letters.chain(more).filter(|name| !atoms(name));
        let renamed: Vec<(Arc<str>, Arc<str>)> = names
            .into_iter()
            .filter(|name| name.len() > 1)
            .filter_map(|name| Some((name, Arc::<str>::from(free.next()?))))
            .filter(|(name, short)| short.len() < name.len())
            .collect();
        let changes: Vec<Renaming> = (0..renamed.len()).map(Renaming).collect();
        let build = |_: &mut TermStore, tree: &Tree, chosen: &[Renaming]| {
            let names = chosen.iter().map(|&Renaming(number)| renamed[number].clone());
            Some(tree.renamed(&names.collect::<FxHashMap<_, _>>()))
        };
        self.search.apply_most(&[changes], build).map(drop)
    }
}

/// The trees without a declared constant, in which small terms of its sort stand for it, as far as they are shorter.
fn without_symbol(tree: &Tree, name: &str) -> Vec<Tree> {
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

/// The expressions of a tree, in the order of its text.
fn places(tree: &Tree) -> Vec<Place> {
    let (mut places, mut depth, mut is_head) = (Vec::new(), 0, false);
    for (start, piece) in tree.pieces.iter().enumerate() {
        if piece.kind == PieceKind::Close {
            depth -= 1;
            is_head = false;
            continue;
        }
        let is_list = piece.kind == PieceKind::Open;
        places.push(Place { start, number: piece.number, depth, is_head: is_head && !is_list });
        depth += usize::from(is_list);
        is_head = is_list;
    }
    places
}

//! The kinds of changes of a tree, and in which order they are tried.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use sundry_term::TermStore;

use super::symbols::{OF_ONE_SYMBOL, Use, declares, without_symbol};
use crate::reduce::Check;
use crate::reduce::search::{Change, Proposal, Search};
use crate::tree::declared::Declared;
use crate::tree::operators::known;
use crate::tree::sorting::Sorting;
use crate::tree::{Edit, PieceKind, Replacement, Tree};

/// Parts of a list that are tried in its place, by their positions: arguments first.
const PARTS: [usize; 5] = [1, 2, 3, 4, 0];
/// Expressions that are tried where the sort is unknown, each with what shows that the script has its sort.
const ANYTHING: [(&str, &[&str]); 5] = [
    ("true", &[""]),
    ("0", &[""]),
    ("0.0", &["Real", "."]),
    ("\"\"", &["String", "\""]),
    ("#b0", &["BitVec", "#"]),
];

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
    /// Whether only what may be well sorted is tried.
    is_strict: bool,
    is_first_round: bool,
}

/// The most changes that the first round tries one by one. Of more changes, it tries groups, since many succeed together.
const ALONE: usize = 3;
/// The most changes that later rounds try one by one. Most of them fail, so groups take more checks.
const ALONE_LATER: usize = 32;
/// The most parts that the first round tries one by one in place of their lists, where most of them fail, too.
const PARTS_ALONE: usize = 8;

/// Other commands that need all their parts.
const OTHERS: [&str; 8] =
    ["assert", "declare-datatype", "echo", "pop", "push", "set-info", "set-logic", "set-option"];

/// Operators whose arguments are of any one sort.
const COMPARISONS: [&str; 2] = ["=", "distinct"];

/// An expression with its place in the tree.
struct Place {
    /// The position of its first piece.
    start: usize,
    number: u32,
    depth: usize,
    /// The position of the list that it is a part of.
    parent: Option<usize>,
    /// The position of the command that it is in.
    command: usize,
    /// Whether it is the first part of a list: the name of an operator or command.
    is_head: bool,
}

impl<'r, C: Check<Tree>> TreePasses<'r, C> {
    pub(super) fn new(search: Search<'r, C, Tree>) -> Self {
        TreePasses { search, is_strict: false, is_first_round: true }
    }

    /// Tries changes until none is of use.
    pub(super) fn run(&mut self) -> Result<(), C::Error> {
        self.is_strict = !self.remove_declarations()?;
        while self.search.goes_on() {
            let mut changed = self.remove_levels()?;
            changed |= self.remove_pairs()?;
            changed |= self.take_parts()?;
            changed |= self.eliminate_symbols()?;
            changed |= self.take_small_ones()?;
            self.is_first_round = false;
            // Of little use as long as anything else is.
            if !changed && !self.compare_parts()? {
                break;
            }
        }
        self.shorten_names()
    }

    /// Applies edits, with texts that they mean: together, or one by one if there are at most so many. Whether any was of use.
    fn apply(&mut self, edits: Vec<Edit>, texts: &[Arc<str>], alone: usize) -> Result<bool, C::Error> {
        let groups = match edits.len() <= alone {
            true => edits.into_iter().map(|edit| vec![edit]).collect(),
            false => vec![edits],
        };
        let build = |_: &mut TermStore, tree: &Tree, edits: &[Edit]| Some(tree.edited(edits, texts));
        Ok(!self.search.apply_most(&groups, build)?.applied.is_empty())
    }

    /// The number of changes that are tried one by one, given that of the first round.
    fn alone(&self, first: usize) -> usize {
        if self.is_first_round { first } else { ALONE_LATER }
    }

    /// Removes expressions, those of the script first, then level by level.
    fn remove_levels(&mut self) -> Result<bool, C::Error> {
        let (mut changed, mut depth) = (self.remove_unused_declarations()?, 0);
        loop {
            let tree = &self.search.subject;
            let (places, sorting) = (places(tree), Sorting::of(tree));
            let level = places.iter().filter(|place| place.depth == depth);
            if level.clone().next().is_none() || !self.search.goes_on() {
                return Ok(changed);
            }
            let is_strict = self.is_strict;
            let removed =
                level.filter(|place| !place.is_head && (!is_strict || may_go(tree, &sorting, place)));
            let remove = |place: &Place| Edit { number: place.number, replacement: Replacement::Nothing };
            let edits = removed.map(remove).collect();
            changed |= self.apply(edits, &[], self.alone(ALONE))?;
            changed |= self.remove_unused_declarations()?;
            depth += 1;
        }
    }

    /// Removes all declarations of symbols that are needed. That a check succeeds on the result shows that sorts do not matter to it: it looks
    /// for a text, or for a crash of a parser.
    fn remove_declarations(&mut self) -> Result<bool, C::Error> {
        let edits = self.without_declarations(Use::Used);
        let candidate = self.search.subject.edited(&edits, &[]);
        Ok(edits.is_empty() || self.search.take(candidate)?)
    }

    /// Removes declarations of symbols that do not occur, most often all at once.
    fn remove_unused_declarations(&mut self) -> Result<bool, C::Error> {
        let edits = self.without_declarations(Use::Unused);
        if edits.is_empty() { Ok(false) } else { self.apply(edits, &[], 0) }
    }

    /// The edits that remove declarations.
    fn without_declarations(&self, removed: Use) -> Vec<Edit> {
        let tree = &self.search.subject;
        let commands = tree.commands().into_iter().filter(|&start| declares(tree, start) == Some(removed));
        let remove =
            |start: usize| Edit { number: tree.pieces[start].number, replacement: Replacement::Nothing };
        commands.map(remove).collect()
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
                let sorting = Sorting::of(tree);
                let edits =
                    self::places(tree).into_iter().filter(|place| place.depth == depth).filter_map(|place| {
                        let position = *tree.parts(place.start).get(part)?;
                        let fits = match (sorting.sort(place.start), sorting.sort(position)) {
                            (Some(whole), Some(part)) => whole == part,
                            (whole, _) => part > 0 || whole.is_none() && !is_declaration(tree, place.command),
                        };
                        if self.is_strict && !fits {
                            return None;
                        }
                        let replacement = Replacement::Part(tree.pieces[position].number);
                        (tree.pieces[place.start].kind == PieceKind::Open)
                            .then_some(Edit { number: place.number, replacement })
                    });
                let edits: Vec<Edit> = edits.collect();
                changed |= self.apply(edits, &[], self.alone(PARTS_ALONE))?;
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

    /// Replaces all arguments of a comparison by one part of one of them: other sorts than those that are compared may do, and may
    /// need fewer symbols.
    fn compare_parts(&mut self) -> Result<bool, C::Error> {
        // The search replaces its own tree.
        let tree = &self.search.subject.clone();
        let comparisons = places(tree).into_iter().filter(|place| {
            let operator = tree.parts(place.start).first().and_then(|&operator| tree.atom(operator));
            operator.is_some_and(|operator| COMPARISONS.contains(&operator))
        });
        let mut proposals: Vec<Proposal<'_, Tree>> = Vec::new();
        for comparison in comparisons {
            let arguments: Arc<[usize]> = tree.parts(comparison.start).split_off(1).into();
            let parts = arguments.iter().flat_map(|&argument| tree.parts(argument).into_iter().skip(1));
            for part in parts {
                let arguments = Arc::clone(&arguments);
                proposals.push(Box::new(move |_| Some(with_each(tree, &arguments, part))));
            }
        }
        self.search.take_first(proposals)
    }

    /// Replaces expressions by small ones of the same sort, or by anything where the sort is unknown.
    fn take_small_ones(&mut self) -> Result<bool, C::Error> {
        let tree = &self.search.subject;
        let sorting = Sorting::of(tree);
        let text = tree.to_string();
        let anything = ANYTHING.iter().filter(|(_, signs)| signs.iter().any(|sign| text.contains(sign)));
        let anything: Vec<Arc<str>> = anything.map(|(text, _)| Arc::from(*text)).collect();
        let mut texts: Vec<Arc<str>> = Vec::new();
        let mut rounds: Vec<Vec<Edit>> = Vec::new();
        let may_be_replaced = |place: &Place| {
            place.depth > 0 && !place.is_head && !(self.is_strict && is_declaration(tree, place.command))
        };
        for place in places(tree).into_iter().filter(may_be_replaced) {
            let length = tree.expression(place.start).len();
            let small = match sorting.sort(place.start) {
                Some(sort) => sorting.small(sort),
                None => anything.clone(),
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
            changed |= self.apply(edits, &texts, self.alone(ALONE))?;
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

/// The tree in which an expression stands in place of each of some others, given their positions in ascending order.
fn with_each(tree: &Tree, replaced: &[usize], expression: usize) -> Tree {
    let expression = tree.pieces[expression..tree.end_of(expression)].to_vec();
    replaced.iter().rev().fold(tree.clone(), |tree, &place| tree.replaced(place, &expression))
}

/// Whether a command has no terms: nothing small stands for a sort or a name.
fn is_declaration(tree: &Tree, start: usize) -> bool {
    let has_none =
        |name: &str| name.starts_with("declare-") || name.starts_with("set-") || name == "define-sort";
    tree.command_name(start).is_some_and(has_none)
}

/// Whether a script may be well sorted without an expression, as far as is known: the arguments of an operator that takes so many have to stay.
fn may_go(tree: &Tree, sorting: &Sorting, place: &Place) -> bool {
    let Some(parent) = place.parent else { return declares(tree, place.start).is_none() };
    if place.depth == 1 {
        let mut whole = OF_ONE_SYMBOL.iter().chain(&OTHERS);
        return tree.command_name(parent).is_none_or(|name| whole.all(|other| *other != name));
    }
    if sorting.sort(parent).is_none() {
        return true;
    }
    let parts = tree.parts(parent);
    let Some(operator) = tree.atom(parts[0]) else { return false };
    let classes = sorting.declared.classes.of(operator).chain(known().of(operator));
    // The operator itself and the argument that goes are no arguments afterwards.
    classes.into_iter().any(|class| class.is_open_ended && parts.len() >= class.arguments.len() + 2)
}

/// The expressions of a tree, in the order of its text.
fn places(tree: &Tree) -> Vec<Place> {
    let (mut places, mut open, mut is_first) = (Vec::new(), Vec::new(), false);
    for (start, piece) in tree.pieces.iter().enumerate() {
        if piece.kind == PieceKind::Close {
            open.pop();
            is_first = false;
            continue;
        }
        let is_list = piece.kind == PieceKind::Open;
        let (depth, parent) = (open.len(), open.last().copied());
        let command = open.first().copied().unwrap_or(start);
        let is_head = is_first && !is_list;
        places.push(Place { start, number: piece.number, depth, parent, command, is_head });
        if is_list {
            open.push(start);
        }
        is_first = is_list;
    }
    places
}

//! Changes of a tree.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Piece, PieceKind, Tree};
/// The number of expressions that replacements have made: they change no more.
const NEW: u32 = u32::MAX;

/// An expression, by its number, with its replacement.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edit {
    pub(crate) number: u32,
    pub(crate) replacement: Replacement,
}

/// A replacement of an expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Replacement {
    /// Nothing: the expression is removed.
    Nothing,
    /// The expression inside it with this number.
    Part(u32),
    /// The text with this number in a list of texts.
    Text(usize),
}

impl Tree {
    /// The tree with some expressions replaced; `texts` are those that replacements mean. Replacements inside replaced
    /// expressions take effect where these stay.
    pub(crate) fn edited(&self, edits: &[Edit], texts: &[Arc<str>]) -> Tree {
        let edits: FxHashMap<u32, Replacement> =
            edits.iter().map(|edit| (edit.number, edit.replacement)).collect();
        let mut pieces = Vec::with_capacity(self.pieces.len());
        // Ranges that are still to be copied, the next one last.
        let mut open = vec![(0, self.pieces.len())];
        while let Some((start, last)) = open.pop() {
            let mut position = start;
            while position < last {
                let piece = &self.pieces[position];
                let replacement = match piece.kind {
                    PieceKind::Close => None,
                    _ => edits.get(&piece.number).filter(|_| piece.number != NEW),
                };
                let Some(replacement) = replacement else {
                    pieces.push(piece.clone());
                    position += 1;
                    continue;
                };
                let end = self.end_of(position);
                match *replacement {
                    Replacement::Nothing => {}
                    Replacement::Text(number) => {
                        pieces.push(Piece { number: NEW, kind: PieceKind::Atom(Arc::clone(&texts[number])) });
                    }
                    Replacement::Part(number) => {
                        let inside = position + 1..end;
                        let part = inside.clone().find(|&part| {
                            self.pieces[part].number == number && self.pieces[part].kind != PieceKind::Close
                        });
                        if let Some(part) = part {
                            open.push((end, last));
                            open.push((part, self.end_of(part)));
                            position = last;
                            continue;
                        }
                    }
                }
                position = end;
            }
        }
        Tree { pieces }
    }

    /// The tree with another expression in place of the one that begins at a position. All expressions get new numbers.
    pub(crate) fn replaced(&self, start: usize, expression: &[Piece]) -> Tree {
        let end = self.end_of(start);
        let pieces = self.pieces[..start].iter().chain(expression).chain(&self.pieces[end..]).cloned();
        Tree::numbered(pieces)
    }

    /// The tree of these pieces, with new numbers.
    pub(crate) fn numbered(pieces: impl Iterator<Item = Piece>) -> Tree {
        let numbered = pieces.zip(0..).map(|(piece, number)| Piece { number, ..piece });
        Tree { pieces: numbered.collect() }
    }

    /// The tree with other texts for some atoms.
    pub(crate) fn renamed(&self, names: &FxHashMap<Arc<str>, Arc<str>>) -> Tree {
        let rename = |piece: &Piece| match &piece.kind {
            PieceKind::Atom(text) => match names.get(text) {
                Some(name) => Piece { number: piece.number, kind: PieceKind::Atom(Arc::clone(name)) },
                None => piece.clone(),
            },
            _ => piece.clone(),
        };
        Tree { pieces: self.pieces.iter().map(rename).collect() }
    }
}

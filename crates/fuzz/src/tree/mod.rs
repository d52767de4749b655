//! Scripts of which Sundry knows nothing but the parentheses: trees of expressions.
//!
//! Solvers read theories and commands that Sundry does not know. [Declarations](declared) and a [table](operators) of operators
//! say of what [sorts](sorting) expressions are.

pub(crate) mod declared;
mod edit;
pub(crate) mod expression;
pub(crate) mod operators;
mod reader;
pub(crate) mod sorting;

use std::fmt;
use std::sync::Arc;

use sundry_smtlib::{Diagnostic, DiagnosticKind, Lexer, Token};

pub(crate) use edit::{Edit, Replacement};

/// A script as a tree of expressions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// The tree in the order of its text: nesting may be deep.
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of the text of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    /// The number of the expression that begins here, which stays the same when others change; the number of a closing
    /// parenthesis means nothing.
    pub(crate) number: u32,
    pub(crate) kind: PieceKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PieceKind {
    Open,
    Close,
    Atom(Arc<str>),
}

impl Tree {
    /// Reads a text, whose parentheses have to match; comments are left out.
    ///
    /// # Errors
    /// A token is none of SMT-LIB, or parentheses do not match.
    pub fn read(text: &str) -> Result<Tree, Diagnostic> {
        let mut lexer = Lexer::new(text, 0);
        let (mut pieces, mut open) = (Vec::new(), Vec::new());
        loop {
            let (token, span) = lexer.next_token()?;
            let kind = match token {
                Token::End => break,
                Token::Open => {
                    open.push(span);
                    PieceKind::Open
                }
                Token::Close => {
                    if open.pop().is_none() {
                        return Err(Diagnostic::new(
                            DiagnosticKind::Syntax,
                            span,
                            "this parenthesis closes nothing",
                        ));
                    }
                    PieceKind::Close
                }
                _ => PieceKind::Atom(text[span.start..span.end].into()),
            };
            pieces.push(Piece { number: pieces.len() as u32, kind });
        }
        match open.pop() {
            Some(span) => {
                Err(Diagnostic::new(DiagnosticKind::Syntax, span, "this parenthesis is not closed"))
            }
            None => Ok(Tree { pieces }),
        }
    }

    /// Whether a script that cannot be read for a fault of this kind may be legal for some solver: it has something that Sundry does not
    /// know, rather than a mistake in what Sundry knows.
    pub fn may_read(fault: DiagnosticKind) -> bool {
        use DiagnosticKind::{Limit, Syntax, Unknown, Unsupported};
        matches!(fault, Syntax | Unknown | Unsupported | Limit)
    }

    /// The position behind the expression that begins at a position.
    pub(crate) fn end_of(&self, start: usize) -> usize {
        let mut depth = 0usize;
        for (position, piece) in self.pieces.iter().enumerate().skip(start) {
            match piece.kind {
                PieceKind::Open => depth += 1,
                PieceKind::Close => depth -= 1,
                PieceKind::Atom(_) => {}
            }
            if depth == 0 {
                return position + 1;
            }
        }
        self.pieces.len()
    }

    /// The positions of the parts of the list that begins at a position.
    pub(crate) fn parts(&self, start: usize) -> Vec<usize> {
        let mut parts = Vec::new();
        let mut next = start + 1;
        while next < self.pieces.len() && self.pieces[next].kind != PieceKind::Close {
            parts.push(next);
            next = self.end_of(next);
        }
        parts
    }

    /// The positions of the expressions of the script: its commands.
    pub(crate) fn commands(&self) -> Vec<usize> {
        let (mut commands, mut next) = (Vec::new(), 0);
        while next < self.pieces.len() {
            commands.push(next);
            next = self.end_of(next);
        }
        commands
    }

    /// The name of the command that begins at a position.
    pub(crate) fn command_name(&self, start: usize) -> Option<&str> {
        (self.pieces[start].kind == PieceKind::Open).then(|| self.atom(start + 1)).flatten()
    }

    /// The text of an atom.
    pub(crate) fn atom(&self, position: usize) -> Option<&str> {
        match &self.pieces.get(position)?.kind {
            PieceKind::Atom(text) => Some(text),
            _ => None,
        }
    }

    /// The text of the expression that begins at a position.
    pub(crate) fn expression(&self, start: usize) -> String {
        written(&self.pieces[start..self.end_of(start)])
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = written(&self.pieces);
        f.write_str(&text)?;
        if text.is_empty() { Ok(()) } else { f.write_str("\n") }
    }
}

/// Pieces as text: top-level expressions on lines of their own.
pub(crate) fn written(pieces: &[Piece]) -> String {
    let (mut out, mut depth) = (String::new(), 0usize);
    for piece in pieces {
        let begins_part = depth > 0 && !out.ends_with('(') && piece.kind != PieceKind::Close;
        if begins_part {
            out.push(' ');
        }
        match &piece.kind {
            PieceKind::Open => {
                out.push('(');
                depth += 1;
            }
            PieceKind::Close => {
                out.push(')');
                depth -= 1;
            }
            PieceKind::Atom(text) => out.push_str(text),
        }
        if depth == 0 {
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_may_be_deep() {
        let depth = 20_000;
        let text = format!("{}x{}", "(not ".repeat(depth), ")".repeat(depth));
        assert_eq!(Tree::read(&text).expect("parentheses match").expression(0), text);
        assert!(Tree::read("(a").is_err() && Tree::read("a)").is_err());
    }
}

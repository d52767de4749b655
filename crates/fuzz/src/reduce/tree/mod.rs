//! Scripts of which Sundry knows nothing but the parentheses: trees of expressions.
//!
//! Solvers read theories and commands that Sundry does not know. Such a script is reduced by *hierarchical delta debugging*
//! (Misherghi & Su, "HDD: hierarchical delta debugging", ICSE 2006): expressions are removed level by level, replaced by one
//! of their parts, and replaced by small expressions of the same sort, as far as declarations say what sort that is.

mod edit;
mod passes;
mod sorts;

use std::sync::Arc;

use sundry_smtlib::{Diagnostic, DiagnosticKind, Lexer, ScriptText, Token};
use sundry_term::TermStore;

use super::search::Search;
use super::{Candidate, Check, Reduced, Reducible};
use passes::TreePasses;

/// A script as a tree of expressions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// The tree in the order of its text: nesting may be deep.
    pieces: Vec<Piece>,
}

/// A piece of the text of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Piece {
    /// The number of the expression that begins here, which stays the same when others change; the number of a closing
    /// parenthesis means nothing.
    number: u32,
    kind: PieceKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum PieceKind {
    Open,
    Close,
    Atom(Arc<str>),
}

/// The size of a tree: of two trees, the one with the smaller size is the simpler.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TreeSize {
    /// Bytes of the text.
    bytes: usize,
    /// Expressions.
    expressions: usize,
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
    fn end_of(&self, start: usize) -> usize {
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
    fn parts(&self, start: usize) -> Vec<usize> {
        let mut parts = Vec::new();
        let mut next = start + 1;
        while next < self.pieces.len() && self.pieces[next].kind != PieceKind::Close {
            parts.push(next);
            next = self.end_of(next);
        }
        parts
    }

    /// The text of an atom.
    fn atom(&self, position: usize) -> Option<&str> {
        match &self.pieces.get(position)?.kind {
            PieceKind::Atom(text) => Some(text),
            _ => None,
        }
    }

    /// The text of the expression that begins at a position.
    fn expression(&self, start: usize) -> String {
        written(&self.pieces[start..self.end_of(start)])
    }
}

/// Pieces as text: top-level expressions on lines of their own.
fn written(pieces: &[Piece]) -> String {
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

impl Reducible for Tree {
    type Size = TreeSize;

    fn text(&self, _: &TermStore) -> ScriptText {
        let mut text = written(&self.pieces);
        if !text.is_empty() {
            text.push('\n');
        }
        ScriptText::verbatim(text)
    }

    fn size(&self, _: &TermStore, text: &str) -> TreeSize {
        TreeSize { bytes: text.len(), expressions: self.pieces.len() }
    }
}

/// Makes a tree smaller as long as the check succeeds on its text. `None` if the check fails on the tree itself.
///
/// # Errors
/// The errors of the check.
pub fn reduce_tree<C: Check<Tree>>(tree: Tree, check: &mut C) -> Result<Option<Reduced<Tree>>, C::Error> {
    let mut store = TermStore::new();
    let text = tree.text(&store);
    if !check.shows(&mut store, &tree, &text)? {
        return Ok(None);
    }
    let mut passes = TreePasses::new(Search::new(&mut store, check, Candidate { subject: tree, text }));
    passes.run()?;
    Ok(Some(passes.search.end()))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Accepts scripts by their texts.
    struct Texts<F>(F);

    impl<F: FnMut(&str) -> bool> Check<Tree> for Texts<F> {
        type Error = Infallible;

        fn shows(&mut self, _: &mut TermStore, _: &Tree, text: &ScriptText) -> Result<bool, Infallible> {
            Ok((self.0)(text))
        }

        fn goes_on(&self) -> bool {
            true
        }
    }

    fn reduced(text: &str, shows: impl FnMut(&str) -> bool) -> String {
        let tree = Tree::read(text).expect("parentheses match");
        let reduced = reduce_tree(tree, &mut Texts(shows)).unwrap_or_else(|never| match never {});
        let reduced = reduced.expect("it shows at first");
        assert!(reduced.is_finished);
        reduced.text
    }

    const SETS: &str = "; sets of cvc5
        (set-logic ALL) (declare-fun first () (Set Int)) (declare-fun second () (Set Int)) (declare-const n Int)
        (assert (or (> n 3) (set.member (+ n 1) (set.union first (set.inter second (set.singleton 5))))))
        (assert (set.subset first second)) (check-sat)";

    #[test]
    fn what_does_not_matter_goes() {
        let text = reduced(SETS, |text| text.contains("set.union") && text.contains("(check-sat)"));
        assert_eq!(text, "(assert set.union)\n(check-sat)\n");
        let whole = |text: &str| text.contains("(set.member ") && text.contains("set.inter");
        let text = reduced(SETS, whole);
        assert!(text.starts_with("(assert (set.member ") && text.len() < 40, "{text}");
    }

    #[test]
    fn terms_become_simple_terms_of_their_sort() {
        // Whatever stands there, declarations have to fit.
        let is_typed = |text: &str| {
            text.contains("(set.subset ") && text.contains("(check-sat)") && {
                let names: Vec<&str> = text.split([' ', '(', ')', '\n']).collect();
                !names.contains(&"first") || text.contains("(declare-fun first () (Set Int))")
            }
        };
        let text = reduced(SETS, is_typed);
        assert!(text.len() < 60, "{text}");
    }

    #[test]
    fn trees_may_be_deep() {
        let depth = 20_000;
        let text = format!("{}x{}", "(not ".repeat(depth), ")".repeat(depth));
        assert_eq!(Tree::read(&text).expect("parentheses match").expression(0), text);
        assert!(Tree::read("(a").is_err() && Tree::read("a)").is_err());
    }
}

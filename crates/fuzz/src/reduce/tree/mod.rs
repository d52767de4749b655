//! Scripts of which Sundry knows nothing but the parentheses, made smaller.
//!
//! Such a script is reduced by *hierarchical delta debugging* (Misherghi & Su, "HDD: hierarchical delta debugging", ICSE 2006):
//! expressions are removed level by level, replaced by one of their parts, and replaced by small expressions of the same sort,
//! as far as declarations and known operators say what sort that is.

mod passes;
mod symbols;

use sundry_smtlib::ScriptText;
use sundry_term::TermStore;

use super::search::{Change, Search};
use super::{Candidate, Check, Reduced, Reducible};
use crate::tree::{Edit, Piece, PieceKind, Tree};
use passes::TreePasses;

/// The size of a tree: of two trees, the one with the smaller size is the simpler.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TreeSize {
    /// Expressions: with fewer of them, other changes become possible, even if the text is longer at first.
    expressions: usize,
    /// Bytes of the text.
    bytes: usize,
    /// Atoms that are no literals, since their declarations may go with the last of them.
    names: usize,
}

impl Change for Edit {
    type Place = u32;

    fn place(self) -> u32 {
        self.number
    }
}

impl Reducible for Tree {
    type Size = TreeSize;

    fn text(&self, _: &TermStore) -> ScriptText {
        ScriptText::verbatim(self.to_string())
    }

    fn size(&self, _: &TermStore, text: &str) -> TreeSize {
        let is_name = |piece: &&Piece| matches!(&piece.kind, PieceKind::Atom(text) if !is_literal(text));
        let names = self.pieces.iter().filter(is_name).count();
        TreeSize { bytes: text.len(), expressions: self.pieces.len(), names }
    }
}

/// Whether an atom means the same in every script.
fn is_literal(atom: &str) -> bool {
    atom.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '"' | '#'))
        || matches!(atom, "true" | "false")
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
    fn a_constant_goes_where_all_its_occurrences_have_to_be_alike() {
        let script = "(declare-fun one () Int) (declare-const two Int) (assert (p one one two)) (check-sat)";
        let mut tries = 0;
        let text = reduced(script, |text| {
            tries += 1;
            let Some((before, behind)) = text.split_once("(p ") else { return false };
            let arguments: Vec<&str> = behind.split([' ', ')']).take(3).collect();
            let is_declared = |name: &&str| *name == "0" || before.contains(&format!(" {name} "));
            arguments[0] == arguments[1]
                && arguments.iter().all(is_declared)
                && text.ends_with("(check-sat)\n")
        });
        assert_eq!(text, "(assert (p 0 0 0))\n(check-sat)\n");
        assert!(tries < 30, "{tries}");
    }

    #[test]
    fn what_is_ill_sorted_is_not_tried() {
        let script = "(declare-const r (Relation Int Int)) (declare-const x Int)
            (assert (set.member (tuple x x) (rel.transpose (rel.tclosure r)))) (check-sat)";
        let shortest = "(declare-const r (Relation Int Int))\n\
            (assert (set.member (tuple 0 0) (rel.transpose (rel.tclosure r))))\n(check-sat)\n";
        let mut tries = Vec::new();
        let text = reduced(script, |text| {
            tries.push(text.to_string());
            ["set.member", "rel.transpose", "rel.tclosure", "(tuple ", "(check-sat)", "Relation Int Int"]
                .iter()
                .all(|part| text.contains(part))
                && text.matches("0 0").count() + text.matches("x x").count() == 1
        });
        assert_eq!(text, shortest);
        let arguments_are_missing =
            |text: &String| text.contains("(rel.tclosure)") || text.contains("(set.member (tuple x x))");
        assert!(!tries.iter().any(arguments_are_missing), "{tries:#?}");
    }
}

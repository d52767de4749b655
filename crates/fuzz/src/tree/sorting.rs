//! The sorts of the expressions of a script, as far as its declarations and the [table](super::operators) say.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::declared::Declared;
use super::expression::{Bindings, Expression};
use super::operators::{Class, known};
use super::reader::Reader;
use super::{PieceKind, Tree};

/// A term of a script.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The position of its first piece.
    pub(crate) start: usize,
    /// The sort, if it is known.
    pub(crate) sort: Option<Expression>,
    /// Whether variables that are bound around it occur in it.
    pub(crate) is_open: bool,
    /// The number of commands before it that declare something, or open or close a level.
    pub(crate) declarations: usize,
    /// The application that the term is, if it is one.
    pub(crate) application: Option<Application>,
}

/// The application of an operator.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    pub(crate) operator: String,
    /// The sorts of the arguments, as far as they are known.
    pub(crate) arguments: Vec<Option<Expression>>,
}

/// The sorts of a script.
#[derive(Debug)]
pub(crate) struct Sorting {
    pub(crate) declared: Declared,
    /// The terms, each behind its parts.
    pub(crate) places: Vec<Place>,
    /// The sort of each expression, by the position of its first piece.
    sorts: Vec<Option<Expression>>,
    /// The dialects of which the script has operators.
    dialects: BTreeSet<Arc<str>>,
}

impl Sorting {
    /// The sorts of a tree.
    pub(crate) fn of(tree: &Tree) -> Sorting {
        let Reader { declared, places, sorts, .. } = Reader::follow(tree);
        let atoms = tree.pieces.iter().filter_map(|piece| match &piece.kind {
            PieceKind::Atom(text) => Some(text),
            _ => None,
        });
        let classes = atoms.filter(|text| !declared.classes.has(text)).flat_map(|text| known().of(text));
        let dialects = classes.filter_map(|class| class.dialect.clone()).collect();
        Sorting { declared, places, sorts, dialects }
    }

    /// The sort of the expression that begins at a position, if that is known.
    pub(crate) fn sort(&self, start: usize) -> Option<&Expression> {
        self.sorts.get(start)?.as_ref()
    }

    /// The classes of operators that scripts like this one may have, those that the script declares first.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &Class> {
        let is_known =
            |class: &&Class| class.dialect.as_ref().is_none_or(|dialect| self.dialects.contains(dialect));
        self.declared.classes.iter().chain(known().iter().filter(is_known))
    }

    /// Terms of a sort that have no parts.
    pub(crate) fn small(&self, sort: &Expression) -> Vec<Arc<str>> {
        const CONSTANTS: usize = 3;
        let mut small = Vec::new();
        for class in self.classes().filter(|class| class.arguments.is_empty()) {
            let mut bindings = Bindings::default();
            if class.result.fits(sort, &mut bindings) {
                let terms = class.operators.iter().filter_map(|operator| operator.filled(&bindings));
                small.extend(terms.map(|term| Arc::<str>::from(term.to_string())));
            }
        }
        let is_constant = |text: &Arc<str>| self.declared.constants(sort).contains(text);
        let (constants, mut terms): (Vec<_>, Vec<_>) = small.into_iter().partition(is_constant);
        terms.extend(constants.into_iter().take(CONSTANTS));
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sort of the term of the last command.
    fn sort(text: &str) -> String {
        let tree = Tree::read(text).expect("parentheses match");
        let sorting = Sorting::of(&tree);
        let last = *tree.commands().last().expect("a command");
        let term = *tree.parts(last).last().expect("a term");
        sorting.sort(term).map_or_else(|| "unknown".to_string(), Expression::to_string)
    }

    #[test]
    fn sorts_follow_from_declarations_and_operators() {
        let declared =
            "(declare-const a (Set Int)) (declare-const p (-> Int Bool Real)) (declare-const r Real)
            (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
            (declare-const l (List (Set Int)))";
        for (term, expected) in [
            ("(set.union a (set.singleton 3))", "(Set Int)"),
            ("(set.member 3 (as set.empty (Set Int)))", "Bool"),
            ("(let ((b (set.inter a a))) (set.minus b a))", "(Set Int)"),
            ("(exists ((x Int)) (set.member x a))", "Bool"),
            ("(ite true (set.choose a) 3)", "Int"),
            ("(+ r 1 r)", "Real"),
            ("(sin r)", "Real"),
            ("(head l)", "(Set Int)"),
            ("(tail l)", "(List (Set Int))"),
            ("((_ is cons) l)", "Bool"),
            ("((as cons (List Int)) 1 (as nil (List Int)))", "(List Int)"),
            ("(match l ((nil (set.card a)) ((cons x y) 2)))", "Int"),
            ("(p 3 true)", "Real"),
            ("(p 3)", "(-> Bool Real)"),
            ("(bvadd (_ bv3 8) #x01)", "(_ BitVec 8)"),
            ("(fp.abs (_ +oo 5 11))", "(_ FloatingPoint 5 11)"),
            ("(unknown a)", "unknown"),
            ("(! (seq.len (seq.unit a)) :named n)", "Int"),
        ] {
            assert_eq!(sort(&format!("{declared} (assert {term})")), expected, "{term}");
        }
    }

    #[test]
    fn scripts_and_sorts_may_be_nested_deeply() {
        let depth = 20_000;
        for head in ["set.singleton ", "tuple x ", "(", "let ((y true)) ", "forall ((y Int)) "] {
            let head = format!("({head}");
            let ends = ")".repeat(head.matches('(').count() - head.matches(')').count());
            let text =
                format!("(declare-const x Int) (assert {}x{})", head.repeat(depth), ends.repeat(depth));
            let known = ["(let", "(forall"].iter().any(|it| head.starts_with(it));
            assert_eq!(sort(&text) == "unknown", !known, "{head}");
        }
    }

    #[test]
    fn terms_with_bound_variables_are_open() {
        let text = "(assert (forall ((x Int)) (let ((y (+ 1 2))) (= x (+ y 3)))))";
        let tree = Tree::read(text).expect("parentheses match");
        let closed: Vec<String> = Sorting::of(&tree)
            .places
            .iter()
            .filter(|place| !place.is_open)
            .map(|place| tree.expression(place.start))
            .collect();
        assert_eq!(closed, ["1", "2", "(+ 1 2)", "3"]);
    }
}

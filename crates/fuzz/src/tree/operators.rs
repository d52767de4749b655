//! The table of operators of all theories that solvers are known to have: classes of operators with the same signature.
//!
//! The table has the standard's theories and the extensions of cvc5, cvc4 and z3. Nothing is known of the meaning of an
//! operator; a class that does not fit some solver costs a mutant that the solver refuses.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use super::Tree;
use super::expression::{Bindings, Expression};

/// The table as text.
const TABLE: &str = include_str!("operators.smt2");

/// Operators with the sorts of their arguments and of their result.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// The sorts of the arguments.
    pub(crate) arguments: Vec<Expression>,
    /// Whether more arguments of the last sort may follow.
    pub(crate) is_open_ended: bool,
    /// The sort of the result.
    pub(crate) result: Expression,
    /// The operators, or with no arguments, the terms.
    pub(crate) operators: Vec<Expression>,
    /// The name of the dialect whose scripts alone have these operators, if there is one.
    pub(crate) dialect: Option<Arc<str>>,
}

impl Class {
    /// The bindings with which arguments of these sorts fit; those of unknown sorts always do. `None` if they do not fit.
    pub(crate) fn bindings(&self, sorts: &[Option<Expression>]) -> Option<Bindings> {
        let count = self.arguments.len();
        if sorts.len() < count || (sorts.len() > count && !self.is_open_ended) {
            return None;
        }
        let mut bindings = Bindings::default();
        let all_fit = sorts.iter().enumerate().all(|(position, sort)| {
            let pattern = &self.arguments[position.min(count - 1)];
            sort.as_ref().is_none_or(|sort| pattern.fits(sort, &mut bindings))
        });
        all_fit.then_some(bindings)
    }
}

/// Classes, found by the names of their operators.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    classes: Vec<Class>,
    by_operator: FxHashMap<Arc<str>, Vec<usize>>,
}

impl Classes {
    /// Adds a class; operators with variables in them cannot be found by name.
    pub(crate) fn add(&mut self, class: Class) {
        for operator in &class.operators {
            let name: Arc<str> = operator.to_string().into();
            self.by_operator.entry(name).or_default().push(self.classes.len());
        }
        self.classes.push(class);
    }

    /// All classes.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Class> {
        self.classes.iter()
    }

    /// The classes of an operator.
    pub(crate) fn of(&self, operator: &str) -> impl Iterator<Item = &Class> {
        self.by_operator.get(operator).into_iter().flatten().map(|&number| &self.classes[number])
    }

    /// Whether there is an operator of this name.
    pub(crate) fn has(&self, operator: &str) -> bool {
        self.by_operator.contains_key(operator)
    }

    fn read(text: &str) -> Option<Classes> {
        let tree = Tree::read(text).ok()?;
        let mut classes = Classes::default();
        for start in tree.commands() {
            let parts = tree.parts(start);
            let is_dialect = tree.command_name(start)? == "dialect";
            let dialect = if is_dialect { Some(tree.atom(*parts.get(1)?)?.into()) } else { None };
            let [arguments, result, ref operators @ ..] = parts[if is_dialect { 2.. } else { 1.. }] else {
                return None;
            };
            let read = |&start: &usize| Expression::read(&tree, start, &is_variable);
            let (mut places, mut is_open_ended) = (tree.parts(arguments), false);
            if places.last().is_some_and(|&last| tree.atom(last) == Some(".")) {
                places.pop();
                is_open_ended = true;
            }
            classes.add(Class {
                arguments: places.iter().map(read).collect::<Option<_>>()?,
                is_open_ended,
                result: read(&result)?,
                operators: operators.iter().map(read).collect::<Option<_>>()?,
                dialect,
            });
        }
        Some(classes)
    }
}

/// Whether a name of the table stands for any sort or number.
fn is_variable(name: &str) -> bool {
    name.len() == 1 && name.chars().all(|character| character.is_ascii_uppercase())
}

/// The classes of all known operators.
pub(crate) fn known() -> &'static Classes {
    static KNOWN: LazyLock<Classes> =
        LazyLock::new(|| Classes::read(TABLE).expect("the table is part of the program and tested"));
    &KNOWN
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sort(text: &str) -> Option<Expression> {
        Expression::read(&Tree::read(text).expect("parentheses match"), 0, &|_| false)
    }

    #[test]
    fn operators_are_found_by_their_names_and_arguments() {
        let fitting = |operator: &str, sorts: &[&str]| {
            let sorts: Vec<_> = sorts.iter().map(|text| sort(text)).collect();
            let mut classes = known().of(operator);
            classes.find_map(|class| class.result.filled(&class.bindings(&sorts)?)).map(|it| it.to_string())
        };
        assert_eq!(fitting("set.union", &["(Set Int)", "(Set Int)"]).as_deref(), Some("(Set Int)"));
        assert_eq!(
            fitting("set.union", &["(FiniteSet Int)", "(FiniteSet Int)"]).as_deref(),
            Some("(FiniteSet Int)")
        );
        assert_eq!(fitting("set.union", &["(Set Int)", "(Set Bool)"]), None);
        assert_eq!(fitting("+", &["Real"; 3]).as_deref(), Some("Real"));
        assert_eq!(fitting("div", &["Int"; 3]), None);
        assert_eq!(fitting("select", &["(Array Int Bool)", "Int"]).as_deref(), Some("Bool"));
    }

    #[test]
    fn operators_of_a_dialect_belong_to_no_other_class() {
        for class in known().iter().filter(|class| class.dialect.is_some()) {
            for operator in class.operators.iter().map(Expression::to_string) {
                assert!(known().of(&operator).all(|other| other.dialect == class.dialect), "{operator}");
            }
        }
    }

    #[test]
    fn each_class_has_operators_and_a_result_that_follows_from_its_arguments() {
        let bound = |expressions: &[Expression]| {
            let text: Vec<String> = expressions.iter().map(Expression::to_string).collect();
            let words = text.join(" ");
            words
                .split([' ', '(', ')'])
                .filter(|word| is_variable(word))
                .map(String::from)
                .collect::<Vec<_>>()
        };
        for class in known().iter() {
            let Class { arguments, result, operators, is_open_ended, .. } = class;
            assert!(!operators.is_empty(), "{class:?}");
            assert!(!is_open_ended || !arguments.is_empty(), "{class:?}");
            let from = if arguments.is_empty() { bound(operators) } else { bound(arguments) };
            let result = bound(std::slice::from_ref(result));
            assert!(result.iter().all(|name| from.contains(name)), "{class:?}");
        }
    }
}

//! Small expressions: sorts, patterns of sorts, and names of operators.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{PieceKind, Tree};

/// Levels of nesting, at most: sorts are small.
const DEEPEST: usize = 16;
/// Parts of a sort, at most.
const LARGEST: usize = 1000;

/// A sort, or a pattern of sorts.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Expression {
    /// Any expression, the same at each place.
    Variable(Arc<str>),
    /// A name or a number.
    Atom(Arc<str>),
    /// A list.
    List(Arc<[Expression]>),
}

/// The expressions that variables stand for.
pub(crate) type Bindings = FxHashMap<Arc<str>, Expression>;

impl Expression {
    /// The expression of a name.
    pub(crate) fn atom(name: &str) -> Expression {
        Expression::Atom(name.into())
    }

    /// The list of some expressions.
    pub(crate) fn list(parts: impl IntoIterator<Item = Expression>) -> Expression {
        Expression::List(parts.into_iter().collect())
    }

    /// Reads the expression that begins at a position, with some names as variables. `None` if it is nested too deeply.
    pub(crate) fn read(tree: &Tree, start: usize, is_variable: &dyn Fn(&str) -> bool) -> Option<Expression> {
        let mut lists: Vec<Vec<Expression>> = Vec::new();
        for piece in &tree.pieces[start..] {
            let whole = match &piece.kind {
                PieceKind::Open if lists.len() == DEEPEST => return None,
                PieceKind::Open => {
                    lists.push(Vec::new());
                    continue;
                }
                PieceKind::Close => Expression::list(lists.pop()?),
                PieceKind::Atom(name) if is_variable(name) => Expression::Variable(Arc::clone(name)),
                PieceKind::Atom(name) => Expression::Atom(Arc::clone(name)),
            };
            match lists.last_mut() {
                Some(list) => list.push(whole),
                None => return Some(whole),
            }
        }
        None
    }

    /// Whether an expression is of this pattern; variables are bound on the way.
    pub(crate) fn fits(&self, expression: &Expression, bindings: &mut Bindings) -> bool {
        match (self, expression) {
            (Expression::Variable(name), _) => match bindings.get(name) {
                Some(bound) => bound == expression,
                None => {
                    bindings.insert(Arc::clone(name), expression.clone());
                    true
                }
            },
            (Expression::Atom(one), Expression::Atom(other)) => one == other,
            (Expression::List(parts), Expression::List(others)) => {
                parts.len() == others.len()
                    && parts.iter().zip(others.iter()).all(|(part, other)| part.fits(other, bindings))
            }
            _ => false,
        }
    }

    /// The expression with what its variables stand for. `None` if one of them stands for nothing, or if the expression becomes too
    /// large.
    pub(crate) fn filled(&self, bindings: &Bindings) -> Option<Expression> {
        self.with(bindings).filter(Expression::is_small)
    }

    fn with(&self, bindings: &Bindings) -> Option<Expression> {
        match self {
            Expression::Variable(name) => bindings.get(name).cloned(),
            Expression::Atom(_) => Some(self.clone()),
            Expression::List(parts) => {
                let parts: Option<Arc<[Expression]>> = parts.iter().map(|part| part.with(bindings)).collect();
                parts.map(Expression::List)
            }
        }
    }

    /// Whether an expression keeps the limits on its size: functions of it recurse.
    fn is_small(&self) -> bool {
        let (mut open, mut count) = (vec![(self, 0)], 0);
        while let Some((expression, depth)) = open.pop() {
            count += 1;
            if count > LARGEST || depth > DEEPEST {
                return false;
            }
            if let Expression::List(parts) = expression {
                open.extend(parts.iter().map(|part| (part, depth + 1)));
            }
        }
        true
    }

    /// The sort without abbreviations, given the definitions of these: parameters, and the sort that is meant. `None` if that is too
    /// large.
    pub(crate) fn expanded(&self, definitions: &Abbreviations) -> Option<Expression> {
        let mut room = LARGEST;
        self.expanded_within(definitions, &mut room, 0)
    }

    fn expanded_within(
        &self,
        definitions: &Abbreviations,
        room: &mut usize,
        depth: usize,
    ) -> Option<Expression> {
        *room = room.checked_sub(1).filter(|_| depth <= DEEPEST)?;
        let (name, arguments) = match self {
            Expression::List(parts) => match &parts[..] {
                [Expression::Atom(name), arguments @ ..] => (Some(name), arguments),
                _ => (None, &[][..]),
            },
            Expression::Atom(name) => (Some(name), &[][..]),
            Expression::Variable(_) => (None, &[][..]),
        };
        if let Some((parameters, meant)) = name.and_then(|name| definitions.get(name))
            && parameters.len() == arguments.len()
        {
            let bindings = parameters.iter().cloned().zip(arguments.iter().cloned()).collect();
            return meant.with(&bindings)?.expanded_within(definitions, room, depth + 1);
        }
        match self {
            Expression::List(parts) => {
                let parts: Option<Arc<[Expression]>> =
                    parts.iter().map(|part| part.expanded_within(definitions, room, depth + 1)).collect();
                // A relation is a set of tuples, with any number of columns.
                Some(match (name.map(|name| &**name), &parts?[..]) {
                    (Some("Relation"), [_, columns @ ..]) => {
                        let tuple = std::iter::once(Expression::atom("Tuple")).chain(columns.iter().cloned());
                        Expression::list([Expression::atom("Set"), Expression::list(tuple)])
                    }
                    (_, parts) => Expression::List(parts.into()),
                })
            }
            _ => Some(self.clone()),
        }
    }
}

/// Defined names of sorts, with their parameters and the sorts that are meant.
pub(crate) type Abbreviations = FxHashMap<Arc<str>, (Vec<Arc<str>>, Expression)>;

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Variable(name) | Expression::Atom(name) => f.write_str(name),
            Expression::List(parts) => {
                f.write_str("(")?;
                for (number, part) in parts.iter().enumerate() {
                    let space = if number > 0 { " " } else { "" };
                    write!(f, "{space}{part}")?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Expression {
        let is_variable = |name: &str| matches!(name, "E" | "F");
        Expression::read(&Tree::read(text).expect("parentheses match"), 0, &is_variable).expect("it is small")
    }

    #[test]
    fn patterns_bind_their_variables() {
        let mut bindings = Bindings::default();
        assert!(read("(Array E (Set F))").fits(&read("(Array Int (Set (_ BitVec 4)))"), &mut bindings));
        assert_eq!(read("(Set (Tuple E F))").filled(&bindings), Some(read("(Set (Tuple Int (_ BitVec 4)))")));
        assert!(!read("(Array E E)").fits(&read("(Array Int Bool)"), &mut Bindings::default()));
        assert_eq!(read("(Set E)").filled(&Bindings::default()), None);
        assert!(!read("Int").fits(&read("(Set Int)"), &mut Bindings::default()));
    }

    #[test]
    fn abbreviations_are_expanded_as_long_as_that_is_small() {
        let pair = (vec!["E".into()], read("(Array E E)"));
        let mut definitions = Abbreviations::from_iter([("Pair".into(), pair)]);
        let expanded = read("(Set (Pair Int))").expanded(&definitions);
        assert_eq!(expanded, Some(read("(Set (Array Int Int))")));
        let own = (vec!["E".into()], read("(Array (Pair E) (Pair E))"));
        definitions.insert("Pair".into(), own);
        assert_eq!(read("(Pair Int)").expanded(&definitions), None);
    }

    #[test]
    fn deep_expressions_are_not_read() {
        let deep = format!("{}x{}", "(".repeat(1000), ")".repeat(1000));
        assert_eq!(Expression::read(&Tree::read(&deep).expect("they match"), 0, &|_| false), None);
    }
}

//! Following the text of a script, with the variables that are bound at each place.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::declared::Declared;
use super::expression::{Bindings, Expression};
use super::operators::known;
use super::sorting::{Application, Place};
use super::{PieceKind, Tree};

/// The kind of the place of an expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Role {
    Command,
    Term,
    /// A list of terms.
    Terms,
    /// The bindings of a `let`, and one of them.
    Bindings,
    Binding,
    /// The variables of a quantifier or a definition with their sorts, and one of them.
    Parameters,
    Parameter,
    /// The cases of a `match`, one of them, and its pattern.
    Cases,
    Case,
    Pattern,
    Other,
}

/// A part of a list.
struct Part {
    start: usize,
    sort: Option<Expression>,
    is_open: bool,
    is_numeral: bool,
}

/// A list that is not closed yet.
struct List {
    start: usize,
    role: Role,
    parts: Vec<Part>,
    /// Variables that the list binds in the list around it once it is closed.
    binds: Vec<(Arc<str>, Option<Expression>)>,
    /// The number of variables that were bound around it.
    bound_before: usize,
}

/// Follows the text of a tree.
pub(super) struct Reader<'t> {
    tree: &'t Tree,
    pub(super) declared: Declared,
    pub(super) places: Vec<Place>,
    /// The sort of each expression, by the position of its first piece.
    pub(super) sorts: Vec<Option<Expression>>,
    lists: Vec<List>,
    /// Bound variables with their sorts, the innermost last.
    variables: FxHashMap<Arc<str>, Vec<Option<Expression>>>,
    /// The names of these, the innermost last.
    bound: Vec<Arc<str>>,
    declarations: usize,
}

impl Reader<'_> {
    /// Follows all of a tree.
    pub(super) fn follow(tree: &Tree) -> Reader<'_> {
        let mut reader = Reader {
            tree,
            declared: Declared::of(tree),
            places: Vec::new(),
            sorts: vec![None; tree.pieces.len()],
            lists: Vec::new(),
            variables: FxHashMap::default(),
            bound: Vec::new(),
            declarations: 0,
        };
        for (position, piece) in tree.pieces.iter().enumerate() {
            match &piece.kind {
                PieceKind::Open => reader.open(position),
                PieceKind::Close => reader.close(),
                PieceKind::Atom(text) => reader.atom(position, text),
            }
        }
        reader
    }

    fn open(&mut self, start: usize) {
        let role = self.lists.last().map_or(Role::Command, |list| self.role_in(list));
        let bound_before = self.bound.len();
        self.lists.push(List { start, role, parts: Vec::new(), binds: Vec::new(), bound_before });
    }

    /// The role of the next part of a list.
    fn role_in(&self, list: &List) -> Role {
        let number = list.parts.len();
        let head = self.tree.atom(list.start + 1).unwrap_or_default();
        match (list.role, number) {
            (Role::Command, 1) => match head {
                "assert" | "assert-soft" | "assume" | "constraint" | "minimize" | "maximize" => Role::Term,
                "check-sat-assuming" => Role::Terms,
                _ => Role::Other,
            },
            (Role::Command, 2) if matches!(head, "define-fun" | "define-fun-rec") => Role::Parameters,
            (Role::Command, 3) if head == "define-const" => Role::Term,
            (Role::Command, 4) if matches!(head, "define-fun" | "define-fun-rec") => Role::Term,
            (Role::Term, 0) => Role::Other,
            (Role::Term, _) => match (head, number) {
                ("let", 1) => Role::Bindings,
                ("forall" | "exists" | "lambda" | "set.comprehension", 1) => Role::Parameters,
                ("match", 2) => Role::Cases,
                ("!", 2..) | ("_" | "as", _) => Role::Other,
                _ => Role::Term,
            },
            (Role::Terms, _) | (Role::Binding | Role::Case, 1) => Role::Term,
            (Role::Bindings, _) => Role::Binding,
            (Role::Parameters, _) => Role::Parameter,
            (Role::Cases, _) => Role::Case,
            (Role::Case, 0) => Role::Pattern,
            _ => Role::Other,
        }
    }

    fn atom(&mut self, start: usize, text: &Arc<str>) {
        let Some(list) = self.lists.last() else { return };
        let role = self.role_in(list);
        let bound = self.variables.get(text).and_then(|sorts| sorts.last());
        let (sort, is_open) = match bound {
            Some(sort) => (sort.clone(), true),
            None if role == Role::Other => (None, false),
            None => (self.sort_of_atom(text), false),
        };
        if role == Role::Pattern && !self.declared.classes.has(text) {
            self.bind(vec![(Arc::clone(text), None)]);
        }
        let is_numeral = text.starts_with(|first: char| first.is_ascii_digit()) && !text.contains('.');
        self.add(role, Part { start, sort, is_open, is_numeral }, None);
    }

    fn sort_of_atom(&self, text: &str) -> Option<Expression> {
        let first = text.chars().next()?;
        let indexed = |name: &str, width: usize| {
            Expression::list(["_", name, &width.to_string()].map(Expression::atom))
        };
        match first {
            '0'..='9' if text.contains('.') => Some(Expression::atom("Real")),
            '0'..='9' => Some(Expression::atom("Int")),
            '"' => Some(Expression::atom("String")),
            '#' => {
                let digits = text.len().saturating_sub(2);
                Some(indexed("BitVec", if text.starts_with("#x") { 4 * digits } else { digits }))
            }
            _ => {
                let own = self.declared.classes.of(text).next();
                let class = own.or_else(|| known().of(text).find(|class| class.arguments.is_empty()))?;
                // A function alone is a term of higher order.
                let parts = class.arguments.iter().chain([&class.result]).cloned();
                match class.arguments.is_empty() {
                    true => class.result.filled(&Bindings::default()),
                    false => Expression::list(std::iter::once(Expression::atom("->")).chain(parts))
                        .filled(&Bindings::default()),
                }
            }
        }
    }

    /// Binds variables in the innermost list.
    fn bind(&mut self, variables: Vec<(Arc<str>, Option<Expression>)>) {
        for (name, sort) in variables {
            self.variables.entry(Arc::clone(&name)).or_default().push(sort);
            self.bound.push(name);
        }
    }

    fn close(&mut self) {
        let Some(list) = self.lists.pop() else { return };
        let has_been_bound = self.bound.len() > list.bound_before;
        for name in self.bound.drain(list.bound_before..) {
            if let Some(sorts) = self.variables.get_mut(&name) {
                sorts.pop();
                if sorts.is_empty() {
                    self.variables.remove(&name);
                }
            }
        }
        let is_open = has_been_bound || list.parts.iter().any(|part| part.is_open);
        let name_of = |part: &Part| self.tree.atom(part.start).map(Arc::<str>::from);
        let first = list.parts.first();
        match list.role {
            Role::Command => {
                let name = first.and_then(|part| self.tree.atom(part.start)).unwrap_or_default();
                let is_declaration =
                    ["declare", "define", "push", "pop", "reset"].iter().any(|it| name.starts_with(it));
                self.declarations += usize::from(is_declaration);
                return;
            }
            Role::Binding | Role::Parameter => {
                let sort = match (list.role, list.parts.get(1)) {
                    (Role::Binding, Some(part)) => part.sort.clone(),
                    (_, Some(part)) => self.declared.sort_at(self.tree, part.start),
                    _ => None,
                };
                let name = first.and_then(name_of);
                if let Some(around) = self.lists.last_mut() {
                    around.binds.extend(name.map(|name| (name, sort)));
                }
            }
            Role::Bindings | Role::Parameters => self.bind(list.binds),
            Role::Pattern => {
                let names = list.parts.iter().skip(1).filter_map(name_of);
                self.bind(names.map(|name| (name, None)).collect());
            }
            _ => {}
        }
        let (sort, application) = match list.role {
            Role::Term => self.of_list(&list.parts),
            // The head of an application may say of which sort it is.
            Role::Other => (self.annotated(&list.parts), None),
            Role::Case => (list.parts.get(1).and_then(|part| part.sort.clone()), None),
            Role::Cases => (first.and_then(|part| part.sort.clone()), None),
            _ => (None, None),
        };
        let part = Part { start: list.start, sort, is_open, is_numeral: false };
        self.add(list.role, part, application);
    }

    /// Adds a part to the list around it.
    fn add(&mut self, role: Role, part: Part, application: Option<Application>) {
        self.sorts[part.start].clone_from(&part.sort);
        if role == Role::Term {
            self.places.push(Place {
                start: part.start,
                sort: part.sort.clone(),
                is_open: part.is_open,
                declarations: self.declarations,
                application,
            });
        }
        if let Some(list) = self.lists.last_mut() {
            list.parts.push(part);
        }
    }

    /// The sort of `(as term sort)`.
    fn annotated(&self, parts: &[Part]) -> Option<Expression> {
        match parts {
            [head, _, sort] if self.tree.atom(head.start) == Some("as") => {
                self.declared.sort_at(self.tree, sort.start)
            }
            _ => None,
        }
    }

    /// The sort of a list that is a term, and the application that it is, if it is one.
    fn of_list(&self, parts: &[Part]) -> (Option<Expression>, Option<Application>) {
        let Some((head, rest)) = parts.split_first() else { return (None, None) };
        let operator = match self.tree.atom(head.start) {
            Some(name) => name.to_string(),
            // A head that is nested deeply is none that a table has.
            None => Expression::read(self.tree, head.start, &|_| false)
                .map_or_else(String::new, |it| it.to_string()),
        };
        let last = || rest.last().and_then(|part| part.sort.clone());
        match &*operator {
            "let" | "match" => return (last(), None),
            "!" => return (rest.first().and_then(|part| part.sort.clone()), None),
            "forall" | "exists" => return (Some(Expression::atom("Bool")), None),
            "as" => return (self.annotated(parts), None),
            "_" => return (self.of_indexed(parts), None),
            "lambda" | "set.comprehension" => return (None, None),
            _ => {}
        }
        let sorts: Vec<Option<Expression>> = rest.iter().map(|part| part.sort.clone()).collect();
        let sort = head.sort.clone().filter(|_| operator.starts_with("(as "));
        let sort = sort.or_else(|| self.result(&operator, &sorts)).or_else(|| {
            // In place of a real, there may be an integer.
            let without = |part: &Part| part.sort.clone().filter(|_| !part.is_numeral);
            self.result(&operator, &rest.iter().map(without).collect::<Vec<_>>())
        });
        let sort = sort.or_else(|| self.applied(head, rest.len()));
        (sort, Some(Application { operator, arguments: sorts }))
    }

    /// The sort of the result of an operator.
    fn result(&self, operator: &str, sorts: &[Option<Expression>]) -> Option<Expression> {
        let own = self.declared.classes.of(operator);
        let mut classes = own.chain(known().of(operator));
        classes.find_map(|class| class.result.filled(&class.bindings(sorts)?))
    }

    /// The sort of the application of a function that is a constant or a variable.
    fn applied(&self, head: &Part, count: usize) -> Option<Expression> {
        let text = self.tree.atom(head.start)?;
        let sort = head.sort.clone().or_else(|| self.sort_of_atom(text))?;
        let Expression::List(parts) = &sort else { return None };
        let is_function = parts.first() == Some(&Expression::atom("->")) && parts.len() > count + 1;
        match parts.get(count + 1..)? {
            _ if !is_function => None,
            [result] => Some(result.clone()),
            rest => Some(Expression::list([parts[0].clone()].into_iter().chain(rest.iter().cloned()))),
        }
    }

    /// The sort of an indexed term, such as `(_ bv3 8)`.
    fn of_indexed(&self, parts: &[Part]) -> Option<Expression> {
        let whole = Expression::list(
            parts
                .iter()
                .map(|part| Expression::read(self.tree, part.start, &|_| false))
                .collect::<Option<Vec<_>>>()?,
        );
        if let [_, name, width] = parts
            && let Some(number) = self.tree.atom(name.start)?.strip_prefix("bv")
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            return Some(Expression::list(
                ["_", "BitVec", self.tree.atom(width.start)?].map(Expression::atom),
            ));
        }
        known().iter().filter(|class| class.arguments.is_empty()).find_map(|class| {
            class.operators.iter().find_map(|operator| {
                let mut bindings = Bindings::default();
                operator.fits(&whole, &mut bindings).then(|| class.result.filled(&bindings)).flatten()
            })
        })
    }
}

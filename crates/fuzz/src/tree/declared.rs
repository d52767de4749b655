//! The symbols that a script declares and defines, with their sorts.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Tree;
use super::expression::{Abbreviations, Expression};
use super::operators::{Class, Classes};

/// The declared symbols of a script.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// Functions, constructors, selectors and testers.
    pub(crate) classes: Classes,
    abbreviations: Abbreviations,
    /// Constants by their sorts, in the order of the script.
    constants: FxHashMap<Expression, Vec<Arc<str>>>,
    /// Symbols that scripts may call by other names.
    names: Vec<Arc<str>>,
}

impl Declared {
    /// The symbols of a tree; what is not written as it should be is left out.
    pub(crate) fn of(tree: &Tree) -> Declared {
        let mut declared = Declared::default();
        for start in tree.commands() {
            // The reducer leaves parts out.
            let _ = declared.add_command(tree, start);
        }
        declared
    }

    /// The sort that stands at a position.
    pub(crate) fn sort_at(&self, tree: &Tree, start: usize) -> Option<Expression> {
        self.sort_with(tree, start, &[])
    }

    fn sort_with(&self, tree: &Tree, start: usize, parameters: &[Arc<str>]) -> Option<Expression> {
        let is_parameter = |name: &str| parameters.iter().any(|parameter| &**parameter == name);
        Expression::read(tree, start, &is_parameter)?.expanded(&self.abbreviations)
    }

    /// The declared constants of a sort.
    pub(crate) fn constants(&self, sort: &Expression) -> &[Arc<str>] {
        self.constants.get(sort).map_or(&[], Vec::as_slice)
    }

    /// Declared and defined symbols, in the order of the script.
    pub(crate) fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    fn add_command(&mut self, tree: &Tree, start: usize) -> Option<()> {
        let parts = tree.parts(start);
        let is_declared = tree.command_name(start)?.starts_with("declare");
        match (tree.command_name(start)?, parts.len()) {
            ("declare-const" | "declare-var" | "define-const", 3..) => {
                self.add_function(tree, parts[1], &[], self.sort_at(tree, parts[2])?, is_declared)
            }
            ("declare-fun", 4..) => {
                let arguments = self.sorts_at(tree, &tree.parts(parts[2]), &[])?;
                self.add_function(tree, parts[1], &arguments, self.sort_at(tree, parts[3])?, true)
            }
            ("define-fun" | "define-fun-rec" | "synth-fun", 4..) => {
                self.add_definition(tree, parts[1], parts[2], parts[3])
            }
            ("define-funs-rec", 2..) => {
                for head in tree.parts(parts[1]) {
                    let [name, parameters, result, ..] = tree.parts(head)[..] else { continue };
                    self.add_definition(tree, name, parameters, result);
                }
                Some(())
            }
            ("declare-heap", 2..) => {
                let [location, data] = self.sorts_at(tree, &tree.parts(parts[1]), &[])?.try_into().ok()?;
                let nil =
                    Expression::list([Expression::atom("as"), Expression::atom("sep.nil"), location.clone()]);
                self.add_class(vec![nil], Vec::new(), location.clone());
                self.add_class(vec![Expression::atom("pto")], vec![location, data], Expression::atom("Bool"));
                Some(())
            }
            ("define-sort", 4..) => {
                let parameters: Vec<Arc<str>> = tree
                    .parts(parts[2])
                    .into_iter()
                    .filter_map(|part| Some(tree.atom(part)?.into()))
                    .collect();
                let meant = self.sort_with(tree, parts[3], &parameters)?;
                self.abbreviations.insert(tree.atom(parts[1])?.into(), (parameters, meant));
                Some(())
            }
            ("declare-datatype" | "declare-codatatype", 3..) => {
                self.add_datatype(tree, tree.atom(parts[1])?, parts[2])
            }
            ("declare-datatypes" | "declare-codatatypes", 3..) => {
                let (names, bodies) = (tree.parts(parts[1]), tree.parts(parts[2]));
                for (name, body) in names.into_iter().zip(bodies) {
                    let name = tree.parts(name).first().and_then(|&first| tree.atom(first));
                    name.and_then(|name| self.add_datatype(tree, name, body));
                }
                Some(())
            }
            _ => None,
        }
    }

    fn sorts_at(&self, tree: &Tree, places: &[usize], parameters: &[Arc<str>]) -> Option<Vec<Expression>> {
        places.iter().map(|&place| self.sort_with(tree, place, parameters)).collect()
    }

    fn add_definition(&mut self, tree: &Tree, name: usize, parameters: usize, result: usize) -> Option<()> {
        let sorts: Option<Vec<usize>> =
            tree.parts(parameters).into_iter().map(|part| tree.parts(part).get(1).copied()).collect();
        let arguments = self.sorts_at(tree, &sorts?, &[])?;
        self.add_function(tree, name, &arguments, self.sort_at(tree, result)?, false)
    }

    fn add_function(
        &mut self,
        tree: &Tree,
        name: usize,
        arguments: &[Expression],
        result: Expression,
        is_declared: bool,
    ) -> Option<()> {
        let name: Arc<str> = tree.atom(name)?.into();
        if is_declared && arguments.is_empty() {
            self.constants.entry(result.clone()).or_default().push(Arc::clone(&name));
        }
        self.names.push(Arc::clone(&name));
        self.add_class(vec![Expression::Atom(name)], arguments.to_vec(), result);
        Some(())
    }

    fn add_class(&mut self, operators: Vec<Expression>, arguments: Vec<Expression>, result: Expression) {
        self.classes.add(Class { arguments, is_open_ended: false, result, operators, dialect: None });
    }

    /// Adds constructors, selectors and testers, given the list of the constructors, which may have parameters in front.
    fn add_datatype(&mut self, tree: &Tree, name: &str, body: usize) -> Option<()> {
        let parts = tree.parts(body);
        let is_parametric = parts.first().and_then(|&first| tree.atom(first)) == Some("par");
        let (parameters, constructors): (Vec<Arc<str>>, _) = match (is_parametric, &parts[..]) {
            (true, [_, parameters, constructors, ..]) => {
                let names = tree.parts(*parameters).into_iter();
                (names.filter_map(|name| Some(tree.atom(name)?.into())).collect(), tree.parts(*constructors))
            }
            _ => (Vec::new(), parts),
        };
        let own = match parameters.is_empty() {
            true => Expression::atom(name),
            false => {
                let variables = parameters.iter().cloned().map(Expression::Variable);
                Expression::list(std::iter::once(Expression::atom(name)).chain(variables))
            }
        };
        let mut testers = Vec::new();
        for constructor in constructors {
            let parts = tree.parts(constructor);
            // A constructor without selectors may stand without parentheses.
            let (name, selectors) = match parts[..] {
                [] => (tree.atom(constructor)?, &[][..]),
                [name, ref selectors @ ..] => (tree.atom(name)?, selectors),
            };
            let mut arguments = Vec::new();
            for &selector in selectors {
                let [selector, sort] = tree.parts(selector)[..] else { return None };
                let sort = self.sort_with(tree, sort, &parameters)?;
                let selector = Expression::atom(tree.atom(selector)?);
                self.add_class(vec![selector], vec![own.clone()], sort.clone());
                arguments.push(sort);
            }
            testers.push(Expression::list(["_", "is", name].map(Expression::atom)));
            let constructor = Expression::atom(name);
            // The name alone does not say of which sort a term of a datatype with parameters is.
            let operator = match (parameters.is_empty(), arguments.is_empty()) {
                (false, true) => Expression::list([Expression::atom("as"), constructor, own.clone()]),
                _ => constructor,
            };
            self.add_class(vec![operator], arguments, own.clone());
        }
        self.add_class(testers, vec![own], Expression::atom("Bool"));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_say_what_sorts_symbols_have() {
        let text = "(define-sort Numbers (T) (Array T Int)) (declare-fun f (Int (Numbers Bool)) (Set Int))
            (declare-const x (Numbers Int)) (define-fun g ((y Int)) Bool (= y 0))
            (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
            (declare-datatype Colour ((red) (mixed (with Colour)))) (declare-heap (Int Colour))";
        let declared = Declared::of(&Tree::read(text).expect("parentheses match"));
        let shown = |operator: &str| {
            let class = declared.classes.of(operator).next().expect(operator);
            let arguments: Vec<String> = class.arguments.iter().map(Expression::to_string).collect();
            format!("{} -> {}", arguments.join(" "), class.result)
        };
        assert_eq!(shown("f"), "Int (Array Bool Int) -> (Set Int)");
        assert_eq!(shown("g"), "Int -> Bool");
        assert_eq!(shown("cons"), "T (List T) -> (List T)");
        assert_eq!(shown("(as nil (List T))"), " -> (List T)");
        assert_eq!(shown("pto"), "Int Colour -> Bool");
        assert_eq!(shown("(_ is mixed)"), "Colour -> Bool");
        let array = Expression::list(["Array", "Int", "Int"].map(Expression::atom));
        assert_eq!(declared.constants(&array), ["x".into()]);
    }
}

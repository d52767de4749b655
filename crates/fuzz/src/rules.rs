//! Rules by which an atom is approximated: replaced by one that it implies, or that implies it.
//!
//! They are written in SMT-LIB, in `rules.smt2`, and read for each sort that is met: a rule over bit-vectors is
//! another pair of terms for each width. Applying a rule is substitution.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use sundry_external::{Response, responses};
use sundry_smtlib::{Language, Parser, SourceText};
use sundry_term::{Model, Op, Sort, SortDisplay, SortId, TermId, TermStore, Value, evaluate, substitute};

const TEXT: &str = include_str!("rules.smt2");
/// How often a literal is tried in the place of `a` until the condition of a rule holds.
const ATTEMPTS: usize = 50;

/// Whether what takes the place of a literal is implied by it, or implies it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// It is implied: what was satisfiable stays so.
    Over,
    /// It implies: what was unsatisfiable stays so.
    Under,
}

impl Direction {
    /// The direction below a negation.
    pub fn dual(self) -> Direction {
        match self {
            Direction::Over => Direction::Under,
            Direction::Under => Direction::Over,
        }
    }
}

/// A rule over one sort: terms over `x`, `y` and `a`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// What the formula is of the atom; none where both are the same.
    pub direction: Option<Direction>,
    /// The literal: an operator on `x` and `y`, or the negation of that.
    pub literal: TermId,
    /// What takes its place.
    pub formula: TermId,
    /// What has to hold of `a`.
    pub condition: Option<TermId>,
}

/// The rules over one sort.
#[derive(Debug)]
pub struct Rules {
    /// The terms of `x`, `y` and `a`.
    variables: [TermId; 3],
    rules: Vec<Rule>,
}

/// The rules of all sorts that were asked for.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    by_sort: FxHashMap<SortId, Option<Arc<Rules>>>,
}

/// The name under which the rules of a sort stand.
fn theory_of(sort: &Sort) -> Option<&'static str> {
    match sort {
        Sort::Int | Sort::Real => Some("numbers"),
        Sort::BitVec(_) => Some("bit-vectors"),
        Sort::Float(_) => Some("floating-point"),
        Sort::String => Some("strings"),
        _ => None,
    }
}

/// What stands between the parentheses of an expression, in parts.
fn parts(expression: &str) -> Vec<&str> {
    let inside = expression.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(expression);
    let text = |response| match response {
        Response::Word(text) | Response::Expression(text) | Response::String(text) => text,
        Response::Error(text) | Response::Unfinished(text) => panic!("no rule: {text}"),
    };
    responses(inside).into_iter().map(text).collect()
}

impl Rules {
    /// The rules over a sort, if there are any.
    ///
    /// # Panics
    /// Never: the text of the rules is part of the program and tested.
    fn of_sort(store: &mut TermStore, sort: SortId) -> Option<Rules> {
        let theory = theory_of(store.sort(sort))?;
        let groups: Vec<Vec<&str>> = responses(TEXT)
            .into_iter()
            .map(|response| match response {
                Response::Expression(group) => parts(group),
                other => panic!("no group of rules: {other:?}"),
            })
            .collect();
        let group = groups.into_iter().find(|group| group[0] == theory).expect("every theory has rules");
        let mut parser = Parser::new(store, Language::All);
        let sort = SortDisplay::new(store, sort).to_string();
        let declarations: String =
            ["x", "y", "a"].map(|name| format!("(declare-const {name} {sort})")).concat();
        let declarations = SourceText::new("rules", declarations);
        while parser.next_command(store, &declarations).expect("legal declarations").is_some() {}
        let symbols = parser.declared_symbols().to_vec();
        let variables = [0, 1, 2].map(|number| store.symbol_term(symbols[number]));
        let mut read = |text: &str| {
            let source = SourceText::new("rules", text);
            parser.parse_term(store, &source).unwrap_or_else(|error| panic!("{}", error.render(&source)))
        };
        let rules = group[1..]
            .iter()
            .map(|rule| {
                let parts = parts(rule);
                let direction = match parts[0] {
                    "over" => Some(Direction::Over),
                    "under" => Some(Direction::Under),
                    "same" => None,
                    other => panic!("no rule is '{other}'"),
                };
                let (literal, formula) = (read(parts[1]), read(parts[2]));
                Rule { direction, literal, formula, condition: parts.get(3).map(|text| read(text)) }
            })
            .collect();
        Some(Rules { variables, rules })
    }

    /// All rules.
    pub fn all(&self) -> &[Rule] {
        &self.rules
    }

    /// The rules for a literal: an application of an operator to two arguments, or the negation of one.
    pub fn for_literal(&self, store: &TermStore, literal: TermId) -> impl Iterator<Item = &Rule> {
        let head = head(store, literal);
        self.rules.iter().filter(move |rule| self::head(store, rule.literal) == head)
    }

    /// What a rule makes of a literal; none where no literal was found for which its condition holds.
    pub fn apply(
        &self,
        store: &mut TermStore,
        rule: &Rule,
        literal: TermId,
        mut constant: impl FnMut(&mut TermStore) -> TermId,
    ) -> Option<TermId> {
        let [x, y, a] = self.variables;
        let &[left, right] = store.args(atom(store, literal)) else { return None };
        for _ in 0..ATTEMPTS {
            let chosen = constant(store);
            let holds = match rule.condition {
                None => true,
                Some(condition) => {
                    let condition =
                        substitute(store, condition, &FxHashMap::from_iter([(a, chosen)])).ok()?;
                    evaluate(store, &Model::new(), condition) == Ok(Value::Bool(true))
                }
            };
            if holds {
                let replacements = FxHashMap::from_iter([(x, left), (y, right), (a, chosen)]);
                return substitute(store, rule.formula, &replacements).ok();
            }
        }
        None
    }
}

impl RuleBook {
    /// The rules over a sort, if there are any.
    pub fn of_sort(&mut self, store: &mut TermStore, sort: SortId) -> Option<Arc<Rules>> {
        self.by_sort.entry(sort).or_insert_with(|| Rules::of_sort(store, sort).map(Arc::new)).clone()
    }
}

/// The atom of a literal.
pub(crate) fn atom(store: &TermStore, literal: TermId) -> TermId {
    if store.op(literal) == Op::Not { store.args(literal)[0] } else { literal }
}

/// Whether a literal is negated, and the operator of its atom.
fn head(store: &TermStore, literal: TermId) -> (bool, Op) {
    (store.op(literal) == Op::Not, store.op(atom(store, literal)))
}

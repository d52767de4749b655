//! Rules of predicate symbol transformation (PST): an atom is replaced by one that it implies, or that implies it.
//!
//! The rules are written in SMT-LIB, in `rules.smt2`, and read for each sort that occurs: a rule over bit-vectors is
//! another pair of terms for each width. Applying a rule is substitution.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use sundry_term::{Op, Sort, SortId, TermId, TermStore, substitute};

use crate::mutate::template::{Template, literals_for, read_groups};

const TEXT: &str = include_str!("rules.smt2");

/// Whether a literal implies its replacement, or the replacement implies the literal.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// The atom implies the formula: a satisfiable formula stays satisfiable.
    Over,
    /// The formula implies the atom: an unsatisfiable formula stays unsatisfiable.
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
    /// The direction from the atom to the formula; `None` if both are equivalent.
    pub direction: Option<Direction>,
    /// The literal: an operator on `x` and `y`, or the negation of that.
    pub literal: TermId,
    /// The replacement of the atom.
    pub formula: TermId,
    /// The condition on `a`.
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

impl Rules {
    /// The rules over a sort, if there are any.
    fn of_sort(store: &mut TermStore, sort: SortId) -> Option<Rules> {
        let theory = theory_of(store.sort(sort))?;
        let variables = ["x", "y", "a"].map(|name| (name, sort));
        let (variables, templates) = read_groups(store, TEXT, &[theory], variables);
        let rule = |Template { word, terms }| {
            let direction = match word.as_str() {
                "over" => Some(Direction::Over),
                "under" => Some(Direction::Under),
                "same" => None,
                other => panic!("no rule is '{other}'"),
            };
            Rule { direction, literal: terms[0], formula: terms[1], condition: terms.get(2).copied() }
        };
        let rules = templates.into_iter().map(rule).collect();
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

    /// The result of a rule for a literal; `None` if no literal was found that satisfies its condition.
    pub fn apply(
        &self,
        store: &mut TermStore,
        rule: &Rule,
        literal: TermId,
        constant: impl FnMut(&mut TermStore) -> TermId,
    ) -> Option<TermId> {
        let [x, y, a] = self.variables;
        let &[left, right] = store.args(atom(store, literal)) else { return None };
        let mut replacements = literals_for(store, &[a], rule.condition, constant)?;
        replacements.extend([(x, left), (y, right)]);
        substitute(store, rule.formula, &replacements).ok()
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

//! Fusion functions, written in SMT-LIB, in `functions.smt2`, and read for each sort that is met.

use sundry_term::{Sort, SortId, TermId, TermStore};

use crate::mutate::template::{Template, read_groups};

const TEXT: &str = include_str!("functions.smt2");

/// A fusion function, which makes a variable z of x and y, and its inversions, which make x and y of z: terms over x,
/// y, z and literals.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FusionFunction {
    /// z, of x and y.
    pub value: TermId,
    /// x, of y and z (or of x and z); and y, of x and z (or of y and z).
    pub inversions: [TermId; 2],
    /// The condition on the literals.
    pub condition: Option<TermId>,
    /// Whether the inversions are x and y for all values of these.
    pub is_exact: bool,
}

/// The functions for one sort.
pub(super) struct Functions {
    /// The terms of `x`, `y` and `z`.
    pub(super) variables: [TermId; 3],
    /// The terms in whose place literals stand.
    pub(super) literals: [TermId; 3],
    /// The sort of these literals.
    pub(super) sort_of_literals: SortId,
    pub(super) all: Vec<FusionFunction>,
}

/// The names under which functions for a sort stand: those that keep arithmetic linear, and others.
fn groups_of(store: &TermStore, sort: SortId) -> &'static [&'static str] {
    match *store.sort(sort) {
        Sort::Int => &["integers", "integers-with-products"],
        Sort::Real => &["reals", "reals-with-products"],
        Sort::Bool => &["truth-values"],
        Sort::BitVec(_) => &["bit-vectors"],
        Sort::Float(_) => &["floating-point"],
        Sort::String => &["strings"],
        Sort::Sequence(element) if has_literals(store, element) => &["sequences"],
        Sort::Array { index, element } if has_literals(store, index) && is_predefined(store, element) => {
            &["arrays"]
        }
        _ => &[],
    }
}

fn has_literals(store: &TermStore, sort: SortId) -> bool {
    matches!(
        store.sort(sort),
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Float(_) | Sort::String
    )
}

/// Whether no part of a sort was declared.
fn is_predefined(store: &TermStore, sort: SortId) -> bool {
    let mut open = vec![sort];
    while let Some(sort) = open.pop() {
        let sort = store.sort(sort);
        if matches!(sort, Sort::Uninterpreted { .. } | Sort::Datatype { .. }) {
            return false;
        }
        open.extend(sort.parts());
    }
    true
}

pub(super) fn has_functions(store: &TermStore, sort: SortId) -> bool {
    !groups_of(store, sort).is_empty()
}

/// The fusion functions for a sort, over constants `x`, `y`, `z` and `a`, `b`, `c`; none for sorts that cannot be
/// fused.
pub fn fusion_functions(store: &mut TermStore, sort: SortId) -> Vec<FusionFunction> {
    Functions::of_sort(store, sort, true).all
}

impl Functions {
    /// The functions for a sort, with products of unknowns or without.
    pub(super) fn of_sort(store: &mut TermStore, sort: SortId, with_products: bool) -> Functions {
        let groups = groups_of(store, sort);
        let groups = if with_products { groups } else { &groups[..groups.len().min(1)] };
        let sort_of_literals = store.array_parts(sort).map_or(sort, |(index, _)| index);
        let [x, y, z] = ["x", "y", "z"].map(|name| (name, sort));
        let [a, b, c] = ["a", "b", "c"].map(|name| (name, sort_of_literals));
        let ([x, y, z, a, b, c], templates) = read_groups(store, TEXT, groups, [x, y, z, a, b, c]);
        let function = |Template { word, terms }| FusionFunction {
            value: terms[0],
            inversions: [terms[1], terms[2]],
            condition: terms.get(3).copied(),
            is_exact: match word.as_str() {
                "always" => true,
                "sometimes" => false,
                other => panic!("no function is '{other}'"),
            },
        };
        let all = templates.into_iter().map(function).collect();
        Functions { variables: [x, y, z], literals: [a, b, c], sort_of_literals, all }
    }
}

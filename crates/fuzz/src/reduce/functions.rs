//! Functions without some of their arguments.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use sundry_term::{Op, SymbolId, SymbolKind, TermId, TermStore};

use super::search::Proposal;
use super::shape::in_order;
use super::subject::Subject;

/// Scripts in which a function has lost an argument: one for each argument of each.
pub(super) fn with_fewer_arguments<'s>(store: &mut TermStore, subject: &'s Subject) -> Vec<Proposal<'s>> {
    let terms = Rc::new(in_order(store, &subject.roots()));
    let mut functions = BTreeSet::new();
    for &term in terms.iter() {
        if let Op::Apply(symbol) = store.op(term)
            && store.symbol(symbol).kind == SymbolKind::Declared
        {
            functions.insert(symbol);
        }
    }
    let mut proposals: Vec<Proposal<'s>> = Vec::new();
    for function in functions {
        for removed in 0..store.symbol(function).arguments.len() {
            let terms = Rc::clone(&terms);
            proposals
                .push(Box::new(move |store| without_argument(store, subject, &terms, function, removed)));
        }
    }
    proposals
}

fn without_argument(
    store: &mut TermStore,
    subject: &Subject,
    terms: &[TermId],
    function: SymbolId,
    removed: usize,
) -> Option<Subject> {
    let old = store.symbol(function).clone();
    let mut sorts = old.arguments.to_vec();
    sorts.remove(removed);
    let new = store.declare(&old.name, &sorts, old.result);
    let mut results: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &term in terms {
        let mut arguments: Vec<TermId> = store.args(term).iter().map(|argument| results[argument]).collect();
        let op = match store.op(term) {
            Op::Apply(symbol) if symbol == function => {
                arguments.remove(removed);
                Op::Apply(new)
            }
            op => op,
        };
        let is_same = op == store.op(term) && arguments == store.args(term);
        results.insert(term, if is_same { term } else { store.term(op, &arguments).ok()? });
    }
    subject.mapped(&mut |term| results.get(&term).copied())
}

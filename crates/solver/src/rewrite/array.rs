//! Arrays: reading over writing.

use sundry_term::{Op, TermId};

use super::context::Context;
use super::equality::known;
use super::linear::differ_by_constant;

/// Writes that one read looks through, at most.
const MAXIMAL_CHAIN: usize = 64;

/// Whether two indices are equal, as far as it shows.
fn same_index(context: &Context<'_>, left: TermId, right: TermId) -> Option<bool> {
    known(context, left, right).or_else(|| differ_by_constant(context, left, right).then_some(false))
}

/// The result of reading an array at an index.
enum Read {
    /// The read gives this element.
    Element(TermId),
    /// The read gives what the same read of this array gives, which is below the one asked for, or that one itself.
    Array(TermId),
}

/// Looks through writes at indices that are known to be equal or different.
fn read(context: &Context<'_>, array: TermId, index: TermId) -> Read {
    let mut array = array;
    for _ in 0..MAXIMAL_CHAIN {
        match context.op(array) {
            Op::ConstArray(_) => return Read::Element(context.argument(array, 0)),
            Op::Store => match same_index(context, context.argument(array, 1), index) {
                Some(true) => return Read::Element(context.argument(array, 2)),
                Some(false) => array = context.argument(array, 0),
                None => break,
            },
            _ => break,
        }
    }
    Read::Array(array)
}

/// `select (store a i v) i` → `v`, `select (store a j v) i` → `select a i` where i and j differ,
/// `select (const v) i` → `v`
pub(super) fn select(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[array, index] = arguments else { return None };
    match read(context, array, index) {
        Read::Element(element) => Some(element),
        Read::Array(below) => (below != array).then(|| context.build(Op::Select, &[below, index])),
    }
}

/// `select (ite c a b) i` → `ite c (select a i) (select b i)` where one of the reads is an element
pub(super) fn select_ite(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[array, index] = arguments else { return None };
    let (condition, yes, no) = context.ite_of(array)?;
    let is_element = |array| matches!(read(context, array, index), Read::Element(_));
    if !is_element(yes) && !is_element(no) {
        return None;
    }
    let (yes, no) = (context.build(Op::Select, &[yes, index]), context.build(Op::Select, &[no, index]));
    Some(context.ite(condition, yes, no))
}

/// `store (store a i v) i w` → `store a i w`
pub(super) fn store_again(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[array, index, element] = arguments else { return None };
    let (below, written) = match context.arguments_of(Op::Store, array)? {
        &[below, written, _] => (below, written),
        _ => return None,
    };
    (written == index).then(|| context.build(Op::Store, &[below, index, element]))
}

/// `store a i (select a i)` → `a`, also where the read looks through writes; `store (const v) i v` → `const v`
pub(super) fn store_same(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[array, index, element] = arguments else { return None };
    let unchanged = match read(context, array, index) {
        Read::Element(there) => there == element,
        Read::Array(below) => context.pair_of(Op::Select, element) == Some((below, index)),
    };
    unchanged.then_some(array)
}

/// `= (store a i v) a` → `= (select a i) v`, `= (store a i v) (store a i w)` → `= v w`,
/// `= (const v) (const w)` → `= v w`
pub(super) fn equal(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    if let (Op::ConstArray(_), Op::ConstArray(_)) = (context.op(left), context.op(right)) {
        let (left, right) = (context.argument(left, 0), context.argument(right, 0));
        return Some(context.equal(left, right));
    }
    if let (Some(&[a, i, v]), Some(&[b, j, w])) =
        (context.arguments_of(Op::Store, left), context.arguments_of(Op::Store, right))
        && (a, i) == (b, j)
    {
        return Some(context.equal(v, w));
    }
    for (written, array) in [(left, right), (right, left)] {
        if let Some(&[below, index, element]) = context.arguments_of(Op::Store, written)
            && below == array
        {
            let there = context.build(Op::Select, &[array, index]);
            return Some(context.equal(there, element));
        }
    }
    None
}

//! Operators under which equal members cancel in pairs: exclusive or, and equality of truth values.

use sundry_term::{Op, TermId};

use super::context::{Context, Terms};

/// The number of members of nested operators that are looked at, for one term.
const MAXIMAL_MEMBERS: usize = 16;

/// The members of nested operators of one kind that occur an odd number of times, and whether any member occurs more than
/// once.
pub(super) fn odd_members(context: &Context<'_>, op: Op, roots: &[TermId]) -> (Terms, bool) {
    let mut members = Terms::new();
    let mut open = Terms::from_slice(roots);
    while let Some(term) = open.pop() {
        let nested = context.op(term) == op && context.store.args(term).len() == 2;
        // Equality of other sorts than Bool is not a parity.
        let nested = nested && (op != Op::Equal || context.is_bool(context.argument(term, 0)));
        if nested && members.len() + open.len() < MAXIMAL_MEMBERS {
            open.extend_from_slice(context.store.args(term));
        } else {
            members.push(term);
        }
    }
    members.sort_unstable_by_key(|&member| context.rank(member));
    let mut odd = Terms::new();
    for &member in &members {
        if odd.last() == Some(&member) {
            odd.pop();
        } else {
            odd.push(member);
        }
    }
    let cancelled = odd.len() < members.len();
    (odd, cancelled)
}

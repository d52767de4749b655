//! The rules of two levels: what a conjunction becomes for what its operands are made of.
//!
//! Building a circuit is mostly trying these rules, so they are inlined where they are tried, although that is in another file.

use crate::edge::Edge;

/// The state of rewriting a conjunction's operands.
pub(super) enum Step {
    Done(Edge),
    Again(Edge, Edge),
    Irreducible,
}

/// Rules in which one operand's operands meet the other operand itself.
#[inline]
pub(super) fn rewrite_asymmetric(inner: Edge, (first, second): (Edge, Edge), other: Edge) -> Step {
    if !inner.is_complemented() {
        if first == !other || second == !other {
            return Step::Done(Edge::FALSE);
        }
        if first == other || second == other {
            return Step::Done(inner);
        }
    } else {
        if first == !other || second == !other {
            return Step::Done(other);
        }
        if second == other {
            return Step::Again(!first, other);
        }
        if first == other {
            return Step::Again(!second, other);
        }
    }
    Step::Irreducible
}

/// Rules in which the operands of both operands meet.
#[inline]
pub(super) fn rewrite_symmetric(
    left: Edge,
    of_left: (Edge, Edge),
    right: Edge,
    of_right: (Edge, Edge),
) -> Step {
    let (l, r) = ([of_left.0, of_left.1], [of_right.0, of_right.1]);
    match (left.is_complemented(), right.is_complemented()) {
        (false, false) => {
            if l.iter().any(|&edge| r.contains(&!edge)) {
                return Step::Done(Edge::FALSE);
            }
            // A shared operand is taken once.
            for (position, edge) in r.iter().enumerate() {
                if l.contains(edge) {
                    return Step::Again(left, r[1 - position]);
                }
            }
        }
        (true, false) => return rewrite_mixed(l, right, r),
        (false, true) => return rewrite_mixed(r, left, l),
        (true, true) => {
            for (i, edge) in l.iter().enumerate() {
                for (j, other) in r.iter().enumerate() {
                    // Resolution: ¬(e ∧ x) ∧ ¬(e ∧ ¬x) is ¬e.
                    if edge == other && l[1 - i] == !r[1 - j] {
                        return Step::Done(!*edge);
                    }
                }
            }
        }
    }
    Step::Irreducible
}

/// A complemented conjunction of `negative` with the plain conjunction `plain` of `positive`.
#[inline]
fn rewrite_mixed(negative: [Edge; 2], plain: Edge, positive: [Edge; 2]) -> Step {
    if negative.iter().any(|&edge| positive.contains(&!edge)) {
        return Step::Done(plain);
    }
    for (position, edge) in negative.iter().enumerate() {
        if positive.contains(edge) {
            return Step::Again(!negative[1 - position], plain);
        }
    }
    Step::Irreducible
}

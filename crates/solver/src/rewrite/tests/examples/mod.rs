//! Examples for each rule: terms that it rewrites, and terms that it leaves alone.

mod arithmetic;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod equality;
mod float;
mod wiring;

use crate::rewrite::Rule;

/// Examples of one rule, in the notation of [`notation`](super::notation).
#[derive(Copy, Clone)]
pub(super) struct Example {
    pub(super) rule: Rule,
    /// Widths that the examples are tried and proved at.
    pub(super) widths: &'static [u32],
    /// Terms before and after.
    pub(super) fires: &'static [(&'static str, &'static str)],
    /// Near misses.
    pub(super) silent: &'static [&'static str],
}

/// Widths of one machine word at most, odd ones, and more than a word.
const WIDTHS: &[u32] = &[5, 8, 70];

/// Widths where solvers add several times.
const MEDIUM: &[u32] = &[5, 8, 13];

/// Widths where solvers multiply or divide.
const SMALL: &[u32] = &[4, 5];

/// Examples at the usual widths.
const fn example(
    rule: Rule,
    fires: &'static [(&'static str, &'static str)],
    silent: &'static [&'static str],
) -> Example {
    Example { rule, widths: WIDTHS, fires, silent }
}

/// Examples at medium widths.
const fn medium(
    rule: Rule,
    fires: &'static [(&'static str, &'static str)],
    silent: &'static [&'static str],
) -> Example {
    Example { rule, widths: MEDIUM, fires, silent }
}

/// Examples at small widths.
const fn small(
    rule: Rule,
    fires: &'static [(&'static str, &'static str)],
    silent: &'static [&'static str],
) -> Example {
    Example { rule, widths: SMALL, fires, silent }
}

/// Examples without words.
const fn once(
    rule: Rule,
    fires: &'static [(&'static str, &'static str)],
    silent: &'static [&'static str],
) -> Example {
    Example { rule, widths: &[5], fires, silent }
}

/// Examples of all rules.
pub(super) fn all() -> impl Iterator<Item = Example> {
    [
        boolean::EXAMPLES,
        equality::EXAMPLES,
        bitwise::EXAMPLES,
        wiring::EXAMPLES,
        arithmetic::EXAMPLES,
        compare::EXAMPLES,
        array::EXAMPLES,
        float::EXAMPLES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

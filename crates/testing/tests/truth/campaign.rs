//! The size of a campaign: a slice unless the environment asks for more.

use std::ops::Range;

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// The seeds of a campaign: `slice` many unless the environment asks for another number, of which
/// this campaign takes a `share`-th part.
pub fn seeds(slice: u64, share: u64) -> Range<u64> {
    let first = variable("SUNDRY_FIRST_SEED").unwrap_or(0);
    let count = variable("SUNDRY_FORMULAS").map_or(slice, |whole| whole.div_ceil(share));
    first..first + count
}

//! Quick drawing: decisions try random values, in random order.

use rand_chacha::ChaCha8Rng;
use sundry_solver::{NamedOption, SatOptions};
use sundry_term::Model;

use super::cell::Cell;
use super::space::Space;
use crate::strategy::StopReason;

/// Options under which all decisions are made in random order: CaDiCaL then has sequences of random decisions, of which
/// the first begins after two conflicts and never ends.
pub(crate) fn sat_options(seed: u64) -> SatOptions {
    let random = [
        ("randec", 1),
        ("randecstable", 1),
        ("randecfocused", 1),
        ("randecinit", 2),
        ("randecint", 0),
        ("randeclength", 1_000_000_000),
    ];
    // Without such an option there is less randomness, but nothing wrong.
    let others = random.into_iter().filter_map(|(name, value)| NamedOption::new(name, value).ok()).collect();
    SatOptions { seed: (seed % (1 << 30)) as u32, others, ..SatOptions::for_many_calls() }
}

/// Formulas that are never in conflict would be decided in the solver's own order for ever.
pub(crate) fn prepare(space: &mut Space<'_>) -> Result<(), StopReason> {
    Cell::provoke_conflicts(space)
}

/// Draws one solution.
pub(crate) fn draw(space: &mut Space<'_>, random: &mut ChaCha8Rng) -> Result<Option<Model>, StopReason> {
    space.prefer_randomly(random);
    Ok(space.solve(&[])?.then(|| space.model(random)))
}

//! Quick drawing: decisions try random values, in random order.

use rand_chacha::ChaCha8Rng;
use sundry_solver::SatOptions;
use sundry_term::Model;

use super::space::Space;
use crate::strategy::StopReason;

/// Options under which decisions are made in random order.
pub(crate) fn sat_options(seed: u64) -> SatOptions {
    SatOptions { seed: (seed % (1 << 30)) as u32, ..SatOptions::for_many_calls() }
}

/// One solution.
pub(crate) fn draw(space: &mut Space<'_>, random: &mut ChaCha8Rng) -> Result<Option<Model>, StopReason> {
    space.prefer_randomly(random);
    Ok(space.solve(&[])?.then(|| space.model(random)))
}

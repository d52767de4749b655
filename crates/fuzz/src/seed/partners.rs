//! Other seeds, with which one is fused.

use std::io;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_smtlib::{Formula, TheorySet, parse_script_within};
use sundry_term::{Control, TermId, TermStore};

use crate::mutate::fusion::{Fusion, renamed_apart};
use crate::seed::Partners;
use crate::seed::status::{SeedModel, SeedStatus};

/// The maximal number of seeds that are looked at.
const LOOKED_AT: usize = 24;
/// The maximal number of seeds about which solvers are asked.
const ASKED_ABOUT: usize = 6;
/// The maximal number of partners that are taken.
const TAKEN: usize = 3;

/// Fusions of a seed with others of its status. Models of these are added to that of the seed; `known` determines the
/// status of a formula.
///
/// # Errors
/// The errors of `known`.
pub(crate) fn fusions(
    store: &mut TermStore,
    seed: &[TermId],
    status: &mut SeedStatus,
    partners: &dyn Partners,
    random: &mut ChaCha8Rng,
    control: &Control,
    mut known: impl FnMut(&mut TermStore, &Formula) -> io::Result<Option<SeedStatus>>,
) -> io::Result<Vec<Fusion>> {
    let (mut fusions, mut asked) = (Vec::new(), 0);
    for _ in 0..LOOKED_AT {
        if fusions.len() == TAKEN || asked == ASKED_ABOUT {
            break;
        }
        let number = random.random_range(0..partners.count().max(1));
        let Some(source) = partners.read(number, control) else { continue };
        let Ok(script) = parse_script_within(store, &source, TheorySet::ALL, control) else { continue };
        let partner = script.formula();
        let Some(assertions) = renamed_apart(store, seed, &partner.assertions) else { continue };
        let Some(fusion) = Fusion::new(store, seed, &assertions, status.verdict) else { continue };
        let formula = Formula { logic: partner.logic, ..Formula::of_assertions(store, assertions) };
        asked += 1;
        let Some(theirs) = known(store, &formula)?.filter(|theirs| theirs.verdict == status.verdict) else {
            continue;
        };
        if let (Some(own), Some(theirs)) = (&mut status.model, theirs.model) {
            add(own, &theirs);
        }
        fusions.push(fusion);
    }
    Ok(fusions)
}

/// Adds the values of other symbols in another model.
fn add(own: &mut SeedModel, other: &SeedModel) {
    for (symbol, value) in other.model.constants() {
        own.model.set_constant(symbol, value.clone());
    }
    for (symbol, value) in other.model.functions() {
        own.model.set_function(symbol, value.clone());
    }
}

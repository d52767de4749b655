//! New assertions for an input.

use rand::Rng;
use rand::seq::IndexedRandom;
use rustc_hash::FxHashMap;
use sundry_fuzz::{Snippets, Vocabulary};
use sundry_term::{TermId, TermStore};

use crate::breed::names::Names;
use crate::breed::transplant::Transplant;
use crate::generate::material::Material;
use crate::generate::random::random_input;
use crate::generate::strings::StringShape;
use crate::individual::Individual;

/// A random assertion: over what occurs, or, as often, of an input of this logic that is made up, if that fits.
pub(crate) fn random_assertion(
    store: &mut TermStore,
    assertions: &[TermId],
    logic: Option<&str>,
    random: &mut impl Rng,
) -> TermId {
    let logic = logic.filter(|_| random.random());
    let generated = logic.and_then(|logic| generated(store, assertions, logic, random));
    generated.unwrap_or_else(|| snippets(store, assertions).formula(store, random))
}

/// A source of random assertions over the variables, literals, small terms and operators of these. Larger terms are not copied
/// into new assertions, which would double an input again and again.
pub(crate) fn snippets(store: &mut TermStore, assertions: &[TermId]) -> Snippets {
    let vocabulary = Vocabulary::of(store, assertions).with_small_terms(store).with_common_operators();
    Snippets::new(store, vocabulary)
}

/// An assertion of an input that is made up like those of a first generation, over the same variables as far as names and sorts
/// agree. A population would otherwise have no operators, shapes and literals but those that it began with. Nothing if the logic
/// is not known, or a name means something else in the input.
fn generated(
    store: &mut TermStore,
    assertions: &[TermId],
    logic: &str,
    random: &mut impl Rng,
) -> Option<TermId> {
    let mut nursery = TermStore::new();
    let material = Material::of_logic(&mut nursery, logic).ok()?;
    let input = match StringShape::ALL.choose(random).filter(|_| material.has_strings()) {
        Some(shape) => shape.input(&mut nursery, &material, random)?,
        None => random_input(&mut nursery, &material, random),
    };
    let chosen = Individual { assertions: vec![*input.assertions.choose(random)?] };
    let moved = Transplant::new(&nursery, store).individual(&chosen).ok()?;
    Names::of(store, assertions).settle(store, moved.assertions[0], &mut FxHashMap::default())
}

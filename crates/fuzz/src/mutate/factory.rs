//! The generators of the mutants of a seed, for each method of a campaign.

use std::io;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_external::{Features, Respondent};
use sundry_smtlib::Formula;
use sundry_term::{TermId, TermStore};

use crate::ask::question::inquiry;
use crate::campaign::{Context, MutationMethod};
use crate::mutate::approximate::Approximator;
use crate::mutate::fusion::Fusion;
use crate::mutate::generator::{Approximation, Fusions, Generator};
use crate::mutate::model_guided::ModelGuided;
use crate::mutate::operators::OperatorMutator;
use crate::mutate::stream::Source;
use crate::mutate::vocabulary::{Vocabulary, guests};
use crate::seed::partners::fusions;
use crate::seed::status::{SeedStatus, pairs};

/// Streams of random numbers for the generators of one seed.
pub(crate) struct Streams {
    /// Seed of all random choices.
    pub(crate) seed: u64,
    /// The first of them; others follow.
    pub(crate) first: u64,
}

impl Streams {
    /// The random stream of a method, by its position among all of them, and of one of its generators.
    fn of(&self, method: usize, generator: usize) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(self.first.wrapping_add((method * GENERATORS + generator) as u64));
        random
    }
}

/// Generators of one method, at most.
const GENERATORS: usize = 2;

/// The generators of a seed. The known status and models of the seed grow by models of others that it is fused with.
///
/// # Errors
/// A solver cannot be started, or a script cannot be written.
pub(crate) fn generators(
    context: Context<'_>,
    store: &mut TermStore,
    seed: &[TermId],
    known: &mut SeedStatus,
    streams: &Streams,
) -> io::Result<Vec<Source>> {
    let mut sources = Vec::new();
    let solvers = context.campaign.solvers;
    let base = context.campaign.settings.approximation_base;
    for (number, &method) in context.campaign.settings.methods.iter().enumerate() {
        let mut random = streams.of(number, 0);
        let mut generators: Vec<Box<dyn Generator>> = Vec::new();
        match method {
            MutationMethod::Approximation(strategy) => {
                for vocabulary in vocabularies(store, seed, solvers, &mut random) {
                    let approximator = Approximator::new(vocabulary, strategy);
                    generators.push(Box::new(Approximation::new(approximator, base)));
                }
            }
            MutationMethod::Model => {
                let Some(known) = &known.model else { continue };
                for vocabulary in vocabularies(store, seed, solvers, &mut random) {
                    let guided = ModelGuided::new(store, vocabulary, &known.model, &mut random);
                    generators.push(Box::new(guided));
                }
            }
            MutationMethod::Operators if context.campaign.references.is_empty() => {}
            MutationMethod::Operators => generators.push(Box::<OperatorMutator>::default()),
            MutationMethod::Fusion => {
                let fusions = with_partners(context, store, seed, known, &mut random)?;
                if !fusions.is_empty() {
                    generators.push(Box::new(Fusions(fusions)));
                }
            }
        }
        // The first generator continues with the random numbers that it was made with.
        let others = (1..GENERATORS).map(|generator| streams.of(number, generator));
        let streams = std::iter::once(random).chain(others);
        let source =
            |(generator, random)| Source { strategy: method.name(), cost: method.cost(), generator, random };
        sources.extend(generators.into_iter().zip(streams).map(source));
    }
    Ok(sources)
}

/// The vocabularies of new terms: every solver knows the operators of one half of the mutants, while the other half
/// has further theories that some solver under test knows.
fn vocabularies(
    store: &mut TermStore,
    seed: &[TermId],
    solvers: &[Arc<dyn Respondent>],
    random: &mut ChaCha8Rng,
) -> [Vocabulary; 2] {
    let vocabulary = Vocabulary::of(store, seed);
    let mut guests = guests(store);
    guests.retain(|&sort| {
        let needs = Features::of_sort(store, sort);
        solvers.iter().any(|solver| solver.capabilities().reads(needs))
    });
    [vocabulary.clone().with_common_operators(), vocabulary.with_guests(&guests, random)]
}

/// Fusions with others, of which the references say whether they are satisfiable.
fn with_partners(
    context: Context<'_>,
    store: &mut TermStore,
    seed: &[TermId],
    known: &mut SeedStatus,
    random: &mut ChaCha8Rng,
) -> io::Result<Vec<Fusion>> {
    let Context { campaign, asker, .. } = context;
    let deciding = if campaign.references.is_empty() { campaign.solvers } else { campaign.references };
    let ask = |store: &mut TermStore, formula: &Formula| {
        let replies = asker.ask_all(deciding, &inquiry(store, formula, true))?;
        Ok(SeedStatus::of_replies(store, formula, pairs(deciding, &replies), asker.control))
    };
    fusions(store, seed, known, campaign.partners, random, asker.control, ask)
}

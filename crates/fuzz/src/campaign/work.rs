//! The work on one seed, whatever is known of it.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sundry_external::{SolverOption, Verdict};
use tracing::info_span;

use crate::campaign::journal::SeedPosition;
use crate::campaign::ledger::Ledger;
use crate::campaign::novelty::Novelty;
use crate::campaign::repeats::Repeats;
use crate::campaign::seed_run::SeedRun;
use crate::campaign::tally::Tally;
use crate::campaign::tree_run::TreeRun;
use crate::campaign::{Campaign, Context, Settings};
use crate::seed::{Content, Seed};

/// The effort of solvers after which a turn ends, so that seeds with slow mutants get no more time than others.
const LONG_TURN: Duration = Duration::from_secs(1);

/// The reason for which a seed has no mutants.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// The status of the seed is unknown, or a mutant has refuted the answers of the solvers.
    Unknown,
    /// Simplification decides it.
    Trivial,
    /// No solver under test decides the seed correctly.
    Undecided,
    /// No method makes mutants of the seed.
    Barren,
}

/// The work on one seed: its status, and its mutants.
pub trait SeedWork: Send {
    /// The status of the seed; `None` if it is unknown or solvers disagree.
    fn status(&self) -> Option<Verdict>;

    /// The reason for which there are no mutants, if there are none.
    fn left_out(&self, settings: &Settings) -> Option<LeftOut>;

    /// The record of the work.
    fn ledger(&self) -> &Ledger;

    /// The record of the work, to be changed.
    fn ledger_mut(&mut self) -> &mut Ledger;

    /// The solvers under test that do not decide the seed, with the reason.
    fn undecided(&self) -> &BTreeMap<String, String> {
        &self.ledger().undecided
    }

    /// Whether the seed has something that Sundry does not know.
    fn is_tree(&self) -> bool {
        false
    }

    /// Whether all mutants were made, or none can be made, or no solver can be asked about them.
    fn is_over(&self, settings: &Settings) -> bool {
        self.left_out(settings).is_some() || self.last() >= settings.mutants
    }

    /// The number of the last mutant.
    fn last(&self) -> usize;

    /// The effort, with that of earlier turns in the tally, at which a turn that begins now ends.
    fn end_of_turn(&self) -> Duration {
        self.ledger().tally.effort + LONG_TURN
    }

    /// Whether a turn that [ends](Self::end_of_turn) at this effort ends before the next mutant, also because nothing is left or the
    /// campaign is interrupted.
    fn ends_turn(&self, context: Context<'_>, end: Duration) -> bool {
        self.is_over(context.campaign.settings)
            || context.asker.interrupted.load(Ordering::Relaxed)
            || self.ledger().tally.effort >= end
    }

    /// Makes up to `count` mutants, fewer where these take long, and puts them to the solvers under test.
    ///
    /// # Errors
    /// A solver cannot be started, or a script not be written.
    fn advance(&mut self, context: Context<'_>, count: usize) -> io::Result<()>;

    /// The options that the solvers under test get for a mutant, in their order.
    fn options_for(&self, context: Context<'_>, mutant: usize) -> Vec<Vec<SolverOption>> {
        let Campaign { solvers, settings, .. } = context.campaign;
        let names = solvers.iter().map(|solver| solver.name());
        settings.options.draw((settings.seed, self.ledger().hash, mutant), names)
    }

    /// The work since the tally was last taken.
    fn tally(&mut self) -> &mut Tally {
        &mut self.ledger_mut().tally
    }

    /// The findings so far. Together with the number of the last mutant and the [novelty](Self::novelty), they are [the
    /// state to continue from](Self::go_on_from).
    fn seen(&self) -> &Repeats {
        &self.ledger().seen
    }

    /// The mutants that brought something new so far.
    fn novelty(&self) -> &Novelty {
        &self.ledger().novelty
    }

    /// Sets which mutants brought something new in a campaign, so that the same mutants are made again.
    fn set_novelty(&mut self, novelty: Novelty) {
        self.ledger_mut().novelty = novelty;
    }

    /// Continues after a mutant, given the findings up to it.
    fn go_on_from(&mut self, position: &SeedPosition, settings: &Settings) {
        self.set_novelty(position.novelty.clone());
        self.skip_to(position.mutant, settings);
        self.ledger_mut().seen = position.seen.clone();
    }

    /// Makes mutants without asking anybody, up to this number, as a campaign did in which [these](Self::set_novelty) brought
    /// something new. The script of the last one, if it could be made.
    fn skip_to(&mut self, number: usize, settings: &Settings) -> Option<String>;
}

/// Determines whether a seed is satisfiable, and judges the answers of the solvers under test to it.
///
/// # Errors
/// A solver cannot be started, or a script not be written.
pub fn begin_seed(context: Context<'_>, seed: Seed) -> io::Result<Box<dyn SeedWork>> {
    let _span = info_span!("seed", name = ?seed.name).entered();
    let Seed { name, text, content } = seed;
    Ok(match content {
        Content::Terms(terms) => Box::new(SeedRun::begin(context, name, &text, *terms)?),
        Content::Tree(tree) => Box::new(TreeRun::begin(context, name, &text, tree)?),
    })
}

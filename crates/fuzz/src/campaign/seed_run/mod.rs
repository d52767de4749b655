//! The work on one seed: its status, its mutants, and the replies of solvers.

mod as_written;
mod culprit;
mod judge;
mod slow;

use std::hash::BuildHasher;
use std::io;
use std::sync::atomic::Ordering;

use rustc_hash::FxBuildHasher;
use sundry_external::{Fault, Reply, SolverOption, Verdict};
use sundry_smtlib::{Command, Formula};
use sundry_term::TermStore;
use tracing::{debug_span, info_span};

use crate::ask::allowance::{Allowance, limits_within};
use crate::ask::asker::Asker;
use crate::ask::question::Question;
use crate::campaign::journal::SeedPosition;
use crate::campaign::novelty::Novelty;
use crate::campaign::repeats::Repeats;
use crate::campaign::tally::Tally;
use crate::campaign::{Campaign, Context, Settings};
use crate::judge::finding::word;
use crate::mutate::approximate::split_chains;
use crate::mutate::factory::{Streams, generators};
use crate::mutate::simplify::decided;
use crate::mutate::stream::{MutantQuestion, MutantStream};
use crate::options::configured::Configured;
use crate::seed::Seed;
use crate::seed::status::SeedStatus;
use crate::seed::verbatim::Verbatim;

/// The replies of solvers, with the options that they got, to one question.
type Replies<'c> = Vec<(Configured<'c>, Reply)>;

/// The reason for which a seed has no mutants.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
pub struct SeedRun {
    /// The name of the seed.
    pub name: String,
    /// The work since the tally was last taken.
    pub tally: Tally,
    store: TermStore,
    formula: Formula,
    /// All that its script asks, if that is more than one plain question.
    whole: Option<Question>,
    /// The script as it is written, until it is judged.
    verbatim: Option<Verbatim>,
    known: Option<SeedStatus>,
    /// The status that a mutant has proved, against the answers of the solvers.
    refuted: Option<SeedStatus>,
    /// The soft assertions and objectives of the seed.
    objectives: Vec<Command>,
    /// The mutants, if there are any.
    mutants: Option<MutantStream>,
    /// Whether simplification decides it.
    is_trivial: bool,
    /// The time that each of the solvers under test may take for a mutant; `None` for solvers that do not decide the
    /// seed, or are wrong about it, because they would not show anything new on its mutants.
    allowances: Vec<Option<Allowance>>,
    /// The same for mutants that run with options: what a solver wastes with them does not count against it without.
    varied_allowances: Vec<Option<Allowance>>,
    /// A hash of the text of the seed.
    hash: u64,
    seen: Repeats,
    novelty: Novelty,
    /// Whether a finding could not be followed up to its end.
    is_cut_short: bool,
}

impl SeedRun {
    /// Determines whether a seed is satisfiable, and judges the answers of the solvers under test to it.
    ///
    /// # Errors
    /// A solver cannot be started, or a script not be written.
    pub fn begin(context: Context<'_>, seed: Seed) -> io::Result<SeedRun> {
        let _span = info_span!("seed", name = ?seed.name).entered();
        let Seed { name, text, mut store, formula, whole, verbatim, definitions, objectives } = seed;
        let settings = context.campaign.settings;
        let assertions = split_chains(&mut store, &formula.assertions);
        let hash = FxBuildHasher.hash_one(&text);
        let streams = Streams { seed: settings.seed, first: hash };
        let mut seed_run = SeedRun {
            name,
            tally: Tally::default(),
            is_trivial: decided(&mut store, &assertions).is_some(),
            store,
            formula,
            // With soft assertions and objectives it is asked about below.
            whole: whole.filter(|_| objectives.is_empty()),
            verbatim,
            known: None,
            refuted: None,
            objectives,
            mutants: None,
            allowances: Vec::new(),
            varied_allowances: Vec::new(),
            hash,
            seen: Repeats::default(),
            novelty: Novelty::default(),
            is_cut_short: false,
        };
        seed_run.judge_seed(context)?;
        seed_run.varied_allowances.clone_from(&seed_run.allowances);
        if !seed_run.is_over(settings)
            && let Some(known) = &mut seed_run.known
        {
            let store = &mut seed_run.store;
            let sources = generators(context, store, &assertions, known, &streams)?;
            let (objectives, forms) = (seed_run.objectives.clone(), settings.forms.clone());
            seed_run.mutants = Some(MutantStream::of(assertions, definitions, objectives, sources, forms));
        }
        Ok(seed_run)
    }

    /// The status of the seed; `None` if it is unknown or solvers disagree.
    pub fn status(&self) -> Option<Verdict> {
        self.known.as_ref().map(|known| known.verdict)
    }

    /// The reason for which there are no mutants, if there are none.
    pub fn left_out(&self, settings: &Settings) -> Option<LeftOut> {
        if self.known.is_none() {
            Some(LeftOut::Unknown)
        } else if settings.mutants == 0 {
            None
        } else if self.is_trivial {
            Some(LeftOut::Trivial)
        } else if self.allowances.iter().all(Option::is_none) {
            Some(LeftOut::Undecided)
        } else {
            self.mutants.as_ref().filter(|mutants| mutants.is_barren()).map(|_| LeftOut::Barren)
        }
    }

    /// Whether all mutants were made, or none can be made, or no solver can be asked about them.
    pub fn is_over(&self, settings: &Settings) -> bool {
        self.left_out(settings).is_some() || self.last() >= settings.mutants
    }

    /// The number of the last mutant.
    pub fn last(&self) -> usize {
        self.mutants.as_ref().map_or(0, MutantStream::last)
    }

    /// Makes up to `count` mutants and puts them to the solvers under test.
    ///
    /// # Errors
    /// A solver cannot be started, or a script not be written.
    pub fn advance(&mut self, context: Context<'_>, count: usize) -> io::Result<()> {
        let Context { campaign, asker, .. } = context;
        for _ in 0..count {
            if self.is_over(campaign.settings) || asker.interrupted.load(Ordering::Relaxed) {
                break;
            }
            let Some(mutant_question) = self.next_mutant(campaign.settings) else {
                self.mutants.iter_mut().for_each(|mutants| mutants.note(false));
                continue;
            };
            self.tally.mutants += 1;
            let Some(replies) = self.ask(context, &mutant_question)? else {
                // The mutant's turn comes another time.
                self.mutants.iter_mut().for_each(MutantStream::step_back);
                return Ok(());
            };
            for (solver, reply) in &replies {
                self.judge(context, &mutant_question, solver, reply)?;
                if self.is_refuted_by(asker, &mutant_question, solver, reply)? {
                    return self.judge_seed(context);
                }
            }
            if std::mem::take(&mut self.is_cut_short) {
                // Another run follows it up to the end.
                self.mutants.iter_mut().for_each(MutantStream::step_back);
                return Ok(());
            }
            // Options bring new replies whatever the mutant is, and may well make a solver slow.
            let is_plain = replies.iter().all(|(solver, _)| solver.options.is_empty());
            let replies: Vec<_> = replies.iter().map(|(solver, reply)| (solver.solver, reply)).collect();
            let is_new = is_plain && self.novelty.note(mutant_question.mutant.number, &replies);
            self.mutants.iter_mut().for_each(|mutants| mutants.note(is_new));
            if is_plain {
                self.note_slow_solvers(context, &mutant_question, &replies, &[])?;
            }
        }
        Ok(())
    }

    /// The replies of the solvers under test that decide the seed; `None` if the work was interrupted.
    fn ask<'c>(
        &mut self,
        context: Context<'c>,
        mutant_question: &MutantQuestion,
    ) -> io::Result<Option<Replies<'c>>> {
        let Context { campaign, asker, .. } = context;
        let MutantQuestion { mutant, question, .. } = mutant_question;
        let mut replies = Vec::new();
        let options = self.options_for(context, mutant.number);
        for (number, (solver, options)) in campaign.solvers.iter().zip(options).enumerate() {
            let allowances =
                if options.is_empty() { &mut self.allowances } else { &mut self.varied_allowances };
            let Some(allowance) = &mut allowances[number] else { continue };
            let limits = limits_within(asker.limits, allowance.next() * question.asked.len() as u32);
            let solver = Configured::new(&**solver, options);
            let reply = Asker { limits: &limits, ..asker }.ask(&solver, &question.inquiry)?;
            if reply.fault == Some(Fault::Interrupted) {
                return Ok(None);
            }
            allowance.note(&reply);
            self.tally.asking += reply.finished.wall;
            self.tally.note_reply(&solver, &reply, question.asked.len());
            replies.push((solver, reply));
        }
        self.tally.varied += usize::from(replies.iter().any(|(solver, _)| !solver.options.is_empty()));
        self.tally.replies += replies.len();
        self.tally.missing += replies.iter().filter(|(_, reply)| word(reply).is_err()).count();
        Ok(Some(replies))
    }

    /// The options that the solvers under test get for a mutant, in their order.
    pub fn options_for(&self, context: Context<'_>, mutant: usize) -> Vec<Vec<SolverOption>> {
        let Campaign { solvers, settings, .. } = context.campaign;
        let names = solvers.iter().map(|solver| solver.name());
        settings.options.draw((settings.seed, self.hash, mutant), names)
    }

    /// The findings so far. Together with the number of the last mutant and the [novelty](Self::novelty), they are [the
    /// state to continue from](Self::go_on_from).
    pub fn seen(&self) -> &Repeats {
        &self.seen
    }

    /// The mutants that brought something new so far.
    pub fn novelty(&self) -> &Novelty {
        &self.novelty
    }

    /// Sets which mutants brought something new in a campaign, so that the same mutants are made again.
    pub fn set_novelty(&mut self, novelty: Novelty) {
        self.novelty = novelty;
    }

    /// Continues after a mutant, given the findings up to it.
    pub fn go_on_from(&mut self, position: &SeedPosition, settings: &Settings) {
        self.novelty = position.novelty.clone();
        self.skip_to(position.mutant, settings);
        self.seen = position.seen.clone();
    }

    /// Makes mutants without asking anybody, up to this number, as a campaign did in which [these](Self::set_novelty) brought
    /// something new. The script of the last one, if it could be made.
    pub fn skip_to(&mut self, number: usize, settings: &Settings) -> Option<String> {
        let mut last = None;
        while self.last() < number && self.mutants.is_some() && self.left_out(settings).is_none() {
            last = self.next_mutant(settings);
            let is_new = self.novelty.is_from(self.last());
            self.mutants.iter_mut().for_each(|mutants| mutants.note(is_new));
        }
        last.map(|mutant_question| mutant_question.question.inquiry.text.into_string())
    }

    fn next_mutant(&mut self, settings: &Settings) -> Option<MutantQuestion> {
        let _span = debug_span!("mutate").entered();
        let verdict = self.status().unwrap_or(Verdict::Unknown);
        self.mutants.as_mut()?.next(&mut self.store, verdict, settings.changes)
    }
}

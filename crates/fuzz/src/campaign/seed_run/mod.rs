//! The work on one seed: its status, its mutants, and the replies of solvers.

mod as_written;
mod judge;

use std::io;

use sundry_external::{Inquiry, Reply, SharedProcesses, SolverOption, Verdict};
use sundry_smtlib::{Command, Formula};
use sundry_term::TermStore;
use tracing::debug_span;

use crate::ask::allowance::{Allowance, time_of};
use crate::ask::asker::Asker;
use crate::ask::question::Question;
use crate::campaign::ledger::Ledger;
use crate::campaign::tally::Tally;
use crate::campaign::work::{LeftOut, SeedWork};
use crate::campaign::{Context, Settings};
use crate::judge::finding::word;
use crate::mutate::approximate::split_chains;
use crate::mutate::factory::{Streams, generators};
use crate::mutate::shares::Outcome;
use crate::mutate::simplify::decided;
use crate::mutate::stream::{MutantQuestion, MutantStream};
use crate::options::configured::Configured;
use crate::seed::Terms;
use crate::seed::status::SeedStatus;
use crate::seed::verbatim::Verbatim;

/// The replies of solvers, with the options that they got, to one question.
pub(crate) type Replies<'c> = Vec<(Configured<'c>, Reply)>;

/// The work on one seed: its status, and its mutants.
pub(crate) struct SeedRun {
    ledger: Ledger,
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
}

impl SeedRun {
    /// Determines whether a seed is satisfiable, and judges the answers of the solvers under test to it.
    ///
    /// # Errors
    /// A solver cannot be started, or a script not be written.
    pub(crate) fn begin(context: Context<'_>, name: String, text: &str, terms: Terms) -> io::Result<SeedRun> {
        let Terms { mut store, formula, whole, verbatim, definitions, objectives } = terms;
        let settings = context.campaign.settings;
        let assertions = split_chains(&mut store, &formula.assertions);
        let ledger = Ledger::new(name, text);
        let streams = Streams { seed: settings.seed, first: ledger.hash };
        let mut seed_run = SeedRun {
            ledger,
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
        };
        seed_run.judge_seed(context)?;
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

    /// The replies of the solvers under test that decide the seed; `None` if the work was interrupted.
    fn ask<'c>(
        &mut self,
        context: Context<'c>,
        processes: Option<&SharedProcesses>,
        MutantQuestion { mutant, question, .. }: &MutantQuestion,
    ) -> io::Result<Option<Replies<'c>>> {
        let options = self.options_for(context, mutant.number);
        let strategy = self.mutants.as_ref().map_or("", MutantStream::strategy);
        let allowances = Allowances { plain: &mut self.allowances, varied: &mut self.varied_allowances };
        let (inquiry, count) = (&question.inquiry, question.asked.len());
        let tally = &mut self.ledger.tally;
        ask_tested(context, processes, (inquiry, count), strategy, options, allowances, tally)
    }

    fn next_mutant(&mut self, settings: &Settings) -> Option<MutantQuestion> {
        let _span = debug_span!("mutate").entered();
        let verdict = self.status().unwrap_or(Verdict::Unknown);
        self.mutants.as_mut()?.next(&mut self.store, verdict, settings.changes)
    }
}

impl SeedWork for SeedRun {
    fn status(&self) -> Option<Verdict> {
        self.known.as_ref().map(|known| known.verdict)
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn ledger_mut(&mut self) -> &mut Ledger {
        &mut self.ledger
    }

    fn left_out(&self, settings: &Settings) -> Option<LeftOut> {
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

    fn last(&self) -> usize {
        self.mutants.as_ref().map_or(0, MutantStream::last)
    }

    fn advance(&mut self, context: Context<'_>, count: usize) -> io::Result<()> {
        let Context { campaign, asker, .. } = context;
        let processes = context.shared_processes();
        let end = self.end_of_turn();
        for _ in 0..count {
            if self.ends_turn(context, end) {
                break;
            }
            let Some(mutant_question) = self.next_mutant(campaign.settings) else {
                self.mutants.iter_mut().for_each(|mutants| mutants.note(Outcome::default()));
                continue;
            };
            self.ledger.tally.mutants += 1;
            let Some(replies) = self.ask(context, processes.as_ref(), &mutant_question)? else {
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
            if std::mem::take(&mut self.ledger.is_cut_short) {
                // Another run follows it up to the end.
                self.mutants.iter_mut().for_each(MutantStream::step_back);
                return Ok(());
            }
            // Options bring new replies whatever the mutant is, and may well make a solver slow.
            let is_plain = replies.iter().all(|(solver, _)| solver.options.is_empty());
            let replies: Vec<_> = replies.iter().map(|(solver, reply)| (solver.solver, reply)).collect();
            let number = mutant_question.mutant.number;
            let mut outcome = Outcome::default();
            if is_plain {
                outcome = self.ledger.novelty.note(number, &replies, campaign.settings.time_classes);
                self.note_slow_solvers(context, number, &mutant_question.question, &replies, &[])?;
            }
            self.mutants.iter_mut().for_each(|mutants| mutants.note(outcome));
        }
        Ok(())
    }

    fn skip_to(&mut self, number: usize, settings: &Settings) -> Option<String> {
        let mut last = None;
        while self.last() < number && self.mutants.is_some() && self.left_out(settings).is_none() {
            last = self.next_mutant(settings);
            let outcome = self.ledger.novelty.outcome_of(self.last());
            self.mutants.iter_mut().for_each(|mutants| mutants.note(outcome));
        }
        last.map(|mutant_question| mutant_question.question.inquiry.text.into_string())
    }
}

/// The time that each of the solvers under test may take: without options, and with some.
pub(crate) struct Allowances<'a> {
    pub(crate) plain: &'a mut [Option<Allowance>],
    pub(crate) varied: &'a mut [Option<Allowance>],
}

/// Puts a script with a number of questions, made by a strategy, to the solvers under test that have an allowance, each with its options and
/// perhaps in a process that it shares with other scripts. `None` if
/// the work was interrupted.
///
/// # Errors
/// A solver cannot be started, or a script not be written.
pub(crate) fn ask_tested<'c>(
    context: Context<'c>,
    processes: Option<&SharedProcesses>,
    (inquiry, questions): (&Inquiry, usize),
    strategy: &'static str,
    options: Vec<Vec<SolverOption>>,
    allowances: Allowances<'_>,
    tally: &mut Tally,
) -> io::Result<Option<Replies<'c>>> {
    let campaign = context.campaign;
    let asker = Asker { processes, ..context.asker };
    // Options bring something new whatever the mutant is.
    let is_plain = options.iter().all(Vec::is_empty);
    let inquiry = &Inquiry { is_counted: is_plain, ..inquiry.clone() };
    let mut replies = Vec::new();
    for (number, (solver, options)) in campaign.solvers.iter().zip(options).enumerate() {
        let allowances = if options.is_empty() { &mut *allowances.plain } else { &mut *allowances.varied };
        let Some(allowance) = &mut allowances[number] else { continue };
        let solver = Configured::new(&**solver, options);
        let Some(reply) = asker.ask_within(allowance, &solver, inquiry, questions)? else { return Ok(None) };
        tally.asking += reply.finished.wall;
        tally.effort += time_of(&reply);
        tally.note_reply(&solver, &reply, questions);
        replies.push((solver, reply));
    }
    tally.varied += usize::from(replies.iter().any(|(solver, _)| !solver.options.is_empty()));
    tally.replies += replies.len();
    tally.missing += replies.iter().filter(|(_, reply)| word(reply).is_err()).count();
    tally.counted += replies.iter().filter(|(_, reply)| reply.executed.is_some()).count();
    if is_plain {
        tally.note_undecided(&replies);
    }
    let answers = tally.answers.entry(strategy).or_default();
    replies.iter().for_each(|(_, reply)| answers.note(reply));
    Ok(Some(replies))
}

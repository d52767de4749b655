//! The work on a seed with something that Sundry does not know: its mutants fit by their sorts alone, and solvers are compared with
//! one another.
//!
//! A solver that refuses the seed does not know its theories, and takes no part.

mod judge;

use std::io;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_external::{Reply, Respondent, SharedProcesses, Verdict};

use crate::ask::allowance::Allowance;
use crate::campaign::history::undecided;
use crate::campaign::ledger::Ledger;
use crate::campaign::seed_run::{Allowances, ask_tested};
use crate::campaign::work::{LeftOut, SeedWork};
use crate::campaign::{Context, MutationMethod, Settings};
use crate::judge::finding::word;
use crate::judge::tree::is_refused;
use crate::mutate::tree::{TreeMutant, TreeMutants};
use crate::options::configured::Configured;
use crate::seed::status;
use crate::seed::tree::{TreeQuestion, TreeSeed};

/// Replies with those who gave them.
type Votes<'c> = Vec<(&'c dyn Respondent, Reply)>;

/// The work on one seed of which Sundry knows the parentheses and some operators.
pub(crate) struct TreeRun {
    ledger: Ledger,
    seed: TreeSeed,
    known: Option<Verdict>,
    /// The mutants, if operators are to be exchanged and the seed is small enough.
    mutants: Option<TreeMutants>,
    /// The time that each of the solvers under test may take for a mutant; `None` for solvers that do not decide the seed, or are
    /// wrong about it.
    allowances: Vec<Option<Allowance>>,
    /// The same for mutants that run with options.
    varied_allowances: Vec<Option<Allowance>>,
    /// The same for the references.
    references: Vec<Option<Allowance>>,
}

impl TreeRun {
    /// Judges the answers of the solvers under test to a seed.
    ///
    /// # Errors
    /// A solver cannot be started, or a script not be written.
    pub(crate) fn begin(
        context: Context<'_>,
        name: String,
        text: &str,
        seed: TreeSeed,
    ) -> io::Result<TreeRun> {
        let settings = context.campaign.settings;
        let ledger = Ledger::new(name, text);
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(ledger.hash);
        let makes_mutants = settings.methods.contains(&MutationMethod::Operators);
        let mut run = TreeRun {
            ledger,
            known: None,
            mutants: makes_mutants.then(|| TreeMutants::of(seed.tree.clone(), random)).flatten(),
            seed,
            allowances: Vec::new(),
            varied_allowances: Vec::new(),
            references: Vec::new(),
        };
        run.judge_seed(context)?;
        Ok(run)
    }

    /// Puts the seed to everybody, once as it stands, and once with a request for models to those who find it satisfiable.
    fn judge_seed(&mut self, context: Context<'_>) -> io::Result<()> {
        let Context { campaign, asker, .. } = context;
        let seed = TreeMutant { tree: self.seed.tree.clone(), ..TreeMutant::default() };
        let question = TreeQuestion::new(seed.tree.clone(), false);
        let tested = asker.ask_all(campaign.solvers, &question.inquiry)?;
        let words = asker.ask_all(campaign.references, &question.inquiry)?;
        let allowance = |reply: &Reply| (!is_refused(reply)).then(|| Allowance::new(reply));
        self.references = words.iter().map(allowance).collect();
        self.allowances =
            tested.iter().map(|reply| allowance(reply).filter(|_| word(reply).is_ok())).collect();
        self.ledger.undecided = undecided(status::pairs(campaign.solvers, &tested));
        let references = pairs(campaign.references, &words, &self.references);
        let everyone = pairs(campaign.solvers, &tested, &self.allowances);
        let replied: Vec<_> = status::pairs(campaign.solvers, &tested).collect();
        for &(solver, reply) in replied.iter().chain(&references) {
            self.ledger.tally.note_overruns(solver, reply, question.count);
        }
        let deciding = if references.is_empty() { &everyone } else { &references };
        let last = self.seed.recorded.last().copied().flatten();
        self.known = agreed(deciding.iter().map(|(_, reply)| *reply)).or(last);
        let others: Vec<_> = everyone.iter().chain(&references).copied().collect();
        for (number, (solver, reply)) in campaign.solvers.iter().zip(&tested).enumerate() {
            // What a solver says of a seed that it refuses is no defect, but a crash is.
            let solver = Configured::plain(&**solver);
            let mut is_right = self.judge(context, &seed, &question, &solver, reply, &others)?;
            let says_sat = reply.answers().iter().any(|answer| answer.verdict == Verdict::Sat);
            if is_right && says_sat {
                let with_models = TreeQuestion::new(seed.tree.clone(), true);
                let reply = asker.ask(&solver, &with_models.inquiry)?;
                is_right = self.judge(context, &seed, &with_models, &solver, &reply, &[])?;
            }
            if !is_right {
                // Its mutants would show the same defect again and again.
                self.allowances[number] = None;
            }
        }
        self.varied_allowances.clone_from(&self.allowances);
        // One that is slow takes no part in what follows.
        self.note_slow_solvers(context, &seed, &question, &replied, &references)
    }

    /// The replies of the references that know the seed, if a solver under test decides anything.
    fn ask_references<'c>(
        &mut self,
        context: Context<'c>,
        question: &TreeQuestion,
        tested: &[(Configured<'c>, Reply)],
    ) -> io::Result<Option<Votes<'c>>> {
        let Context { campaign, asker, .. } = context;
        let mut replies = Vec::new();
        if tested.iter().all(|(_, reply)| word(reply).is_err()) {
            return Ok(Some(replies));
        }
        for (reference, allowance) in campaign.references.iter().zip(&mut self.references) {
            let Some(allowance) = allowance else { continue };
            let reply = asker.ask_within(allowance, &**reference, &question.inquiry, question.count)?;
            let Some(reply) = reply else { return Ok(None) };
            replies.push((&**reference, reply));
        }
        Ok(Some(replies))
    }

    /// Puts a mutant to the solvers, and judges their replies. `None` if another run has to repeat it, else whether it brought
    /// something new.
    fn test(
        &mut self,
        context: Context<'_>,
        processes: Option<&SharedProcesses>,
        mutant: &TreeMutant,
    ) -> io::Result<Option<bool>> {
        let question = TreeQuestion::new(mutant.tree.clone(), mutant.wants_model);
        let asked = ask_tested(
            context,
            processes,
            (&question.inquiry, question.count),
            MutationMethod::Operators.name(),
            self.options_for(context, mutant.number),
            Allowances { plain: &mut self.allowances, varied: &mut self.varied_allowances },
            &mut self.ledger.tally,
        )?;
        let Some(tested) = asked else { return Ok(None) };
        let Some(words) = self.ask_references(context, &question, &tested)? else { return Ok(None) };
        let voices: Vec<(&dyn Respondent, &Reply)> =
            tested.iter().map(|(solver, reply)| (solver as &dyn Respondent, reply)).collect();
        let words: Vec<_> = words.iter().map(|(solver, reply)| (*solver, reply)).collect();
        let others: Vec<_> = voices.iter().chain(&words).copied().collect();
        for (solver, reply) in &tested {
            self.judge(context, mutant, &question, solver, reply, &others)?;
        }
        if std::mem::take(&mut self.ledger.is_cut_short) {
            return Ok(None);
        }
        // Options bring new replies whatever the mutant is, and may well make a solver slow.
        if tested.iter().any(|(solver, _)| !solver.options.is_empty()) {
            return Ok(Some(false));
        }
        self.note_slow_solvers(context, mutant, &question, &voices, &words)?;
        // A mutant that nobody reads is no base for others.
        let read: Vec<_> = voices.into_iter().filter(|(_, reply)| !is_refused(reply)).collect();
        Ok(Some(
            !read.is_empty()
                && self
                    .ledger
                    .novelty
                    .note(mutant.number, &read, context.campaign.settings.time_classes)
                    .is_new,
        ))
    }
}

impl SeedWork for TreeRun {
    fn status(&self) -> Option<Verdict> {
        self.known
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn ledger_mut(&mut self) -> &mut Ledger {
        &mut self.ledger
    }

    fn left_out(&self, settings: &Settings) -> Option<LeftOut> {
        match &self.mutants {
            _ if settings.mutants == 0 => None,
            _ if self.allowances.iter().all(Option::is_none) => Some(LeftOut::Undecided),
            None => Some(LeftOut::Barren),
            Some(_) => None,
        }
    }

    fn is_tree(&self) -> bool {
        true
    }

    fn last(&self) -> usize {
        self.mutants.as_ref().map_or(0, TreeMutants::last)
    }

    fn advance(&mut self, context: Context<'_>, count: usize) -> io::Result<()> {
        let settings = context.campaign.settings;
        let processes = context.shared_processes();
        let end = self.end_of_turn();
        for _ in 0..count {
            if self.ends_turn(context, end) {
                break;
            }
            let mutant = self.mutants.as_mut().and_then(|mutants| mutants.next(settings.changes));
            let is_new = match mutant {
                None => false,
                Some(mutant) => {
                    self.ledger.tally.mutants += 1;
                    let Some(is_new) = self.test(context, processes.as_ref(), &mutant)? else {
                        // The mutant's turn comes another time.
                        self.mutants.iter_mut().for_each(TreeMutants::step_back);
                        return Ok(());
                    };
                    is_new
                }
            };
            self.mutants.iter_mut().for_each(|mutants| mutants.note(is_new));
        }
        Ok(())
    }

    fn skip_to(&mut self, number: usize, settings: &Settings) -> Option<String> {
        let novelty = &self.ledger.novelty;
        let mutants = self.mutants.as_mut()?;
        let mut last = None;
        while mutants.last() < number {
            last = mutants.next(settings.changes);
            mutants.note(novelty.outcome_of(mutants.last()).is_new);
        }
        let mutant = last?;
        Some(TreeQuestion::new(mutant.tree, mutant.wants_model).inquiry.text.into_string())
    }
}

/// Solvers that take part, with their replies.
fn pairs<'s>(
    solvers: &'s [Arc<dyn Respondent>],
    replies: &'s [Reply],
    allowances: &[Option<Allowance>],
) -> Vec<(&'s dyn Respondent, &'s Reply)> {
    let all = solvers.iter().zip(replies).zip(allowances).filter(|(_, allowance)| allowance.is_some());
    all.map(|((solver, reply), _)| (&**solver, reply)).collect()
}

/// The last answer of those who decide it, if they agree.
fn agreed<'r>(replies: impl Iterator<Item = &'r Reply>) -> Option<Verdict> {
    let mut decided = replies.filter_map(|reply| word(reply).ok());
    let first = decided.next()?;
    decided.all(|verdict| verdict == first).then_some(first)
}

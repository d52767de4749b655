//! Testing solvers on the mutants of one seed.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_external::{Fault, Limits, Reply, Solver, Verdict};
use sundry_smtlib::{Diagnostic, Formula, Language, SourceText, parse_script, print_term};
use sundry_term::{TermId, TermStore};

use crate::approximate::{Approximator, Strategy, split_chains};
use crate::finding::{Finding, word};
use crate::follow_up::{FollowUp, FollowedUp, Suspect};
use crate::logic::logic_of;
use crate::model::{ModelVerdict, judge_reply};
use crate::operators::OperatorMutator;
use crate::oracle::{Examination, Examiner, Known, Question};
use crate::question::{Desk, script};
use crate::rules::Direction;
use crate::vocabulary::Vocabulary;

/// Mutants of which others are made, at most.
const MAXIMAL_BASES: usize = 50;
/// Findings of one kind on one seed that are followed up; the others are counted.
const FOLLOWED_UP: usize = 3;
/// For a mutant, a solver gets this many times as long as it took for the seed: defects that show, show soon,
const TIME_FACTOR: u32 = 10;
/// and no less than this.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// How mutants are made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Generator {
    /// By approximation of literals: they are satisfiable if and only if the seed is.
    Approximation(Strategy),
    /// By other operators: nothing is known of them.
    Operators,
}

/// How much is done for each seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Mutants of a seed.
    pub mutants: usize,
    /// Literals or operators that are changed in one step, at most.
    pub changes: usize,
    /// How they are made.
    pub generator: Generator,
    /// Seed of all random choices.
    pub seed: u64,
    /// How long a finding may be reduced.
    pub reduction: Duration,
}

/// A formula to start from.
pub struct Seed {
    /// Where it comes from, for messages.
    pub name: String,
    store: TermStore,
    formula: Formula,
}

impl Seed {
    /// The first question of a script.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(source: &SourceText) -> Result<Seed, Diagnostic> {
        let mut store = TermStore::new();
        let formula = parse_script(&mut store, source, Language::All)?.formula();
        Ok(Seed { name: source.name().to_string(), store, formula })
    }
}

/// What was done so far.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Mutants that were put to solvers.
    pub mutants: usize,
    /// Replies of the solvers under test to mutants.
    pub replies: usize,
    /// Those without an answer: unknown, out of time, not supported.
    pub missing: usize,
    /// Replies with something wrong.
    pub suspicious: usize,
    /// Of these, those that did not show it again.
    pub vanished: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.mutants += other.mutants;
        self.replies += other.replies;
        self.missing += other.missing;
        self.suspicious += other.suspicious;
        self.vanished += other.vanished;
    }
}

/// Who is tested, and how.
#[derive(Copy, Clone, Debug)]
pub struct Campaign<'a> {
    /// The solvers that are tested.
    pub solvers: &'a [Solver],
    /// Solvers whose word counts, about the status of seeds and about who is wrong. If there are none, the word
    /// of those under test does.
    pub references: &'a [Solver],
    /// Releases of solvers, the oldest first: of each defect it is told which of them show it.
    pub releases: &'a [Solver],
    /// How much is done.
    pub settings: &'a Settings,
}

/// A mutant, and how it came about.
#[derive(Clone, Default)]
struct Mutant {
    /// 0 for the seed itself.
    number: usize,
    assertions: Vec<TermId>,
    changes: Vec<(TermId, TermId)>,
}

/// What makes the mutants of one seed.
enum Mutator {
    Approximation(Approximator),
    Operators(OperatorMutator),
}

/// The mutants of one seed, one after the other. Which they are depends on the settings, the number of the seed
/// and its status only.
pub struct Course {
    /// The name of the seed.
    pub name: String,
    /// What was done since it was last taken.
    pub tally: Tally,
    store: TermStore,
    formula: Formula,
    known: Option<Known>,
    /// What a mutant has shown of the seed, against what solvers said of it.
    refuted: Option<Known>,
    mutator: Mutator,
    random: ChaCha8Rng,
    /// The seed and some mutants, from which others are made.
    bases: Vec<Mutant>,
    /// The number of the last mutant.
    last: usize,
    /// How long each of the solvers under test may take for a mutant; nothing for those that do not decide the
    /// seed: they have nothing to say of its mutants.
    allowances: Vec<Option<Duration>>,
    /// How often each kind of defect was seen: solver and defect, as text.
    seen: BTreeMap<String, usize>,
}

impl Course {
    /// Finds out whether a seed is satisfiable, and judges what the solvers under test say of it.
    ///
    /// # Errors
    /// A solver cannot be started, or a script not be written.
    pub fn begin(
        campaign: Campaign<'_>,
        seed: Seed,
        number: u64,
        desk: Desk<'_>,
        found: &mut dyn FnMut(Finding),
    ) -> io::Result<Course> {
        let Seed { name, mut store, formula } = seed;
        let settings = campaign.settings;
        let assertions: Vec<TermId> =
            formula.assertions.iter().map(|&assertion| split_chains(&mut store, assertion)).collect();
        let mutator = match settings.generator {
            Generator::Approximation(strategy) => {
                let vocabulary = Vocabulary::of(&store, &assertions);
                Mutator::Approximation(Approximator::new(vocabulary, strategy))
            }
            Generator::Operators => Mutator::Operators(OperatorMutator::default()),
        };
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(number);
        let mut course = Course {
            name,
            tally: Tally::default(),
            store,
            formula,
            known: None,
            refuted: None,
            mutator,
            random,
            bases: vec![Mutant { assertions, ..Mutant::default() }],
            last: 0,
            allowances: Vec::new(),
            seen: BTreeMap::new(),
        };
        course.judge_seed(campaign, desk, found)?;
        Ok(course)
    }

    /// Whether the seed is satisfiable; unknown where nobody knows, or solvers disagree.
    pub fn status(&self) -> Option<Verdict> {
        self.known.as_ref().map(|known| known.verdict)
    }

    /// Whether a mutant may be satisfiable, as far as is known from how it is made.
    fn may_be_sat(&self) -> bool {
        matches!(self.mutator, Mutator::Operators(_)) || self.status() == Some(Verdict::Sat)
    }

    /// Whether all mutants were made, or none can be, or nobody can be asked about them.
    pub fn is_over(&self, settings: &Settings) -> bool {
        let is_of_use = self.known.is_some() && self.allowances.iter().any(Option::is_some);
        !is_of_use || self.last >= settings.mutants
    }

    /// The number of the last mutant.
    pub fn last(&self) -> usize {
        self.last
    }

    /// Makes up to `count` mutants and puts them to the solvers under test.
    ///
    /// # Errors
    /// A solver cannot be started, or a script not be written.
    pub fn advance(
        &mut self,
        campaign: Campaign<'_>,
        desk: Desk<'_>,
        count: usize,
        found: &mut dyn FnMut(Finding),
    ) -> io::Result<()> {
        for _ in 0..count {
            if self.is_over(campaign.settings) || desk.interrupted.load(Ordering::Relaxed) {
                break;
            }
            if let Some(mutant) = self.next_mutant(campaign.settings) {
                self.tally.mutants += 1;
                let formula = self.formula_of(&mutant);
                let script = script(&self.store, &formula, self.may_be_sat());
                for (number, solver) in campaign.solvers.iter().enumerate() {
                    let Some(wall) = self.allowances[number] else { continue };
                    let limits = Limits { wall: wall.min(desk.limits.wall), ..desk.limits.clone() };
                    let reply = Desk { limits: &limits, ..desk }.ask(solver, &script)?;
                    if reply.fault == Some(Fault::Interrupted) {
                        // The mutant's turn comes another time.
                        self.last = mutant.number - 1;
                        return Ok(());
                    }
                    self.tally.replies += 1;
                    self.tally.missing += usize::from(word(&reply).is_err());
                    let question = Question { formula: &formula, script: &script };
                    self.judge(campaign, desk, solver, question, &reply, &mutant, found)?;
                    if self.is_refuted_by(desk, &formula, solver, &reply)? {
                        return self.judge_seed(campaign, desk, found);
                    }
                }
            }
        }
        Ok(())
    }

    /// How often each kind of defect was seen: what it takes, besides the number of the last mutant, to
    /// [go on](Self::go_on_from) another time.
    pub fn seen(&self) -> &BTreeMap<String, usize> {
        &self.seen
    }

    /// Goes on behind a mutant, up to which this was seen.
    pub fn go_on_from(&mut self, number: usize, seen: &BTreeMap<String, usize>, settings: &Settings) {
        self.skip_to(number, settings);
        self.seen = seen.clone();
    }

    /// Makes mutants without asking anybody, up to this number. The script of the last one, if it could be made.
    pub fn skip_to(&mut self, number: usize, settings: &Settings) -> Option<String> {
        let mut last = None;
        while self.last < number {
            last = self.next_mutant(settings);
        }
        let formula = self.formula_of(&last?);
        Some(script(&self.store, &formula, self.may_be_sat()))
    }

    /// The formula of a mutant. Its logic may be another one than that of the seed.
    fn formula_of(&self, mutant: &Mutant) -> Formula {
        let formula = Formula::of_assertions(&self.store, mutant.assertions.clone());
        Formula { logic: Some(logic_of(&self.store, &mutant.assertions)), ..formula }
    }

    /// Makes a mutant of the seed or of an earlier one; nothing where no literal could be changed.
    fn next_mutant(&mut self, settings: &Settings) -> Option<Mutant> {
        let random = &mut self.random;
        self.last += 1;
        let direction =
            if self.known.as_ref()?.verdict == Verdict::Sat { Direction::Over } else { Direction::Under };
        let mut mutant = self.bases.choose(random).expect("the seed is there").clone();
        let count = random.random_range(1..=settings.changes.max(1));
        let (store, assertions) = (&mut self.store, &mut mutant.assertions[..]);
        let changes = match &mut self.mutator {
            Mutator::Approximation(approximator) => {
                let changes = approximator.mutate(store, assertions, direction, count, random);
                changes.iter().map(|change| (change.from, change.to)).collect()
            }
            Mutator::Operators(mutator) => mutator.mutate(store, assertions, count, random),
        };
        if changes.is_empty() {
            return None;
        }
        mutant.number = self.last;
        mutant.changes.extend(changes);
        if self.bases.len() < MAXIMAL_BASES {
            self.bases.push(mutant.clone());
        } else {
            self.bases[random.random_range(1..MAXIMAL_BASES)] = mutant.clone();
        }
        Some(mutant)
    }

    /// Whether a model of a mutant is one of the seed, which was taken for unsatisfiable. Then whoever said so is
    /// wrong, and the mutants are not what they should be.
    fn is_refuted_by(
        &mut self,
        desk: Desk<'_>,
        mutant: &Formula,
        solver: &Solver,
        reply: &Reply,
    ) -> io::Result<bool> {
        // A formula made by other operators says nothing of the seed.
        let implies_seed =
            matches!(self.mutator, Mutator::Approximation(_)) && self.status() == Some(Verdict::Unsat);
        if !implies_seed || reply.verdict() != Some(Verdict::Sat) {
            return Ok(false);
        }
        let reply = desk.ask(solver, &script(&self.store, mutant, true))?;
        let answer = judge_reply(&mut self.store, mutant, &reply);
        let whose = solver.name.clone();
        let known = answer.map(|(model, _)| Known { verdict: Verdict::Sat, model: Some((model, whose)) });
        self.refuted = known.filter(|known| known.has_model(&self.store, &self.formula));
        Ok(self.refuted.is_some())
    }

    /// Asks everybody about the seed.
    fn judge_seed(
        &mut self,
        campaign: Campaign<'_>,
        desk: Desk<'_>,
        found: &mut dyn FnMut(Finding),
    ) -> io::Result<()> {
        let formula = self.formula.clone();
        let script = script(&self.store, &formula, true);
        let ask = |solvers: &[Solver]| {
            solvers.iter().map(|solver| desk.ask(solver, &script)).collect::<io::Result<Vec<Reply>>>()
        };
        let (replies, words) = (ask(campaign.solvers)?, ask(campaign.references)?);
        let deciding = if campaign.references.is_empty() {
            campaign.solvers.iter().zip(&replies)
        } else {
            campaign.references.iter().zip(&words)
        };
        self.known = self.refuted.clone().or_else(|| known(&mut self.store, &formula, deciding));
        let allowance = |reply: &Reply| (reply.finished.wall * TIME_FACTOR).max(LEAST_TIME);
        self.allowances = replies.iter().map(|reply| word(reply).is_ok().then(|| allowance(reply))).collect();
        let seed = self.bases[0].clone();
        let question = Question { formula: &formula, script: &script };
        for (solver, reply) in campaign.solvers.iter().zip(&replies) {
            self.judge(campaign, desk, solver, question, reply, &seed, found)?;
        }
        if self.refuted.is_some() {
            // There are no more mutants: what was made of it does not fit its status.
            self.known = None;
        }
        Ok(())
    }

    /// Judges a reply; what is wrong with it is tried again, reduced, and told.
    #[expect(clippy::too_many_arguments, reason = "who, what was asked, and what was said")]
    fn judge(
        &mut self,
        campaign: Campaign<'_>,
        desk: Desk<'_>,
        solver: &Solver,
        question: Question<'_>,
        reply: &Reply,
        mutant: &Mutant,
        found: &mut dyn FnMut(Finding),
    ) -> io::Result<()> {
        let examiner = Examiner { desk, references: campaign.references };
        let is_known = mutant.number == 0 || matches!(self.mutator, Mutator::Approximation(_));
        let known = self.known.as_ref().filter(|_| is_known);
        let examine =
            |store: &mut TermStore, reply: &Reply| examiner.examine(store, question, known, solver, reply);
        let Some(Examination { defect, .. }) = examine(&mut self.store, reply)? else { return Ok(()) };
        self.tally.suspicious += 1;
        let seen = self.seen.entry(format!("{}: {defect}", solver.name)).or_default();
        *seen += 1;
        if *seen > FOLLOWED_UP {
            return Ok(());
        }
        let again = desk.ask(solver, question.script)?;
        let Some(Examination { witness, .. }) =
            examine(&mut self.store, &again)?.filter(|examination| examination.defect == defect)
        else {
            self.tally.vanished += 1;
            return Ok(());
        };
        let follow_up = FollowUp {
            examiner,
            solvers: campaign.solvers,
            releases: campaign.releases,
            reduction: campaign.settings.reduction,
        };
        let time = again.finished.wall;
        let suspect = Suspect { solver, defect: &defect, witness: &witness, time };
        let store = &mut self.store;
        let FollowedUp { witness, reduction, said, releases } =
            follow_up.pursue(store, question, known, suspect)?;
        let text = |term| print_term(store, term);
        found(Finding {
            defect,
            witness,
            solver: solver.name.clone(),
            seed: self.name.clone(),
            mutant: mutant.number,
            script: question.script.to_string(),
            changes: mutant.changes.iter().map(|&(from, to)| (text(from), text(to))).collect(),
            said,
            releases,
            reduction,
        });
        Ok(())
    }
}

/// What solvers say together: nothing where they disagree, unless a model decides.
fn known<'s>(
    store: &mut TermStore,
    formula: &Formula,
    replies: impl Iterator<Item = (&'s Solver, &'s Reply)>,
) -> Option<Known> {
    let (mut sat, mut unsat) = (false, false);
    for (solver, reply) in replies {
        match reply.verdict() {
            Some(Verdict::Sat) => {
                sat = true;
                let answer = judge_reply(store, formula, reply);
                if let Some((model, ModelVerdict::Valid)) = answer {
                    return Some(Known { verdict: Verdict::Sat, model: Some((model, solver.name.clone())) });
                }
            }
            Some(Verdict::Unsat) => unsat = true,
            _ => {}
        }
    }
    let verdict = match (sat, unsat) {
        (true, false) => Verdict::Sat,
        (false, true) => Verdict::Unsat,
        _ => return None,
    };
    Some(Known { verdict, model: None })
}

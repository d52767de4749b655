//! Testing solvers on the mutants of one seed.

use std::fmt;
use std::io;
use std::sync::atomic::Ordering;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_external::{Fault, Reply, Solver, Verdict};
use sundry_smtlib::{Diagnostic, Formula, Language, SourceText, parse_script, print_term};
use sundry_term::{TermId, TermStore};

use crate::approximate::{Approximator, Strategy, split_chains};
use crate::model::{ModelVerdict, judge_model};
use crate::question::{Desk, script};
use crate::rules::Direction;
use crate::vocabulary::Vocabulary;

/// Mutants of which others are made, at most.
const MAXIMAL_BASES: usize = 50;

/// How much is done for each seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Mutants of a seed.
    pub mutants: usize,
    /// Literals that are changed in one step, at most.
    pub literals: usize,
    /// How literals are approximated.
    pub strategy: Strategy,
    /// Seed of all random choices.
    pub seed: u64,
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
        let mut formula = parse_script(&mut store, source, Language::All)?.formula();
        // The logic of a mutant may be another one; all solvers know this.
        formula.logic = None;
        Ok(Seed { name: source.name().to_string(), store, formula })
    }
}

/// What is wrong with a solver's answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Defect {
    /// The answer is the opposite of what is known.
    WrongAnswer {
        /// What is known.
        expected: Verdict,
    },
    /// The model does not satisfy the formula: which assertion, or what the solver itself says.
    InvalidModel(String),
    /// A crash, by its signature.
    Crash(String),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::WrongAnswer { expected } => write!(f, "wrong answer, {expected} is right"),
            Defect::InvalidModel(why) => write!(f, "invalid model: {why}"),
            Defect::Crash(signature) => write!(f, "crash: {signature}"),
        }
    }
}

/// A defect that showed twice on the same script.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub defect: Defect,
    /// The command of the solver.
    pub solver: String,
    /// The seed.
    pub seed: String,
    /// The number of the mutant; 0 is the seed itself.
    pub mutant: usize,
    /// The script on which it shows.
    pub script: String,
    /// What was changed to come from the seed to it: each literal with what took its place.
    pub changes: Vec<(String, String)>,
    /// What all solvers say of the script.
    pub words: Vec<(String, Word)>,
}

/// What became of a seed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tested {
    /// Its status, if solvers found it.
    pub status: Option<Verdict>,
    /// How many mutants were made of it.
    pub mutants: usize,
    /// How many answers were right, wrong or missing, in all.
    pub answers: usize,
    /// Those that were missing: unknown, no time, not supported.
    pub missing: usize,
}

/// Tests solvers on the mutants of seeds.
pub struct Campaign<'a> {
    /// The solvers that are tested.
    pub solvers: &'a [Solver],
    /// Solvers whose word counts besides, about the status of seeds and about who is wrong.
    pub references: &'a [Solver],
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

/// A solver's answer, or why there is none.
pub type Word = Result<Verdict, Option<Fault>>;

impl Campaign<'_> {
    /// Tests all solvers on mutants of a seed, and tells of each finding. The number decides, together with the
    /// seed of the settings, on all random choices.
    ///
    /// # Errors
    /// A solver cannot be started, or a script not be written.
    pub fn test(
        &self,
        seed: Seed,
        number: u64,
        desk: Desk<'_>,
        found: &mut dyn FnMut(Finding),
    ) -> io::Result<Tested> {
        let mut random = ChaCha8Rng::seed_from_u64(self.settings.seed);
        random.set_stream(number);
        let mut test = Test { campaign: self, desk, seed, found, tested: Tested::default() };
        test.tested.status = test.status()?;
        if let Some(status) = test.tested.status {
            test.mutants(status, &mut random)?;
        }
        Ok(test.tested)
    }

    fn everyone(&self) -> impl Iterator<Item = &Solver> {
        self.solvers.iter().chain(self.references)
    }
}

/// The test of one seed.
struct Test<'t> {
    campaign: &'t Campaign<'t>,
    desk: Desk<'t>,
    seed: Seed,
    found: &'t mut dyn FnMut(Finding),
    tested: Tested,
}

impl Test<'_> {
    /// What the solvers that know it say of the seed: nothing where they disagree, which is a finding.
    fn status(&mut self) -> io::Result<Option<Verdict>> {
        let script = script(&self.seed.store, &self.seed.formula, false);
        let mut words = Vec::new();
        for solver in self.campaign.everyone() {
            let reply = self.desk.ask(solver, &script)?;
            if let Some(Fault::Crash(signature)) = &reply.fault {
                let defect = Defect::Crash(signature.clone());
                self.report(defect, solver, &Mutant::default(), &script, Vec::new());
            }
            words.push((solver, word(&reply)));
        }
        let says = |verdict| words.iter().find(|(_, word)| *word == Ok(verdict)).map(|&(solver, _)| solver);
        match (says(Verdict::Sat), says(Verdict::Unsat)) {
            (Some(solver), Some(_)) => {
                let words = words.iter().map(|(solver, word)| (solver.name.clone(), word.clone())).collect();
                let defect = Defect::WrongAnswer { expected: Verdict::Unsat };
                self.report(defect, solver, &Mutant::default(), &script, words);
                Ok(None)
            }
            (Some(_), None) => Ok(Some(Verdict::Sat)),
            (None, Some(_)) => Ok(Some(Verdict::Unsat)),
            (None, None) => Ok(None),
        }
    }

    /// Makes mutants, of the seed and of one another, and asks about each.
    fn mutants(&mut self, status: Verdict, random: &mut ChaCha8Rng) -> io::Result<()> {
        let settings = self.campaign.settings;
        let direction = if status == Verdict::Sat { Direction::Over } else { Direction::Under };
        let store = &mut self.seed.store;
        let assertions: Vec<TermId> =
            self.seed.formula.assertions.iter().map(|&assertion| split_chains(store, assertion)).collect();
        let vocabulary = Vocabulary::of(store, &assertions);
        let mut approximator = Approximator::new(&vocabulary, settings.strategy, vocabulary.is_linear());
        let mut bases = vec![Mutant { assertions, ..Mutant::default() }];
        for number in 1..=settings.mutants {
            if self.desk.interrupted.load(Ordering::Relaxed) {
                return Ok(());
            }
            let mut mutant = bases.choose(random).expect("the seed is there").clone();
            let count = random.random_range(1..=settings.literals.max(1));
            let changes =
                approximator.mutate(&mut self.seed.store, &mut mutant.assertions, direction, count, random);
            if changes.is_empty() {
                continue;
            }
            mutant.number = number;
            mutant.changes.extend(changes.iter().map(|change| (change.from, change.to)));
            self.ask_about(&mutant, status)?;
            if bases.len() < MAXIMAL_BASES {
                bases.push(mutant);
            } else {
                bases[random.random_range(1..MAXIMAL_BASES)] = mutant;
            }
        }
        Ok(())
    }

    /// Puts a mutant to the solvers that are tested.
    fn ask_about(&mut self, mutant: &Mutant, expected: Verdict) -> io::Result<()> {
        let formula = Formula::of_assertions(&self.seed.store, mutant.assertions.clone());
        let script = script(&self.seed.store, &formula, expected == Verdict::Sat);
        self.tested.mutants += 1;
        for solver in self.campaign.solvers {
            let reply = self.desk.ask(solver, &script)?;
            self.tested.answers += 1;
            let Some(defect) = defect(&mut self.seed.store, &formula, &reply, expected) else {
                self.tested.missing += usize::from(word(&reply).is_err());
                continue;
            };
            // What does not show again cannot be reported.
            let again = self.desk.ask(solver, &script)?;
            if self::defect(&mut self.seed.store, &formula, &again, expected).as_ref() == Some(&defect) {
                let mut words = Vec::new();
                for other in self.campaign.everyone() {
                    words.push((other.name.clone(), word(&self.desk.ask(other, &script)?)));
                }
                self.report(defect, solver, mutant, &script, words);
            }
        }
        Ok(())
    }

    fn report(
        &mut self,
        defect: Defect,
        solver: &Solver,
        mutant: &Mutant,
        script: &str,
        words: Vec<(String, Word)>,
    ) {
        let text = |term| print_term(&self.seed.store, term);
        (self.found)(Finding {
            defect,
            solver: solver.name.clone(),
            seed: self.seed.name.clone(),
            mutant: mutant.number,
            script: script.to_string(),
            changes: mutant.changes.iter().map(|&(from, to)| (text(from), text(to))).collect(),
            words,
        });
    }
}

fn word(reply: &Reply) -> Word {
    reply.verdict().filter(|&verdict| verdict != Verdict::Unknown).ok_or_else(|| reply.fault.clone())
}

/// What is wrong with a reply to a formula whose status is known.
fn defect(store: &mut TermStore, formula: &Formula, reply: &Reply, expected: Verdict) -> Option<Defect> {
    match &reply.fault {
        Some(Fault::Crash(signature)) => return Some(Defect::Crash(signature.clone())),
        Some(Fault::InvalidModel(message)) => return Some(Defect::InvalidModel(message.clone())),
        _ => {}
    }
    match reply.verdict()? {
        Verdict::Unknown => None,
        verdict if verdict != expected => Some(Defect::WrongAnswer { expected }),
        Verdict::Unsat => None,
        _ => match judge_model(store, formula, reply.behind.first()?) {
            ModelVerdict::Invalid(number) => {
                Some(Defect::InvalidModel(format!("assertion {} is false", number + 1)))
            }
            _ => None,
        },
    }
}

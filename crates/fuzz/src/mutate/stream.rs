//! The mutants of one seed, one after the other: each is made of the seed or of an earlier one, and none is one that
//! [simplification](crate::mutate::distinct) decides or makes equal to another.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sundry_external::Verdict;
use sundry_smtlib::{Command, Definition, Formula};
use sundry_term::{TermId, TermStore};

use crate::ask::question::Question;
use crate::ask::style::{AskingStyle, with_objectives};
use crate::mutate::distinct::Distinct;
use crate::mutate::generator::{Generator, Mutant};
use crate::mutate::shares::{Outcome, Shares, Weights};
use crate::seed::logic::logic_of;

/// Mutants of which others are made, at most, for each generator.
const MAXIMAL_BASES: usize = 50;
/// The number of times that a mutant is drawn until simplification leaves one open that no earlier one is equal to.
const DRAWS: usize = 8;

/// A generator with the random numbers that it gets: those of one do not depend on how many another takes.
pub(crate) struct Source {
    /// The name of the strategy.
    pub(crate) strategy: &'static str,
    /// The time that solvers spend on a mutant, in the unit of [`MutationMethod::cost`](crate::campaign::MutationMethod::cost).
    pub(crate) cost: u64,
    pub(crate) generator: Box<dyn Generator>,
    pub(crate) random: ChaCha8Rng,
}

/// Mutants by one generator.
struct Lineage {
    source: Source,
    /// The seed and some mutants, from which others are made.
    bases: Vec<Mutant>,
}

impl Lineage {
    /// A mutant of the seed, or of an earlier one; `None` if no change was possible.
    fn draw(&mut self, store: &mut TermStore, verdict: Verdict, changes: usize) -> Option<Mutant> {
        let Source { generator, random, .. } = &mut self.source;
        // A mutant of a mutant often has little left of the seed.
        let bases = if random.random() { &self.bases[..1] } else { &self.bases[..] };
        let base = bases.choose(random).expect("the seed is there");
        let changes = random.random_range(1..=changes.max(1));
        generator.mutate(store, base, verdict, changes, random)
    }

    /// Makes a mutant one of those from which others are made, if the generator makes mutants of mutants.
    fn keep(&mut self, mutant: &Mutant) {
        if !self.source.generator.accumulates() {
            return;
        }
        if self.bases.len() < MAXIMAL_BASES {
            self.bases.push(mutant.clone());
        } else {
            self.bases[self.source.random.random_range(1..MAXIMAL_BASES)] = mutant.clone();
        }
    }
}

/// A mutant, and how it is asked about.
pub(crate) struct MutantQuestion {
    pub(crate) mutant: Mutant,
    pub(crate) question: Question,
    /// Whether the mutant is satisfiable if and only if the seed is.
    pub(crate) keeps_status: bool,
}

/// All mutants of one seed. They depend only on the seed, the generators, the random numbers, and on which of the mutants
/// [brought something new](MutantStream::note).
pub(crate) struct MutantStream {
    lines: Vec<Lineage>,
    /// The mutants that each line gets.
    shares: Shares,
    /// The line of the last mutant.
    line: usize,
    forms: Vec<AskingStyle>,
    /// The weights of the forms.
    weights: Weights,
    /// The form of the last mutant.
    form: usize,
    /// Definitions of the seed that have parameters.
    definitions: Vec<Definition>,
    /// Soft assertions and objectives of the seed.
    objectives: Vec<Command>,
    /// The mutants so far.
    distinct: Distinct,
    /// The number of the last mutant.
    last: usize,
}

impl MutantStream {
    /// The stream of mutants of these assertions, in questions with these definitions or objectives.
    pub(crate) fn of(
        assertions: Vec<TermId>,
        definitions: Vec<Definition>,
        objectives: Vec<Command>,
        sources: Vec<Source>,
        forms: Vec<AskingStyle>,
    ) -> MutantStream {
        let origin = Mutant { assertions, ..Mutant::default() };
        let line = |source| Lineage { source, bases: vec![origin.clone()] };
        let lines: Vec<Lineage> = sources.into_iter().map(line).collect();
        let shares = Shares::new(lines.iter().map(|line: &Lineage| line.source.cost).collect());
        let weights = Weights::new(forms.len());
        MutantStream {
            lines,
            shares,
            line: 0,
            forms,
            weights,
            form: 0,
            definitions,
            objectives,
            distinct: Distinct::default(),
            last: 0,
        }
    }

    /// Whether there is no generator.
    pub(crate) fn is_barren(&self) -> bool {
        self.lines.is_empty()
    }

    /// The number of the last mutant.
    pub(crate) fn last(&self) -> usize {
        self.last
    }

    /// The strategy of the last mutant.
    pub(crate) fn strategy(&self) -> &'static str {
        self.lines.get(self.line).map_or("", |line| line.source.strategy)
    }

    /// Notes the outcome of the last mutant.
    pub(crate) fn note(&mut self, outcome: Outcome) {
        self.shares.note(self.line, outcome);
        self.weights.note(self.form, outcome);
    }

    /// Goes back by one: the last mutant was not put to anybody.
    pub(crate) fn step_back(&mut self) {
        self.last -= 1;
    }

    /// Makes the next mutant; `None` if no change was possible, or none that makes a difference.
    pub(crate) fn next(
        &mut self,
        store: &mut TermStore,
        verdict: Verdict,
        changes: usize,
    ) -> Option<MutantQuestion> {
        let number = self.last;
        self.last += 1;
        self.line = self.shares.generator_of(number);
        let line = &mut self.lines[self.line];
        let distinct = &mut self.distinct;
        let mut mutant = (0..DRAWS).find_map(|_| {
            let mutant = line.draw(store, verdict, changes)?;
            distinct.is_new(store, &mutant.assertions).then_some(mutant)
        })?;
        mutant.number = self.last;
        line.keep(&mutant);
        let Source { generator, random, .. } = &mut line.source;
        let keeps_status = generator.keeps_status();
        let expected = keeps_status.then_some(verdict);
        self.form = self.weights.draw(number, random);
        let form = self.forms.get(self.form).copied().unwrap_or(AskingStyle::Plain);
        let formula = formula_of(store, &mutant.assertions);
        let mut question = match &self.objectives[..] {
            [] => form.ask(store, formula, expected, &self.definitions, random),
            objectives => with_objectives(store, formula, expected, objectives),
        };
        question.definitions.splice(0..0, mutant.definitions.iter().copied());
        Some(MutantQuestion { mutant, question, keeps_status })
    }
}

/// The formula of a mutant. Its logic may be another one than that of the seed.
fn formula_of(store: &TermStore, assertions: &[TermId]) -> Formula {
    let logic = Some(logic_of(store, assertions));
    Formula { logic, ..Formula::of_assertions(store, assertions.to_vec()) }
}

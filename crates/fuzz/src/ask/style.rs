//! Ways to ask about a formula: as a whole, part by part, under assumptions, or with a core.
//!
//! Solvers answer these with different code, and all answers must agree.

use rand::Rng;
use rand::seq::SliceRandom;
use sundry_external::Verdict;
use sundry_smtlib::{Command, Definition, Formula};
use sundry_term::{Op, SortId, SymbolId, TermId, TermStore};

use crate::ask::folding::with_definitions;
use crate::ask::question::Question;
use crate::mutate::fresh::FreshNames;
use crate::reduce::Subject;

/// The way in which a formula is put to solvers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AskingStyle {
    /// All assertions, one `check-sat`, in one of several spellings.
    Plain,
    /// Assertions with names, and a core of those.
    Core,
    /// Assertions implied by assumptions, and the assumptions that it takes.
    Assumptions,
    /// Assertions that come and go with `push` and `pop`, and several `check-sat`.
    Incremental,
    /// Calls of definitions, one `check-sat`.
    Definitions,
}

impl AskingStyle {
    /// All of them.
    pub const ALL: [AskingStyle; 5] = [
        AskingStyle::Plain,
        AskingStyle::Core,
        AskingStyle::Assumptions,
        AskingStyle::Incremental,
        AskingStyle::Definitions,
    ];

    /// The question about a formula, given its status if that is known. It asks for a core only if there may be one;
    /// if the formula is known to be satisfiable, the question is a plain one. `definitions` are those of the seed.
    pub fn ask(
        self,
        store: &mut TermStore,
        formula: Formula,
        expected: Option<Verdict>,
        definitions: &[Definition],
        random: &mut impl Rng,
    ) -> Question {
        let question = match self {
            // Half of the mutants of a seed with definitions keep them.
            AskingStyle::Plain if !definitions.is_empty() && random.random() => {
                with_definitions(store, &formula, expected, definitions, random)
            }
            // Terms that several assertions share have definitions, or stand where they are used.
            AskingStyle::Plain if random.random() => {
                return with_objectives(store, formula, expected, &[]);
            }
            AskingStyle::Plain => None,
            AskingStyle::Core if expected == Some(Verdict::Sat) => None,
            AskingStyle::Core => with_core(store, &formula, expected),
            AskingStyle::Assumptions => under_assumptions(store, &formula, expected, random),
            AskingStyle::Incremental => incremental(store, &formula, expected, random),
            AskingStyle::Definitions => with_definitions(store, &formula, expected, definitions, random),
        };
        question.unwrap_or_else(|| Question::plain(store, formula, expected))
    }
}

/// Whether a formula is satisfiable, with soft assertions and objectives in front of the question, which do not
/// change the answer.
pub(crate) fn with_objectives(
    store: &TermStore,
    formula: Formula,
    expected: Option<Verdict>,
    objectives: &[Command],
) -> Question {
    let mut commands = Commands::begin(&formula, &[":produce-models"]);
    commands.assert(&formula.assertions);
    commands.0.extend(objectives.iter().map(|objective| (objective.clone(), None)));
    commands.push(Command::CheckSat);
    if expected != Some(Verdict::Unsat) {
        commands.push(Command::GetModel);
    }
    match commands.question(store) {
        Some(mut question) => {
            question.asked[0].expected = expected;
            question
        }
        None => Question::plain(store, formula, expected),
    }
}

/// Commands in the order of a script.
struct Commands(Vec<(Command, Option<String>)>);

impl Commands {
    /// The beginning of a script, with options and the logic of a formula.
    fn begin(formula: &Formula, options: &[&str]) -> Commands {
        let options = options.iter().map(|keyword| Command::switch_on(keyword));
        let logic = formula.logic.clone().map(Command::SetLogic);
        Commands(options.chain(logic).map(|command| (command, None)).collect())
    }

    fn push(&mut self, command: Command) {
        self.0.push((command, None));
    }

    fn assert(&mut self, terms: &[TermId]) {
        self.0.extend(terms.iter().map(|&term| (Command::Assert(term), None)));
    }

    fn question(self, store: &TermStore) -> Option<Question> {
        let subject = Subject::of_commands(self.0);
        let text = subject.text(store);
        Question::of_subject(store, subject, text)
    }
}

fn with_core(store: &mut TermStore, formula: &Formula, expected: Option<Verdict>) -> Option<Question> {
    let mut commands = Commands::begin(formula, &[":produce-unsat-cores"]);
    let mut names = FreshNames::beside(store, &formula.assertions, "part");
    let named = formula.assertions.iter().map(|&term| (Command::Assert(term), Some(names.next_name())));
    commands.0.extend(named);
    commands.push(Command::CheckSat);
    commands.push(Command::GetUnsatCore);
    let mut question = commands.question(store)?;
    question.asked[0].expected = expected;
    Some(question)
}

/// About half of the assertions are implied by assumptions, at least one.
fn under_assumptions(
    store: &mut TermStore,
    formula: &Formula,
    expected: Option<Verdict>,
    random: &mut impl Rng,
) -> Option<Question> {
    let behind = if expected == Some(Verdict::Unsat) {
        (":produce-unsat-assumptions", Command::GetUnsatAssumptions)
    } else {
        (":produce-models", Command::GetModel)
    };
    let mut commands = Commands::begin(formula, &[behind.0]);
    let mut names = FreshNames::beside(store, &formula.assertions, "assume");
    let always = random.random_range(0..formula.assertions.len().max(1));
    let mut definitions: Vec<(SymbolId, TermId)> = Vec::new();
    let mut assumptions = Vec::new();
    for (number, &assertion) in formula.assertions.iter().enumerate() {
        if number != always && random.random() {
            commands.assert(&[assertion]);
            continue;
        }
        let symbol = store.declare(&names.next_name(), &[], SortId::BOOL);
        let assumption = store.symbol_term(symbol);
        let implied = store.make(Op::Implies, &[assumption, assertion]);
        commands.assert(&[implied]);
        assumptions.push(assumption);
        definitions.push((symbol, assertion));
    }
    commands.push(Command::CheckSatAssuming(assumptions));
    commands.push(behind.1);
    let mut question = commands.question(store)?;
    question.asked[0].expected = expected;
    question.definitions = definitions;
    Some(question)
}

/// Asserts some assertions, then all, then fewer, then all again.
fn incremental(
    store: &mut TermStore,
    formula: &Formula,
    expected: Option<Verdict>,
    random: &mut impl Rng,
) -> Option<Question> {
    let wants_model = expected != Some(Verdict::Unsat);
    let options: &[&str] = if wants_model { &[":produce-models"] } else { &[] };
    let mut commands = Commands::begin(formula, options);
    let mut assertions = formula.assertions.clone();
    assertions.shuffle(random);
    let (front, back) = assertions.split_at(random.random_range(0..=assertions.len()));
    commands.assert(front);
    if !front.is_empty() && random.random() {
        commands.push(Command::CheckSat);
    }
    commands.push(Command::Push(1));
    commands.assert(back);
    commands.push(Command::CheckSat);
    commands.push(Command::Pop(1));
    if back.len() > 1 && random.random() {
        commands.push(Command::Push(1));
        commands.assert(&back[..random.random_range(1..back.len())]);
        commands.push(Command::CheckSat);
        commands.push(Command::Pop(1));
    }
    commands.assert(back);
    commands.push(Command::CheckSat);
    if wants_model {
        commands.push(Command::GetModel);
    }
    let mut question = commands.question(store)?;
    for asked in &mut question.asked {
        // Fewer assertions of a satisfiable formula are satisfiable too; for an unsatisfiable one, their status is
        // unknown.
        let is_whole = asked.formula.assertions.len() == assertions.len();
        asked.expected = expected.filter(|&verdict| is_whole || verdict == Verdict::Sat);
    }
    Some(question)
}

//! Formulas to start from.

pub(crate) mod logic;
pub(crate) mod partners;
pub(crate) mod status;
pub(crate) mod synthesis;
pub(crate) mod tree;
pub(crate) mod verbatim;

use sundry_smtlib::{Command, Definition, Diagnostic, Formula, SourceText, TheorySet, parse_script_within};
use sundry_term::{Control, TermStore};

use crate::ask::question::Question;
use crate::reduce::Subject;
use crate::seed::tree::TreeSeed;
use crate::seed::verbatim::Verbatim;
use crate::tree::Tree;

/// Options that change where or how a solver prints its answers.
const OUTPUT_OPTIONS: [&str; 4] =
    [":print-success", ":regular-output-channel", ":diagnostic-output-channel", ":verbosity"];

/// A formula to start from.
pub struct Seed {
    /// The origin of the seed, for messages.
    pub name: String,
    /// The text of the seed.
    pub(crate) text: String,
    pub(crate) content: Content,
}

/// The knowledge of a seed.
pub(crate) enum Content {
    /// The formula, and all that the script asks.
    Terms(Box<Terms>),
    /// Parentheses, and some operators.
    Tree(TreeSeed),
}

/// A seed of theories that Sundry knows.
pub(crate) struct Terms {
    pub(crate) store: TermStore,
    /// The assertions and assumptions at the first question.
    pub(crate) formula: Formula,
    /// All that it asks, if that is more.
    pub(crate) whole: Option<Question>,
    /// The script as it is written.
    pub(crate) verbatim: Option<Verbatim>,
    /// Definitions with parameters in front of the first question.
    pub(crate) definitions: Vec<Definition>,
    /// Soft assertions and objectives, which only some solvers know.
    pub(crate) objectives: Vec<Command>,
}

/// Other seeds, to be fused with one.
pub trait Partners: Sync {
    /// The number of seeds.
    fn count(&self) -> usize;

    /// The seed with this number; `None` if it cannot be read, or there is no time.
    fn read(&self, number: usize, control: &Control) -> Option<SourceText>;
}

impl Seed {
    /// Reads a script, whose first question is the formula to start from. A script with something that Sundry does not know becomes a
    /// tree of expressions, if it asks whether assertions have a model, or for functions.
    ///
    /// # Errors
    /// The script cannot be read, or there was no time.
    pub fn read(source: &SourceText, control: &Control) -> Result<Seed, Diagnostic> {
        let content = match Terms::read(source, control) {
            Ok(terms) => Content::Terms(Box::new(terms)),
            Err(diagnostic) => {
                let tree = Tree::may_read(diagnostic.kind).then(|| TreeSeed::of(source.text())).flatten();
                Content::Tree(tree.ok_or(diagnostic)?)
            }
        };
        Ok(Seed { name: source.name().to_string(), text: source.text().to_string(), content })
    }
}

impl Terms {
    fn read(source: &SourceText, control: &Control) -> Result<Terms, Diagnostic> {
        let mut store = TermStore::new();
        let script = parse_script_within(&mut store, source, TheorySet::ALL, control)?;
        let asserted =
            || script.commands.iter().map(|(command, _)| command).take_while(|it| !it.is_question());
        let definitions = asserted().filter_map(|command| match command {
            Command::Define(definition) => Some(definition.clone()),
            _ => None,
        });
        let definitions = definitions.collect();
        let is_objective =
            |command: &&Command| matches!(command, Command::Other { terms, .. } if !terms.is_empty());
        let objectives = asserted().filter(is_objective).cloned().collect();
        let formula = script.formula();
        let verbatim = Verbatim::of(&store, source, &script);
        let subject = Subject::of_script(&script).without_lookups();
        let script = subject.text(&store);
        let whole = Question::of_subject(&store, subject, script)
            .filter(|question| !question.asked.is_empty() && !question.is_plain());
        Ok(Terms { store, formula, whole, verbatim, definitions, objectives })
    }
}

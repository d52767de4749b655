//! Formulas from files and standard input, ready to be sampled or measured.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sundry_coverage::Predicate;
use sundry_sample::{PredicateError, Problem};
use sundry_smtlib::{Command, Formula, Language, Parser, Script, SourceText, Span, parse_script_with};
use sundry_term::{SortId, TermId, TermStore};

use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::values::counted;

/// Where a text comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input, written `-`.
    Standard,
}

impl Input {
    /// What an argument names.
    pub fn from_argument(path: &Path) -> Self {
        if path.as_os_str() == "-" { Input::Standard } else { Input::File(path.to_path_buf()) }
    }

    /// The file; none for standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Standard => None,
        }
    }

    /// Checks that there is such a file: an input that is missing is told before an output that cannot be written.
    ///
    /// # Errors
    /// There is none.
    pub fn check(&self) -> Result<(), Failure> {
        let Some(path) = self.path() else { return Ok(()) };
        std::fs::metadata(path).map(drop).map_err(|error| Failure::reading(path, &error))
    }

    /// Reads the whole text.
    ///
    /// # Errors
    /// It cannot be read, or is no UTF-8 text.
    pub fn read(&self) -> Result<SourceText, Failure> {
        let mut bytes = Vec::new();
        match self {
            Input::File(path) => {
                bytes = std::fs::read(path).map_err(|error| Failure::reading(path, &error))?;
            }
            Input::Standard => {
                let result = std::io::stdin().lock().read_to_end(&mut bytes);
                result.map_err(|error| Failure::reading(Path::new("standard input"), &error))?;
            }
        }
        SourceText::from_bytes(self.to_string(), bytes).map_err(Failure::rendered_input)
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::File(path) => write!(f, "{}", path.display()),
            Input::Standard => f.write_str("<stdin>"),
        }
    }
}

/// A formula with the text it was read from.
pub struct LoadedFormula {
    /// When reading it began: limits of time count from here.
    pub start: Instant,
    /// The text.
    pub source: SourceText,
    /// Its commands.
    pub script: Script,
    /// What is to be sampled or measured.
    pub problem: Problem,
}

impl LoadedFormula {
    /// Reads a formula: what is asserted at the first `check-sat`, or at the end where there is
    /// none. Tells which one was taken when there are several.
    ///
    /// # Errors
    /// It cannot be read, is no text, no SMT-LIB script, or uses what is not supported.
    pub fn read(input: &Input, console: &Console) -> Result<Self, Failure> {
        let (formula, ()) = Self::read_with(input, console, |_, _| Ok(()))?;
        Ok(formula)
    }

    /// [`read`](Self::read), and the predicates of a file over the symbols of the formula.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), for both texts; or there is no predicate.
    pub fn read_with_predicates(
        input: &Input,
        predicates: &Input,
        console: &Console,
    ) -> Result<(Self, Vec<Predicate>), Failure> {
        let source = predicates.read()?;
        Self::read_with(input, console, |parser, store| read_predicates(parser, store, &source, console))
    }

    fn read_with<T>(
        input: &Input,
        console: &Console,
        at_question: impl FnOnce(&mut Parser, &mut TermStore) -> Result<T, Failure>,
    ) -> Result<(Self, T), Failure> {
        let start = Instant::now();
        let source = input.read()?;
        let mut store = TermStore::new();
        let (script, read) = parse_script_with(&mut store, &source, Language::BitVectors, at_question)
            .map_err(|diagnostic| Failure::at(&diagnostic, &source))?;
        if script.commands.is_empty() {
            return Err(Failure::new(
                Status::Input,
                format_args!("{}: there is no SMT-LIB command in it", source.name()),
            )
            .with_help("a formula needs at least declarations and one (assert ...)"));
        }
        let read = read?;
        let formula = script.formula();
        tell_which(&source, &script, &formula, console);
        let Formula { assertions, symbols, .. } = formula;
        let problem = Problem::new(store, assertions, symbols);
        Ok((LoadedFormula { start, source, script, problem }, read))
    }

    /// The name of the formula in messages and records.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The command that asserts a term, if any.
    pub fn place_of_assertion(&self, term: TermId) -> Option<Span> {
        self.script.commands.iter().find_map(|(command, span)| match command {
            Command::Assert(asserted) if *asserted == term => Some(*span),
            _ => None,
        })
    }
}

/// Why predicates of a formula could not be decided.
pub fn predicate_failure(formula: &LoadedFormula, error: &PredicateError) -> Failure {
    let status = match error {
        PredicateError::TooLarge(_) => Status::Limit,
        PredicateError::WrongModel(_) => Status::Internal,
    };
    Failure::new(status, format_args!("{}: {error}", formula.name()))
}

/// The definitions of a text that have no parameters and are Boolean. Others are there to be used by them. Those that
/// have a name that was there before get a number behind it.
fn read_predicates(
    parser: &mut Parser,
    store: &mut TermStore,
    source: &SourceText,
    console: &Console,
) -> Result<Vec<Predicate>, Failure> {
    let definitions =
        parser.read_definitions(store, source).map_err(|diagnostic| Failure::at(&diagnostic, source))?;
    let mut predicates = Vec::new();
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for (definition, span) in definitions {
        if !definition.parameters.is_empty() || definition.sort != SortId::BOOL {
            continue;
        }
        let mut name = definition.name;
        let count = uses.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count > 1 {
            let numbered = format!("{name}#{count}");
            let position = source.position(span.start);
            console.note(
                format_args!("{}:{}:{}", source.name(), position.line, position.column),
                format_args!("'{name}' is defined once more; as a predicate this one is '{numbered}'"),
            );
            name = numbered;
        }
        predicates.push(Predicate { name, term: definition.body });
    }
    if predicates.is_empty() {
        let message = format_args!("{}: there is no predicate in it", source.name());
        let help = "a predicate is a Boolean definition without parameters: (define-fun NAME () Bool TERM)";
        return Err(Failure::new(Status::Input, message).with_help(help));
    }
    Ok(predicates)
}

fn tell_which(source: &SourceText, script: &Script, formula: &Formula, console: &Console) {
    if formula.check_sats > 1
        && let Some((_, span)) = script.commands.iter().find(|(command, _)| command.is_question())
    {
        let position = source.position(span.start);
        let questions = counted(formula.check_sats, "question");
        console.note(
            format_args!("{}:{}:{}", source.name(), position.line, position.column),
            format_args!("the script asks {questions}; this first one is taken, with what is asserted here"),
        );
    }
    if formula.assertions.is_empty() {
        console.note(source.name(), "nothing is asserted, so every assignment is a solution");
    }
}

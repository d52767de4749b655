//! Terms that are written once for every sort of a theory, in SMT-LIB: over bit-vectors, one text is another term for
//! each width. Such a text can be read, and put to a solver, by itself.

use rustc_hash::FxHashMap;
use sundry_smtlib::{Lexer, Parser, SourceText, TheorySet, Token};
use sundry_term::{Model, SortDisplay, SortId, TermId, TermStore, Value, evaluate, substitute};

/// The number of times that literals are chosen until they satisfy a condition.
const ATTEMPTS: usize = 50;

/// `(WORD TERM …)`
#[derive(Clone, Debug)]
pub(crate) struct Template {
    /// The word that names the relation of the terms.
    pub(crate) word: String,
    /// The terms, over variables.
    pub(crate) terms: Vec<TermId>,
}

/// Reads groups, `(NAME TEMPLATE …)`, of a text: the variables with these names and sorts, and the templates over
/// them.
///
/// # Panics
/// When the text cannot be read: texts of templates are part of the program and tested.
pub(crate) fn read_groups<const N: usize>(
    store: &mut TermStore,
    text: &str,
    groups: &[&str],
    variables: [(&str, SortId); N],
) -> ([TermId; N], Vec<Template>) {
    let mut parser = Parser::new(store, TheorySet::ALL);
    let declaration = |(name, sort)| format!("(declare-const {name} {})", SortDisplay::new(store, sort));
    let declarations = SourceText::new("templates", variables.map(declaration).concat());
    while parser.next_command(store, &declarations).expect("legal declarations").is_some() {}
    let symbols = parser.declared_symbols().to_vec();
    let variables = std::array::from_fn(|number| store.symbol_term(symbols[number]));
    let mut read = |text: &str| {
        let source = SourceText::new("templates", text);
        parser.parse_term(store, &source).unwrap_or_else(|error| panic!("{}", error.render(&source)))
    };
    let wanted = expressions(text).into_iter().map(expressions).filter(|group| groups.contains(&group[0]));
    let templates = wanted.flat_map(|group| group.into_iter().skip(1)).map(|template| {
        let parts = expressions(template);
        Template { word: parts[0].to_string(), terms: parts[1..].iter().map(|term| read(term)).collect() }
    });
    (variables, templates.collect())
}

/// The expressions in a text; in an expression, those between its parentheses.
fn expressions(text: &str) -> Vec<&str> {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let mut lexer = Lexer::new(inside, 0);
    let (mut expressions, mut depth, mut start) = (Vec::new(), 0, 0);
    loop {
        let (token, span) = lexer.next_token().unwrap_or_else(|error| panic!("no template: {error}"));
        if depth == 0 {
            start = span.start;
        }
        match token {
            Token::End => return expressions,
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            expressions.push(&inside[start..span.end]);
        }
    }
}

/// Literals for variables that satisfy a condition; `None` if no such literals were found.
pub(crate) fn literals_for(
    store: &mut TermStore,
    variables: &[TermId],
    condition: Option<TermId>,
    mut literal: impl FnMut(&mut TermStore) -> TermId,
) -> Option<FxHashMap<TermId, TermId>> {
    for _ in 0..ATTEMPTS {
        let chosen: FxHashMap<TermId, TermId> =
            variables.iter().map(|&variable| (variable, literal(store))).collect();
        let Some(condition) = condition else { return Some(chosen) };
        let condition = substitute(store, condition, &chosen).ok()?;
        if evaluate(store, &Model::new(), condition) == Ok(Value::Bool(true)) {
            return Some(chosen);
        }
    }
    None
}

//! Models as z3, cvc5, Bitwuzla and Sundry print them.
//!
//! The standard fixes only that a model is a list of definitions. Solvers differ in what they put
//! around and into it: verdicts in front, the word `model`, elements of declared sorts as declarations
//! with a cardinality constraint or as abstract values, auxiliary functions in any order, arrays
//! as functions. So the reader takes the definitions as they come ([`definitions`]) and makes
//! values of them at the end ([`resolve`]). A lenient reading by patterns of text was rejected: a
//! definition that the reader does not understand must not go unnoticed.

mod definitions;
mod resolve;
mod tabulate;
mod values;

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use sundry_term::{Control, Model, SortId, SymbolId, TermStore, TheorySet};

use crate::diagnostic::Diagnostic;
use crate::model_values::ModelTerms;
use crate::reader::Reader;
use crate::scope::{Scope, SortBinding};
use crate::sorts::{datatypes_in, declarations_in};
use crate::source::{SourceText, Span};

pub use values::ValueError;

/// A model that was read, with the definitions that are missing or unused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadModel {
    /// The values. Functions may have bodies; auxiliary functions and elements of declared sorts that bodies use have
    /// values here too.
    pub model: Model,
    /// The place of the model.
    pub span: Span,
    /// The symbols that the model leaves out, in the order given.
    pub missing: Vec<SymbolId>,
    /// Definitions of other names that nothing in the model uses.
    pub unused: Vec<UnusedDefinition>,
}

/// A definition that matches no declared symbol and that no other definition uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnusedDefinition {
    /// The defined name.
    pub name: String,
    /// The place of the name.
    pub span: Span,
}

/// Reads the models in a text, one after another. Definitions of the names of `symbols` become values of these
/// symbols; if several symbols have one name, the last counts.
///
/// The store gains the terms of the definitions.
///
/// # Errors
/// A text that is not a model, a definition whose sorts do not fit the declaration, or a value that cannot be
/// represented. The reader never silently returns another model.
pub fn read_models(
    store: &mut TermStore,
    source: &SourceText,
    symbols: &[SymbolId],
) -> Result<Vec<ReadModel>, Diagnostic> {
    ModelReader::new(store, symbols).models(store, source)
}

/// A reader for models of one formula, from any number of texts.
pub struct ModelReader {
    scope: Scope,
    model_terms: ModelTerms,
    symbols: Vec<SymbolId>,
    declared: FxHashSet<SymbolId>,
    control: Control,
}

impl ModelReader {
    /// Creates a reader for models of these symbols of the store. Use it with this store, or with one that has all
    /// terms of this store.
    pub fn new(store: &mut TermStore, symbols: &[SymbolId]) -> Self {
        let mut scope = Scope::new(store, TheorySet::ALL);
        bind_declarations(&mut scope, store, symbols);
        let declared = symbols.iter().copied().collect();
        let (model_terms, control) = (ModelTerms::default(), Control::default());
        ModelReader { scope, model_terms, symbols: symbols.to_vec(), declared, control }
    }

    /// The same reader with a control that may stop it.
    #[must_use]
    pub fn with_control(self, control: &Control) -> Self {
        ModelReader { control: control.clone(), ..self }
    }

    /// The models in a text: see [`read_models`].
    ///
    /// # Errors
    /// The errors of [`read_models`]; or reading was stopped.
    pub fn models(
        &mut self,
        store: &mut TermStore,
        source: &SourceText,
    ) -> Result<Vec<ReadModel>, Diagnostic> {
        let mut text = ModelText::new(source);
        std::iter::from_fn(|| self.next(store, &mut text).transpose()).collect()
    }

    /// The next model of a text; `None` at its end.
    ///
    /// # Errors
    /// The errors of [`read_models`].
    pub fn next(
        &mut self,
        store: &mut TermStore,
        text: &mut ModelText<'_>,
    ) -> Result<Option<ReadModel>, Diagnostic> {
        let mut reader =
            Reader::new(text.source.text(), text.position, store, &mut self.scope, &self.control);
        reader.model_terms = Some(&mut self.model_terms);
        let Some(open) = reader.next_model()? else { return Ok(None) };
        let mark = reader.scope.mark();
        let definitions = reader.definitions(open, &self.declared);
        self.scope.rewind(mark);
        let (definitions, span) = definitions?;
        text.position = span.end;
        resolve::resolve(store, &mut self.model_terms, &definitions, &self.symbols, span).map(Some)
    }
}

/// A text from which models are read one by one.
pub struct ModelText<'s> {
    source: Cow<'s, SourceText>,
    /// The offset after the last model that was read.
    position: usize,
}

impl<'s> ModelText<'s> {
    /// Starts at the beginning of a text.
    pub fn new(source: &'s SourceText) -> Self {
        ModelText { source: with_plain_numbers(source), position: 0 }
    }
}

/// The text with blanks in place of the marks that cvc5 puts into irrational numbers, which no token may have: `(_
/// real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)`. All other text keeps its offset.
fn with_plain_numbers(source: &SourceText) -> Cow<'_, SourceText> {
    const START: &str = "real_algebraic_number <";
    let text = source.text();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(START) {
        let inside = start + START.len() - 1;
        let length = rest[inside..].find('>').map_or(0, |end| end + 1);
        plain.push_str(&rest[..inside]);
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || "()- ".contains(*c);
        // A character that is not ASCII takes several bytes, and is not part of a number.
        let blank = |c: char| if is_plain(&c) || !c.is_ascii() { c } else { ' ' };
        plain.extend(rest[inside..inside + length].chars().map(blank));
        rest = &rest[inside + length..];
    }
    if plain.is_empty() {
        return Cow::Borrowed(source);
    }
    Cow::Owned(SourceText::new(source.name(), plain + rest))
}

/// Makes the sorts and symbols of the formula known by their names.
pub(crate) fn bind_declarations(scope: &mut Scope, store: &mut TermStore, symbols: &[SymbolId]) {
    let signature = |symbol: &SymbolId| {
        let declared = store.symbol(*symbol);
        declared.arguments.iter().copied().chain([declared.result]).collect::<Vec<SortId>>()
    };
    let sorts: Vec<SortId> = symbols.iter().flat_map(signature).collect();
    for datatype in datatypes_in(store, sorts.iter().copied()).into_iter().flatten() {
        scope.bind_datatype(store, datatype);
    }
    for declaration in declarations_in(store, sorts) {
        let name = scope.name(&store.sort_declaration(declaration).name);
        scope.bind_sort(name, SortBinding::Declared(declaration));
    }
    for &symbol in symbols {
        let name = scope.name(&store.symbol(symbol).name);
        scope.bind_declared(name, store, symbol);
    }
}

//! Models as solvers print them: z3, cvc5, Bitwuzla and ourselves.
//!
//! The standard fixes only that a model is a list of definitions. What solvers put around and into
//! it differs: verdicts in front, the word `model`, elements of declared sorts as declarations
//! with a cardinality constraint or as abstract values, auxiliary functions in any order, arrays
//! as functions. So a model is read in two passes: first what is defined, with which sorts, then
//! the definitions; values are made of them at the end ([`resolve`]). A lenient reading by
//! patterns of text was rejected: a definition that is not understood must not go unnoticed.

mod resolve;
mod tabulate;
mod values;

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use sundry_term::{Control, Model, Sort, SortId, SymbolId, TermId, TermStore, TheorySet};

use crate::cursor::{syntax, unclosed, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::{Token, shorten};
use crate::model_values::ModelTerms;
use crate::names::NameId;
use crate::reader::{Reader, sort_mismatch};
use crate::scope::{Binding, Scope, SortBinding};
use crate::sorts::{datatypes_in, declarations_in};
use crate::source::{SourceText, Span};

pub use values::ValueError;

/// A model that was read, and what became of its definitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadModel {
    /// The values. Functions may have bodies; what those use beyond the declared symbols
    /// (auxiliary functions, elements of declared sorts) has its value here too.
    pub model: Model,
    /// Where the model stands.
    pub span: Span,
    /// The symbols that the model leaves out, in the order given.
    pub missing: Vec<SymbolId>,
    /// Definitions of other names that nothing in the model uses.
    pub unused: Vec<UnusedDefinition>,
}

/// A definition that matches no declared symbol and that no other definition uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnusedDefinition {
    /// The name that is defined.
    pub name: String,
    /// Where.
    pub span: Span,
}

/// Reads the models in a text, one after another. Definitions of the names of `symbols` give
/// those their values; where several symbols have one name, the last counts.
///
/// The store gains the terms of the definitions.
///
/// # Errors
/// A text that is no model, a definition whose sorts do not fit the declaration, or a value that
/// cannot be represented; never silently another model.
pub fn read_models(
    store: &mut TermStore,
    source: &SourceText,
    symbols: &[SymbolId],
) -> Result<Vec<ReadModel>, Diagnostic> {
    ModelReader::new(store, symbols).models(store, source)
}

/// Reads models of one formula, from as many texts as there are.
pub struct ModelReader {
    scope: Scope,
    model_terms: ModelTerms,
    symbols: Vec<SymbolId>,
    declared: FxHashSet<SymbolId>,
    control: Control,
}

impl ModelReader {
    /// A reader of models of these symbols, which are the store's. It goes with this store, or with one that has all
    /// of its terms.
    pub fn new(store: &mut TermStore, symbols: &[SymbolId]) -> Self {
        let mut scope = Scope::new(store, TheorySet::ALL);
        bind_declarations(&mut scope, store, symbols);
        let declared = symbols.iter().copied().collect();
        let (model_terms, control) = (ModelTerms::default(), Control::default());
        ModelReader { scope, model_terms, symbols: symbols.to_vec(), declared, control }
    }

    /// The same reader, which stops with a control.
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

/// A text of which models are read one by one.
pub struct ModelText<'s> {
    source: Cow<'s, SourceText>,
    /// Behind the last model that was read.
    position: usize,
}

impl<'s> ModelText<'s> {
    /// A text from its beginning.
    pub fn new(source: &'s SourceText) -> Self {
        ModelText { source: with_plain_numbers(source), position: 0 }
    }
}

/// The text with blanks for the marks that cvc5 puts into irrational numbers, which no token may have:
/// `(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)`. Everything else stays where it is.
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
        // What is not ASCII takes several bytes, and is no number.
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
fn bind_declarations(scope: &mut Scope, store: &mut TermStore, symbols: &[SymbolId]) {
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

/// What a model defines.
struct Definition {
    symbol: SymbolId,
    /// The name and where it stands.
    name: Box<str>,
    span: Span,
    parameters: Vec<SymbolId>,
    body: TermId,
    /// Whether the formula declares the symbol.
    is_declared: bool,
}

/// A definition whose body is still to be read.
struct Header {
    symbol: SymbolId,
    name: Box<str>,
    span: Span,
    parameters: Vec<(NameId, SortId)>,
    result: SortId,
    is_declared: bool,
    body_start: usize,
}

impl Reader<'_, '_> {
    /// Skips verdicts up to the parenthesis that opens the next model; `None` at the end.
    fn next_model(&mut self) -> Result<Option<Span>, Diagnostic> {
        loop {
            match self.cursor.next()? {
                (Token::End, _) => return Ok(None),
                (Token::Open, span) => return Ok(Some(span)),
                (Token::Symbol("sat" | "unsat" | "unknown" | "timeout" | "success"), _) => {}
                (token, span) => return Err(unexpected(token, span, "'(' of a model")),
            }
        }
    }

    /// Reads the definitions of a model up to its closing parenthesis.
    fn definitions(
        &mut self,
        open: Span,
        symbols: &FxHashSet<SymbolId>,
    ) -> Result<(Vec<Definition>, Span), Diagnostic> {
        if let Some(model_terms) = self.model_terms.as_mut() {
            model_terms.start_model();
        }
        match self.cursor.peek()? {
            (Token::Symbol("model"), _) => {
                self.cursor.next()?;
            }
            (Token::Symbol("error"), span) => {
                let whole = open.to(self.cursor.skip_to_close(open)?);
                let text = shorten(self.cursor.slice(whole));
                let message = format!("a solver's error message instead of a model: {text}");
                return Err(syntax(span, message));
            }
            _ => {}
        }
        let mut headers: Vec<Header> = Vec::new();
        let close = loop {
            match self.cursor.next()? {
                (Token::Close, span) => break span,
                (Token::Open, span) => headers.extend(self.header(span, symbols)?),
                (Token::End, _) => return Err(unclosed(open)),
                (token, span) => return Err(unexpected(token, span, "a definition or ')'")),
            }
        };
        check_unique(&headers)?;
        let definitions =
            headers.into_iter().map(|header| self.definition(header)).collect::<Result<_, _>>()?;
        Ok((definitions, open.to(close)))
    }

    /// Reads one entry of a model except for the body; entries without a body give `None`.
    fn header(&mut self, open: Span, symbols: &FxHashSet<SymbolId>) -> Result<Option<Header>, Diagnostic> {
        let (token, span) = self.cursor.next()?;
        match token {
            Token::Symbol("define-fun" | "define-fun-rec") => {
                self.definition_header(open, true, symbols).map(Some)
            }
            Token::Symbol("define-const") => self.definition_header(open, false, symbols).map(Some),
            Token::Symbol("declare-fun" | "declare-const") => {
                self.element_declaration(token == Token::Symbol("declare-fun")).map(|()| None)
            }
            Token::Symbol("declare-sort") => self.sort_declaration().map(|()| None),
            Token::Symbol("forall") => self.universe(open).map(|()| None),
            _ => Err(unexpected(token, span, "'define-fun'")),
        }
    }

    /// Reads the rest of `(forall ((x S)) (or (= x e0) (= x e1)))`: the sort has these elements and no others.
    fn universe(&mut self, open: Span) -> Result<(), Diagnostic> {
        let variables = self.sorted_variables()?;
        let (mut count, mut depth) = (0, 1usize);
        while depth > 0 {
            match self.cursor.next()? {
                (Token::Open, _) => depth += 1,
                (Token::Close, _) => depth -= 1,
                // Each element is compared with the variable once.
                (Token::Symbol("="), _) => count += 1,
                (Token::End, _) => return Err(unclosed(open)),
                _ => {}
            }
        }
        if let [(_, sort)] = variables[..]
            && matches!(self.store.sort(sort), Sort::Uninterpreted { .. })
            && count > 0
            && let Some(model_terms) = self.model_terms.as_mut()
        {
            for (name, term) in model_terms.set_universe(self.store, sort, count) {
                let id = self.scope.name(&name);
                self.scope.bind_symbol(id, Binding::Term(term));
            }
        }
        Ok(())
    }

    fn definition_header(
        &mut self,
        open: Span,
        with_parameters: bool,
        symbols: &FxHashSet<SymbolId>,
    ) -> Result<Header, Diagnostic> {
        let (name, span) = self.cursor.expect_symbol("the name of a constant or function")?;
        let parameters = if with_parameters { self.sorted_variables()? } else { Vec::new() };
        let result = self.sort()?;
        let body_start = self.cursor.peek()?.1.start;
        self.cursor.skip_expression("the value")?;
        match self.cursor.next()? {
            (Token::Close, _) => {}
            (Token::End, _) => return Err(unclosed(open)),
            (token, span) => return Err(unexpected(token, span, "')' at the end of the definition")),
        }
        let id = self.scope.name(name);
        let (symbol, is_declared) = match self.declared_symbol(id, symbols) {
            Some(symbol) => {
                self.check_signature(name, span, symbol, &parameters, result)?;
                (symbol, true)
            }
            None => {
                let sorts: Vec<SortId> = parameters.iter().map(|&(_, sort)| sort).collect();
                let symbol = self.store.declare(name, &sorts, result);
                self.scope.bind_declared(id, self.store, symbol);
                (symbol, false)
            }
        };
        Ok(Header { symbol, name: name.into(), span, parameters, result, is_declared, body_start })
    }

    /// The symbol of the formula that a name stands for.
    fn declared_symbol(&self, name: NameId, symbols: &FxHashSet<SymbolId>) -> Option<SymbolId> {
        let symbol = match self.scope.symbol(name)? {
            Binding::Function(symbol) => symbol,
            Binding::Term(term) => self.store.constant_symbol(term)?,
            Binding::Macro(_) | Binding::Operator(_) | Binding::Constructor(_) | Binding::Selector(..) => {
                return None;
            }
        };
        symbols.contains(&symbol).then_some(symbol)
    }

    fn check_signature(
        &self,
        name: &str,
        span: Span,
        symbol: SymbolId,
        parameters: &[(NameId, SortId)],
        result: SortId,
    ) -> Result<(), Diagnostic> {
        let declared = self.store.symbol(symbol);
        let found = parameters.iter().map(|&(_, sort)| sort);
        if found.clone().eq(declared.arguments.iter().copied()) && declared.result == result {
            return Ok(());
        }
        let found: Vec<SortId> = found.collect();
        let message = format!(
            "the model gives '{}' the sorts {}, it is declared with {}",
            shorten(name),
            self.show_signature(&found, result),
            self.show_signature(&declared.arguments, declared.result),
        );
        Err(sort_mismatch(span, message))
    }

    fn show_signature(&self, arguments: &[SortId], result: SortId) -> String {
        let arguments: Vec<String> = arguments.iter().map(|&sort| self.show_sort(sort)).collect();
        format!("({}) {}", arguments.join(" "), self.show_sort(result))
    }

    /// Reads the rest of `(declare-fun e () S)`, which introduces an element of a declared sort.
    fn element_declaration(&mut self, with_arguments: bool) -> Result<(), Diagnostic> {
        let (name, span) = self.cursor.expect_symbol("the name of an element")?;
        if with_arguments {
            self.cursor.expect_open("the sorts of the arguments")?;
            self.cursor.expect_close("the sorts of the arguments of an element, which has none")?;
        }
        let sort = self.sort()?;
        self.cursor.expect_close("the declaration")?;
        let Some(model_terms) = self.model_terms.as_mut() else { return Ok(()) };
        let term = model_terms.element(self.store, name, sort, span)?;
        let id = self.scope.name(name);
        self.scope.bind_symbol(id, Binding::Term(term));
        Ok(())
    }

    /// Reads the rest of `(declare-sort S n)`: new only where the formula does not use the sort.
    fn sort_declaration(&mut self) -> Result<(), Diagnostic> {
        let (name, _) = self.cursor.expect_symbol("the name of a sort")?;
        let (arity, _) = self.cursor.expect_numeral("how many sorts it takes")?;
        self.cursor.expect_close("the declaration")?;
        let id = self.scope.name(name);
        if self.scope.sort(id).is_none() {
            let declaration = self.store.declare_sort(name, arity as usize);
            self.scope.bind_sort(id, SortBinding::Declared(declaration));
        }
        Ok(())
    }

    /// Reads the body of a definition.
    fn definition(&mut self, header: Header) -> Result<Definition, Diagnostic> {
        let Header { symbol, name, span, parameters, result, is_declared, body_start } = header;
        self.cursor.restart(body_start);
        let (parameters, body) = self.body(parameters)?;
        let found = self.store.sort_of(body.term);
        if found != result {
            let (found, expected) = (self.show_sort(found), self.show_sort(result));
            let message = format!("the value of '{}' has sort {found}", shorten(&name));
            return Err(
                sort_mismatch(body.span, message).with_expected(format!("a value of sort {expected}"))
            );
        }
        Ok(Definition { symbol, name, span, parameters, body: body.term, is_declared })
    }
}

fn check_unique(headers: &[Header]) -> Result<(), Diagnostic> {
    let mut seen = FxHashSet::default();
    match headers.iter().find(|header| !seen.insert(header.symbol)) {
        None => Ok(()),
        Some(header) => {
            let message = format!("the model defines '{}' twice", shorten(&header.name));
            Err(Diagnostic::new(DiagnosticKind::Redeclared, header.span, message))
        }
    }
}

//! Declarations of datatypes: `declare-datatypes` and `declare-datatype` (standard, section 4.2.3).

use sundry_term::{DatatypeDefinition, DatatypeId, Field, SortId};

use crate::cursor::{syntax, unexpected};
use crate::diagnostic::Diagnostic;
use crate::lexer::Token;
use crate::names::NameId;
use crate::reader::{Reader, sort_error};
use crate::scope::SortBinding;
use crate::script::Command;
use crate::source::Span;

/// The maximal number of parameters of a datatype.
const MAX_PARAMETERS: u32 = 100;

/// A datatype whose constructors are still to be read.
struct Header {
    datatype: DatatypeId,
    parameters: Vec<SortId>,
    span: Span,
}

/// A constructor with its fields, and where their names stand.
struct ConstructorText {
    name: (NameId, Span),
    fields: Vec<Field>,
    selectors: Vec<(NameId, Span)>,
}

impl Reader<'_, '_> {
    /// Reads the rest of `(declare-datatypes ((D n) ...) (constructors ...))`.
    pub(crate) fn declare_datatypes(&mut self) -> Result<Command, Diagnostic> {
        self.cursor.expect_open("the names of the datatypes")?;
        let mut headers = Vec::new();
        while !self.cursor.at_close()? {
            self.cursor.expect_open("a name with its number of parameters")?;
            let (name, span) = self.cursor.expect_symbol("the name of a datatype")?;
            let (arity, arity_span) = self.cursor.expect_numeral("a number of parameters")?;
            if arity > MAX_PARAMETERS {
                return Err(syntax(
                    arity_span,
                    format!("a datatype has at most {MAX_PARAMETERS} parameters"),
                ));
            }
            self.cursor.expect_close("the name with its number of parameters")?;
            headers.push(self.datatype_header(name, span, arity as usize)?);
        }
        let close = self.cursor.expect_close("the names of the datatypes")?;
        if headers.is_empty() {
            return Err(syntax(close, "at least one datatype is declared"));
        }
        self.cursor.expect_open("the constructors of the datatypes")?;
        let mut bodies = Vec::with_capacity(headers.len());
        for header in &headers {
            bodies.push(self.datatype_body(header)?);
        }
        self.cursor.expect_close("the constructors of the datatypes, as many as there are names")?;
        self.define(&headers, &bodies)
    }

    /// Reads the rest of `(declare-datatype D constructors)`.
    pub(crate) fn declare_datatype(&mut self) -> Result<Command, Diagnostic> {
        let (name, span) = self.cursor.expect_symbol("the name of a datatype")?;
        let arity = self.parameters_ahead()?;
        let header = self.datatype_header(name, span, arity)?;
        let body = self.datatype_body(&header)?;
        self.define(&[header], &[body])
    }

    /// The number of parameters that the coming declaration binds by `par`.
    fn parameters_ahead(&mut self) -> Result<usize, Diagnostic> {
        let start = self.cursor.offset();
        self.cursor.expect_open("the constructors")?;
        let mut count = 0;
        if let (Token::Symbol("par"), _) = self.cursor.next()? {
            self.cursor.expect_open("the parameters")?;
            while !self.cursor.at_close()? {
                self.cursor.expect_symbol("a parameter")?;
                count += 1;
            }
        }
        self.cursor.restart(start);
        Ok(count)
    }

    /// Makes the name of a datatype known, with sorts that stand for its parameters.
    fn datatype_header(&mut self, name: &str, span: Span, arity: usize) -> Result<Header, Diagnostic> {
        let id = self.unbound_sort_name(name, span)?;
        let mut parameters = Vec::with_capacity(arity);
        for position in 0..arity {
            parameters.push(self.placeholder(&format!("{name}!{position}")));
        }
        let datatype = self.store.declare_datatype(name, &parameters);
        self.scope.bind_sort(id, SortBinding::Datatype(datatype));
        Ok(Header { datatype, parameters, span })
    }

    /// Reads the constructors of a datatype, with or without parameters.
    fn datatype_body(&mut self, header: &Header) -> Result<Vec<ConstructorText>, Diagnostic> {
        let open = self.cursor.expect_open("the constructors")?;
        if let (Token::Symbol("par"), _) = self.cursor.peek()? {
            self.cursor.next()?;
            let parameters = self.sort_parameters()?;
            if parameters.len() != header.parameters.len() {
                let (stated, found) = (header.parameters.len(), parameters.len());
                return Err(syntax(
                    open,
                    format!("the datatype has {stated} parameters, but 'par' binds {found}"),
                ));
            }
            let names = parameters.iter().map(|&(name, _)| name);
            let hidden = self.scope.hide_sorts(names.zip(header.parameters.iter().copied()));
            let constructors = self.parenthesised_constructors();
            self.scope.show_sorts(hidden);
            let constructors = constructors?;
            self.cursor.expect_close("the declaration with parameters")?;
            return Ok(constructors);
        }
        if !header.parameters.is_empty() {
            return Err(
                syntax(open, "a datatype with parameters binds them").with_expected("(par (X ...) (...))")
            );
        }
        self.constructors(open)
    }

    fn parenthesised_constructors(&mut self) -> Result<Vec<ConstructorText>, Diagnostic> {
        let open = self.cursor.expect_open("the constructors")?;
        self.constructors(open)
    }

    /// Reads constructors up to the closing parenthesis.
    fn constructors(&mut self, open: Span) -> Result<Vec<ConstructorText>, Diagnostic> {
        let mut constructors = Vec::new();
        loop {
            match self.cursor.next()? {
                (Token::Close, span) if constructors.is_empty() => {
                    return Err(syntax(open.to(span), "a datatype has at least one constructor"));
                }
                (Token::Close, _) => return Ok(constructors),
                (Token::Open, _) => constructors.push(self.constructor()?),
                (Token::Symbol(name) | Token::QuotedSymbol(name), span) => {
                    let name = (self.unbound_name(name, span)?, span);
                    constructors.push(ConstructorText { name, fields: Vec::new(), selectors: Vec::new() });
                }
                (token, span) => return Err(unexpected(token, span, "a constructor or ')'")),
            }
        }
    }

    /// Reads the rest of `(constructor (selector S) ...)`.
    fn constructor(&mut self) -> Result<ConstructorText, Diagnostic> {
        let (name, span) = self.cursor.expect_symbol("the name of a constructor")?;
        let name = (self.unbound_name(name, span)?, span);
        let (mut fields, mut selectors) = (Vec::new(), Vec::new());
        while !self.cursor.at_close()? {
            self.cursor.expect_open("a selector")?;
            let (selector, span) = self.cursor.expect_symbol("the name of a selector")?;
            selectors.push((self.unbound_name(selector, span)?, span));
            fields.push(Field { selector: selector.into(), sort: self.sort()? });
            self.cursor.expect_close("the selector")?;
        }
        self.cursor.expect_close("the constructor")?;
        Ok(ConstructorText { name, fields, selectors })
    }

    /// Gives the datatypes their constructors and makes the names of these known.
    fn define(&mut self, headers: &[Header], bodies: &[Vec<ConstructorText>]) -> Result<Command, Diagnostic> {
        let names: Vec<(NameId, Span)> = bodies
            .iter()
            .flatten()
            .flat_map(|constructor| {
                std::iter::once(constructor.name).chain(constructor.selectors.iter().copied())
            })
            .collect();
        self.check_distinct(&names)?;
        let constructors = |body: &[ConstructorText]| {
            let constructor =
                |text: &ConstructorText| (self.scope.text(text.name.0).into(), text.fields.clone());
            body.iter().map(constructor).collect()
        };
        let definitions: Vec<DatatypeDefinition> = headers
            .iter()
            .zip(bodies)
            .map(|(header, body)| DatatypeDefinition {
                datatype: header.datatype,
                constructors: constructors(body),
            })
            .collect();
        let span = headers[0].span;
        self.store.define_datatypes(&definitions).map_err(|error| sort_error(span, &error))?;
        for header in headers {
            self.scope.bind_constructors(self.store, header.datatype);
        }
        Ok(Command::DeclareDatatypes(headers.iter().map(|header| header.datatype).collect()))
    }
}

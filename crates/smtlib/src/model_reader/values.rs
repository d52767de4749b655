//! Models given by a text for each value, as rows of a table have them.
//!
//! Almost all values are literals, which take a fast path, because files have millions of rows. Other values are read
//! like those of definitions, a function as a `lambda` of SMT-LIB 2.7.

use std::fmt;

use sundry_term::{BitVector, Model, Sort, SortId, SymbolId, TermStore, Value};

use super::ModelReader;
use super::definitions::{Definition, Header};
use crate::cursor::{syntax, unclosed, unexpected};
use crate::diagnostic::Diagnostic;
use crate::lexer::Token;
use crate::reader::Reader;
use crate::source::Span;

/// The error that a text is not a value of its symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueError {
    /// The position of the value; `None` if the values do not fit together.
    pub position: Option<usize>,
    /// A description of the fault, at a place of that text.
    pub diagnostic: Diagnostic,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl std::error::Error for ValueError {}

impl ModelReader {
    /// The model in which symbols have the values of these texts. Other symbols have no value. Elements of declared
    /// sorts with the same name are the same.
    ///
    /// # Errors
    /// If a text is not a value of its symbol's sort.
    pub fn values(
        &mut self,
        store: &mut TermStore,
        values: &[(SymbolId, &str)],
    ) -> Result<Model, ValueError> {
        let mark = self.scope.mark();
        let model = self.values_in_scope(store, values);
        self.scope.rewind(mark);
        model
    }

    fn values_in_scope(
        &mut self,
        store: &mut TermStore,
        values: &[(SymbolId, &str)],
    ) -> Result<Model, ValueError> {
        let mut literals = Vec::with_capacity(values.len());
        let mut definitions = Vec::new();
        for (position, &(symbol, text)) in values.iter().enumerate() {
            match literal(store, symbol, text) {
                Some(value) => literals.push((symbol, value)),
                None => {
                    if definitions.is_empty() {
                        self.model_terms.start_model();
                    }
                    let mut reader = Reader::new(text, 0, store, &mut self.scope, &self.control);
                    reader.model_terms = Some(&mut self.model_terms);
                    let definition = reader.value(symbol);
                    definitions.push(
                        definition
                            .map_err(|diagnostic| ValueError { position: Some(position), diagnostic })?,
                    );
                }
            }
        }
        let mut model = if definitions.is_empty() {
            Model::new()
        } else {
            let whole = Span::new(0, 0);
            super::resolve::resolve(store, &mut self.model_terms, &definitions, &[], whole)
                .map_err(|diagnostic| ValueError { position: None, diagnostic })?
                .model
        };
        for (symbol, value) in literals {
            model.set_constant(symbol, value);
        }
        Ok(model)
    }
}

/// The value of a Boolean or bit-vector constant, if the text is its literal.
fn literal(store: &TermStore, symbol: SymbolId, text: &str) -> Option<Value> {
    let declared = store.symbol(symbol);
    match *store.sort(declared.result) {
        _ if !declared.arguments.is_empty() => None,
        Sort::Bool => match text {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::BitVec(width) => {
            let bits = match text.split_at_checked(2)? {
                ("#x", digits) if digits.len() as u32 * 4 == width => BitVector::from_hexadecimal(digits),
                ("#b", digits) if digits.len() as u32 == width => BitVector::from_binary(digits),
                _ => None,
            };
            bits.map(Value::BitVec)
        }
        _ => None,
    }
}

impl Reader<'_, '_> {
    /// Reads all of the text as the value of a symbol.
    fn value(&mut self, symbol: SymbolId) -> Result<Definition, Diagnostic> {
        let declared = self.store.symbol(symbol);
        let (name, result) = (declared.name.clone(), declared.result);
        let sorts: Vec<SortId> = declared.arguments.to_vec();
        let mut open = None;
        let mut parameters = Vec::new();
        if !sorts.is_empty() {
            let start = self.cursor.expect_open("a function (lambda ((x SORT)) VALUE)")?;
            match self.cursor.next()? {
                (Token::Symbol("lambda"), _) => {}
                (token, span) => return Err(unexpected(token, span, "'lambda'")),
            }
            parameters = self.sorted_variables()?;
            self.check_signature(&name, start, symbol, &parameters, result)?;
            open = Some(start);
        }
        let body_start = self.cursor.peek()?.1.start;
        let span = Span::new(0, 0);
        let header = Header { symbol, name, span, parameters, result, is_declared: true, body_start };
        let definition = self.definition(header)?;
        match (open, self.cursor.next()?) {
            (None, (Token::End, _)) => return Ok(definition),
            (Some(_), (Token::Close, _)) => {}
            (Some(open), (Token::End, _)) => return Err(unclosed(open)),
            (_, (token, span)) => return Err(unexpected(token, span, "the end of the value")),
        }
        match self.cursor.next()? {
            (Token::End, _) => Ok(definition),
            (_, span) => Err(syntax(span, "unexpected text follows the value")),
        }
    }
}

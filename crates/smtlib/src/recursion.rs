//! Recursive definitions: `define-fun-rec` and `define-funs-rec` (standard, section 4.2.3).
//!
//! A recursive definition cannot be expanded at its uses. Its functions become symbols, known before the bodies are
//! read, and the store keeps their definitions.

use sundry_term::{SortId, SymbolId, TermId};

use crate::cursor::syntax;
use crate::diagnostic::Diagnostic;
use crate::lexer::shorten;
use crate::names::NameId;
use crate::reader::{Reader, sort_mismatch};
use crate::scope::Binding;
use crate::script::Command;

/// A function whose body is still to be read.
struct Head {
    symbol: SymbolId,
    variables: Vec<(NameId, SortId)>,
}

impl Reader<'_, '_> {
    /// Reads the rest of `(define-fun-rec f ((x S) ...) S t)`.
    pub(crate) fn define_recursive(&mut self) -> Result<Command, Diagnostic> {
        let head = self.recursive_head()?;
        let definition = self.recursive_body(head)?;
        Ok(self.define_functions(vec![definition]))
    }

    /// Reads the rest of `(define-funs-rec ((f ((x S) ...) S) ...) (t ...))`.
    pub(crate) fn define_recursive_together(&mut self) -> Result<Command, Diagnostic> {
        self.cursor.expect_open("the functions")?;
        let mut heads = Vec::new();
        while !self.cursor.at_close()? {
            self.cursor.expect_open("a function with its parameters and sort")?;
            heads.push(self.recursive_head()?);
            self.cursor.expect_close("the function with its parameters and sort")?;
        }
        let close = self.cursor.expect_close("the functions")?;
        if heads.is_empty() {
            return Err(syntax(close, "at least one function is defined"));
        }
        self.cursor.expect_open("the bodies of the functions")?;
        let mut definitions = Vec::with_capacity(heads.len());
        for head in heads {
            definitions.push(self.recursive_body(head)?);
        }
        self.cursor.expect_close("the bodies of the functions, as many as there are functions")?;
        Ok(self.define_functions(definitions))
    }

    /// Reads the name, parameters and sort of a function and makes it known.
    fn recursive_head(&mut self) -> Result<Head, Diagnostic> {
        let (name, span) = self.cursor.expect_symbol("the name of a function")?;
        let id = self.unbound_name(name, span)?;
        let variables = self.sorted_variables()?;
        let result = self.sort()?;
        let sorts: Vec<SortId> = variables.iter().map(|&(_, sort)| sort).collect();
        let symbol = self.store.declare_defined(name, &sorts, result);
        let binding = match sorts.is_empty() {
            true => Binding::Term(self.store.symbol_term(symbol)),
            false => Binding::Function(symbol),
        };
        self.scope.bind_symbol(id, binding);
        Ok(Head { symbol, variables })
    }

    fn recursive_body(&mut self, head: Head) -> Result<(SymbolId, Vec<SymbolId>, TermId), Diagnostic> {
        let Head { symbol, variables } = head;
        let result = self.store.symbol(symbol).result;
        let (parameters, mut body) = self.body(variables)?;
        if result == SortId::REAL {
            body.term = self.make_real(body.term);
        }
        let found = self.store.sort_of(body.term);
        if found != result {
            let (found, expected) = (self.show_sort(found), self.show_sort(result));
            let name = shorten(&self.store.symbol(symbol).name);
            let message = format!("the definition of '{name}' has sort {found}");
            return Err(sort_mismatch(body.span, message).with_expected(format!("a term of sort {expected}")));
        }
        Ok((symbol, parameters, body.term))
    }

    fn define_functions(&mut self, definitions: Vec<(SymbolId, Vec<SymbolId>, TermId)>) -> Command {
        let symbols = definitions.iter().map(|&(symbol, ..)| symbol).collect();
        self.store.define_functions(definitions);
        Command::DefineRecursive(symbols)
    }
}

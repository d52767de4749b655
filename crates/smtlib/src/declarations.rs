//! Declarations and definitions of sorts and symbols: the text after the name of the command, and the binding of the
//! name.

use sundry_term::{Sort, SortId, TheoryName};

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::shorten;
use crate::macros::Macro;
use crate::names::NameId;
use crate::reader::{INTEGERS, Reader, sort_mismatch, unsupported};
use crate::scope::{Binding, SortBinding, SortDefinition};
use crate::script::{Command, Definition};
use crate::source::Span;

impl Reader<'_, '_> {
    pub(crate) fn declare_sort(&mut self) -> Result<Command, Diagnostic> {
        let (name, name_span) = self.cursor.expect_symbol("the name of a sort")?;
        let id = self.unbound_sort_name(name, name_span)?;
        let arity = if self.cursor.at_close()? {
            0
        } else {
            self.cursor.expect_numeral("the number of sorts that it takes")?.0
        };
        let declaration = self.store.declare_sort(name, arity as usize);
        self.scope.bind_sort(id, SortBinding::Declared(declaration));
        Ok(Command::DeclareSort(declaration))
    }

    pub(crate) fn define_sort(&mut self) -> Result<Command, Diagnostic> {
        let (name, name_span) = self.cursor.expect_symbol("the name of a sort")?;
        let id = self.unbound_sort_name(name, name_span)?;
        let parameters = self.sort_parameters()?;
        let names: Vec<NameId> = parameters.into_iter().map(|(parameter, _)| parameter).collect();
        let parameters: Vec<SortId> = names
            .iter()
            .map(|&name| {
                let name = self.scope.text(name).to_string();
                self.placeholder(&name)
            })
            .collect();
        let hidden = self.scope.hide_sorts(names.into_iter().zip(parameters.iter().copied()));
        let body = self.sort();
        self.scope.show_sorts(hidden);
        let definition = SortDefinition { parameters, body: body? };
        self.scope.sort_definitions.push(definition);
        self.scope.bind_sort(id, SortBinding::Defined(self.scope.sort_definitions.len() - 1));
        Ok(Command::DefineSort(name.to_string()))
    }

    /// A new sort that stands for a parameter of a definition.
    pub(crate) fn placeholder(&mut self, name: &str) -> SortId {
        let declaration = self.store.declare_sort(name, 0);
        let placeholder = Sort::Uninterpreted { declaration, arguments: Box::default() };
        self.store.intern_sort(placeholder).expect("a sort without arguments is legal")
    }

    pub(crate) fn sort_parameters(&mut self) -> Result<Vec<(NameId, Span)>, Diagnostic> {
        self.cursor.expect_open("the parameters")?;
        let mut parameters = Vec::new();
        while !self.cursor.at_close()? {
            let (name, span) = self.cursor.expect_symbol("a parameter or ')'")?;
            parameters.push((self.scope.name(name), span));
        }
        self.cursor.expect_close("the parameters")?;
        self.check_distinct(&parameters)?;
        Ok(parameters)
    }

    pub(crate) fn unbound_sort_name(&mut self, name: &str, span: Span) -> Result<NameId, Diagnostic> {
        let id = self.scope.name(name);
        if self.scope.sort(id).is_none() && name != "BitVec" {
            return Ok(id);
        }
        let message = format!("the sort '{}' is declared already", shorten(name));
        Err(Diagnostic::new(DiagnosticKind::Redeclared, span, message))
    }

    // ---- symbols

    pub(crate) fn declare_symbol(&mut self, with_arguments: bool) -> Result<Command, Diagnostic> {
        let (name, name_span) = self.cursor.expect_symbol("the name of a constant or function")?;
        let id = self.unbound_name(name, name_span)?;
        let mut arguments = Vec::new();
        if with_arguments {
            self.cursor.expect_open("the sorts of the arguments")?;
            while !self.cursor.at_close()? {
                arguments.push(self.declared_sort()?);
            }
            self.cursor.expect_close("the sorts of the arguments")?;
        }
        let result = self.declared_sort()?;
        let symbol = self.store.declare(name, &arguments, result);
        self.scope.bind_declared(id, self.store, symbol);
        Ok(Command::DeclareSymbol(symbol))
    }

    /// Reads a sort that symbols may have.
    fn declared_sort(&mut self) -> Result<SortId, Diagnostic> {
        let (_, span) = self.cursor.peek()?;
        let sort = self.sort()?;
        if sort == SortId::INT && !self.reads(TheoryName::Integers) {
            return Err(unsupported(span, "a symbol of sort 'Int'", TheoryName::Integers).with_help(INTEGERS));
        }
        Ok(sort)
    }

    pub(crate) fn define_symbol(&mut self, with_parameters: bool) -> Result<Command, Diagnostic> {
        let (name, name_span) = self.cursor.expect_symbol("the name of a constant or function")?;
        let id = match self.scope.defined_in_text(name) {
            Some(id) => id,
            None => self.unbound_name(name, name_span)?,
        };
        let variables = if with_parameters { self.sorted_variables()? } else { Vec::new() };
        let sort = self.sort()?;
        let (parameters, mut body) = self.body(variables)?;
        if sort == SortId::REAL {
            body.term = self.make_real(body.term);
        }
        let found = self.store.sort_of(body.term);
        if found != sort {
            let (found, expected) = (self.show_sort(found), self.show_sort(sort));
            let message = format!("the definition of '{}' has sort {found}", shorten(name));
            return Err(sort_mismatch(body.span, message).with_expected(format!("a term of sort {expected}")));
        }
        let binding = if parameters.is_empty() {
            self.check_integers(body)?;
            Binding::Term(body.term)
        } else {
            self.scope.macros.push(Macro::new(self.store, name, parameters.clone(), body.term));
            Binding::Macro(self.scope.macros.len() - 1)
        };
        self.scope.bind_symbol(id, binding);
        if let Some(names) = &mut self.scope.only_definitions {
            names.insert(id);
        }
        Ok(Command::Define(Definition { name: name.to_string(), parameters, sort, body: body.term }))
    }

    /// Reads a list of variables with their sorts: `((x S) ...)`.
    pub(crate) fn sorted_variables(&mut self) -> Result<Vec<(NameId, SortId)>, Diagnostic> {
        self.cursor.expect_open("the parameters")?;
        let mut names = Vec::new();
        let mut sorts = Vec::new();
        while !self.cursor.at_close()? {
            self.cursor.expect_open("a parameter")?;
            let (name, span) = self.cursor.expect_symbol("the name of a parameter")?;
            names.push((self.scope.name(name), span));
            sorts.push(self.sort()?);
            self.cursor.expect_close("the parameter")?;
        }
        self.cursor.expect_close("the parameters")?;
        self.check_distinct(&names)?;
        Ok(names.into_iter().map(|(name, _)| name).zip(sorts).collect())
    }
}

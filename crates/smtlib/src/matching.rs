//! `match`: a datatype value taken apart by its constructor (standard, section 3.6.1).
//!
//! A `match` leaves no node: its cases become testers and selectors with the same meaning.

use sundry_term::{ConstructorId, DatatypeOp, Op, Sort, TermId};

use crate::cursor::{syntax, unexpected};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Token, shorten};
use crate::names::NameId;
use crate::reader::{Reader, sort_error, sort_mismatch};
use crate::scope::Binding;
use crate::source::Span;
use crate::terms::{Fault, SpannedTerm, Stacks};

/// A `match` whose cases are being read.
pub(crate) struct Match {
    /// The value that is taken apart.
    value: TermId,
    /// The constructors of its datatype.
    constructors: Vec<ConstructorId>,
    /// The constructor of the case that is being read; `None` for a case that takes all others.
    constructor: Option<ConstructorId>,
    cases: Vec<(Option<ConstructorId>, SpannedTerm)>,
}

impl Match {
    /// Notes the body of the case that was being read.
    pub(crate) fn end_case(&mut self, body: SpannedTerm) {
        self.cases.push((self.constructor, body));
    }
}

impl Reader<'_, '_> {
    /// Begins the cases for a value.
    pub(crate) fn match_value(&mut self, value: SpannedTerm) -> Result<Match, Diagnostic> {
        let sort = self.store.sort_of(value.term);
        let Sort::Datatype { declaration, .. } = *self.store.sort(sort) else {
            let message = format!("this term has sort {}", self.show_sort(sort));
            return Err(sort_mismatch(value.span, message).with_expected("a value of a datatype"));
        };
        let constructors = self.store.datatype(declaration).constructors.to_vec();
        Ok(Match { value: value.term, constructors, constructor: None, cases: Vec::new() })
    }

    /// Reads the pattern of the next case of the innermost `match` and binds its variables; returns the whole term if
    /// there is no further case.
    pub(crate) fn next_case(
        &mut self,
        open: Span,
        stacks: &mut Stacks,
    ) -> Result<Option<SpannedTerm>, Diagnostic> {
        match self.cursor.next()? {
            (Token::Open, _) => self.pattern(stacks).map(|()| None),
            (Token::Close, _) => {
                let span = open.to(self.cursor.expect_close("'match'")?);
                let Some(whole) = stacks.matches.pop() else { unreachable!("its cases are being read") };
                Ok(Some(SpannedTerm { term: self.decide(whole, span)?, span }))
            }
            (token, span) => Err(unexpected(token, span, "a case '(pattern term)' or ')'")),
        }
    }

    fn pattern(&mut self, stacks: &mut Stacks) -> Result<(), Diagnostic> {
        let Some(innermost) = stacks.matches.last_mut() else { unreachable!("its cases are being read") };
        let value = innermost.value;
        match self.cursor.next()? {
            (Token::Symbol(name) | Token::QuotedSymbol(name), span) => {
                let id = self.scope.name(name);
                innermost.constructor = match self.scope.symbol(id) {
                    Some(Binding::Constructor(constructor)) => Some(constructor),
                    _ => None,
                };
                match innermost.constructor {
                    Some(constructor) => self.check_pattern(innermost, constructor, name, &[], span),
                    None => {
                        stacks.hide(self.scope, id, Binding::Term(value));
                        Ok(())
                    }
                }
            }
            (Token::Open, open) => {
                let (name, span) = self.cursor.expect_symbol("the name of a constructor")?;
                let id = self.scope.name(name);
                let Some(Binding::Constructor(constructor)) = self.scope.symbol(id) else {
                    return Err(sort_mismatch(span, format!("'{}' is no constructor", shorten(name))));
                };
                let mut variables = Vec::new();
                while !self.cursor.at_close()? {
                    // A value without uses needs no name.
                    let (variable, span) = match self.cursor.peek()? {
                        (Token::Symbol("_"), _) => ("_", self.cursor.next()?.1),
                        _ => self.cursor.expect_symbol("a variable or '_'")?,
                    };
                    variables.push((self.scope.name(variable), span));
                }
                let span = open.to(self.cursor.expect_close("the pattern")?);
                innermost.constructor = Some(constructor);
                self.check_pattern(innermost, constructor, name, &variables, span)?;
                for ((variable, _), field) in variables.into_iter().zip(0..) {
                    let select = Op::Datatype(DatatypeOp::Select { constructor, field });
                    let selected =
                        self.store.term(select, &[value]).map_err(|error| sort_error(span, &error))?;
                    stacks.hide(self.scope, variable, Binding::Term(selected));
                }
                Ok(())
            }
            (token, span) => Err(unexpected(token, span, "a pattern: a constructor or a variable")),
        }
    }

    /// Reports a constructor of another datatype, a wrong number of variables, or one that is there twice.
    fn check_pattern(
        &self,
        innermost: &Match,
        constructor: ConstructorId,
        name: &str,
        variables: &[(NameId, Span)],
        span: Span,
    ) -> Result<(), Diagnostic> {
        if !innermost.constructors.contains(&constructor) {
            let sort = self.show_sort(self.store.sort_of(innermost.value));
            return Err(sort_mismatch(span, format!("'{}' is not a constructor of {sort}", shorten(name))));
        }
        let count = self.store.constructor(constructor).fields.len();
        if variables.len() != count {
            let (name, found) = (shorten(name), variables.len());
            let plural = if count == 1 { "field" } else { "fields" };
            let message = format!("'{name}' has {count} {plural}, the pattern has {found}");
            return Err(sort_mismatch(span, message));
        }
        let named: Vec<(NameId, Span)> =
            variables.iter().copied().filter(|&(variable, _)| self.scope.text(variable) != "_").collect();
        self.check_distinct(&named)
    }

    /// The cases as conditionals.
    fn decide(&mut self, whole: Match, span: Span) -> Result<TermId, Diagnostic> {
        let Match { value, constructors, mut cases, .. } = whole;
        // Cases after one that takes everything are never reached.
        let everything = cases.iter().position(|(constructor, _)| constructor.is_none());
        cases.truncate(everything.map_or(cases.len(), |position| position + 1));
        let is_missing = |it: &&ConstructorId| !cases.iter().any(|(case, _)| *case == Some(**it));
        if everything.is_none()
            && let Some(&missing) = constructors.iter().find(is_missing)
        {
            let name = shorten(&self.store.constructor(missing).name);
            return Err(syntax(span, format!("this 'match' has no case for '{name}'")));
        }
        let Some((_, last)) = cases.pop() else { unreachable!("a datatype has constructors") };
        let mut result = last.term;
        for (constructor, body) in cases.into_iter().rev() {
            let Some(constructor) = constructor else { unreachable!("only the last takes everything") };
            let test = self.store.make(Op::Datatype(DatatypeOp::Test(constructor)), &[value]);
            let arguments = self.with_reals(Op::Ite, &[test, body.term, result]);
            let term = self.store.term(Op::Ite, &arguments).map_err(Fault::from);
            result = term.map_err(|fault| fault.locate(body.span, |_| body.span))?;
        }
        Ok(result)
    }
}

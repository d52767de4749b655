//! Expressions with operators of different binding, read with stacks of their own instead of recursion.
//!
//! This is Dijkstra's shunting yard: an operator waits until the next one binds less tightly, and is then applied to
//! its operands. A text nested a million deep takes memory, not stack.

use sundry_smtlib::{Diagnostic, DiagnosticKind, Span};

/// An operator of a language.
pub(crate) trait Operator: Copy {
    /// The binding strength of the operator; a greater number binds more tightly. Operators of the same strength
    /// apply from left to right.
    fn binding(self) -> u8;

    /// Whether the operator stands before its only operand.
    fn is_prefix(self) -> bool;
}

/// An operator or parenthesis that waits for its operands.
enum Waiting<O> {
    Open(Span),
    Operator(O, Span),
}

/// An expression as far as it was read.
pub(crate) struct Expression<T, O> {
    operands: Vec<(T, Span)>,
    waiting: Vec<Waiting<O>>,
}

/// Applies operators: to one operand those that are prefixes, to two the others.
pub(crate) trait Apply<T, O> {
    /// The result of an operator at a place.
    ///
    /// # Errors
    /// The operands do not fit.
    fn apply(&mut self, operator: (O, Span), operands: &[(T, Span)]) -> Result<T, Diagnostic>;
}

impl<T, O: Operator> Expression<T, O> {
    pub(crate) fn new() -> Self {
        Expression { operands: Vec::new(), waiting: Vec::new() }
    }

    /// An operand, where one is expected.
    pub(crate) fn operand(&mut self, operand: T, span: Span) {
        self.operands.push((operand, span));
    }

    /// An operator before its operand, where an operand is expected.
    pub(crate) fn prefix(&mut self, operator: O, span: Span) {
        self.waiting.push(Waiting::Operator(operator, span));
    }

    /// A parenthesis that opens, where an operand is expected.
    pub(crate) fn open(&mut self, span: Span) {
        self.waiting.push(Waiting::Open(span));
    }

    /// Takes an operator between operands, after the first of them.
    pub(crate) fn infix(
        &mut self,
        operator: O,
        span: Span,
        apply: &mut impl Apply<T, O>,
    ) -> Result<(), Diagnostic> {
        self.settle(operator.binding(), apply)?;
        self.waiting.push(Waiting::Operator(operator, span));
        Ok(())
    }

    /// Takes a parenthesis that closes, after an operand.
    pub(crate) fn close(&mut self, span: Span, apply: &mut impl Apply<T, O>) -> Result<(), Diagnostic> {
        self.settle(0, apply)?;
        match (self.waiting.pop(), self.operands.last_mut()) {
            (Some(Waiting::Open(open)), Some((_, place))) => {
                *place = open.to(span);
                Ok(())
            }
            _ => Err(Diagnostic::new(DiagnosticKind::Syntax, span, "no parenthesis is open here")),
        }
    }

    /// The value of the whole, after the last operand.
    pub(crate) fn end(mut self, apply: &mut impl Apply<T, O>) -> Result<(T, Span), Diagnostic> {
        self.settle(0, apply)?;
        match (self.waiting.pop(), self.operands.pop()) {
            (None, Some(operand)) => Ok(operand),
            (Some(Waiting::Open(span) | Waiting::Operator(_, span)), _) => {
                Err(Diagnostic::new(DiagnosticKind::Syntax, span, "this parenthesis is not closed"))
            }
            (None, None) => unreachable!("the end comes behind an operand"),
        }
    }

    /// Applies waiting operators that bind at least this tightly, up to the last parenthesis.
    fn settle(&mut self, binding: u8, apply: &mut impl Apply<T, O>) -> Result<(), Diagnostic> {
        while let Some(&Waiting::Operator(operator, span)) = self.waiting.last() {
            if operator.binding() < binding {
                break;
            }
            self.waiting.pop();
            let arity = if operator.is_prefix() { 1 } else { 2 };
            let first = self.operands.len() - arity;
            let place = self.operands[first].1.to(span).to(self.operands[self.operands.len() - 1].1);
            let result = apply.apply((operator, span), &self.operands[first..])?;
            self.operands.truncate(first);
            self.operands.push((result, place));
        }
        Ok(())
    }
}

//! Integers in formulas over bit-vectors: values of bit-vectors, numerals, and results computed from them.
//!
//! The solver has no unknown integers. It handles integers whose number of bits follows from the term, as in `(< (+
//! (ubv_to_int x) 1) (ubv_to_int y))`. So a text that may use bit-vectors, but not [`TheoryName::Integers`], may have
//! operators on integers but no symbols of that sort, and this module checks every asserted or queried term: every
//! integer has a bound, and no quotient is left open. It checks whole terms, since parameters of definitions are
//! integers too until arguments replace them. A second solver for unbounded integers was rejected.

use rustc_hash::FxHashMap;
use sundry_term::{
    ArithmeticOp, MAX_WIDTH, Op, SortId, TermId, TermStore, TheoryName, Value, twos_complement,
};

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::shorten;
use crate::print::print_term;
use crate::reader::{Reader, unsupported};
use crate::terms::SpannedTerm;

/// The facts about the terms that were checked.
#[derive(Default)]
pub(crate) struct Integers {
    /// Whether there is any integer in the text.
    pub(crate) are_used: bool,
    /// Bits that an integer needs, at most; of other terms only that they were checked.
    checked: FxHashMap<TermId, u64>,
}

impl Reader<'_, '_> {
    /// Notes that the text has integers.
    pub(crate) fn note_integer(&mut self, term: TermId) {
        self.scope.integers.are_used |= self.store.sort_of(term) == SortId::INT;
    }

    /// Checks that all integers in a term are bounded.
    pub(crate) fn check_integers(&mut self, root: SpannedTerm) -> Result<(), Diagnostic> {
        if self.reads(TheoryName::Integers) || !self.scope.integers.are_used {
            return Ok(());
        }
        let integers = &mut self.scope.integers;
        let mut missing = vec![root.term];
        let mut stack = vec![root.term];
        while let Some(term) = stack.pop() {
            for &argument in self.store.args(term) {
                if integers.checked.insert(argument, 0).is_none() {
                    missing.push(argument);
                    stack.push(argument);
                }
            }
        }
        missing.sort_unstable();
        for term in missing {
            let bits = match self.store.sort_of(term) == SortId::INT {
                true => bits(self.store, &integers.checked, term),
                false => Ok(0),
            };
            match bits {
                Ok(bits) => integers.checked.insert(term, bits),
                Err(fault) => {
                    // Nothing is known about terms that were not reached.
                    integers.checked.clear();
                    return Err(fault.diagnostic(self.store, term, root));
                }
            };
        }
        Ok(())
    }
}

/// The reason for which an integer has no bound.
enum Fault {
    Unbounded,
    Divisor,
    TooWide,
}

impl Fault {
    fn diagnostic(&self, store: &TermStore, term: TermId, root: SpannedTerm) -> Diagnostic {
        let text = shorten(&print_term(store, term));
        match self {
            Fault::Unbounded => unsupported(root.span, &format!("the integer {text}"), TheoryName::Integers),
            Fault::Divisor => unsupported(root.span, &format!("the quotient {text}"), TheoryName::Integers)
                .with_help("a divisor must be a number other than 0: the standard leaves division by 0 open"),
            Fault::TooWide => {
                let message = format!("the integer {text} may need more than {MAX_WIDTH} bits");
                Diagnostic::new(DiagnosticKind::Limit, root.span, message)
            }
        }
    }
}

/// The number of bits that an integer needs, given the numbers of its arguments, as far as the evaluator computes
/// with integers.
fn bits(store: &TermStore, known: &FxHashMap<TermId, u64>, term: TermId) -> Result<u64, Fault> {
    use ArithmeticOp::*;
    let arguments = store.args(term);
    let of = |position: usize| known.get(&arguments[position]).copied().unwrap_or(0);
    let limit = |bits: u64| if bits > u64::from(MAX_WIDTH) { Err(Fault::TooWide) } else { Ok(bits) };
    let fold = |step: fn(u64, u64) -> u64| {
        (1..arguments.len()).try_fold(of(0), |so_far, next| {
            limit(so_far + of(next))?;
            limit(step(so_far, of(next)))
        })
    };
    let operator = match store.op(term) {
        Op::Constant(_) => match store.value(term) {
            Some(Value::Int(number)) => return limit(u64::from(twos_complement(number).width())),
            _ => return Err(Fault::Unbounded),
        },
        Op::Ite => return Ok(of(1).max(of(2))),
        Op::Arithmetic(operator) => operator,
        _ => return Err(Fault::Unbounded),
    };
    match operator {
        UnsignedToInt | SignedToInt => {
            limit(store.width(arguments[0]).map_or(0, |width| u64::from(width) + 1))
        }
        Add | Sub if arguments.len() > 1 => fold(|left, right| left.max(right) + 1),
        Sub | Abs => limit(of(0) + 1),
        Mul => fold(|left, right| left + right),
        Div | Mod if arguments[1..].iter().any(|&divisor| !is_number_but_zero(store, divisor)) => {
            Err(Fault::Divisor)
        }
        Div => fold(|left, _| left + 1),
        Mod => fold(|_, right| right),
        _ => Err(Fault::Unbounded),
    }
}

/// Whether a term is a number other than 0, with or without a sign.
fn is_number_but_zero(store: &TermStore, term: TermId) -> bool {
    let is_other = |term: TermId| matches!(store.value(term), Some(Value::Int(number)) if !number.is_zero());
    let is_negative = store.op(term) == Op::Arithmetic(ArithmeticOp::Sub) && store.args(term).len() == 1;
    is_other(term) || is_negative && is_other(store.args(term)[0])
}

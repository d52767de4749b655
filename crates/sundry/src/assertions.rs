//! The assertions and the AST-bits of a formula, with their places in its text.

use rustc_hash::FxHashMap;
use sundry_sample::Problem;
use sundry_smtlib::{Parser, Span, TheorySet, print_term};
use sundry_term::{Control, TermId, TermStore};

use crate::error::{Error, Place};
use crate::formula::Formula;
use crate::read::{ReadFormula, stopped};

/// An assertion of a formula.
///
/// ```
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let assertion = formula.assertion(0).expect("there is one");
/// assert_eq!((assertion.number, &*assertion.text), (0, "p"));
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// The number of the assertion, from 0 on.
    pub number: usize,
    /// The asserted term in SMT-LIB.
    pub text: String,
    /// The place of the assertion in the text of the formula, if the text asserts it as it is.
    pub place: Option<Place>,
}

/// A bit of a node of a formula, with one of its two values.
///
/// ```
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let reader = formula.ast_bit_reader(&sundry::Control::default())?;
/// let bit = reader.ast_bit(1).expect("there are two");
/// assert_eq!((bit.number, &*bit.term, bit.bit, bit.value), (1, "p", 0, true));
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AstBit {
    /// The number of the AST-bit, from 0 on: an even number says that a bit is 0, the next one that the bit is 1.
    pub number: usize,
    /// The node, a term in SMT-LIB.
    pub term: String,
    /// The bit of the node, from 0 on, the least significant first; 0 for truth values. The last bit of an integer is its
    /// sign; the bits of a real say whether the number is negative, zero, and an integer.
    pub bit: u32,
    /// The value of the bit.
    pub value: bool,
    /// The place of the node in the text of the formula: its first occurrence, or the assertion that has the node where it comes
    /// from a definition with parameters. `None` for formulas without text.
    pub place: Option<Place>,
}

/// Describes the AST-bits of a formula one by one: see [`Formula::ast_bit_reader`].
///
/// ```
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let reader = formula.ast_bit_reader(&sundry::Control::default())?;
/// assert!(reader.ast_bit(1).is_some() && reader.ast_bit(2).is_none());
/// # Ok::<(), sundry::Error>(())
/// ```
pub struct AstBitReader {
    formula: Formula,
    places: FxHashMap<TermId, Span>,
}

impl Formula {
    /// The assertion with a number, from 0 on; none where there are fewer.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool)\n(assert (not p))")?;
    /// let assertion = formula.assertion(0).expect("there is one");
    /// assert_eq!(assertion.text, "(not p)");
    /// assert_eq!(assertion.place.map(|place| (place.line, place.column)), Some((2, 1)));
    /// assert_eq!(formula.assertion(1), None);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn assertion(&self, number: usize) -> Option<Assertion> {
        let parts = self.parts();
        let &term = parts.problem.assertions.get(number)?;
        let place = parts.places.get(&term).map(|&span| Place::new(&parts.source, span));
        Some(Assertion { number, text: print_term(&parts.problem.store, term), place })
    }

    /// Describes AST-bits with their places. The text of the formula is read once more for the places.
    ///
    /// # Errors
    /// The control has stopped the reader.
    ///
    /// ```
    /// use sundry::{Control, Formula};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 2))\n(assert (bvult x #b10))")?;
    /// let reader = formula.ast_bit_reader(&Control::default())?;
    /// // The highest bit of x is 1.
    /// let bit = reader.ast_bit(3).expect("there is one");
    /// assert_eq!((&*bit.term, bit.bit, bit.value), ("x", 1, true));
    /// assert_eq!(bit.place.map(|place| (place.line, place.column)), Some((2, 16)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn ast_bit_reader(&self, control: &Control) -> Result<AstBitReader, Error> {
        let parts = self.parts();
        let is_script = parts.columns.is_none() && !parts.source.text().is_empty();
        let mut places = if is_script { self.term_places(control)? } else { FxHashMap::default() };
        for assertion in &parts.problem.assertions {
            if let Some(&span) = parts.places.get(assertion) {
                places.entry(*assertion).or_insert(span);
            }
        }
        // Nodes without a place of their own have that of an application above them, which comes later in the store.
        let Problem { store, assertions, .. } = &parts.problem;
        let reachable =
            store.reachable_within(assertions, control).map_err(|reason| stopped(&parts.source, reason))?;
        for term in reachable.into_iter().rev() {
            let Some(&span) = places.get(&term) else { continue };
            for &argument in store.args(term) {
                places.entry(argument).or_insert(span);
            }
        }
        Ok(AstBitReader { formula: self.clone(), places })
    }

    /// The first place of each term in the text: the same text makes the same terms with the same ids again.
    fn term_places(&self, control: &Control) -> Result<FxHashMap<TermId, Span>, Error> {
        let source = &self.parts().source;
        let mut store = TermStore::new();
        let mut parser = Parser::new(&mut store, TheorySet::SOLVED).with_control(control).with_places();
        let at = |diagnostic| Error::at(&diagnostic, source);
        // What follows the question is no part of the formula.
        while let Some((command, _)) = parser.next_command(&mut store, source).map_err(at)? {
            if command.is_question() {
                break;
            }
        }
        Ok(parser.places().collect())
    }
}

impl AstBitReader {
    /// The AST-bit with a number, from 0 on; none where there are fewer.
    ///
    /// ```
    /// use sundry::{Control, Formula};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert (not p))")?;
    /// let reader = formula.ast_bit_reader(&Control::default())?;
    /// let bits = (0..).map_while(|number| reader.ast_bit(number));
    /// let texts: Vec<String> = bits.map(|bit| format!("{}={}", bit.term, u8::from(bit.value))).collect();
    /// assert_eq!(texts, ["p=0", "p=1", "(not p)=0", "(not p)=1"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn ast_bit(&self, number: usize) -> Option<AstBit> {
        let ReadFormula { problem, source, .. } = self.formula.parts();
        if number >= problem.ast_bits.total() {
            return None;
        }
        let sundry_coverage::AstBit { term, bit, value } = problem.ast_bits.ast_bit(number);
        let place = self.places.get(&term).map(|&span| Place::new(source, span));
        Some(AstBit { number, term: print_term(&problem.store, term), bit, value, place })
    }
}

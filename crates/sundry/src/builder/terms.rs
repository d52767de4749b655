//! Terms made of terms.

use sundry_smtlib::{SourceText, near_name};
use sundry_term::{Op, SymbolId, TheorySet};

use super::{FormulaBuilder, Function, Term, foreign, wrong};
use crate::error::{Error, ErrorKind};
use crate::sort::Sort;

impl FormulaBuilder {
    /// The term that a text in SMT-LIB says, with everything that is declared in scope.
    ///
    /// # Errors
    /// The text is not a term; the error has the place in the text.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// builder.constant("x", &Sort::Int)?;
    /// let is_small = builder.term("(< (* x x) 50)")?;
    /// builder.assert(is_small)?;
    /// let error = builder.term("(< x true)").unwrap_err();
    /// assert_eq!(error.place().map(|place| place.column), Some(6));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn term(&mut self, text: &str) -> Result<Term, Error> {
        let source = SourceText::new("term", text);
        let term = self.parser.parse_term(&mut self.store, &source);
        Ok(self.own(term.map_err(|diagnostic| Error::at(&diagnostic, &source))?))
    }

    /// The constant that was declared with this name.
    ///
    /// # Errors
    /// Nothing has this name, or a function does.
    ///
    /// ```
    /// use sundry::Formula;
    ///
    /// let formula = Formula::parse("(declare-const door Bool) (assert door)")?;
    /// let mut builder = formula.extend();
    /// let door = builder.named("door")?;
    /// let shut = builder.not(door)?;
    /// builder.assert(shut)?;
    /// assert_eq!(builder.build()?.sampler().run()?.stopped_by, sundry::StopReason::Unsatisfiable);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn named(&mut self, name: &str) -> Result<Term, Error> {
        let symbol = self.by_name.get(name).copied();
        let symbol = symbol.filter(|&symbol| self.store.symbol(symbol).arguments.is_empty());
        match symbol {
            Some(symbol) => Ok(self.constant_term(symbol)),
            None => Err(Error::new(ErrorKind::Input, format!("there is no constant '{name}'"))),
        }
    }

    /// An operator applied to terms, by its name in SMT-LIB: `bvadd`, `select`, `fp.lt`, `+`.
    ///
    /// # Errors
    /// No operator has this name, or the arguments do not fit it in number or sort.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let [x, y] = [builder.constant("x", &Sort::BitVec(8))?, builder.constant("y", &Sort::BitVec(4))?];
    /// let error = builder.apply("bvadd", &[x, y]).unwrap_err();
    /// assert_eq!(error.message(), "argument 2 of 'bvadd' has sort (_ BitVec 4), expected (_ BitVec 8)");
    /// assert_eq!(builder.apply("bvuddiv", &[x, x]).unwrap_err().help(), Some("did you mean 'bvudiv'?"));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn apply(&mut self, operator: &str, arguments: &[Term]) -> Result<Term, Error> {
        match Op::from_name(operator) {
            Some(op) => self.make(op, arguments),
            None if Op::indexed_from_name(operator).is_some() => {
                let message = format!("the operator '{operator}' has indices");
                Err(Error::new(ErrorKind::Input, message)
                    .with_help("FormulaBuilder::apply_indexed takes them"))
            }
            None => Err(no_operator(operator)),
        }
    }

    /// An operator with indices applied to terms: `extract` with the highest and the lowest bit, `zero_extend`, `to_fp`.
    ///
    /// # Errors
    /// The errors of [`apply`](Self::apply); or the operator takes other indices.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let x = builder.constant("x", &Sort::BitVec(8))?;
    /// let high = builder.apply_indexed("extract", &[7, 4], &[x])?;
    /// assert_eq!(builder.sort_of(high)?, Sort::BitVec(4));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn apply_indexed(
        &mut self,
        operator: &str,
        indices: &[u32],
        arguments: &[Term],
    ) -> Result<Term, Error> {
        let Some(op) = Op::indexed_from_name(operator) else { return Err(no_operator(operator)) };
        match op.with_indices(indices) {
            Some(op) => self.make(op, arguments),
            None => {
                let message = format!("the operator '{operator}' does not take these indices: {indices:?}");
                Err(Error::new(ErrorKind::Input, message))
            }
        }
    }

    /// A declared function applied to terms.
    ///
    /// # Errors
    /// The arguments do not fit the function in number or sort; or it belongs to another builder.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let f = builder.function("f", &[Sort::Int], &Sort::Bool)?;
    /// let x = builder.constant("x", &Sort::Int)?;
    /// assert!(builder.call(f, &[x]).is_ok() && builder.call(f, &[x, x]).is_err());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn call(&mut self, function: Function, arguments: &[Term]) -> Result<Term, Error> {
        if function.builder != self.number {
            return Err(foreign("function"));
        }
        self.make(Op::Apply(function.symbol), arguments)
    }

    /// The negation of a term.
    ///
    /// # Errors
    /// The term is not Boolean, or belongs to another builder.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let p = builder.constant("p", &sundry::Sort::Bool)?;
    /// let not_p = builder.not(p)?;
    /// builder.assert(not_p)?;
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn not(&mut self, term: Term) -> Result<Term, Error> {
        self.make(Op::Not, &[term])
    }

    /// The conjunction of some terms; true for none.
    ///
    /// # Errors
    /// A term is not Boolean, or belongs to another builder.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let [p, q] = ["p", "q"].map(|name| builder.constant(name, &sundry::Sort::Bool));
    /// let both = builder.and(&[p?, q?])?;
    /// builder.assert(both)?;
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn and(&mut self, terms: &[Term]) -> Result<Term, Error> {
        if terms.is_empty() { self.bool(true) } else { self.make(Op::And, terms) }
    }

    /// The disjunction of some terms; false for none.
    ///
    /// # Errors
    /// A term is not Boolean, or belongs to another builder.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let [p, q] = ["p", "q"].map(|name| builder.constant(name, &sundry::Sort::Bool));
    /// let either = builder.or(&[p?, q?])?;
    /// builder.assert(either)?;
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn or(&mut self, terms: &[Term]) -> Result<Term, Error> {
        if terms.is_empty() { self.bool(false) } else { self.make(Op::Or, terms) }
    }

    /// The implication of the second term by the first.
    ///
    /// # Errors
    /// A term is not Boolean, or belongs to another builder.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let [p, q] = ["p", "q"].map(|name| builder.constant(name, &sundry::Sort::Bool));
    /// let rule = builder.implies(p?, q?)?;
    /// builder.assert(rule)?;
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn implies(&mut self, condition: Term, consequence: Term) -> Result<Term, Error> {
        self.make(Op::Implies, &[condition, consequence])
    }

    /// Whether all terms have the same value.
    ///
    /// # Errors
    /// There are fewer than two terms, they have different sorts, or one belongs to another builder.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let [p, q] = ["p", "q"].map(|name| builder.constant(name, &sundry::Sort::Int));
    /// let same = builder.equal(&[p?, q?])?;
    /// builder.assert(same)?;
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn equal(&mut self, terms: &[Term]) -> Result<Term, Error> {
        self.make(Op::Equal, terms)
    }

    /// Whether no two terms have the same value.
    ///
    /// # Errors
    /// There are fewer than two terms, they have different sorts, or one belongs to another builder.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let [p, q] = ["p", "q"].map(|name| builder.constant(name, &sundry::Sort::Int));
    /// let differ = builder.distinct(&[p?, q?])?;
    /// builder.assert(differ)?;
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn distinct(&mut self, terms: &[Term]) -> Result<Term, Error> {
        self.make(Op::Distinct, terms)
    }

    /// One term where a condition holds, and another one where it does not.
    ///
    /// # Errors
    /// The condition is not Boolean, the others have different sorts, or a term belongs to another builder.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let p = builder.constant("p", &sundry::Sort::Bool)?;
    /// let [one, two] = [builder.int(1)?, builder.int(2)?];
    /// let number = builder.if_then_else(p, one, two)?;
    /// assert_eq!(builder.sort_of(number)?, sundry::Sort::Int);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn if_then_else(&mut self, condition: Term, then: Term, otherwise: Term) -> Result<Term, Error> {
        self.make(Op::Ite, &[condition, then, otherwise])
    }

    /// The array that has the same element everywhere.
    ///
    /// # Errors
    /// The sort is not one of arrays, the term is not an element, or belongs to another builder.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let zero = builder.bit_vec(8, 0)?;
    /// let zeros = builder.constant_array(&Sort::array(Sort::Int, Sort::BitVec(8)), zero)?;
    /// assert!(builder.constant_array(&Sort::Int, zero).is_err());
    /// # let _ = zeros;
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn constant_array(&mut self, sort: &Sort, element: Term) -> Result<Term, Error> {
        let interned = self.intern(sort)?;
        if self.store.array_parts(interned).is_none() {
            return Err(Error::new(ErrorKind::Input, format!("{sort} is not a sort of arrays")));
        }
        self.make(Op::ConstArray(interned), &[element])
    }

    fn make(&mut self, op: Op, arguments: &[Term]) -> Result<Term, Error> {
        if !TheorySet::SOLVED.has_operators_of(op.theory()) {
            let message = format!("the operator '{}' is not supported ({})", op.name(), op.theory());
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let arguments = arguments.iter().map(|&term| self.id(term)).collect::<Result<Vec<_>, _>>()?;
        let term = self.store.term(op, &arguments).map_err(|error| wrong(&error))?;
        Ok(self.own(term))
    }

    pub(super) fn constant_term(&mut self, constant: SymbolId) -> Term {
        let term = self.store.symbol_term(constant);
        self.own(term)
    }
}

fn no_operator(name: &str) -> Error {
    let error = Error::new(ErrorKind::Input, format!("there is no operator '{name}'"));
    let plain = Op::plain().iter().chain(Op::indexed()).map(|op| op.name());
    match near_name(name, plain) {
        Some(near) => error.with_help(format!("did you mean '{near}'?")),
        None => error,
    }
}

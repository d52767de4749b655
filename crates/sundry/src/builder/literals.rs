//! Terms of values.

use sundry_term::{BitVector, Float, IBig, Op, RBig, SortError, SortId, TermId, Value};

use super::{FormulaBuilder, Term, wrong};
use crate::error::{Error, ErrorKind};
use crate::sort::Sort;

impl FormulaBuilder {
    /// A truth value.
    ///
    /// # Errors
    /// None.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let truth = builder.bool(true)?;
    /// builder.assert(truth)?;
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn bool(&mut self, value: bool) -> Result<Term, Error> {
        let term = self.store.bool(value);
        Ok(self.own(term))
    }

    /// A bit-vector of a width, modulo two to the power of the width.
    ///
    /// # Errors
    /// No bit-vector has this width.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let byte = builder.bit_vec(8, 0x1ff)?;
    /// assert_eq!(byte, builder.bit_vec(8, 0xff)?);
    /// assert!(builder.bit_vec(0, 0).is_err());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn bit_vec(&mut self, width: u32, value: u64) -> Result<Term, Error> {
        self.intern(&Sort::BitVec(width))?;
        let term = self.store.bit_vector(BitVector::from_u64(width, value));
        Ok(self.own(term))
    }

    /// An integer.
    ///
    /// # Errors
    /// None.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let debt = builder.int(-5)?;
    /// assert_eq!(builder.sort_of(debt)?, sundry::Sort::Int);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn int(&mut self, value: impl Into<IBig>) -> Result<Term, Error> {
        self.value(&Sort::Int, &Value::Int(value.into()))
    }

    /// A rational number, of sort Real.
    ///
    /// # Errors
    /// None.
    ///
    /// ```
    /// use sundry::value::RBig;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let half = builder.real(RBig::from_parts(1.into(), 2u8.into()))?;
    /// assert_eq!(builder.sort_of(half)?, sundry::Sort::Real);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn real(&mut self, value: impl Into<RBig>) -> Result<Term, Error> {
        self.value(&Sort::Real, &Value::Real(value.into().into()))
    }

    /// An IEEE binary64 value.
    ///
    /// # Errors
    /// None.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let tenth = builder.float64(0.1)?;
    /// assert_eq!(builder.sort_of(tenth)?, sundry::Sort::FLOAT64);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn float64(&mut self, value: f64) -> Result<Term, Error> {
        self.value(&Sort::FLOAT64, &Value::Float(Float::from_f64(value).into()))
    }

    /// An IEEE binary32 value.
    ///
    /// # Errors
    /// None.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let tenth = builder.float32(0.1)?;
    /// assert_eq!(builder.sort_of(tenth)?, sundry::Sort::FLOAT32);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn float32(&mut self, value: f32) -> Result<Term, Error> {
        self.value(&Sort::FLOAT32, &Value::Float(Float::from_f32(value).into()))
    }

    /// A term that has a value, for instance one of a solution.
    ///
    /// # Errors
    /// The value is not of the sort; or no term has it by itself, as elements of declared sorts.
    ///
    /// ```
    /// use sundry::{Answer, Formula, Sort};
    ///
    /// let formula = Formula::parse("(declare-const memory (Array Int Bool)) (assert (select memory 3))")?;
    /// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("there is one") };
    /// // Another solution than this one.
    /// let mut builder = formula.extend();
    /// let sort = Sort::array(Sort::Int, Sort::Bool);
    /// let same = builder.value(&sort, solution.value("memory").expect("a constant"))?;
    /// let memory = builder.named("memory")?;
    /// let differs = builder.distinct(&[memory, same])?;
    /// builder.assert(differs)?;
    /// assert!(matches!(builder.build()?.solve(None)?, Answer::Satisfiable(_)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn value(&mut self, sort: &Sort, value: &Value) -> Result<Term, Error> {
        let interned = self.intern(sort)?;
        if !value.has_sort(&self.store, interned) {
            return Err(Error::new(ErrorKind::Input, format!("the value is not one of sort {sort}")));
        }
        let term = self.literal(interned, value)?;
        Ok(self.own(term))
    }

    /// The term of a value that is of the sort. Values are nested as deep as their sorts, of which the depth is limited.
    fn literal(&mut self, sort: SortId, value: &Value) -> Result<TermId, Error> {
        match value {
            Value::Array(array) => {
                let Some((index_sort, element_sort)) = self.store.array_parts(sort) else {
                    return Err(wrong(&SortError::TooDeep));
                };
                let default = self.literal(element_sort, array.default())?;
                let mut term =
                    self.store.term(Op::ConstArray(sort), &[default]).map_err(|error| wrong(&error))?;
                for (index, element) in array.entries() {
                    let index = self.literal(index_sort, index)?;
                    let element = self.literal(element_sort, element)?;
                    term =
                        self.store.term(Op::Store, &[term, index, element]).map_err(|error| wrong(&error))?;
                }
                Ok(term)
            }
            Value::Uninterpreted { .. } | Value::Regex(_) => {
                let message = "no term has this value by itself: elements of declared sorts have no names";
                Err(Error::new(ErrorKind::Input, message).with_help("declare a constant for the element"))
            }
            value => Ok(self.store.value_term(sort, value)),
        }
    }
}

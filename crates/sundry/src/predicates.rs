//! Predicates of a formula: their names, which values they can have, and predicates that are made of the formula.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sundry_coverage::{Predicate, random_predicates};
use sundry_sample::{Possibilities, PredicateError, SampleError, decide_predicates, internal_predicates};
use sundry_smtlib::print_term;
use sundry_term::{Control, quote_symbol};

use crate::error::{Error, ErrorKind};
use crate::formula::Formula;

impl Formula {
    /// The predicates of the formula, in their order.
    ///
    /// ```
    /// let reader = sundry::Formula::reader().predicates("(define-fun on () Bool p)");
    /// let formula = reader.read("(declare-const p Bool) (declare-const q Bool) (assert (=> p q))")?;
    /// assert_eq!(formula.predicates()[0].name, "on");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// The names of the predicates of the formula, in their order.
    ///
    /// ```
    /// let reader = sundry::Formula::reader().predicates("(define-fun on () Bool p)");
    /// let formula = reader.read("(declare-const p Bool) (declare-const q Bool) (assert (=> p q))")?;
    /// assert_eq!(formula.predicate_names().collect::<Vec<_>>(), ["on"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn predicate_names(&self) -> impl Iterator<Item = &str> {
        self.predicates.iter().map(|predicate| &*predicate.name)
    }

    /// The predicates as definitions in SMT-LIB, which [`FormulaReader::predicates`](crate::FormulaReader::predicates) reads.
    ///
    /// ```
    /// let reader = sundry::Formula::reader().predicates("(define-fun on () Bool (not (not p)))");
    /// let formula = reader.read("(declare-const p Bool)")?;
    /// assert_eq!(formula.predicate_definitions(), "(define-fun on () Bool (not (not p)))\n");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn predicate_definitions(&self) -> String {
        let print = |predicate: &Predicate| {
            let term = print_term(&self.parts.problem.store, predicate.term);
            format!("(define-fun {} () Bool {term})\n", quote_symbol(&predicate.name))
        };
        self.predicates.iter().map(print).collect()
    }

    /// Gives the formula predicates over its constants that are drawn at random, in place of those that it has. There are none
    /// where the formula has nothing to make them of.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::Control;
    ///
    /// let mut formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x80))")?;
    /// formula.set_random_predicates(3, 7, &Control::default());
    /// assert_eq!(formula.predicates().len(), 3);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn set_random_predicates(&mut self, count: usize, seed: u64, control: &Control) {
        let problem = &mut Arc::make_mut(&mut self.parts).problem;
        let made = random_predicates(&mut problem.store, &problem.symbols, count, seed, control);
        self.predicates = made.into();
    }

    /// Gives the formula bits of its own operations as predicates, each of which can be 0 and can be 1, in place of those that it
    /// has: at most `count`, fewer where the formula has fewer such bits.
    ///
    /// # Errors
    /// The formula is too large for a circuit; or the solver proposed a wrong model, which is a defect.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::Control;
    ///
    /// let mut formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x80))")?;
    /// formula.set_internal_predicates(3, 7, &Control::default())?;
    /// assert_eq!(formula.predicates().len(), 3);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn set_internal_predicates(
        &mut self,
        count: usize,
        seed: u64,
        control: &Control,
    ) -> Result<(), Error> {
        let problem = &mut Arc::make_mut(&mut self.parts).problem;
        let made = internal_predicates(problem, count, seed, control);
        self.predicates = made.map_err(|error| self.cannot_decide(error))?.into();
        Ok(())
    }

    /// Decides by solving, within a time limit, which values each predicate can have in solutions.
    ///
    /// # Errors
    /// The formula is too large for a circuit; or the solver proposed a wrong model, which is a defect.
    ///
    /// ```
    /// let reader = sundry::Formula::reader().predicates("(define-fun on () Bool p)");
    /// let formula = reader.read("(declare-const p Bool) (declare-const q Bool) (assert (=> p q))")?;
    /// let [on] = formula.decide_predicates(None)?[..] else { panic!("there is one") };
    /// assert_eq!((on.holds, on.fails), (sundry::Possibility::Possible, sundry::Possibility::Possible));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn decide_predicates(&self, timeout: Option<Duration>) -> Result<Vec<Possibilities>, Error> {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        self.decide_predicates_within(0, &Control::default().with_deadline(deadline))
    }

    pub(crate) fn decide_predicates_within(
        &self,
        seed: u64,
        control: &Control,
    ) -> Result<Vec<Possibilities>, Error> {
        let decided = decide_predicates(&self.parts.problem, &self.predicates, seed, control);
        decided.map_err(|error| self.cannot_decide(error))
    }

    /// The error of predicates that cannot be decided.
    fn cannot_decide(&self, error: PredicateError) -> Error {
        match error {
            PredicateError::Refused(refusal) => self.cannot_sample(&SampleError::Refused(refusal)),
            PredicateError::WrongModel(error) => Error::new(ErrorKind::Internal, error),
        }
    }
}

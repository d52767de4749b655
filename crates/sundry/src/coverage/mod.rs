//! The coverage of a formula by models of any origin.
//!
//! A [`Measurement`] evaluates models on the assertions as written and counts the AST-bits and classes of predicates that
//! they show; nothing is solved. [`Measurement::decide`] solves: it reports what can be covered at all, and reports as
//! a defect a model that shows what was proved impossible. [`Measurement::with_wires`] also counts the points of other
//! samplers, by [`WirePoints`]. A model that was read from a row of a table may lack values,
//! which a [`Completion`] finds.
//!
//! ```
//! use sundry::Formula;
//! use sundry::coverage::{Control, Measurement};
//!
//! let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
//! let mut measurement = Measurement::new(&formula);
//! let models = measurement.read("((define-fun p () Bool true)) ((define-fun p () Bool false))")?;
//! let [first, second] = &models[..] else { panic!("there are two") };
//! let control = Control::default();
//!
//! let measured = measurement.add(&first.model, &control)?;
//! assert!(measured.fault.is_none());
//! // One solution covers one of the two values of each of the three bits.
//! assert_eq!((measured.gain, measurement.covered()), (3, 3));
//!
//! // A constant that a model leaves out counts as false.
//! let measured = measurement.add(&second.model, &control)?;
//! assert_eq!(measured.fault.expect("no solution").to_string(), "the assertion at formula:1:47 is false");
//!
//! let decided = measurement.decide(0, 1, &control)?;
//! assert_eq!((decided.valid, decided.impossible, decided.unknown), (5, 1, 0));
//! assert!(!decided.is_complete);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod completion;
mod decide;
mod fault;
mod models;
mod open_results;
mod rows;

use sundry_coverage::{Coverage, ModelBits};
use sundry_smtlib::{ModelReader, SourceText};
use sundry_term::{EvaluationError, Evaluator};

use crate::error::Error;
use crate::formula::Formula;

pub use crate::below::control::{Control, Stopped};
pub use crate::below::measures::{
    BitSet, Class, Gains, INTEGER_BITS, MAXIMAL_INTEGER_BITS, Predicate, PredicateCoverage, ReadModel,
    Verifier, WireCoverage, WirePoints, WiresSeen, greedy_order,
};
pub use crate::below::steps::Problem;
pub use crate::below::values::Model;
pub use completion::Completion;
pub use decide::Decided;
pub use fault::ModelFault;
pub use models::{ModelFormat, Models};
pub(crate) use open_results::with_open_results;
pub use rows::{RowError, RowReader};

/// A formula, and what the models that were added so far cover of it.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::Measurement;
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let mut measurement = Measurement::new(&formula);
/// measurement.read("((define-fun p () Bool true))")?;
/// assert_eq!(measurement.covered(), 0);
/// # Ok::<(), sundry::Error>(())
/// ```
pub struct Measurement {
    formula: Formula,
    /// A copy of the formula's, whose store grows while models are read.
    problem: Problem,
    coverage: Coverage,
    predicates: PredicateCoverage,
    /// The points of wires, where somebody wants them.
    wires: Option<WirePoints>,
}

/// The coverage of a formula by one model.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Control, Measurement, Model};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let mut measurement = Measurement::new(&formula);
/// let measured = measurement.add(&Model::new(), &Control::default()).unwrap();
/// assert_eq!((measured.gain, measured.class), (0, None));
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasuredModel {
    /// The number of AST-bits that this model covers and none before it does; 0 for a model that is not a solution.
    pub gain: u64,
    /// The bits that the model shows by the measure of other samplers; `None` where nobody wants them, and for a model that is not a solution.
    pub wires: Option<WiresSeen>,
    /// The predicates of the formula that hold; `None` for a model that is not a solution.
    pub class: Option<Class>,
    /// The reason why the model is not a solution, if it is not. The model counts for nothing then.
    pub fault: Option<ModelFault>,
}

impl Measurement {
    /// A measurement without any model yet.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::Measurement;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let measurement = Measurement::new(&formula);
    /// assert_eq!(measurement.covered(), 0);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn new(formula: &Formula) -> Self {
        let problem = formula.parts().problem.clone();
        let coverage = Coverage::new(&problem.ast_bits);
        let predicates = PredicateCoverage::new(formula.predicates().len());
        Measurement { formula: formula.clone(), problem, coverage, predicates, wires: None }
    }

    /// The same measurement, which also tells of each model which bits of wires it shows.
    ///
    /// # Errors
    /// The control has stopped the numbering of points.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement, WireCoverage};
    ///
    /// let formula = Formula::parse("(declare-const n Int) (assert (> n 5))")?;
    /// let control = Control::default();
    /// let mut measurement = Measurement::new(&formula).with_wires(&control)?;
    /// let models = measurement.read("((define-fun n () Int 6)) ((define-fun n () Int 9))")?;
    /// let points = measurement.wires().expect("they are wanted");
    /// // The constant and the numeral have 64 points each, the assertion and the conjunction of all assertions one.
    /// assert_eq!(points.total(), 64 + 64 + 1 + 1);
    /// let mut covered = WireCoverage::new(points);
    /// for model in &models {
    ///     covered.add(&measurement.add(&model.model, &control)?.wires.expect("a solution"));
    /// }
    /// // Of 6 and 9, four bits are different.
    /// assert_eq!(covered.covered(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_wires(self, control: &Control) -> Result<Self, Stopped> {
        let wires = WirePoints::within(&self.problem.store, &self.problem.assertions, control)?;
        Ok(Measurement { wires: Some(wires), ..self })
    }

    /// The points of wires, where they are wanted.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::Measurement;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let measurement = Measurement::new(&formula);
    /// assert!(measurement.wires().is_none());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn wires(&self) -> Option<&WirePoints> {
        self.wires.as_ref()
    }

    /// The formula.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::Measurement;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let measurement = Measurement::new(&formula);
    /// assert_eq!(measurement.formula().name(), "formula");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The terms of the formula, among which the values of models are read. Terms may be added; assertions and symbols are to
    /// stay.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::Measurement;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut measurement = Measurement::new(&formula);
    /// assert_eq!(measurement.problem().assertions.len(), 1);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn problem(&mut self) -> &mut Problem {
        &mut self.problem
    }

    /// Reads models as solvers print them: lists of definitions. What else solvers print is passed over.
    ///
    /// # Errors
    /// The text has something else than models.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::Measurement;
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut measurement = Measurement::new(&formula);
    /// let models = measurement.read("sat ((define-fun p () Bool true)) sat ((define-fun q () Bool true))")?;
    /// assert_eq!(models.len(), 2);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn read(&mut self, text: &str) -> Result<Vec<ReadModel>, Error> {
        let source = SourceText::new("models", text);
        let store = &mut self.problem.store;
        let models = ModelReader::new(store, &self.problem.symbols).models(store, &source);
        models.map_err(|diagnostic| Error::at(&diagnostic, &source))
    }

    /// Adds a model. A symbol that the model leaves out has the default value of its sort: false or zero.
    ///
    /// # Errors
    /// The control has stopped the evaluator; the model is not added.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut measurement = Measurement::new(&formula);
    /// let models = measurement.read("((define-fun p () Bool true))")?;
    /// let measured = measurement.add(&models[0].model, &Control::default()).unwrap();
    /// assert_eq!((measured.gain, measured.fault), (3, None));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn add(&mut self, model: &Model, control: &Control) -> Result<MeasuredModel, Stopped> {
        let problem = &self.problem;
        let mut evaluator = Evaluator::with_control(&problem.store, model, control);
        let bits = ModelBits::evaluate_with(&mut evaluator, &problem.assertions, &problem.ast_bits);
        let class = Class::evaluate(&mut evaluator, self.formula.predicates());
        let (bits, class) = match (bits, class) {
            (Ok((bits, true)), Ok(class)) => (bits, class),
            (Err(EvaluationError::Stopped(reason)), _) | (_, Err(EvaluationError::Stopped(reason))) => {
                return Err(reason);
            }
            (Ok((_, false)), _) => return Ok(MeasuredModel::wrong(self.formula.fault_in(&mut evaluator)?)),
            (Err(error @ EvaluationError::Open { .. }), _)
            | (_, Err(error @ EvaluationError::Open { .. })) => {
                return match with_open_results(problem, model, control)? {
                    Some(completed) => self.add(&completed, control),
                    None => Ok(MeasuredModel::wrong(ModelFault::open(&error))),
                };
            }
            (Err(error), _) | (_, Err(error)) => return Ok(MeasuredModel::wrong(ModelFault::open(&error))),
        };
        let wires = match &self.wires {
            None => None,
            Some(points) => match points.seen(&problem.store, &mut evaluator) {
                Ok(seen) => Some(seen),
                Err(EvaluationError::Stopped(reason)) => return Err(reason),
                Err(error) => return Ok(MeasuredModel::wrong(ModelFault::open(&error))),
            },
        };
        let gain = self.coverage.add(&bits) as u64;
        self.predicates.add(class.clone());
        Ok(MeasuredModel { gain, wires, class: Some(class), fault: None })
    }

    /// The number of AST-bits that the models cover.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut measurement = Measurement::new(&formula);
    /// measurement.add_text("p,q\ntrue,false\n", None, &Control::default())?;
    /// assert_eq!(measurement.covered(), 3);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn covered(&self) -> u64 {
        self.coverage.covered() as u64
    }

    /// Whether the models cover the AST-bit with a number.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let mut measurement = Measurement::new(&formula);
    /// measurement.add_text("p\ntrue\n", None, &Control::default())?;
    /// // That p is false, and that p is true.
    /// assert_eq!([0, 1].map(|number| measurement.covers(number)), [false, true]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn covers(&self, ast_bit: usize) -> bool {
        ast_bit < self.problem.ast_bits.total() && self.coverage.contains(ast_bit)
    }

    /// The coverage of the predicates of the formula by the models.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Measurement};
    ///
    /// let reader = Formula::reader().predicates("(define-fun both () Bool (and p q))");
    /// let formula = reader.read("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut measurement = Measurement::new(&formula);
    /// measurement.add_text("p,q\ntrue,false\ntrue,true\n", None, &Control::default())?;
    /// assert_eq!((measurement.predicates().models(), measurement.predicates().holds(0)), (2, 1));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn predicates(&self) -> &PredicateCoverage {
        &self.predicates
    }
}

impl MeasuredModel {
    fn wrong(fault: ModelFault) -> Self {
        MeasuredModel { gain: 0, wires: None, class: None, fault: Some(fault) }
    }
}

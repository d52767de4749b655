//! Formulas: read from text, and asked.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sundry_coverage::{Coverage, Predicate};
use sundry_models::Format;
use sundry_sample::{Possibilities, PredicateError, Rejection, SampleError, decide_predicates};
use sundry_smtlib::{Diagnostic, DiagnosticKind, SourceText};
use sundry_solver::{EngineOptions, Limits, Refusal, Session, Tracking, UnknownReason};
use sundry_term::{Control, TermId};

use crate::error::{Error, ErrorKind};
use crate::read::{Note, ReadFormula, read_formula_with, read_predicates};
use crate::sampler::Sampler;
use crate::solution::Solution;

/// A formula: declared constants, and assertions about them.
///
/// Clones share the formula.
#[derive(Clone)]
pub struct Formula {
    parts: Arc<ReadFormula>,
    predicates: Arc<[Predicate]>,
}

/// The answer of [`Formula::solve`].
#[derive(Clone, Debug)]
pub enum Answer {
    /// A solution, accepted by the evaluator.
    Satisfiable(Solution),
    /// There is no solution.
    Unsatisfiable,
    /// Nothing is known, since a limit was reached.
    Unknown(String),
}

/// How to read a formula: its name in messages, its language, a time limit.
///
/// ```
/// use sundry::{Format, Formula};
///
/// let text = "Disk: FAT, NTFS\nSize: 1, 9\nIF [Disk] = \"FAT\" THEN [Size] < 5;\n";
/// let formula = Formula::reader().name("disk.pict").format(Format::Pict).read(text)?;
/// assert_eq!(formula.constants().collect::<Vec<_>>(), ["Disk", "Size"]);
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FormulaReader {
    name: String,
    format: Option<Format>,
    predicates: Option<String>,
    control: Control,
}

impl FormulaReader {
    /// The name of the text in messages [default: `formula`].
    pub fn name(self, name: impl Into<String>) -> Self {
        FormulaReader { name: name.into(), ..self }
    }

    /// The language of the text [default: SMT-LIB].
    pub fn format(self, format: Format) -> Self {
        FormulaReader { format: Some(format), ..self }
    }

    /// Predicates over the constants and functions of the formula: Boolean definitions in SMT-LIB [default: none].
    /// Which of them hold is the class of a solution, which [`Strategy::Guided`](crate::Strategy::Guided) goes by.
    ///
    /// ```
    /// use sundry::{Formula, Guidance, Possibility, Strategy};
    ///
    /// let reader = Formula::reader().predicates("(define-fun small () Bool (bvult x #x10)) (define-fun big () Bool (bvugt x #x90))");
    /// let formula = reader.read("(declare-const x (_ BitVec 8)) (assert (bvult x #x80))")?;
    /// let [small, big] = formula.decide_predicates(None)?[..] else { panic!("there are two") };
    /// assert_eq!((small.holds, small.fails), (Possibility::Possible, Possibility::Possible));
    /// assert_eq!(big.holds, Possibility::Impossible);
    ///
    /// let guided = Strategy::Guided(Guidance::Bases);
    /// let samples = formula.sampler().strategy(guided).max_solutions(2).run()?;
    /// assert_eq!(samples.solutions.len(), 2);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn predicates(self, text: impl Into<String>) -> Self {
        FormulaReader { predicates: Some(text.into()), ..self }
    }

    /// How long reading may take [default: no limit].
    pub fn timeout(self, timeout: Duration) -> Self {
        let control = self.control.with_deadline(Instant::now().checked_add(timeout));
        FormulaReader { control, ..self }
    }

    /// Reads a formula.
    ///
    /// # Errors
    /// The text is no formula, uses what is not supported, or takes longer to read than it may.
    pub fn read(self, text: impl Into<String>) -> Result<Formula, Error> {
        let source = SourceText::new(self.name, text.into());
        let definitions = self.predicates.map(|text| SourceText::new("predicates", text));
        let (mut parts, read) = read_formula_with(source, self.format, &self.control, |parser, store| {
            definitions.map(|text| read_predicates(parser, store, &text)).transpose()
        })?;
        let (predicates, notes) = read?.unwrap_or_default();
        parts.notes.extend(notes);
        Ok(Formula { parts: Arc::new(parts), predicates: predicates.into() })
    }
}

impl Formula {
    /// Reads a formula in SMT-LIB: what is asserted at the first `check-sat`, or at the end where there is none.
    ///
    /// # Errors
    /// The text is no script, or uses what is not supported.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert (not p))")?;
    /// assert_eq!(formula.constants().collect::<Vec<_>>(), ["p"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn parse(text: impl Into<String>) -> Result<Formula, Error> {
        Formula::reader().read(text)
    }

    /// Reads formulas in other languages, with a name for messages, or within a time limit.
    pub fn reader() -> FormulaReader {
        FormulaReader {
            name: "formula".to_string(),
            format: None,
            predicates: None,
            control: Control::default(),
        }
    }

    /// What is worth knowing about the text, such as that it asks several questions of which the first is taken.
    pub fn notes(&self) -> &[Note] {
        &self.parts.notes
    }

    /// The names of the declared constants and functions, in order of declaration, under which solutions show
    /// their values.
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        self.parts.shown().map(|(name, _, _)| name)
    }

    /// How many AST-bits the formula has: each bit of each Boolean or bit-vector node, with each of its two values.
    pub fn ast_bits(&self) -> usize {
        self.parts.problem.ast_bits.total()
    }

    /// A sampler of this formula, with the strategy `cover`.
    pub fn sampler(&self) -> Sampler {
        Sampler::new(self.clone())
    }

    /// Looks for one solution.
    ///
    /// # Errors
    /// The formula is too large for a circuit; or the solver's model is wrong, which is a defect.
    ///
    /// ```
    /// use sundry::{Answer, Formula};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert (and p (not p)))")?;
    /// assert!(matches!(formula.solve(None)?, Answer::Unsatisfiable));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn solve(&self, timeout: Option<Duration>) -> Result<Answer, Error> {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let control = Control::default().with_deadline(deadline);
        let problem = &self.parts.problem;
        let mut store = problem.store.clone();
        let mut session = Session::new(EngineOptions::default());
        problem.assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
        let limits = Limits::new(&control, None);
        Ok(match session.check(&mut store, &[], &limits) {
            sundry_solver::Answer::Sat(model) => match problem.judge(model, &control) {
                Ok(solution) => Answer::Satisfiable(Solution::new(self.clone(), solution.model)),
                Err(Rejection::Wrong(error)) => return Err(Error::new(ErrorKind::Internal, error)),
                Err(Rejection::Unjudged(reason)) => Answer::Unknown(reason.to_string()),
            },
            sundry_solver::Answer::Unsat(_) => Answer::Unsatisfiable,
            sundry_solver::Answer::Unknown(reason) => match reason {
                UnknownReason::TooLarge(error) => return Err(self.refused(&Refusal::TooLarge(error))),
                UnknownReason::Unsupported(error) => return Err(self.refused(&Refusal::Unsupported(error))),
                UnknownReason::RejectedModel(_) => return Err(Error::new(ErrorKind::Internal, reason)),
                reason => Answer::Unknown(reason.to_string()),
            },
        })
    }

    /// How many AST-bits some solutions of this formula cover together.
    ///
    /// # Errors
    /// A solution is of another formula, and does not satisfy this one.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let samples = formula.sampler().run()?;
    /// assert_eq!(Some(formula.coverage(&samples.solutions)?), samples.covered.map(|covered| covered.count()));
    /// // One solution covers one of the two values of each bit.
    /// assert_eq!(2 * formula.coverage(&samples.solutions[..1])?, formula.ast_bits() as u64);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn coverage<'s>(&self, solutions: impl IntoIterator<Item = &'s Solution>) -> Result<u64, Error> {
        let problem = &self.parts.problem;
        let mut coverage = Coverage::new(&problem.ast_bits);
        for (number, solution) in solutions.into_iter().enumerate() {
            if !Arc::ptr_eq(&solution.formula().parts, &self.parts) {
                let message = format!("solution {} is a solution of another formula", number + 1);
                return Err(Error::new(ErrorKind::Input, message));
            }
            let judged = problem.judge(solution.model().clone(), &Control::default());
            let judged = judged.map_err(|rejection| Error::new(ErrorKind::Internal, rejection))?;
            coverage.add(&judged.bits);
        }
        Ok(coverage.covered() as u64)
    }

    /// The names of the predicates that were read with the formula, in their order.
    pub fn predicate_names(&self) -> impl Iterator<Item = &str> {
        self.predicates.iter().map(|predicate| &*predicate.name)
    }

    /// Which values each predicate can have in solutions: decided by solving, within a time limit.
    ///
    /// # Errors
    /// The formula is too large for a circuit; or the solver proposed a wrong model, which is a defect.
    pub fn decide_predicates(&self, timeout: Option<Duration>) -> Result<Vec<Possibilities>, Error> {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let control = Control::default().with_deadline(deadline);
        let decided = decide_predicates(&self.parts.problem, &self.predicates, 0, &control);
        decided.map_err(|error| match error {
            PredicateError::Refused(refusal) => self.refused(&refusal),
            PredicateError::WrongModel(error) => Error::new(ErrorKind::Internal, error),
        })
    }

    pub(crate) fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// The error of a run that cannot start.
    pub(crate) fn cannot_sample(&self, error: &SampleError) -> Error {
        match error {
            SampleError::Refused(refusal) => self.refused(refusal),
            SampleError::Stopped(_) | SampleError::TooManyTuples { .. } => {
                Error::new(ErrorKind::Limit, error)
            }
            SampleError::NoFactors => Error::new(ErrorKind::Input, error),
            SampleError::Unsupported(_) | SampleError::TooClose(_) => {
                Error::new(ErrorKind::Unsupported, error)
            }
            SampleError::NotEnumerable(symbol) => {
                let name = &self.parts.problem.store.symbol(*symbol).name;
                let message = format!(
                    "the values of '{name}' cannot be listed: it is an array, a function or of a declared sort"
                );
                let help = "Sampler::project names the constants whose values are to be listed";
                Error::new(ErrorKind::Unsupported, message).with_help(help)
            }
        }
    }

    pub(crate) fn parts(&self) -> &ReadFormula {
        &self.parts
    }

    /// The error of a formula without a circuit, at the assertion that has the term at fault.
    pub(crate) fn refused(&self, refusal: &Refusal) -> Error {
        let ReadFormula { problem, source, places, .. } = &*self.parts;
        let (kind, help) = match refusal {
            Refusal::TooLarge(_) => (
                ErrorKind::Limit,
                "narrower bit-vectors need fewer gates; products and quotients grow with the square of the width",
            ),
            Refusal::Unsupported(_) => {
                (ErrorKind::Unsupported, "Sundry decides Booleans, bit-vectors, arrays and functions")
            }
        };
        let term = refusal.term();
        let is_own = term.index() < problem.store.term_count();
        let has_term = |assertion: &TermId| {
            is_own && problem.store.reachable(&[*assertion]).binary_search(&term).is_ok()
        };
        let assertion = problem.assertions.iter().find(|assertion| has_term(assertion));
        match assertion.and_then(|assertion| places.get(assertion)) {
            Some(&span) => {
                let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, refusal.to_string());
                Error::at(&diagnostic.with_help(help), source).with_kind(kind)
            }
            None => Error::new(kind, refusal).with_help(help),
        }
    }
}

/// The name, and how large it is.
impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReadFormula { problem, source, .. } = &*self.parts;
        f.debug_struct("Formula")
            .field("name", &source.name())
            .field("assertions", &problem.assertions.len())
            .field("symbols", &problem.symbols.len())
            .finish_non_exhaustive()
    }
}

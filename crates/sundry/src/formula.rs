//! Formulas, and what can be asked of them.

use std::fmt;
use std::sync::Arc;

use sundry_coverage::{Coverage, MAXIMAL_INTEGER_BITS, Predicate};
use sundry_sample::{Obligation, Problem, SampleError, Summary, obligations};
use sundry_smtlib::{Diagnostic, DiagnosticKind};
use sundry_solver::Refusal;
use sundry_term::{Control, SymbolId, TermId, quote_symbol};

use crate::error::{Error, ErrorKind};
use crate::read::{Note, ReadFormula, stopped};
use crate::sampler::Sampler;
use crate::solution::Solution;
use crate::sort::Signature;

/// A formula: declared constants, and assertions about them.
///
/// Clones share the formula.
///
/// ```
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert (not p))")?;
/// let copy = formula.clone();
/// assert_eq!(format!("{copy:?}"), "Formula { name: \"formula\", assertions: 1, symbols: 1, .. }");
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone)]
pub struct Formula {
    pub(crate) parts: Arc<ReadFormula>,
    pub(crate) predicates: Arc<[Predicate]>,
}

impl Formula {
    /// The formula that a text says, with these predicates, terms of the formula.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::Control;
    /// use sundry::read::{SourceText, read_formula};
    ///
    /// let source = SourceText::new("p.smt2", "(declare-const p Bool) (assert p)");
    /// let formula = Formula::new(read_formula(source, None, &Control::default())?, Vec::new());
    /// assert_eq!(formula.parts().source.name(), "p.smt2");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn new(parts: ReadFormula, predicates: Vec<Predicate>) -> Formula {
        Formula { parts: Arc::new(parts), predicates: predicates.into() }
    }

    /// The same formula, in which the AST-bits of an integer are so many of its low bits, besides its sign: 64 where nobody says otherwise. Fewer
    /// are enough where the values that matter are small; more show values beyond 2^64.
    ///
    /// # Errors
    /// More than [`MAXIMAL_INTEGER_BITS`] bits, or the control has stopped the work.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::Control;
    ///
    /// let formula = Formula::parse("(declare-const n Int) (assert (> n 5))")?;
    /// // The constant, the numeral and the comparison, each with two values.
    /// assert_eq!(formula.ast_bits(), 2 * (65 + 65 + 1));
    /// let formula = formula.with_integer_bits(8, &Control::default())?;
    /// assert_eq!(formula.ast_bits(), 2 * (9 + 9 + 1));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn with_integer_bits(self, integer_bits: u32, control: &Control) -> Result<Formula, Error> {
        if integer_bits > MAXIMAL_INTEGER_BITS {
            let message = format!("integers have at most {MAXIMAL_INTEGER_BITS} bits that are measured");
            return Err(Error::new(ErrorKind::Input, message));
        }
        let parts = Arc::unwrap_or_clone(self.parts);
        let problem = parts
            .problem
            .with_integer_bits(integer_bits, control)
            .map_err(|reason| stopped(&parts.source, reason))?;
        Ok(Formula { parts: Arc::new(ReadFormula { problem, ..parts }), predicates: self.predicates })
    }

    /// The terms of the formula and all that its text says, for those who work on the terms themselves.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p) (assert p)")?;
    /// assert_eq!(formula.parts().problem.assertions.len(), 2);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn parts(&self) -> &ReadFormula {
        &self.parts
    }

    /// The notes on the text, for instance that it asks several questions of which the first is taken.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p) (check-sat) (check-sat)")?;
    /// assert_eq!(formula.notes()[0].message, "the script asks 2 questions; this first one is taken, with what is asserted here");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn notes(&self) -> &[Note] {
        &self.parts.notes
    }

    /// The names of the declared constants and functions, in order of declaration, under which solutions show
    /// their values.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-fun f (Bool) Bool) (assert (f p))")?;
    /// assert_eq!(formula.constants().collect::<Vec<_>>(), ["p", "f"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        self.parts.shown().map(|(name, _, _)| name)
    }

    /// The number of AST-bits of the formula: each bit of each Boolean or bit-vector node, with each of its two values.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x10))")?;
    /// // The constant and the literal have eight bits each, the comparison one, each with two values.
    /// assert_eq!(formula.ast_bits(), 2 * (8 + 8 + 1));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn ast_bits(&self) -> usize {
        self.parts.problem.ast_bits.total()
    }

    /// The constant or function that a name means: a name under which solutions show a value, or else one that is declared.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
    /// assert_eq!(formula.constant("p"), Some(formula.parts().problem.symbols[0]));
    /// assert_eq!(formula.constant("q"), None);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn constant(&self, name: &str) -> Option<SymbolId> {
        // Of several symbols with one name, the last declared is the one in scope.
        let shown = self.parts.shown().rev().find(|(shown, _, _)| *shown == name);
        shown.map(|(_, symbol, _)| symbol).or_else(|| {
            let ReadFormula { problem, .. } = &*self.parts;
            problem.symbols.iter().rev().copied().find(|&symbol| *problem.store.symbol(symbol).name == *name)
        })
    }

    /// The name of the formula in messages and records.
    ///
    /// ```
    /// let formula = sundry::Formula::reader().name("door.smt2").read("(assert true)")?;
    /// assert_eq!(formula.name(), "door.smt2");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        self.parts.source.name()
    }

    /// The sorts of a constant or function, by a name that [`constants`](Self::constants) gives; none where there is no such name.
    ///
    /// ```
    /// use sundry::{Formula, Sort};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x10))")?;
    /// assert_eq!(formula.signature("x").map(|signature| signature.result), Some(Sort::BitVec(8)));
    /// assert_eq!(formula.signature("y"), None);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn signature(&self, name: &str) -> Option<Signature> {
        self.constant(name).map(|symbol| Signature::of(&self.parts.problem.store, symbol))
    }

    /// The names of the values of a constant in a model of a configurable system, in the order of their numbers; none for
    /// other constants.
    ///
    /// ```
    /// use sundry::{Format, Formula};
    ///
    /// let formula = Formula::reader().format(Format::Pict).read("Disk: FAT, NTFS\nSize: 1, 9\n")?;
    /// assert_eq!(formula.value_names("Disk").collect::<Vec<_>>(), ["FAT", "NTFS"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn value_names(&self, constant: &str) -> impl Iterator<Item = &str> {
        let shown = self.parts.shown().rev().find(|(name, _, _)| *name == constant);
        shown.into_iter().flat_map(|(_, _, levels)| levels.iter().map(|level| level.name()))
    }

    /// The formula as a script in SMT-LIB that asks whether it has a solution.
    ///
    /// ```
    /// let mut builder = sundry::Formula::builder();
    /// let p = builder.constant("p", &sundry::Sort::Bool)?;
    /// builder.assert(p)?;
    /// let script = builder.build()?.to_smtlib();
    /// assert_eq!(script, "(set-logic ALL)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn to_smtlib(&self) -> String {
        let Problem { store, assertions, symbols, .. } = &self.parts.problem;
        let used = sundry_smtlib::Formula::of_assertions(store, assertions.clone());
        sundry_smtlib::print_formula(store, &used.declaring(store, symbols))
    }

    /// A sampler of this formula, with the strategy `cover`.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
    /// assert_eq!(formula.sampler().run()?.solutions.len(), 1);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn sampler(&self) -> Sampler {
        Sampler::new(self.clone())
    }

    /// The number of AST-bits that some solutions of this formula cover together.
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

    /// The claims of a run, as scripts that every solver has to find unsatisfiable.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let summary = formula.sampler().observe(&mut |_| ControlFlow::Continue(()))?;
    /// let obligations = formula.obligations(&summary);
    /// // That p is false, which is also that the assertion is false, is impossible.
    /// assert_eq!(obligations[0].name, "impossible");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn obligations(&self, summary: &Summary) -> Vec<Obligation> {
        obligations(&self.parts.problem, summary)
    }

    /// The error of a run that cannot start.
    pub(crate) fn cannot_sample(&self, error: &SampleError) -> Error {
        let kind = match error {
            SampleError::Stopped(_) | SampleError::TooManyTuples { .. } => ErrorKind::Limit,
            SampleError::NoFactors => ErrorKind::Input,
            SampleError::Unsupported(_) | SampleError::Undecided(_) | SampleError::TooClose(_) => {
                ErrorKind::Unsupported
            }
            SampleError::Refused(refusal) => return self.refused(refusal).with_cause(error.clone()),
            SampleError::NotEnumerable(symbol) | SampleError::Unbounded(symbol) => {
                let name = quote_symbol(&self.parts.problem.store.symbol(*symbol).name);
                let reason = match error {
                    SampleError::Unbounded(_) => "the solver proves no bounds for this integer",
                    _ => "it is an array, a function, a real or of a declared sort",
                };
                let message = format!("the values of {name} cannot be listed: {reason}");
                let help = "Sampler::project names the constants whose values are to be listed";
                let listed = Error::new(ErrorKind::Unsupported, message).with_help(help);
                return listed.with_cause(error.clone());
            }
        };
        Error::new(kind, error).with_cause(error.clone())
    }

    /// The error of a formula without a circuit, at the assertion that has the term at fault.
    pub(crate) fn refused(&self, refusal: &Refusal) -> Error {
        let ReadFormula { problem, source, places, .. } = &*self.parts;
        let (kind, help) = match refusal {
            Refusal::TooLarge(_) => (
                ErrorKind::Limit,
                "narrower bit-vectors need fewer gates; products and quotients grow with the square of the width",
            ),
            Refusal::Unsupported(_) => (
                ErrorKind::Unsupported,
                "Sundry decides Booleans, bit-vectors, integers, reals, floating point, arrays and functions",
            ),
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

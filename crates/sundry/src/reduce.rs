//! Making scripts smaller while they still show something.

use std::convert::Infallible;
use std::fmt;

use sundry_fuzz::{Check, Reduced, Reducible, Subject, Tree};
use sundry_smtlib::{ScriptText, SourceText, TheorySet, parse_script_within};
use sundry_term::{Control, TermStore};

use crate::error::{Error, ErrorKind};

/// A script that was made smaller.
///
/// ```
/// let script = "(declare-const p Bool) (declare-const q Bool) (assert (and p q)) (check-sat)";
/// let reduction = sundry::reduce(script, |candidate| candidate.contains("check-sat"))?;
/// assert_eq!(reduction.script, "(check-sat)\n");
/// assert!(reduction.is_finished && reduction.checks > 1);
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// The script.
    pub script: String,
    /// The number of scripts tried.
    pub checks: usize,
    /// Whether no change was left to try; otherwise a control has stopped the work.
    pub is_finished: bool,
}

/// The reason why [`try_reduce`] has no result.
///
/// ```
/// use sundry::{Control, ReduceError, try_reduce};
///
/// let result = try_reduce("(check-sat)", &Control::default(), |_| Err("no solver"));
/// assert_eq!(result.unwrap_err(), ReduceError::Check("no solver"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReduceError<E> {
    /// The text is not a script, or the script loses the behaviour when it is printed anew.
    Script(Error),
    /// The check failed with this error.
    Check(E),
}

impl<E: fmt::Display> fmt::Display for ReduceError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReduceError::Script(error) => error.fmt(f),
            ReduceError::Check(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Display + fmt::Debug> std::error::Error for ReduceError<E> {}

/// Makes a script in SMT-LIB smaller as long as `shows` confirms that the script still has the wanted behaviour:
/// commands are removed, and terms are replaced by simpler terms of the same sort, until no change is left that makes
/// the script smaller. Scripts of all theories are read, also of those that Sundry itself does not solve; a script with something
/// unknown is reduced as a tree of expressions.
///
/// # Errors
/// The text is not a script, or the script loses the behaviour when it is printed anew.
///
/// ```
/// let script = "(declare-const x (_ BitVec 8)) (declare-const p Bool)
///     (assert (or p (bvult (bvmul x x) #x10))) (assert (not p)) (check-sat)";
/// let reduction = sundry::reduce(script, |candidate| candidate.contains("bvmul"))?;
/// assert_eq!(reduction.script, "(assert (bvult (bvmul #b0 #b0) #b0))\n");
/// # Ok::<(), sundry::Error>(())
/// ```
pub fn reduce(script: &str, mut shows: impl FnMut(&str) -> bool) -> Result<Reduction, Error> {
    let checked = |candidate: &str| Ok::<bool, Infallible>(shows(candidate));
    try_reduce(script, &Control::default(), checked).map_err(|error| match error {
        ReduceError::Script(error) => error,
        ReduceError::Check(never) => match never {},
    })
}

/// [`reduce`] with a check that may fail, which ends the work, until a control stops it. The smallest script so far is the last
/// one that `shows` has confirmed.
///
/// # Errors
/// The errors of [`reduce`], or the error of the check.
///
/// ```
/// use std::time::{Duration, Instant};
/// use sundry::{Control, try_reduce};
///
/// let control = Control::default().with_deadline(Instant::now().checked_add(Duration::from_secs(60)));
/// let script = "(declare-const p Bool) (assert (or p (not p))) (check-sat)";
/// let reduction = try_reduce(script, &control, |candidate| Ok::<_, std::io::Error>(candidate.contains("(or")))?;
/// assert_eq!(reduction.script, "(assert (or true true))\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn try_reduce<E>(
    script: &str,
    control: &Control,
    shows: impl FnMut(&str) -> Result<bool, E>,
) -> Result<Reduction, ReduceError<E>> {
    let mut store = TermStore::new();
    let source = SourceText::new("script", script);
    let mut check = Shows { shows, control };
    let reduced = match parse_script_within(&mut store, &source, TheorySet::ALL, control) {
        Ok(read) => {
            let reduced = sundry_fuzz::reduce(&mut store, Subject::of_script(&read), &mut check);
            reduced.map(|reduced| reduced.map(Reduction::from))
        }
        Err(diagnostic) => {
            // Theories of one solver, and all else that is not known, are reduced by their parentheses.
            let tree = Tree::read(script).ok().filter(|_| Tree::may_read(diagnostic.kind));
            let tree = tree.ok_or_else(|| ReduceError::Script(Error::at(&diagnostic, &source)))?;
            sundry_fuzz::reduce_tree(tree, &mut check).map(|reduced| reduced.map(Reduction::from))
        }
    };
    match reduced.map_err(ReduceError::Check)? {
        Some(reduction) => Ok(reduction),
        None => {
            let message = "the script does not show it, as it is printed anew";
            Err(ReduceError::Script(Error::new(ErrorKind::Input, message)))
        }
    }
}

impl<S: Reducible> From<Reduced<S>> for Reduction {
    fn from(reduced: Reduced<S>) -> Self {
        let Reduced { text, checks, is_finished, .. } = reduced;
        Reduction { script: text, checks, is_finished }
    }
}

/// A check by a function of the script's text.
struct Shows<'c, F> {
    shows: F,
    control: &'c Control,
}

impl<S, E, F: FnMut(&str) -> Result<bool, E>> Check<S> for Shows<'_, F> {
    type Error = E;

    fn shows(&mut self, _: &mut TermStore, _: &S, text: &ScriptText) -> Result<bool, E> {
        (self.shows)(text)
    }

    fn goes_on(&self) -> bool {
        !self.control.stopped()
    }
}

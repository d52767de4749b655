//! Making scripts smaller while they still show something.

use std::convert::Infallible;

use sundry_fuzz::{Check, Reduced, Subject};
use sundry_smtlib::{ScriptText, SourceText, TheorySet, parse_script_within};
use sundry_term::{Control, TermStore};

use crate::error::{Error, ErrorKind};

/// A script that was made smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// The script.
    pub script: String,
    /// The number of scripts tried.
    pub checks: usize,
}

/// Makes a script in SMT-LIB smaller as long as `shows` confirms that the script still has the wanted behaviour:
/// commands are removed, and terms are replaced by simpler terms of the same sort, until no change is left that makes
/// the script smaller. Scripts of all theories are read, also of those that Sundry itself does not solve.
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
pub fn reduce(script: &str, shows: impl FnMut(&str) -> bool) -> Result<Reduction, Error> {
    let mut store = TermStore::new();
    let source = SourceText::new("script", script);
    let read = parse_script_within(&mut store, &source, TheorySet::ALL, &Control::default())
        .map_err(|diagnostic| Error::at(&diagnostic, &source))?;
    let reduced = sundry_fuzz::reduce(&mut store, Subject::of_script(&read), &mut Shows(shows));
    let Ok(reduced) = reduced;
    let Some(Reduced { text, checks, .. }) = reduced else {
        let message = "the script does not show it, as it is printed anew";
        return Err(Error::new(ErrorKind::Input, message));
    };
    Ok(Reduction { script: text, checks })
}

/// A check by a function of the script's text.
struct Shows<F>(F);

impl<F: FnMut(&str) -> bool> Check for Shows<F> {
    type Error = Infallible;

    fn shows(&mut self, _: &mut TermStore, _: &Subject, text: &ScriptText) -> Result<bool, Infallible> {
        Ok((self.0)(text))
    }

    fn goes_on(&self) -> bool {
        true
    }
}

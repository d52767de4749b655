//! Solvers as answerers of inquiries.

/// A solver answers in circumstances: a folder for its files, limits, and a flag that ends it.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
/// use sundry::solvers::{Circumstances, Limits};
///
/// let (limits, interrupted) = (Limits::default(), Arc::default());
/// let here = Circumstances::new(Path::new("."), &limits, &interrupted);
/// assert!(here.folder.is_dir() && here.processes.is_none());
/// ```
pub use sundry_external::Circumstances;

/// An inquiry is a script that solvers get, in the words that they read.
///
/// ```
/// use sundry::solvers::Inquiry;
///
/// let inquiry = Inquiry::parse("(declare-const p Bool) (assert p) (check-sat)").expect("a script");
/// assert!(inquiry.text.contains("(assert p)"));
/// assert!(Inquiry::parse("(assert").is_err());
/// ```
pub use sundry_external::Inquiry;

/// Limits keep an answer from taking too much time, memory or space.
///
/// ```
/// use std::time::Duration;
/// use sundry::solvers::Limits;
///
/// let limits = Limits { wall: Duration::from_secs(10), ..Limits::default() };
/// assert_eq!(limits.memory, Some(4 << 30));
/// ```
pub use sundry_external::Limits;

/// Everything that answers inquiries is a respondent, with a name and a family.
///
/// ```
/// use sundry::solvers::Respondent;
///
/// let solver = sundry::built_in_solver(&sundry::Control::default());
/// let respondent: &dyn Respondent = &solver;
/// assert_eq!(respondent.name(), sundry::BUILT_IN);
/// assert!(respondent.is_release_of(&solver));
/// ```
pub use sundry_external::Respondent;

/// [`built_in_solver`](crate::built_in_solver) returns a solver, which may get another name.
///
/// ```
/// use sundry::solvers::{Respondent, Solver};
///
/// let mut solver: Solver = sundry::built_in_solver(&sundry::Control::default());
/// assert_eq!(solver.name, sundry::BUILT_IN);
/// solver.name = "ours".to_string();
/// assert_eq!(Respondent::name(&solver), "ours");
/// ```
pub use sundry_external::Solver;

/// A verdict is the word that a solver answers to `check-sat`.
///
/// ```
/// use sundry::solvers::Verdict;
///
/// let words = [Verdict::Sat, Verdict::Unsat, Verdict::Unknown].map(|verdict| verdict.to_string());
/// assert_eq!(words, ["sat", "unsat", "unknown"]);
/// ```
pub use sundry_external::Verdict;

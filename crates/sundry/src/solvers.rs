//! Solvers as answerers of inquiries: programs, and [`built_in_solver`](crate::built_in_solver) among them.
//!
//! ```
//! use std::path::Path;
//! use std::sync::Arc;
//! use sundry::solvers::{Circumstances, Inquiry, Limits, Respondent, Verdict};
//!
//! let solver = sundry::built_in_solver(&sundry::Control::default());
//! let inquiry = Inquiry::parse("(declare-const p Bool) (assert (and p (not p))) (check-sat)").unwrap();
//! let (limits, interrupted) = (Limits::default(), Arc::default());
//! let here = Circumstances::new(Path::new("."), &limits, &interrupted);
//! assert_eq!(solver.ask(&inquiry, here)?.verdict(), Some(Verdict::Unsat));
//! # Ok::<(), std::io::Error>(())
//! ```

pub use crate::below::solvers::{Circumstances, Inquiry, Limits, Respondent, Solver, Verdict};

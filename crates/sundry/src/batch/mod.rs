//! Many formulas, worked on by several threads, so that a batch which was killed can continue.
//!
//! [`run`] hands formulas to threads and puts the results into the order of the formulas, whichever finished first. A
//! [`Worker`] defines the work on one formula and the use of its result. A [`Journal`] keeps results as lines of JSON
//! while the batch runs, and knows which formulas an earlier run with the same [`Description`] has finished. [`place`]
//! gives each formula a name for its outputs. Nothing here opens a file or prints: paths are names, and all output goes
//! to a [`Write`](std::io::Write).
//!
//! ```
//! use sundry::Formula;
//! use sundry::batch::{self, Worker};
//!
//! struct Counting;
//!
//! impl Worker for Counting {
//!     type Item = &'static str;
//!     type Entry = Result<usize, sundry::Error>;
//!
//!     fn work(&self, text: &&'static str) -> Self::Entry {
//!         Ok(Formula::parse(*text)?.sampler().run()?.solutions.len())
//!     }
//! }
//!
//! let texts = ["(declare-const p Bool) (assert (not p))", "(assert", "(declare-const q Bool) (assert q)"];
//! let entries = batch::run(&texts, 2, &Counting);
//! assert_eq!(entries[0], Ok(1));
//! assert!(entries[1].is_err());
//! assert_eq!(entries[2], Ok(1));
//! ```

mod journal;
mod placement;
mod schedule;

pub use journal::{Description, Journal, lines};
pub use placement::{Clash, Item, Located, clash, place};
pub use schedule::{Worker, run};

//! The conditions under which work stops.

/// A control stops a run, a question or a measurement at a deadline, or when a flag is set.
///
/// ```
/// use std::time::Instant;
/// use sundry::{Control, Formula, StopReason};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 8))")?;
/// let control = Control::default().with_deadline(Some(Instant::now()));
/// assert_eq!(formula.sampler().control(control).run()?.stopped_by, StopReason::Deadline);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::Control;

/// An observer sees how often work looks at its [`Control`], and may set a flag that stops it.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use sundry::{Control, LookObserver};
///
/// let looks = Arc::new(AtomicUsize::new(0));
/// let counter = Arc::clone(&looks);
/// let observer: LookObserver = Arc::new(move || _ = counter.fetch_add(1, Ordering::Relaxed));
/// Control::default().with_observer(observer).check()?;
/// assert_eq!(looks.load(Ordering::Relaxed), 1);
/// # Ok::<(), sundry::Stopped>(())
/// ```
pub use sundry_term::LookObserver;

/// Work that a [`Control`] stops says why.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
/// use sundry::{Control, Stopped};
///
/// let control = Control::default().with_stop(Arc::new(AtomicBool::new(true)));
/// assert_eq!(control.check(), Err(Stopped::Interrupted));
/// ```
pub use sundry_term::Stopped;

//! When work stops: one `Control` for reading, building, solving, judging and printing.
//!
//! Long work reports its progress, in units of about ten nanoseconds ([`Control::spend`]). Now and then, this call
//! looks at the clock, at the stop flag, and at the memory. Looking at every step would cost more than many steps do.
//! A thread that sets a flag when time is up was rejected: libraries start no threads.
//!
//! The first look that ends work decides the reason, for all clones of a control: later calls get the same reason.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Work between two looks: some tens of microseconds, of which a look is one part in a thousand.
const STRIDE: u32 = 1 << 12;

/// A step that is expected to take less may end after a deadline.
const LONG_STEP: Duration = Duration::from_millis(100);

/// The time after the end for which a control allows work to judge the results found by then.
const GRACE: Duration = Duration::from_millis(200);

/// The reason for which work was stopped before its end.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stopped {
    /// Time was up.
    Deadline,
    /// The user or the caller requested the stop.
    Interrupted,
    /// The memory in use reached its limit.
    Memory,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stopped::Deadline => "time was up",
            Stopped::Interrupted => "it was interrupted",
            Stopped::Memory => "memory was used up",
        })
    }
}

impl std::error::Error for Stopped {}

/// Is called at each look, on the thread that looks: to measure the work between looks, and to stop work at a certain
/// look.
pub type LookObserver = Arc<dyn Fn() + Send + Sync>;

/// The conditions under which work stops before it is finished. The default has none.
///
/// Clones stop together and count their work separately.
///
/// ```
/// use std::time::Instant;
/// use sundry_term::{Control, Stopped};
///
/// let control = Control::default();
/// assert_eq!(control.spend(1_000_000), Ok(()));
/// let control = control.with_deadline(Some(Instant::now()));
/// assert_eq!(control.check(), Err(Stopped::Deadline));
/// ```
#[derive(Default)]
pub struct Control {
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    /// The flag that is set when the work is no longer needed, in addition to `stop`, which the user sets.
    superseded: Option<Arc<AtomicBool>>,
    memory: Option<Arc<AtomicBool>>,
    observer: Option<LookObserver>,
    /// The first look that ended work.
    end: Arc<OnceLock<(Stopped, Instant)>>,
    /// Work since the last look.
    work: AtomicU32,
    /// Work before the last look.
    earlier: AtomicU64,
    /// The work that this control allows.
    most: Option<u64>,
}

impl Clone for Control {
    fn clone(&self) -> Self {
        Control { end: Arc::clone(&self.end), ..self.anew() }
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Control { deadline, stop, end, .. } = self;
        f.debug_struct("Control")
            .field("deadline", deadline)
            .field("stop", stop)
            .field("end", &end.get())
            .finish_non_exhaustive()
    }
}

impl Control {
    /// The same conditions, as if none had been met yet.
    fn anew(&self) -> Control {
        Control {
            deadline: self.deadline,
            stop: self.stop.clone(),
            superseded: self.superseded.clone(),
            memory: self.memory.clone(),
            observer: self.observer.clone(),
            end: Arc::default(),
            work: AtomicU32::new(0),
            earlier: AtomicU64::new(0),
            most: self.most,
        }
    }

    /// The same conditions, with this deadline, if any.
    #[must_use]
    pub fn with_deadline(&self, deadline: Option<Instant>) -> Control {
        Control { deadline, ..self.anew() }
    }

    /// The same conditions, and a flag that another thread sets to stop the work.
    #[must_use]
    pub fn with_stop(&self, stop: Arc<AtomicBool>) -> Control {
        Control { stop: Some(stop), ..self.anew() }
    }

    /// The same conditions, and a flag that is set when the result is no longer needed.
    #[must_use]
    pub fn with_superseded(&self, superseded: Arc<AtomicBool>) -> Control {
        Control { superseded: Some(superseded), ..self.anew() }
    }

    /// The same conditions, and a flag that is set when memory runs out.
    #[must_use]
    pub fn with_memory(&self, memory: Arc<AtomicBool>) -> Control {
        Control { memory: Some(memory), ..self.anew() }
    }

    /// The same conditions, with an observer of each check.
    #[must_use]
    pub fn with_observer(&self, observer: LookObserver) -> Control {
        Control { observer: Some(observer), ..self.anew() }
    }

    /// The same conditions with a deadline after a part of the time that is left, if time is limited.
    #[must_use]
    pub fn within_part(&self, part: u32) -> Control {
        let now = Instant::now();
        let left = |deadline: Instant| now + deadline.saturating_duration_since(now) / part;
        self.with_deadline(self.deadline.map(left))
    }

    /// A control for finishing existing results: after the end of this one, it allows a fifth of a second more.
    #[must_use]
    pub fn with_grace(&self) -> Control {
        match self.check() {
            Ok(()) => self.with_deadline(self.deadline.and_then(|deadline| deadline.checked_add(GRACE))),
            Err(_) => {
                let since = self.end.get().map_or_else(Instant::now, |&(_, since)| since);
                Control { deadline: since.checked_add(GRACE), stop: None, memory: None, ..self.anew() }
            }
        }
    }

    /// The moment at which work stops, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether no condition can stop this work and nobody observes it.
    pub fn is_unlimited(&self) -> bool {
        self.deadline.is_none()
            && self.stop.is_none()
            && self.superseded.is_none()
            && self.memory.is_none()
            && self.observer.is_none()
            && self.most.is_none()
    }

    /// A clone that also stops once it has counted so much work, as if time was up; others do not stop then.
    pub fn with_work(&self, most: u64) -> Control {
        Control { most: Some(most), ..self.clone() }
    }

    /// Counts work that was done, in units of about ten nanoseconds, and checks the conditions once enough work has
    /// accumulated.
    ///
    /// # Errors
    /// The reason for which work has to stop.
    #[inline]
    pub fn spend(&self, work: u32) -> Result<(), Stopped> {
        // Threads that share one control may lose some of the count, which does no harm.
        let sum = self.work.load(Ordering::Relaxed).saturating_add(work);
        self.work.store(sum, Ordering::Relaxed);
        if sum < STRIDE { Ok(()) } else { self.check() }
    }

    /// The work that this control has counted, without that of other clones: the same on every machine.
    pub fn spent(&self) -> u64 {
        self.earlier.load(Ordering::Relaxed) + u64::from(self.work.load(Ordering::Relaxed))
    }

    /// Checks the conditions now.
    ///
    /// # Errors
    /// The reason for which work has to stop.
    pub fn check(&self) -> Result<(), Stopped> {
        let work = u64::from(self.work.swap(0, Ordering::Relaxed));
        let sum = self.earlier.fetch_add(work, Ordering::Relaxed) + work;
        if let Some(observer) = &self.observer {
            observer();
        }
        if let Some(&(stopped, _)) = self.end.get() {
            return self.ended(stopped);
        }
        if self.most.is_some_and(|most| sum >= most) {
            return Err(Stopped::Deadline);
        }
        let stopped = if self.is_interrupted() {
            Stopped::Interrupted
        } else if self.memory.as_ref().is_some_and(|memory| memory.load(Ordering::Relaxed)) {
            Stopped::Memory
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Stopped::Deadline
        } else {
            return Ok(());
        };
        self.ended(self.end.get_or_init(|| (stopped, Instant::now())).0)
    }

    /// Checks before a step that nothing can stop whether its expected time is left. If it is not, the deadline
    /// counts as reached.
    ///
    /// # Errors
    /// The reason for which work has to stop.
    pub fn check_before(&self, step: Duration) -> Result<(), Stopped> {
        if step < LONG_STEP {
            return Ok(());
        }
        self.check()?;
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| deadline.saturating_duration_since(now) < step) {
            let (stopped, _) = *self.end.get_or_init(|| (Stopped::Deadline, now));
            return self.ended(stopped);
        }
        Ok(())
    }

    /// The answer to a check after the end. The next call that counts work gets the same answer immediately, because
    /// code that cannot fail may ignore an answer and leave it to its callers.
    fn ended(&self, stopped: Stopped) -> Result<(), Stopped> {
        self.work.store(STRIDE, Ordering::Relaxed);
        Err(stopped)
    }

    /// Whether a condition for stopping is met.
    pub fn stopped(&self) -> bool {
        self.check().is_err()
    }

    /// The reason for which work stops, given that it does.
    pub fn reason(&self) -> Stopped {
        self.check().err().unwrap_or(Stopped::Deadline)
    }

    /// Whether a flag is set that stops work: faster to ask than the clock.
    pub fn is_interrupted(&self) -> bool {
        let is_set =
            |flag: &Option<Arc<AtomicBool>>| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        is_set(&self.stop) || is_set(&self.superseded)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn enough_work_looks() {
        let looks = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&looks);
        let observer: LookObserver = Arc::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        let control = Control::default().with_observer(observer);
        for _ in 0..10 * STRIDE {
            assert_eq!(control.spend(1), Ok(()));
        }
        assert_eq!(looks.load(Ordering::Relaxed), 10);
        assert_eq!(control.spend(u32::MAX), Ok(()));
        assert_eq!(looks.load(Ordering::Relaxed), 11);
        assert_eq!(control.spend(3), Ok(()));
        assert_eq!(control.spent(), 10 * u64::from(STRIDE) + u64::from(u32::MAX) + 3);
        assert_eq!(control.clone().spent(), 0);
    }

    #[test]
    fn a_step_that_would_end_too_late_is_not_begun() {
        let soon = Control::default().with_deadline(Some(Instant::now() + Duration::from_secs(1000)));
        assert_eq!(soon.check_before(Duration::from_secs(500)), Ok(()));
        assert_eq!(soon.check_before(Duration::from_secs(2000)), Err(Stopped::Deadline));
        // The deadline ends work for all clones.
        assert_eq!(soon.clone().check(), Err(Stopped::Deadline));
        assert_eq!(Control::default().check_before(Duration::MAX), Ok(()));
    }

    #[test]
    fn clones_stop_together_for_one_reason() {
        let stop = Arc::new(AtomicBool::new(false));
        let control = Control::default().with_stop(Arc::clone(&stop));
        let clone = control.clone();
        assert!(!control.stopped());
        stop.store(true, Ordering::Relaxed);
        assert_eq!(control.check(), Err(Stopped::Interrupted));
        // An observed flag counts even if it is taken back.
        stop.store(false, Ordering::Relaxed);
        assert_eq!(clone.spend(STRIDE), Err(Stopped::Interrupted));
        assert_eq!(clone.reason(), Stopped::Interrupted);
    }

    #[test]
    fn an_answer_that_was_passed_over_comes_again() {
        let control = Control::default().with_deadline(Some(Instant::now()));
        assert!((0..STRIDE).any(|_| control.spend(1).is_err()));
        assert_eq!(control.spend(1), Err(Stopped::Deadline));
    }

    #[test]
    fn work_ends_for_one_control_alone() {
        let control = Control::default();
        let limited = control.with_work(3 * u64::from(STRIDE));
        assert_eq!(limited.spend(STRIDE), Ok(()));
        assert_eq!(limited.spend(STRIDE), Ok(()));
        assert_eq!(limited.spend(STRIDE), Err(Stopped::Deadline));
        assert_eq!(control.check(), Ok(()));
    }

    #[test]
    fn memory_is_a_reason_of_its_own() {
        let memory = Arc::new(AtomicBool::new(false));
        let control = Control::default().with_memory(Arc::clone(&memory));
        assert!(!control.stopped());
        memory.store(true, Ordering::Relaxed);
        assert_eq!(control.check(), Err(Stopped::Memory));
        // Grace allows existing results to be finished within a moment.
        assert!(!control.with_grace().stopped());
        // When there is memory again, other work may begin.
        memory.store(false, Ordering::Relaxed);
        assert!(control.stopped() && !control.with_deadline(None).stopped());
    }

    #[test]
    fn a_part_of_the_time_is_a_time_of_its_own() {
        let control = Control::default();
        assert_eq!(control.within_part(4).deadline(), None);
        let control = control.with_deadline(Some(Instant::now()));
        let hour = Instant::now() + Duration::from_secs(3600);
        let later = control.with_deadline(Some(hour));
        assert!(control.stopped() && !later.stopped());
        let part = later.within_part(4).deadline().expect("time is limited");
        assert!(part < hour - Duration::from_secs(1800));
    }

    #[test]
    fn what_was_found_may_be_finished() {
        let stop = Arc::new(AtomicBool::new(true));
        for control in
            [Control::default().with_stop(stop), Control::default().with_deadline(Some(Instant::now()))]
        {
            assert!(control.stopped());
            let grace = control.with_grace();
            assert!(grace.deadline().is_some_and(|deadline| deadline <= Instant::now() + GRACE));
            // The fifth of a second does not start anew with each call.
            assert_eq!(control.with_grace().deadline(), grace.deadline());
        }
        assert!(!Control::default().with_grace().stopped());
    }
}

//! Limits of a call, and the watch that CaDiCaL polls.
//!
//! The solver polls very often while search is fast and rarely inside long inprocessing. Reading
//! the clock at each poll would cost a noticeable part of the propagation speed, and reading it at
//! every n-th would overshoot where polls are rare. The stride therefore follows the observed
//! time between readings.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use cadical_sys::Terminator;
use sundry_term::Control;

/// The limits at which a call gives up. By default there are no limits.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The control that stops calls from outside, within about a millisecond of search.
    pub control: Control,
    /// Conflicts that one call may have: the deterministic limit. Counts above `i32::MAX` are
    /// as good as none.
    pub conflicts: Option<u64>,
    /// Ticks (see [`Statistics`](crate::Statistics)) that the search of one call may take: the
    /// deterministic limit that is closest to time. Counts above `i32::MAX` are as good as none.
    pub ticks: Option<u64>,
}

impl Limits {
    /// Limits for calls that stop with a control, or after this number of ticks.
    pub fn new(control: &Control, ticks: Option<u64>) -> Self {
        Limits { control: control.clone(), ticks, ..Limits::default() }
    }

    /// Whether a call would have to stop before it starts.
    pub fn reached(&self) -> bool {
        self.control.stopped()
    }
}

const SHORTEST: Duration = Duration::from_micros(100);
const LONGEST: Duration = Duration::from_micros(500);
const MAXIMAL_STRIDE: u32 = 1 << 12;

struct Watch {
    limits: Limits,
    stride: u32,
    polls: u32,
    last_reading: Option<Instant>,
}

/// The watch connected to the solver; the owner of the clone changes the limits between calls.
#[derive(Clone)]
pub(crate) struct SharedWatch(Rc<RefCell<Watch>>);

impl SharedWatch {
    pub(crate) fn new() -> Self {
        let watch = Watch { limits: Limits::default(), stride: 1, polls: 0, last_reading: None };
        SharedWatch(Rc::new(RefCell::new(watch)))
    }

    pub(crate) fn set_limits(&self, limits: Limits) {
        self.0.borrow_mut().limits = limits;
    }

    /// Prepares for a call; the time between calls says nothing about the speed of polling.
    pub(crate) fn start(&self) {
        let mut watch = self.0.borrow_mut();
        watch.polls = 0;
        watch.last_reading = None;
    }
}

impl Watch {
    fn poll(&mut self) -> bool {
        if self.limits.control.is_interrupted() {
            return true;
        }
        self.polls += 1;
        if self.polls < self.stride {
            return false;
        }
        self.polls = 0;
        let now = Instant::now();
        if let Some(last) = self.last_reading.replace(now) {
            let elapsed = now - last;
            if elapsed < SHORTEST {
                self.stride = (self.stride * 2).min(MAXIMAL_STRIDE);
            } else if elapsed > LONGEST {
                self.stride = (self.stride / 4).max(1);
            }
        }
        self.limits.control.stopped()
    }
}

impl Terminator for SharedWatch {
    fn terminated(&mut self) -> bool {
        self.0.borrow_mut().poll()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn the_stride_follows_the_speed_of_polling() {
        let watch = SharedWatch::new();
        let deadline = Instant::now() + Duration::from_secs(3600);
        watch.set_limits(Limits::new(&Control::default().with_deadline(Some(deadline)), None));
        let mut poll = watch.clone();
        for _ in 0..100_000 {
            assert!(!poll.terminated());
        }
        let fast = watch.0.borrow().stride;
        assert!(fast >= 16, "stride {fast}");
        for _ in 0..=2 * fast {
            if watch.0.borrow().stride < fast {
                return;
            }
            std::thread::sleep(Duration::from_micros(20));
            poll.terminated();
        }
        panic!("the stride stays at {fast} although polls are slow");
    }

    #[test]
    fn flag_and_deadline_stop() {
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits::new(&Control::default().with_stop(stop.clone()), None);
        assert!(!limits.reached());
        let mut watch = SharedWatch::new();
        watch.set_limits(limits.clone());
        assert!(!watch.terminated());
        stop.store(true, Ordering::Relaxed);
        assert!(watch.terminated());
        assert!(limits.reached());
        watch.set_limits(Limits::new(&Control::default().with_deadline(Some(Instant::now())), None));
        watch.start();
        assert!((0..MAXIMAL_STRIDE).any(|_| watch.terminated()));
    }
}

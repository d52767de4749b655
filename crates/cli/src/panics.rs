//! Defects of this program: caught, so that they end one formula and not a whole batch, and reported
//! as what they are.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use sundry_external::panic_text;

use crate::failure::{Failure, FailureKind};

thread_local! {
    /// The place of the last panic of this thread; the payload does not say.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs some work and turns a panic into a failure.
///
/// # Errors
/// The work has panicked.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PLACE.set(info.location().map(ToString::to_string));
            if std::env::var_os("RUST_BACKTRACE").is_some() {
                default(info);
            }
        }));
    });
    // What the work was changing is dropped with it, or is only read afterwards.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let place = PLACE.take().map_or(String::new(), |place| format!(" ({place})"));
        Failure::new(FailureKind::Internal, format_args!("internal error: {}{place}", panic_text(&*payload)))
            .with_help("this is a defect of sundry; please report it together with the formula")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Status;

    #[test]
    fn a_panic_is_our_fault_and_says_where() {
        let failure = catch(|| panic!("lost {}", "count")).expect_err("it panics");
        assert_eq!(failure.status(), Status::Internal);
        assert!(failure.headline().starts_with("internal error: lost count (crates/cli"), "{failure}");
        assert_eq!(catch(|| 7), Ok(7));
    }
}

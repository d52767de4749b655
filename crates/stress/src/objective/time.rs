//! The time of an input on one solver, compared with that on another (*tScore*, equation 1).

/// The score of an input that takes `target` on the solver under test and `reference` on the other one, in the same unit:
/// seconds of processor time, or shares of a limit. An input that the target is slower on gets the difference on top:
///
/// ```text
/// tScore = target                           if target ≤ reference
///          target + (target − reference)    otherwise
/// ```
///
/// ```
/// use sundry_stress::time_score;
///
/// // The example of the paper: out of time after 5 s here, 0.01731 s there.
/// assert!((time_score(5.0, 0.01731) - 9.98269).abs() < 1e-9);
/// assert_eq!(time_score(0.5, 3.0), 0.5);
/// ```
pub fn time_score(target: f64, reference: f64) -> f64 {
    target + (target - reference).max(0.0)
}

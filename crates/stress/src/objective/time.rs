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

/// The ratio of efforts from which one is larger than the other.
const STEP: f64 = 1.25;

/// The class of a time score, in which inputs that hardly differ are equal: 0 up to `noise`, and one more for each factor of 1.25
/// above it.
///
/// A solver takes a few milliseconds more or less each time for an input that it decides at once. Compared as they are, such scores
/// leave most inputs undominated, and a population half of which is trivial.
///
/// ```
/// use sundry_stress::class_of_time;
///
/// assert_eq!(class_of_time(0.031, 0.25), class_of_time(0.107, 0.25));
/// assert_eq!(class_of_time(9.98269, 0.25), class_of_time(9.99013, 0.25));
/// assert!(class_of_time(2.0, 0.25) < class_of_time(3.0, 0.25));
/// ```
pub fn class_of_time(score: f64, noise: f64) -> f64 {
    if score <= noise { 0.0 } else { 1.0 + (score / noise).log(STEP).floor() }
}

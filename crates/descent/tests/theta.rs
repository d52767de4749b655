//! The number of floats between two others, on all pairs of a small format, against a list of the values in order.

use std::cmp::Ordering;

use sundry_descent::theta;
use sundry_term::{Float, FloatFormat};

#[test]
fn theta_counts_the_values_between() {
    let format = FloatFormat::new(3, 4).unwrap();
    let mut values: Vec<Float> =
        (0..).map(|number| Float::numbered(format, number)).take_while(|value| !value.is_nan()).collect();
    assert_eq!(values.len(), 2 * (7 * 8 + 1));
    values.sort_by(|left, right| match left.compare(right) {
        // The zeros: the negative one is first.
        Some(Ordering::Equal) => right.is_negative().cmp(&left.is_negative()),
        order => order.expect("none is NaN"),
    });
    for (i, left) in values.iter().enumerate() {
        for (j, right) in values.iter().enumerate() {
            assert_eq!(theta(left, right), Some(i.abs_diff(j) as u64), "{left:?} {right:?}");
        }
        assert_eq!(theta(left, &Float::nan(format)), None);
    }
    assert_eq!(theta(&Float::nan(format), &Float::nan(format)), Some(0));
}

#[test]
fn theta_of_wide_formats_is_the_greatest_number_in_place_of_greater_ones() {
    let format = FloatFormat::new(15, 113).unwrap();
    let ends = [Float::infinity(format, true), Float::infinity(format, false)];
    assert_eq!(theta(&ends[0], &ends[1]), Some(u64::MAX));
    assert_eq!(theta(&Float::zero(format, true), &Float::zero(format, false)), Some(1));
}

//! Means and medians.

/// The geometric mean of positive numbers; NaN of none.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    mean(values.into_iter().map(f64::ln)).exp()
}

/// The arithmetic mean; NaN of none.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    sum / count
}

/// The middle one of numbers, the upper of two; NaN of none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A number for a table; `-` if there is none.
pub fn cell(value: f64, digits: usize) -> String {
    if value.is_nan() { "-".into() } else { format!("{value:.digits$}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_what_they_are_called() {
        assert!((geometric_mean([1.0, 4.0, 16.0]) - 4.0).abs() < 1e-9);
        assert!((mean([1.0, 2.0, 6.0]) - 3.0).abs() < 1e-9);
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9 && median(&[]).is_nan());
        assert_eq!(cell(mean([]), 2), "-");
        assert_eq!(cell(1.234, 2), "1.23");
    }
}

//! Applying as many of some changes as possible, in ever smaller chunks.

/// Tries changes, all at once first, then in halves, quarters, … down to single ones. `attempt` applies a chunk
/// to the present state if the result is wanted, and says whether it did. Whether anything was applied.
///
/// This is the second half of *delta debugging* (Zeller & Hildebrandt, "Simplifying and isolating
/// failure-inducing input", IEEE Transactions on Software Engineering 28, 2002); what was applied is not tried
/// again, so the number of attempts is at most twice the number of changes.
pub(super) fn apply_most<T, E>(
    changes: &[T],
    mut attempt: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<bool, E> {
    let mut left: Vec<&[T]> = if changes.is_empty() { Vec::new() } else { vec![changes] };
    let mut applied = false;
    while !left.is_empty() {
        let mut smaller = Vec::new();
        for chunk in left {
            if attempt(chunk)? {
                applied = true;
            } else if chunk.len() > 1 {
                let (front, back) = chunk.split_at(chunk.len() / 2);
                smaller.extend([front, back]);
            }
        }
        left = smaller;
    }
    Ok(applied)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn all_that_can_go_goes() {
        let mut kept: Vec<u32> = (0..100).collect();
        let mut attempts = 0;
        let result = apply_most::<_, Infallible>(&(0..100).collect::<Vec<u32>>(), |chunk| {
            attempts += 1;
            let rest: Vec<u32> = kept.iter().copied().filter(|item| !chunk.contains(item)).collect();
            let is_wanted = rest.contains(&17) && rest.contains(&64);
            if is_wanted {
                kept = rest;
            }
            Ok(is_wanted)
        });
        assert_eq!((result, kept), (Ok(true), vec![17, 64]));
        assert!(attempts < 40, "{attempts}");
    }

    #[test]
    fn nothing_to_do_is_nothing_done() {
        assert_eq!(apply_most::<u32, Infallible>(&[], |_| unreachable!()), Ok(false));
        assert_eq!(apply_most::<_, Infallible>(&[1, 2, 3], |_| Ok(false)), Ok(false));
    }
}

//! `LIKE`: texts beside patterns.

/// Whether a text is like a pattern, in which `*` stands for any text and `?` for one character.
pub(super) fn is_like(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    // Whether the pattern so far fits each beginning of the text, by length.
    let mut fits = vec![false; text.len() + 1];
    fits[0] = true;
    for c in pattern.chars() {
        if c == '*' {
            let first = fits.iter().position(|&fits| fits).unwrap_or(fits.len());
            fits[first..].fill(true);
            continue;
        }
        for end in (1..=text.len()).rev() {
            fits[end] = fits[end - 1] && (c == '?' || c == text[end - 1]);
        }
        fits[0] = false;
    }
    fits[text.len()]
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn patterns_fit_as_a_whole() {
        for (text, pattern) in
            [("fat32", "fat*"), ("fat", "fat*"), ("fat", "?at"), ("", "*"), ("", ""), ("abcabc", "*b?*c")]
        {
            assert!(is_like(text, pattern), "{text} {pattern}");
        }
        for (text, pattern) in [("ntfs", "fat*"), ("fat", "fat?"), ("fat", "at"), ("a", ""), ("ab", "*c")] {
            assert!(!is_like(text, pattern), "{text} {pattern}");
        }
    }
}

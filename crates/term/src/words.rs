//! Searching and replacing in words over any letters: the characters of strings, the elements of sequences.
//!
//! The theories of strings and of sequences define these operations alike, so both share them.

use dashu_int::IBig;

/// The part of at most `length` letters from `start` on; empty if the start is outside.
pub(crate) fn part<'w, L>(word: &'w [L], start: &IBig, length: &IBig) -> &'w [L] {
    let Ok(start) = usize::try_from(start) else { return &[] };
    if start >= word.len() || *length <= IBig::ZERO {
        return &[];
    }
    let rest = &word[start..];
    let length = usize::try_from(length).map_or(rest.len(), |length| length.min(rest.len()));
    &rest[..length]
}

/// The position at which the pattern first occurs at `start` or later. `start` is at most the length.
pub(crate) fn find<L: PartialEq>(word: &[L], pattern: &[L], start: usize) -> Option<usize> {
    if pattern.is_empty() {
        return Some(start);
    }
    Occurrences::of(pattern).first_end(&word[start..]).map(|end| start + end - pattern.len())
}

/// The position at which the pattern first occurs at `start` or later, or -1.
pub(crate) fn index_of<L: PartialEq>(word: &[L], pattern: &[L], start: &IBig) -> IBig {
    match usize::try_from(start) {
        Ok(start) if start <= word.len() => find(word, pattern, start).map_or(IBig::NEG_ONE, IBig::from),
        _ => IBig::NEG_ONE,
    }
}

/// The word with the first occurrence of the pattern replaced; the empty one is in front. `None` where it does not
/// occur.
pub(crate) fn replace<L: PartialEq + Clone>(word: &[L], pattern: &[L], replacement: &[L]) -> Option<Vec<L>> {
    let start = find(word, pattern, 0)?;
    Some([&word[..start], replacement, &word[start + pattern.len()..]].concat())
}

/// The word with every occurrence of the pattern replaced, from the left. An empty pattern changes nothing.
pub(crate) fn replace_all<L: PartialEq + Clone>(word: &[L], pattern: &[L], replacement: &[L]) -> Vec<L> {
    if pattern.is_empty() {
        return word.to_vec();
    }
    let search = Occurrences::of(pattern);
    let mut replaced = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some(end) = search.first_end(rest) {
        replaced.extend_from_slice(&rest[..end - pattern.len()]);
        replaced.extend_from_slice(replacement);
        rest = &rest[end..];
    }
    replaced.extend_from_slice(rest);
    replaced
}

/// The automaton of Knuth, Morris & Pratt ("Fast pattern matching in strings", 1977): searching takes
/// time in proportion to the text, whatever the pattern.
struct Occurrences<'a, L> {
    pattern: &'a [L],
    /// The length of the longest prefix with which each prefix properly ends.
    border: Vec<usize>,
}

impl<'a, L: PartialEq> Occurrences<'a, L> {
    /// The automaton of a pattern that is not empty.
    fn of(pattern: &'a [L]) -> Self {
        let mut border = vec![0; pattern.len() + 1];
        let mut length = 0;
        for end in 1..pattern.len() {
            while length > 0 && pattern[end] != pattern[length] {
                length = border[length];
            }
            length += usize::from(pattern[end] == pattern[length]);
            border[end + 1] = length;
        }
        Occurrences { pattern, border }
    }

    /// The end of the first occurrence.
    fn first_end(&self, text: &[L]) -> Option<usize> {
        let mut length = 0;
        for (position, letter) in text.iter().enumerate() {
            while length > 0 && self.pattern[length] != *letter {
                length = self.border[length];
            }
            length += usize::from(self.pattern[length] == *letter);
            if length == self.pattern.len() {
                return Some(position + 1);
            }
        }
        None
    }
}

//! String values: sequences of code points.
//!
//! Characters are the numbers up to [`MAX_CODE_POINT`], surrogates among them, so a Rust `String`
//! cannot hold them all.

use std::fmt;
use std::sync::Arc;

use dashu_int::{IBig, UBig};

use crate::words;

/// The greatest character.
pub const MAX_CODE_POINT: u32 = 0x2ffff;

/// A string value. The order is that of `str.<`, by code points.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Text(Arc<[u32]>);

impl Text {
    /// The string of these characters; `None` when one is above [`MAX_CODE_POINT`].
    pub fn new(characters: &[u32]) -> Option<Text> {
        characters.iter().all(|&character| character <= MAX_CODE_POINT).then(|| Text(characters.into()))
    }

    /// The string without characters.
    pub fn empty() -> Text {
        Text(Arc::new([]))
    }

    /// The characters.
    pub fn characters(&self) -> &[u32] {
        &self.0
    }

    /// The number of characters.
    pub fn length(&self) -> usize {
        self.0.len()
    }

    /// Whether the string is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The concatenation of several strings.
    pub fn concat<'a>(parts: impl IntoIterator<Item = &'a Text>) -> Text {
        let characters: Vec<u32> = parts.into_iter().flat_map(|part| part.0.iter().copied()).collect();
        Text(characters.into())
    }

    /// `str.at`: the character at a position, or none.
    pub fn at(&self, position: &IBig) -> Text {
        self.substring(position, &IBig::ONE)
    }

    /// `str.substr`: at most `length` characters from `start` on.
    pub fn substring(&self, start: &IBig, length: &IBig) -> Text {
        Text(words::part(&self.0, start, length).into())
    }

    /// Whether the other string begins with this one.
    pub fn is_prefix_of(&self, other: &Text) -> bool {
        other.0.starts_with(&self.0)
    }

    /// Whether the other string ends with this one.
    pub fn is_suffix_of(&self, other: &Text) -> bool {
        other.0.ends_with(&self.0)
    }

    /// Whether the other string occurs in this one.
    pub fn contains(&self, other: &Text) -> bool {
        words::find(&self.0, &other.0, 0).is_some()
    }

    /// `str.indexof`: where the pattern first occurs at `start` or later, or -1.
    pub fn index_of(&self, pattern: &Text, start: &IBig) -> IBig {
        words::index_of(&self.0, &pattern.0, start)
    }

    /// `str.replace`: the first occurrence of the pattern replaced; the empty one is in front.
    pub fn replace(&self, pattern: &Text, replacement: &Text) -> Text {
        words::replace(&self.0, &pattern.0, &replacement.0).map_or_else(|| self.clone(), |it| Text(it.into()))
    }

    /// `str.replace_all`: every occurrence replaced, from the left. An empty pattern changes nothing.
    pub fn replace_all(&self, pattern: &Text, replacement: &Text) -> Text {
        Text(words::replace_all(&self.0, &pattern.0, &replacement.0).into())
    }

    /// The string with each of these parts, which are ordered and disjoint, replaced by the other string.
    pub(crate) fn replace_parts(&self, parts: &[(usize, usize)], replacement: &Text) -> Text {
        let mut characters = Vec::with_capacity(self.length());
        let mut done = 0;
        for &(start, end) in parts {
            characters.extend_from_slice(&self.0[done..start]);
            characters.extend_from_slice(&replacement.0);
            done = end;
        }
        characters.extend_from_slice(&self.0[done..]);
        Text(characters.into())
    }

    /// `str.is_digit`.
    pub fn is_digit(&self) -> bool {
        matches!(self.0[..], [character] if is_digit(character))
    }

    /// `str.to_code`: the number of the only character, or -1.
    pub fn to_code(&self) -> IBig {
        match self.0[..] {
            [character] => IBig::from(character),
            _ => IBig::NEG_ONE,
        }
    }

    /// `str.from_code`: the character with this number, or none.
    pub fn from_code(code: &IBig) -> Text {
        match u32::try_from(code) {
            Ok(code) if code <= MAX_CODE_POINT => Text(Arc::new([code])),
            _ => Text::empty(),
        }
    }

    /// `str.to_int`: the number that the digits denote, or -1 if there is another character or no digit.
    pub fn to_int(&self) -> IBig {
        if self.is_empty() || !self.0.iter().all(|&character| is_digit(character)) {
            return IBig::NEG_ONE;
        }
        let digits: String = self.0.iter().filter_map(|&character| char::from_u32(character)).collect();
        UBig::from_str_radix(&digits, 10).expect("digits are a number").into()
    }

    /// `str.from_int`: the digits of a number without sign, or the empty string for a negative number.
    pub fn from_int(number: &IBig) -> Text {
        if *number < IBig::ZERO {
            return Text::empty();
        }
        Text(number.to_string().chars().map(u32::from).collect())
    }

    /// The string that a literal denotes, given the text between its quotes with doubled quotes already single:
    /// `\u{X}` to `\u{XXXXX}` and `\uXXXX` are characters by their hexadecimal number. `None` for a character outside
    /// the theory.
    pub fn from_literal(literal: &str) -> Option<Text> {
        let source: Vec<u32> = literal.chars().map(u32::from).collect();
        let mut characters = Vec::with_capacity(source.len());
        let mut rest = &source[..];
        while let Some(&first) = rest.first() {
            let (character, length) = escape(rest).unwrap_or((first, 1));
            characters.push(character);
            rest = &rest[length..];
        }
        Text::new(&characters)
    }
}

/// Writes the text as SMT-LIB does between the quotes, in printable ASCII.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &character in self.characters() {
            match char::from_u32(character) {
                Some('"') => f.write_str("\"\"")?,
                // A backslash could become the start of an escape.
                Some(plain @ ' '..='~') if plain != '\\' => write!(f, "{plain}")?,
                _ => write!(f, "\\u{{{character:x}}}")?,
            }
        }
        Ok(())
    }
}

impl From<&str> for Text {
    /// The characters of a text that has none above [`MAX_CODE_POINT`]; others become U+FFFD.
    fn from(text: &str) -> Text {
        let character = |c: char| if u32::from(c) > MAX_CODE_POINT { 0xfffd } else { u32::from(c) };
        Text(text.chars().map(character).collect())
    }
}

fn is_digit(character: u32) -> bool {
    (u32::from(b'0')..=u32::from(b'9')).contains(&character)
}

/// The character that an escape at the start denotes, and the number of characters of the escape.
fn escape(text: &[u32]) -> Option<(u32, usize)> {
    let [backslash, u, rest @ ..] = text else { return None };
    if [*backslash, *u] != ['\\', 'u'].map(u32::from) {
        return None;
    }
    let number = |digits: &[u32]| {
        digits.iter().try_fold(0, |number, &digit| Some(number * 16 + char::from_u32(digit)?.to_digit(16)?))
    };
    if rest.first() == Some(&u32::from('{')) {
        let end = rest.iter().take(7).position(|&character| character == u32::from('}'))?;
        let character = number(&rest[1..end])?;
        return (end > 1 && character <= MAX_CODE_POINT).then_some((character, end + 3));
    }
    Some((number(rest.get(..4)?)?, 6))
}

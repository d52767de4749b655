//! Lines of a text with their places.

use sundry_smtlib::Span;

/// A line without its end.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Line<'t> {
    /// The text.
    pub(crate) text: &'t str,
    /// The offset of its first byte in the whole text.
    pub(crate) start: usize,
}

impl<'t> Line<'t> {
    /// The lines of a text.
    pub(crate) fn all(text: &'t str) -> impl Iterator<Item = Line<'t>> {
        let mut start = 0;
        text.split_inclusive('\n').map(move |line| {
            let begin = start;
            start += line.len();
            Line { text: line.trim_end_matches(['\n', '\r']), start: begin }
        })
    }

    /// The place of a part of the line, which has to be a slice of it.
    pub(crate) fn span_of(&self, part: &str) -> Span {
        let offset = part.as_ptr() as usize - self.text.as_ptr() as usize;
        Span::new(self.start + offset, self.start + offset + part.len())
    }

    /// The place of the line without blanks around.
    pub(crate) fn span(&self) -> Span {
        self.span_of(self.text.trim())
    }

    /// The words of the line, which blanks separate.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'t str> {
        self.text.split_ascii_whitespace()
    }
}

/// The form of a text in a message: its beginning, if it is long.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

//! Text that records the places of words that some solvers spell differently.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};

use sundry_term::{SortDisplay, SortId, TermStore};

use crate::lexer::{Lexer, Token};
use crate::source::Span;

/// A script in the words of version 2.7 of the standard, with the places of words that other versions and some
/// solvers spell differently.
///
/// Printing records the places, so no caller has to parse the text again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScriptText {
    text: String,
    words: Vec<(Word, Range<usize>)>,
    /// Whether floating-point formats have their short names, where there are some.
    has_format_names: bool,
}

/// The kind of a word that may be spelled differently.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// The name of an operator or sort that had another name in earlier versions of the standard or before it.
    Name,
    /// A string with an escape, with its quotes.
    String,
    /// The line `(set-option :produce-models true)`.
    ModelOption,
    /// The line `(get-model)`.
    ModelCommand,
    /// A command that is not part of the standard, as its author wrote it.
    Unknown,
}

impl ScriptText {
    /// A script as its author wrote it, in which only strings with escapes may be spelled differently: with other
    /// escapes these would be other strings.
    pub fn verbatim(text: String) -> ScriptText {
        let words = tokens_of(&text)
            .filter(|(token, _)| matches!(token, Token::String(content) if content.contains('\\')))
            .map(|(_, span)| (Word::String, span.start..span.end))
            .collect();
        ScriptText { text, words, has_format_names: false }
    }

    /// An empty text that will have the short names of floating-point formats.
    pub(super) fn with_format_names() -> ScriptText {
        ScriptText { has_format_names: true, ..ScriptText::default() }
    }

    /// The text with some words replaced; `spell` gets each word that may be spelled differently, and returns its
    /// replacement, if it has one.
    pub fn spelled<'t>(&'t self, spell: impl Fn(Word, &'t str) -> Option<Cow<'t, str>>) -> Cow<'t, str> {
        let mut out = String::new();
        let mut copied = 0;
        for (word, place) in &self.words {
            if let Some(other) = spell(*word, &self.text[place.clone()]) {
                out.push_str(&self.text[copied..place.start]);
                out.push_str(&other);
                copied = place.end;
            }
        }
        match copied {
            0 => Cow::Borrowed(&self.text),
            _ => Cow::Owned(out + &self.text[copied..]),
        }
    }

    /// The words that may be spelled differently, in order.
    pub fn words(&self) -> impl Iterator<Item = (Word, &str)> {
        self.words.iter().map(|(word, place)| (*word, &self.text[place.clone()]))
    }

    /// The same script behind further lines, each with its kind if it may be spelled differently.
    #[must_use]
    pub fn behind(&self, lines: &[(Option<Word>, &str)]) -> ScriptText {
        let mut script = ScriptText::verbatim(String::new());
        for &(word, line) in lines {
            match word {
                Some(word) => script.push_word(word, format_args!("{line}\n")),
                None => script.append(format_args!("{line}\n")),
            }
        }
        let length = script.text.len();
        script.push_str(&self.text);
        let moved = |place: &Range<usize>| place.start + length..place.end + length;
        script.words.extend(self.words.iter().map(|(word, place)| (*word, moved(place))));
        script
    }

    /// The text alone.
    pub fn into_string(self) -> String {
        self.text
    }

    pub(super) fn push(&mut self, character: char) {
        self.text.push(character);
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends a text `count` times.
    pub(super) fn push_repeated(&mut self, text: &str, count: usize) {
        self.text.extend(std::iter::repeat_n(text, count));
    }

    /// Appends a word that may be spelled differently.
    pub(super) fn push_word(&mut self, word: Word, text: fmt::Arguments<'_>) {
        let start = self.text.len();
        self.append(text);
        self.words.push((word, start..self.text.len()));
    }

    /// Appends a string literal. Only those with an escape have another spelling.
    pub(super) fn push_string(&mut self, literal: &impl fmt::Display) {
        let start = self.text.len();
        self.append(format_args!("\"{literal}\""));
        if self.text[start..].contains('\\') {
            self.words.push((Word::String, start..self.text.len()));
        }
    }

    /// Appends the name of a sort.
    pub(super) fn push_sort(&mut self, store: &TermStore, sort: SortId) {
        const REGULAR_LANGUAGES: &str = "RegLan";
        let start = self.text.len();
        let sort = SortDisplay::new(store, sort);
        let sort = if self.has_format_names { sort.with_format_names() } else { sort };
        self.append(format_args!("{sort}"));
        let name = &self.text[start..];
        if name.contains(REGULAR_LANGUAGES) {
            let places = tokens_of(name).filter(|(token, _)| *token == Token::Symbol(REGULAR_LANGUAGES));
            let places = places.map(|(_, span)| (Word::Name, start + span.start..start + span.end));
            self.words.extend(places);
        }
    }

    /// Appends formatted text.
    pub(super) fn append(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = fmt::Write::write_fmt(&mut self.text, text);
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.words.clear();
    }
}

/// The tokens of a text, up to the point where it is not legal.
fn tokens_of(text: &str) -> impl Iterator<Item = (Token<'_>, Span)> {
    let mut lexer = Lexer::new(text, 0);
    std::iter::from_fn(move || lexer.next_token().ok().filter(|(token, _)| *token != Token::End))
}

impl Deref for ScriptText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ScriptText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

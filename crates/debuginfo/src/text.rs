//! Names as shared text, within a budget.
//!
//! Entries of DWARF refer to names by offset, so a short section can refer to a long text a million times, each time a
//! few bytes further in. Equal names are stored once, and both the length of a name and the amount of all text are limited.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::sync::Arc;

use rustc_hash::FxHashSet;

/// The longest name that is kept whole, in bytes. Symbols of C++ and Rust are rarely longer than a thousand.
const LONGEST: usize = 1 << 14;

/// All text of one module.
#[derive(Debug)]
pub(crate) struct Texts {
    known: FxHashSet<Arc<str>>,
    left: usize,
}

impl Texts {
    /// A module of so many bytes can have text of a few times its size.
    pub fn new(module: usize) -> Self {
        Texts { known: FxHashSet::default(), left: module.saturating_mul(4).saturating_add(1 << 20) }
    }

    /// Whether text was left out.
    pub fn is_exhausted(&self) -> bool {
        self.left == 0
    }

    /// The name that these bytes are, unless they are empty or the budget is spent.
    pub fn name(&mut self, bytes: &[u8]) -> Option<Arc<str>> {
        let text = lossy(bytes);
        self.text(&text)
    }

    /// The name of a function whose symbol these bytes are, demangled if it is one of C++ or Rust.
    pub fn symbol(&mut self, bytes: &[u8]) -> Option<Arc<str>> {
        let text = lossy(bytes);
        match demangled(&text) {
            Some(name) => self.text(&name),
            None => self.text(&text),
        }
    }

    /// The name that is this text.
    pub fn text(&mut self, text: &str) -> Option<Arc<str>> {
        if text.is_empty() {
            return None;
        }
        if let Some(known) = self.known.get(text) {
            return Some(known.clone());
        }
        if text.len() > self.left {
            self.left = 0;
            return None;
        }
        self.left -= text.len();
        let name: Arc<str> = text.into();
        self.known.insert(name.clone());
        Some(name)
    }
}

/// The beginning of a name as text.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)])
}

/// The name that a symbol of C++ or Rust stands for; none for other names.
pub(crate) fn demangled(symbol: &str) -> Option<String> {
    if let Ok(name) = rustc_demangle::try_demangle(symbol) {
        // Without the hash at its end.
        return bounded(format_args!("{name:#}"));
    }
    // Names that merely begin like a symbol, such as `_Zone`, have no meaning as a whole.
    if !symbol.starts_with("_Z") {
        return None;
    }
    let name = cpp_demangle::Symbol::new(symbol).ok()?;
    let mut text = Bounded(String::new());
    name.structured_demangle(&mut text, &cpp_demangle::DemangleOptions::default()).ok()?;
    Some(text.0)
}

/// The text of something that is shown, unless that is too long: symbols may repeat their parts many times.
fn bounded(shown: fmt::Arguments<'_>) -> Option<String> {
    let mut text = Bounded(String::new());
    text.write_fmt(shown).ok()?;
    Some(text.0)
}

/// A text that refuses to become longer than the longest name.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.0.len() + part.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(part);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_become_names() {
        assert_eq!(demangled("_ZN4math3addEii").as_deref(), Some("math::add(int, int)"));
        assert_eq!(
            demangled("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE").unwrap(),
            "core::fmt::Write::write_fmt"
        );
        assert_eq!(demangled("_RNvC4demo4main").as_deref(), Some("demo::main"));
        for plain in ["main", "_start", "__main_argc_argv", "_Zone", ""] {
            assert_eq!(demangled(plain), None, "{plain}");
        }
    }

    #[test]
    fn text_ends_with_its_budget() {
        let mut texts = Texts { known: FxHashSet::default(), left: 5 };
        assert_eq!(texts.name(b"abc").as_deref(), Some("abc"));
        assert_eq!(texts.name(b"abc").as_deref(), Some("abc"));
        assert_eq!(texts.name(b""), None);
        assert!(!texts.is_exhausted());
        assert_eq!(texts.name(b"defg"), None);
        assert!(texts.is_exhausted());
    }
}

//! Strings and regular expressions: the theory UnicodeStrings of SMT-LIB.

mod regex;
mod text;

pub use regex::{Regex, RegexKind};
pub use text::{MAX_CODE_POINT, Text};

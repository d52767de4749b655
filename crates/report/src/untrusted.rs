//! Text that others have written, such as what a solver prints, where it meets a terminal, Markdown or HTML.
//!
//! Solvers echo names and strings of formulas, and crash in the middle of a line. On a terminal such bytes may move the
//! cursor, change the title or hide what was printed before; in a report they may end the block that they stand in, or
//! become tags. So control characters, and those that change the direction of text, are shown as what they are, and marks
//! of the format around are taken from them. Files for programs (JSON, SMT-LIB) have rules of their own, and formulas are
//! kept byte for byte.

use std::borrow::Cow;
use std::fmt::Write;

use serde::Serialize;

/// A text in which every character is seen, on its own place: others than the ends of lines and tabs are written as
/// `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_hidden(character) {
            // Writing to a string does not fail.
            true => drop(write!(shown, "{}", character.escape_unicode())),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Whether a character does something to others instead of being seen: controls (C0, DEL and C1) besides line feeds and
/// tabs, and those that set the direction of text or have no width.
fn is_hidden(character: char) -> bool {
    let is_control = character.is_control() && !matches!(character, '\n' | '\t');
    let is_format = matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}');
    is_control || is_format
}

/// Data as one line of JSON with its end, in which the same characters are escaped as JSON has it.
pub fn json_line(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).expect("strings and numbers");
    let mut shown = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        match is_hidden(character) {
            // Only strings have such characters, and all of them are below 2^16.
            true => drop(write!(shown, "\\u{:04x}", u32::from(character))),
            false => shown.push(character),
        }
    }
    shown.push('\n');
    shown
}

/// The visible text on one line.
pub fn one_line(text: &str) -> String {
    visible(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text for HTML, also inside quotes.
pub fn html(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// Text for a line of Markdown, or a cell of a table.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::new();
    for character in one_line(text).chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '~' | '[' | ']' | '<' | '>' | '&' | '|' | '#') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Text as code in a line of Markdown, or a cell of a table.
pub fn markdown_code(text: &str) -> String {
    let text = one_line(text);
    let marks = "`".repeat(longest_run(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    // In a table, a bar ends the cell even in code.
    format!("{marks}{space}{}{space}{marks}", text.replace('|', "\\|"))
}

/// Text as a block of code in Markdown, in this language.
pub fn markdown_block(text: &str, language: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let text = visible(text);
    format!("{fence}{language}\n{}\n{fence}\n", text.strip_suffix('\n').unwrap_or(&text))
}

/// The length of the longest run of marks for code.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_a_terminal_unseen() {
        assert!(matches!(visible("a\n\tb, ü, 漢"), Cow::Borrowed("a\n\tb, ü, 漢")));
        assert_eq!(
            visible("\x1b]0;owned\x07 \x1b[2J\r\u{9b}1m"),
            "\\u{1b}]0;owned\\u{7} \\u{1b}[2J\\u{d}\\u{9b}1m"
        );
        assert_eq!(visible("a\0b\u{202e}c\u{200b}d\u{7f}"), "a\\u{0}b\\u{202e}c\\u{200b}d\\u{7f}");
    }

    #[test]
    fn reports_keep_their_form() {
        assert_eq!(markdown("a|b\n# <b>`c`_"), "a\\|b \\# \\<b\\>\\`c\\`\\_");
        assert_eq!(markdown_code("z3 -x"), "`z3 -x`");
        assert_eq!(markdown_code("`a``b|"), "``` `a``b\\| ```");
        assert_eq!(markdown_block("x\n```\n# y\x1b\n", ""), "````\nx\n```\n# y\\u{1b}\n````\n");
        assert_eq!(markdown_block("(check-sat)", "smt2"), "```smt2\n(check-sat)\n```\n");
        assert_eq!(html("<a href='x'>\"&\x1b"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\\u{1b}");
    }
}

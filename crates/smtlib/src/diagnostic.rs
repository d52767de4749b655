//! Messages about an input: the fault, its place, the expectation and the remedy.
//!
//! A [`Diagnostic`] is data with a [`Span`]; [`Diagnostic::render`] turns it into the plain text
//! that compilers have made familiar (`file:line:column: error: ...`, the line, a caret), so that
//! editors jump to it. A rendering crate was rejected here: libraries return data, and the plain
//! form needs no colours or terminals.

use std::fmt;

use sundry_term::{Control, Stopped};

use crate::source::{SourceText, Span};

/// The kind of fault that a [`Diagnostic`] reports.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum DiagnosticKind {
    /// The text does not follow the grammar of SMT-LIB.
    Syntax,
    /// A symbol or sort that is not declared here.
    Unknown,
    /// A name is declared twice, or is one that a theory owns.
    Redeclared,
    /// Arguments, widths or sorts do not fit together.
    Sort,
    /// Legal SMT-LIB that this program does not handle yet.
    Unsupported,
    /// The input is larger than a fixed limit.
    Limit,
    /// The command is not possible at this point of the script.
    Mode,
    /// Reading was stopped at this place; the text is not at fault.
    Stopped(Stopped),
}

impl DiagnosticKind {
    /// Whether the input is at fault; otherwise this program does not handle it.
    pub fn is_input_at_fault(self) -> bool {
        use DiagnosticKind::{Limit, Stopped, Unsupported};
        !matches!(self, Unsupported | Limit | Stopped(_))
    }
}

/// Counts work that was done for the text at a place ([`Control::spend`]).
///
/// # Errors
/// Reading has to stop there.
pub fn spend(control: &Control, work: u32, span: Span) -> Result<(), Diagnostic> {
    control.spend(work).map_err(|reason| Diagnostic::stopped(reason, span))
}

/// A message about a place in a [`SourceText`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The kind of the fault.
    pub kind: DiagnosticKind,
    /// The place of the fault.
    pub span: Span,
    /// A description of the fault, without a full stop.
    pub message: String,
    /// The expectation at the place, shown after the caret.
    pub expected: Option<String>,
    /// A way to mend the fault, or another place to look at.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A message without expectation and help.
    pub fn new(kind: DiagnosticKind, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { kind, span, message: message.into(), expected: None, help: None }
    }

    /// Says that reading was stopped at a place.
    pub fn stopped(reason: Stopped, span: Span) -> Self {
        let message = format!("{reason} before the text was read past this place");
        Diagnostic::new(DiagnosticKind::Stopped(reason), span, message)
    }

    /// Adds the expectation at the place.
    pub fn with_expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds a remedy.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The message as plain text: `file:line:column: error: message`, the line of the source with
    /// a caret under the place, and the help. Ends with a line break.
    pub fn render(&self, source: &SourceText) -> String {
        let position = source.position(self.span.start);
        let mut text =
            format!("{}:{}:{}: error: {}\n", source.name(), position.line, position.column, self.message);
        text.push_str(&self.excerpt(source));
        if let Some(help) = &self.help {
            let width = position.line.to_string().len();
            text.push_str(&format!("{:width$} = help: {help}\n", ""));
        }
        text
    }

    /// The line of the source, and below it a caret under the place with the expectation there. Ends with a line
    /// break.
    pub fn excerpt(&self, source: &SourceText) -> String {
        let line = source.position(self.span.start).line;
        let excerpt = Excerpt::new(source, self.span, line);
        let number = line.to_string();
        let mut text = format!("{number} | {}\n", excerpt.line);
        text.push_str(&format!("{:width$} | {}{}", "", excerpt.indent, excerpt.carets, width = number.len()));
        if let Some(expected) = &self.expected {
            text.push_str(&format!(" expected {expected}"));
        }
        text.push('\n');
        text
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(expected) = &self.expected {
            write!(f, ", expected {expected}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// The number of characters of a line that are shown before and from the place of an error.
const SHOWN_BEFORE: usize = 60;
const SHOWN_FROM: usize = 60;

/// The part of a line around an error. Machine-written scripts have lines of megabytes.
struct Excerpt {
    line: String,
    indent: String,
    carets: String,
}

impl Excerpt {
    fn new(source: &SourceText, span: Span, line: usize) -> Self {
        let range = source.line_range(line);
        let start = source.floor_char_boundary(span.start).clamp(range.start, range.end);
        let end = source.floor_char_boundary(span.end).clamp(start, range.end);
        let before = &source.text()[range.start..start];
        let from = &source.text()[start..range.end];

        let cut = before.char_indices().rev().nth(SHOWN_BEFORE - 1).map_or(0, |(offset, _)| offset);
        let mut shown: String = if cut > 0 { "...".into() } else { String::new() };
        shown.extend(before[cut..].chars().map(printable));
        // Tabs stay tabs, so that the caret stands under its character.
        let indent = shown.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        shown.extend(from.chars().take(SHOWN_FROM).map(printable));
        if from.chars().nth(SHOWN_FROM).is_some() {
            shown.push_str("...");
        }
        let width = source.text()[start..end].chars().take(SHOWN_FROM).count().max(1);
        Excerpt { line: shown, indent, carets: "^".repeat(width) }
    }
}

/// Control characters would act on the terminal instead of being seen.
fn printable(c: char) -> char {
    if c.is_control() && c != '\t' { '\u{fffd}' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_line_caret_expectation_and_help() {
        let source = SourceText::new("f.smt2", "(set-logic QF_BV)\n\t(asert p)\n");
        let diagnostic =
            Diagnostic::new(DiagnosticKind::Syntax, Span::new(20, 25), "unknown command 'asert'")
                .with_expected("a command")
                .with_help("did you mean 'assert'?");
        let expected = "f.smt2:2:3: error: unknown command 'asert'\n\
                        2 | \t(asert p)\n  \
                          | \t ^^^^^ expected a command\n  \
                          = help: did you mean 'assert'?\n";
        assert_eq!(diagnostic.render(&source), expected);
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let source = SourceText::new("f", format!("{}X{}", "a".repeat(5000), "b".repeat(5000)));
        let rendered = Diagnostic::new(DiagnosticKind::Syntax, Span::new(5000, 9000), "m").render(&source);
        assert!(rendered.starts_with("f:1:5001: error: m\n"), "{rendered}");
        assert!(rendered.lines().all(|line| line.len() < 140), "{rendered}");
        assert!(rendered.contains("aaaXbbb"));
    }

    #[test]
    fn places_at_the_end_and_outside_render() {
        let source = SourceText::new("f", "ab\n");
        for offset in [2, 3, 1000] {
            let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, Span::new(offset, offset), "end");
            assert!(diagnostic.render(&source).contains("error: end"));
        }
    }
}

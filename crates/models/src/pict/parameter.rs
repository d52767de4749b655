//! A line that defines a parameter: `Name: value, ~negative, name | other name, weighted (10), <Parameter>`.

use rustc_hash::FxHashSet;
use sundry_smtlib::{Diagnostic, DiagnosticKind, Span};
use sundry_term::SymbolId;

use crate::lines::{Line, shorten};
use crate::model::Level;

/// Values of a parameter, at most.
const MAX_VALUES: usize = 1 << 16;

/// A parameter of a model.
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) symbol: SymbolId,
    pub(super) levels: Vec<Level>,
    /// The numbers of the values; `None` if a value is not a number.
    pub(super) numbers: Option<Vec<f64>>,
    /// The place of its name.
    pub(super) span: Span,
}

impl Parameter {
    pub(super) fn new(name: String, symbol: SymbolId, levels: Vec<Level>, span: Span) -> Self {
        let numbers = levels.iter().map(|level| number(compared(level))).collect();
        Parameter { name, symbol, levels, numbers, span }
    }
}

/// The content of a line.
pub(super) struct Read {
    pub(super) name: String,
    pub(super) levels: Vec<Level>,
    pub(super) span: Span,
    pub(super) notes: Vec<(Span, String)>,
}

/// Reads a line. `levels_of` knows the values of the parameters before.
pub(super) fn read(
    line: &Line<'_>,
    levels_of: impl Fn(&str) -> Option<Vec<Level>>,
) -> Result<Read, Diagnostic> {
    let text = line.text.trim_start_matches('\u{feff}');
    let separator = text.find(':').or_else(|| text.find(','));
    let Some((name, values)) = separator.map(|place| (text[..place].trim(), &text[place + 1..])) else {
        return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span(), "this is no parameter")
            .with_expected("a name, a colon, and values with commas between them"));
    };
    let span = line.span_of(name);
    if name.is_empty() {
        return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span(), "the parameter has no name"));
    }
    if name.starts_with('$') || name.contains('@') {
        let what =
            if name.starts_with('$') { "Result parameters ('$')" } else { "Parameters with an order ('@')" };
        return Err(Diagnostic::new(DiagnosticKind::Unsupported, span, format!("{what} are not supported"))
            .with_help("a sub-model, '{ A, B } @ 3', gives parameters an order"));
    }
    let mut seen = FxHashSet::default();
    let mut read = Read { name: name.to_string(), levels: Vec::new(), span, notes: Vec::new() };
    for value in values.split(',').map(str::trim) {
        let reference = value.strip_prefix('<').and_then(|value| value.strip_suffix('>'));
        match reference.map(|name| levels_of(name.trim())) {
            Some(Some(levels)) => read.levels.extend(levels),
            Some(None) => {
                let message = format!("there is no parameter {} before, so this is a value", shorten(value));
                read.notes.push((line.span_of(value), message));
                read.levels.push(level(value));
            }
            None => {
                let level = level(value);
                if !seen.insert(level.name().to_lowercase()) {
                    let message = format!("the value '{}' is there twice", shorten(level.name()));
                    read.notes.push((line.span_of(value), message));
                }
                read.levels.push(level);
            }
        }
        if read.levels.len() > MAX_VALUES {
            let message = format!("a parameter has more than {MAX_VALUES} values");
            return Err(Diagnostic::new(DiagnosticKind::Limit, span, message));
        }
    }
    Ok(read)
}

/// A value with its names, its sign and its weight.
fn level(text: &str) -> Level {
    let (text, weight) = match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        Some((value, weight)) => match weight.trim().parse() {
            Ok(weight) if weight > 0 => (value.trim_end(), weight),
            _ => (text, 1),
        },
        None => (text, 1),
    };
    let is_negative = text.starts_with('~');
    let names = text.split('|').map(|name| name.trim().to_string()).collect();
    Level { names, is_negative, weight }
}

/// The text of a value for comparisons, which is without the sign of negative ones.
pub(super) fn compared(level: &Level) -> &str {
    match level.is_negative {
        true => level.name().trim_start_matches('~').trim_start(),
        false => level.name(),
    }
}

/// The number that a text stands for.
pub(super) fn number(text: &str) -> Option<f64> {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    if !text.chars().all(is_digit) {
        return None;
    }
    // Adding zero makes one of the two zeros.
    text.parse().ok().filter(|number: &f64| number.is_finite()).map(|number| number + 0.0)
}

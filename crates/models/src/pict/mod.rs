//! Models of PICT: parameters with values, sub-models, constraints.
//!
//! Source: the documentation of PICT (<https://github.com/microsoft/pict/blob/main/doc/pict.md>), and its behaviour
//! where the documentation is silent. A parameter is a bit-vector whose values are the numbers of the values in the
//! text. At most one value of a solution is negative. Names and texts are compared without regard to case, as PICT
//! does by default; the first name of a value identifies it. Mistakes that PICT warns of and then ignores, such as
//! unknown parameters in a constraint, are errors here: a constraint that is silently dropped makes wrong tests.
//!
//! A sub-model with an order means here that its parameters are combined at least that closely. PICT goes further and
//! combines the rows of a sub-model as wholes with the rest, which keeps the number of its different rows small.

mod constraint;
mod lexer;
mod parameter;

use rustc_hash::FxHashMap;
use sundry_smtlib::{Diagnostic, DiagnosticKind, SourceText, Span, spend};
use sundry_term::{Control, SymbolId, TermId};

use crate::WORK_OF_WORD;
use crate::builder::Builder;
use crate::lines::{Line, shorten};
use crate::model::{Group, Level, SystemModel};
use parameter::Parameter;

/// Reads a model.
pub(crate) fn read(source: &SourceText, control: &Control) -> Result<SystemModel, Diagnostic> {
    let mut reader = Reader::default();
    let mut constraints = None;
    for line in Line::all(source.text()) {
        spend(control, WORK_OF_WORD * (1 + line.text.len() as u32 / 4), line.span())?;
        let text = line.text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if is_constraint(text) {
            constraints = Some(line.start);
            break;
        }
        match text.starts_with('{') {
            true => reader.group(&line)?,
            false => reader.parameter(&line)?,
        }
    }
    reader.check(source)?;
    if let Some(start) = constraints {
        constraint::read(&mut reader, source.text(), start, control)?;
    }
    Ok(reader.builder.finish())
}

/// The model as far as it was read.
#[derive(Default)]
struct Reader {
    builder: Builder,
    parameters: Vec<Parameter>,
    /// Positions by name in lower case.
    by_name: FxHashMap<String, usize>,
}

impl Reader {
    fn parameter(&mut self, line: &Line<'_>) -> Result<(), Diagnostic> {
        if let Some(group) = self.builder.model.groups.first() {
            let message = "a parameter has to stand before the sub-models";
            return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span(), message)
                .with_help(format!("the first sub-model is at byte offset {}", group.span.start)));
        }
        let read = parameter::read(line, |name| {
            self.by_name.get(&name.to_lowercase()).map(|&number| self.parameters[number].levels.clone())
        })?;
        for (span, message) in read.notes {
            self.builder.note(span, message);
        }
        if let Some(&earlier) = self.by_name.get(&read.name.to_lowercase()) {
            let earlier = shorten(&self.parameters[earlier].name);
            let message = format!("there is a parameter '{earlier}' already");
            return Err(Diagnostic::new(DiagnosticKind::Redeclared, read.span, message)
                .with_help("names are compared without regard to case"));
        }
        self.by_name.insert(read.name.to_lowercase(), self.parameters.len());
        let symbol = self.builder.levels(&read.name, read.levels.clone(), line.span());
        self.parameters.push(Parameter::new(read.name, symbol, read.levels, read.span));
        Ok(())
    }

    /// A sub-model: `{ A, B, C } @ 3`.
    fn group(&mut self, line: &Line<'_>) -> Result<(), Diagnostic> {
        let syntax = |span, message: &str| {
            Diagnostic::new(DiagnosticKind::Syntax, span, message.to_string())
                .with_expected("'{ PARAMETER, PARAMETER } @ ORDER'")
        };
        let text = line.text.trim();
        let Some((names, order)) = text[1..].split_once('}') else {
            return Err(syntax(line.span(), "the sub-model is not closed"));
        };
        let mut members: Vec<SymbolId> = Vec::new();
        for name in names.split(',').map(str::trim) {
            let symbol = self.parameters[self.find(name, line.span_of(name))?].symbol;
            if !members.contains(&symbol) {
                members.push(symbol);
            }
        }
        let order = order.trim();
        if order.is_empty() {
            let message = "this sub-model has no order of its own and makes no difference";
            self.builder.note(line.span(), message);
            return Ok(());
        }
        let number = order.strip_prefix('@').map(str::trim).and_then(|number| number.parse().ok());
        let Some(strength) = number.filter(|&number| number > 0) else {
            return Err(syntax(line.span_of(order), "the sub-model has no such order"));
        };
        if strength > members.len() {
            let message = format!("a sub-model of {} parameters has no order {strength}", members.len());
            return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span_of(order), message)
                .with_expected("at most the number of its parameters"));
        }
        self.builder.model.groups.push(Group { symbols: members, strength, span: line.span() });
        Ok(())
    }

    /// The number of a parameter.
    fn find(&self, name: &str, span: Span) -> Result<usize, Diagnostic> {
        self.by_name.get(&name.to_lowercase()).copied().ok_or_else(|| {
            let message = format!("there is no parameter '{}'", shorten(name));
            let known = self.parameters.iter().take(8).map(|parameter| shorten(&parameter.name));
            let known: Vec<String> = known.collect();
            let more = if self.parameters.len() > known.len() { ", ..." } else { "" };
            Diagnostic::new(DiagnosticKind::Unknown, span, message)
                .with_help(format!("parameters are {}{more}", known.join(", ")))
        })
    }

    /// Adds that no two values are negative, and refuses models without parameters.
    fn check(&mut self, source: &SourceText) -> Result<(), Diagnostic> {
        if self.parameters.is_empty() {
            let end = source.text().len();
            let message = "there is no parameter in it";
            return Err(Diagnostic::new(DiagnosticKind::Syntax, Span::new(end, end), message)
                .with_expected("a line such as 'Size: 10, 100, 500'"));
        }
        let mut negative: Vec<TermId> = Vec::new();
        let mut last = Span::default();
        for number in 0..self.parameters.len() {
            let parameter = &self.parameters[number];
            if parameter.levels.iter().any(|level| level.is_negative) {
                last = parameter.span;
                negative.push(self.holds_of(number, |_, level| level.is_negative));
            }
        }
        if negative.len() > 1 {
            let at_most_one = self.builder.between(&negative, 0, 1);
            self.builder.assert(at_most_one, last);
        }
        Ok(())
    }

    /// The condition that a parameter has one of the chosen values.
    fn holds_of(&mut self, parameter: usize, mut chosen: impl FnMut(usize, &Level) -> bool) -> TermId {
        let Parameter { symbol, levels, .. } = &self.parameters[parameter];
        let (yes, no): (Vec<usize>, Vec<usize>) =
            (0..levels.len()).partition(|&code| chosen(code, &levels[code]));
        let symbol = *symbol;
        if no.is_empty() || yes.is_empty() {
            return self.builder.store.bool(no.is_empty());
        }
        let (codes, is_negated) = if yes.len() <= no.len() { (yes, false) } else { (no, true) };
        let cases: Vec<TermId> = codes.into_iter().map(|code| self.is_code(symbol, code)).collect();
        let any = self.builder.any_of(&cases);
        if is_negated { self.builder.not(any) } else { any }
    }

    /// The condition that a constant has the value with a number.
    fn is_code(&mut self, symbol: SymbolId, code: usize) -> TermId {
        let store = &mut self.builder.store;
        let constant = store.symbol_term(symbol);
        let width = store.width(constant).expect("parameters are bit-vectors");
        let code = store.bit_vector(sundry_term::BitVector::from_u64(width, code as u64));
        store.make(sundry_term::Op::Equal, &[constant, code])
    }
}

/// Whether a line begins the constraints.
fn is_constraint(text: &str) -> bool {
    let word_end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    let rest = rest.trim_start();
    match word.to_ascii_uppercase().as_str() {
        // Otherwise it is a parameter of that name.
        "IF" => !rest.starts_with([':', ',', '@']),
        "NOT" => !rest.starts_with([':', ',', '@']) && rest.contains('['),
        "ISNEGATIVE" | "ISPOSITIVE" => rest.starts_with('('),
        "" => text.starts_with('[') || text.starts_with('(') && text.contains('['),
        _ => false,
    }
}

//! The meaning of names in constraints, and the terms that operators on them make.

use sundry_smtlib::{Diagnostic, DiagnosticKind, Span};
use sundry_term::{Op, TermId};

use super::{Operand, Symbol};
use crate::builder::Builder;
use crate::expression::Apply;
use crate::lines::shorten;
use crate::uvl::attributes::Attribute;
use crate::uvl::number::{Comparison, Number};
use crate::uvl::tree::Tree;
/// The meaning of names, and the terms that are made of them.
pub(super) struct Meaning<'m> {
    pub(super) builder: &'m mut Builder,
    pub(super) tree: &'m Tree,
    pub(super) selected: &'m [TermId],
}

impl Meaning<'_> {
    pub(super) fn feature(&self, name: &str, span: Span) -> Result<usize, Diagnostic> {
        self.tree.by_name.get(name).copied().ok_or_else(|| {
            let message = format!("there is no feature '{}'", shorten(name));
            let lower = name.to_lowercase();
            let alike = self.tree.features.iter().find(|feature| feature.name.to_lowercase() == lower);
            let unknown = Diagnostic::new(DiagnosticKind::Unknown, span, message);
            match alike {
                Some(feature) => unknown.with_help(format!("did you mean '{}'?", shorten(&feature.name))),
                None => {
                    unknown.with_help("constraints speak of features of this model, and of their attributes")
                }
            }
        })
    }

    pub(super) fn attribute(&self, feature: usize, path: &str, span: Span) -> Result<Attribute, Diagnostic> {
        let feature = &self.tree.features[feature];
        feature.attributes.get(path).cloned().ok_or_else(|| {
            let (name, path) = (shorten(&feature.name), shorten(path));
            let message = format!("the feature '{name}' has no attribute '{path}'");
            Diagnostic::new(DiagnosticKind::Unknown, span, message)
        })
    }

    /// The feature below which attributes are added up, if one is named, and the attribute.
    pub(super) fn scope(
        &self,
        first: Vec<String>,
        place: Span,
        second: Option<(Vec<String>, Span)>,
    ) -> Result<(Option<usize>, String, Span), Diagnostic> {
        let Some((second, second_place)) = second else { return Ok((None, first.join("."), place)) };
        // Tools have the two in either order.
        let feature = |names: &[String]| match names {
            [name] => self.tree.by_name.get(name).copied(),
            _ => None,
        };
        match (feature(&first), feature(&second)) {
            (Some(below), None) => Ok((Some(below), second.join("."), second_place)),
            (None, Some(below)) => Ok((Some(below), first.join("."), place)),
            (Some(_), Some(_)) => {
                let message = "both are names of features";
                Err(Diagnostic::new(DiagnosticKind::Unsupported, place.to(second_place), message)
                    .with_expected("a feature and an attribute"))
            }
            (None, None) => {
                Err(self.feature(&first.join("."), place).err().unwrap_or_else(|| too_large(place)))
            }
        }
    }

    /// The sum of an attribute over the selected features that have it, and their number.
    pub(super) fn sum(
        &mut self,
        below: Option<usize>,
        attribute: &str,
        span: Span,
    ) -> Result<(Number, Number), Diagnostic> {
        let mut sum = Number::constant(0);
        let mut count = Number::constant(0);
        let mut is_found = false;
        for (number, feature) in self.tree.features.iter().enumerate() {
            let Some(Attribute::Number(value)) = feature.attributes.get(attribute) else { continue };
            if below.is_some_and(|below| !self.tree.is_below(number, below)) {
                continue;
            }
            is_found = true;
            let store = &mut self.builder.store;
            let value = value.given(self.selected[number], store);
            let one = Number::constant(1).given(self.selected[number], store);
            sum = sum.plus(value, store).ok_or_else(|| too_large(span))?;
            count = count.plus(one, store).ok_or_else(|| too_large(span))?;
        }
        if is_found {
            return Ok((sum, count));
        }
        let message = format!("no feature has a number as its attribute '{}' here", shorten(attribute));
        Err(Diagnostic::new(DiagnosticKind::Unknown, span, message))
    }

    /// `len` of a text, `floor` and `ceil` of a number.
    pub(super) fn of_attribute(
        &mut self,
        name: &str,
        path: &[String],
        span: Span,
    ) -> Result<Operand, Diagnostic> {
        let feature = self.feature(&path[0], span)?;
        let wanted = if name == "len" { "a text" } else { "a number" };
        let mismatch = || {
            let message = format!("'{name}' is asked of something else than {wanted}");
            Diagnostic::new(DiagnosticKind::Sort, span, message)
                .with_expected(format!("an attribute that is {wanted}, such as Feature.attribute"))
        };
        if path.len() == 1 {
            return Err(mismatch());
        }
        let number = match (name, self.attribute(feature, &path[1..].join("."), span)?) {
            ("len", Attribute::Text(text)) => Number::constant(text.chars().count() as i128),
            ("floor", Attribute::Number(number)) => number.rounded(false),
            ("ceil", Attribute::Number(number)) => number.rounded(true),
            _ => return Err(mismatch()),
        };
        Ok(Operand::Number(number.given(self.selected[feature], &mut self.builder.store)))
    }

    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        left: &Operand,
        right: &Operand,
    ) -> Option<Option<TermId>> {
        let store = &mut self.builder.store;
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let equal = match (left, right) {
            (Operand::Number(left), Operand::Number(right)) => {
                return Some(left.compared(comparison, *right, store));
            }
            (Operand::Average(sum, count), Operand::Number(number)) => {
                return Some(average(self.builder, (*sum, *count), comparison, *number));
            }
            (Operand::Number(number), Operand::Average(sum, count)) => {
                return Some(average(self.builder, (*sum, *count), comparison.turned(), *number));
            }
            (Operand::Bool(left), Operand::Bool(right)) if is_equality => {
                store.make(Op::Equal, &[*left, *right])
            }
            (Operand::Text(if_left, left), Operand::Text(if_right, right)) if is_equality => {
                let always = store.bool(true);
                let (if_left, if_right) = (if_left.unwrap_or(always), if_right.unwrap_or(always));
                let (not_left, not_right) = (self.builder.not(if_left), self.builder.not(if_right));
                // An empty text cannot be written, so one that is there differs from one that is not.
                let both_missing = self.builder.all_of(&[not_left, not_right]);
                let both_there = self.builder.all_of(&[if_left, if_right]);
                match left == right {
                    true => self.builder.any_of(&[both_there, both_missing]),
                    false => both_missing,
                }
            }
            _ => return None,
        };
        Some(Some(match comparison {
            Comparison::NotEqual => self.builder.not(equal),
            _ => equal,
        }))
    }
}

impl Comparison {
    /// The same comparison with the sides exchanged.
    fn turned(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
            same => same,
        }
    }
}

/// The comparison of an average with a number. The average of nothing is 0.
fn average(
    builder: &mut Builder,
    (sum, count): (Number, Number),
    comparison: Comparison,
    number: Number,
) -> Option<TermId> {
    let store = &mut builder.store;
    let zero = Number::constant(0);
    let is_empty = count.compared(Comparison::Equal, zero, store)?;
    let of_nothing = zero.compared(comparison, number, store)?;
    let product = number.times(count, store)?;
    let of_some = sum.compared(comparison, product, store)?;
    Some(store.make(Op::Ite, &[is_empty, of_nothing, of_some]))
}

pub(super) fn too_large(span: Span) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Limit, span, "the numbers here are too large")
}

impl Apply<Operand, Symbol> for Meaning<'_> {
    fn apply(
        &mut self,
        (symbol, span): (Symbol, Span),
        operands: &[(Operand, Span)],
    ) -> Result<Operand, Diagnostic> {
        let (left, left_span) = &operands[0];
        let (right, right_span) = &operands[operands.len() - 1];
        let place = left_span.to(*right_span).to(span);
        let logic = |op| match (left, right) {
            (Operand::Bool(left), Operand::Bool(right)) => {
                let terms = if operands.len() == 1 { vec![*left] } else { vec![*left, *right] };
                Some((op, terms))
            }
            _ => None,
        };
        let connected = match symbol {
            Symbol::Equivalent => logic(Op::Equal),
            Symbol::Implies => logic(Op::Implies),
            Symbol::Or => logic(Op::Or),
            Symbol::And => logic(Op::And),
            Symbol::Not => logic(Op::Not),
            _ => None,
        };
        if let Some((op, terms)) = connected {
            return Ok(Operand::Bool(self.builder.store.make(op, &terms)));
        }
        if let Symbol::Compare(comparison) = symbol
            && let Some(term) = self.compare(comparison, left, right)
        {
            return term.map(Operand::Bool).ok_or_else(|| too_large(place));
        }
        let store = &mut self.builder.store;
        if let (Operand::Number(left), Operand::Number(right)) = (left, right) {
            let number = match symbol {
                Symbol::Add => left.plus(*right, store),
                Symbol::Subtract => left.minus(*right, store),
                Symbol::Multiply => left.times(*right, store),
                Symbol::Negate => left.negated(store),
                Symbol::Divide if right.is_constant() && !right.is_zero() => left.divided_by(*right, store),
                Symbol::Divide => {
                    let what = if right.is_zero() { "zero" } else { "something that varies" };
                    let message = format!("division by {what} is not supported");
                    return Err(Diagnostic::new(DiagnosticKind::Unsupported, *right_span, message)
                        .with_help("multiply the other side of the comparison instead"));
                }
                _ => return Err(mismatch(operands, place)),
            };
            return number.map(Operand::Number).ok_or_else(|| too_large(place));
        }
        Err(mismatch(operands, place))
    }
}

/// The operands of an operator do not fit to it.
fn mismatch(operands: &[(Operand, Span)], place: Span) -> Diagnostic {
    let what: Vec<&str> = operands.iter().map(|(operand, _)| operand.what()).collect();
    let message = format!("the operator does not go with {}", what.join(" and "));
    Diagnostic::new(DiagnosticKind::Sort, place, message).with_help(
        "!, &, |, => and <=> connect features; +, -, *, / and comparisons are for numbers; == and != also for texts; \
         averages can be compared with numbers only",
    )
}

//! Values as text: literals, arrays as chains of stores on a constant array, and elements of
//! declared sorts as the abstract values of the standard, `(as @S!0 S)`.

use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;
use sundry_term::{Float, Regex, RegexKind, Sort, SortDisplay, SortId, TermStore, Text, Value, quote_symbol};

use super::{ScriptText, Word};
use crate::model_values::element_name;

/// A value of this sort in SMT-LIB syntax.
pub fn print_value(store: &TermStore, sort: SortId, value: &Value) -> String {
    let mut out = ScriptText::default();
    write_value(&mut out, store, sort, value);
    out.into_string()
}

/// Appends a value of this sort.
pub(super) fn write_value(out: &mut ScriptText, store: &TermStore, sort: SortId, value: &Value) {
    enum Step<'a> {
        Value(SortId, &'a Value),
        Text(&'static str),
    }
    let mut stack = vec![Step::Value(sort, value)];
    while let Some(step) = stack.pop() {
        let (sort, value) = match step {
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Value(sort, value) => (sort, value),
        };
        match value {
            Value::Bool(value) => out.append(format_args!("{value}")),
            Value::BitVec(value) => out.append(format_args!("{value}")),
            Value::Int(value) => write_integer(out, value),
            Value::Real(value) => write_real(out, value),
            Value::RoundingMode(mode) => out.push_str(mode.name()),
            Value::Float(value) => write_float(out, value),
            Value::String(text) => out.push_string(text),
            Value::Regex(regex) => write_regex(out, regex),
            Value::Datatype(value) => {
                let constructor = value.constructor();
                let name = quote_symbol(&store.constructor(constructor).name).into_owned();
                let is_plain = store.datatype(store.constructor(constructor).datatype).parameters.is_empty();
                let head = match is_plain {
                    true => name,
                    false => format!("(as {name} {})", SortDisplay::new(store, sort)),
                };
                if value.fields().is_empty() {
                    out.push_str(&head);
                    continue;
                }
                out.append(format_args!("({head}"));
                let sorts = store.field_sorts(sort, constructor).unwrap_or_default();
                stack.push(Step::Text(")"));
                for (field, &sort) in value.fields().iter().zip(sorts).rev() {
                    stack.extend([Step::Value(sort, field), Step::Text(" ")]);
                }
            }
            Value::Sequence(value) => {
                let element = match *store.sort(sort) {
                    Sort::Sequence(element) => element,
                    _ => sort,
                };
                if value.elements().is_empty() {
                    write_empty_sequence(out, store, sort);
                    continue;
                }
                let is_one = value.elements().len() == 1;
                out.push_str(if is_one { "" } else { "(seq.++ " });
                stack.push(Step::Text(if is_one { "" } else { ")" }));
                for (position, value) in value.elements().iter().enumerate().rev() {
                    stack.extend([Step::Text(")"), Step::Value(element, value)]);
                    stack.push(Step::Text(if position == 0 { "(seq.unit " } else { " (seq.unit " }));
                }
            }
            Value::Uninterpreted { index, .. } => {
                let name = element_name(store, sort, *index);
                out.append(format_args!("(as {} {})", quote_symbol(&name), SortDisplay::new(store, sort)));
            }
            Value::Array(array) => {
                let (index_sort, element_sort) = store.array_parts(sort).unwrap_or((sort, sort));
                let entries: Vec<_> = array.entries().collect();
                for &(index, element) in entries.iter().rev() {
                    stack.extend([Step::Text(")"), Step::Value(element_sort, element), Step::Text(" ")]);
                    stack.extend([Step::Value(index_sort, index), Step::Text(" ")]);
                }
                stack.extend([Step::Text(")"), Step::Value(element_sort, array.default())]);
                out.push_repeated("(store ", entries.len());
                out.push_str("((as const ");
                out.push_sort(store, sort);
                out.push_str(") ");
            }
        }
    }
}

/// The sequence without elements, of a sort.
pub(super) fn write_empty_sequence(out: &mut ScriptText, store: &TermStore, sort: SortId) {
    out.push_str("(as seq.empty ");
    out.push_sort(store, sort);
    out.push(')');
}

/// A regular expression as operators on strings.
fn write_regex(out: &mut ScriptText, regex: &Regex) {
    enum Step<'a> {
        Regex(&'a Regex),
        Text(&'static str),
    }
    let mut stack = vec![Step::Regex(regex)];
    while let Some(step) = stack.pop() {
        let regex = match step {
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Regex(regex) => regex,
        };
        let (head, parts) = match regex.kind() {
            RegexKind::None => {
                out.push_word(Word::Name, format_args!("re.none"));
                continue;
            }
            RegexKind::All => ("re.all".into(), &[][..]),
            RegexKind::AllCharacters => ("re.allchar".into(), &[][..]),
            RegexKind::Literal(text) => {
                out.push('(');
                out.push_word(Word::Name, format_args!("str.to_re"));
                out.push(' ');
                out.push_string(text);
                out.push(')');
                continue;
            }
            RegexKind::Range(first, last) => {
                out.push_str("(re.range");
                for &character in [first, last] {
                    out.push(' ');
                    out.push_string(&Text::new(&[character]).expect("a character of the theory"));
                }
                out.push(')');
                continue;
            }
            RegexKind::Concat(parts) => ("re.++".into(), &parts[..]),
            RegexKind::Union(parts) => ("re.union".into(), &parts[..]),
            RegexKind::Intersection(parts) => ("re.inter".into(), &parts[..]),
            RegexKind::Complement(body) => ("re.comp".into(), std::slice::from_ref(body)),
            RegexKind::Repeat { body, least, most } => {
                let head = match most {
                    Some(most) => format!("(_ re.loop {least} {most})"),
                    None if *least == 0 => "re.*".into(),
                    None if *least == 1 => "re.+".into(),
                    None => {
                        out.append(format_args!("(re.++ ((_ re.^ {least}) "));
                        stack.extend([Step::Text("))"), Step::Regex(body), Step::Text(") (re.* ")]);
                        stack.push(Step::Regex(body));
                        continue;
                    }
                };
                (head, std::slice::from_ref(body))
            }
        };
        if parts.is_empty() {
            out.push_str(&head);
            continue;
        }
        out.append(format_args!("({head}"));
        stack.push(Step::Text(")"));
        for part in parts.iter().rev() {
            stack.extend([Step::Regex(part), Step::Text(" ")]);
        }
    }
}

fn write_integer(out: &mut ScriptText, value: &IBig) {
    let (sign, magnitude) = value.clone().into_parts();
    match sign {
        Sign::Negative => out.append(format_args!("(- {magnitude})")),
        Sign::Positive => out.append(format_args!("{magnitude}")),
    }
}

/// Appends a real: as a decimal if that is exact, else as a quotient.
fn write_real(out: &mut ScriptText, value: &RBig) {
    let (sign, magnitude) = value.numerator().clone().into_parts();
    let is_negative = sign == Sign::Negative;
    if is_negative {
        out.push_str("(- ");
    }
    match decimal(&magnitude, value.denominator()) {
        Some(decimal) => out.push_str(&decimal),
        None => out.append(format_args!("(/ {magnitude}.0 {}.0)", value.denominator())),
    }
    if is_negative {
        out.push(')');
    }
}

/// The digits with a decimal point, if the denominator has no prime factors but 2 and 5.
fn decimal(numerator: &UBig, denominator: &UBig) -> Option<String> {
    let twos = denominator.trailing_zeros()?;
    let mut rest = denominator >> twos;
    let mut fives = 0;
    let five = UBig::from(5u8);
    while (&rest % &five).is_zero() {
        rest /= &five;
        fives += 1;
    }
    if !rest.is_one() {
        return None;
    }
    let places = twos.max(fives);
    let scaled = numerator * UBig::from(10u8).pow(places) / denominator;
    let digits = format!("{scaled:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    Some(format!("{whole}.{}", if fraction.is_empty() { "0" } else { fraction }))
}

/// A floating-point value: a special one by its name, others by their fields.
fn write_float(out: &mut ScriptText, value: &Float) {
    let format = value.format();
    let special = match (value.is_nan(), value.is_infinite(), value.is_zero(), value.is_negative()) {
        (true, ..) => "NaN",
        (_, true, _, false) => "+oo",
        (_, true, _, true) => "-oo",
        (_, _, true, false) => "+zero",
        (_, _, true, true) => "-zero",
        _ => {
            let [sign, exponent, fraction] = value.to_fields();
            return out.append(format_args!("(fp {sign} {exponent} {fraction})"));
        }
    };
    out.append(format_args!("(_ {special} {} {})", format.exponent_bits(), format.significand_bits()));
}

//! Calls in words: arguments as initialisers of C write them, which leave out members and elements at the end that are 0.

use std::fmt::Write as _;

use sundry_debuginfo::{Member, TypeId, TypeKind, Types};
use sundry_explore::{Input, SourceKind, Variables};
use sundry_report::untrusted::visible;

use super::parts::is_character;
use super::{FunctionPlan, MOST_BYTES};

/// The longest text of a call, in characters.
const LONGEST: usize = 400;

/// The greatest depth of values in values.
const DEEPEST: u32 = 16;

/// The bytes and pointers of a call.
struct Call<'a> {
    plan: &'a FunctionPlan,
    types: &'a Types,
    input: &'a Input,
    variables: &'a Variables,
    text: String,
}

impl FunctionPlan {
    /// The call that an input stands for, as in `parse(text = "12", n = 3)`.
    pub fn in_words(&self, types: &Types, (input, variables): (&Input, &Variables)) -> String {
        let mut call = Call { plan: self, types, input, variables, text: String::new() };
        let _ = write!(call.text, "{}(", self.name);
        for (number, parameter) in self.shown.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            let _ = write!(call.text, "{comma}{} = ", visible(&parameter.name));
            match parameter.value {
                None => call.text.push_str("null"),
                Some((_, part)) if parameter.is_pointer => call.pointer(part, DEEPEST),
                Some((r#type, part)) => call.value(r#type, (part, 0), DEEPEST),
            }
        }
        call.text.push(')');
        call.text
    }

    /// The size of an input: for each number and object that no null pointer hides, the number of bytes up to the last that is not 0, and one.
    pub fn size_of_input(&self, (input, variables): (&Input, &Variables)) -> usize {
        let mut open: Vec<usize> = self.shown.iter().filter_map(|shown| Some(shown.value?.1)).collect();
        let mut size = 0;
        while let Some(part) = open.pop() {
            let part = &self.call.parts[part];
            let Some(source) = variables.find(&SourceKind::Parameter(part.name.clone())) else { continue };
            if !variables.is_null(input, source) {
                let bytes = variables.bytes(input, source);
                size += bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1) + 1;
                open.extend(part.pointers.iter().filter_map(|pointer| pointer.1));
            }
        }
        size
    }
}

impl Call<'_> {
    fn source(&self, part: usize) -> Option<usize> {
        self.variables.find(&SourceKind::Parameter(self.plan.call.parts[part].name.clone()))
    }

    /// Whether the text is as long as it may be.
    fn is_full(&mut self) -> bool {
        if self.text.chars().count() <= LONGEST {
            return false;
        }
        if !self.text.ends_with('…') {
            self.text.push('…');
        }
        true
    }

    /// Bytes of a part; those that are not symbolic are 0.
    fn bytes(&self, part: usize, offset: u32, size: u32) -> Vec<u8> {
        // No object is larger, whatever the module says of its types.
        let mut bytes = vec![0; size.min(MOST_BYTES) as usize];
        if let Some(source) = self.source(part) {
            let (first, length) =
                (self.variables.sources()[source].first, self.variables.length(self.input, source));
            for (byte, index) in bytes.iter_mut().zip(offset..length) {
                *byte = self.variables.value(self.input, first + index) as u8;
            }
        }
        bytes
    }

    /// Appends the target of the pointer to a part.
    fn pointer(&mut self, part: usize, depth: u32) {
        let is_null = self.source(part).is_some_and(|source| self.variables.is_null(self.input, source));
        let Some(depth) = depth.checked_sub(1).filter(|_| !is_null) else {
            self.text.push_str(if is_null { "null" } else { "…" });
            return;
        };
        let (contents, symbolic) = (self.plan.contents[part], self.plan.call.parts[part].symbolic);
        let element = self.types.get(contents.element);
        let is_opaque = matches!(element.kind, TypeKind::Void | TypeKind::Unknown | TypeKind::Declared)
            || contents.count == 0;
        if is_character(self.types, contents.element) {
            let bytes = self.bytes(part, 0, symbolic);
            self.characters(&bytes);
        } else if is_opaque {
            let bytes = self.bytes(part, 0, symbolic);
            self.numbers(&bytes);
        } else if contents.count == 1 {
            self.text.push('&');
            self.value(contents.element, (part, 0), depth);
        } else {
            self.elements(contents.element, contents.count, (part, 0), depth);
        }
    }

    /// The value of a type at a place in a part.
    fn value(&mut self, id: TypeId, (part, offset): (usize, u32), depth: u32) {
        let r#type = self.types.get(id);
        let Some(depth) = depth.checked_sub(1).filter(|_| !self.is_full()) else { return };
        let size = r#type.size.unwrap_or(0);
        match &r#type.kind {
            TypeKind::Pointer { .. } => {
                let pointers = &self.plan.call.parts[part].pointers;
                match pointers.iter().find(|pointer| pointer.0 == offset) {
                    Some(&(_, Some(target))) => self.pointer(target, depth),
                    _ => self.text.push_str("null"),
                }
            }
            TypeKind::Struct { members } => self.members(members, (part, offset), depth),
            &TypeKind::Array { element, count } => match count {
                Some(count) if is_character(self.types, element) => {
                    let bytes = self.bytes(part, offset, count);
                    self.characters(&bytes);
                }
                count => self.elements(element, count.unwrap_or(0), (part, offset), depth),
            },
            TypeKind::Boolean => {
                let is_true = self.bytes(part, offset, 1)[0] & 1 == 1;
                let _ = write!(self.text, "{is_true}");
            }
            TypeKind::Integer { .. } if is_character(self.types, id) => {
                let byte = self.bytes(part, offset, 1)[0];
                let _ = write!(self.text, "'{}'", escaped(byte, '\''));
            }
            TypeKind::Integer { signed } | TypeKind::Enumeration { signed, .. } if size <= 16 => {
                let bytes = self.bytes(part, offset, size);
                let number = integer(&bytes, *signed);
                let name = match &r#type.kind {
                    TypeKind::Enumeration { values, .. } => {
                        values.iter().find(|value| i128::from(value.value) == number)
                    }
                    _ => None,
                };
                let _ = match name.and_then(|value| value.name.as_deref()) {
                    Some(name) => write!(self.text, "{}", visible(name)),
                    None => write!(self.text, "{number}"),
                };
            }
            TypeKind::Float if size == 4 => {
                let bytes = self.bytes(part, offset, 4).try_into().unwrap_or_default();
                let _ = write!(self.text, "{:?}", f32::from_le_bytes(bytes));
            }
            TypeKind::Float if size == 8 => {
                let bytes = self.bytes(part, offset, 8).try_into().unwrap_or_default();
                let _ = write!(self.text, "{:?}", f64::from_le_bytes(bytes));
            }
            // Numbers of modules without types, and what has no other form.
            _ => match (size, self.plan.call.parts[part].size) {
                (0, None) => {
                    let bytes = self.bytes(part, 0, self.plan.call.parts[part].symbolic);
                    let _ = write!(self.text, "{}", integer(&bytes, true));
                }
                _ => {
                    let bytes = self.bytes(part, offset, size);
                    self.numbers(&bytes);
                }
            },
        }
    }

    /// The members of a struct, without those that are 0.
    fn members(&mut self, members: &[Member], (part, offset): (usize, u32), depth: u32) {
        let mut separator = "";
        self.text.push('{');
        for member in members {
            if self.is_full() {
                break;
            }
            let place = (part, offset.saturating_add(member.offset));
            let field = member.bits.map(|bits| {
                let bytes = self.bytes(part, offset.saturating_add(bits.start / 8), 8);
                let word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
                word >> (bits.start % 8) & u64::MAX.checked_shr(64 - bits.width.min(64)).unwrap_or(0)
            });
            let is_zero = field.map_or_else(|| self.is_zero(member.r#type, place), |field| field == 0);
            if is_zero {
                continue;
            }
            self.text.push_str(separator);
            separator = ", ";
            if let Some(name) = &member.name {
                let _ = write!(self.text, "{} = ", visible(name));
            }
            match field {
                Some(field) => self.text.push_str(&field.to_string()),
                None => self.value(member.r#type, place, depth),
            }
        }
        self.text.push_str(if separator.is_empty() { "0}" } else { "}" });
    }

    /// Whether a place has no pointers, and all of its bytes are 0.
    fn is_zero(&self, id: TypeId, (part, offset): (usize, u32)) -> bool {
        let size = self.types.get(id).size.unwrap_or(0);
        let range = offset..offset.saturating_add(size);
        let pointers = &self.plan.call.parts[part].pointers;
        !pointers.iter().any(|pointer| range.contains(&pointer.0))
            && self.bytes(part, offset, size).iter().all(|&byte| byte == 0)
    }

    /// The elements of an array, without those at the end that are 0.
    fn elements(&mut self, element: TypeId, count: u32, (part, offset): (usize, u32), depth: u32) {
        let size = self.types.get(element).size.unwrap_or(0);
        let has_pointers = self.plan.call.parts[part].pointers.iter().any(|pointer| pointer.0 >= offset);
        let bytes = self.bytes(part, offset, count.saturating_mul(size));
        let used = match bytes.iter().rposition(|&byte| byte != 0) {
            _ if has_pointers => count,
            Some(last) if size > 0 => last as u32 / size + 1,
            _ => 0,
        };
        self.text.push('{');
        for number in 0..used {
            if number > 0 {
                self.text.push_str(", ");
            }
            if self.is_full() {
                break;
            }
            self.value(element, (part, offset.saturating_add(number * size)), depth);
        }
        self.text.push_str(if used == 0 && count > 0 { "0}" } else { "}" });
    }

    fn numbers(&mut self, bytes: &[u8]) {
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(1, |last| last + 1).min(bytes.len());
        let shown: Vec<String> = bytes[..used].iter().take(LONGEST / 4).map(u8::to_string).collect();
        let _ = write!(self.text, "{{{}{}}}", shown.join(", "), if shown.len() < used { ", …" } else { "" });
    }

    fn characters(&mut self, bytes: &[u8]) {
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let shown: String = bytes[..used].iter().take(LONGEST).map(|&byte| escaped(byte, '"')).collect();
        let _ = write!(self.text, "\"{shown}{}\"", if used > LONGEST { "…" } else { "" });
    }
}

/// A character as in a literal of C. Octal digits are three, so that no digit behind them becomes one of them.
fn escaped(byte: u8, quote: char) -> String {
    match byte {
        b'\n' => "\\n".to_string(),
        b'\t' => "\\t".to_string(),
        b'\r' => "\\r".to_string(),
        b'\\' => "\\\\".to_string(),
        _ if char::from(byte) == quote => format!("\\{quote}"),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

fn integer(bytes: &[u8], is_signed: bool) -> i128 {
    let value = bytes.iter().rev().fold(0_u128, |value, &byte| (value << 8) | u128::from(byte));
    let unused = 128 - 8 * (bytes.len() as u32).clamp(1, 16);
    match is_signed {
        true => (value << unused) as i128 >> unused,
        false => value as i128,
    }
}

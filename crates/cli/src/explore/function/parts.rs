//! Objects behind pointers, by the types in the source.
//!
//! A pointer leads to a new object that nothing else leads to. Pointers in the object lead to further ones, up to a depth. Members of unions are plain bytes, since nothing says
//! which of them is meant, and pointers to functions are null.

use std::collections::{HashSet, VecDeque};

use sundry_debuginfo::{TypeId, TypeKind, Types};
use sundry_explore::CallPart;

use super::{FunctionOptions, MOST_BYTES};

/// The most objects of a call.
const MOST_PARTS: usize = 1024;

/// The most members and elements that are looked at.
const MOST_PLACES: usize = 1 << 16;

/// The longest expression for a part, in bytes.
const LONGEST_EXPRESSION: usize = 1000;

/// The contents of a part.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PartType {
    /// The type of the elements.
    pub element: TypeId,
    /// Their number.
    pub count: u32,
}

/// A place in a part whose type has to be looked at.
struct Place {
    part: usize,
    offset: u32,
    r#type: TypeId,
    /// The expression for it: of a pointer to it, where `is_behind_pointer`.
    expression: String,
    is_behind_pointer: bool,
    /// The number of pointers that lead to it.
    depth: u32,
}

impl Place {
    /// The expression for its value.
    fn value(&self) -> String {
        if self.is_behind_pointer { format!("*{}", self.expression) } else { self.expression.clone() }
    }

    /// The expression for a member.
    fn member(&self, name: Option<&str>) -> (String, bool) {
        match name {
            Some(name) => {
                let arrow = if self.is_behind_pointer { "->" } else { "." };
                (format!("{}{arrow}{name}", self.expression), false)
            }
            None => (self.expression.clone(), self.is_behind_pointer),
        }
    }
}

/// The parts of a call, while they are made.
pub struct Parts<'a> {
    options: &'a FunctionOptions,
    types: &'a Types,
    /// The parts.
    pub parts: Vec<CallPart>,
    /// Their types.
    pub contents: Vec<PartType>,
    names: HashSet<String>,
    open: VecDeque<Place>,
    bytes: u32,
    looked_at: usize,
}

/// The reason why parts cannot be made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl<'a> Parts<'a> {
    /// No parts.
    pub fn new(options: &'a FunctionOptions, types: &'a Types) -> Parts<'a> {
        Parts {
            options,
            types,
            parts: Vec::new(),
            contents: Vec::new(),
            names: HashSet::new(),
            open: VecDeque::new(),
            bytes: 0,
            looked_at: 0,
        }
    }

    /// Adds a part. One whose name is taken, as by another parameter, gets a number behind it.
    fn add(&mut self, mut part: CallPart, contents: PartType) -> Result<usize, TooLarge> {
        if !self.names.insert(part.name.clone()) {
            part.name = format!("{}#{}", part.name, self.parts.len());
            self.names.insert(part.name.clone());
        }
        self.bytes = self.bytes.saturating_add(part.size.unwrap_or(part.symbolic));
        if self.bytes > MOST_BYTES || self.parts.len() >= MOST_PARTS {
            return Err(TooLarge);
        }
        self.parts.push(part);
        self.contents.push(contents);
        Ok(self.parts.len() - 1)
    }

    /// Adds a number, which is in no memory.
    pub fn number(&mut self, name: &str, r#type: TypeId, bytes: u32) -> Result<usize, TooLarge> {
        let part = CallPart {
            name: name.to_string(),
            symbolic: bytes,
            size: None,
            is_nullable: false,
            pointers: Vec::new(),
        };
        self.add(part, PartType { element: r#type, count: 1 })
    }

    /// Adds the copy of a struct that is passed by value, or the room for one that is returned.
    pub fn by_value(&mut self, name: &str, r#type: TypeId, is_result: bool) -> Result<usize, TooLarge> {
        let size = self.types.get(r#type).size.unwrap_or(0);
        let part = CallPart {
            name: name.to_string(),
            symbolic: if is_result { 0 } else { size },
            size: Some(size),
            is_nullable: false,
            pointers: Vec::new(),
        };
        let part = self.add(part, PartType { element: r#type, count: 1 })?;
        if !is_result {
            let expression = name.to_string();
            self.open.push_back(Place {
                part,
                offset: 0,
                r#type,
                expression,
                is_behind_pointer: false,
                depth: 0,
            });
        }
        self.finish()?;
        Ok(part)
    }

    /// Adds the object that a pointer leads to, and all objects that this leads to.
    pub fn pointee(&mut self, name: &str, target: TypeId, is_nullable: bool) -> Result<usize, TooLarge> {
        let part = self.object(name, (target, is_nullable), 1)?;
        self.finish()?;
        Ok(part)
    }

    /// Adds an object for the pointer of a name.
    fn object(
        &mut self,
        name: &str,
        (target, is_nullable): (TypeId, bool),
        depth: u32,
    ) -> Result<usize, TooLarge> {
        let element = self.types.get(target);
        let size = element.size.filter(|&size| size > 0).unwrap_or(1);
        let is_single = matches!(
            element.kind,
            TypeKind::Struct { .. } | TypeKind::Union { .. } | TypeKind::Pointer { .. }
        );
        let elements = if is_single { 1 } else { self.options.elements };
        // Texts end with a zero, which is no symbolic byte.
        let end = u32::from(is_character(self.types, target));
        let usual = size.checked_mul(elements).ok_or(TooLarge)?;
        let (symbolic, whole) = match self.options.objects.get(name) {
            Some(&bytes) => (bytes, bytes),
            None => (usual, usual.checked_add(end).ok_or(TooLarge)?),
        };
        let part = CallPart {
            name: name.to_string(),
            symbolic,
            size: Some(whole),
            is_nullable: is_nullable && !self.options.never_null,
            pointers: Vec::new(),
        };
        let count = symbolic / size;
        let part = self.add(part, PartType { element: target, count })?;
        for number in 0..if is_plain(self.types, target) { 0 } else { count } {
            let (expression, is_behind_pointer) = match count {
                1 => (name.to_string(), true),
                _ => (format!("{name}[{number}]"), false),
            };
            let offset = number * size;
            let place = Place { part, offset, r#type: target, expression, is_behind_pointer, depth };
            self.push(place)?;
        }
        Ok(part)
    }

    fn push(&mut self, place: Place) -> Result<(), TooLarge> {
        self.looked_at += 1;
        if self.looked_at > MOST_PLACES || place.expression.len() > LONGEST_EXPRESSION {
            return Err(TooLarge);
        }
        self.open.push_back(place);
        Ok(())
    }

    /// Looks at the places that are open, and makes the objects that their pointers lead to.
    fn finish(&mut self) -> Result<(), TooLarge> {
        let types = self.types;
        while let Some(place) = self.open.pop_front() {
            match &types.get(place.r#type).kind {
                &TypeKind::Pointer { target, is_reference } => self.follow(&place, target, !is_reference)?,
                TypeKind::Struct { members } => {
                    for member in members {
                        let (expression, is_behind_pointer) = place.member(member.name.as_deref());
                        let offset = place.offset.saturating_add(member.offset);
                        let (part, depth) = (place.part, place.depth);
                        let r#type = member.r#type;
                        self.push(Place { part, offset, r#type, expression, is_behind_pointer, depth })?;
                    }
                }
                &TypeKind::Array { element, count: Some(count) } if !is_plain(types, element) => {
                    let size = types.get(element).size.unwrap_or(0);
                    for number in 0..count {
                        let expression = match place.is_behind_pointer {
                            true => format!("(*{})[{number}]", place.expression),
                            false => format!("{}[{number}]", place.expression),
                        };
                        let offset = place.offset.saturating_add(number.saturating_mul(size));
                        let (part, depth) = (place.part, place.depth);
                        let is_behind_pointer = false;
                        let r#type = element;
                        self.push(Place { part, offset, r#type, expression, is_behind_pointer, depth })?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes the object that a pointer at a place leads to.
    fn follow(&mut self, place: &Place, target: TypeId, is_nullable: bool) -> Result<(), TooLarge> {
        let is_inside =
            self.parts[place.part].size.is_some_and(|size| place.offset.saturating_add(4) <= size);
        if !is_inside {
            return Ok(());
        }
        let is_function = matches!(self.types.get(target).kind, TypeKind::Function { .. });
        if is_function || place.depth >= self.options.pointer_depth {
            self.parts[place.part].pointers.push((place.offset, None));
            return Ok(());
        }
        let object = self.object(&place.value(), (target, is_nullable), place.depth + 1)?;
        self.parts[place.part].pointers.push((place.offset, Some(object)));
        Ok(())
    }
}

/// Whether a type is the one of characters in texts. Those with a sign in their name are bytes.
pub fn is_character(types: &Types, id: TypeId) -> bool {
    let r#type = types.get(id);
    matches!(r#type.kind, TypeKind::Integer { .. })
        && r#type.name.as_deref() == Some("char")
        && r#type.size == Some(1)
}

/// Whether values of a type have no pointers, as numbers.
fn is_plain(types: &Types, id: TypeId) -> bool {
    !matches!(types.get(id).kind, TypeKind::Pointer { .. } | TypeKind::Struct { .. } | TypeKind::Array { .. })
}

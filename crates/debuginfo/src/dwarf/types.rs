//! Types: each entry of a type gets an identity, then its parts are filled in.

use std::sync::Arc;

use gimli::DwTag;
use gimli::constants::*;
use rustc_hash::FxHashMap;

use super::Context;
use super::entries::{Entries, Entry, MemberPlace};
use crate::types::{Bits, Enumerator, Member, Type, TypeId, TypeKind, Types};

/// The identities of types by the positions of their entries.
pub(super) struct TypeIds {
    ids: Vec<Option<TypeId>>,
}

impl TypeIds {
    /// The type that an entry refers to: that of a variable, a member or a function. Without a reference it is void.
    pub fn referred(&self, entries: &Entries<'_>, reference: Option<usize>) -> TypeId {
        let Some(offset) = reference else { return Types::VOID };
        let Some(start) = entries.position(offset) else { return Types::UNKNOWN };
        // The void that a qualifier without a type stands for ends the chain as well.
        let mut is_void = false;
        let end = entries.follow(start, |entry| {
            if !entry.tag.is_some_and(is_alias) {
                return None;
            }
            is_void = entry.r#type.is_none();
            entries.position(entry.r#type?)
        });
        match end {
            Some(_) if is_void => Types::VOID,
            Some(position) => self.ids[position].unwrap_or(Types::UNKNOWN),
            None => Types::UNKNOWN,
        }
    }
}

/// Whether a type is another one under a name or with a qualifier.
fn is_alias(tag: DwTag) -> bool {
    matches!(
        tag,
        DW_TAG_typedef
            | DW_TAG_const_type
            | DW_TAG_volatile_type
            | DW_TAG_restrict_type
            | DW_TAG_atomic_type
            | DW_TAG_immutable_type
            | DW_TAG_template_alias
    )
}

/// Reads all types.
pub(super) fn read(entries: &Entries<'_>, context: &mut Context<'_, '_>) -> (Types, TypeIds) {
    let mut types = Types::new();
    let ids = identities(entries, context, &mut types);
    let mut dimensions: FxHashMap<usize, Vec<Option<u32>>> = FxHashMap::default();
    for entry in &entries.0 {
        let Some(parent) = entry.parent else { continue };
        let Some(whole) = ids.ids[parent as usize] else { continue };
        let part = Part { entry, entries, ids: &ids };
        match &mut types.types[whole.index()].kind {
            TypeKind::Struct { members } | TypeKind::Union { members } => {
                members.extend(part.member(context));
            }
            TypeKind::Enumeration { values, .. } if entry.tag == Some(DW_TAG_enumerator) => {
                let value = entry.value.unwrap_or_default();
                values.push(Enumerator { name: context.texts.name(entry.name), value });
            }
            TypeKind::Array { .. }
                if matches!(entry.tag, Some(DW_TAG_subrange_type | DW_TAG_enumeration_type)) =>
            {
                let count = entry.value.and_then(|count| u32::try_from(count).ok());
                dimensions.entry(whole.index()).or_default().push(count);
            }
            TypeKind::Function { parameters, .. } if entry.tag == Some(DW_TAG_formal_parameter) => {
                parameters.push(ids.referred(entries, entry.r#type));
            }
            _ => {}
        }
    }
    arrays(&mut types, dimensions);
    (types, ids)
}

/// Gives an identity to each type. A type that is declared in one unit and defined in another has that of the definition.
fn identities(entries: &Entries<'_>, context: &mut Context<'_, '_>, types: &mut Types) -> TypeIds {
    let mut ids = TypeIds { ids: vec![None; entries.0.len()] };
    let mut defined: FxHashMap<(DwTag, &[u8]), TypeId> = FxHashMap::default();
    let kinds: Vec<Option<TypeKind>> = entries.0.iter().map(kind).collect();
    for (position, (entry, kind)) in entries.0.iter().zip(&kinds).enumerate() {
        let (Some(kind), Some(tag)) = (kind, entry.tag) else { continue };
        if *kind == TypeKind::Declared {
            continue;
        }
        let id = TypeId::new(types.len());
        let name = context.texts.name(entry.name);
        types.types.push(Type { name, size: size(entry, kind), kind: kind.clone() });
        ids.ids[position] = Some(id);
        if !entry.name.is_empty() {
            defined.entry((tag, entry.name)).or_insert(id);
        }
    }
    for (position, (entry, kind)) in entries.0.iter().zip(kinds).enumerate() {
        let (Some(TypeKind::Declared), Some(tag)) = (&kind, entry.tag) else { continue };
        let id = *defined.entry((tag, entry.name)).or_insert_with(|| {
            types.types.push(Type {
                name: context.texts.name(entry.name),
                size: None,
                kind: TypeKind::Declared,
            });
            TypeId::new(types.len() - 1)
        });
        ids.ids[position] = Some(id);
    }
    // References need the identities of all.
    for (position, entry) in entries.0.iter().enumerate() {
        let Some(id) = ids.ids[position] else { continue };
        let other = ids.referred(entries, entry.r#type);
        match &mut types.types[id.index()].kind {
            TypeKind::Pointer { target, .. } => *target = other,
            TypeKind::Array { element, .. } => *element = other,
            TypeKind::Function { result, .. } => *result = other,
            TypeKind::Enumeration { signed, .. } => *signed = is_signed(entries, entry),
            _ => {}
        }
    }
    ids
}

/// The kind of type that an entry is, without its parts.
fn kind(entry: &Entry<'_>) -> Option<TypeKind> {
    let members = Vec::new;
    Some(match entry.tag? {
        DW_TAG_structure_type | DW_TAG_class_type | DW_TAG_union_type if entry.is_declaration => {
            TypeKind::Declared
        }
        DW_TAG_structure_type | DW_TAG_class_type => TypeKind::Struct { members: members() },
        DW_TAG_union_type => TypeKind::Union { members: members() },
        tag @ (DW_TAG_pointer_type | DW_TAG_reference_type | DW_TAG_rvalue_reference_type) => {
            TypeKind::Pointer { target: Types::VOID, is_reference: tag != DW_TAG_pointer_type }
        }
        DW_TAG_array_type => TypeKind::Array { element: Types::UNKNOWN, count: None },
        DW_TAG_subroutine_type => TypeKind::Function { result: Types::VOID, parameters: Vec::new() },
        DW_TAG_enumeration_type => TypeKind::Enumeration { signed: false, values: Vec::new() },
        DW_TAG_base_type => match encoding(entry) {
            Some(DW_ATE_boolean) => TypeKind::Boolean,
            Some(DW_ATE_float) => TypeKind::Float,
            Some(DW_ATE_signed | DW_ATE_signed_char) => TypeKind::Integer { signed: true },
            Some(DW_ATE_unsigned | DW_ATE_unsigned_char | DW_ATE_UTF | DW_ATE_address) => {
                TypeKind::Integer { signed: false }
            }
            _ => TypeKind::Unknown,
        },
        DW_TAG_ptr_to_member_type | DW_TAG_unspecified_type | DW_TAG_string_type | DW_TAG_set_type => {
            TypeKind::Unknown
        }
        _ => return None,
    })
}

fn encoding(entry: &Entry<'_>) -> Option<gimli::DwAte> {
    entry.value.and_then(|value| u8::try_from(value).ok()).map(gimli::DwAte)
}

/// The size that an entry states. Addresses have 32 bits.
fn size(entry: &Entry<'_>, kind: &TypeKind) -> Option<u32> {
    match (entry.size, kind) {
        (Some(size), _) => u32::try_from(size).ok(),
        (None, TypeKind::Pointer { .. }) => Some(4),
        _ => None,
    }
}

/// Whether the integer of an enumeration has a sign: as its type says, else if it has a negative value.
fn is_signed(entries: &Entries<'_>, entry: &Entry<'_>) -> bool {
    let Some(start) = entry.r#type.and_then(|offset| entries.position(offset)) else { return false };
    let next = |entry: &Entry<'_>| entries.position(entry.r#type?);
    let base = entries.follow(start, next).map(|position| &entries.0[position]);
    base.is_some_and(|base| matches!(encoding(base), Some(DW_ATE_signed | DW_ATE_signed_char)))
}

/// An entry inside a type.
struct Part<'run, 'data> {
    entry: &'run Entry<'data>,
    entries: &'run Entries<'data>,
    ids: &'run TypeIds,
}

impl Part<'_, '_> {
    /// The member of a struct that an entry is; static ones are elsewhere.
    fn member(&self, context: &mut Context<'_, '_>) -> Option<Member> {
        let entry = self.entry;
        if !matches!(entry.tag, Some(DW_TAG_member | DW_TAG_inheritance)) || entry.is_declaration {
            return None;
        }
        let place = entry.member.as_deref().copied().unwrap_or_default();
        let bits = self.bits(&place);
        let offset = match (place.offset, bits) {
            (Some(offset), _) => u32::try_from(offset).ok()?,
            (None, Some(bits)) => bits.start / 8,
            (None, None) => 0,
        };
        let name: Option<Arc<str>> = context.texts.name(entry.name);
        Some(Member { name, offset, r#type: self.ids.referred(self.entries, entry.r#type), bits })
    }

    /// The bits of a bit-field. Old versions count from the other end of a storage whose size is that of the type.
    fn bits(&self, place: &MemberPlace) -> Option<Bits> {
        let width = u32::try_from(place.bit_size?).ok()?;
        let start = match (place.data_bit_offset, place.bit_offset) {
            (Some(start), _) => start,
            (None, Some(from_top)) => {
                let storage = i64::try_from(self.entry.size?.checked_mul(8)?).ok()?;
                let inside = storage.checked_sub(from_top)?.checked_sub(i64::from(width))?;
                let start = i64::try_from(place.offset.unwrap_or_default().checked_mul(8)?).ok()?;
                u64::try_from(start.checked_add(inside)?).ok()?
            }
            (None, None) => place.offset.unwrap_or_default().checked_mul(8)?,
        };
        Some(Bits { start: u32::try_from(start).ok()?, width })
    }
}

/// Gives arrays their lengths and sizes. One of several dimensions becomes an array of arrays.
fn arrays(types: &mut Types, mut dimensions: FxHashMap<usize, Vec<Option<u32>>>) {
    let last = types.len();
    for index in 0..last {
        let TypeKind::Array { mut element, .. } = types.types[index].kind else { continue };
        let counts = dimensions.remove(&index).unwrap_or_default();
        for &count in counts.iter().skip(1).rev() {
            types.types.push(Type { name: None, size: None, kind: TypeKind::Array { element, count } });
            element = TypeId::new(types.len() - 1);
        }
        types.types[index].kind = TypeKind::Array { element, count: counts.first().copied().flatten() };
    }
    // Arrays made above stand behind those that contain them.
    for index in (0..types.len()).rev() {
        if types.types[index].size.is_none() {
            types.types[index].size = array_size(types, index);
        }
    }
}

/// The size of an array: the product of the lengths along the chain of its elements.
fn array_size(types: &Types, index: usize) -> Option<u32> {
    let (mut product, mut inner) = (1u32, &types.types[index]);
    for _ in 0..Entries::LONGEST_CHAIN {
        match inner.kind {
            TypeKind::Array { element, count } => match inner.size {
                Some(size) => return product.checked_mul(size),
                None => {
                    product = product.checked_mul(count?)?;
                    inner = types.get(element);
                }
            },
            _ => return product.checked_mul(inner.size?),
        }
    }
    None
}

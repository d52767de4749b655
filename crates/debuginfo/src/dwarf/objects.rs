//! Objects in memory: variables in stack frames, variables with static storage, and literals.

use std::ops::Range;
use std::sync::Arc;

use gimli::constants::*;

use super::Context;
use super::entries::Entries;
use super::expression::Location;
use super::functions::owners;
use super::types::TypeIds;
use crate::debug_info::{DataObject, Function, StackObject};
use crate::types::{TypeId, Types};

/// Adds variables and parameters that are in a stack frame to their functions.
pub(super) fn on_stack(
    entries: &Entries<'_>,
    ids: &TypeIds,
    types: &Types,
    context: &mut Context<'_, '_>,
    functions: &mut [Function],
) {
    let owners = owners(entries, functions);
    for (index, owner) in owners.iter().enumerate() {
        let entry = &entries.0[index];
        let (Some(owner), Location::Frame(offset)) = (owner, entry.location) else { continue };
        let Some((name, r#type, size)) = variable(entries, ids, types, index, context) else { continue };
        let Some(scope) = scope(entries, index) else { continue };
        let object = StackObject { name, offset, size, r#type, scope };
        functions[owner.function as usize].frame.objects.push(object);
    }
    for function in functions {
        function.frame.objects.sort_by_key(|object| (object.offset, object.size));
    }
}

/// The offsets at which a variable can be used: those of the nearest block around it that says them.
fn scope(entries: &Entries<'_>, index: usize) -> Option<Arc<[Range<u32>]>> {
    let block = entries.follow(index, |entry| match entry.ranges {
        Some(_) => None,
        None => entry.parent.map(|parent| parent as usize),
    })?;
    entries.0[block].ranges.clone()
}

/// The variables at fixed addresses, by address. Of those that overlap, the one that begins first and is longest is kept.
pub(super) fn in_memory(
    entries: &Entries<'_>,
    ids: &TypeIds,
    types: &Types,
    context: &mut Context<'_, '_>,
) -> Vec<DataObject> {
    let mut objects = Vec::new();
    for index in 0..entries.0.len() {
        let Location::Memory(address) = entries.0[index].location else { continue };
        let Some((name, r#type, size)) = variable(entries, ids, types, index, context) else { continue };
        if address.checked_add(size).is_some() {
            objects.push(DataObject { name, address, size, r#type });
        }
    }
    objects.sort_by_key(|object| (object.address, std::cmp::Reverse(object.size)));
    let mut end = 0;
    objects.retain(|object| {
        let is_apart = object.address >= end;
        if is_apart {
            end = object.address + object.size;
        }
        is_apart
    });
    objects
}

/// The name, type and size of a variable, unless the size is zero or not known.
fn variable(
    entries: &Entries<'_>,
    ids: &TypeIds,
    types: &Types,
    index: usize,
    context: &mut Context<'_, '_>,
) -> Option<(Option<Arc<str>>, TypeId, u32)> {
    if !matches!(entries.0[index].tag, Some(DW_TAG_variable | DW_TAG_formal_parameter)) {
        return None;
    }
    let said = || entries.with_origins(index);
    let r#type = ids.referred(entries, said().find_map(|entry| entry.r#type));
    let size = types.get(r#type).size.filter(|&size| size > 0)?;
    let name = said().map(|entry| entry.name).find(|name| !name.is_empty());
    Some((name.and_then(|name| context.texts.name(name)), r#type, size))
}

//! Functions: names, parameters, and what was inlined into them.

use gimli::constants::*;

use super::Context;
use super::entries::{Entries, Entry};
use super::expression::Location;
use super::types::TypeIds;
use crate::debug_info::{Function, Inlined, Parameter, position};
use crate::text::Texts;

/// The function that an entry is part of, and the number of inlined calls around it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Owner {
    /// The position among the functions of the module.
    pub function: u32,
    pub depth: u32,
}

/// For each entry, the function that it describes or is part of. Parents stand before their parts.
pub(super) fn owners(entries: &Entries<'_>, functions: &[Function]) -> Vec<Option<Owner>> {
    let mut owners: Vec<Option<Owner>> = Vec::with_capacity(entries.0.len());
    for entry in &entries.0 {
        let around = entry.parent.and_then(|parent| owners[parent as usize]);
        let owner = match entry.tag {
            Some(DW_TAG_subprogram) => own_function(entry, functions),
            Some(DW_TAG_inlined_subroutine) => around.map(|owner| Owner { depth: owner.depth + 1, ..owner }),
            _ => around,
        };
        owners.push(owner);
    }
    owners
}

/// The function whose code an entry describes.
fn own_function(entry: &Entry<'_>, functions: &[Function]) -> Option<Owner> {
    let first = entry.ranges.as_ref()?.first()?;
    let function = position(functions, first.start)? as u32;
    Some(Owner { function, depth: 0 })
}

/// Fills in what the entries say of functions.
pub(super) fn read(
    entries: &Entries<'_>,
    ids: &TypeIds,
    context: &mut Context<'_, '_>,
    functions: &mut [Function],
) {
    let owners = owners(entries, functions);
    let parameters = Parameters::new(entries);
    for (index, (entry, owner)) in entries.0.iter().zip(&owners).enumerate() {
        let Some(owner) = owner else { continue };
        let function = &mut functions[owner.function as usize];
        match entry.tag {
            // Where two entries claim a function, the first has it.
            Some(DW_TAG_subprogram) if function.parameters.is_none() => {
                function.name = name(entries, index, context.texts).or(function.name.take());
                function.declared = entries.with_origins(index).find_map(|entry| entry.source);
                function.parameters = Some(parameters.of(entries, ids, index, context));
                let result = entries.with_origins(index).find_map(|entry| entry.r#type);
                function.result = ids.referred(entries, result);
                if let Location::Value(base) = entry.location {
                    function.frame.base = Some(base);
                }
            }
            Some(DW_TAG_inlined_subroutine) => {
                let Some(ranges) = entry.ranges.clone() else { continue };
                function.inlined.push(Inlined {
                    name: name(entries, index, context.texts),
                    ranges,
                    depth: owner.depth,
                    call: entry.source,
                    column: entry.column,
                });
            }
            _ => {}
        }
    }
}

/// The name of a function: its symbol if that is one of C++ or Rust, which has the names around it, else its own.
fn name(entries: &Entries<'_>, index: usize, texts: &mut Texts) -> Option<std::sync::Arc<str>> {
    let symbol = entries.with_origins(index).map(|entry| entry.linkage_name).find(|name| !name.is_empty());
    let is_mangled = symbol.is_some_and(|symbol| symbol.starts_with(b"_Z") || symbol.starts_with(b"_R"));
    let own = entries.with_origins(index).map(|entry| entry.name).find(|name| !name.is_empty());
    match (symbol, own) {
        (Some(symbol), _) if is_mangled => texts.symbol(symbol),
        (_, Some(own)) => texts.name(own),
        (symbol, None) => texts.symbol(symbol?),
    }
}

/// The parameters of all functions, by the positions of the entries of these.
struct Parameters {
    /// The position of a function and that of a parameter, in order.
    pairs: Vec<(u32, u32)>,
}

impl Parameters {
    fn new(entries: &Entries<'_>) -> Self {
        let is_parameter = |entry: &&(u32, &Entry<'_>)| entry.1.tag == Some(DW_TAG_formal_parameter);
        let numbered = (0..).zip(&entries.0);
        let pair = |(index, entry): (u32, &Entry<'_>)| Some((entry.parent?, index));
        let mut pairs: Vec<(u32, u32)> =
            numbered.filter(|entry| is_parameter(&entry)).filter_map(pair).collect();
        pairs.sort_unstable();
        Parameters { pairs }
    }

    /// Those of an entry itself.
    fn own(&self, index: usize) -> &[(u32, u32)] {
        let start = self.pairs.partition_point(|&(function, _)| (function as usize) < index);
        let length = self.pairs[start..].partition_point(|&(function, _)| function as usize == index);
        &self.pairs[start..start + length]
    }

    /// Those of a function. One that is also inlined has them in another entry, and need not repeat those that it does
    /// not use: the longest list is the whole.
    fn of(
        &self,
        entries: &Entries<'_>,
        ids: &TypeIds,
        index: usize,
        context: &mut Context<'_, '_>,
    ) -> Vec<Parameter> {
        let origins = entries.with_origins(index).filter_map(|entry| entries.position(entry.offset));
        let mut longest = self.own(index);
        for origin in origins {
            let other = self.own(origin);
            if other.len() > longest.len() {
                longest = other;
            }
        }
        // Many functions may refer to one long list.
        let affordable = longest.iter().take_while(|_| context.budget.take()).count();
        let parameter = |&(_, index): &(u32, u32)| {
            let said = || entries.with_origins(index as usize);
            let name = said().map(|entry| entry.name).find(|name| !name.is_empty());
            Parameter {
                name: name.and_then(|name| context.texts.name(name)),
                r#type: ids.referred(entries, said().find_map(|entry| entry.r#type)),
            }
        };
        longest[..affordable].iter().map(parameter).collect()
    }
}

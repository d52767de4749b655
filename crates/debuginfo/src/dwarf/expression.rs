//! Locations: the few forms of expressions that name a fixed place.

use gimli::{AttributeValue, Expression, Operation};

use super::{Budget, Dwarf, Slice, Unit};
use crate::debug_info::FrameBase;

/// The place of a variable.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum Location {
    /// None, one that changes, or one that is computed.
    #[default]
    Elsewhere,
    /// An address in linear memory.
    Memory(u32),
    /// An offset from the base of the frame.
    Frame(i32),
    /// A value that is held by a local or a global.
    Value(FrameBase),
}

/// The place that a location names. Of a list of places over time, the first in a frame: a variable that is in memory at
/// some time has its room there for the whole of its scope.
pub(super) fn location(
    value: AttributeValue<Slice<'_>>,
    dwarf: &Dwarf<'_>,
    unit: &Unit<'_>,
    budget: &mut Budget,
) -> Result<Location, gimli::Error> {
    if let AttributeValue::Exprloc(expression) = value {
        return of_expression(expression, dwarf, unit);
    }
    let Some(mut list) = dwarf.attr_locations(unit, value)? else { return Ok(Location::Elsewhere) };
    while let Some(entry) = list.next()? {
        if !budget.take() {
            break;
        }
        let location = of_expression(entry.data, dwarf, unit)?;
        if matches!(location, Location::Frame(_)) {
            return Ok(location);
        }
    }
    Ok(Location::Elsewhere)
}

fn of_expression(
    expression: Expression<Slice<'_>>,
    dwarf: &Dwarf<'_>,
    unit: &Unit<'_>,
) -> Result<Location, gimli::Error> {
    let mut operations = expression.operations(unit.encoding());
    let mut location = match operations.next()? {
        Some(Operation::FrameOffset { offset }) => {
            i32::try_from(offset).map(Location::Frame).unwrap_or_default()
        }
        Some(Operation::Address { address }) => memory(address),
        Some(Operation::AddressIndex { index }) => memory(dwarf.address(unit, index)?),
        Some(Operation::WasmLocal { index }) => Location::Value(FrameBase::Local(index)),
        Some(Operation::WasmGlobal { index }) => Location::Value(FrameBase::Global(index)),
        _ => Location::Elsewhere,
    };
    while let Some(operation) = operations.next()? {
        location = match (location, operation) {
            (Location::Frame(offset), Operation::PlusConstant { value }) => {
                let sum = i32::try_from(value).ok().and_then(|value| offset.checked_add(value));
                sum.map(Location::Frame).unwrap_or_default()
            }
            (Location::Memory(address), Operation::PlusConstant { value }) => {
                memory(u64::from(address).saturating_add(value))
            }
            (Location::Value(_), Operation::StackValue) => location,
            _ => Location::Elsewhere,
        };
    }
    Ok(location)
}

/// An address in linear memory. Variables that the linker has removed are at zero, or at the end of memory.
fn memory(address: u64) -> Location {
    match u32::try_from(address) {
        Ok(address) if address > 0 && address < u32::MAX - 1 => Location::Memory(address),
        _ => Location::Elsewhere,
    }
}

//! The entries of all units in one table.

use std::ops::Range;
use std::sync::Arc;

use gimli::constants::*;
use gimli::{Attribute, AttributeValue, DwTag, Section};

use super::expression::{Location, location};
use super::files::{Files, UnitFiles};
use super::{Context, Slice, Unit, lines};
use crate::debug_info::{LineRange, SourceLine};

/// The part of an entry that this crate needs.
#[derive(Clone, Default, Debug)]
pub(super) struct Entry<'data> {
    pub tag: Option<DwTag>,
    /// Its place in the section.
    pub offset: usize,
    /// The position of the entry that it is a part of.
    pub parent: Option<u32>,
    pub name: &'data [u8],
    pub linkage_name: &'data [u8],
    /// The place of the entry of its type.
    pub r#type: Option<usize>,
    /// The place of an entry that says the rest: of what is inlined, or declared elsewhere.
    pub origin: Option<usize>,
    /// The place of its declaration, or of the call if it is inlined.
    pub source: Option<SourceLine>,
    pub column: u32,
    pub ranges: Option<Arc<[Range<u32>]>>,
    pub location: Location,
    pub size: Option<u64>,
    /// The encoding of a number, the length of an array, or the value of an enumerator.
    pub value: Option<i64>,
    pub member: Option<Box<MemberPlace>>,
    pub is_declaration: bool,
}

/// The place of a member in its struct.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct MemberPlace {
    pub offset: Option<u64>,
    pub bit_size: Option<u64>,
    /// From the start of the struct, in memory order.
    pub data_bit_offset: Option<u64>,
    /// From the most significant bit of the storage: DWARF 3.
    pub bit_offset: Option<i64>,
}

/// All entries, in the order of their places.
pub(super) struct Entries<'data>(pub Vec<Entry<'data>>);

impl<'data> Entries<'data> {
    /// The most steps along a chain of references.
    pub const LONGEST_CHAIN: usize = 64;

    /// The position of the entry at a place of the section.
    pub fn position(&self, offset: usize) -> Option<usize> {
        self.0.binary_search_by_key(&offset, |entry| entry.offset).ok()
    }

    /// The entry and those that say the rest of it.
    pub fn with_origins(&self, position: usize) -> impl Iterator<Item = &Entry<'data>> {
        let first = self.0.get(position);
        let next = |entry: &&Entry<'data>| Some(&self.0[self.position(entry.origin?)?]);
        std::iter::successors(first, next).take(Self::LONGEST_CHAIN)
    }

    /// Follows references from one position to the next until there is none, or too many.
    pub fn follow(
        &self,
        start: usize,
        mut next: impl FnMut(&Entry<'data>) -> Option<usize>,
    ) -> Option<usize> {
        let mut position = start;
        for _ in 0..Self::LONGEST_CHAIN {
            match next(&self.0[position]) {
                Some(other) => position = other,
                None => return Some(position),
            }
        }
        None
    }
}

/// Reads all units. A unit with a mistake is read up to there.
pub(super) fn read<'data>(context: &mut Context<'_, 'data>) -> (Entries<'data>, Files, Vec<LineRange>) {
    let (mut entries, mut files, mut lines) = (Vec::new(), Files::default(), Vec::new());
    let mut programs = rustc_hash::FxHashSet::default();
    // The headers of line tables are read with each unit, so that units which share a long one take long.
    let mut headers = context.dwarf.debug_line.reader().len().saturating_mul(4);
    let mut units = context.dwarf.units();
    loop {
        let header = match units.next() {
            Ok(Some(header)) => header,
            Ok(None) => break,
            Err(error) => {
                context.warnings.push("the section '.debug_info'", error);
                break;
            }
        };
        let place = header.debug_info_offset().map_or(0, |offset| offset.0);
        let part = format!("the unit at {place:#x} of '.debug_info'");
        let unit = match context.dwarf.unit(header) {
            Ok(unit) => unit,
            Err(error) => {
                context.warnings.push(part, error);
                continue;
            }
        };
        let mut unit_files = UnitFiles::default();
        if let Some(program) = &unit.line_program {
            match headers.checked_sub(program.header().header_length()) {
                Some(left) => headers = left,
                None => {
                    context.warnings.push(part, "too many units share a table of lines");
                    break;
                }
            }
            if programs.insert(program.header().offset().0)
                && let Err(error) = lines::read(&unit, context, &mut unit_files, &mut files, &mut lines)
            {
                context.warnings.push(format_args!("the lines of {part}"), error);
            }
        }
        if let Err(error) = read_unit(&unit, context, &mut unit_files, &mut files, &mut entries) {
            context.warnings.push(part, error);
        }
    }
    (Entries(entries), files, lines)
}

/// Adds the entries of a unit.
fn read_unit<'data>(
    unit: &Unit<'data>,
    context: &mut Context<'_, 'data>,
    unit_files: &mut UnitFiles,
    files: &mut Files,
    entries: &mut Vec<Entry<'data>>,
) -> Result<(), gimli::Error> {
    let mut cursor = unit.entries();
    // The entries around the present one, with their depths.
    let mut around: Vec<(isize, u32)> = Vec::new();
    while let Some(found) = cursor.next_dfs()? {
        while around.last().is_some_and(|&(depth, _)| depth >= found.depth()) {
            around.pop();
        }
        let Some(offset) = found.offset().to_debug_info_offset(&unit.header) else { break };
        if !context.budget.take() {
            break;
        }
        let parent = around.last().map(|&(_, position)| position);
        let mut entry = Entry { tag: Some(found.tag()), offset: offset.0, parent, ..Entry::default() };
        let mut filling =
            Filling { unit, context, unit_files, files, file: None, line: None, low: None, high: None };
        for attribute in found.attrs() {
            filling.attribute(attribute, &mut entry)?;
        }
        filling.finish(&mut entry);
        around.push((found.depth(), entries.len() as u32));
        entries.push(entry);
    }
    Ok(())
}

/// An entry that is being filled: some of its parts are made of several attributes.
struct Filling<'run, 'other, 'data> {
    unit: &'run Unit<'data>,
    context: &'run mut Context<'other, 'data>,
    unit_files: &'run mut UnitFiles,
    files: &'run mut Files,
    file: Option<u64>,
    line: Option<u64>,
    low: Option<u64>,
    high: Option<High>,
}

/// The end of a range.
enum High {
    Address(u64),
    Length(u64),
}

impl<'data> Filling<'_, '_, 'data> {
    fn attribute(
        &mut self,
        attribute: &Attribute<Slice<'data>>,
        entry: &mut Entry<'data>,
    ) -> Result<(), gimli::Error> {
        let value = attribute.value();
        match attribute.name() {
            DW_AT_name => entry.name = self.text(value),
            DW_AT_linkage_name | DW_AT_MIPS_linkage_name => entry.linkage_name = self.text(value),
            DW_AT_type => entry.r#type = self.reference(value),
            DW_AT_abstract_origin | DW_AT_specification => entry.origin = self.reference(value),
            DW_AT_decl_file | DW_AT_call_file => {
                self.file = match value {
                    AttributeValue::FileIndex(file) => Some(file),
                    other => other.udata_value(),
                }
            }
            DW_AT_decl_line | DW_AT_call_line => self.line = value.udata_value(),
            DW_AT_call_column => entry.column = small(value.udata_value()).unwrap_or_default(),
            DW_AT_low_pc => self.low = self.context.dwarf.attr_address(self.unit, value)?,
            DW_AT_high_pc => {
                self.high = match value.udata_value() {
                    Some(length) => Some(High::Length(length)),
                    None => self.context.dwarf.attr_address(self.unit, value)?.map(High::Address),
                }
            }
            DW_AT_ranges => entry.ranges = self.ranges(value)?,
            DW_AT_location | DW_AT_frame_base => {
                let budget = &mut self.context.budget;
                entry.location = location(value, &self.context.dwarf, self.unit, budget)?;
            }
            DW_AT_byte_size => entry.size = value.udata_value(),
            DW_AT_encoding => {
                entry.value = match value {
                    AttributeValue::Encoding(encoding) => Some(i64::from(encoding.0)),
                    _ => None,
                }
            }
            DW_AT_const_value | DW_AT_count => entry.value = number(value),
            DW_AT_upper_bound => entry.value = number(value).and_then(|bound| bound.checked_add(1)),
            DW_AT_data_member_location => member(entry).offset = value.udata_value(),
            DW_AT_bit_size => member(entry).bit_size = value.udata_value(),
            DW_AT_data_bit_offset => member(entry).data_bit_offset = value.udata_value(),
            DW_AT_bit_offset => member(entry).bit_offset = number(value),
            DW_AT_declaration => entry.is_declaration = value == AttributeValue::Flag(true),
            _ => {}
        }
        Ok(())
    }

    /// Puts together what several attributes have said.
    fn finish(self, entry: &mut Entry<'data>) {
        if let (Some(file), Some(line)) = (self.file, small(self.line)) {
            let texts = &mut *self.context.texts;
            let file = self.unit_files.get(file, (&self.context.dwarf, self.unit), self.files, texts);
            entry.source = file.map(|file| SourceLine { file, line });
        }
        if let (None, Some(low), Some(high)) = (&entry.ranges, self.low, self.high) {
            let high = match high {
                High::Address(address) => address,
                High::Length(length) => low.saturating_add(length),
            };
            entry.ranges = offsets(low, high, self.context.code_end).map(|range| [range].into());
        }
    }

    /// A text; one that cannot be found is empty.
    fn text(&self, value: AttributeValue<Slice<'data>>) -> &'data [u8] {
        self.context.dwarf.attr_string(self.unit, value).map(|text| text.slice()).unwrap_or_default()
    }

    /// The place of another entry.
    fn reference(&self, value: AttributeValue<Slice<'data>>) -> Option<usize> {
        match value {
            AttributeValue::UnitRef(offset) => Some(offset.to_debug_info_offset(&self.unit.header)?.0),
            AttributeValue::DebugInfoRef(offset) => Some(offset.0),
            _ => None,
        }
    }

    fn ranges(
        &mut self,
        value: AttributeValue<Slice<'data>>,
    ) -> Result<Option<Arc<[Range<u32>]>>, gimli::Error> {
        let Some(mut list) = self.context.dwarf.attr_ranges(self.unit, value)? else { return Ok(None) };
        let mut ranges = Vec::new();
        while let Some(range) = list.next()? {
            if !self.context.budget.take() {
                break;
            }
            ranges.extend(offsets(range.begin, range.end, self.context.code_end));
        }
        Ok((!ranges.is_empty()).then(|| ranges.into()))
    }
}

/// A range of offsets, unless it is empty or of code that the linker has removed: then it begins at zero or behind all
/// code.
fn offsets(begin: u64, end: u64, code_end: u32) -> Option<Range<u32>> {
    let (begin, end) = (u32::try_from(begin).ok()?, u32::try_from(end).ok()?);
    (0 < begin && begin < end && end <= code_end).then_some(begin..end)
}

fn small(value: Option<u64>) -> Option<u32> {
    value.and_then(|value| u32::try_from(value).ok())
}

fn number(value: AttributeValue<Slice<'_>>) -> Option<i64> {
    // Forms without a sign come first: those of a fixed length would count as signed otherwise.
    value.udata_value().and_then(|value| i64::try_from(value).ok()).or_else(|| value.sdata_value())
}

fn member<'entry>(entry: &'entry mut Entry<'_>) -> &'entry mut MemberPlace {
    entry.member.get_or_insert_default()
}

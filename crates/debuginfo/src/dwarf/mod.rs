//! DWARF, read in two passes: the entries of all units as they are, then what they mean.
//!
//! An entry refers to others in any order and across units, so a first pass ([`entries`]) keeps what matters of each in
//! one table, in the order of the section, where a parent stands before its children. What follows are loops over that
//! table: types ([`types`]), functions with what was inlined into them ([`functions`]), and objects in memory
//! ([`objects`]). No pass recurses, and chains of references have a limit, because malformed input has cycles.

mod entries;
mod expression;
mod files;
mod functions;
mod lines;
mod objects;
mod types;

use gimli::{EndianSlice, LittleEndian};

use crate::debug_info::DebugInfo;
use crate::error::Warnings;
use crate::module::Module;
use crate::text::Texts;

/// Bytes of a section.
type Slice<'data> = EndianSlice<'data, LittleEndian>;
type Dwarf<'data> = gimli::Dwarf<Slice<'data>>;
type Unit<'data> = gimli::Unit<Slice<'data>>;

/// The most entries, ranges and lines that are read of a module. Programs of a million lines have fewer; one entry takes
/// two hundred bytes of memory.
const MOST_ITEMS: usize = 5_000_000;

/// An amount of items that may still be read.
#[derive(Debug)]
struct Budget(usize);

impl Budget {
    /// Takes one item, unless none is left.
    fn take(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// The data that all passes need.
struct Context<'run, 'data> {
    dwarf: Dwarf<'data>,
    texts: &'run mut Texts,
    warnings: &'run mut Warnings,
    budget: Budget,
    /// The length of the code, which no offset exceeds.
    code_end: u32,
}

/// Adds to the information what the DWARF of the module says, if it has any.
pub(crate) fn read(module: &Module<'_>, info: &mut DebugInfo, texts: &mut Texts, warnings: &mut Warnings) {
    if module.section(".debug_info").is_empty() {
        if module.custom.contains_key("external_debug_info") {
            warnings
                .push("the section 'external_debug_info'", "debug information in another file is not read");
        }
        return;
    }
    let load = |section: gimli::SectionId| -> Result<_, gimli::Error> {
        Ok(EndianSlice::new(module.section(section.name()), LittleEndian))
    };
    let mut dwarf = match Dwarf::load(load) {
        Ok(dwarf) => dwarf,
        Err(error) => return warnings.push("DWARF", error),
    };
    dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
    let code_end = info.functions.last().map_or(0, |function| function.range.end);
    let mut context = Context { dwarf, texts, warnings, budget: Budget(MOST_ITEMS), code_end };

    let (entries, files, mut lines) = entries::read(&mut context);
    let (types, ids) = types::read(&entries, &mut context);
    functions::read(&entries, &ids, &mut context, &mut info.functions);
    objects::on_stack(&entries, &ids, &types, &mut context, &mut info.functions);
    info.data = objects::in_memory(&entries, &ids, &types, &mut context);
    info.types = types;
    lines::sort(&mut lines);
    info.files = files.with_lines(&lines);
    info.lines = lines;
    if context.budget.0 == 0 {
        context.warnings.push("DWARF", "there are too many entries, so some are missing");
    }
}

//! Line tables: which instructions come from which line.

use gimli::ColumnType;

use super::files::{Files, UnitFiles};
use super::{Context, Unit};
use crate::debug_info::{LineRange, SourceLine};

/// Adds the lines of a unit. Rows of functions that the linker has removed are left out: their addresses are zero, or
/// beyond all code.
pub(super) fn read(
    unit: &Unit<'_>,
    context: &mut Context<'_, '_>,
    unit_files: &mut UnitFiles,
    files: &mut Files,
    lines: &mut Vec<LineRange>,
) -> Result<(), gimli::Error> {
    let Some(program) = unit.line_program.clone() else { return Ok(()) };
    let mut rows = program.rows();
    // The row before, whose instructions end where the next row begins.
    let mut open: Option<(u32, Option<SourceLine>, u32)> = None;
    while let Some((_, row)) = rows.next_row()? {
        if !context.budget.take() {
            break;
        }
        let address = u32::try_from(row.address()).ok().filter(|&it| it > 0 && it <= context.code_end);
        if let (Some((start, source, column)), Some(end)) = (open.take(), address)
            && start < end
        {
            lines.push(LineRange { range: start..end, source, column });
        }
        if row.end_sequence() {
            continue;
        }
        let file = unit_files.get(row.file_index(), (&context.dwarf, unit), files, context.texts);
        let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
        let source = file.zip(line).map(|(file, line)| SourceLine { file, line });
        let column = match row.column() {
            ColumnType::LeftEdge => 0,
            ColumnType::Column(column) => u32::try_from(column.get()).unwrap_or_default(),
        };
        open = address.map(|start| (start, source, column));
    }
    Ok(())
}

/// Sorts lines by offset and cuts off what overlaps the next one.
pub(super) fn sort(lines: &mut Vec<LineRange>) {
    lines.sort_by_key(|line| (line.range.start, line.range.end));
    for index in 1..lines.len() {
        let start = lines[index].range.start;
        let before = &mut lines[index - 1].range;
        before.end = before.end.min(start);
    }
    lines.retain(|line| !line.range.is_empty());
}

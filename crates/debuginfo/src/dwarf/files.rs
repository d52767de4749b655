//! Source files: one identity for each path, however many units name it.

use std::collections::BTreeMap;
use std::sync::Arc;

use gimli::LineProgramHeader;
use rustc_hash::FxHashMap;

use super::{Dwarf, Slice, Unit};
use crate::debug_info::{FileId, LineRange, SourceFile};
use crate::text::Texts;

/// The files of all units.
#[derive(Default)]
pub(super) struct Files {
    paths: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, FileId>,
}

impl Files {
    /// The files with the lines that have code.
    pub fn with_lines(self, lines: &[LineRange]) -> Vec<SourceFile> {
        let file = |path| SourceFile { path, lines: BTreeMap::new() };
        let mut files: Vec<SourceFile> = self.paths.into_iter().map(file).collect();
        for line in lines {
            let Some(source) = line.source else { continue };
            let ranges = files[source.file.index()].lines.entry(source.line).or_default();
            match ranges.last_mut() {
                Some(last) if last.end == line.range.start => last.end = line.range.end,
                _ => ranges.push(line.range.clone()),
            }
        }
        files
    }
}

/// The files that one unit names by number.
#[derive(Default)]
pub(super) struct UnitFiles {
    known: FxHashMap<u64, Option<FileId>>,
}

impl UnitFiles {
    /// The file with this number in the header of a unit's lines.
    pub fn get(
        &mut self,
        number: u64,
        (dwarf, unit): (&Dwarf<'_>, &Unit<'_>),
        files: &mut Files,
        texts: &mut Texts,
    ) -> Option<FileId> {
        let program = unit.line_program.as_ref()?;
        *self.known.entry(number).or_insert_with(|| {
            let path = path(number, dwarf, unit, program.header())?;
            let path = texts.name(path.as_bytes())?;
            Some(*files.ids.entry(path.clone()).or_insert_with(|| {
                files.paths.push(path);
                FileId::new(files.paths.len() - 1)
            }))
        })
    }
}

/// The path of a file, joined to its folder and to that of the compilation.
fn path(
    number: u64,
    dwarf: &Dwarf<'_>,
    unit: &Unit<'_>,
    header: &LineProgramHeader<Slice<'_>>,
) -> Option<String> {
    let file = header.file(number)?;
    let text = |value| Some(dwarf.attr_string(unit, value).ok()?.to_string_lossy());
    let mut path = String::new();
    if let Some(folder) = unit.comp_dir {
        join(&mut path, &folder.to_string_lossy());
    }
    // Folder 0 is that of the compilation, which old versions do not list.
    if let Some(folder) = file.directory(header).and_then(text) {
        join(&mut path, &folder);
    }
    join(&mut path, &text(file.path_name())?);
    Some(path)
}

/// Adds a part to a path; an absolute one takes its place, and the folder in which one is adds nothing.
fn join(path: &mut String, part: &str) {
    if part == "." {
        return;
    }
    if part.starts_with('/') || path.is_empty() {
        path.clear();
    } else if !path.ends_with('/') {
        path.push('/');
    }
    let mut rest = part;
    while let Some(next) = rest.strip_prefix("./") {
        rest = next;
    }
    path.push_str(&rest.replace("/./", "/"));
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn paths_are_joined_to_folders() {
        for (folder, part, whole) in [
            ("/work", "a.c", "/work/a.c"),
            ("/work/", "./src/./a.c", "/work/src/a.c"),
            ("/work", "/usr/include/stdio.h", "/usr/include/stdio.h"),
            ("", "a.c", "a.c"),
            ("/work", "../a.c", "/work/../a.c"),
            ("/work", ".", "/work"),
            ("", "./a.c", "a.c"),
        ] {
            let mut path = folder.to_string();
            join(&mut path, part);
            assert_eq!(path, whole);
        }
    }
}

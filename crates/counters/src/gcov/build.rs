//! An instrumented build: all `.gcno` files below a folder, compiled into programs.

use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use rustc_hash::FxHashMap;

use super::notes::{self, Notes};
use super::program::{Function, Programs};
use super::records::Fault;
use crate::files::{read_whole, walk};
use crate::open::OpenError;

/// An object file.
#[derive(Debug)]
pub struct Object {
    /// The path of its notes, without the extension.
    path: PathBuf,
    pub stamp: u32,
    pub functions: Vec<Function>,
    /// The places of functions by their identity.
    pub by_ident: FxHashMap<u32, u32>,
}

/// All objects of a build.
#[derive(Default, Debug)]
pub struct Build {
    pub objects: Vec<Object>,
    pub programs: Programs,
    /// The names of source files, in ascending order: the number of a file is its place.
    pub files: Vec<String>,
    /// The file and the number of each line.
    pub lines: Vec<(u32, u32)>,
    /// The lines in the order of their files and numbers.
    pub order: Vec<u32>,
    /// The objects by the last part of their paths.
    by_name: FxHashMap<OsString, Vec<u32>>,
}

impl Build {
    /// Reads the build below a folder. One thread per processor parses, and this one compiles.
    pub fn read(folder: &Path) -> Result<Build, OpenError> {
        let folder =
            &fs::canonicalize(folder).map_err(|error| OpenError::File(folder.to_path_buf(), error))?;
        let mut paths = Vec::new();
        walk(folder, "gcno", &mut |path| {
            paths.push(path);
            Ok(())
        })
        .map_err(|(path, error)| OpenError::File(path, error))?;
        if paths.is_empty() {
            return Err(OpenError::NoNotes(folder.clone()));
        }
        paths.sort_unstable();
        let mut reading = Reading::default();
        let next = AtomicUsize::new(0);
        let (sender, parsed) = mpsc::sync_channel(4);
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                let (sender, paths, next) = (sender.clone(), &paths, &next);
                scope.spawn(move || {
                    while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if sender.send((path, parse(path))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // The receiver goes with an error, which ends the threads.
            parsed.into_iter().try_for_each(|(path, notes)| {
                reading
                    .add(path, notes?)
                    .ok_or_else(|| OpenError::Malformed(path.clone(), Fault::Corrupt.to_string()))
            })
        })?;
        Ok(reading.finish())
    }

    /// The object whose notes a file of counters belongs to: among those of its name, the one whose path has the longest
    /// end in common with the path of the counters, since builds may be moved.
    pub fn object_of(&self, counters: &Path) -> Option<u32> {
        let path = counters.with_extension("");
        let candidates = self.by_name.get(path.file_name()?)?;
        let common = |object: u32| {
            let backwards = |path: &Path| -> Vec<OsString> {
                path.components().rev().map(|part: Component<'_>| part.as_os_str().to_owned()).collect()
            };
            let (ours, theirs) = (backwards(&self.objects[object as usize].path), backwards(&path));
            ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count()
        };
        candidates.iter().copied().max_by_key(|&object| (common(object), std::cmp::Reverse(object)))
    }
}

fn parse(path: &Path) -> Result<Notes, OpenError> {
    let mut bytes = Vec::new();
    let bytes = read_whole(path, &mut bytes).map_err(|error| OpenError::File(path.to_path_buf(), error))?;
    notes::read(bytes).map_err(|fault| OpenError::Malformed(path.to_path_buf(), fault.to_string()))
}

/// A build while it is read. Files and lines have numbers in the order in which they are met.
#[derive(Default)]
struct Reading {
    build: Build,
    files: FxHashMap<String, u32>,
    lines: FxHashMap<(u32, u32), u32>,
}

impl Reading {
    /// Adds an object, unless there are too many lines or functions for their numbers.
    fn add(&mut self, path: &Path, notes: Notes) -> Option<()> {
        let Reading { build, files, lines } = self;
        let mut numbers = Vec::with_capacity(notes.files.len());
        for name in &notes.files {
            let next = u32::try_from(files.len()).ok()?;
            numbers.push(*files.entry(full_name(&notes.directory, name)).or_insert(next));
        }
        let mut number = |file: u32, line: u32| {
            let next = build.lines.len() as u32;
            *lines.entry((numbers[file as usize], line)).or_insert_with_key(|&key| {
                build.lines.push(key);
                next
            })
        };
        let functions = notes
            .functions
            .iter()
            .map(|graph| build.programs.compile(graph, &mut number))
            .collect::<Option<Vec<_>>>()?;
        u32::try_from(build.lines.len()).ok()?;
        let by_ident = (0..).zip(&functions).map(|(place, function)| (function.ident, place)).collect();
        let path = path.with_extension("");
        let object = u32::try_from(build.objects.len()).ok()?;
        build.by_name.entry(path.file_name()?.to_owned()).or_default().push(object);
        build.objects.push(Object { path, stamp: notes.stamp, functions, by_ident });
        Some(())
    }

    /// Numbers files by their names, which do not depend on the threads.
    fn finish(self) -> Build {
        let Reading { mut build, files, lines: _ } = self;
        let mut names: Vec<(String, u32)> = files.into_iter().collect();
        names.sort_unstable();
        let mut numbers = vec![0; names.len()];
        for (number, (_, old)) in (0..).zip(&names) {
            numbers[*old as usize] = number;
        }
        build.files = names.into_iter().map(|(name, _)| name).collect();
        build.lines.iter_mut().for_each(|(file, _)| *file = numbers[*file as usize]);
        build.order = (0..build.lines.len() as u32).collect();
        build.order.sort_unstable_by_key(|&line| build.lines[line as usize]);
        build
    }
}

/// The name of a source file without detours, so that a header is one file for all objects.
fn full_name(directory: &str, name: &str) -> String {
    let mut full = PathBuf::new();
    for part in Path::new(directory).join(name).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(full.components().next_back(), Some(Component::Normal(_))) => {
                full.pop();
            }
            part => full.push(part),
        }
    }
    full.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::full_name;

    #[test]
    fn names_have_no_detours() {
        assert_eq!(full_name("/build/src", "../../lib/./a.h"), "/lib/a.h");
        assert_eq!(full_name("/build", "/usr/include/../lib/x.h"), "/usr/lib/x.h");
        assert_eq!(full_name("", "../a.c"), "../a.c");
        assert_eq!(full_name("/", "../a.c"), "/../a.c");
    }
}

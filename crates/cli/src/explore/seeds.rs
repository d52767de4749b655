//! Inputs to start from: files, the queues of AFL++, and tests of earlier explorations.

use std::fs;
use std::path::{Path, PathBuf};

use sundry_explore::SourceKind;
use sundry_report::untrusted::visible;

use super::files::{self, SourceBytes};
use super::sources::{MOST_BYTES, NamedSource, too_large};
use crate::failure::{Failure, FailureKind};

/// An input to start from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Seed {
    /// The bytes of standard input, or of the only file.
    Bytes(Vec<u8>),
    /// The bytes of several sources, as the description of a test has them.
    Test(Vec<SourceBytes>),
}

/// Reads the inputs in a folder: files, an output folder of AFL++ or of one of its instances, an output folder of an exploration, or its tests.
///
/// # Errors
/// The folder or a file cannot be read, or there is no input.
pub fn read_seeds(folder: &Path) -> Result<Vec<Seed>, Failure> {
    let mut seeds = Vec::new();
    let entries = entries(folder)?;
    let queues: Vec<PathBuf> = [folder.to_path_buf()]
        .into_iter()
        .chain(entries.iter().cloned())
        .map(|path| path.join(super::queue::QUEUE))
        .filter(|path| path.is_dir())
        .collect();
    if !queues.is_empty() {
        for queue in &queues {
            read_files(&self::entries(queue)?, &mut seeds)?;
        }
    } else {
        read_tests(&entries, &mut seeds)?;
        let tests = folder.join("tests");
        if tests.is_dir() {
            read_tests(&self::entries(&tests)?, &mut seeds)?;
        }
        // Where there are tests, files are about them.
        if seeds.is_empty() {
            read_files(&entries, &mut seeds)?;
        }
    }
    if seeds.is_empty() {
        let message = "there are no inputs in the folder";
        return Err(Failure::of(FailureKind::Input, folder.display(), message).with_help(
            "--seeds takes a folder with files, an output folder of AFL++, or an output folder of an exploration",
        ));
    }
    Ok(seeds)
}

/// The entries of a folder by name, but for hidden ones.
///
/// # Errors
/// The folder cannot be read.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::reading(folder, &error))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    // Hidden entries are no inputs: AFL++ keeps its state in them, and unfinished files are called so.
    paths.retain(|path| path.file_name().is_some_and(|name| !name.as_encoded_bytes().starts_with(b".")));
    paths.sort();
    Ok(paths)
}

/// Whether AFL++ has made a file: names of inputs begin with their number. Beside crashes, there is a text about them.
pub fn is_of_fuzzer(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"id:"))
}

fn read_files(paths: &[PathBuf], seeds: &mut Vec<Seed>) -> Result<(), Failure> {
    let has_numbers = paths.iter().any(|path| is_of_fuzzer(path));
    let is_text = |path: &Path| has_numbers && path.file_name().is_some_and(|name| name == "README.txt");
    for path in paths.iter().filter(|path| path.is_file() && !is_text(path)) {
        let bytes = fs::read(path).map_err(|error| Failure::reading(path, &error))?;
        seeds.push(Seed::Bytes(bytes));
    }
    Ok(())
}

fn read_tests(paths: &[PathBuf], seeds: &mut Vec<Seed>) -> Result<(), Failure> {
    for path in paths.iter().filter(|path| path.is_dir()) {
        if let Some(description) = files::read_description(path)? {
            seeds.push(Seed::Test(description.input));
        }
    }
    Ok(())
}

/// The source that a file in --seeds stands for: standard input, or else the only file.
pub fn source_of_files(sources: &[NamedSource]) -> Option<&SourceKind> {
    let mut files =
        sources.iter().map(|source| &source.kind).filter(|kind| matches!(kind, SourceKind::File(_)));
    let stdin = sources.iter().map(|source| &source.kind).find(|&kind| *kind == SourceKind::Stdin);
    stdin.or(files.next().filter(|_| files.next().is_none()))
}

/// The only source of a program whose inputs are files for fuzzers.
///
/// # Errors
/// There is no such source, or several.
pub fn only_source(sources: &[NamedSource]) -> Result<SourceKind, Failure> {
    match sources {
        [NamedSource { kind: kind @ (SourceKind::Stdin | SourceKind::File(_)), .. }] => Ok(kind.clone()),
        _ => {
            let message = "--afl needs exactly one source of input, standard input or a file";
            let help = "name it with --stdin or --file, and give arguments fixed values behind `--`";
            Err(Failure::usage(message).with_help(help))
        }
    }
}

/// Makes sources as large as an input needs them.
///
/// # Errors
/// The input has a source that there is not, or it is too large.
pub fn make_room(sources: &mut [NamedSource], seed: &Seed) -> Result<(), Failure> {
    match seed {
        Seed::Bytes(bytes) => {
            let kind = source_of_files(sources).cloned().ok_or_else(|| {
                let message = "files in --seeds are for standard input, or for the only file";
                Failure::usage(message).with_help("name it with --stdin or --file")
            })?;
            enlarge(sources, kind, bytes.len())
        }
        Seed::Test(test) => test.iter().try_for_each(|source| match source.source_kind() {
            None | Some(SourceKind::Memory(..)) => Ok(()),
            Some(kind) => enlarge(sources, kind, source.bytes.len() / 2),
        }),
    }
}

fn enlarge(sources: &mut [NamedSource], kind: SourceKind, length: usize) -> Result<(), Failure> {
    let Some(source) = sources.iter_mut().find(|source| source.kind == kind) else {
        let message = format!("an input of --seeds has {}, which is no source here", visible(&kind.name()));
        let help = "give the options for input with which these tests were made";
        return Err(Failure::usage(message).with_help(help));
    };
    match u32::try_from(length) {
        Ok(length) if length <= MOST_BYTES => source.capacity = source.capacity.max(length),
        _ => return Err(too_large("--seeds")),
    }
    Ok(())
}

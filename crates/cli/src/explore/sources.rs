//! Sources of input, as the command line names them.

use std::fs;
use std::path::PathBuf;

use sundry_explore::{BYTES_PER_LOOK, SourceKind, fixed_clock, fixed_random, name_of_path};

use crate::arguments::ExploreArguments;
use crate::failure::Failure;

/// The most symbolic bytes of a source.
pub const MOST_BYTES: u32 = 1 << 20;

/// A source of input, as the command line describes it.
#[derive(Hash)]
pub struct NamedSource {
    /// The place where the program gets the bytes.
    pub kind: SourceKind,
    /// The greatest number of bytes.
    pub capacity: u32,
    /// The bytes to start from.
    pub bytes: Option<Vec<u8>>,
}

/// All sources that the arguments name.
///
/// # Errors
/// An argument does not say what it should, or a file cannot be read.
pub fn named_sources(arguments: &ExploreArguments) -> Result<Vec<NamedSource>, Failure> {
    let mut sources = Vec::new();
    if let Some(stdin) = &arguments.stdin {
        sources.push(source(SourceKind::Stdin, stdin)?);
    }
    for (number, &capacity) in (1..).zip(&arguments.arg) {
        if capacity > MOST_BYTES {
            return Err(too_large("--arg"));
        }
        sources.push(NamedSource { kind: SourceKind::Argument(number), capacity, bytes: None });
    }
    for file in &arguments.file {
        let (name, contents) = file
            .split_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| Failure::usage(format_args!("--file {file}: expected NAME=N or NAME=FILE")))?;
        let name = name_of_path(name).ok_or_else(|| {
            let message = format!("--file {file}: {name} is no file below the folder of the program");
            Failure::usage(message)
                .with_help("the program has one folder, which is its root and where it runs")
        })?;
        sources.push(source(SourceKind::File(name), contents)?);
    }
    if let Some(looks) = arguments.symbolic_clock {
        let (capacity, bytes) = (looks * BYTES_PER_LOOK, Some(fixed_clock(looks)));
        sources.push(NamedSource { kind: SourceKind::Clock, capacity, bytes });
    }
    if let Some(capacity) = arguments.symbolic_random {
        let bytes = Some(fixed_random(arguments.seed, capacity));
        sources.push(NamedSource { kind: SourceKind::Random, capacity, bytes });
    }
    Ok(sources)
}

fn source(kind: SourceKind, text: &str) -> Result<NamedSource, Failure> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
        return match text.parse() {
            Ok(capacity) if capacity <= MOST_BYTES => Ok(NamedSource { kind, capacity, bytes: None }),
            _ => Err(too_large(&kind.name())),
        };
    }
    let (path, room) = file_with_room(text);
    let bytes = fs::read(&path).map_err(|error| {
        Failure::reading(&path, &error)
            .with_help("a number of bytes, the name of a file, or FILE+N with room for more is expected")
    })?;
    match u32::try_from(bytes.len()).ok().and_then(|length| length.checked_add(room)) {
        Some(capacity) if capacity <= MOST_BYTES => Ok(NamedSource { kind, capacity, bytes: Some(bytes) }),
        _ => Err(too_large(text)),
    }
}

/// The file that a text names, and for how many bytes more there is to be room. A file whose own name ends like that has no room.
fn file_with_room(text: &str) -> (PathBuf, u32) {
    let whole = PathBuf::from(text);
    match text.rsplit_once('+').and_then(|(name, room)| Some((name, room.parse().ok()?))) {
        Some((name, room)) if !whole.exists() => (PathBuf::from(name), room),
        _ => (whole, 0),
    }
}

/// The failure where a source has too many bytes.
pub fn too_large(what: &str) -> Failure {
    Failure::usage(format_args!("{what}: at most {MOST_BYTES} bytes can be symbolic"))
}

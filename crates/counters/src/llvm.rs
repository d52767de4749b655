//! Counters of programs that clang has built with `-fprofile-instr-generate`, from raw profiles (`.profraw`).
//!
//! Each function is a file and each of its counters a line: regions of the source, from which coverage of lines would
//! follow with `-fcoverage-mapping`, but counters distinguish executions just as well, and need nothing but the profile. A
//! function has the number that its name hashes to, so that the modules of a program and its processes add up.
//!
//! The crate `llvm_profparser` reads such files into records with names; a damaged file makes it panic or reserve as much
//! memory as the file says, and the names cost more than the counters. The layout is that of `InstrProfData.inc` in LLVM,
//! in the versions 8 (clang 14 and 15), 9 (16 to 18) and 10 (19 to 22).

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use crate::files::{read_whole, walk};
use crate::provider::{Counter, CounterError, CounterProvider, FileCounters, Preparation, locked};
use crate::runtime;

/// The provider of counters of a program that was built with `clang -fprofile-instr-generate`.
#[derive(Default, Debug)]
pub struct Llvm {
    /// Buffers that no thread uses now.
    buffers: std::sync::Mutex<Vec<Vec<u8>>>,
}

impl CounterProvider for Llvm {
    fn name(&self) -> &'static str {
        "llvm"
    }

    fn unit(&self) -> &'static str {
        "regions"
    }

    fn prepare(&self, folder: &Path) -> io::Result<Preparation> {
        fs::create_dir_all(folder)?;
        walk(folder, "profraw", &mut |path| fs::remove_file(&path).map_err(|error| (path, error)))
            .map_err(|(_, error)| error)?;
        // A file for each module of the program and each of its processes.
        let pattern = fs::canonicalize(folder)?.join("%m-%p.profraw");
        let environment = vec![
            ("LLVM_PROFILE_FILE".to_string(), pattern.into_os_string()),
            (runtime::FLUSH_VARIABLE.to_string(), "1".into()),
        ];
        Ok(Preparation { environment, farewell: Some(runtime::flush_signal()), ..Preparation::default() })
    }

    fn take(&self, folder: &Path, _output: &str) -> Result<Vec<FileCounters>, CounterError> {
        let mut buffer = locked(&self.buffers).pop().unwrap_or_default();
        let mut counters = Vec::new();
        let (mut found, mut fault) = (false, None);
        walk(folder, "profraw", &mut |path| {
            let profile = read_whole(&path, &mut buffer).map_err(|error| (path.clone(), error))?;
            fs::remove_file(&path).map_err(|error| (path.clone(), error))?;
            // A process that is killed before it writes leaves an empty file.
            if !profile.is_empty() {
                found = true;
                if let Err(reason) = read(profile, &mut counters) {
                    fault = Some(CounterError::Malformed(path, reason.to_string()));
                }
            }
            Ok(())
        })
        .map_err(|(path, error)| CounterError::File(path, error))?;
        locked(&self.buffers).push(buffer);
        match fault {
            Some(fault) => Err(fault),
            None if found => Ok(FileCounters::group(counters)),
            None => Err(CounterError::Missing),
        }
    }

    fn file_name(&self, _file: u32) -> Option<String> {
        // Profiles have the names of functions compressed.
        None
    }
}

/// The reason for which a profile cannot be read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Fault {
    Magic,
    Version(u64),
    /// The program was built with options that change the meaning of counters.
    Variant,
    Corrupt,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Magic => f.write_str("this is no raw profile of a 64-bit program"),
            Fault::Version(version) => {
                write!(f, "version {version} is not supported; please build with clang 14 to 22")
            }
            Fault::Variant => f.write_str(
                "its counters are single bytes or have no data; please build without these options",
            ),
            Fault::Corrupt => f.write_str("the profile is corrupt or was cut off"),
        }
    }
}

/// A profile, of which a part has been read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn word(&mut self) -> Result<u64, Fault> {
        let (word, rest) = self.0.split_first_chunk().ok_or(Fault::Corrupt)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*word))
    }

    fn bytes(&mut self, count: u64, size: u64) -> Result<&'a [u8], Fault> {
        let length =
            count.checked_mul(size).and_then(|length| usize::try_from(length).ok()).ok_or(Fault::Corrupt)?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Fault::Corrupt)?;
        self.0 = rest;
        Ok(bytes)
    }
}

/// Adds the executed counters of a profile: function, number of the counter, count.
fn read(profile: &[u8], counters: &mut Vec<(u32, Counter)>) -> Result<(), Fault> {
    const MAGIC: u64 = u64::from_be_bytes(*b"\xfflprofr\x81");
    /// Counters of single bytes, and profiles without data.
    const UNREADABLE: u64 = 1 << 60 | 1 << 59;
    let mut reader = Reader(profile);
    if reader.word().map_err(|_| Fault::Magic)? != MAGIC {
        return Err(Fault::Magic);
    }
    let version = reader.word()?;
    if version & UNREADABLE != 0 {
        return Err(Fault::Variant);
    }
    let version = version & !(0xff << 56);
    // The first words of an entry are the hashes of name and graph and the place of the counters.
    let (entry_size, number_of_counters) = match version {
        8 => (48, 40),
        9 | 10 => (64, 48),
        other => return Err(Fault::Version(other)),
    };
    let identities = reader.word()?;
    let (entries, padding) = (reader.word()?, reader.word()?);
    let counted = reader.word()?;
    let _padding_after = reader.word()?;
    if version > 8 {
        let _bitmaps = (reader.word()?, reader.word()?);
    }
    let _names = reader.word()?;
    let distance = reader.word()?;
    if version > 8 {
        let _distance_of_bitmaps = reader.word()?;
    }
    let _names_at = reader.word()?;
    if version > 9 {
        let _tables = (reader.word()?, reader.word()?);
    }
    let _kinds = reader.word()?;
    reader.bytes(identities, 1)?;
    let entries = reader.bytes(entries, entry_size)?;
    reader.bytes(padding, 1)?;
    let counts = reader.bytes(counted, 8)?;
    let mut offset = distance.wrapping_neg();
    for entry in entries.chunks_exact(entry_size as usize) {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| entry[at + byte]));
        // Counters have their place relative to their entry.
        let begin = usize::try_from(word(16).wrapping_add(offset)).map_err(|_| Fault::Corrupt)?;
        offset = offset.wrapping_add(entry_size);
        let length = word(number_of_counters) as u32 as usize * 8;
        let counts = counts.get(begin..).and_then(|counts| counts.get(..length)).ok_or(Fault::Corrupt)?;
        let name = word(0);
        let function = (name ^ name >> 32) as u32;
        for (line, count) in (0..).zip(counts.as_chunks().0) {
            let count = u64::from_le_bytes(*count);
            if count != 0 {
                counters.push((function, Counter { line, count }));
            }
        }
    }
    Ok(())
}

//! Edges of the control flow, counted by `runtime/edges.c` in a file that the program maps.
//!
//! The counters are in the file whatever ends the program. Its cost follows the edges that a run has executed, since the
//! runtime gives an edge its place in the file at its first execution; numbers of edges come from the build, not from that
//! order.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use crate::provider::{Counter, CounterError, CounterProvider, FileCounters, Preparation};

const MAGIC: &[u8; 8] = b"sndryedg";
/// The size of the head of the file.
const HEAD: u64 = 32;
/// The size of an edge: its key and its count.
const EDGE: u64 = 16;
/// The number of edges that have a place. The file is sparse: places without edges take no space.
const CAPACITY: u64 = 1 << 22;
/// The environment variable with the path of the file.
const VARIABLE: &str = "SUNDRY_EDGES";
/// The name of the file in the folder of a run.
const NAME: &str = "edges";

/// The provider of edges of a program that is linked with `runtime/edges.c`.
#[derive(Copy, Clone, Default, Debug)]
pub struct Edges;

impl CounterProvider for Edges {
    fn name(&self) -> &'static str {
        "edges"
    }

    fn unit(&self) -> &'static str {
        "edges"
    }

    fn prepare(&self, folder: &Path) -> io::Result<Preparation> {
        fs::create_dir_all(folder)?;
        let path = fs::canonicalize(folder)?.join(NAME);
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&path)?;
        file.write_all(MAGIC)?;
        file.set_len(HEAD + EDGE * CAPACITY)?;
        Ok(Preparation {
            environment: vec![(VARIABLE.to_string(), path.into_os_string())],
            ..Preparation::default()
        })
    }

    fn take(&self, folder: &Path, _output: &str) -> Result<Vec<FileCounters>, CounterError> {
        let path = folder.join(NAME);
        let edges = match read(&path) {
            Ok(edges) => edges,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CounterError::Missing),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(CounterError::Malformed(path, error.to_string()));
            }
            Err(error) => return Err(CounterError::File(path, error)),
        };
        fs::remove_file(&path).map_err(|error| CounterError::File(path, error))?;
        if edges.is_empty() { Err(CounterError::Missing) } else { Ok(FileCounters::group(edges)) }
    }

    fn file_name(&self, file: u32) -> Option<String> {
        Some(if file == 0 { "program".to_string() } else { format!("module {file}") })
    }
}

/// The edges of a file with their modules.
fn read(path: &Path) -> io::Result<Vec<(u32, Counter)>> {
    let mut file = File::open(path)?;
    let mut head = [0; HEAD as usize];
    file.read_exact(&mut head)?;
    let words: &[[u8; 8]] = head.as_chunks().0;
    let invalid = |reason: String| Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    if words[0] != *MAGIC {
        return invalid("this is no file of edges".to_string());
    }
    let used = u64::from_le_bytes(words[1]);
    if used > CAPACITY {
        return invalid(format!("the program has executed more than {CAPACITY} different edges"));
    }
    let mut bytes = Vec::new();
    file.take(EDGE * used).read_to_end(&mut bytes)?;
    let edges: &[[u8; EDGE as usize]] = bytes.as_chunks().0;
    Ok(edges
        .iter()
        .map(|edge| u128::from_le_bytes(*edge))
        .map(|edge| (edge as u64, (edge >> 64) as u64))
        // A program that was killed may have taken a place without counting.
        .filter(|&(key, count)| key != 0 && count != 0)
        .map(|(key, count)| ((key >> 32) as u32, Counter { line: key as u32, count }))
        .collect())
}

//! Files below a folder, and their contents.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The size from which a file is not believed to be one of coverage.
const LARGEST: usize = 1 << 28;
/// The size of a new buffer, into which most files fit.
const SMALLEST_BUFFER: usize = 1 << 17;

/// Visits the files with an extension below a folder. Links are not followed.
pub fn walk(
    folder: &Path,
    extension: &str,
    visit: &mut dyn FnMut(PathBuf) -> Result<(), (PathBuf, io::Error)>,
) -> Result<(), (PathBuf, io::Error)> {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let wrong = |error| (folder.clone(), error);
        for entry in fs::read_dir(&folder).map_err(wrong)? {
            let entry = entry.map_err(wrong)?;
            let kind = entry.file_type().map_err(wrong)?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file()
                && Path::new(&entry.file_name()).extension().is_some_and(|found| found == extension)
            {
                visit(entry.path())?;
            }
        }
    }
    Ok(())
}

/// Reads a whole file into a buffer, which keeps its length between files. Most files take two calls of the system, while
/// `read_to_end` begins with small pieces.
pub fn read_whole<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
    let mut file = File::open(path)?;
    if buffer.is_empty() {
        buffer.resize(SMALLEST_BUFFER, 0);
    }
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            if filled >= LARGEST {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            buffer.resize(2 * filled, 0);
        }
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(&buffer[..filled])
}

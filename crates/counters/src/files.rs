//! Files below a folder, and their contents.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The size from which a file is not believed to be one of coverage.
const LARGEST: u64 = 1 << 28;

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

/// Reads a whole file into a buffer.
pub fn read_whole(path: &Path, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    let read = File::open(path)?.take(LARGEST).read_to_end(buffer)?;
    if read as u64 == LARGEST { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(()) }
}

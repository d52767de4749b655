//! Files of the program itself, which may become larger than the files of its commands may.

use std::fs::File;
use std::io::{self, ErrorKind, Write};

use crate::supervision;

/// A file that the program writes: a journal or a transcript of a long campaign, say. The limit on files of commands, which the
/// program that [supervises](crate::supervise) them has itself, does not end its growth, unless the program dies of the signal
/// SIGXFSZ.
#[derive(Debug)]
pub struct OwnFile(File);

impl OwnFile {
    /// The file, to be written from its position on.
    pub fn new(file: File) -> OwnFile {
        OwnFile(file)
    }
}

impl Write for OwnFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                supervision::without_file_limit(|| self.0.write(bytes))
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

//! Texts of inputs: files and standard input, compressed or not.
//!
//! Every job reads its inputs here. A text is kept as a whole, because messages show places of it.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use sundry::Control;
use sundry::read::SourceText;

use crate::compression::{Compression, Expanded};
use crate::failure::{Failure, FailureKind};

/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

/// The origin of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input, written `-`.
    Standard,
}

impl Input {
    /// What an argument names.
    pub fn from_argument(path: &Path) -> Self {
        if path.as_os_str() == "-" { Input::Standard } else { Input::File(path.to_path_buf()) }
    }

    /// The file; none for standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Standard => None,
        }
    }

    /// Checks that there is such a file, so that a missing input is reported before an output that cannot be written.
    ///
    /// # Errors
    /// There is no such file.
    pub fn check(&self) -> Result<(), Failure> {
        let Some(path) = self.path() else { return Ok(()) };
        std::fs::metadata(path).map(drop).map_err(|error| Failure::reading(path, &error))
    }

    /// Reads the whole text, expanded where it is compressed.
    ///
    /// # Errors
    /// The input cannot be read, is corrupt or too large, or the control has stopped the reader.
    pub fn read(&self, control: &Control) -> Result<SourceText, Failure> {
        Ok(SourceText::from_bytes(self.to_string(), self.bytes(control)?))
    }

    /// The bytes of the text, to be read piece by piece.
    ///
    /// # Errors
    /// The input cannot be opened, or its first bytes not be read.
    pub fn open(&self) -> Result<Expanded<'static>, Failure> {
        let expanded = match self {
            Input::File(path) => File::open(path).and_then(Expanded::new),
            Input::Standard => Expanded::new(io::stdin()),
        };
        expanded.map_err(|error| self.failure(None, &error))
    }

    /// The bytes of the text. This is the one place at which a text grows, and a small file can expand to any length: the
    /// control knows how much memory there is.
    fn bytes(&self, control: &Control) -> Result<Vec<u8>, Failure> {
        let mut expanded = self.open()?;
        let mut bytes = Vec::new();
        let mut piece = vec![0; PIECE];
        loop {
            control.check().map_err(|reason| Failure::stopped(self, reason, "all of the text was read"))?;
            match expanded.read(&mut piece) {
                Ok(0) => return Ok(bytes),
                Ok(length) if bytes.try_reserve(length).is_ok() => {
                    bytes.extend_from_slice(&piece[..length]);
                }
                Ok(_) => return Err(self.too_large(bytes.len())),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.failure(expanded.compression(), &error)),
            }
        }
    }

    fn too_large(&self, length: usize) -> Failure {
        let message = format_args!("the text is too large: no more than its first {length} bytes fit");
        Failure::of(FailureKind::Limit, self, message)
    }

    /// Why the input cannot be read: the system says so, or a decoder.
    fn failure(&self, compression: Option<Compression>, error: &io::Error) -> Failure {
        match compression.filter(|_| error.raw_os_error().is_none()) {
            Some(compression) => damaged(compression, self, error),
            None => Failure::reading(self.path().unwrap_or(Path::new("standard input")), error),
        }
    }
}

fn damaged(compression: Compression, input: &Input, error: &io::Error) -> Failure {
    let (kind, what) = match error.kind() {
        ErrorKind::OutOfMemory => (FailureKind::Limit, "takes too much memory to expand"),
        ErrorKind::UnexpectedEof => (FailureKind::Input, "ends too early"),
        _ => (FailureKind::Input, "is corrupt"),
    };
    let failure = Failure::of(kind, input, format_args!("this {compression} data {what}: {error}"));
    match (kind, input.path()) {
        (FailureKind::Input, Some(path)) => failure.with_help(format_args!(
            "'{} {}' checks the file; make or fetch the file again",
            compression.check(),
            path.display()
        )),
        _ => failure,
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::File(path) => write!(f, "{}", path.display()),
            Input::Standard => f.write_str("<stdin>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use sundry::LookObserver;

    use super::*;
    use crate::compression::compress;
    use crate::failure::Status;

    #[test]
    fn every_compression_is_bounded_while_it_expands() {
        let folder = tempfile::tempdir().expect("temporary folder");
        for compression in Compression::ALL {
            let bomb = compress(compression, &[b' '; 10 << 20]);
            assert!(bomb.len() < 100 << 10, "{compression}: {}", bomb.len());
            let path = folder.path().join(compression.suffix());
            std::fs::write(&path, bomb).expect("written");
            let input = Input::File(path);
            assert_eq!(input.bytes(&Control::default()).map(|bytes| bytes.len()), Ok(10 << 20));
            let (memory, looks) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
            let flag = Arc::clone(&memory);
            let observer: LookObserver = Arc::new(move || {
                flag.store(looks.fetch_add(1, Ordering::Relaxed) == 50, Ordering::Relaxed);
            });
            let control = Control::default().with_memory(memory).with_observer(observer);
            let failure = input.bytes(&control).expect_err("one piece too many");
            assert_eq!(failure.status(), Status::Limit);
            let message = "memory was used up before all of the text was read";
            assert!(failure.headline().ends_with(message), "{failure}");
        }
    }
}

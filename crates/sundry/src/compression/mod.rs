//! Compressed inputs: recognised by their first bytes, and expanded while they are read.
//!
//! Collections of formulas are kept compressed. What a file has inside is read off its content, so that a wrong or
//! missing suffix and standard input make no difference; only where files are looked for and named does the suffix
//! count ([`without_suffix`]). The formats are those of RFC 1952 (gzip), of bzip2, of xz and of RFC 8878
//! (Zstandard); an input may consist of several compressed parts one behind the other. The decoders are crates in
//! Rust alone: libraries in C would have to be there wherever the program is built.
//!
//! ```
//! use sundry::Control;
//! use sundry::compression::{Compression, Expanded};
//!
//! let mut plain = Expanded::new(&b"(assert true)"[..])?;
//! assert_eq!(plain.compression(), None);
//! assert_eq!(plain.read_whole(&Control::default())?, b"(assert true)");
//!
//! let cut = Expanded::new(&[0x1f, 0x8b, 0x08][..])?.read_whole(&Control::default()).unwrap_err();
//! assert!(cut.to_string().starts_with("this gzip data ends too early"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod whole;
mod zstandard;

use std::fmt;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use zstandard::ZstandardReader;

pub use whole::Unread;

/// Kibibytes that the dictionary of an xz stream may take: four times what the strongest setting of `xz` asks for.
const XZ_MEMORY: u32 = 256 << 10;

/// A format of compressed data.
///
/// ```
/// use sundry::compression::Compression;
///
/// assert_eq!(Compression::ALL.map(Compression::suffix), ["gz", "bz2", "xz", "zst"]);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Compression {
    /// gzip, `.gz`.
    Gzip,
    /// bzip2, `.bz2`.
    Bzip2,
    /// xz, `.xz`.
    Xz,
    /// Zstandard, `.zst`.
    Zstandard,
}

/// The bytes that each format may begin with, as ranges. Those of bzip2 go as far as its first block, because its
/// first three bytes are letters.
const BEGINNINGS: [(Compression, &[(u8, u8)]); 6] = {
    use Compression::{Bzip2, Gzip, Xz, Zstandard};
    const fn exactly<const N: usize>(bytes: [u8; N]) -> [(u8, u8); N] {
        let mut ranges = [(0, 0); N];
        let mut position = 0;
        while position < N {
            ranges[position] = (bytes[position], bytes[position]);
            position += 1;
        }
        ranges
    }
    const fn bzip2(block: [u8; 6]) -> [(u8, u8); 10] {
        let [a, b, c, d, e, f] = exactly(block);
        [(b'B', b'B'), (b'Z', b'Z'), (b'h', b'h'), (b'1', b'9'), a, b, c, d, e, f]
    }
    [
        (Gzip, &exactly([0x1f, 0x8b])),
        (Bzip2, &bzip2([0x31, 0x41, 0x59, 0x26, 0x53, 0x59])),
        // An empty file has no block.
        (Bzip2, &bzip2([0x17, 0x72, 0x45, 0x38, 0x50, 0x90])),
        (Xz, &exactly([0xfd, b'7', b'z', b'X', b'Z', 0x00])),
        (Zstandard, &exactly([0x28, 0xb5, 0x2f, 0xfd])),
        // A frame to be skipped, with which parallel compressors begin.
        (Zstandard, &[(0x50, 0x5f), (0x2a, 0x2a), (0x4d, 0x4d), (0x18, 0x18)]),
    ]
};

impl Compression {
    /// All formats.
    ///
    /// ```
    /// assert_eq!(sundry::compression::Compression::ALL.len(), 4);
    /// ```
    pub const ALL: [Compression; 4] =
        [Compression::Gzip, Compression::Bzip2, Compression::Xz, Compression::Zstandard];

    /// The suffix of names of files, without the dot.
    ///
    /// ```
    /// assert_eq!(sundry::compression::Compression::Zstandard.suffix(), "zst");
    /// ```
    pub fn suffix(self) -> &'static str {
        match self {
            Compression::Gzip => "gz",
            Compression::Bzip2 => "bz2",
            Compression::Xz => "xz",
            Compression::Zstandard => "zst",
        }
    }

    /// The command that checks a file.
    ///
    /// ```
    /// assert_eq!(sundry::compression::Compression::Xz.check(), "xz -t");
    /// ```
    pub fn check(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip -t",
            Compression::Bzip2 => "bzip2 -t",
            Compression::Xz => "xz -t",
            Compression::Zstandard => "zstd -t",
        }
    }

    fn decoder<'a>(self, input: impl Read + 'a) -> Box<dyn Read + 'a> {
        match self {
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(input)),
            Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
            Compression::Xz => {
                Box::new(lzma_rust2::XzReader::new_mem_limit(BufReader::new(input), true, XZ_MEMORY))
            }
            Compression::Zstandard => Box::new(ZstandardReader::new(BufReader::new(input))),
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
            Compression::Zstandard => "Zstandard",
        })
    }
}

/// The bytes of an input, expanded where it is compressed.
///
/// ```
/// use sundry::compression::{Compression, Expanded};
///
/// let input = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00];
/// let expanded = Expanded::new(&input[..])?;
/// assert_eq!(expanded.compression(), Some(Compression::Zstandard));
/// assert_eq!(std::io::read_to_string(expanded)?, "");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Expanded<'a> {
    compression: Option<Compression>,
    reader: Box<dyn Read + 'a>,
}

impl<'a> Expanded<'a> {
    /// Reads as many bytes as it takes to tell what the input is: of a text usually one.
    ///
    /// # Errors
    /// The input cannot be read.
    ///
    /// ```
    /// let expanded = sundry::compression::Expanded::new(std::io::empty())?;
    /// assert_eq!(std::io::read_to_string(expanded)?, "");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(mut input: impl Read + 'a) -> io::Result<Self> {
        let mut begin = Vec::new();
        let compression = loop {
            match recognise(&begin) {
                Recognised::Compressed(compression) => break Some(compression),
                Recognised::Plain => break None,
                Recognised::Perhaps => {}
            }
            let mut byte = [0];
            match input.read(&mut byte) {
                Ok(0) => break None,
                Ok(_) => begin.push(byte[0]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        let whole = Cursor::new(begin).chain(input);
        let reader = match compression {
            None => Box::new(whole),
            Some(compression) => compression.decoder(whole),
        };
        Ok(Expanded { compression, reader })
    }

    /// The format of the input, if it is compressed.
    ///
    /// ```
    /// let expanded = sundry::compression::Expanded::new(&b"p cnf 1 1"[..])?;
    /// assert_eq!(expanded.compression(), None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }
}

impl Read for Expanded<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.reader.read(into)
    }
}

enum Recognised {
    Compressed(Compression),
    Perhaps,
    Plain,
}

fn recognise(begin: &[u8]) -> Recognised {
    let mut perhaps = false;
    for (compression, expected) in BEGINNINGS {
        let fits = expected.iter().zip(begin).all(|((least, most), byte)| (least..=most).contains(&byte));
        if fits && begin.len() >= expected.len() {
            return Recognised::Compressed(compression);
        }
        perhaps |= fits;
    }
    if perhaps { Recognised::Perhaps } else { Recognised::Plain }
}

/// The name of a file without the suffix of a compression: `f.smt2` for `f.smt2.gz`.
///
/// ```
/// use std::path::Path;
/// use sundry::compression::without_suffix;
///
/// assert_eq!(without_suffix(Path::new("f.smt2.gz")), Path::new("f.smt2"));
/// assert_eq!(without_suffix(Path::new("f.smt2")), Path::new("f.smt2"));
/// ```
pub fn without_suffix(path: &Path) -> PathBuf {
    let is_suffix = |extension: &std::ffi::OsStr| Compression::ALL.iter().any(|it| extension == it.suffix());
    match path.extension() {
        Some(extension) if is_suffix(extension) => path.with_extension(""),
        _ => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests;

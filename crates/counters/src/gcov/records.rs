//! Records of the files that GCC's coverage writes: `.gcno`, the graphs of the functions of an object, and `.gcda`, the
//! counters of its runs. Both are a magic word, a version, a stamp and records of a tag, a length and words.
//!
//! The version is the compiler's. From GCC 12, lengths are in bytes and a checksum follows the stamp; before, they are in
//! words of four bytes. GCC 9 to 14 are understood. Clang's `--coverage` pretends to be GCC 4.8, and is not.

use std::fmt;

/// The oldest and the newest major version of GCC whose files are read.
const SUPPORTED: std::ops::RangeInclusive<u32> = 9..=14;
/// The first version with lengths in bytes.
const LENGTHS_IN_BYTES: u32 = 12;

pub const FUNCTION: u32 = 0x0100_0000;
pub const BLOCKS: u32 = 0x0141_0000;
pub const ARCS: u32 = 0x0143_0000;
pub const LINES: u32 = 0x0145_0000;
pub const ARC_COUNTERS: u32 = 0x01a1_0000;

/// The reason for which a file cannot be read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The file does not begin like one of its kind.
    Magic,
    /// A compiler has written it that is not supported; the word is its version.
    Version(u32),
    /// The file ends in the middle of something, or a number in it is impossible.
    Corrupt,
    /// Its stamp or its checksums are those of another build.
    OtherBuild,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Magic => f.write_str("this is no file of GCC's coverage, or it has another byte order"),
            Fault::Version(version) => {
                let version = version
                    .to_be_bytes()
                    .map(|byte| if byte.is_ascii_graphic() { byte as char } else { '?' });
                let version: String = version.iter().collect();
                let (oldest, newest) = (SUPPORTED.start(), SUPPORTED.end());
                write!(f, "version '{version}' is not supported; please build with GCC {oldest} to {newest}")
            }
            Fault::Corrupt => f.write_str("the file is corrupt or was cut off"),
            Fault::OtherBuild => {
                f.write_str("the counters are of another build; please give the folder of this build")
            }
        }
    }
}

/// The major version of GCC in a version word such as 'B22*', which is 12.2.
fn major(version: u32) -> Option<u32> {
    let [tens, ones, ..] = version.to_be_bytes();
    let tens = u32::from(tens.checked_sub(b'A').filter(|tens| *tens < 26)?);
    let ones = u32::from(ones.checked_sub(b'0').filter(|ones| *ones < 10)?);
    Some(10 * tens + ones)
}

/// A place in a file that has been read whole.
pub struct Reader<'a> {
    rest: &'a [u8],
    /// Whether lengths are in bytes.
    in_bytes: bool,
    /// The stamp that ties counters to graphs.
    pub stamp: u32,
}

impl<'a> Reader<'a> {
    /// Reads the head of a file with this magic word.
    pub fn new(file: &'a [u8], magic: &[u8; 4]) -> Result<Reader<'a>, Fault> {
        let mut reader = Reader { rest: file, in_bytes: false, stamp: 0 };
        if reader.word().map_err(|_| Fault::Magic)? != u32::from_be_bytes(*magic) {
            return Err(Fault::Magic);
        }
        let version = reader.word()?;
        let major =
            major(version).filter(|major| SUPPORTED.contains(major)).ok_or(Fault::Version(version))?;
        reader.in_bytes = major >= LENGTHS_IN_BYTES;
        reader.stamp = reader.word()?;
        if reader.in_bytes {
            let _checksum = reader.word()?;
        }
        Ok(reader)
    }

    /// The next record: its tag, its length in bytes, which is negative for counters that are all zero, and its contents.
    /// Ends with the file or with a zero.
    #[inline]
    pub fn record(&mut self) -> Result<Option<(u32, i64, Reader<'a>)>, Fault> {
        if self.rest.len() < 4 {
            return Ok(None);
        }
        let tag = self.word()?;
        if tag == 0 {
            return Ok(None);
        }
        let length = i64::from(self.word()?.cast_signed()) * if self.in_bytes { 1 } else { 4 };
        let present = usize::try_from(length).unwrap_or(0);
        let (contents, rest) = self.rest.split_at_checked(present).ok_or(Fault::Corrupt)?;
        self.rest = rest;
        Ok(Some((tag, length, Reader { rest: contents, in_bytes: self.in_bytes, stamp: self.stamp })))
    }

    #[inline]
    pub fn word(&mut self) -> Result<u32, Fault> {
        let (word, rest) = self.rest.split_first_chunk().ok_or(Fault::Corrupt)?;
        self.rest = rest;
        Ok(u32::from_le_bytes(*word))
    }

    /// A text, or `None` for no text.
    pub fn text(&mut self) -> Result<Option<&'a [u8]>, Fault> {
        let length = self.word()? as usize;
        if length == 0 {
            return Ok(None);
        }
        let length = if self.in_bytes { length } else { length.checked_mul(4).ok_or(Fault::Corrupt)? };
        let (text, rest) = self.rest.split_at_checked(length).ok_or(Fault::Corrupt)?;
        self.rest = rest;
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        Ok(Some(&text[..end]))
    }

    /// All that has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

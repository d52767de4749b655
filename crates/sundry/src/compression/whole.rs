//! Whole texts: a small input can expand to any length, so the control knows how much time and memory there is.

use std::fmt;
use std::io::{self, ErrorKind, Read};

use sundry_term::{Control, Stopped};

use super::{Compression, Expanded};
use crate::error::{Error, ErrorKind as Fault};

/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

/// The reason why an input was not read to its end.
///
/// ```
/// use sundry::Control;
/// use sundry::compression::{Compression, Expanded, Unread};
///
/// let cut = Expanded::new(&[0x1f, 0x8b, 0x08][..])?.read_whole(&Control::default());
/// assert!(matches!(cut, Err(Unread::Damaged(Compression::Gzip, _))));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub enum Unread {
    /// The control has stopped the reader.
    Stopped(Stopped),
    /// The text does not fit into memory: the number of bytes that did.
    TooLarge(usize),
    /// The decoder of a format refuses the data.
    Damaged(Compression, io::Error),
    /// The system cannot read the input.
    Failed(io::Error),
}

impl Unread {
    /// Whether a limit of time or memory is the reason, and not the input.
    ///
    /// ```
    /// use sundry::compression::Unread;
    ///
    /// assert!(Unread::TooLarge(1 << 40).is_limit());
    /// assert!(!Unread::Failed(std::io::ErrorKind::NotFound.into()).is_limit());
    /// ```
    pub fn is_limit(&self) -> bool {
        match self {
            Unread::Stopped(_) | Unread::TooLarge(_) => true,
            Unread::Damaged(_, error) | Unread::Failed(error) => error.kind() == ErrorKind::OutOfMemory,
        }
    }

    /// Advice on how to mend the input, which has this name.
    ///
    /// ```
    /// use std::io::ErrorKind;
    /// use sundry::compression::{Compression, Unread};
    ///
    /// let cut = Unread::Damaged(Compression::Xz, ErrorKind::UnexpectedEof.into());
    /// let advice = "'xz -t f.smt2.xz' checks the file; make or fetch the file again";
    /// assert_eq!(cut.help("f.smt2.xz").as_deref(), Some(advice));
    /// assert_eq!(Unread::TooLarge(1 << 40).help("f.smt2"), None);
    /// ```
    pub fn help(&self, name: impl fmt::Display) -> Option<String> {
        match self {
            Unread::Damaged(compression, _) if !self.is_limit() => {
                let check = compression.check();
                Some(format!("'{check} {name}' checks the file; make or fetch the file again"))
            }
            _ => None,
        }
    }

    /// The error about an input of this name.
    ///
    /// ```
    /// use sundry::ErrorKind;
    /// use sundry::compression::{Compression, Unread};
    ///
    /// let error = Unread::Damaged(Compression::Gzip, std::io::ErrorKind::UnexpectedEof.into()).about("f.gz");
    /// assert_eq!(error.kind(), ErrorKind::Input);
    /// assert_eq!(error.to_string(), "f.gz: this gzip data ends too early: unexpected end of file");
    /// ```
    pub fn about(&self, name: impl fmt::Display) -> Error {
        let kind = if self.is_limit() { Fault::Limit } else { Fault::Input };
        let error = Error::new(kind, format_args!("{name}: {self}"));
        match self.help(name) {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Stopped(reason) => write!(f, "{reason} before all of the text was read"),
            Unread::TooLarge(length) => {
                write!(f, "the text is too large: no more than its first {length} bytes fit")
            }
            Unread::Damaged(compression, error) => {
                let damage = match error.kind() {
                    ErrorKind::OutOfMemory => "takes too much memory to expand",
                    ErrorKind::UnexpectedEof => "ends too early",
                    _ => "is corrupt",
                };
                write!(f, "this {compression} data {damage}: {error}")
            }
            Unread::Failed(error) => write!(f, "the text cannot be read: {error}"),
        }
    }
}

impl std::error::Error for Unread {}

impl Expanded<'_> {
    /// Reads the whole text. This is the one place at which a text grows.
    ///
    /// # Errors
    /// The input cannot be read, is damaged or too large, or the control has stopped the reader.
    ///
    /// ```
    /// use sundry::Control;
    /// use sundry::compression::Expanded;
    ///
    /// let text = Expanded::new(&b"(check-sat)"[..])?.read_whole(&Control::default())?;
    /// assert_eq!(text, b"(check-sat)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_whole(&mut self, control: &Control) -> Result<Vec<u8>, Unread> {
        let mut bytes = Vec::new();
        let mut piece = vec![0; PIECE];
        loop {
            control.check().map_err(Unread::Stopped)?;
            match self.read(&mut piece) {
                Ok(0) => return Ok(bytes),
                Ok(length) if bytes.try_reserve(length).is_ok() => {
                    bytes.extend_from_slice(&piece[..length]);
                }
                Ok(_) => return Err(Unread::TooLarge(bytes.len())),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.unread(error)),
            }
        }
    }

    /// The reason why the input cannot be read: the system says so, or a decoder.
    fn unread(&self, error: io::Error) -> Unread {
        match self.compression().filter(|_| error.raw_os_error().is_none()) {
            Some(compression) => Unread::Damaged(compression, error),
            None => Unread::Failed(error),
        }
    }
}

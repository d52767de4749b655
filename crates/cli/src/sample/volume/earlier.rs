//! The solutions that a file has from earlier runs, for a run that goes on with it.
//!
//! A solution is known by a hash of its text: equal models are printed alike, so no parser is needed, and 16 bytes stand
//! for each. Two different texts have the same hash with a probability of less than 10^-20 among a thousand million.

use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};

use sundry_sample::Unique;

use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::output::{OutputFile, Shape, Start};
use crate::values::counted;

/// How much is read at a time.
const CHUNK: usize = 1 << 18;

/// A solution of which there is no end within so many bytes is none.
const LONGEST: usize = 1 << 28;

/// What a file has.
pub struct Earlier {
    /// How many solutions.
    pub count: u64,
    /// How many of them stand in it for the second time, or further ones.
    pub repeated: u64,
    /// How many bytes they take, with what stands before them.
    pub length: u64,
    /// Whether something follows that was cut off.
    pub is_torn: bool,
    known: Unique,
}

impl Earlier {
    /// Reads the file; one that is not there is empty. Keeps as much as so many bytes have room for.
    ///
    /// # Errors
    /// It cannot be read, is no file of such solutions, or `stop` was set meanwhile.
    pub fn read(file: &OutputFile, shape: &Shape, memory: usize, stop: &AtomicBool) -> Result<Self, Failure> {
        let opened = file.open().map_err(|error| Failure::reading(file.name(), &error))?;
        let mut earlier =
            Earlier { count: 0, repeated: 0, length: 0, is_torn: false, known: Unique::new(memory) };
        match opened {
            None => Ok(earlier),
            Some(input) => {
                earlier.scan(file, input, shape, stop)?;
                Ok(earlier)
            }
        }
    }

    fn scan(
        &mut self,
        file: &OutputFile,
        input: impl Read,
        shape: &Shape,
        stop: &AtomicBool,
    ) -> Result<(), Failure> {
        let mut text = Text { input, bytes: Vec::new(), begin: 0 };
        let mut has_heading = false;
        loop {
            let start = match has_heading {
                false => shape.heading(text.rest()),
                true => shape.solution(text.rest()),
            };
            match start {
                Start::Whole(length) => {
                    if has_heading {
                        self.add(&text.rest()[..length]);
                    }
                    has_heading = true;
                    self.length += length as u64;
                    text.begin += length;
                }
                Start::Foreign => return Err(self.foreign(file)),
                Start::Part if text.rest().len() > LONGEST => return Err(self.foreign(file)),
                Start::Part => {
                    if stop.load(Ordering::Relaxed) {
                        let message = format_args!("interrupted while {} was read", file.name().display());
                        return Err(Failure::new(Status::Limit, message));
                    }
                    let has_more = text.read().map_err(|error| Failure::reading(file.name(), &error))?;
                    if !has_more {
                        self.is_torn = !text.rest().is_empty();
                        return Ok(());
                    }
                }
            }
        }
    }

    fn add(&mut self, solution: &[u8]) {
        self.count += 1;
        self.repeated += u64::from(!self.known.insert(hash(solution)));
    }

    fn foreign(&self, file: &OutputFile) -> Failure {
        let behind = match self.count {
            0 => String::new(),
            count => format!("behind {count} solutions, at byte {}, ", self.length),
        };
        let message = format_args!(
            "cannot go on with {}: {behind}it has no solutions of these symbols in this format",
            file.name().display()
        );
        let help =
            "--resume continues a file with the same formula and --format; without it, the file is replaced";
        Failure::new(Status::Input, message).with_help(help)
    }

    /// Tells what is there.
    pub fn tell(&self, file: &OutputFile, console: &Console) {
        let name = file.name().display();
        let found = counted(self.count as usize, "solution");
        match self.is_torn {
            true => {
                console.note(name, format_args!("behind {found}, the last one is not whole and is cut off"))
            }
            false => console.detail(format_args!("{name}: goes on behind {found}")),
        }
    }

    /// Whether the file has a solution, by its text.
    pub fn has(&self, solution: &[u8]) -> bool {
        self.count > 0 && self.known.contains(hash(solution))
    }

    /// How many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        self.known.bytes()
    }

    /// How many of the latest solutions are known, if not all are.
    pub fn window(&self) -> Option<usize> {
        self.known.window()
    }
}

/// Text that is read bit by bit.
struct Text<R> {
    input: R,
    bytes: Vec<u8>,
    /// What is before was dealt with.
    begin: usize,
}

impl<R: Read> Text<R> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.begin..]
    }

    /// Reads some more; whether there was any. As much again as there is, so that a long solution is not looked at too
    /// often.
    fn read(&mut self) -> std::io::Result<bool> {
        self.bytes.drain(..self.begin);
        self.begin = 0;
        let wanted = CHUNK.max(self.bytes.len()) as u64;
        Ok(self.input.by_ref().take(wanted).read_to_end(&mut self.bytes)? > 0)
    }
}

/// Two hashes of 64 bits, with different beginnings.
pub(super) fn hash(text: &[u8]) -> u128 {
    let half = |number: u64| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(number);
        hasher.write(text);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

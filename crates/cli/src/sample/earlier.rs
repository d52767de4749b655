//! The solutions that a file has from earlier runs, for a run that continues it.
//!
//! A solution is known by a hash of its text, for which 16 bytes stand: equal models are printed alike. Two different
//! texts have the same hash with a probability of less than 10^-20 among a thousand million.

use std::hash::{DefaultHasher, Hasher};

use sundry::pipeline::Unique;

use super::written::read_solutions;
use crate::arguments::OutputFormat;
use crate::console::Console;
use crate::failure::Failure;
use crate::formula::LoadedFormula;
use crate::interrupt::Stop;
use crate::output::OutputFile;
use crate::values::counted;

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
    /// Reads the file, whose solutions are judged; one that is not there is empty. Keeps as much as so many bytes have
    /// room for.
    ///
    /// # Errors
    /// The file cannot be read, contains something other than solutions of the formula, or `stop` was set meanwhile.
    pub fn read(
        file: &OutputFile,
        formula: &LoadedFormula,
        format: OutputFormat,
        memory: usize,
        stop: &Stop,
    ) -> Result<Self, Failure> {
        let mut known = Unique::new(memory);
        let mut repeated = 0;
        let written = read_solutions(file, formula, format, stop, |solution| {
            repeated += u64::from(!known.insert(hash(solution)));
        })?;
        Ok(Earlier {
            count: written.count,
            repeated,
            length: written.length,
            is_torn: written.is_torn,
            known,
        })
    }

    /// Tells what is there.
    pub fn tell(&self, file: &OutputFile, console: &Console) {
        let name = file.name().display();
        let found = counted(self.count as usize, "solution");
        match self.is_torn {
            true => console.note(name, format_args!("after {found}, an incomplete solution is removed")),
            false => console.detail(format_args!("{name}: continues after {found}")),
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

//! Files of solutions that earlier runs have written, read again: each solution is judged on the formula as written.
//!
//! A checksum would also show whether a file is ours; but files are edited, joined and copied, and judging
//! takes less time than finding them did.

mod judge;

use std::io::Read;
use std::mem;
use std::ops::Range;

use sundry::coverage::{Control, Model, Verifier};

use crate::arguments::OutputFormat;
use crate::failure::{Failure, FailureKind};
use crate::formula::LoadedFormula;
use crate::interrupt::Stop;
use crate::output::{OutputFile, Shape, Start};
use crate::values::{counted, grouped};
use judge::{Fault, Judge};

/// How much is read at a time.
const CHUNK: usize = 1 << 18;

/// The maximum length of a solution in bytes.
const LONGEST: usize = 1 << 28;

/// What a file has.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Written {
    /// How many solutions.
    pub count: u64,
    /// How many bytes they take, with what stands before them.
    pub length: u64,
    /// Whether something follows that was cut off.
    pub is_torn: bool,
}

/// Reads the solutions of a file, and hands each of them over as text; a file that is not there is empty.
///
/// # Errors
/// The file cannot be read, contains something other than solutions of the formula in this format, or `stop` was set meanwhile.
pub fn read_solutions(
    file: &OutputFile,
    formula: &LoadedFormula,
    format: OutputFormat,
    stop: &Stop,
    take: impl FnMut(&[u8]),
) -> Result<Written, Failure> {
    let opened = file.open().map_err(|error| Failure::reading(file.name(), &error))?;
    match opened {
        None => Ok(Written::default()),
        Some(input) => Scan::new(file, formula, format, stop).read(input, take),
    }
}

/// Reading one file.
struct Scan<'a> {
    file: &'a OutputFile,
    formula: &'a LoadedFormula,
    shape: Shape,
    judge: Judge,
    control: Control,
    written: Written,
    /// The line that comes next, from 1.
    line: u64,
    /// The lines of the models that are not judged yet.
    pending: Vec<(Model, u64)>,
}

impl<'a> Scan<'a> {
    fn new(file: &'a OutputFile, formula: &'a LoadedFormula, format: OutputFormat, stop: &Stop) -> Self {
        Scan {
            file,
            formula,
            shape: formula.writer(format).shape(),
            judge: Judge::new(formula, format),
            control: stop.control(),
            written: Written::default(),
            line: 1,
            pending: Vec::with_capacity(Verifier::TOGETHER),
        }
    }

    fn read(mut self, input: impl Read, mut take: impl FnMut(&[u8])) -> Result<Written, Failure> {
        let mut text = Text { input, bytes: Vec::new(), begin: 0 };
        let mut values = Vec::new();
        let mut has_heading = false;
        loop {
            let start = match has_heading {
                false => self.shape.heading(text.rest()),
                true => self.shape.solution(text.rest(), &mut values),
            };
            match start {
                Start::Whole(length) => {
                    let piece = &text.rest()[..length];
                    if has_heading {
                        self.add(piece, &values)?;
                        take(piece);
                    }
                    has_heading = true;
                    self.line += piece.iter().filter(|&&byte| byte == b'\n').count() as u64;
                    self.written.length += length as u64;
                    text.begin += length;
                }
                Start::Foreign => return Err(self.foreign()),
                Start::Part if text.rest().len() > LONGEST => return Err(self.foreign()),
                Start::Part => {
                    let has_more = text.read().map_err(|error| Failure::reading(self.file.name(), &error))?;
                    if !has_more {
                        self.written.is_torn = !text.rest().is_empty();
                        self.judge_pending()?;
                        return Ok(self.written);
                    }
                }
            }
        }
    }

    fn add(&mut self, solution: &[u8], values: &[Range<usize>]) -> Result<(), Failure> {
        self.written.count += 1;
        match self.judge.model(&self.shape, solution, values, &self.control) {
            Ok(model) => self.pending.push((model, self.line)),
            Err(fault) => return Err(self.refused(self.line, fault)),
        }
        if self.pending.len() == Verifier::TOGETHER { self.judge_pending() } else { Ok(()) }
    }

    fn judge_pending(&mut self) -> Result<(), Failure> {
        let (models, lines): (Vec<Model>, Vec<u64>) = mem::take(&mut self.pending).into_iter().unzip();
        match self.judge.first_wrong(self.formula, &models, &self.control) {
            Ok(()) => Ok(()),
            Err((position, fault)) => Err(self.refused(lines[position], fault)),
        }
    }

    /// The solution in a line cannot be taken over.
    fn refused(&self, line: u64, fault: Fault) -> Failure {
        let name = self.file.name().display();
        match fault {
            Fault::Wrong(fault) => {
                let message = format_args!(
                    "cannot continue {name}: the text in line {} is not a solution of {}: {fault}",
                    grouped(line),
                    self.formula.name()
                );
                let help = "the file is unchanged; remove what does not belong there, or choose another file";
                Failure::new(FailureKind::Input, message).mentioning(name).with_help(help)
            }
            Fault::Stopped(reason) => {
                Failure::new(FailureKind::Limit, format_args!("{name} was not read to its end: {reason}"))
                    .mentioning(name)
            }
        }
    }

    /// The failure of a file that continues with something other than solutions.
    fn foreign(&self) -> Failure {
        let behind = match self.written.count {
            0 => String::new(),
            count => {
                format!("after {}, in line {}, ", counted(count as usize, "solution"), grouped(self.line))
            }
        };
        let message = format_args!(
            "cannot continue {}: {behind}the file has no solutions of these symbols in this format",
            self.file.name().display()
        );
        let help =
            "--resume continues a file with the same formula and --format; without it, the file is replaced";
        Failure::new(FailureKind::Input, message).mentioning(self.file.name().display()).with_help(help)
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

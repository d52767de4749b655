//! A table of all AST-bits: where each is in the formula, and what is known of it.

use std::path::Path;

use sundry::coverage::{Decided, Measurement};
use sundry::{Control, Formula, Possibility};

use crate::failure::Failure;
use crate::output::OutputFile;

/// The first line of the table.
const HEADER: [&str; 6] = ["line", "column", "term", "bit", "value", "state"];

/// The file for a table of AST-bits.
pub(super) struct Listing(OutputFile);

impl Listing {
    /// Checks that the table can be written to a file, which is none of the inputs.
    ///
    /// # Errors
    /// The file cannot be written, or is an input.
    pub(super) fn new<'i>(
        file: &Path,
        inputs: impl IntoIterator<Item = &'i Path>,
    ) -> Result<Listing, Failure> {
        let file = OutputFile::new(file)?;
        inputs.into_iter().try_for_each(|input| file.require_other_than(input, "input"))?;
        Ok(Listing(file))
    }

    /// Writes the table, also where the time for measuring and deciding has passed: AST-bits that models cover, and of the others, what was decided.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(
        &self,
        formula: &Formula,
        measurement: &Measurement,
        decided: Option<&Decided>,
    ) -> Result<(), Failure> {
        let reader = formula.ast_bit_reader(&Control::default()).map_err(|error| Failure::from(&error))?;
        let mut table = csv::Writer::from_writer(Vec::new());
        let mut push = |row: [String; 6]| {
            let written = table.write_record(row);
            debug_assert!(written.is_ok(), "a row can be written to memory");
        };
        push(HEADER.map(String::from));
        for bit in (0..).map_while(|number| reader.ast_bit(number)) {
            let state = match decided.and_then(|decided| decided.ast_bit(bit.number)) {
                _ if measurement.covers(bit.number) => "covered",
                None => "uncovered",
                Some(Possibility::Possible) => "possible",
                Some(Possibility::Impossible) => "impossible",
                Some(Possibility::Unknown) => "unknown",
            };
            let [line, column] = match bit.place {
                Some(place) => [place.line, place.column].map(|number| number.to_string()),
                None => Default::default(),
            };
            push([
                line,
                column,
                bit.term,
                bit.bit.to_string(),
                u8::from(bit.value).to_string(),
                state.to_string(),
            ]);
        }
        self.0.replace(&table.into_inner().unwrap_or_default())
    }
}

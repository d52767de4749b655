//! Solutions of Boolean and bit-vector constants as text, without models in between: a million in a second.
//!
//! The text around values is made once; then values are copied behind one another, digit by digit.

use sundry::pipeline::PlainValue;

/// Writes solutions of Boolean and bit-vector constants: the text of [`SolutionWriter`](super::SolutionWriter), without models in between.
pub struct PlainWriter {
    /// A cell for each symbol; none for a symbol that is not shown.
    cells: Vec<Option<PlainCell>>,
    end: Vec<u8>,
}

/// The text around a value, which is known before the value is.
pub(super) struct PlainCell {
    /// The text before the value.
    pub(super) before: Vec<u8>,
    /// The text for each number, where that is not the number itself.
    pub(super) names: Option<Vec<Vec<u8>>>,
}

impl PlainWriter {
    pub(super) fn new(cells: Vec<Option<PlainCell>>, end: Vec<u8>) -> Self {
        PlainWriter { cells, end }
    }

    /// Appends a solution.
    pub fn write<'v>(&self, out: &mut Vec<u8>, values: impl Iterator<Item = PlainValue<'v>>) {
        for (cell, value) in self.cells.iter().zip(values) {
            let Some(PlainCell { before, names }) = cell else { continue };
            out.extend_from_slice(before);
            match value {
                PlainValue::Bits(bits) if names.is_some() => {
                    let name = names.as_ref().and_then(|names| names.get(bits.limb(0) as usize));
                    out.extend_from_slice(name.map_or(&[], Vec::as_slice));
                }
                PlainValue::Bool(true) => out.extend_from_slice(b"true"),
                PlainValue::Bool(false) => out.extend_from_slice(b"false"),
                PlainValue::Bits(bits) if bits.width().is_multiple_of(4) => {
                    out.extend_from_slice(b"#x");
                    write_digits::<4>(out, bits.width(), |limb| bits.limb(limb));
                }
                PlainValue::Bits(bits) => {
                    out.extend_from_slice(b"#b");
                    write_digits::<1>(out, bits.width(), |limb| bits.limb(limb));
                }
            }
        }
        out.extend_from_slice(&self.end);
    }
}

/// Appends digits that stand for `BITS` bits each, the most significant first.
fn write_digits<const BITS: u32>(out: &mut Vec<u8>, width: u32, limb: impl Fn(usize) -> u64) {
    let mut position = width;
    while position > 0 {
        // What is left of the limb in which the next digit is.
        let first = (position - 1) / 64 * 64;
        let word = limb(first as usize / 64);
        while position > first {
            position -= BITS;
            let digit = (word >> (position - first)) as usize & ((1 << BITS) - 1);
            out.push(b"0123456789abcdef"[digit]);
        }
    }
}

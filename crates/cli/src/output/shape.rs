//! What files of solutions look like, so that one can be continued without parsing values.
//!
//! Between the values of a solution stands the same text in all solutions of a formula: names, sorts, punctuation.
//! Where that text is as expected the file has solutions of these symbols in this format; where it breaks off, a run
//! was killed while it wrote. So values are found without reading them; most are literals, and read at once.

use std::borrow::Cow;
use std::ops::Range;

use crate::arguments::OutputFormat;

/// The text around the values of a solution.
pub struct Shape {
    format: OutputFormat,
    /// What stands before the first solution.
    heading: Vec<u8>,
    /// What stands before each value, and behind the last one. Of no use for rows, in which nothing but their number
    /// tells values.
    around: Vec<Vec<u8>>,
}

/// What some text begins with.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The first bytes, this many, are a whole one.
    Whole(usize),
    /// All of it is the beginning of one.
    Part,
    /// Something else.
    Foreign,
}

impl Shape {
    /// Solutions in a format that have these texts before each value and behind the last one.
    pub(super) fn new(format: OutputFormat, heading: Vec<u8>, around: Vec<Vec<u8>>) -> Self {
        Shape { format, heading, around }
    }

    /// How much of a text is the heading.
    pub fn heading(&self, text: &[u8]) -> Start {
        expect(text, &self.heading)
    }

    /// How much of a text is a solution, and where in it the values are.
    pub fn solution(&self, text: &[u8], values: &mut Vec<Range<usize>>) -> Start {
        values.clear();
        if self.format == OutputFormat::Csv {
            return row(text, self.around.len() - 1, values);
        }
        let mut position = 0;
        for (number, piece) in self.around.iter().enumerate() {
            if number > 0 {
                match value_length(self.format, &text[position..]) {
                    None => return Start::Part,
                    Some(0) => return Start::Foreign,
                    Some(length) => {
                        values.push(position..position + length);
                        position += length;
                    }
                }
            }
            let (first, rest) = match (number, self.format) {
                // What is said of declared sorts stands behind the first parenthesis.
                (0, OutputFormat::Smt2) => piece.split_at(OPENING.len()),
                _ => (&piece[..], &[][..]),
            };
            match expect(&text[position..], first) {
                Start::Whole(length) => position += length,
                other => return other,
            }
            if !rest.is_empty() {
                match universes(&text[position..]) {
                    Some(length) => position += length,
                    None => return Start::Part,
                }
            }
            match expect(&text[position..], rest) {
                Start::Whole(length) => position += length,
                other => return other,
            }
        }
        Start::Whole(position)
    }

    /// Whether a solution says how many elements declared sorts have.
    pub fn has_universes(&self, solution: &[u8]) -> bool {
        self.format == OutputFormat::Smt2
            && solution.strip_prefix(OPENING.as_bytes()).is_some_and(|rest| rest.starts_with(UNIVERSE))
    }

    /// The text of a value as it stands in a solution; none if it is no text.
    pub fn value<'t>(&self, written: &'t [u8]) -> Option<Cow<'t, str>> {
        let text = std::str::from_utf8(written).ok()?;
        match self.format {
            OutputFormat::Jsonl if text.contains('\\') => {
                serde_json::from_str(&format!("\"{text}\"")).ok().map(Cow::Owned)
            }
            OutputFormat::Csv if text.starts_with('"') => {
                let inside = text.strip_prefix('"')?.strip_suffix('"')?;
                Some(Cow::Owned(inside.replace("\"\"", "\"")))
            }
            _ => Some(Cow::Borrowed(text)),
        }
    }
}

/// What stands before the first definition of a model.
const OPENING: &str = "(\n";

/// How the lines begin that say how many elements declared sorts have.
const UNIVERSE: &[u8] = b"  (forall ";

/// How long the lines at the beginning are that say how many elements declared sorts have; `None` where the text breaks
/// off in one.
fn universes(text: &[u8]) -> Option<usize> {
    let mut position = 0;
    loop {
        let rest = &text[position..];
        if !rest.starts_with(UNIVERSE) {
            let breaks_off = rest.len() > b"  (".len() && UNIVERSE.starts_with(rest);
            return (!breaks_off).then_some(position);
        }
        position += rest.iter().position(|&byte| byte == b'\n')? + 1;
    }
}

fn expect(text: &[u8], piece: &[u8]) -> Start {
    if text.starts_with(piece) {
        Start::Whole(piece.len())
    } else if piece.starts_with(text) {
        Start::Part
    } else {
        Start::Foreign
    }
}

/// How long the value at the beginning is, where its end is there.
fn value_length(format: OutputFormat, text: &[u8]) -> Option<usize> {
    match format {
        // Up to the parenthesis that closes the definition. Names may have anything between bars.
        OutputFormat::Smt2 => {
            let (mut is_name, mut depth) = (false, 0usize);
            text.iter().position(|&byte| {
                is_name ^= byte == b'|';
                let ends = byte == b')' && !is_name && depth == 0;
                match byte {
                    b'(' if !is_name => depth += 1,
                    b')' if !is_name => depth = depth.saturating_sub(1),
                    _ => {}
                }
                ends
            })
        }
        // Up to a quotation mark that is not escaped.
        OutputFormat::Jsonl | OutputFormat::Csv => {
            let mut is_escaped = false;
            text.iter().position(|&byte| {
                let ends = byte == b'"' && !is_escaped;
                is_escaped = byte == b'\\' && !is_escaped;
                ends
            })
        }
    }
}

/// The length of the row of CSV with this number of cells at the start of a text, and the places of its cells. A row without cells has an empty one.
fn row(text: &[u8], cells: usize, values: &mut Vec<Range<usize>>) -> Start {
    let mut is_quoted = false;
    let mut begin = 0;
    for (position, &byte) in text.iter().enumerate() {
        match byte {
            // A doubled quotation mark ends the quotation and begins it again.
            b'"' => is_quoted = !is_quoted,
            b',' | b'\n' if !is_quoted => {
                values.push(begin..position);
                begin = position + 1;
                if byte == b'\n' {
                    let is_whole = values.len() == cells.max(1);
                    values.truncate(cells);
                    return if is_whole { Start::Whole(begin) } else { Start::Foreign };
                }
            }
            _ => {}
        }
    }
    Start::Part
}

//! Printing of sorts and names, as SMT-LIB spells them.

use std::borrow::Cow;
use std::fmt;

use crate::float::FloatFormat;
use crate::sort::{Sort, SortId};
use crate::store::TermStore;

/// A sort of a store, ready for printing in SMT-LIB syntax.
#[derive(Copy, Clone)]
pub struct SortDisplay<'a> {
    store: &'a TermStore,
    sort: SortId,
    has_format_names: bool,
}

impl<'a> SortDisplay<'a> {
    /// The sort `sort` of `store`.
    pub fn new(store: &'a TermStore, sort: SortId) -> Self {
        SortDisplay { store, sort, has_format_names: false }
    }

    /// The same sort with the short names of the floating-point formats that have some: `Float32` in the place of
    /// `(_ FloatingPoint 8 24)`.
    #[must_use]
    pub fn with_format_names(self) -> Self {
        SortDisplay { has_format_names: true, ..self }
    }
}

impl fmt::Display for SortDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An explicit stack, because inputs nest sorts arbitrarily deep.
        enum Step<'a> {
            Sort(SortId),
            Text(&'a str),
        }
        let mut stack = vec![Step::Sort(self.sort)];
        while let Some(step) = stack.pop() {
            let sort = match step {
                Step::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Step::Sort(sort) => self.store.sort(sort),
            };
            match sort {
                Sort::Bool => f.write_str("Bool")?,
                Sort::Int => f.write_str("Int")?,
                Sort::Real => f.write_str("Real")?,
                Sort::RoundingMode => f.write_str("RoundingMode")?,
                Sort::String => f.write_str("String")?,
                Sort::RegLan => f.write_str("RegLan")?,
                Sort::BitVec(width) => write!(f, "(_ BitVec {width})")?,
                Sort::Float(format) if self.has_format_names && FloatFormat::NAMED.contains(format) => {
                    write!(f, "Float{}", format.width())?;
                }
                Sort::Float(format) => {
                    write!(f, "(_ FloatingPoint {} {})", format.exponent_bits(), format.significand_bits())?;
                }
                Sort::Array { index, element } => {
                    f.write_str("(Array ")?;
                    stack.extend([
                        Step::Text(")"),
                        Step::Sort(*element),
                        Step::Text(" "),
                        Step::Sort(*index),
                    ]);
                }
                Sort::Sequence(element) => {
                    f.write_str("(Seq ")?;
                    stack.extend([Step::Text(")"), Step::Sort(*element)]);
                }
                Sort::Uninterpreted { arguments, .. } | Sort::Datatype { arguments, .. } => {
                    let name = match sort {
                        Sort::Datatype { declaration, .. } => &self.store.datatype(*declaration).name,
                        Sort::Uninterpreted { declaration, .. } => {
                            &self.store.sort_declaration(*declaration).name
                        }
                        _ => unreachable!("one of these two"),
                    };
                    let name = quote_symbol(name);
                    if arguments.is_empty() {
                        write!(f, "{name}")?;
                        continue;
                    }
                    write!(f, "({name}")?;
                    stack.push(Step::Text(")"));
                    for &argument in arguments.iter().rev() {
                        stack.extend([Step::Sort(argument), Step::Text(" ")]);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Words that SMT-LIB reserves, command names among them: as a name they need quotes.
const RESERVED: [&str; 47] = [
    "!",
    "_",
    "as",
    "BINARY",
    "choice",
    "DECIMAL",
    "exists",
    "HEXADECIMAL",
    "forall",
    "lambda",
    "let",
    "match",
    "NUMERAL",
    "par",
    "STRING",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "declare-sort-parameter",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

/// The spelling of a symbol's name in SMT-LIB: between bars unless it is a simple symbol.
pub fn quote_symbol(name: &str) -> Cow<'_, str> {
    let simple = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c))
        && !RESERVED.contains(&name);
    if simple { Cow::Borrowed(name) } else { Cow::Owned(format!("|{name}|")) }
}

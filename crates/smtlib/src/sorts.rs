//! Sorts: `Bool`, `(_ BitVec n)`, `(Array I E)`, declared sorts, and definitions of sorts.
//!
//! Nested sorts are read with an explicit stack. A definition with parameters is read once, with
//! placeholder sorts for the parameters, and a use replaces those.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{
    DatatypeId, FloatFormat, MAX_EXPONENT_BITS, Sort, SortDeclarationId, SortDisplay, SortError, SortId,
    TermStore, TheoryName,
};

use crate::cursor::{syntax, unclosed, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::{Token, shorten};
use crate::reader::{INTEGERS, Reader, sort_error, unsupported};
use crate::scope::{SortBinding, SortDefinition};
use crate::source::Span;
use crate::theories::{near_name, unsupported_sort};

/// An application of a sort constructor whose arguments are being read.
struct Open<'a> {
    name: &'a str,
    binding: SortBinding,
    span: Span,
    arguments: Vec<SortId>,
}

impl<'a> Reader<'a, '_> {
    /// Reads one sort.
    pub(crate) fn sort(&mut self) -> Result<SortId, Diagnostic> {
        let mut stack: Vec<Open<'a>> = Vec::new();
        loop {
            let (token, span) = self.cursor.next()?;
            let sort = match token {
                Token::Symbol("_" | "as" | "!") => {
                    return Err(unexpected(token, span, "a sort"));
                }
                Token::Symbol(name) | Token::QuotedSymbol(name) => {
                    let binding = self.sort_binding(name, span)?;
                    self.apply_sort(&Open { name, binding, span, arguments: Vec::new() })?
                }
                Token::Open => match self.sort_head(span)? {
                    Head::Sort(sort) => sort,
                    Head::Constructor(open) => {
                        stack.push(open);
                        continue;
                    }
                },
                Token::Close if !stack.is_empty() => {
                    let Some(open) = stack.pop() else { continue };
                    self.apply_sort(&Open { span: open.span.to(span), ..open })?
                }
                _ => return Err(unexpected(token, span, "a sort")),
            };
            match stack.last_mut() {
                Some(open) => open.arguments.push(sort),
                None => return Ok(sort),
            }
        }
    }

    /// Reads the text after the parenthesis that opens a sort.
    fn sort_head(&mut self, open: Span) -> Result<Head<'a>, Diagnostic> {
        let (token, span) = self.cursor.next()?;
        match token {
            Token::Symbol("_") => self.indexed_sort(open).map(Head::Sort),
            Token::Symbol(name) | Token::QuotedSymbol(name) => {
                let binding = self.sort_binding(name, span)?;
                Ok(Head::Constructor(Open { name, binding, span: open, arguments: Vec::new() }))
            }
            Token::End => Err(unclosed(open)),
            _ => Err(unexpected(token, span, "the name of a sort")),
        }
    }

    fn indexed_sort(&mut self, open: Span) -> Result<SortId, Diagnostic> {
        let (name, span) = self.cursor.expect_symbol("the name of an indexed sort")?;
        if name == "FloatingPoint" && self.reads(TheoryName::FloatingPoint) {
            return self.float_sort(open);
        }
        if name != "BitVec" || !self.reads(TheoryName::BitVectors) {
            return Err(match unsupported_sort(self.scope.theories, name) {
                Some(theory) => unsupported(span, &format!("the sort '{name}'"), theory),
                None => unknown_sort(span, name, ["BitVec"].into_iter()),
            });
        }
        let (width, _) = self.cursor.expect_numeral("a width in bits")?;
        let close = self.cursor.expect_close("the sort")?;
        self.store.bit_vec_sort(width).map_err(|error| sort_error(open.to(close), &error))
    }

    /// Reads the rest of `(_ FloatingPoint eb sb)`.
    fn float_sort(&mut self, open: Span) -> Result<SortId, Diagnostic> {
        let (exponent_bits, _) = self.cursor.expect_numeral("a number of exponent bits")?;
        let (significand_bits, _) = self.cursor.expect_numeral("a number of significand bits")?;
        let whole = open.to(self.cursor.expect_close("the sort")?);
        let format = float_format(exponent_bits, significand_bits, whole)?;
        self.store.intern_sort(Sort::Float(format)).map_err(|error| sort_error(whole, &error))
    }

    fn sort_binding(&mut self, name: &str, span: Span) -> Result<SortBinding, Diagnostic> {
        let id = self.scope.name(name);
        if let Some(binding) = self.scope.sort(id) {
            return Ok(binding);
        }
        if name == "BitVec" && self.reads(TheoryName::BitVectors) {
            return Err(syntax(span, "'BitVec' needs a width").with_expected("(_ BitVec n)"));
        }
        Err(match unsupported_sort(self.scope.theories, name) {
            Some(theory) => unsupported(span, &format!("the sort '{name}'"), theory),
            None => unknown_sort(span, name, self.scope.sort_names()),
        })
    }

    fn apply_sort(&mut self, open: &Open<'a>) -> Result<SortId, Diagnostic> {
        let arguments = &open.arguments;
        let arity = match open.binding {
            SortBinding::Theory(_) => 0,
            SortBinding::Datatype(datatype) => self.store.datatype(datatype).parameters.len(),
            SortBinding::Array => 2,
            SortBinding::Sequence => 1,
            SortBinding::Declared(declaration) => self.store.sort_declaration(declaration).arity,
            SortBinding::Defined(index) => self.scope.sort_definitions[index].parameters.len(),
        };
        check_sort_arity(open, arity)?;
        if arguments.contains(&SortId::INT) && !self.reads(TheoryName::Integers) {
            let what = format!("the sort '{}' of integers", shorten(open.name));
            return Err(unsupported(open.span, &what, TheoryName::Integers).with_help(INTEGERS));
        }
        let sort = match open.binding {
            SortBinding::Theory(sort) => Ok(sort),
            SortBinding::Array => {
                self.store.intern_sort(Sort::Array { index: arguments[0], element: arguments[1] })
            }
            SortBinding::Sequence => self.store.intern_sort(Sort::Sequence(arguments[0])),
            SortBinding::Declared(declaration) => {
                let arguments = arguments.as_slice().into();
                self.store.intern_sort(Sort::Uninterpreted { declaration, arguments })
            }
            SortBinding::Datatype(declaration) => {
                let arguments = arguments.as_slice().into();
                self.store.intern_sort(Sort::Datatype { declaration, arguments })
            }
            SortBinding::Defined(index) => {
                instantiate(self.store, &self.scope.sort_definitions[index], arguments)
            }
        };
        sort.map_err(|error| sort_error(open.span, &error))
    }

    /// The text of a sort, for messages.
    pub(crate) fn show_sort(&self, sort: SortId) -> String {
        show_sort(self.store, sort)
    }
}

/// The format with these numbers of bits.
pub(crate) fn float_format(
    exponent_bits: u32,
    significand_bits: u32,
    span: Span,
) -> Result<FloatFormat, Diagnostic> {
    FloatFormat::new(exponent_bits, significand_bits).ok_or_else(|| {
        let message =
            format!("there is no format of {exponent_bits} exponent and {significand_bits} significand bits");
        Diagnostic::new(DiagnosticKind::Limit, span, message)
            .with_expected(format!("2 to {MAX_EXPONENT_BITS} exponent bits and at least 2 significand bits"))
    })
}

/// The beginning of the text of a sort, for messages. A small number of definitions can make a sort whose whole text
/// fits no memory.
pub(crate) fn show_sort(store: &TermStore, sort: SortId) -> String {
    let mut start = Start { text: String::new(), missing: 80 };
    match write!(start, "{}", SortDisplay::new(store, sort)) {
        Ok(()) => start.text,
        Err(_) => start.text + "...",
    }
}

/// The beginning of a text; writing ends when it is full.
struct Start {
    text: String,
    missing: usize,
}

impl fmt::Write for Start {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            self.missing = self.missing.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

enum Head<'a> {
    Sort(SortId),
    Constructor(Open<'a>),
}

fn check_sort_arity(open: &Open<'_>, expected: usize) -> Result<(), Diagnostic> {
    let found = open.arguments.len();
    if found == expected {
        return Ok(());
    }
    let plural = if expected == 1 { "argument" } else { "arguments" };
    let message = format!("the sort '{}' takes {expected} {plural}, found {found}", shorten(open.name));
    Err(Diagnostic::new(DiagnosticKind::Sort, open.span, message))
}

fn unknown_sort<'a>(span: Span, name: &str, candidates: impl Iterator<Item = &'a str>) -> Diagnostic {
    let message = format!("unknown sort '{}'", shorten(name));
    let diagnostic = Diagnostic::new(DiagnosticKind::Unknown, span, message);
    match near_name(name, candidates) {
        Some(near) => diagnostic.with_help(format!("did you mean '{near}'?")),
        None => diagnostic.with_help("sorts are declared with declare-sort before they are used"),
    }
}

/// The body of a definition with `arguments` for its parameters.
fn instantiate(
    store: &mut TermStore,
    definition: &SortDefinition,
    arguments: &[SortId],
) -> Result<SortId, SortError> {
    let replacements: FxHashMap<SortId, SortId> =
        definition.parameters.iter().copied().zip(arguments.iter().copied()).collect();
    store.replace_in_sort(definition.body, &replacements)
}

/// The declared sorts that these sorts use, in order of declaration.
pub(crate) fn declarations_in(
    store: &TermStore,
    sorts: impl IntoIterator<Item = SortId>,
) -> Vec<SortDeclarationId> {
    let mut stack: Vec<SortId> = sorts.into_iter().collect();
    let mut seen = FxHashSet::default();
    let mut declarations = BTreeSet::new();
    while let Some(sort) = stack.pop() {
        if seen.insert(sort) {
            match store.sort(sort) {
                Sort::Uninterpreted { declaration, .. } => {
                    declarations.insert(*declaration);
                }
                Sort::Datatype { declaration, .. } => stack.extend(field_sorts(store, sort, *declaration)),
                _ => {}
            }
            stack.extend(store.sort(sort).parts());
        }
    }
    declarations.into_iter().collect()
}

/// The groups of datatypes that these sorts use, in order of declaration.
pub(crate) fn datatypes_in(
    store: &TermStore,
    sorts: impl IntoIterator<Item = SortId>,
) -> Vec<Vec<DatatypeId>> {
    let mut stack: Vec<SortId> = sorts.into_iter().collect();
    let mut seen = FxHashSet::default();
    let mut groups = BTreeSet::new();
    while let Some(sort) = stack.pop() {
        if seen.insert(sort) {
            if let Sort::Datatype { declaration, .. } = store.sort(sort) {
                let group = &store.datatype(*declaration).together;
                groups.insert(group.to_vec());
                for &datatype in group {
                    let constructors = store.datatype(datatype).constructors.iter();
                    let fields = constructors.flat_map(|&it| store.constructor(it).fields.iter());
                    stack.extend(fields.map(|field| field.sort));
                }
            }
            stack.extend(store.sort(sort).parts());
        }
    }
    groups.into_iter().collect()
}

/// The sorts of all fields of a sort of a datatype.
fn field_sorts(store: &TermStore, sort: SortId, datatype: DatatypeId) -> Vec<SortId> {
    let constructors = store.datatype(datatype).constructors.iter();
    constructors.flat_map(|&it| store.field_sorts(sort, it).unwrap_or_default()).copied().collect()
}
